# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tracking of the match ball and other balls from raw vision of all cameras."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.gaussian import chi_square_gate, mahalanobis_squared
from world_model_core.match.ball.camera_corrections import CameraCorrections
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.ground_filter import GroundParameters
from world_model_core.match.ball.kick_estimator import KickEstimator
from world_model_core.match.ball.obstacles import NO_OBSTACLES
from world_model_core.match.ball.primary_track import HITS_TO_CONFIRM, PrimaryTrackSelector

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.camera_corrections import MeasurementSource
    from world_model_core.match.ball.estimate import Kick
    from world_model_core.match.ball.measurement import BallMeasurement
    from world_model_core.match.ball.obstacles import Obstacles
    from world_model_core.match.ball.track import BallTrack
    from world_model_core.match.cameras.bias import CameraBiases
    from world_model_core.match.ssl.vision_values import DetectionFrame

__all__ = ['BallTracker', 'BallTrackerParameters', 'BallUpdate']

GATE = chi_square_gate(2, 0.9999)
# Further balls are published after more hits than this.
HITS_TO_PUBLISH = 5
# Default time without measurements after which a ball is lost [s].
BALL_LIFE = 1.0
# Standard deviations of height [m] and vertical speed [m/s] of a ball that may still bounce.
BOUNCE_HEIGHT_STD, BOUNCE_SPEED_STD = 0.04, 0.5
# Standard deviation of the unmodeled motion of a flying ball [m].
FLIGHT_STD = 0.01


@dataclass(frozen=True, slots=True)
class BallTrackerParameters:
    """
    Parameters of the ball tracker.

    Parameters
    ----------
    life : float
        Time without measurements after which a track ends [s].
    stamp_std : float
        Standard deviation of the constant delay between exposure and time stamp of frames [s].
    gradient_std : float
        Standard deviation of the change of a camera's error across the field [m/m].

    """

    life: float = BALL_LIFE
    stamp_std: float = 0.002
    gradient_std: float = 0.002


class BallUpdate(NamedTuple):
    """
    Update of the match ball by a frame.

    Attributes
    ----------
    state : BallState
        At the capture time of the frame, or at the time of a later frame if this one is late.
    kick : Kick or None
        A new estimate of the last kick.
    nis : float or None
        Squared Mahalanobis distance of the measurement, 2 degrees of freedom; None in flight.

    """

    state: BallState
    kick: Kick | None
    nis: float | None


