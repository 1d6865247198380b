# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimation of ball constants from all fitted kicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.calibration.meta_analysis import pool
from world_model_core.match.ball.calibration.robust_fit import limits
from world_model_core.match.ball.calibration.values import (
    CONSTANTS,
    BallCalibration,
    ConstantEstimate,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.calibration.values import CalibrationKick

# An interval wider than this part of the value to a side is too uncertain.
WIDEST = 0.25
MISSING = {
    'slide_acceleration': 'no kick was observed from its start through sliding into rolling',
    'roll_acceleration': 'no ball was observed to roll freely for long enough',
    'switch_ratio': 'no kick was observed from its start through sliding into rolling',
    'damping_xy_first_hop': 'no chip was observed beyond its first bounce',
    'damping_xy_other_hops': 'no chip was observed beyond its second bounce',
    'damping_z': 'no chip was observed to rise again after a bounce',
}


def estimate_constants(kicks: Sequence[CalibrationKick]) -> BallCalibration:
    """
    Estimate each constant from the kicks that measure it.

    Parameters
    ----------
    kicks : sequence of CalibrationKick
        Of one or several recordings; kicks with a reason not to be used are only passed on.

    Returns
    -------
    BallCalibration
        Estimates lie within the limits of BallParameters.

    """
    estimates: dict[str, ConstantEstimate] = {}
    not_estimated: dict[str, str] = {}
    for name in CONSTANTS:
        measurements = [kick.measurements[name] for kick in kicks if name in kick.measurements]
        if not measurements:
            not_estimated[name] = MISSING[name] + _refusals(kicks)
            continue
        estimate = _limited(name, pool(measurements))
        if estimate.high - estimate.low > 2.0 * WIDEST * abs(estimate.value):
            not_estimated[name] = _vague(estimate)
        else:
            estimates[name] = estimate
    return BallCalibration(estimates, not_estimated, tuple(kicks))


def _limited(name: str, estimate: ConstantEstimate) -> ConstantEstimate:
    """Clip an estimate and its interval to the limits of BallParameters."""
    (least,), (most,) = limits(name)
    value, low, high = np.clip(estimate[:3], least, most).tolist()
    return ConstantEstimate(value, low, high, estimate.kicks)


def _vague(estimate: ConstantEstimate) -> str:
    """Return the reason for an estimate that is too uncertain."""
    return (
        f'too uncertain: {estimate.value:.3g}, {estimate.low:.3g} to {estimate.high:.3g} '
        f'(kicks: {estimate.kicks}); the limit is {WIDEST:.0%} to a side'
    )


def _refusals(kicks: Sequence[CalibrationKick]) -> str:
    """Return the number of rejected kicks and the reason of the last one."""
    refused = [kick.reason for kick in kicks if kick.reason]
    if not refused:
        return ''
    return f'; {len(refused)} of {len(kicks)} were rejected, the last one: {refused[-1]}'
