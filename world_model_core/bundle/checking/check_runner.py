# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks, each with what it needs: run one after another, or skipped with a word of why.

A check is a function whose parameters are its prerequisites: the names of parts of a bundle, and
`findings` or `progress` where it wants them. One with a default is taken where there is such a
part and left out where there is none. What a function that reads a part returns is that part.
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

    # Told how much of the work is done, from 0 to 1, and the name of the check that runs.
    Progress: TypeAlias = Callable[[float, str], None]
# No parts of a bundle, though checks may ask for them.
SERVICES = {'findings', 'progress'}


class Absent(Enum):
    """What the reader of an optional part returns where a bundle has none."""

    ABSENT = 'absent'


class CheckState(Enum):
    """What became of a check."""

    RAN = 'ran'
    SKIPPED = 'skipped'  # what it needs could not be read
    NOT_APPLICABLE = 'not applicable'  # what it needs is optional and not there


@dataclass(frozen=True, slots=True)
class Check:
    """
    A check.

    Attributes
    ----------
    name : str
        Stable, as reports name it.
    function : callable
    needs, uses : tuple of str
        Parts that it cannot do without, and those that it can.
    gives : str or None
        The part that it reads.
    weight : float
        Its part of the work, for the progress.

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
    What the checks left.

    Attributes
    ----------
    parts : dict
        All that could be read, by name; None for what could not, ABSENT for what is not there.
    states : dict of CheckState
        By the names of the checks.

    """

    parts: dict[str, Any] = field(default_factory=dict)
    states: dict[str, CheckState] = field(default_factory=dict)


def reader(name: str, function: Callable[..., Any], weight: float = 1.0) -> Check:
    """Make the check that reads a part."""
    needs, uses = _wants(function)
    return Check(f'read_{name}', function, needs, uses, name, weight)


def check(function: Callable[..., None]) -> Check:
    """Make a check of a function; it is called as the function is."""
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
        Readers before those that need what they read.
    given : mapping
        Parts that are there from the beginning.
    findings : Findings
        Is added to.
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
    _tell_skipped(ordered, outcome, findings)
    return outcome


def _run(
    each: Check, outcome: CheckResults, findings: Findings, progress: Callable[[float], None]
) -> None:
    """Run one check, if what it needs is there."""
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
    """Call a check: whatever trips it, the others are still to tell what they find."""
    try:
        # Numbers in a broken bundle may be of any size: findings tell of them, no warnings.
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
    """Turn the progress of one check into that of all."""
    return lambda part: progress((done + part * each.weight) / total, each.name)


def _tell_skipped(checks: tuple[Check, ...], outcome: CheckResults, findings: Findings) -> None:
    """Say which checks could not run, by the parts that are at the root of it."""
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
    """Name the parts that could not be read, though all that their readers need could."""
    for name in each.needs:
        if outcome.parts[name] is None:
            behind = readers.get(name)
            if behind is not None and outcome.states[behind.name] is CheckState.SKIPPED:
                yield from _roots(behind, readers, outcome)
            else:
                yield name


def _wants(function: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tell what a function needs, and what it uses if it is there."""
    parameters = signature(function).parameters.values()
    parts = [each for each in parameters if each.name not in SERVICES]
    needs = tuple(each.name for each in parts if each.default is Parameter.empty)
    uses = tuple(each.name for each in parts if each.default is not Parameter.empty)
    return needs, uses
