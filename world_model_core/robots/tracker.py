# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A Kalman filter on every robot's pose and velocity, from raw vision and the robots' own word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.gaussian import constant_velocity, update, white_acceleration
from world_model_core.robots.estimate import SECOND, RobotState, wrap_angle
from world_model_core.ssl.values import RobotId

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.ssl.values import DetectionFrame, RobotDetection

POSE_ONLY = np.array(((1.0, 0.0),))
VELOCITY_ONLY = np.array(((0.0, 1.0),))
# A heading that the camera did not give: as good as unknown [rad].
NO_HEADING_STD = 1e3


@dataclass(frozen=True, slots=True)
class RobotTrackerParameters:
    """
    What the filter assumes.

    Parameters
    ----------
    position_std, heading_std : float
        Of one detection [m], [rad].
    odometry_std : float
        Of a robot's own velocity, in each of m/s and rad/s.
    acceleration_density, turn_density : float
        Power spectral densities [m^2/s^3], [rad^2/s^3].
    life : float
        A robot not seen for this long is gone [s]; 2 s is what TIGERs' tracker uses.

    """

    position_std: float = 0.003
    heading_std: float = 0.02
    odometry_std: float = 0.1
    acceleration_density: float = 4.0
    turn_density: float = 40.0
    life: float = 2.0

    @property
    def densities(self) -> Array:
        """Of x, y and heading, shape (3,)."""
        flat = self.acceleration_density
        return np.array((flat, flat, self.turn_density))


class RobotTracker:
    """
    All robots of both teams, in vision's own time; a robot is who its pattern says it is.

    The robots of one frame are corrected in one batch.
    """

    def __init__(self, parameters: RobotTrackerParameters) -> None:
        self._parameters = parameters
        self._densities = parameters.densities
        flat, turn = parameters.position_std**2, parameters.heading_std**2
        self._noise = np.array((flat, flat, turn))
        self._birth = np.array((4.0, 4.0, 40.0))
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after a jump in time."""
        self._states: dict[RobotId, RobotState] = {}

    @property
    def states(self) -> dict[RobotId, RobotState]:
        """Every robot at the instant it was last seen [ns, vision's clock]."""
        return self._states

    def update(self, frame: DetectionFrame) -> tuple[RobotState, ...]:
        """
        Take one camera's frame in.

        Returns
        -------
        tuple of RobotState
            The robots that this frame saw, at its capture time. A robot without a number, or
            without a heading that would tell where it looks, starts no track.

        """
        self._drop_old(frame.capture_ns)
        seen = {
            RobotId(robot.team, robot.number): robot
            for robot in sorted(frame.robots, key=lambda robot: robot.confidence)
            if robot.number is not None
        }
        known = [name for name in seen if name in self._states]
        for name, robot in seen.items():
            if name not in self._states and robot.heading is not None:
                self._states[name] = self._born(name, robot, frame.capture_ns)
        if known:
            self._correct(known, [seen[name] for name in known], frame.capture_ns)
        return tuple(self._states[name] for name in seen if name in self._states)

    def measure_velocity(self, name: RobotId, velocity: Array) -> None:
        """
        Take a robot's own odometry in.

        Parameters
        ----------
        name : RobotId
            One that vision has not seen is left out: a velocity is no place.
        velocity : array, shape (3,)
            vx, vy [m/s] in the field frame, angular velocity [rad/s], now.

        """
        state = self._states.get(name)
        if state is None:
            return
        mean = np.stack((state.pose, state.velocity), axis=1)
        noise = np.full((3, 1, 1), self._parameters.odometry_std**2)
        posterior = update(mean, state.covariance, velocity[:, None], VELOCITY_ONLY, noise)
        self._states[name] = RobotState(
            name,
            state.stamp_ns,
            _wrapped(posterior.mean[:, 0]),
            posterior.mean[:, 1],
            posterior.covariance,
            state.visibility,
        )

    def _born(self, name: RobotId, robot: RobotDetection, stamp_ns: int) -> RobotState:
        covariance = np.zeros((3, 2, 2))
        covariance[:, 0, 0] = self._noise
        covariance[:, 1, 1] = self._birth
        pose = _wrapped(np.array((robot.x, robot.y, robot.heading)))
        return RobotState(name, stamp_ns, pose, np.zeros(3), covariance, 1.0)

    def _drop_old(self, now_ns: int) -> None:
        oldest = now_ns - self._parameters.life * SECOND
        gone = [name for name, state in self._states.items() if state.stamp_ns < oldest]
        for name in gone:
            del self._states[name]

    def _correct(self, names: list[RobotId], robots: list[RobotDetection], now_ns: int) -> None:
        states = [self._states[name] for name in names]
        elapsed = np.array([(now_ns - state.stamp_ns) / SECOND for state in states])
        late = np.minimum(elapsed, 0.0)
        elapsed = np.maximum(elapsed, 0.0)
        mean = np.array([(state.pose, state.velocity) for state in states]).swapaxes(1, 2)
        covariance = np.array([state.covariance for state in states])
        mean, covariance = self._moved(mean, covariance, elapsed)
        measured = np.array(
            [(robot.x, robot.y, 0.0 if robot.heading is None else robot.heading) for robot in robots]
        )
        measured -= late[:, None] * mean[:, :, 1]  # a late frame: bring it forward
        turned = measured[:, 2] - mean[:, 2, 0]
        measured[:, 2] = mean[:, 2, 0] + (turned + np.pi) % (2.0 * np.pi) - np.pi
        noise = np.tile(self._noise, (len(robots), 1))
        noise[[robot.heading is None for robot in robots], 2] = NO_HEADING_STD**2
        posterior = update(
            mean, covariance, measured[..., None], POSE_ONLY, noise[..., None, None]
        )
        for index, state in enumerate(states):
            self._states[state.id] = RobotState(
                state.id,
                max(now_ns, state.stamp_ns),
                _wrapped(posterior.mean[index, :, 0]),
                posterior.mean[index, :, 1],
                posterior.covariance[index],
                1.0,
            )

    def _moved(self, mean: Array, covariance: Array, elapsed: Array) -> tuple[Array, Array]:
        """Predict robots (n, 3, 2) over their own time steps (n,) [s]."""
        transition = np.zeros((len(elapsed), 1, 2, 2))
        transition[:, :, 0, 0] = transition[:, :, 1, 1] = 1.0
        transition[:, 0, 0, 1] = elapsed
        noise = np.empty((len(elapsed), 1, 2, 2))
        noise[:, 0, 0, 0] = elapsed**3 / 3.0
        noise[:, 0, 0, 1] = noise[:, 0, 1, 0] = elapsed**2 / 2.0
        noise[:, 0, 1, 1] = elapsed
        noise = noise * self._densities[None, :, None, None]
        moved = transition @ covariance @ transition.swapaxes(-1, -2) + noise
        return (transition @ mean[..., None])[..., 0], moved


def _wrapped(pose: Array) -> Array:
    return np.array((pose[0], pose[1], wrap_angle(pose[2])))
