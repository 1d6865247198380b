# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One ball, followed through the sights of all cameras."""

from __future__ import annotations

import math
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.ground_filter import ALONE, TOUCHED, Gaussian, GroundFilter, Mode
from world_model_core.match.ball.height_filter import Height
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.ball.ground_filter import GroundParameters
    from world_model_core.match.ball.measurement import Sight

# What real kickers and simulators reach is below this [m/s]; the rules allow 6.5 m/s (Rules of
# the SSL 2024, 8.4.1 "Ball Speed").
TOP_SPEED = 15.0
# A camera that has not seen the ball for this long [ns], three frames, has handed it over.
HANDOVER_NS = NANOSECONDS_PER_SECOND // 20
# Sights that a track remembers: a third of a second of two cameras.
MEMORY = 48
# A track of fewer sights knows no velocity yet: what no ball could do is not taken for its motion,
# but for so much of noise [m].
SIGHTS_TO_MOVE, BLUR = 3, 0.02
# What is further from a ball than it can have come, and so much [m], is not it.
NEARBY = 0.3
# Of a ball seen for the first time: whether it lies, rolls, slides or is pushed.
FIRST_CHANCES = (0.3, 0.3, 0.3, 0.1)
# Of one that comes down from a flight.
LANDED_CHANCES = (0.05, 0.7, 0.15, 0.1)
# A ball is pushed with less than this probability if nobody touches it.
UNTOUCHED = 0.05
# The share of each picture in a track's visibility.
VISIBILITY_GAIN = 1.0 / 16.0


