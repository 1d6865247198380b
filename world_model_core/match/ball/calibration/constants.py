# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What all kicks together tell of a ball's constants, and what they cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.calibration.meta_analysis import pool
from world_model_core.match.ball.calibration.robust_fit import limits
from world_model_core.match.ball.calibration.values import CONSTANTS, Calibration, Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.calibration.values import KickFit

# An interval that reaches further than this part of the value to a side tells nothing.
WIDEST = 0.25
MISSING = {
    'slide_acceleration': 'no kick was seen to slide from its launch into rolling',
    'roll_acceleration': 'no ball was seen to roll freely for long enough',
    'switch_ratio': 'no kick was seen to slide from its launch into rolling',
    'damping_xy_first_hop': 'no chip was seen beyond its first bounce',
    'damping_xy_other_hops': 'no chip was seen beyond its second bounce',
    'damping_z': 'no chip was seen to rise again after a bounce',
}


def conclude(kicks: Sequence[KickFit]) -> Calibration:
    """
    Estimate each constant from the kicks that tell it.

    Parameters
    ----------
    kicks : sequence of KickFit
        Of one or several recordings; those with a reason not to be used are only passed on.

    Returns
    -------
    Calibration
        Estimates lie within the limits of BallParameters.

    """
    estimates: dict[str, Estimate] = {}
    untold: dict[str, str] = {}
    for name in CONSTANTS:
        measures = [kick.measures[name] for kick in kicks if name in kick.measures]
        if not measures:
            untold[name] = MISSING[name] + _refusals(kicks)
            continue
        estimate = _limited(name, pool(measures))
        if estimate.high - estimate.low > 2.0 * WIDEST * abs(estimate.value):
            untold[name] = _vague(estimate)
        else:
            estimates[name] = estimate
    return Calibration(estimates, untold, tuple(kicks))


def _limited(name: str, estimate: Estimate) -> Estimate:
    """Keep an estimate, and its interval, within what BallParameters takes."""
    (least,), (most,) = limits(name)
    value, low, high = np.clip(estimate[:3], least, most).tolist()
    return Estimate(value, low, high, estimate.kicks)


def _vague(estimate: Estimate) -> str:
    """Say how little is known."""
    return (
        f'known only as {estimate.value:.3g}, {estimate.low:.3g} to {estimate.high:.3g} '
        f'(kicks: {estimate.kicks}); at most {WIDEST:.0%} to a side is of use'
    )


def _refusals(kicks: Sequence[KickFit]) -> str:
    """Say how many kicks could not be used, and why the last of them."""
    refused = [kick.reason for kick in kicks if kick.reason]
    if not refused:
        return ''
    return f'; {len(refused)} of {len(kicks)} could not be used, the last: {refused[-1]}'
