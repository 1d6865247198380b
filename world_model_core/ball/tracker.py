# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A Kalman filter on the ball's position and velocity, from raw vision alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.ball.estimate import SECOND, BallState
from world_model_core.gaussian import (
    chi_square_gate,
    constant_velocity,
    predict,
    update,
    white_acceleration,
)

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.ssl.values import BallDetection, DetectionFrame

AXES = np.arange(3)
POSITION_ONLY = np.array(((1.0, 0.0),))
# The fastest kick the rules allow is 6.5 m/s (Rules of the SSL 2024, 8.4.1 "Ball Speed"); what
# real kickers and simulators reach is below this [m/s].
TOP_SPEED = 15.0
# Two cameras show one ball this far apart at most [m]: 40 mm were measured.
DISAGREEMENT = 0.1
# A ball seen elsewhere in this many frames, while the old one is not seen, has been moved.
FRAMES_TO_BELIEVE = 3
# The camera that sees the ball keeps it until it has not seen it for this long [ns]: three frames.
HANDOVER_NS = SECOND // 20
# By so much do two cameras differ in where a ball is [m]: 40 mm on the realistic recordings.
CAMERA_BIAS = 0.1


@dataclass(frozen=True, slots=True)
class BallTrackerParameters:
    """
    What the filter assumes.

    Parameters
    ----------
    position_std : float
        Of one detection in x and y [m]; 1.4 mm noise and calibration error between neighbouring
        places were measured in matches and simulators.
    height_std : float
        Of the assumption that a ball without a measured z is on the ground [m].
    acceleration_density : float
        Power spectral density of the acceleration along x and y [m^2/s^3].
    gate_probability : float
        Part of the true detections that are taken as no surprise.
    life : float
        A track not seen for this long has ended [s].

    """

    position_std: float = 0.003
    height_std: float = 0.02
    acceleration_density: float = 4.0
    gate_probability: float = 0.9999
    life: float = 1.0


# Flight seen by a simulator that measures z: gravity is not modelled here, so it is noise.
_FLIGHT_DENSITY = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class _Track:
    """Position and velocity per axis: mean (3, 2), covariance (3, 2, 2), at `stamp_ns`."""

    stamp_ns: int
    mean: Array
    covariance: Array
    camera_id: int
    hits: int = 1

    @classmethod
    def born(cls, stamp_ns: int, camera_id: int, measured: Array, noise: Array) -> _Track:
        mean = np.stack((measured, np.zeros(3)), axis=1)
        covariance = np.zeros((3, 2, 2))
        covariance[:, 0, 0] = noise
        covariance[:, 1, 1] = (TOP_SPEED / 2.0) ** 2
        return cls(stamp_ns, mean, covariance, camera_id)

    def moved(self, stamp_ns: int, density: Array) -> _Track:
        dt = (stamp_ns - self.stamp_ns) / SECOND
        if dt <= 0.0:
            return self
        noise = white_acceleration(dt, density)
        mean, covariance = predict(self.mean, self.covariance, constant_velocity(dt), noise)
        return _Track(stamp_ns, mean, covariance, self.camera_id, self.hits)

    def forgetful(self) -> _Track:
        """Forget the velocity: something has hit the ball."""
        covariance = self.covariance.copy()
        covariance[:, 0, 1] = covariance[:, 1, 0] = 0.0
        covariance[:2, 1, 1] += TOP_SPEED**2
        covariance[:, 0, 0] += 0.01**2
        return replace(self, covariance=covariance)

    def handed_over(self, camera_id: int) -> _Track:
        """Let another camera say where the ball is, which tells nothing of its velocity."""
        covariance = self.covariance.copy()
        covariance[:, 0, 1] = covariance[:, 1, 0] = 0.0
        covariance[:2, 0, 0] += CAMERA_BIAS**2
        return replace(self, covariance=covariance, camera_id=camera_id)

    def corrected(self, measured: Array, noise: Array) -> _Track:
        posterior = update(
            self.mean, self.covariance, measured[:, None], POSITION_ONLY, noise[:, None, None]
        )
        mean, covariance = posterior.mean, posterior.covariance
        return _Track(self.stamp_ns, mean, covariance, self.camera_id, self.hits + 1)

    def state(self) -> BallState:
        covariance = np.zeros((2, 3, 2, 3))
        covariance[:, AXES, :, AXES] = self.covariance
        return BallState(self.stamp_ns, self.mean[:, 0], self.mean[:, 1], covariance.reshape(6, 6))


