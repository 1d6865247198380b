# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A ball on its way since something set it in motion: over the carpet or through the air."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.match.ball.estimate import BallState, Kick
from world_model_core.match.ball.kick_detector import SPEED_GAIN, WINDOW_NS
from world_model_core.match.ball.kick_fit import Calibration, LaunchFit
from world_model_core.match.ball.track import TOP_SPEED
from world_model_core.match.cameras.projection import project_to_carpet
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.kick_detector import Onset
    from world_model_core.match.ball.kick_fit import Launch
    from world_model_core.match.ball.measurement import Sight
    from world_model_core.match.ball.parameters import BallParameters

# A straight kick is known as well as it will ever be after this long [ns]; until then its fit,
# which knows what brakes it, is better than a filter.
STRAIGHT_NS = NANOSECONDS_PER_SECOND * 3 // 10
# So many sights in a row that do not fit: the ball has hit something.
MISFITS_TO_END = 3
# A chip rises with at most this part of its speed along the carpet, 72 degrees: the chippers of
# the league reach some 60, and the first estimates err.
STEEPEST = 3.0
# The place of a camera is published about this precisely [m].
CAMERA_PLACE_STD = 0.05


class Shot:
    """
    One launch, solved again with each further sight until it is over.

    Parameters
    ----------
    onset : Onset
    parameters : BallParameters
    sights : iterable of Sight
        Of the ball; those from the onset on are used.
    bias_std : float
        Of what the cameras still disagree by [m].

    Attributes
    ----------
    launch : Launch or None
        The latest solution; None before there is one.
    held : bool
        Whether the ball has not left what touched it: so far it may be dribbled or caught.
    over : bool
        Whether nothing more is to be learnt: it rolls, or it hit something.

    """

    def __init__(
        self,
        onset: Onset,
        parameters: BallParameters,
        sights: Iterable[Sight],
        bias_std: float,
    ) -> None:
        self._onset = onset
        calibration = Calibration(bias_std, CAMERA_PLACE_STD)
        self._fit = LaunchFit(
            parameters, onset.earliest_ns, onset.latest_ns, onset.origin, calibration
        )
        self._misfits = 0
        self._foreseen: BallState | None = None
        self.held = True
        self.launch: Launch | None = None
        self.over = False
        for sight in sights:
            if sight.stamp_ns >= onset.latest_ns:
                self._fit.add(sight)
        self._solve()

    @property
    def kick(self) -> Kick | None:
        """What is to be told of it, the kicker left open; None where it gained no speed."""
        launch = self.launch
        if launch is None or self.held:
            return None
        vx, vy, vz = launch.velocity.tolist()
        if (vx * vx + vy * vy + vz * vz) ** 0.5 - self._onset.speed < SPEED_GAIN:
            return None
        return Kick(
            stamp_ns=launch.stamp_ns,
            position=launch.position[:2],
            velocity=launch.velocity,
            covariance=launch.covariance,
            chip_probability=launch.chip_probability,
            kicker=None,
        )

    @property
    def lost(self) -> bool:
        """Whether it ended because the ball is not where it should be."""
        return self._misfits >= MISFITS_TO_END

    @property
    def speed(self) -> float:
        """Speed along the carpet right after the launch [m/s]; 0 before a solution."""
        return 0.0 if self.launch is None else math.hypot(*self.launch.velocity[:2].tolist())

    @property
    def settled_ns(self) -> int:
        """Until when a gain of speed belongs to this launch [ns, vision's clock]."""
        return self._onset.latest_ns + WINDOW_NS

    def give_up(self) -> None:
        """Take the ball to be somewhere else."""
        self._misfits, self.over = MISFITS_TO_END, True

    def leads(self, stamp_ns: int) -> bool:
        """Tell whether it knows more of the ball at an instant [ns] than a filter does."""
        launch = self.launch
        if launch is None or self.held or self.over:
            return False
        return stamp_ns - launch.stamp_ns < STRAIGHT_NS

    @property
    def flies(self) -> bool:
        """Whether it is a chip that is not over."""
        launch = self.launch
        if launch is None or self.held or self.over:
            return False
        return launch.chip_probability > 0.5

    def add(self, sight: Sight) -> None:
        """Take in a further sight."""
        self._fit.add(sight)
        self._solve()
        if self.flies:
            self.over = float(self.state_at(sight.stamp_ns).velocity[2]) == 0.0
        elif sight.stamp_ns - self._onset.latest_ns > STRAIGHT_NS:
            self.over = True

    def foreseen(
        self, stamp_ns: int, camera: tuple[float, float, float] | None
    ) -> tuple[Array, Array]:
        """
        Tell where a camera will show the flying ball.

        Parameters
        ----------
        stamp_ns : int
        camera : tuple of float, or None
            Its place (x, y, z) [m]; None where the ball's own place is shown.

        Returns
        -------
        place : array, shape (2,)
            [m], field frame.
        covariance : array, shape (2, 2)
            Of it [m^2].

        """
        state = self.state_at(stamp_ns)
        if camera is None:
            return state.position[:2], state.covariance[:2, :2]
        place, slope = project_to_carpet(state.position, camera)
        return place, slope @ state.covariance[:3, :3] @ slope.T

    def state_at(self, stamp_ns: int) -> BallState:
        """Find the ball at an instant [ns]; there must be a launch."""
        assert self.launch is not None  # noqa: S101 (the caller asks only a shot that flies)
        state = self._foreseen
        if state is None or state.stamp_ns != stamp_ns:
            state = self._foreseen = self.launch.state_at(stamp_ns)
        return state

    def _may_chip(self, launch: Launch) -> bool:
        """Whether something was there that chips, and chips like that."""
        vx, vy, vz = launch.velocity.tolist()
        return self._onset.may_fly and vz <= STEEPEST * math.hypot(vx, vy)

    def _solve(self) -> None:
        solved = self._fit.solve()
        if solved is None:
            return
        fits = solved.fits and math.hypot(*solved.velocity.tolist()) <= TOP_SPEED
        fits = fits and (solved.chip_probability <= 0.5 or self._may_chip(solved))
        self._misfits = 0 if fits else self._misfits + 1
        if fits and solved is not self.launch:
            self.launch, self._foreseen = solved, None
        self.over = self.lost
