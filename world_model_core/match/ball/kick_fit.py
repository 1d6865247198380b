# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Fit of straight and chip kick models to all raw measurements since a kick.

The models are compared by their Bayesian evidence, which weighs the quality of the fit against
the adjustment of parameters that it took.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.gaussian import white_acceleration
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.kick_model_selection import (
    KickModelCandidate,
    KickModelSelector,
    KickPrior,
)
from world_model_core.match.ball.kick_models import ChipKickModel, StraightKickModel
from world_model_core.match.ball.measurement_table import MeasurementTable
from world_model_core.match.ball.straight_kick import CarpetFriction
from world_model_core.match.ball.trajectory import ACCELERATION_DENSITY
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.kick_model_selection import (
        KickModel,
        KickModelSolution,
        KickTrajectory,
    )
    from world_model_core.match.ball.measurement import BallMeasurement
    from world_model_core.match.ball.measurement_table import MeasurementArrays

# Standard deviation of the origin of a ball that appears from nowhere [m].
NOWHERE_STD = 3.0
# Smallest prior standard deviation of the kick time [s].
INSTANT_STD = 2e-4
# Fewest measurements for a solution.
FEWEST = 3
# Solve again when the share of new measurements exceeds one in this number, or this count.
FEW_NEW, MOST_NEW = 6, 3
# Measurements this long after the earliest kick time are used [s].
EARLIEST, LATEST = -0.1, 10.0
# Prior log odds of the models: few balls roll at once, and few kicks are chips.
SLIDING_ODDS, ROLLING_ODDS, CHIP_ODDS = 0.0, math.log(1.0 / 10.0), math.log(1.0 / 3.0)
# Limits of the squared residuals: their mean, and each of the last ones.
MISFIT, LAST_MISFIT, LAST = 50.0, 60.0, 3


class KickOrigin(NamedTuple):
    """Ball position just before a kick: `x`, `y` [m] and their common `variance` [m^2]."""

    x: float
    y: float
    variance: float


class CameraUncertainty(NamedTuple):
    """
    Standard deviations of the camera calibration.

    Parameters
    ----------
    offset_std : float
        Remaining offset between the shown and the true ball position, in x and y [m]. 20 mm were
        measured in simulated recordings.
    camera_std : float
        Camera position, in x and y [m].

    """

    offset_std: float
    camera_std: float


# Default before biases are estimated: large enough that two cameras do not turn a straight kick
# into a chip.
DEFAULT_UNCERTAINTY = CameraUncertainty(offset_std=0.02, camera_std=0.02)


class EstimatedTouchdown(NamedTuple):
    """
    First touchdown of a chip.

    Parameters
    ----------
    stamp_ns : int
        Time [ns, vision's clock].
    position : array, shape (2,)
        [m], field frame.
    covariance : array, shape (2, 2)
        Covariance of the position [m^2].

    """

    stamp_ns: int
    position: Array
    covariance: Array


@dataclass(frozen=True, eq=False)
class FittedKick:
    """
    A fitted kick and the trajectory that follows from it.

    Parameters
    ----------
    trajectory : KickTrajectory
        Trajectory of the selected model; times are seconds after `reference_ns`.
    reference_ns : int
        [ns], vision's clock.
    last_seen : float
        Time of the last measurement [s].
    chip_probability : float
        0 for a straight kick, 1 for a chip; the other fields are those of the more probable model.
    fits : bool
        Whether the model explains the measurements; false after the ball hit something.

    """

    trajectory: KickTrajectory = field(repr=False)
    reference_ns: int
    last_seen: float
    chip_probability: float
    fits: bool

    @property
    def stamp_ns(self) -> int:
        """Time of the kick [ns], vision's clock."""
        return self.reference_ns + to_nanoseconds(self.trajectory.kick_time)

    @property
    def position(self) -> Array:
        """Position of the kick, shape (3,) [m], field frame."""
        return self._kicked.position

    @property
    def velocity(self) -> Array:
        """Velocity right after the kick, shape (3,) [m/s]."""
        return self._kicked.velocity

    @property
    def covariance(self) -> Array:
        """Covariance (6, 6) of (x, y, z, vx, vy, vz) at that instant [m^2, m^2/s, m^2/s^2]."""
        return self._kicked.covariance

    @cached_property
    def _kicked(self) -> BallState:
        return self.state_at(self.stamp_ns)

    def touchdown(self) -> EstimatedTouchdown | None:
        """Return the first touchdown of a chip; None for a straight kick."""
        found = self.trajectory.touchdown()
        if found is None:
            return None
        (x, y, time), covariance = found
        stamp_ns = self.reference_ns + to_nanoseconds(float(time))
        return EstimatedTouchdown(stamp_ns, np.array((x, y)), covariance[:2, :2])

    def state_at(self, stamp_ns: int) -> BallState:
        """Return the ball state at a time [ns], extrapolated backwards before the kick."""
        time = (stamp_ns - self.reference_ns) / NANOSECONDS_PER_SECOND
        state, covariance = self.trajectory.at(time)
        unseen = max(time - self.last_seen, 0.0)
        noise = np.kron(white_acceleration(unseen, ACCELERATION_DENSITY), np.diag((1.0, 1.0, 0.0)))
        covariance = 0.5 * (covariance + covariance.T) + noise
        return BallState(stamp_ns, state[:3], state[3:], covariance)


