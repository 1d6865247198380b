# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The balls of a match, from raw vision of all cameras."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.gaussian import chi_square_gate, mahalanobis_squared
from world_model_core.match.ball.camera_corrections import Viewpoints
from world_model_core.match.ball.contact import NOTHING_AROUND
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.ground_filter import GroundParameters
from world_model_core.match.ball.kick_estimator import Shots
from world_model_core.match.ball.primary_track import SIGHTS_TO_SETTLE, Ranking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.match.ball.contact import Obstacles
    from world_model_core.match.ball.estimate import Kick
    from world_model_core.match.ball.measurement import Sight
    from world_model_core.match.ball.measurement_noise import View
    from world_model_core.match.ball.parameters import BallParameters
    from world_model_core.match.ball.track import BallTrack
    from world_model_core.match.cameras.bias import CameraBiases
    from world_model_core.match.ssl.values import DetectionFrame

__all__ = ['BallTracker', 'BallTrackerParameters', 'SeenBall']

GATE = chi_square_gate(2, 0.9999)
# A further ball is told once it was seen more often than this.
SIGHTS_TO_TELL = 5
# Of where a flying ball shows, for what is not modelled of its flight [m].
ALOFT_STD = 0.01


@dataclass(frozen=True, slots=True)
class BallTrackerParameters:
    """
    What the tracker assumes.

    Parameters
    ----------
    life : float
        A track not seen for this long has ended [s].
    stamp_std : float
        Of the delay between the instant of a picture and its stamp, the same all the time [s].
    gradient_std : float
        Of the change of a camera's error from place to place [m/m].

    """

    life: float = 1.0
    stamp_std: float = 0.002
    gradient_std: float = 0.002


class SeenBall(NamedTuple):
    """
    A sight of the ball that is played with.

    `state` at the frame's capture time, or at a later one's for a late frame; `kick` is what is
    news of how it was set in motion, or None; `nis` the squared Mahalanobis distance of the sight,
    2 degrees of freedom, or None in flight.
    """

    state: BallState
    kick: Kick | None
    nis: float | None


