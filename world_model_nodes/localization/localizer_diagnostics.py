# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of a localizer: consistency of readings with the estimate, and its covariance."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.gaussian import chi_square_gate
from world_model_core.localization.pose_estimators import UNCERTAIN

if TYPE_CHECKING:
    from world_model_core.localization.measurement_queue import PoseFix
    from world_model_core.localization.pose_estimators import CorrectionResult

# Number of last readings in the statistics.
MEMORY = 100
# Readings with a larger NIS do not fit.
FITTING = chi_square_gate(2, 0.999)
# Minimum fraction of readings that fit; after a kidnapping hardly any does.
FEWEST_FITTING = 0.2
LOST = 'few readings fit the estimate: the robot is lost, or the map or the models are wrong'


class LocalizerReport:
    """
    Statistics of the last estimates.

    Attributes
    ----------
    used, gated : int
        Number of readings that the filter used, and that it rejected.

    """

    def __init__(self) -> None:
        self.used = self.gated = 0
        self._nis: deque[float] = deque(maxlen=MEMORY)
        self._fitted: deque[bool] = deque(maxlen=MEMORY)
        self._fix: PoseFix | None = None
        self._correction: CorrectionResult | None = None

    def add(self, fix: PoseFix) -> None:
        """Add an estimate."""
        self._fix = fix
        if fix.correction is None:
            return
        self._correction = fix.correction
        used, nis, *_ = fix.correction
        read = ~np.isnan(nis)
        self.used += int(np.count_nonzero(read & used))
        self.gated += int(np.count_nonzero(read & ~used))
        self._nis.extend(nis[read & used].tolist())
        self._fitted.extend((nis[read] <= FITTING).tolist())

    @property
    def warnings(self) -> tuple[str, ...]:
        """Problems, for the status of the node."""
        if self._fix is None:
            return ('no odometry and no landmarks received',)
        warnings = [LOST] if self._is_lost() else []
        deviation = self._fix.estimate.position_std
        if deviation > UNCERTAIN:
            warnings.append(
                f'the position is uncertain: its standard deviation is {deviation:.2f} m'
            )
        wrong = self._correction.wrong_landmark if self._correction else None
        if wrong:
            off = f'{wrong.distance:.2f} m off its place in the map'
            warnings.append(f'landmark {wrong.number} is probably wrong, {off}')
        return tuple(warnings)

    def _is_lost(self) -> bool:
        """Return whether the last readings do not fit, or too few of many do."""
        many = len(self._fitted) == MEMORY
        few = many and sum(self._fitted) < FEWEST_FITTING * MEMORY
        return few or (self._correction is not None and self._correction.is_lost)

    @property
    def values(self) -> dict[str, Any]:
        """Values for /diagnostics."""
        values: dict[str, Any] = {'readings.used': self.used, 'readings.gated': self.gated}
        if self._nis:
            values['NIS'] = round(sum(self._nis) / len(self._nis), 3)
        if self._fix is not None:
            estimate = self._fix.estimate
            values['position std [m]'] = round(estimate.position_std, 4)
            values['heading std [rad]'] = round(math.sqrt(estimate.covariance[2, 2]), 4)
        return values
