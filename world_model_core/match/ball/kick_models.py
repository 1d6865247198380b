# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a kick may have been, straight or chip, each fitted to the same sights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from world_model_core.match.ball.chip_kick import NUMBERS as HOP_NUMBERS
from world_model_core.match.ball.chip_kick import FlightCourse, Hop, after_bounce, landing, rises
from world_model_core.match.ball.gauss_newton import Posterior, Prior, fit
from world_model_core.match.ball.straight_kick import NUMBERS as SLIDE_NUMBERS
from world_model_core.match.ball.straight_kick import (
    ROLL_STD,
    SIDEWAYS_STD,
    SLIDE_STD,
    SLOWEST,
    SWITCH_STD,
    Carpet,
    Slide,
    SlideCourse,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.measurement_table import Sights
    from world_model_core.match.ball.parameters import BallParameters

# A kick is so fast [m/s].
SPEED_STD = 5.0
# Chips leave the carpet with a vertical speed of so much [m/s].
CLIMB, CLIMB_STD = 2.5, 2.0
# Fewer sights in the air leave open whether the ball flies.
FEWEST_ALOFT = 5
# At the first fit, and when one starts where the last one ended.
FIRST_STEPS, STEPS = 6, 2
# Parts of the time since the kick when the ball may have begun to roll.
SWITCH_SHARES = (0.6, 0.2)
# A hop's end decides which sights it is fitted to, and they decide its end: so often at most.
ENDS = 3
# A chip has bounced this often when nothing more is learnt from it.
MOST_HOPS = 4


class Course(Protocol):
    """A ball's way from its kick to its rest, and how surely it is known."""

    @property
    def kick_time(self) -> float:
        """When the ball was kicked [s]."""

    def touchdown(self) -> tuple[Array, Array] | None:
        """Find (x, y, t) of the first touchdown [m, s] and their covariance, if there is one."""

    def at(self, time: float) -> tuple[Array, Array]:
        """Give the state (6,) [m, m/s] and its covariance (6, 6) at a time [s]."""


class Premise(NamedTuple):
    """
    What is known of a kick before any sight, in means and standard deviations.

    Parameters
    ----------
    instant, instant_std : float
        Of the kick [s].
    place : tuple of float
        Where, (x, y) [m].
    place_std : float
        Of x and y each [m].
    offset_std : float
        Of what each camera shows beside the ball's place, in x and y [m].
    camera_std : float
        Of where each camera hangs, in x and y [m].

    """

    instant: float
    instant_std: float
    place: tuple[float, float]
    place_std: float
    offset_std: float
    camera_std: float


class Solution(NamedTuple):
    """
    A hypothesis after its fit.

    Parameters
    ----------
    pieces : tuple of Posterior
        One a hop, or one in all.
    cost : float
        As in `Posterior`, of all pieces.
    misfits : array, shape (n,)
        Squared residuals of each sight.
    times : array, shape (n,)
        When each was taken [s].

    """

    pieces: tuple[Posterior, ...]
    cost: float
    misfits: Array
    times: Array

    @property
    def misfit(self) -> float:
        """Cost over the number of coordinates, which it should be."""
        return self.cost / (2.0 * len(self.times))

    @property
    def strain(self) -> float:
        """Squared Mahalanobis distance from the prior."""
        return self.cost - float(self.misfits.sum())

    def log_occam(self) -> float:
        """Measure as `Posterior.log_occam` does, of all pieces."""
        return math.fsum(piece.log_occam() for piece in self.pieces)


class Hypothesis(Protocol):
    """One thing that the kick may have been."""

    def solve(self, sights: Sights, premise: Premise) -> Solution | None:
        """Fit it to the sights, from where the last fit ended; None if that comes to nothing."""

    def search(self, sights: Sights, premise: Premise) -> Solution | None:
        """Fit it anew, from several guesses."""

    def course(self, solution: Solution, scale: float) -> Course:
        """Follow the ball, its covariance `scale` times what the sights say."""


class Straight:
    """A ball that stays on the carpet."""

    def __init__(self, carpet: Carpet) -> None:
        self._carpet = carpet
        self._last: Solution | None = None

    def solve(self, sights: Sights, premise: Premise) -> Solution | None:
        """Fit it to the sights, from where the last fit ended; None if that comes to nothing."""
        prior = self._prior(len(sights.cameras), premise)
        if self._last is None:
            start, steps = self._guess(sights, premise, prior, 1.0), FIRST_STEPS
        else:
            start, steps = _continued(self._last.pieces[0].mean, prior.mean, SLIDE_NUMBERS), STEPS
        self._last = self._fitted(sights, prior, start, steps)
        return self._last

    def search(self, sights: Sights, premise: Premise) -> Solution | None:
        """
        Fit it anew, from several guesses, and keep the best.

        A ball that is thought to slide all along tells nothing of its switch: small steps do not
        lead there.
        """
        if self._last is None or len(self._last.times) < len(sights.times):
            self.solve(sights, premise)
        prior = self._prior(len(sights.cameras), premise)
        for share in SWITCH_SHARES:
            start = self._guess(sights, premise, prior, share)
            found = self._fitted(sights, prior, start, FIRST_STEPS)
            if found and (self._last is None or found.cost < self._last.cost):
                self._last = found
        return self._last

    def _guess(self, sights: Sights, premise: Premise, prior: Prior, share: float) -> Array:
        """Guess a ball that begins to roll when a share of the time has gone by."""
        dt = sights.times - premise.instant
        until = share * float(dt.max())
        velocity = _mean_change(sights.places, dt)
        slower = float(np.hypot(*velocity))
        # By so much was it faster at the kick than in the mean.
        speed = slower + float(_mean_change(self._carpet.lost(dt, until), dt))
        start = prior.mean.copy()
        start[:2], start[2:4] = sights.places[:, 0], velocity * (speed / max(slower, SLOWEST))
        start[7] = self._carpet.lateness(speed, until)
        return start

    def _fitted(self, sights: Sights, prior: Prior, start: Array, steps: int) -> Solution | None:
        posterior = fit(Slide(sights, self._carpet), prior, start, steps)
        return _solution([posterior], [sights])

    def course(self, solution: Solution, scale: float) -> Course:
        """Follow the ball, its covariance `scale` times what the sights say."""
        (piece,) = solution.pieces
        last_seen = float(solution.times.max())
        return SlideCourse(piece.mean, scale * piece.covariance, self._carpet, last_seen)

    def _prior(self, cameras: int, premise: Premise) -> Prior:
        size = SLIDE_NUMBERS + 2 * cameras
        mean, spread = np.zeros(size), np.full(size, premise.offset_std)
        mean[:2], spread[:2] = premise.place, premise.place_std
        spread[2:4] = SPEED_STD
        mean[4], spread[4] = premise.instant, premise.instant_std
        spread[5:9] = SLIDE_STD, ROLL_STD, SWITCH_STD, SIDEWAYS_STD
        return Prior.independent(mean, spread)


class Chip:
    """A ball that flies, hop by hop."""

    def __init__(self, parameters: BallParameters) -> None:
        self._parameters = parameters
        self._last: Solution | None = None

    def solve(self, sights: Sights, premise: Premise) -> Solution | None:
        """Fit it to the sights that would show a flight; None if that comes to nothing."""
        if not sights.seen_aloft.all():
            sights = sights.chosen(sights.seen_aloft)
        if len(sights.times) < FEWEST_ALOFT:
            return None
        prior: Prior | None = self._prior(len(sights.cameras), premise)
        pieces: list[Posterior] = []
        parts: list[Sights] = []
        while prior is not None and len(pieces) < MOST_HOPS:
            piece, part, landed = self._fitted(sights, prior, len(pieces))
            if not (piece.finite and len(part.times)):
                break
            pieces.append(piece)
            parts.append(part)
            prior = self._following(piece, len(parts)) if landed.any() else None
            sights = sights.chosen(landed)
        # A ball that does not rise is sought anew next time, among all sights.
        found = bool(pieces) and pieces[0].mean[4] > 0.0
        self._last = _solution(pieces, parts) if found else None
        return self._last

    def search(self, sights: Sights, premise: Premise) -> Solution | None:
        """Fit it anew."""
        self._last = None
        return self.solve(sights, premise)

    def course(self, solution: Solution, scale: float) -> Course:
        """Follow the ball, its covariance `scale` times what the sights say."""
        hops = tuple((piece.mean, scale * piece.covariance) for piece in solution.pieces)
        return FlightCourse(hops, self._parameters)

    def _prior(self, cameras: int, premise: Premise) -> Prior:
        size = HOP_NUMBERS + 4 * cameras
        mean, spread = np.zeros(size), np.full(size, premise.camera_std)
        mean[:2], spread[:2] = premise.place, premise.place_std
        spread[2:4] = SPEED_STD
        mean[4], spread[4] = CLIMB, CLIMB_STD
        mean[5], spread[5] = premise.instant, premise.instant_std
        spread[HOP_NUMBERS : HOP_NUMBERS + 2 * cameras] = premise.offset_std
        return Prior.independent(mean, spread)

    def _fitted(
        self, sights: Sights, prior: Prior, hop: int
    ) -> tuple[Posterior, Sights, NDArray[np.bool_]]:
        """Fit a hop to the sights before its end; tell these, and which come after it."""
        gravity = self._parameters.gravity
        if self._last is not None and hop < len(self._last.pieces):
            start, steps = self._last.pieces[hop].mean, STEPS
            start = _continued(start, prior.mean, HOP_NUMBERS)
        else:
            start, steps = prior.mean, FIRST_STEPS
        # The first guess knows nothing of an end.
        end = landing(start, gravity) if self._last is not None or hop > 0 else math.inf
        landed = sights.times >= end
        for _ in range(ENDS):
            part = sights.chosen(~landed) if landed.any() else sights
            piece = fit(Hop(part, gravity), prior, start, steps)
            before, landed = landed, sights.times >= landing(piece.mean, gravity)
            if (landed == before).all():
                break
            start = piece.mean
        return piece, part, before & landed

    def _following(self, piece: Posterior, hops: int) -> Prior | None:
        """Tell what is known of the next hop, if there is one."""
        mean, covariance = after_bounce(piece.mean, piece.covariance, hops - 1, self._parameters)
        return Prior.correlated(mean, covariance) if rises(mean, self._parameters) else None


def _continued(last: Array, mean: Array, own: int) -> Array:
    """Begin where the last fit ended; a camera new since then has moved all errors of cameras."""
    if len(last) == len(mean):
        return last
    return np.concatenate((last[:own], mean[own:]))


def _mean_change(values: Array, dt: Array) -> Array:
    """Find the slopes of straight lines through values (..., n) over times (n,), (...)."""
    centred = dt - dt.mean()
    slopes: Array = values @ centred / max(float(centred @ centred), 1e-12)
    return slopes


def _solution(pieces: list[Posterior], parts: list[Sights]) -> Solution | None:
    """Put the pieces of a hypothesis together; None if a fit came to nothing."""
    if not all(piece.finite for piece in pieces):
        return None
    misfits = [np.square(piece.residuals.reshape(3, -1)).sum(axis=0) for piece in pieces]
    return Solution(
        tuple(pieces),
        math.fsum(piece.cost for piece in pieces),
        np.concatenate(misfits),
        np.concatenate([part.times for part in parts]),
    )