class KickFit:
    """
    Repeated fit of a kick to all measurements since then.

    Parameters
    ----------
    parameters : BallParameters
    earliest_ns, latest_ns : int
        Bounds of the kick time [ns, vision's clock]: last measurement before and first after it.
    origin : KickOrigin or None
        Ball position before the kick; None for a ball that appears from nowhere.
    calibration : CameraUncertainty

    Attributes
    ----------
    calibration : CameraUncertainty
        Used by the next solution.

    """

    def __init__(
        self,
        parameters: BallParameters,
        earliest_ns: int,
        latest_ns: int,
        origin: KickOrigin | None,
        calibration: CameraUncertainty = DEFAULT_UNCERTAINTY,
    ) -> None:
        self._reference_ns = earliest_ns
        self._interval = max(latest_ns - earliest_ns, 0) / NANOSECONDS_PER_SECOND
        self._origin = origin
        self.calibration = calibration
        self._table = MeasurementTable(earliest_ns)
        self._count = self._solved = 0
        self._fitted: FittedKick | None = None
        carpet = CarpetFriction.of_kick(parameters)
        self._selector = KickModelSelector(
            KickModelCandidate(StraightKickModel(carpet), SLIDING_ODDS),
            KickModelCandidate(StraightKickModel(carpet.rolling()), ROLLING_ODDS),
            KickModelCandidate(ChipKickModel(parameters), CHIP_ODDS),
        )

    def add(self, measurement: BallMeasurement) -> None:
        """
        Add a measurement, in any order.

        Duplicates, and measurements that cannot belong to this kick by their time, are
        ignored.
        """
        age = (measurement.stamp_ns - self._reference_ns) / NANOSECONDS_PER_SECOND
        if EARLIEST < age < LATEST and self._table.add(measurement):
            self._count += 1

    def solve(self) -> FittedKick | None:
        """
        Find the kick that explains the measurements.

        Returns
        -------
        FittedKick or None
            None before three measurements (a known origin counts as one). The previous solution
            while few measurements are new.

        """
        new = self._count - self._solved
        fewest = FEWEST if self._origin is None else FEWEST - 1
        if self._count >= fewest and new > min(self._solved // FEW_NEW, MOST_NEW):
            measurements = self._table.measurements()
            prior = self._prior(measurements)
            best, probability = self._selector.decide(measurements, prior, self._count)
            if best.solution is not None:
                self._fitted = _fitted_kick(
                    best.model, best.solution, probability, self._reference_ns
                )
            self._solved = self._count
        return self._fitted

    def _prior(self, measurements: MeasurementArrays) -> KickPrior:
        """Return the prior of the kick parameters."""
        x, y = measurements.places[:, 0].tolist()
        variance = NOWHERE_STD**2
        if self._origin is not None:
            x, y, variance = self._origin
        width = self._interval / math.sqrt(12.0)
        return KickPrior(
            0.5 * self._interval,
            max(width, INSTANT_STD),
            (x, y),
            math.sqrt(variance),
            *self.calibration,
        )


def _fitted_kick(
    model: KickModel, solution: KickModelSolution, chip_probability: float, reference_ns: int
) -> FittedKick:
    """Return the fitted kick; a bad fit inflates the covariance."""
    trajectory = model.trajectory(solution, max(1.0, solution.misfit))
    last_seen = float(solution.times.max())
    return FittedKick(trajectory, reference_ns, last_seen, chip_probability, _fits(solution))


def _fits(solution: KickModelSolution) -> bool:
    """Return whether the model explains all measurements, and the last ones too."""
    last = solution.misfits[np.argsort(solution.times)[-LAST:]]
    return bool(solution.misfits.mean() < MISFIT and last.min() < LAST_MISFIT)
