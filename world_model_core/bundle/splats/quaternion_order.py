# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Order of the quaternions in a splat file, and its detection from the numbers.

Rotations are mostly small, therefore the real part of a quaternion has the largest mean magnitude.
If this is rot_0, the order is w, x, y, z, and not x, y, z, w as in the contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.findings import Findings

__all__ = ['QuaternionOrder', 'QuaternionOrderEvidence', 'detect_quaternion_order']

# Minimum ratio of the mean magnitudes of rot_0 and rot_3 for the order w, x, y, z.
DOMINANCE: Final = 1.5
# Every fourth row is sufficient for the means of long blocks.
ROW_STEP: Final = 4
LONG_BLOCK: Final = 4096


class QuaternionOrder(Enum):
    """Order of rot_0 to rot_3 in the file."""

    XYZW = 'xyzw'
    WXYZ = 'wxyz'


# Columns of x, y, z and w by the order in the file.
TO_XYZW: Final = {QuaternionOrder.XYZW: [0, 1, 2, 3], QuaternionOrder.WXYZ: [1, 2, 3, 0]}


@dataclass(slots=True)
class QuaternionOrderEvidence:
    """
    Statistics of the rotations of a file.

    Attributes
    ----------
    first, last : float
        Sums of the magnitudes of rot_0 and of rot_3.

    """

    first: float = 0.0
    last: float = 0.0

    def add(self, block: NDArray[np.float32], first_column: int, last_column: int) -> None:
        """Add the rotations of a block; `first_column` is that of rot_0, the last of rot_3."""
        some = block[:: ROW_STEP if len(block) > LONG_BLOCK else 1]
        self.first += float(np.abs(some[:, first_column]).sum())
        self.last += float(np.abs(some[:, last_column]).sum())

    @property
    def dominance(self) -> float:
        """Ratio of the mean magnitudes of rot_0 and rot_3."""
        if self.last:
            return self.first / self.last
        return np.inf if self.first else 1.0

    @property
    def order(self) -> QuaternionOrder:
        """Detected order of quaternions; that of the contract if unclear."""
        return QuaternionOrder.WXYZ if self.dominance > DOMINANCE else QuaternionOrder.XYZW


def detect_quaternion_order(
    evidence: QuaternionOrderEvidence, findings: Findings, file: str
) -> QuaternionOrder:
    """Return the detected order of quaternions; report one that differs or is unclear."""
    ratio = f'{evidence.dominance:.3g}'
    if evidence.order is QuaternionOrder.WXYZ:
        findings.add('Splats.QuaternionOrder', file, found=ratio, limit=DOMINANCE)
    elif evidence.dominance * DOMINANCE >= 1.0:
        findings.add('Splats.QuaternionOrderUnclear', file, found=ratio, limit=DOMINANCE)
    return evidence.order
