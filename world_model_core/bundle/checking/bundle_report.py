# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Report of a validation: findings, states of the checks, and statistics."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from world_model_core.findings import Severity, printable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from world_model_core.bundle.checking.check_runner import CheckState
    from world_model_core.findings import Finding

    # A line of a report with its severity, if any.
    Line: TypeAlias = tuple[Severity | None, str]

__all__ = ['BundleReport', 'by_severity', 'report_document', 'report_lines']

VERSION = '1.0.0'
ORDER = tuple(Severity)
WORDS: dict[str, dict[str, str]] = {
    'en': {
        'expected': 'expected',
        'remedy': 'remedy',
        'bundle': 'the bundle',
        'valid': 'valid',
        'invalid': 'not valid',
        'error': 'errors',
        'warning': 'warnings',
        'info': 'notes',
        'ignored': 'ignored',
    },
    'ja': {
        'expected': '期待',
        'remedy': '対処',
        'bundle': 'バンドル全体',
        'valid': '有効',
        'invalid': '無効',
        'error': 'エラー',
        'warning': '警告',
        'info': '情報',
        'ignored': '無視',
    },
}


@dataclass(frozen=True, slots=True, eq=False)
class BundleReport:
    """
    The result of a validation.

    Attributes
    ----------
    folder : str
        Folder of the bundle, as specified.
    findings : tuple of Finding
        Sorted by severity, then in the order in which they were found.
    checks : mapping of CheckState
        States by the names of the checks.
    statistics : mapping
        See the schema bundle_report.
    ignored : mapping of int
        Number of removed findings by code.

    """

    folder: str
    findings: tuple[Finding, ...]
    checks: Mapping[str, CheckState]
    statistics: Mapping[str, Any]
    ignored: Mapping[str, int]

    def count(self, severity: Severity) -> int:
        """Count the findings of a severity."""
        return sum(each.rule.severity is severity for each in self.findings)

    def passes(self, *, strict: bool = False) -> bool:
        """Return whether there is no error and, if `strict`, no warning."""
        worst = (Severity.ERROR, Severity.WARNING) if strict else (Severity.ERROR,)
        return not any(self.count(severity) for severity in worst)

    def without(self, codes: Collection[str]) -> BundleReport:
        """Return a report without the findings of some codes."""
        kept = tuple(each for each in self.findings if each.rule.code not in codes)
        left_out = Counter(each.rule.code for each in self.findings if each.rule.code in codes)
        return replace(self, findings=kept, ignored={**self.ignored, **left_out})


def by_severity(findings: Collection[Finding]) -> tuple[Finding, ...]:
    """Sort findings by severity, errors first."""
    return tuple(sorted(findings, key=lambda each: ORDER.index(each.rule.severity)))


def report_document(
    report: BundleReport, language: str = 'en', *, strict: bool = False
) -> dict[str, Any]:
    """Convert a report to a JSON document; see the schema bundle_report."""
    return {
        'version': VERSION,
        'bundle': report.folder,
        'language': language,
        'strict': strict,
        'valid': report.passes(strict=strict),
        'counts': {severity.value: report.count(severity) for severity in ORDER},
        'ignored': dict(report.ignored),
        'findings': [each.document(language) for each in report.findings],
        'checks': {name: state.value for name, state in report.checks.items()},
        'statistics': dict(report.statistics),
    }


def report_lines(
    report: BundleReport, language: str = 'en', *, strict: bool = False
) -> Iterator[Line]:
    """Return the lines of a report, without control characters."""
    words = WORDS[language]
    for each in report.findings:
        severity = each.rule.severity
        place = ' '.join(filter(None, (each.file or words['bundle'], each.where)))
        yield severity, printable(f'{severity.value}: {place}: {each.rule.code}')
        yield None, printable(f'  {each.message(language)}')
        yield None, printable(f'  {words["expected"]}: {each.expected(language)}')
        yield None, printable(f'  {words["remedy"]}: {each.remedy(language)}')
    yield _summary(report, words, strict=strict)


def _summary(report: BundleReport, words: Mapping[str, str], *, strict: bool) -> Line:
    valid = report.passes(strict=strict)
    counts = [f'{words[each.value]}: {report.count(each)}' for each in ORDER]
    if report.ignored:
        counts.append(f'{words["ignored"]}: {sum(report.ignored.values())}')
    text = f'{report.folder}: {words["valid" if valid else "invalid"]} ({", ".join(counts)})'
    return None if valid else Severity.ERROR, printable(text)
