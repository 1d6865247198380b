# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a chipped ball tells: the part of its velocity that it keeps at each bounce."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.calibration.robust_fit import fit, limits
from world_model_core.match.ball.calibration.values import CHIP, KickFit, KickKind, Measure
from world_model_core.match.ball.motion_segment import Motion, MotionState
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ball.trajectory import predict_ball

if TYPE_CHECKING:
    from world_model_core.match.ball.calibration.robust_fit import Fit
    from world_model_core.match.ball.calibration.values import Array, KickSights
    from world_model_core.match.ball.trajectory import BallTrajectory

# Vertical speeds of a chip [m/s], those to start from and the limits: the least rises 16 mm.
VERTICAL_GUESSES = (1.5, 2.5, 4.0)
LOWEST, HIGHEST = 0.55, 10.0
# Losses to start from, around those of TIGERs, of the RoboCup 2022 field and of a simulator. Where
# a bounce lies among the sights changes with them in steps: there are many local minima.
LOSSES = ((0.7, 0.95, 0.55), (0.6, 0.9, 0.5), (0.6, 0.9, 0.6))
# A launch may be so much outside its window [s]: a wrong calibration tilts the flight.
LAUNCH_MARGIN = 0.1
# So many sights after a bounce are needed to tell what was lost at it.
LEAST_AFTER = 8
# Unknowns before the losses: launch time, place, velocity, and how the ball rolls at last.
STATE = 7
PLAIN = BallParameters()


def fit_chip(sights: KickSights) -> tuple[Fit, KickFit]:
    """
    Fit a flight with its bounces to what the cameras saw of it, projected onto the carpet.

    Parameters
    ----------
    sights : KickSights
        From a launch on, through bounces, by cameras whose places are known.

    Returns
    -------
    fit : Fit
        Of the best flight.
    kick : KickFit
        With the losses at the bounces that were seen.

    """
    low, high = limits('roll_acceleration', *CHIP)
    earliest = -LAUNCH_MARGIN - (sights.launch_window or 0.0)
    bounds = (
        (earliest, *(-math.inf,) * 4, LOWEST, *low),
        (LAUNCH_MARGIN, *(math.inf,) * 4, HIGHEST, *high),
    )
    starts = [
        (*_beginning(sights, vz), *losses) for vz, losses in product(VERTICAL_GUESSES, LOSSES)
    ]
    best = fit(_shadows, starts, bounds, sights)
    speed = float(np.hypot(*best.solution[3:5]))
    return best, KickFit(best.sights, KickKind.CHIP, best.fitted, speed, _measures(best))


def _beginning(sights: KickSights, vz: float) -> tuple[float, ...]:
    """
    Guess time, place and velocity at the launch, from the first flight's sights.

    At a known height the place is linear in what is seen: P = C + (p - C) (Cz - z) / Cz.
    """
    gravity = PLAIN.gravity
    ages = sights.times - sights.launch_time
    flown = ages < max(-2.0 * vz / gravity, ages[min(4, len(ages) - 1)])
    ages, seen, origins = ages[flown], sights.places[flown], sights.origins[flown]
    height = np.maximum(vz * ages + 0.5 * gravity * ages**2, 0.0)
    part = 1.0 - height / origins[:, 2]
    places = origins[:, :2] + (seen - origins[:, :2]) * part[:, None]
    (vx, vy), (x, y) = np.polyfit(ages, places, 1).tolist()
    return sights.launch_time, x, y, vx, vy, vz, PLAIN.roll_acceleration


def _trajectory(solution: Array) -> BallTrajectory:
    """Follow the ball from (launch time, x, y, vx, vy, vz, roll, losses)."""
    _, x, y, vx, vy, vz, *constants = solution.tolist()
    parameters = replace(PLAIN, **dict(zip(('roll_acceleration', *CHIP), constants, strict=True)))
    return predict_ball(MotionState((x, y, 0.0), (vx, vy, vz)), parameters)


def _shadows(solution: Array, sights: KickSights) -> Array:
    """
    Project the flight from each camera onto the carpet, shape (n, 2) [m].

    p = C + (P - C) Cz / (Cz - z), C the camera, P the ball.
    """
    times = sights.times - solution[0]
    positions, _ = _trajectory(solution).at(times)
    # Before the launch the law of the flight would hold backwards, below the carpet.
    height = np.where(times > 0.0, np.maximum(positions[:, 2], 0.0), 0.0)
    origins = sights.origins
    scale = origins[:, 2] / np.maximum(origins[:, 2] - height, 0.1)
    return origins[:, :2] + (positions[:, :2] - origins[:, :2]) * scale[:, None]


def _measures(found: Fit) -> dict[str, Measure]:
    """Take the losses at bounces after which the ball was seen for long enough."""
    times = found.sights.times - found.solution[0]
    flights = [
        item for item in _trajectory(found.solution).segments if item.motion is Motion.FLYING
    ]
    seen = [int(np.sum(times > flight.end)) >= LEAST_AFTER for flight in flights]
    # A ball that does not rise again tells how fast it rolls on, but not its vertical loss.
    after_first = bool(seen) and seen[0]
    rises_again = after_first and len(flights) > 1
    after_second = len(seen) > 1 and seen[1]
    told = dict(zip(CHIP, (after_first, after_second, rises_again), strict=True))
    values, errors = found.solution[STATE:].tolist(), found.errors[STATE:].tolist()
    return {
        name: Measure(value, error)
        for name, value, error in zip(CHIP, values, errors, strict=True)
        if told[name]
    }
