# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is found in a bundle: a stable code, where, what, what was expected, and the remedy."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ['BundleError', 'Finding', 'Findings', 'Rule', 'Severity', 'catalogue', 'shorten']

LANGUAGES = ('en', 'ja')
# Values are shown up to this length, however much a file says.
SHOWN = 120
# libyaml where PyYAML was built with it: six times as fast, and the first finding waits for it.
_LOADER: Any = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


class Severity(Enum):
    """How bad it is: a bundle with errors is not loaded."""

    ERROR = 'error'
    WARNING = 'warning'
    INFO = 'info'


@dataclass(frozen=True, slots=True)
class Rule:
    """
    What is asked of bundles, by a code that stays.

    Attributes
    ----------
    code : str
        Like Calibration.TfMismatch: the part of the bundle, and what is wrong.
    severity : Severity
    message, expected, remedy : mapping of str to str
        By language, 'en' and 'ja'; {names} in braces stand for the values of a finding.

    """

    code: str
    severity: Severity
    message: Mapping[str, str]
    expected: Mapping[str, str]
    remedy: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Finding:
    """
    A rule that something in a bundle broke, or a thing worth knowing.

    Attributes
    ----------
    rule : Rule
    file : str
        Relative to the bundle, with '/'; '' for the whole.
    where : str
        A JSON pointer ("/cameras/front/rate_hz"), "byte 1234", "line 12", or ''.
    values : mapping of str to str
        What the texts of the rule speak of; 'found' is what was found.

    """

    rule: Rule
    file: str
    where: str
    values: Mapping[str, str]

    def message(self, language: str = 'en') -> str:
        """Say what is wrong."""
        return self.rule.message[language].format_map(self.values)

    def expected(self, language: str = 'en') -> str:
        """Say what would be right."""
        return self.rule.expected[language].format_map(self.values)

    def remedy(self, language: str = 'en') -> str:
        """Say how to mend it."""
        return self.rule.remedy[language].format_map(self.values)


@dataclass(slots=True)
class Findings:
    """All that was found, in the order in which it was."""

    all: list[Finding] = field(default_factory=list)

    def add(self, code: str, file: str, where: str = '', **values: Any) -> None:
        """
        Note a finding.

        Parameters
        ----------
        code : str
            Of a rule in the catalogue.
        file, where : str
            See Finding.
        **values
            For the texts of the rule; shortened, as hostile files may say much.

        """
        texts = {name: shorten(value) for name, value in values.items()}
        self.all.append(Finding(catalogue()[code], file, where, texts))

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Those that keep a bundle from being loaded."""
        return tuple(each for each in self.all if each.rule.severity is Severity.ERROR)


class BundleError(WorldModelError):
    """
    A bundle, or a part of it, cannot be used.

    Attributes
    ----------
    findings : tuple of Finding
        Why: the errors.

    """

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        lines = (
            f'{_place(each)}{each.rule.code}: {each.message()} (expected: {each.expected()})'
            for each in findings
        )
        super().__init__('\n'.join(lines))


@cache
def catalogue() -> Mapping[str, Rule]:
    """Read all rules, by their codes, from the tables beside this module."""
    rules: dict[str, Rule] = {}
    tables = resources.files(__package__).joinpath('rules')
    for table in sorted(tables.iterdir(), key=lambda each: each.name):
        if table.name.endswith('.yaml'):
            entries = yaml.load(table.read_text(encoding='utf-8'), _LOADER)  # noqa: S506 (safe)
            for code, entry in entries.items():
                rules[code] = _rule(code, entry)
    return rules


def _place(finding: Finding) -> str:
    """Begin a line with where a finding is, if it is not about the whole bundle."""
    place = ' at '.join(each for each in (finding.file, finding.where) if each)
    return f'{place}: ' if place else ''


def shorten(value: Any) -> str:
    """Show a value in a line of bounded length."""
    text = ' '.join(str(value).split())
    return text if len(text) <= SHOWN else f'{text[: SHOWN - 1]}…'


def _rule(code: str, entry: Mapping[str, Any]) -> Rule:
    texts = (entry[name] for name in ('message', 'expected', 'remedy'))
    return Rule(code, Severity(entry['severity']), *texts)