class BallTracker:
    """
    Track several balls; the primary track is the match ball.

    Each track is updated by the measurement that fits it best. A measurement that fits none starts
    a track. When the match ball is lost, another track replaces it: after two measurements where a
    kick explains the position, after three where the ball was carried.

    Parameters
    ----------
    parameters : BallTrackerParameters
    ball : BallParameters
        Constants of the ball.
    biases : CameraBiases
        Updated by balls that two cameras see.

    """

    def __init__(
        self, parameters: BallTrackerParameters, ball: BallParameters, biases: CameraBiases
    ) -> None:
        self._parameters = parameters
        self._cameras = CameraCorrections(biases, parameters.gradient_std)
        self._ball = ball
        self.reset()
        self.configure(ball)

    def configure(self, ball: BallParameters) -> None:
        """Use other ball constants for new tracks and kicks."""
        self._ball = ball
        self._kicks.parameters = ball
        self._ground = GroundParameters(-ball.roll_acceleration, -ball.slide_acceleration)

    def place_cameras(self, cameras: Mapping[int, tuple[float, float, float]]) -> None:
        """Set the camera positions (x, y, z) [m] by id, without which flights are not detected."""
        self._cameras.places = cameras

    def reset(self) -> None:
        """Drop all tracks, as after a jump in time."""
        self._tracks = PrimaryTrackSelector(self._parameters.life)
        self._kicks = KickEstimator(self._ball)
        self._cameras.reset()
        self._newest_ns = 0

    @property
    def dropped(self) -> Mapping[str, int]:
        """Rejected measurements since the last reset, by cause."""
        return self._tracks.counters

    def balls(self) -> list[tuple[BallState, float]]:
        """Return all balls at the latest time, match ball first, with their visibility."""
        tracks = self._tracks.tracks if self._tracks.has_primary else []
        sure = [*tracks[:1], *(track for track in tracks[1:] if track.hits > HITS_TO_PUBLISH)]
        now_ns, density = self._newest_ns, self._ground.sliding_density
        return [(self._state(track).coasted(now_ns, density), track.visibility) for track in sure]

    def update(self, frame: DetectionFrame, around: Obstacles = NO_OBSTACLES) -> BallUpdate | None:
        """
        Update with a frame of one camera.

        Parameters
        ----------
        frame : DetectionFrame
        around : Obstacles
            Current robots, and the walls of the goals.

        Returns
        -------
        BallUpdate or None
            None when this frame did not show the match ball.

        """
        tracks_by_rank = self._tracks
        self._cameras.recalibrate(tracks_by_rank.tracks)
        tracks_by_rank.terminate_old(frame.capture_ns)
        if not tracks_by_rank.has_primary:
            self._kicks.end()
        self._newest_ns = max(self._newest_ns, frame.capture_ns)
        measurements = self._cameras.measurements(frame)
        # An unobserved ball must not take the measurement of another one.
        tracks = sorted(tracks_by_rank.tracks, key=_is_unsure)
        seen = [track for track in tracks if self._associate(track, frame, measurements, around)]
        for measurement in measurements:
            duplicated = tracks_by_rank.initiate(measurement, self._ground)
            if duplicated is not None:  # the camera may have been moved
                self._cameras.compare(duplicated, measurement, tracks_by_rank.tracks)
        before = tracks_by_rank.primary
        if tracks_by_rank.promote():
            self._kicks.restart(before, tracks_by_rank.tracks[0], around, self._cameras.bias_std)
        primary = tracks_by_rank.primary
        if primary is None or primary not in seen:
            return None
        was_flying = self._kicks.flies
        self._kicks.follow(primary, tracks_by_rank.tracks[1:], around, self._cameras.bias_std)
        nis = None if was_flying or self._kicks.flies else primary.nis
        return BallUpdate(self._state(primary), self._kicks.new_kick, nis)

    def _associate(
        self,
        track: BallTrack,
        frame: DetectionFrame,
        measurements: list[BallMeasurement],
        around: Obstacles,
    ) -> bool:
        """Update a track with the measurement that fits it best, if any."""
        flies = self._flies(track)
        mine = frame.camera_id == track.camera_id
        if not (mine or (flies and measurements) or track.may_be_among(measurements)):
            return False
        track.predict(
            frame.capture_ns,
            self._ball.gravity,
            near_robot=flies or _may_be_at(around.touch, track),
            at_wall=_may_be_at(around.has_wall_at, track),
        )
        source = self._cameras.source(track, frame)
        bias_variance, variance = (
            self._cameras.bias_variance(track, frame.camera_id),
            self._cameras.variance(track, source),
        )
        best, least = None, GATE
        for measurement in measurements:
            fits = measurement._replace(variance=variance)
            squared_distance = (
                self._squared_distance_in_flight(fits)
                if flies
                else track.squared_distance(fits, bias_variance)
            )
            if squared_distance < least:
                best, least, origin = fits, squared_distance, measurement
        if best is None:
            if mine:
                track.miss()
            return False
        measurements.remove(origin)
        if source.shared and not flies and track.squared_distance(best, 0.0) > GATE:
            # It fits only with the bias between cameras, so it does not indicate motion.
            best = best._replace(variance=best.variance + bias_variance)
        if flies and self._kicks.event is not None:
            track.restart_from(best, self._kicks.event.state_at(track.stamp_ns))
        else:
            self._correct(track, best, source)
        return True

    def _correct(
        self, track: BallTrack, measurement: BallMeasurement, source: MeasurementSource
    ) -> None:
        """Update a track with a measurement, and the bias and noise of its camera."""
        if measurement.camera_id != track.camera_id:
            measurement = self._cameras.compare(track, measurement, self._tracks.tracks)
        bias_variance = 0.0
        if not source.shared:  # the camera takes over the ball, or has it already
            bias_variance = self._cameras.bias_variance(track, measurement.camera_id)
        if not bias_variance:
            self._cameras.learn(track, measurement, source)
        track.correct(measurement, bias_variance)

    def _flies(self, track: BallTrack) -> bool:
        return self._kicks.flies and track is self._tracks.primary

    def _squared_distance_in_flight(self, measurement: BallMeasurement) -> float:
        """Return the squared Mahalanobis distance from the predicted flying ball."""
        event = self._kicks.event
        if event is None or (measurement.camera is None and measurement.z is None):
            return math.inf
        # With a measured height, the position is that of the ball itself.
        camera = measurement.camera if measurement.z is None else None
        place, covariance = event.predicted_measurement(measurement.stamp_ns, camera)
        spread = covariance + (measurement.variance + FLIGHT_STD**2) * np.eye(2)
        squared_distance = mahalanobis_squared(
            np.array((measurement.x, measurement.y)) - place, spread
        )
        return float(squared_distance)

    def _state(self, track: BallTrack) -> BallState:
        """Return the state of a track, with the uncertainty that all cameras share."""
        state = self._kick_state(track)
        if state is None:
            position, velocity, covariance = track.state()
        else:
            position, velocity, covariance = (
                state.position,
                state.velocity,
                state.covariance.copy(),
            )
        if track is self._tracks.primary and self._kicks.may_bounce(track.stamp_ns):
            covariance[2, 2] += BOUNCE_HEIGHT_STD**2
            covariance[5, 5] += BOUNCE_SPEED_STD**2
        shift = self._cameras.offset_variance(track)
        covariance[0, 0] += shift
        covariance[1, 1] += shift
        speed = self._parameters.gradient_std * np.hypot(velocity[0], velocity[1])
        covariance[3, 3] += speed**2
        covariance[4, 4] += speed**2
        covariance[:3, :3] += self._parameters.stamp_std**2 * np.outer(velocity, velocity)
        return BallState(track.stamp_ns, position, velocity, covariance)

    def _kick_state(self, track: BallTrack) -> BallState | None:
        """Return the state from the fitted kick where it is better than the filter."""
        event = self._kicks.event
        if event is None or track is not self._tracks.primary:
            return None
        if event.flies:
            return event.state_at(track.stamp_ns)
        if not event.supersedes_filter(track.stamp_ns):
            return None
        state = event.state_at(track.stamp_ns)
        surer = state.covariance[3, 3] + state.covariance[4, 4] < 2.0 * track.ground.vv
        return state if surer else None


def _is_unsure(track: BallTrack) -> bool:
    """Return whether a track missed its last frame or has few hits."""
    return track.misses > 0 or track.hits < HITS_TO_CONFIRM


def _may_be_at(is_there: Callable[[float, float], bool], track: BallTrack) -> bool:
    """Return whether an obstacle may touch a ball, or did since its last measurement."""
    last = track.measurements[-1]
    unseen = track.misses > 0 and is_there(last.x, last.y)
    return unseen or is_there(track.ground.x, track.ground.y)