class BallTracker:
    """
    Several balls, ranked; the first is the one that is played with.

    Each track is corrected by the sight that fits it best. One that fits none begins a track; when
    the ball is no longer where it was, such a track takes over after two sights where a kick can
    have brought the ball there, after three where it must have been carried.

    Parameters
    ----------
    parameters : BallTrackerParameters
    ball : BallParameters
        The ball's constants.
    biases : CameraBiases
        Learnt here too, from balls that two cameras see.

    """

    def __init__(
        self, parameters: BallTrackerParameters, ball: BallParameters, biases: CameraBiases
    ) -> None:
        self._parameters = parameters
        self._views = Viewpoints(biases, parameters.gradient_std)
        self._ball = ball
        self.reset()
        self.configure(ball)

    def configure(self, ball: BallParameters) -> None:
        """Let what begins from now on, tracks and shots, go by other constants of the ball."""
        self._ball = ball
        self._shots.parameters = ball
        self._ground = GroundParameters(-ball.roll_acceleration, -ball.slide_acceleration)

    def place_cameras(self, cameras: Mapping[int, tuple[float, float, float]]) -> None:
        """Take in where the cameras are, (x, y, z) [m] by id; without it no flight is seen."""
        self._views.places = cameras

    def reset(self) -> None:
        """Forget all balls, as after a jump in time."""
        self._ranking = Ranking(self._parameters.life)
        self._shots = Shots(self._ball)
        self._views.reset()
        self._newest_ns = 0

    @property
    def dropped(self) -> Mapping[str, int]:
        """What was left out since the last reset, by cause."""
        return self._ranking.counters

    def balls(self) -> list[tuple[BallState, float]]:
        """Tell all balls at the last instant, in order of rank, with their visibility."""
        tracks = self._ranking.tracks if self._ranking.led else []
        sure = [*tracks[:1], *(track for track in tracks[1:] if track.hits > SIGHTS_TO_TELL)]
        now_ns, density = self._newest_ns, self._ground.sliding_density
        return [(self._state(track).coasted(now_ns, density), track.visibility) for track in sure]

    def update(self, frame: DetectionFrame, around: Obstacles = NOTHING_AROUND) -> SeenBall | None:
        """
        Take one camera's frame in.

        Parameters
        ----------
        frame : DetectionFrame
        around : Obstacles
            Robots and posts, about now.

        Returns
        -------
        SeenBall or None
            None when this frame did not show the ball that is played with.

        """
        ranking = self._ranking
        self._views.recalibrate(ranking.tracks)
        ranking.end_old(frame.capture_ns)
        if not ranking.led:
            self._shots.end()
        self._newest_ns = max(self._newest_ns, frame.capture_ns)
        sights = self._views.sights(frame)
        # A ball that is out of sight must not take another one's sight for its own.
        tracks = sorted(ranking.tracks, key=_is_unsure)
        seen = [track for track in tracks if self._look(track, frame, sights, around)]
        for sight in sights:
            doubled = ranking.bear(sight, self._ground)
            if doubled is not None:  # a camera that was pushed sees it so from now on
                self._views.compare(doubled, sight, ranking.tracks)
        before = ranking.primary
        if ranking.succeed():
            self._shots.begin_anew(before, ranking.tracks[0], self._views.disagreement)
        primary = ranking.primary
        if primary is None or primary not in seen:
            return None
        flew = self._shots.flies
        self._shots.follow(primary, ranking.tracks[1:], around, self._views.disagreement)
        nis = None if flew or self._shots.flies else primary.nis
        return SeenBall(self._state(primary), self._shots.news, nis)

    def _look(
        self, track: BallTrack, frame: DetectionFrame, sights: list[Sight], around: Obstacles
    ) -> bool:
        """Let a track have the sight that fits it best, if any fits."""
        flies = self._flies(track)
        mine = frame.camera_id == track.camera_id
        if not (mine or (flies and sights) or track.may_be_among(sights)):
            return False
        touched = flies or _is_touched(track, around)
        track.predict(frame.capture_ns, self._ball.gravity, touched)
        view = self._views.view(track, frame)
        doubt, variance = (
            self._views.doubt(track, frame.camera_id),
            self._views.variance(track, view),
        )
        best, least = None, GATE
        for sight in sights:
            fits = sight._replace(variance=variance)
            surprise = self._surprise_aloft(fits) if flies else track.surprise(fits, doubt)
            if surprise < least:
                best, least, origin = fits, surprise, sight
        if best is None:
            if mine:
                track.miss()
            return False
        sights.remove(origin)
        if view.shared and not flies and track.surprise(best, 0.0) > GATE:
            # Only because cameras may disagree does it fit: it is no sign of a motion.
            best = best._replace(variance=best.variance + doubt)
        if flies and self._shots.shot is not None:
            track.carry(best, self._shots.shot.state_at(track.stamp_ns))
        else:
            self._correct(track, best, view)
        return True

    def _correct(self, track: BallTrack, sight: Sight, view: View) -> None:
        """Take a sight in, and learn of its camera from how it was foreseen."""
        if sight.camera_id != track.camera_id:
            sight = self._views.compare(track, sight, self._ranking.tracks)
        doubt = 0.0
        if not view.shared:  # it takes the ball over, or has it anyway
            doubt = self._views.doubt(track, sight.camera_id)
        if not doubt:
            self._views.learn(track, sight, view)
        track.correct(sight, doubt)

    def _flies(self, track: BallTrack) -> bool:
        return self._shots.flies and track is self._ranking.primary

    def _surprise_aloft(self, sight: Sight) -> float:
        """Square the Mahalanobis distance of a sight from where the flying ball would show."""
        shot = self._shots.shot
        if shot is None or (sight.camera is None and sight.z is None):
            return math.inf
        # Whoever measures the height tells the ball's own place.
        camera = sight.camera if sight.z is None else None
        place, covariance = shot.foreseen(sight.stamp_ns, camera)
        spread = covariance + (sight.variance + ALOFT_STD**2) * np.eye(2)
        surprise = mahalanobis_squared(np.array((sight.x, sight.y)) - place, spread)
        return float(surprise)

    def _state(self, track: BallTrack) -> BallState:
        """Tell all that is known of a ball, and doubt it for what all cameras share."""
        state = self._shot_state(track)
        if state is None:
            position, velocity, covariance = track.state()
        else:
            position, velocity, covariance = (
                state.position,
                state.velocity,
                state.covariance.copy(),
            )
        shift = self._views.offset_variance(track)
        covariance[0, 0] += shift
        covariance[1, 1] += shift
        speed = self._parameters.gradient_std * np.hypot(velocity[0], velocity[1])
        covariance[3, 3] += speed**2
        covariance[4, 4] += speed**2
        covariance[:3, :3] += self._parameters.stamp_std**2 * np.outer(velocity, velocity)
        return BallState(track.stamp_ns, position, velocity, covariance)

    def _shot_state(self, track: BallTrack) -> BallState | None:
        """Tell what the shot under way says of a track, where it knows more than the filter."""
        shot = self._shots.shot
        if shot is None or track is not self._ranking.primary:
            return None
        if shot.flies:
            return shot.state_at(track.stamp_ns)
        if not shot.leads(track.stamp_ns):
            return None
        state = shot.state_at(track.stamp_ns)
        surer = state.covariance[3, 3] + state.covariance[4, 4] < 2.0 * track.ground.vv
        return state if surer else None


def _is_unsure(track: BallTrack) -> bool:
    """Whether a track was not seen just now, or not often yet."""
    return track.misses > 0 or track.hits < SIGHTS_TO_SETTLE


def _is_touched(track: BallTrack, around: Obstacles) -> bool:
    """Whether something may touch a ball, or has it since it was seen last."""
    last = track.sights[-1]
    unseen = track.misses > 0 and around.touch(last.x, last.y)
    return unseen or around.touch(track.ground.x, track.ground.y)
