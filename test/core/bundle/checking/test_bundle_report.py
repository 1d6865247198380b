# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reports: as text, as JSON, and with ignored findings."""

from __future__ import annotations

import json

import jsonschema
import pytest

from world_model_core.bundle.checking.bundle_report import (
    BundleReport,
    by_severity,
    report_document,
    report_lines,
)
from world_model_core.bundle.checking.check_runner import CheckState
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.documents import schema
from world_model_core.findings import LANGUAGES, Severity

ERROR, WARNING, INFO = 'Metadata.SceneIdMismatch', 'Metadata.SensorNotListed', 'Bundle.Extension'


@pytest.fixture
def report():
    """Make a report with one finding of each kind."""
    findings = bundle_findings()
    findings.add(INFO, '', found='actors/')
    findings.add(WARNING, 'metadata.json', '/sensors/cameras', found='rear', listed='front')
    findings.add(ERROR, 'metadata.json', '/scene_id', found='a', manifest='b')
    return BundleReport('scene', by_severity(findings.all), {'scene_ids': CheckState.RAN}, {}, {})


def test_the_worst_comes_first(report):
    """Errors, then warnings, then the rest."""
    assert [each.rule.code for each in report.findings] == [ERROR, WARNING, INFO]


def test_errors_fail_and_warnings_do_if_strict(report):
    """The result must follow from the findings that are left."""
    assert not report.passes()
    mended = report.without({ERROR})
    assert mended.passes()
    assert not mended.passes(strict=True)
    assert mended.without({WARNING}).passes(strict=True)


def test_ignored_findings_are_counted(report):
    """A report must show how many findings were left out."""
    left = report.without({INFO}).without({WARNING})
    assert left.ignored == {INFO: 1, WARNING: 1}
    assert 'ignored: 2' in list(report_lines(left))[-1][1]


@pytest.mark.parametrize('language', LANGUAGES)
@pytest.mark.parametrize('strict', [False, True])
def test_documents_follow_the_schema(report, language, strict):
    """JSON reports must be valid by their schema, in every language."""
    document = report_document(report, language, strict=strict)
    jsonschema.validate(json.loads(json.dumps(document)), schema('bundle_report'))
    assert document['counts'] == {'error': 1, 'warning': 1, 'info': 1}
    assert document['findings'][0]['found'] == 'a'


@pytest.mark.parametrize('language', LANGUAGES)
def test_lines_contain_all_of_a_finding(report, language):
    """The text must have the code, the file, the place, and the three texts of each finding."""
    lines = list(report_lines(report, language))
    assert lines[0] == (Severity.ERROR, f'error: metadata.json /scene_id: {ERROR}')
    first = report.findings[0]
    texts = (first.message(language), first.expected(language), first.remedy(language))
    assert all(text in line for text, (_, line) in zip(texts, lines[1:4], strict=True))


def test_names_cannot_control_a_terminal():
    """Escape sequences in a file must not reach the terminal."""
    findings = bundle_findings()
    findings.add(ERROR, 'metadata.json', '/a\x1b[2J', found='\x1b]0;title\x07', manifest='\udc80')
    hostile = BundleReport('scene\x1b', tuple(findings.all), {}, {}, {})
    for _, line in report_lines(hostile):
        assert line.isprintable()
