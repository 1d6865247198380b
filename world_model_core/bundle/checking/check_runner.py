# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Runner of checks: each check runs if the parts that it needs could be read.

A check is a function whose parameters are the names of parts of a bundle, and `findings` or
`progress`. Parameters with a default are optional parts. A function that reads a part returns it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from world_model_core.findings import Findings

    # Receives the completed fraction, 0 to 1, and the name of the current check.
    Progress: TypeAlias = Callable[[float, str], None]
# Parameters of checks that are not parts of a bundle.
SERVICES = {'findings', 'progress'}


class Absent(Enum):
    """Returned by the reader of an optional part if the bundle has none."""

    ABSENT = 'absent'


class CheckState(Enum):
    """State of a check after validation."""

    RAN = 'ran'
    SKIPPED = 'skipped'  # a part that it needs could not be read
    NOT_APPLICABLE = 'not applicable'  # an optional part that it needs does not exist


@dataclass(frozen=True, slots=True)
class Check:
    """
    A check.

    Attributes
    ----------
    name : str
        Stable name, used in reports.
    function : callable
    needs, uses : tuple of str
        Required and optional parts.
    gives : str or None
        Name of the part that it reads.
    weight : float
        Relative duration, for the progress.

    """

    name: str
    function: Callable[..., Any]
    needs: tuple[str, ...]
    uses: tuple[str, ...]
    gives: str | None = None
    weight: float = 1.0


@dataclass(slots=True)
class CheckResults:
    """
    Results of all checks.

    Attributes
    ----------
    parts : dict
        Parts by name; None if a part could not be read, ABSENT if it does not exist.
    states : dict of CheckState
        States by the names of the checks.

    """

    parts: dict[str, Any] = field(default_factory=dict)
    states: dict[str, CheckState] = field(default_factory=dict)


def reader(name: str, function: Callable[..., Any], weight: float = 1.0) -> Check:
    """Create the check that reads a part."""
    needs, uses = _wants(function)
    return Check(f'read_{name}', function, needs, uses, name, weight)


def check(function: Callable[..., None]) -> Check:
    """Create a check from a function with its name."""
    needs, uses = _wants(function)
    return Check(function.__name__, function, needs, uses)


def run_checks(
    checks: Iterable[Check],
    given: Mapping[str, Any],
    findings: Findings,
    progress: Progress,
) -> CheckResults:
    """
    Run checks in their order.

    Parameters
    ----------
    checks : iterable of Check
        Readers come before the checks that need their parts.
    given : mapping
        Parts that are already known.
    findings : Findings
        Receives the findings.
    progress : callable
        See Progress.

    """
    ordered = tuple(checks)
    total, done = sum(each.weight for each in ordered), 0.0
    outcome = CheckResults(dict(given))
    for each in ordered:
        progress(done / total, each.name)
        _run(each, outcome, findings, _within(progress, each, done, total))
        done += each.weight
    progress(1.0, '')
    _report_skipped(ordered, outcome, findings)
    return outcome


def _run(
    each: Check, outcome: CheckResults, findings: Findings, progress: Callable[[float], None]
) -> None:
    """Run one check, if the parts that it needs exist."""
    outcome.states[each.name] = state = _state(each, outcome.parts)
    found = Absent.ABSENT if state is CheckState.NOT_APPLICABLE else None
    if state is CheckState.RAN:
        wanted: dict[str, Any] = {name: outcome.parts[name] for name in each.needs}
        wanted |= {name: outcome.parts[name] for name in each.uses if _usable(name, outcome)}
        services = {'findings': findings, 'progress': progress}
        asked = signature(each.function).parameters
        wanted |= {name: services[name] for name in SERVICES & asked.keys()}
        found = _call(each, wanted, findings)
    if each.gives is not None:
        outcome.parts[each.gives] = found


def _call(each: Check, wanted: dict[str, Any], findings: Findings) -> Any:
    """Call a check; an exception becomes a finding, so that other checks still run."""
    try:
        # Numbers in a broken bundle may be of any size; warnings of NumPy are suppressed.
        with np.errstate(all='ignore'):
            return each.function(**wanted)
    except Exception as error:  # noqa: BLE001
        findings.add('Check.Failed', '', check=each.name, found=f'{type(error).__name__}: {error}')
        return None


def _state(each: Check, parts: Mapping[str, Any]) -> CheckState:
    values = [parts[name] for name in each.needs]
    if any(value is None for value in values):
        return CheckState.SKIPPED
    absent = any(value is Absent.ABSENT for value in values)
    return CheckState.NOT_APPLICABLE if absent else CheckState.RAN


def _usable(name: str, outcome: CheckResults) -> bool:
    value = outcome.parts.get(name)
    return value is not None and value is not Absent.ABSENT


def _within(progress: Progress, each: Check, done: float, total: float) -> Callable[[float], None]:
    """Return a callback that converts progress of one check to total progress."""
    return lambda part: progress((done + part * each.weight) / total, each.name)


def _report_skipped(checks: tuple[Check, ...], outcome: CheckResults, findings: Findings) -> None:
    """Report skipped checks by the parts that caused it."""
    readers = {each.gives: each for each in checks if each.gives is not None}
    missed: dict[tuple[str, ...], list[str]] = {}
    for each in checks:
        if outcome.states[each.name] is CheckState.SKIPPED:
            roots = tuple(sorted(set(_roots(each, readers, outcome))))
            missed.setdefault(roots, []).append(each.name)
    for roots, names in missed.items():
        found = ', '.join(names)
        findings.add('Check.Skipped', '', found=found, count=len(names), part=', '.join(roots))


def _roots(each: Check, readers: Mapping[str, Check], outcome: CheckResults) -> Iterator[str]:
    """Return the unreadable parts that caused a check to be skipped."""
    for name in each.needs:
        if outcome.parts[name] is None:
            behind = readers.get(name)
            if behind is not None and outcome.states[behind.name] is CheckState.SKIPPED:
                yield from _roots(behind, readers, outcome)
            else:
                yield name


def _wants(function: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the required and optional parts of a function."""
    parameters = signature(function).parameters.values()
    parts = [each for each in parameters if each.name not in SERVICES]
    needs = tuple(each.name for each in parts if each.default is Parameter.empty)
    uses = tuple(each.name for each in parts if each.default is not Parameter.empty)
    return needs, uses
