# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks run when what they need is there, and say so when it is not."""

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
    """Show no progress."""


def run(*checks, **parts):
    """Run checks, and return what became of them and what was found."""
    findings = bundle_findings()
    return run_checks(checks, parts, findings, quiet), findings


def compare(ground, road, findings):
    """Need two parts."""
    findings.add('Bundle.FolderName', '', found=ground, scene=road)


def prefer(ground, findings, road=None):
    """Need one part, and use another."""
    findings.add('Bundle.FolderName', '', found=ground, scene=road)


def codes(findings):
    """Return the codes that were found."""
    return [each.rule.code for each in findings.all]


def test_a_check_gets_the_parts_that_its_parameters_name():
    """Parts must go to the parameters of their names, also those that readers gave."""
    outcome, findings = run(reader('road', lambda ground: ground + 1), check(compare), ground=1)
    assert findings.all[0].values == {'found': '1', 'scene': '2'}
    assert outcome.states == {'read_road': CheckState.RAN, 'compare': CheckState.RAN}


def test_a_check_is_skipped_with_a_word_of_why():
    """Where a part could not be read, the finding must name it and all checks that need it."""
    outcome, findings = run(reader('road', lambda: None), check(compare), check(prefer), ground=1)
    assert outcome.states['compare'] is CheckState.SKIPPED
    assert outcome.states['prefer'] is CheckState.RAN
    skipped = findings.all[-1]
    assert skipped.rule.code == 'Check.Skipped'
    assert skipped.values == {'found': 'compare', 'count': '1', 'part': 'road'}


def test_skipped_checks_name_the_root():
    """A part that could not be read as another one could not must not be blamed."""
    readers = reader('ground', lambda: None), reader('road', lambda ground: ground)
    _, findings = run(*readers, check(compare))
    assert [each.values['part'] for each in findings.all] == ['ground']
    assert findings.all[0].values['found'] == 'read_road, compare'


def test_what_is_optional_and_absent_is_no_finding():
    """A check of a part that a bundle need not have must not apply, and say nothing."""
    outcome, findings = run(reader('road', lambda: Absent.ABSENT), check(compare), ground=1)
    assert outcome.states['compare'] is CheckState.NOT_APPLICABLE
    assert not findings.all


def test_what_is_wished_for_is_left_out_where_it_is_not():
    """A parameter with a default must keep it where the part is absent, broken or unknown."""
    for road in (None, Absent.ABSENT):
        _, findings = run(check(prefer), ground=1, road=road)
        assert findings.all[0].values['scene'] == 'None'


def test_a_check_that_fails_is_a_finding_and_the_others_go_on():
    """An exception must become an error of its own, and what the check reads be missing."""

    def broken():
        raise KeyError('lost')

    outcome, findings = run(reader('road', broken), check(prefer), check(compare), ground=1)
    assert codes(findings) == ['Check.Failed', 'Bundle.FolderName', 'Check.Skipped']
    assert findings.all[0].values['check'] == 'read_road'
    assert outcome.states['read_road'] is CheckState.RAN


def test_an_interrupt_is_no_finding():
    """Who presses Ctrl-C must not wait for the other checks."""

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(check(interrupted))


@given(st.lists(st.floats(0.1, 9.0), min_size=1, max_size=9), st.floats(0.0, 1.0))
def test_progress_goes_from_0_to_1_and_never_back(weights, part):
    """However checks weigh, and however far each says it is."""
    told = []
    checks = [
        reader(f'part{index}', lambda progress: progress(part), weight)
        for index, weight in enumerate(weights)
    ]
    run_checks(checks, {}, bundle_findings(), lambda *done: told.append(done[0]))
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert all(before <= after + 1e-12 for before, after in pairwise(told))
