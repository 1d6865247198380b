# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How well what a robot reads fits where it is believed to be, for /diagnostics."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.gaussian import chi_square_gate

if TYPE_CHECKING:
    from world_model_core.localization.measurement_queue import Fix

# Readings that are looked back on.
MEMORY = 100
# What is farther from what was expected than so many true readings are does not fit.
FITTING = chi_square_gate(2, 0.999)
# As many must fit in the least; of a robot that was kidnapped hardly any does.
FEWEST_FITTING = 0.2
LOST = 'hardly anything that is read fits: the robot is lost, or something else is believed in'


class LocalizerReport:
    """
    Looks back on the last fixes.

    Attributes
    ----------
    used, gated : int
        Readings that the filter took in, and that it left out.

    """

    def __init__(self) -> None:
        self.used = self.gated = 0
        self._nis: deque[float] = deque(maxlen=MEMORY)
        self._fitted: deque[bool] = deque(maxlen=MEMORY)
        self._fix: Fix | None = None

    def add(self, fix: Fix) -> None:
        """Take note of a fix."""
        self._fix = fix
        if fix.verdict is None:
            return
        used, nis = fix.verdict
        read = ~np.isnan(nis)
        self.used += int(np.count_nonzero(read & used))
        self.gated += int(np.count_nonzero(read & ~used))
        self._nis.extend(nis[read & used].tolist())
        self._fitted.extend((nis[read] <= FITTING).tolist())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong."""
        if self._fix is None:
            return ('no odometry and landmarks were heard',)
        many = len(self._fitted) == MEMORY
        return (LOST,) if many and sum(self._fitted) < FEWEST_FITTING * MEMORY else ()

    @property
    def values(self) -> dict[str, Any]:
        """How it is."""
        values: dict[str, Any] = {'readings.used': self.used, 'readings.gated': self.gated}
        if self._nis:
            values['NIS'] = round(sum(self._nis) / len(self._nis), 3)
        if self._fix is not None:
            variances = np.diagonal(self._fix.estimate.covariance)
            values['position std [m]'] = round(math.sqrt(variances[:2].sum()), 4)
            values['heading std [rad]'] = round(math.sqrt(variances[2]), 4)
        return values