class BallTracker:
    """
    One ball, filtered from the detection frames of all cameras in vision's own time.

    A detection within the gate corrects the track; one outside it that a kick could have brought
    there corrects it after its velocity was forgotten; one further away must be seen in three
    frames while the track is not. One camera at a time is followed, for no two agree: taken in
    turns they would shake a resting ball.
    """

    def __init__(self, parameters: BallTrackerParameters) -> None:
        self._parameters = parameters
        self._gate = chi_square_gate(3, parameters.gate_probability)
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after a jump in time."""
        self._track: _Track | None = None
        self._rival: _Track | None = None

    def update(self, frame: DetectionFrame) -> BallState | None:
        """
        Take one camera's frame in.

        Returns
        -------
        BallState or None
            The state at the frame's capture time [ns, vision's clock] when this frame saw the
            ball; None when it did not.

        """
        self._end_if_old(frame.capture_ns)
        if not frame.balls or self._another_has_it(frame):
            return None
        places = np.array([(ball.x, ball.y, ball.z or 0.0) for ball in frame.balls])
        noises = np.array([self._noise(ball) for ball in frame.balls])
        flight = any(ball.z for ball in frame.balls)
        density = np.full(3, self._parameters.acceleration_density)
        density[2] = _FLIGHT_DENSITY if flight else density[2]
        if self._track is not None:
            seen = self._follow(self._track, frame, density, places, noises)
            if seen is not None:
                self._track, self._rival = seen, None
                return seen.state()
        return self._follow_rival(frame, density, places, noises)

    def _another_has_it(self, frame: DetectionFrame) -> bool:
        """Whether another camera than this frame's has just seen the ball."""
        track = self._track
        if track is None or track.camera_id == frame.camera_id:
            return False
        return frame.capture_ns - track.stamp_ns <= HANDOVER_NS

    def _noise(self, ball: BallDetection) -> tuple[float, float, float]:
        flat = self._parameters.position_std**2
        return flat, flat, flat if ball.z is not None else self._parameters.height_std**2

    def _end_if_old(self, now_ns: int) -> None:
        life_ns = self._parameters.life * SECOND
        if self._track is not None and now_ns - self._track.stamp_ns > life_ns:
            self._track = None
        if self._rival is not None and now_ns - self._rival.stamp_ns > life_ns:
            self._rival = None

    def _follow(
        self, track: _Track, frame: DetectionFrame, density: Array, places: Array, noises: Array
    ) -> _Track | None:
        """Correct `track` by the detection that fits it best, if any fits."""
        dt = (frame.capture_ns - track.stamp_ns) / SECOND
        moved = track.moved(frame.capture_ns, density)
        if frame.camera_id != track.camera_id:
            moved = moved.handed_over(frame.camera_id)
        if dt < 0.0:  # a late frame: bring what it saw forward, as surely as the speed is known
            places = places - dt * moved.mean[:, 1]
            noises = noises + dt**2 * moved.covariance[:, 1, 1]
        distances = np.hypot(*(places - track.mean[:, 0])[:, :2].T)
        reach = TOP_SPEED * abs(dt)
        innovations = places - moved.mean[:, 0]
        nis = (innovations**2 / (moved.covariance[:, 0, 0] + noises)).sum(axis=1)
        # A track just born is so unsure that its gate admits what no ball could reach.
        nis[distances > reach + DISAGREEMENT] = np.inf
        best = int(nis.argmin())
        if nis[best] <= self._gate:
            return moved.corrected(places[best], noises[best])
        nearest = int(distances.argmin())
        if dt >= 0.0 and distances[nearest] <= reach + 0.02:
            return moved.forgetful().corrected(places[nearest], noises[nearest])
        return None

    def _follow_rival(
        self, frame: DetectionFrame, density: Array, places: Array, noises: Array
    ) -> BallState | None:
        """Gather evidence for a ball that is somewhere else, until it is believed."""
        if self._rival is not None:
            seen = self._follow(self._rival, frame, density, places, noises)
            if seen is not None:
                self._rival = seen
                return self._believe(seen)
        self._rival = _Track.born(frame.capture_ns, frame.camera_id, places[0], noises[0])
        return None

    def _believe(self, rival: _Track) -> BallState | None:
        if rival.hits < FRAMES_TO_BELIEVE:
            return None
        self._track, self._rival = rival, None
        return rival.state()
