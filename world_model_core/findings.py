# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Findings about files: a stable code, the place, the value found, and texts from a catalog."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import resources
from typing import Any, TypeAlias

import yaml

from world_model_core.errors import WorldModelError

__all__ = [
    'LANGUAGES',
    'Catalog',
    'Finding',
    'Findings',
    'FindingsError',
    'Rule',
    'Severity',
    'printable',
    'read_catalog',
    'shorten',
]

LANGUAGES = ('en', 'ja')
# Longer values are shortened in texts [characters].
LONGEST_VALUE = 120
# libyaml, if PyYAML was built with it, is six times as fast.
_LOADER: Any = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


class Severity(Enum):
    """Severity of a finding; a file with errors is not used."""

    ERROR = 'error'
    WARNING = 'warning'
    INFO = 'info'


@dataclass(frozen=True, slots=True)
class Rule:
    """
    A requirement on files, identified by a code that never changes.

    Attributes
    ----------
    code : str
        For example Calibration.TfMismatch: the part of the file, and the fault.
    severity : Severity
    message, expected, remedy : mapping of str to str
        Texts by language, 'en' and 'ja'; {names} in braces are replaced by values of the finding.

    """

    code: str
    severity: Severity
    message: Mapping[str, str]
    expected: Mapping[str, str]
    remedy: Mapping[str, str]


# Returns the rules of a room by their codes. It is called when the first finding is added.
Catalog: TypeAlias = Callable[[], Mapping[str, Rule]]


@dataclass(frozen=True, slots=True)
class Finding:
    """
    A violation of a rule, or information about a file.

    Attributes
    ----------
    rule : Rule
    file : str
        Path relative to the folder that is read, with '/'; '' for the whole folder.
    where : str
        A JSON pointer ("/cameras/front/rate_hz"), "byte 1234", "line 12", or ''.
    values : mapping of str to str
        Values for the texts of the rule; 'found' is the value that was found.

    """

    rule: Rule
    file: str
    where: str
    values: Mapping[str, str]

    def message(self, language: str = 'en') -> str:
        """Return what is wrong."""
        return self.rule.message[language].format_map(self.values)

    def expected(self, language: str = 'en') -> str:
        """Return what would be right."""
        return self.rule.expected[language].format_map(self.values)

    def remedy(self, language: str = 'en') -> str:
        """Return how to correct it."""
        return self.rule.remedy[language].format_map(self.values)

    def document(self, language: str = 'en') -> dict[str, Any]:
        """Return the finding as a JSON object; see the schema bundle_report."""
        return {
            'code': self.rule.code,
            'severity': self.rule.severity.value,
            'file': self.file,
            'where': self.where,
            'message': self.message(language),
            'found': self.values.get('found'),
            'expected': self.expected(language),
            'remedy': self.remedy(language),
            'values': dict(self.values),
        }


@dataclass(slots=True)
class Findings:
    """
    Findings in the order in which they were added.

    Attributes
    ----------
    catalog : callable
        Returns the rules of the room by their codes.

    """

    catalog: Catalog
    all: list[Finding] = field(default_factory=list)

    def add(self, code: str, file: str, where: str = '', **values: Any) -> None:
        """
        Add a finding.

        Parameters
        ----------
        code : str
            Code of a rule in the catalog.
        file, where : str
            See Finding.
        **values
            Values for the texts of the rule. They are shortened, as files may be hostile.

        """
        texts = {name: shorten(value) for name, value in values.items()}
        self.all.append(Finding(self.catalog()[code], file, where, texts))

    def is_error(self, code: str) -> bool:
        """Return whether findings with a code are errors."""
        return self.catalog()[code].severity is Severity.ERROR

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings that prevent the use of the file."""
        return tuple(each for each in self.all if each.rule.severity is Severity.ERROR)


class FindingsError(WorldModelError):
    """
    A file cannot be used.

    Attributes
    ----------
    findings : tuple of Finding
        The errors in it.

    """

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        lines = (
            f'{_place(each)}{each.rule.code}: {each.message()} (expected: {each.expected()})'
            for each in findings
        )
        super().__init__('\n'.join(lines))


def read_catalog(*packages: str) -> Mapping[str, Rule]:
    """
    Read the rules in the folders `finding_texts` of packages.

    Returns
    -------
    mapping of str to Rule
        By their codes.

    """
    rules: dict[str, Rule] = {}
    for package in packages:
        tables = resources.files(package).joinpath('finding_texts')
        for table in sorted(tables.iterdir(), key=lambda each: each.name):
            if table.name.endswith('.yaml'):
                entries = yaml.load(table.read_text(encoding='utf-8'), _LOADER)  # noqa: S506 (safe)
                for code, entry in entries.items():
                    rules[code] = _rule(code, entry)
    return rules


def shorten(value: Any, longest: int = LONGEST_VALUE) -> str:
    """Convert a value to one line of bounded length, without characters that cannot be shown."""
    text = ' '.join(str(value).split())
    return printable(text if len(text) <= longest else f'{text[: longest - 1]}…')


def printable(text: str) -> str:
    """Replace control characters, marks of direction and lone surrogates."""
    if text.isprintable():
        return text
    return ''.join(each if each.isprintable() else '\N{REPLACEMENT CHARACTER}' for each in text)


def _place(finding: Finding) -> str:
    """Return the file and the place of a finding as the start of a line."""
    place = ' at '.join(each for each in (finding.file, finding.where) if each)
    return f'{place}: ' if place else ''


def _rule(code: str, entry: Mapping[str, Any]) -> Rule:
    texts = (entry[name] for name in ('message', 'expected', 'remedy'))
    return Rule(code, Severity(entry['severity']), *texts)
