# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a ball kicked along the carpet tells: how it slides, how it rolls, when it changes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.calibration.robust_fit import Fit, fit, limits
from world_model_core.match.ball.calibration.values import STRAIGHT, KickFit, KickKind, Measure
from world_model_core.match.ball.motion_segment import MotionState
from world_model_core.match.ball.parameters import BallParameters, RollingLaw
from world_model_core.match.ball.trajectory import predict_ball

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.calibration.robust_fit import Bounds
    from world_model_core.match.ball.calibration.values import Array, KickSights

# What slows down by one constant deceleration rolls below this and slides above it [m/s^2]: the
# carpets of the league are known to have 0.2 to 0.5 and 2.4 to 4.
LEAST_SLIDE = 1.0
# Two phases are seen when they explain the sights so much better than one that the Bayesian
# information criterion falls by this (R. E. Kass and A. E. Raftery, Bayes Factors, 1995: very
# strong evidence).
STRONG_EVIDENCE = 10.0
# The first sights, from which speed and direction are guessed: so many, and for so long [s].
FEWEST, BEGINNING = 4, 0.1
# Guesses of (slide, roll, switch) to start from: what RoboCup 2022 sent, and a switch at the
# other end of what is physical.
GUESSES = ((-2.79, -0.33, 0.7), (-4.0, -0.35, 0.6), (-3.0, -0.3, 0.85))
PLAIN = BallParameters()


def fit_straight(sights: KickSights) -> tuple[Fit, KickFit]:
    """
    Fit sliding and rolling to a kick, or one constant deceleration where that explains as much.

    The ball is followed by `predict_ball`, so that what is calibrated is what predicts.

    Parameters
    ----------
    sights : KickSights
        Of a ball that nothing hit.

    Returns
    -------
    fit : Fit
        Of the law that was chosen.
    kick : KickFit
        The switch is measured only where the launch is known, as its speed is needed.

    """
    start = _beginning(sights)
    one = fit(_one_phase, [(*start, -0.5)], _bounds((-20.0,), (-1e-3,)), sights)
    starts = [(*start, *guess) for guess in GUESSES]
    two = fit(_two_phases, starts, _bounds(*limits(*STRAIGHT)), sights)
    if one.criterion - two.criterion < STRONG_EVIDENCE:
        return one, _kick(one, _measure_one(one))
    return two, _kick(two, _measure_two(two))


def _beginning(sights: KickSights) -> tuple[float, float, float, float]:
    """Guess place and velocity at the launch from the first sights, whichever camera had them."""
    early = sights.times <= sights.times[min(FEWEST, len(sights) - 1)] + BEGINNING
    law = np.polyfit(sights.times[early] - sights.launch_time, sights.places[early], 1)
    (vx, vy), (x, y) = law.tolist()
    return x, y, vx, vy


def _bounds(low: Sequence[float], high: Sequence[float]) -> Bounds:
    """Leave place and velocity free."""
    return (*(-math.inf,) * 4, *low), (*(math.inf,) * 4, *high)


def _two_phases(solution: Array, sights: KickSights) -> Array:
    """Slide, then roll, from (x, y, vx, vy, slide, roll, switch) at the launch."""
    x, y, vx, vy, slide, roll, switch = solution.tolist()
    parameters = replace(
        PLAIN, slide_acceleration=slide, roll_acceleration=roll, switch_ratio=switch
    )
    return _places((x, y), (vx, vy), parameters, sights)


def _one_phase(solution: Array, sights: KickSights) -> Array:
    """Slow down evenly, from (x, y, vx, vy, acceleration) at the launch."""
    x, y, vx, vy, acceleration = solution.tolist()
    parameters = replace(PLAIN, law=RollingLaw.CONSTANT, deceleration=-acceleration)
    return _places((x, y), (vx, vy), parameters, sights)


def _places(
    place: tuple[float, float],
    velocity: tuple[float, float],
    parameters: BallParameters,
    sights: KickSights,
) -> Array:
    """Predict where the ball is at the sights, shape (n, 2) [m]."""
    state = MotionState((*place, 0.0), (*velocity, 0.0), math.hypot(*velocity))
    positions, _ = predict_ball(state, parameters).at(sights.times - sights.launch_time)
    return positions[:, :2]


def _kick(found: Fit, measures: dict[str, Measure]) -> KickFit:
    speed = float(np.hypot(*found.solution[2:4]))
    return KickFit(found.sights, KickKind.STRAIGHT, found.fitted, speed, measures)


def _measure_one(found: Fit) -> dict[str, Measure]:
    """Take one deceleration for sliding or for rolling, by its size."""
    value, error = float(found.solution[4]), float(found.errors[4])
    name = 'slide_acceleration' if value < -LEAST_SLIDE else 'roll_acceleration'
    return {name: Measure(value, error)}


def _measure_two(found: Fit) -> dict[str, Measure]:
    """Take all three if they are sliding and rolling, the switch where the launch is known."""
    slide, roll, switch = found.solution[4:].tolist()
    if not slide < -LEAST_SLIDE < roll:
        return {}
    measures = {
        name: Measure(value, error)
        for name, value, error in zip(
            STRAIGHT, found.solution[4:].tolist(), found.errors[4:].tolist(), strict=True
        )
    }
    window = found.sights.launch_window
    if window is None:
        del measures['switch_ratio']
        return measures
    # An unknown launch, evenly spread over the window, is an unknown speed then.
    speed = float(np.hypot(*found.solution[2:4]))
    unknown = switch * slide / speed * window / math.sqrt(12.0)
    error = math.hypot(measures['switch_ratio'].error, unknown)
    return {**measures, 'switch_ratio': Measure(switch, error)}
