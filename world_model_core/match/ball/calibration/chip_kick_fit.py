# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fit of a chip kick, for the velocity kept at each bounce."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.calibration.robust_fit import fit, limits
from world_model_core.match.ball.calibration.values import (
    CHIP,
    CalibrationKick,
    ConstantMeasurement,
    KickKind,
)
from world_model_core.match.ball.motion_segment import BallMotion, BallMotionState
from world_model_core.match.ball.trajectory import predict_ball

if TYPE_CHECKING:
    from world_model_core.match.ball.calibration.robust_fit import RobustFit
    from world_model_core.match.ball.calibration.values import Array, KickDetections
    from world_model_core.match.ball.trajectory import BallTrajectory

# Vertical speed of a chip [m/s]: initial guesses and limits; the lowest rises 16 mm.
VERTICAL_GUESSES = (1.5, 2.5, 4.0)
LOWEST, HIGHEST = 0.55, 10.0
# Initial guesses of the losses, around those of TIGERs, of the RoboCup 2022 field and of a
# simulator. The assignment of detections to arcs changes in steps: there are many local minima.
LOSSES = ((0.7, 0.95, 0.55), (0.6, 0.9, 0.5), (0.6, 0.9, 0.6))
# Margin of the kick time outside its window [s]: a wrong calibration tilts the flight.
KICK_MARGIN = 0.1
# Fewest detections after a bounce to measure its loss.
LEAST_AFTER = 8
# Parameters before the losses: kick time, position, velocity, and final rolling deceleration.
STATE = 7
PLAIN = BallParameters()


def fit_chip(detections: KickDetections) -> tuple[RobustFit, CalibrationKick]:
    """
    Fit a flight with its bounces to detections, which are projected to the carpet.

    Parameters
    ----------
    detections : KickDetections
        From a kick through bounces, by cameras of known position.

    Returns
    -------
    fit : RobustFit
        Best flight.
    kick : CalibrationKick
        With the losses at the observed bounces.

    """
    low, high = limits('roll_acceleration', *CHIP)
    earliest = -KICK_MARGIN - (detections.kick_window or 0.0)
    bounds = (
        (earliest, *(-math.inf,) * 4, LOWEST, *low),
        (KICK_MARGIN, *(math.inf,) * 4, HIGHEST, *high),
    )
    starts = [
        (*_beginning(detections, vz), *losses) for vz, losses in product(VERTICAL_GUESSES, LOSSES)
    ]
    best = fit(_projected, starts, bounds, detections)
    speed = float(np.hypot(*best.solution[3:5]))
    return best, CalibrationKick(
        best.detections, KickKind.CHIP, best.fitted, speed, _measurements(best)
    )


def _beginning(detections: KickDetections, vz: float) -> tuple[float, ...]:
    """
    Return an initial guess of time, position and velocity from the first flight.

    At a known height the position is linear in the detection: P = C + (p - C) (Cz - z) / Cz.
    """
    gravity = PLAIN.gravity
    ages = detections.times - detections.kick_time
    flown = ages < max(-2.0 * vz / gravity, ages[min(4, len(ages) - 1)])
    ages, seen, origins = ages[flown], detections.places[flown], detections.origins[flown]
    height = np.maximum(vz * ages + 0.5 * gravity * ages**2, 0.0)
    part = 1.0 - height / origins[:, 2]
    places = origins[:, :2] + (seen - origins[:, :2]) * part[:, None]
    (vx, vy), (x, y) = np.polyfit(ages, places, 1).tolist()
    return detections.kick_time, x, y, vx, vy, vz, PLAIN.roll_acceleration


def _trajectory(solution: Array) -> BallTrajectory:
    """Return the trajectory for (kick time, x, y, vx, vy, vz, roll, losses)."""
    _, x, y, vx, vy, vz, *constants = solution.tolist()
    parameters = replace(PLAIN, **dict(zip(('roll_acceleration', *CHIP), constants, strict=True)))
    return predict_ball(BallMotionState((x, y, 0.0), (vx, vy, vz)), parameters)


def _projected(solution: Array, detections: KickDetections) -> Array:
    """
    Project the flight from each camera to the carpet, shape (n, 2) [m].

    p = C + (P - C) Cz / (Cz - z), with camera C and ball P.
    """
    times = detections.times - solution[0]
    positions, _ = _trajectory(solution).at(times)
    # Before the kick the flight would be extrapolated below the carpet.
    height = np.where(times > 0.0, np.maximum(positions[:, 2], 0.0), 0.0)
    origins = detections.origins
    scale = origins[:, 2] / np.maximum(origins[:, 2] - height, 0.1)
    return origins[:, :2] + (positions[:, :2] - origins[:, :2]) * scale[:, None]


def _measurements(found: RobustFit) -> dict[str, ConstantMeasurement]:
    """Return the losses at bounces with enough detections after them."""
    times = found.detections.times - found.solution[0]
    flights = [
        item for item in _trajectory(found.solution).segments if item.motion is BallMotion.FLYING
    ]
    seen = [int(np.sum(times > flight.end)) >= LEAST_AFTER for flight in flights]
    # A ball that does not rise again determines its rolling speed, but not its vertical loss.
    after_first = bool(seen) and seen[0]
    rises_again = after_first and len(flights) > 1
    after_second = len(seen) > 1 and seen[1]
    observed = dict(zip(CHIP, (after_first, after_second, rises_again), strict=True))
    values, errors = found.solution[STATE:].tolist(), found.errors[STATE:].tolist()
    return {
        name: ConstantMeasurement(value, error)
        for name, value, error in zip(CHIP, values, errors, strict=True)
        if observed[name]
    }
