# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Corrections of ball measurements by camera: bias and noise."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.match.ball.measurement import BallMeasurement
from world_model_core.match.cameras.bias import GROSS
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.match.ball.track import BallTrack
    from world_model_core.match.cameras.bias import CameraBiases
    from world_model_core.match.ssl.vision_values import DetectionFrame

# Initial standard deviations of a position [m] and of a time stamp [s], which matters for a moving
# ball. RoboCup 2022 had 0.3 mm at rest and 1.5 mm along the path at 1.5 m/s; ER-Force's simulator
# with realistic noise has 1.4 mm and exact time stamps.
PLACE_STD, INSTANT_STD = 0.001, 0.0002
# Additional noise where two cameras alternate, from their remaining bias [m].
SHARED_STD = 0.003
# Limits of the learned standard deviations [m], [s].
BEST_PLACE_STD = 0.0002
WORST_PLACE_STD, WORST_INSTANT_STD = 0.02, 0.005
# Approximate number of measurements averaged, and weight of the initial values.
MEMORY, FIRST_COUNT = 100.0, 10.0


class MeasurementSource(NamedTuple):
    """A camera, and whether it alternates with another camera on the same ball."""

    camera_id: int
    shared: bool


class MeasurementNoise:
    """Variance of each camera's measurements: a position part and a time-stamp part."""

    def __init__(self) -> None:
        self._parts: dict[MeasurementSource, tuple[float, float]] = {}
        self._counts: Counter[MeasurementSource] = Counter()

    def _known(self, source: MeasurementSource) -> tuple[float, float]:
        first = PLACE_STD**2 + (SHARED_STD**2 if source.shared else 0.0)
        return self._parts.get(source, (first, INSTANT_STD**2))

    def variance(self, source: MeasurementSource, speed: float) -> float:
        """Return the variance of a coordinate [m^2] for a ball of speed `speed` [m/s]."""
        place, instant = self._known(source)
        return place + 0.5 * instant * speed * speed

    def learn(
        self, source: MeasurementSource, speed: float, squared: float, predicted_variance: float
    ) -> None:
        """
        Update the noise with one prediction error.

        A step of normalized least mean squares (Widrow and Hoff) adjusts both parts so that their
        sum explains the squared error.

        Parameters
        ----------
        source : MeasurementSource
        speed : float
            Ball speed [m/s].
        squared : float
            Half the squared distance between measurement and prediction [m^2].
        predicted_variance : float
            Variance of the prediction itself, per axis [m^2].

        """
        place, instant = self._known(source)
        along = 0.5 * speed * speed
        expected = place + along * instant
        error = (
            min(squared - predicted_variance, 10.0 * (expected + predicted_variance)) - expected
        )
        self._counts[source] += 1
        step = error / (1.0 + along * along) / min(FIRST_COUNT + self._counts[source], MEMORY)
        self._parts[source] = (
            min(max(place + step, BEST_PLACE_STD**2), WORST_PLACE_STD**2),
            min(max(instant + along * step, 0.0), WORST_INSTANT_STD**2),
        )


# Measurements of a ball by two cameras are compared within this time [ns], at most once in the
# second interval, because the bias changes slowly.
COMPARABLE_NS, COMPARING_NS = NANOSECONDS_PER_SECOND // 40, NANOSECONDS_PER_SECOND // 20
# Fewest hits of a ball from which camera parameters are learned.
HITS_TO_LEARN = 5
# Weight of each comparison in the mean squared difference of two cameras.
DIFFERENCE_GAIN = 0.3
# Smallest change of a bias that is applied [m].
RECALIBRATION = 1e-4
Place = tuple[float, float, float]


