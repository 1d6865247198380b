# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks run if their parts are there, and are reported as skipped otherwise."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.checking.check_runner import (
    Absent,
    CheckState,
    check,
    reader,
    run_checks,
)
from world_model_core.bundle.finding_catalog import bundle_findings


def quiet(*_):
    """Ignore the progress."""


def run(*checks, **parts):
    """Run checks, and return their results and the findings."""
    findings = bundle_findings()
    return run_checks(checks, parts, findings, quiet), findings


def compare(ground, road, findings):
    """Require two parts."""
    findings.add('Bundle.FolderName', '', found=ground, scene=road)


def prefer(ground, findings, road=None):
    """Require one part, and use another if it is there."""
    findings.add('Bundle.FolderName', '', found=ground, scene=road)


def codes(findings):
    """Return the codes of the findings."""
    return [each.rule.code for each in findings.all]


def test_a_check_gets_the_parts_that_its_parameters_name():
    """Parts must be passed to the parameters of their names, also parts that readers return."""
    outcome, findings = run(reader('road', lambda ground: ground + 1), check(compare), ground=1)
    assert findings.all[0].values == {'found': '1', 'scene': '2'}
    assert outcome.states == {'read_road': CheckState.RAN, 'compare': CheckState.RAN}


def test_a_check_is_skipped_with_a_reason():
    """If a part could not be read, the finding must name it and all checks that need it."""
    outcome, findings = run(reader('road', lambda: None), check(compare), check(prefer), ground=1)
    assert outcome.states['compare'] is CheckState.SKIPPED
    assert outcome.states['prefer'] is CheckState.RAN
    skipped = findings.all[-1]
    assert skipped.rule.code == 'Check.Skipped'
    assert skipped.values == {'found': 'compare', 'count': '1', 'part': 'road'}


def test_skipped_checks_name_the_root():
    """The finding must name the part that failed first, not those that depend on it."""
    readers = reader('ground', lambda: None), reader('road', lambda ground: ground)
    _, findings = run(*readers, check(compare))
    assert [each.values['part'] for each in findings.all] == ['ground']
    assert findings.all[0].values['found'] == 'read_road, compare'


def test_an_absent_optional_part_gives_no_finding():
    """A check of an absent optional part must not apply and give no finding."""
    outcome, findings = run(reader('road', lambda: Absent.ABSENT), check(compare), ground=1)
    assert outcome.states['compare'] is CheckState.NOT_APPLICABLE
    assert not findings.all


def test_an_absent_part_keeps_the_default():
    """A parameter with a default must keep it where the part is absent, broken or unknown."""
    for road in (None, Absent.ABSENT):
        _, findings = run(check(prefer), ground=1, road=road)
        assert findings.all[0].values['scene'] == 'None'


def test_a_check_that_fails_is_a_finding_and_the_others_go_on():
    """An exception must become an error, and the parts that the check returns be missing."""

    def broken():
        raise KeyError('lost')

    outcome, findings = run(reader('road', broken), check(prefer), check(compare), ground=1)
    assert codes(findings) == ['Check.Failed', 'Bundle.FolderName', 'Check.Skipped']
    assert findings.all[0].values['check'] == 'read_road'
    assert outcome.states['read_road'] is CheckState.RAN


def test_an_interrupt_ends_the_run():
    """Ctrl-C must end the run at once."""

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(check(interrupted))


@given(st.lists(st.floats(0.1, 9.0), min_size=1, max_size=9), st.floats(0.0, 1.0))
def test_progress_increases_from_0_to_1(weights, part):
    """The progress must increase from 0 to 1, whatever the weights and progress of the checks."""
    fractions = []
    checks = [
        reader(f'part{index}', lambda progress: progress(part), weight)
        for index, weight in enumerate(weights)
    ]
    run_checks(checks, {}, bundle_findings(), lambda *done: fractions.append(done[0]))
    assert fractions[0] == 0.0
    assert fractions[-1] == 1.0
    assert all(before <= after + 1e-12 for before, after in pairwise(fractions))
