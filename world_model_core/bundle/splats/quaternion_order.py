# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Order of the quaternions in a splat file, and its probability.

Most programs write w, x, y, z, the contract has x, y, z, w, and hardly any file declares it. The
evidence is geometry (see `neighbor_directions`), which does not depend on how a scene was turned,
and the program that wrote the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from math import exp, log
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from world_model_core.findings import Findings

__all__ = [
    'TO_XYZW',
    'QuaternionOrder',
    'WeighedOrder',
    'check_order',
    'guess_order',
    'writes_wxyz',
]

# Programs that write w, x, y, z, by the comments in their files.
WXYZ_WRITERS: Final = re.compile(
    r'splat-transform|supersplat|nerfstudio|gsplat|brush|postshot|gaussforge', re.IGNORECASE
)
# Columns around the colors in the files of the reference implementation, which has no comments and
# writes w, x, y, z.
REFERENCE_START: Final = ('x', 'y', 'z', 'nx', 'ny', 'nz')
REFERENCE_END: Final = (
    'opacity', 'scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3',
)  # fmt: skip
# Probability of w, x, y, z in a file of such a program: other tools keep its comment and columns.
WRITER_PROBABILITY: Final = 0.8
# Probability of a declared order: declarations are added by hand, too, also wrong ones.
DECLARED_PROBABILITY: Final = 0.999
# Minimum probability of an order without a warning.
CERTAIN: Final = 0.99


class QuaternionOrder(Enum):
    """Order of rot_0 to rot_3 in the file."""

    XYZW = 'xyzw'
    WXYZ = 'wxyz'


# Columns of x, y, z and w by the order in the file.
TO_XYZW: Final = {QuaternionOrder.XYZW: [0, 1, 2, 3], QuaternionOrder.WXYZ: [1, 2, 3, 0]}


@dataclass(frozen=True, slots=True)
class WeighedOrder:
    """The more probable order of quaternions, and its probability, 0.5 to 1."""

    order: QuaternionOrder
    probability: float


def writes_wxyz(comments: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Return whether comments or columns are those of a program that writes w, x, y, z."""
    reference = names[: len(REFERENCE_START)] == REFERENCE_START
    reference &= names[-len(REFERENCE_END) :] == REFERENCE_END
    return reference or any(WXYZ_WRITERS.search(each) for each in comments)


def guess_order(geometry: float, by_program: bool, findings: Findings, file: str) -> WeighedOrder:
    """
    Return the order of a file that does not declare it, with a finding.

    Parameters
    ----------
    geometry : float
        Logarithm of the odds of w, x, y, z by geometry.
    by_program : bool
        Whether the file is that of a program that writes w, x, y, z.

    """
    prior = _log_odds(WRITER_PROBABILITY) if by_program else 0.0
    found = _weigh(geometry + prior)
    certain = found.probability >= CERTAIN
    code = 'Splats.QuaternionOrder' if certain else 'Splats.QuaternionOrderUnclear'
    findings.add(code, file, guess=found.order.value, found=_percent(found.probability))
    return found


def check_order(
    declared: QuaternionOrder, geometry: float, findings: Findings, file: str
) -> WeighedOrder:
    """Return a declared order with its probability; report an order that geometry contradicts."""
    sign = 1.0 if declared is QuaternionOrder.WXYZ else -1.0
    probability = _probability(sign * geometry + _log_odds(DECLARED_PROBABILITY))
    if probability <= 1.0 - CERTAIN:
        other = _weigh(-sign).order.value
        values = {'found': declared.value, 'guess': other, 'part': _percent(1.0 - probability)}
        findings.add('Splats.QuaternionOrderContradicted', file, **values)
    if declared is QuaternionOrder.WXYZ:
        findings.add('Splats.OtherQuaternionOrder', file, found=declared.value)
    return WeighedOrder(declared, probability)


def _weigh(log_odds: float) -> WeighedOrder:
    """Return the more probable order; that of the contract if both are equal."""
    order = QuaternionOrder.WXYZ if log_odds > 0.0 else QuaternionOrder.XYZW
    return WeighedOrder(order, _probability(abs(log_odds)))


def _log_odds(probability: float) -> float:
    return log(probability / (1.0 - probability))


def _probability(log_odds: float) -> float:
    return 1.0 / (1.0 + exp(-log_odds)) if log_odds > -500.0 else 0.0


def _percent(probability: float) -> str:
    """Return a percentage that is rounded down, so that it never claims to be certain."""
    return f'{int(1e4 * probability) / 100:g} %'