class BallTrack:
    """
    What is believed of one ball, on the carpet and in measured heights.

    Parameters
    ----------
    sight : Sight
        The first one.
    parameters : GroundParameters

    Attributes
    ----------
    stamp_ns : int
        Instant of `ground` [ns, vision's clock].
    ground : Gaussian
        Place and velocity on the carpet; of a flying ball without measured height, those of its
        shadow.
    height : Height
    hits, misses : int
        Sights so far, and pictures of `camera_id` since the last one that should have shown it.
    seen_ns : int
        Instant of the last sight [ns, vision's clock].
    touched, touched_ns : bool, int
        Whether a robot or a goal post may touch it, or it flies; and when that was so last [ns].
    visibility : float
        Part of the last pictures that showed it.
    sights : deque of Sight
        The last ones.
    nis : float
        Squared Mahalanobis distance of the last sight, 2 degrees of freedom.

    """

    def __init__(self, sight: Sight, parameters: GroundParameters) -> None:
        self._parameters = parameters
        self.ground: Gaussian
        self._filter: GroundFilter
        self._begin(sight)
        self.height = Height()
        self.stamp_ns = self.born_ns = self.seen_ns = sight.stamp_ns
        self.camera_id = sight.camera_id
        self.sights = deque((sight,), maxlen=MEMORY)
        self.hits, self.misses, self.visibility = 1, 0, 0.5
        self.nis = 2.0
        self.touched, self.touched_ns = False, 0
        if sight.z is not None:
            self.height.update(sight.z, sight.variance)

    @property
    def speed(self) -> float:
        """Along the carpet [m/s]."""
        return math.hypot(self.ground.vx, self.ground.vy)

    @property
    def chances(self) -> list[float]:
        """Probability of each Mode."""
        return self._filter.chances

    @property
    def settled(self) -> bool:
        """Whether it does what a ball does that nobody touches."""
        return self._filter.chances[Mode.PUSHED] < UNTOUCHED

    def predict(self, stamp_ns: int, gravity: float, touched: bool) -> None:
        """Go on to a later instant [ns]; a robot or a goal post may touch it meanwhile."""
        self.touched = touched
        if touched:
            self.touched_ns = stamp_ns
        dt = (stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND
        if dt <= 0.0:
            return
        self._filter.predict(dt, TOUCHED if touched else ALONE)
        self.height.predict(dt, gravity)
        self.stamp_ns = stamp_ns
        self.ground = self._filter.estimate()

    def may_be_among(self, sights: Sequence[Sight]) -> bool:
        """Tell, before any filtering, whether one of a picture's sights is near enough."""
        if not sights:
            return False
        x, y = self.ground[:2]
        elapsed = abs(sights[0].stamp_ns - self.stamp_ns) / NANOSECONDS_PER_SECOND
        reach = TOP_SPEED * elapsed + NEARBY
        return any(abs(sight.x - x) < reach and abs(sight.y - y) < reach for sight in sights)

    def surprise(self, sight: Sight, doubt: float) -> float:
        """
        Square the Mahalanobis distance of a sight, 2 degrees of freedom; inf out of reach.

        Parameters
        ----------
        sight : Sight
        doubt : float
            Variance of the difference between its camera and the track's [m^2].

        """
        if self.hits < SIGHTS_TO_MOVE and not self._in_reach(sight, doubt):
            return math.inf
        return self._squared(self._brought_forward(sight), doubt)

    def _squared(self, sight: Sight, doubt: float) -> float:
        dx, dy = sight.x - self.ground.x, sight.y - self.ground.y
        return (dx * dx + dy * dy) / (self.ground.pp + sight.variance + doubt)

    def _in_reach(self, sight: Sight, doubt: float) -> bool:
        """
        Whether a ball can have come from the last sight to this one.

        Two cameras show a ball in the air at two places, which must not be taken for its motion.
        """
        last = self.sights[-1]
        reach = BLUR + 3.0 * math.sqrt(doubt)
        if sight.camera_id == last.camera_id:
            reach += TOP_SPEED * abs(sight.stamp_ns - last.stamp_ns) / NANOSECONDS_PER_SECOND
        return math.hypot(sight.x - last.x, sight.y - last.y) <= reach

    def correct(self, sight: Sight, doubt: float) -> None:
        """
        Take a sight in.

        Parameters
        ----------
        sight : Sight
        doubt : float
            Variance of the difference between its camera and the track's, if it takes the ball
            over from that [m^2]: so much the place so far is doubted.

        """
        seen = self._brought_forward(sight)
        self.nis = self._squared(seen, doubt)
        if doubt:
            self._filter.shift(0.0, 0.0, doubt)
        self._filter.update(seen.x, seen.y, seen.variance)
        if sight.z is not None:
            self.height.update(sight.z, sight.variance)
        self.ground = self._filter.estimate()
        self._note(sight)

    def carry(self, sight: Sight, state: BallState) -> None:
        """Begin anew with what is known of a flying ball that a sight has shown."""
        x, y, _ = state.position.tolist()
        vx, vy, _ = state.velocity.tolist()
        variances = state.covariance.diagonal().tolist()
        pp, vv = 0.5 * sum(variances[:2]), 0.5 * sum(variances[3:5])
        self.ground = Gaussian(x, y, vx, vy, 0.0, 0.0, pp, 0.0, 0.0, vv, 0.0, 0.0)
        self._filter = GroundFilter(self._parameters, self.ground, LANDED_CHANCES)
        self._note(sight)

    def _note(self, sight: Sight) -> None:
        self.sights.append(sight)
        self.seen_ns = max(self.seen_ns, sight.stamp_ns)
        self.camera_id = sight.camera_id
        self.hits, self.misses = self.hits + 1, 0
        self.visibility += VISIBILITY_GAIN * (1.0 - self.visibility)

    def state(self) -> tuple[Array, Array, Array]:
        """Give position, velocity, shape (3,), and covariance, (6, 6), of its filters alone."""
        ground, height = self.ground, self.height
        covariance = np.zeros((6, 6))
        covariance[0, 0] = covariance[1, 1] = ground.pp
        covariance[0, 3] = covariance[3, 0] = covariance[1, 4] = covariance[4, 1] = ground.pv
        covariance[3, 3] = covariance[4, 4] = ground.vv
        covariance[2, 2], covariance[5, 5] = height.pp, height.vv
        covariance[2, 5] = covariance[5, 2] = height.pv
        position = np.array((ground.x, ground.y, height.z))
        return position, np.array((ground.vx, ground.vy, height.speed)), covariance

    def begin_anew(self) -> None:
        """Keep the last sight alone: what was made of those before was wrong."""
        self._begin(self.sights[-1])

    def _begin(self, sight: Sight) -> None:
        self.ground = Gaussian(
            sight.x, sight.y, 0.0, 0.0, 0.0, 0.0,
            sight.variance, 0.0, 0.0, 0.25 * TOP_SPEED**2, 0.0, 0.0,
        )  # fmt: skip
        self._filter = GroundFilter(self._parameters, self.ground, FIRST_CHANCES)

    def miss(self) -> None:
        """Note that a picture of its camera did not show it."""
        self.misses += 1
        self.visibility -= VISIBILITY_GAIN * self.visibility

    def recalibrate(self, camera_id: int, dx: float, dy: float) -> None:
        """Move by (dx, dy) [m] what a camera saw: it was found to be off by that much."""
        for index, sight in enumerate(self.sights):
            if sight.camera_id == camera_id:
                self.sights[index] = sight._replace(x=sight.x + dx, y=sight.y + dy)
        if camera_id == self.camera_id:
            self._filter.shift(dx, dy)
            self.ground = self._filter.estimate()

    def last_by_another(self, camera_id: int) -> Sight | None:
        """Find the last sight of another camera than this, if it is among the last few."""
        recent = islice(reversed(self.sights), 4)
        return next((sight for sight in recent if sight.camera_id != camera_id), None)

    def last_by(self, camera_id: int) -> Sight | None:
        """Find the last sight of a camera, if it is among the last few."""
        recent = islice(reversed(self.sights), 8)
        return next((sight for sight in recent if sight.camera_id == camera_id), None)

    def has_seen(self, camera_id: int, stamp_ns: int) -> bool:
        """Tell whether a camera has not handed the ball over: it saw it just now [ns]."""
        last = self.last_by(camera_id)
        return last is not None and stamp_ns - last.stamp_ns <= HANDOVER_NS

    def _brought_forward(self, sight: Sight) -> Sight:
        """Move a late sight on to the track's instant, as surely as the velocity is known."""
        dt = (self.stamp_ns - sight.stamp_ns) / NANOSECONDS_PER_SECOND
        if dt <= 0.0:
            return sight
        ground = self.ground
        return sight._replace(
            x=sight.x + dt * ground.vx,
            y=sight.y + dt * ground.vy,
            variance=sight.variance + dt * dt * ground.vv,
        )