class CameraCorrections:
    """
    Bias, noise and position of all cameras that detect balls.

    Parameters
    ----------
    biases : CameraBiases
        Updated by balls that two cameras see.
    gradient_std : float
        Standard deviation of the change of a camera's error across the field [m/m].

    Attributes
    ----------
    places : mapping
        Camera positions (x, y, z) [m] by id; set by the tracker.

    """

    def __init__(self, biases: CameraBiases, gradient_std: float) -> None:
        self._biases = biases
        self._gradient = gradient_std**2
        self._noise = MeasurementNoise()
        self.places: Mapping[int, Place] = {}
        self.reset()

    def reset(self) -> None:
        """Clear the comparisons between cameras, as after a jump in time."""
        self._offsets: dict[int, tuple[float, float]] = {}
        self._revision = self._biases.revision
        self._compared_ns: dict[frozenset[int], int] = {}
        self._differences: dict[frozenset[int], float] = {}  # mean squares [m^2]

    def measurements(self, frame: DetectionFrame) -> list[BallMeasurement]:
        """Return the measurements of a frame, with the camera bias subtracted."""
        camera_id, stamp_ns = frame.camera_id, frame.capture_ns
        if frame.balls and camera_id not in self._offsets:
            self._offsets[camera_id] = self._biases.offset(camera_id)
        place = self.places.get(camera_id)
        variance = self._noise.variance(MeasurementSource(camera_id, shared=False), 0.0)
        dx, dy = self._offsets.get(camera_id, (0.0, 0.0))
        return [
            BallMeasurement(stamp_ns, camera_id, ball.x - dx, ball.y - dy, ball.z, variance, place)
            for ball in frame.balls
        ]

    def source(self, track: BallTrack, frame: DetectionFrame) -> MeasurementSource:
        """Return whether a camera measures a track alone or alternates with another one."""
        shared = frame.camera_id != track.camera_id and track.has_seen(
            frame.camera_id, frame.capture_ns
        )
        return MeasurementSource(frame.camera_id, shared)

    def variance(self, track: BallTrack, source: MeasurementSource) -> float:
        """Return the variance of a coordinate of a measurement of a track [m^2]."""
        variance = self._noise.variance(source, track.speed)
        if not source.shared:
            return variance
        # The bias between two cameras would shake the ball until it is attributed to one of them.
        pair = frozenset((source.camera_id, track.camera_id))
        unknown = self.bias_variance(track, source.camera_id) - 4.0 * SHARED_STD**2
        found = self._differences.get(pair, 0.0) - SHARED_STD**2
        return variance + max(0.5 * unknown, 0.25 * found, 0.0)

    def bias_variance(self, track: BallTrack, camera_id: int) -> float:
        """Return the variance of the bias between a camera and a track's camera [m^2]."""
        return self._biases.difference_variance(camera_id, track.camera_id)

    def learn(
        self, track: BallTrack, measurement: BallMeasurement, source: MeasurementSource
    ) -> None:
        """Update the noise of a camera with the prediction error of a measurement."""
        if track.hits >= HITS_TO_LEARN and track.settled:
            ground = track.ground
            dx, dy = measurement.x - ground.x, measurement.y - ground.y
            foreseen = ground.pp
            if track.touched:  # possible contact inflates the variance, but is rare
                foreseen = min(foreseen, 0.8 * self._noise.variance(source, track.speed))
            self._noise.learn(source, track.speed, 0.5 * (dx * dx + dy * dy), foreseen)

    def compare(
        self, track: BallTrack, measurement: BallMeasurement, tracks: Iterable[BallTrack]
    ) -> BallMeasurement:
        """
        Update the bias between two cameras that measure the same ball.

        Parameters
        ----------
        track : BallTrack
            Track of the ball.
        measurement : BallMeasurement
        tracks : iterable of BallTrack
            All tracks, which are shifted when a bias changes.

        Returns
        -------
        BallMeasurement
            The measurement with the updated bias.

        """
        other = track.last_by_another(measurement.camera_id)
        elapsed_ns = measurement.stamp_ns - other.stamp_ns if other else COMPARABLE_NS
        if other is None or not 0 <= elapsed_ns < COMPARABLE_NS or track.hits < HITS_TO_LEARN:
            return measurement
        pair = frozenset((measurement.camera_id, other.camera_id))
        motion = _motion(track, measurement)
        recent = abs(measurement.stamp_ns - self._compared_ns.get(pair, 0)) < COMPARING_NS
        if recent or motion is None:
            return measurement
        self._compared_ns[pair] = measurement.stamp_ns
        vx, vy, vv = motion
        dt = elapsed_ns / NANOSECONDS_PER_SECOND
        dx, dy = measurement.x - other.x - dt * vx, measurement.y - other.y - dt * vy
        variance = measurement.variance + other.variance + dt * dt * vv
        now, before = self._correct(measurement, other, (dx, dy), variance, tracks)
        dx, dy = now.x - before.x - dt * vx, now.y - before.y - dt * vy
        self._note(pair, dx * dx + dy * dy)
        return now

    def _note(self, pair: frozenset[int], squared: float) -> None:
        """Update the mean squared difference of two cameras after bias correction."""
        known = self._differences.get(pair, squared)
        step = DIFFERENCE_GAIN * (min(squared, GROSS**2) - known)
        self._differences[pair] = known + step

    def _correct(
        self,
        measurement: BallMeasurement,
        other: BallMeasurement,
        difference: tuple[float, float],
        variance: float,
        tracks: Iterable[BallTrack],
    ) -> tuple[BallMeasurement, BallMeasurement]:
        """Update the biases with a difference [m]; return both measurements corrected."""
        offsets = [self._offsets[each.camera_id] for each in (measurement, other)]
        (x, y), (other_x, other_y) = offsets
        dx, dy = difference[0] + x - other_x, difference[1] + y - other_y
        self._biases.compare(
            measurement.stamp_ns, measurement.camera_id, other.camera_id, dx, dy, variance
        )
        self.recalibrate(tracks)
        return self._corrected(measurement, offsets[0]), self._corrected(other, offsets[1])

    def _corrected(
        self, measurement: BallMeasurement, offset: tuple[float, float]
    ) -> BallMeasurement:
        """Apply the change of a bias to a measurement [m]."""
        x, y = self._offsets[measurement.camera_id]
        return measurement._replace(
            x=measurement.x + offset[0] - x, y=measurement.y + offset[1] - y
        )

    def recalibrate(self, tracks: Iterable[BallTrack]) -> None:
        """Shift all tracks by the changes of the camera biases."""
        if self._biases.revision == self._revision:
            return
        self._revision = self._biases.revision
        tracks = list(tracks)
        for camera_id, (x, y) in self._offsets.items():
            new_x, new_y = self._biases.offset(camera_id)
            dx, dy = x - new_x, y - new_y
            if abs(dx) + abs(dy) > RECALIBRATION:
                self._offsets[camera_id] = new_x, new_y
                for track in tracks:
                    track.recalibrate(camera_id, dx, dy)

    def bias_std(self, cameras: Iterable[int]) -> float:
        """Return the largest standard deviation of the bias between some cameras [m]."""
        pairs = (self._biases.difference_variance(*pair) for pair in combinations(cameras, 2))
        return math.sqrt(max(0.5 * max(pairs, default=0.0), SHARED_STD**2))

    def offset_variance(self, track: BallTrack) -> float:
        """Return the variance, per axis [m^2], of the error of the track's camera at the ball."""
        x, y, _ = self.places.get(track.camera_id) or (track.ground.x, track.ground.y, 0.0)
        aside = (track.ground.x - x) ** 2 + (track.ground.y - y) ** 2
        return self._biases.variance(track.camera_id) + self._gradient * aside


def _motion(track: BallTrack, measurement: BallMeasurement) -> tuple[float, float, float] | None:
    """
    Return the velocity of a ball [m/s] and its variance [m^2/s^2], to compare two cameras.

    The bias between two cameras shakes a ball as if it were pushed; then the velocity is taken
    from the measurements of one camera. None if that camera has no recent measurement.
    """
    ground = track.ground
    if track.settled:
        return ground.vx, ground.vy, ground.vv
    own = track.last_by(measurement.camera_id)
    dt = (
        0.0
        if own is None or track.touched
        else (measurement.stamp_ns - own.stamp_ns) / NANOSECONDS_PER_SECOND
    )
    if own is None or not 0.0 < dt < 2.0 * COMPARABLE_NS / NANOSECONDS_PER_SECOND:
        return None
    return (
        (measurement.x - own.x) / dt,
        (measurement.y - own.y) / dt,
        (measurement.variance + own.variance) / dt**2,
    )
