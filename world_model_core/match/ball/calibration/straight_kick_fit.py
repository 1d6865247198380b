# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fit of a straight kick: sliding, rolling and the switch between them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.ball_constants import BallParameters, RollingModel
from world_model_core.match.ball.calibration.robust_fit import RobustFit, fit, limits
from world_model_core.match.ball.calibration.values import (
    STRAIGHT,
    CalibrationKick,
    ConstantMeasurement,
    KickKind,
)
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.match.ball.calibration.robust_fit import Bounds
    from world_model_core.match.ball.calibration.values import Array, KickDetections

# A constant deceleration below this is rolling, above it sliding [m/s^2]: carpets of the league
# have 0.2 to 0.5 and 2.4 to 4.
LEAST_SLIDE = 1.0
# Two phases are accepted if they lower the Bayesian information criterion by this (R. E. Kass and
# A. E. Raftery, Bayes Factors, 1995: very strong evidence).
STRONG_EVIDENCE = 10.0
# First detections used for the initial guess: number and duration [s].
FEWEST, BEGINNING = 4, 0.1
# Initial guesses of (slide, roll, switch): the values of RoboCup 2022, and switches at the ends of
# the plausible range.
GUESSES = ((-2.79, -0.33, 0.7), (-4.0, -0.35, 0.6), (-3.0, -0.3, 0.85))
PLAIN = BallParameters()


def fit_straight(detections: KickDetections) -> tuple[RobustFit, CalibrationKick]:
    """
    Fit sliding and rolling to a kick, or one deceleration where that explains as much.

    Positions come from `predict_ball`, so that the calibrated model is the one that predicts.

    Parameters
    ----------
    detections : KickDetections
        Of a ball that nothing hit.

    Returns
    -------
    fit : RobustFit
        Fit of the selected model.
    kick : CalibrationKick
        The switch is measured only if the kick was observed, because it needs the kick speed.

    """
    start = _beginning(detections)
    one = fit(_one_phase, [(*start, -0.5)], _bounds((-20.0,), (-1e-3,)), detections)
    starts = [(*start, *guess) for guess in GUESSES]
    two = fit(_two_phases, starts, _bounds(*limits(*STRAIGHT)), detections)
    if one.criterion - two.criterion < STRONG_EVIDENCE:
        return one, _kick(one, _measure_one(one))
    return two, _kick(two, _measure_two(two))


def _beginning(detections: KickDetections) -> tuple[float, float, float, float]:
    """Return an initial guess of position and velocity from the first detections."""
    early = detections.times <= detections.times[min(FEWEST, len(detections) - 1)] + BEGINNING
    line = np.polyfit(detections.times[early] - detections.kick_time, detections.places[early], 1)
    (vx, vy), (x, y) = line.tolist()
    return x, y, vx, vy


def _bounds(low: Sequence[float], high: Sequence[float]) -> Bounds:
    """Return bounds with position and velocity unbounded."""
    return (*(-math.inf,) * 4, *low), (*(math.inf,) * 4, *high)


def _two_phases(solution: Array, detections: KickDetections) -> Array:
    """Return positions of sliding, then rolling: (x, y, vx, vy, slide, roll, switch)."""
    x, y, vx, vy, slide, roll, switch = solution.tolist()
    parameters = replace(
        PLAIN, slide_acceleration=slide, roll_acceleration=roll, switch_ratio=switch
    )
    return _places((x, y), (vx, vy), parameters, detections)


def _one_phase(solution: Array, detections: KickDetections) -> Array:
    """Return positions with one deceleration: (x, y, vx, vy, acceleration)."""
    x, y, vx, vy, acceleration = solution.tolist()
    parameters = replace(PLAIN, rolling_model=RollingModel.CONSTANT, deceleration=-acceleration)
    return _places((x, y), (vx, vy), parameters, detections)


def _places(
    place: tuple[float, float],
    velocity: tuple[float, float],
    parameters: BallParameters,
    detections: KickDetections,
) -> Array:
    """Return the predicted positions at the detections, shape (n, 2) [m]."""
    state = BallMotionState((*place, 0.0), (*velocity, 0.0), math.hypot(*velocity))
    positions, _ = predict_ball(state, parameters).at(detections.times - detections.kick_time)
    return positions[:, :2]


def _kick(found: RobustFit, measurements: dict[str, ConstantMeasurement]) -> CalibrationKick:
    speed = float(np.hypot(*found.solution[2:4]))
    return CalibrationKick(found.detections, KickKind.STRAIGHT, found.fitted, speed, measurements)


def _measure_one(found: RobustFit) -> dict[str, ConstantMeasurement]:
    """Assign one deceleration to sliding or rolling by its magnitude."""
    value, error = float(found.solution[4]), float(found.errors[4])
    name = 'slide_acceleration' if value < -LEAST_SLIDE else 'roll_acceleration'
    return {name: ConstantMeasurement(value, error)}


def _measure_two(found: RobustFit) -> dict[str, ConstantMeasurement]:
    """Return all three constants if they are plausible; the switch only with a known kick."""
    slide, roll, switch = found.solution[4:].tolist()
    if not slide < -LEAST_SLIDE < roll:
        return {}
    measurements = {
        name: ConstantMeasurement(value, error)
        for name, value, error in zip(
            STRAIGHT, found.solution[4:].tolist(), found.errors[4:].tolist(), strict=True
        )
    }
    window = found.detections.kick_window
    if window is None:
        del measurements['switch_ratio']
        return measurements
    # A kick time uniform over the window makes the kick speed uncertain.
    speed = float(np.hypot(*found.solution[2:4]))
    unknown = switch * slide / speed * window / math.sqrt(12.0)
    error = math.hypot(measurements['switch_ratio'].error, unknown)
    return {**measurements, 'switch_ratio': ConstantMeasurement(switch, error)}
