# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Detection of kicks and of bounces off walls, and each kick until its end."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.match.ball.estimate import BallState, Kick
from world_model_core.match.ball.kick_fit import CameraUncertainty, KickFit, KickOrigin
from world_model_core.match.ball.track import TOP_SPEED
from world_model_core.match.ball.walls import find_bounce
from world_model_core.match.cameras.projection import project_to_carpet
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.ground_filter import PlanarGaussian
    from world_model_core.match.ball.kick_fit import FittedKick
    from world_model_core.match.ball.measurement import BallMeasurement
    from world_model_core.match.ball.walls import Wall

    BiasStd = Callable[[Iterable[int]], float]

# A gain of speed along the carpet by this much within the window is a kick [m/s]; the TIGERs
# detector uses the same value. The filter takes about the length of the window to follow a kick,
# and so does the projection of a chip that moves away from below a camera.
SPEED_GAIN = 0.6
# The gain must also exceed this many standard deviations.
MIN_SIGMAS = 3.0
WINDOW_NS = NANOSECONDS_PER_SECOND * 3 // 20
# For this long before a change of motion a ball may have been on its way to a wall: cameras may
# miss it there [ns].
APPROACH_NS = 2 * WINDOW_NS
# A ball may have moved undetected at this speed before the kick [m/s]: a tenth of the gain.
CREEP_SPEED = 0.06
# Largest gap between a wall and the place where a ball that bounced off it seems to have turned,
# and time by which the filter may place the bounce too early [m], [s].
TURNING_GAP, TURNING_TIME = 0.15, 0.03
# Largest fraction of its speed into the wall that the filter may still show after a bounce.
KEPT = 0.5
# Uncertainty of the traced kick time [ns]: one frame after it, and more before it, because the
# projection of a chip may stand still for a while.
LATER_NS, EARLIER_NS = NANOSECONDS_PER_SECOND // 75, NANOSECONDS_PER_SECOND // 15


class DetectedKick(NamedTuple):
    """
    Time window and place in which a ball was set in motion.

    Parameters
    ----------
    earliest_ns, latest_ns : int
        Bounds of the kick time [ns, vision's clock].
    origin : KickOrigin or None
        Ball position before the kick; None for a ball that appears from nowhere.
    speed : float
        Ball speed before the kick [m/s].
    may_fly : bool
        Whether the kick may be a chip: a robot was near, or the origin is unknown. A ball that
        bounces off a board or the wall of a goal stays flat.

    """

    earliest_ns: int
    latest_ns: int
    origin: KickOrigin | None
    speed: float
    may_fly: bool


class KickDetector:
    """Detect kicks by comparing the ball speed with the speed a moment ago."""

    def __init__(self) -> None:
        # Estimates of the present track since the last kick, and of all tracks of the ball.
        self._past: deque[tuple[int, float, PlanarGaussian]] = deque()
        self._shown: deque[tuple[int, float, PlanarGaussian]] = deque()

    def continue_with_another_track(self) -> None:
        """Compare no longer with the speeds of the previous track of the ball."""
        self._past.clear()

    def update(
        self,
        stamp_ns: int,
        ground: PlanarGaussian,
        *,
        touched: bool,
        walls: Sequence[Wall] = (),
    ) -> DetectedKick | None:
        """
        Process the next ball estimate and return a detected kick, or None.

        Parameters
        ----------
        stamp_ns : int
            Time of the estimate, in increasing order [ns, vision's clock].
        ground : PlanarGaussian
            Ball estimate; a smaller velocity variance detects smaller gains of speed.
        touched : bool
            Whether a robot was near the ball recently.
        walls : sequence of Wall
            Walls off which it may have bounced.

        """
        past = self._past
        speed = math.hypot(ground.vx, ground.vy)
        for entries, longest_ns in ((past, WINDOW_NS), (self._shown, APPROACH_NS)):
            while entries and stamp_ns - entries[0][0] > longest_ns:
                entries.popleft()
            entries.append((stamp_ns, speed, ground))
        slowest = min(past, key=lambda entry: entry[1] + MIN_SIGMAS * math.sqrt(entry[2].vv))
        gain = speed - slowest[1]
        if gain < max(SPEED_GAIN, MIN_SIGMAS * math.sqrt(ground.vv + slowest[2].vv)):
            return None
        detected = _traced_back(slowest[0], slowest[2], stamp_ns, ground, touched)
        detected = self.flatten_bounce(detected, walls, ground, stamp_ns, slowest[0])
        past.clear()
        return detected

    def flatten_bounce(
        self,
        detected: DetectedKick,
        walls: Sequence[Wall],
        after: PlanarGaussian,
        stamp_ns: int,
        slow_ns: int,
    ) -> DetectedKick:
        """
        Return a detected kick as a flat one if it is a bounce off a wall.

        The filter may show a ball at rest at the wall before it shows that it bounced; therefore
        all that it has shown lately is tried as its path into the wall. A ball that no
        robot was near has only lost speed, so that it had the greatest that was shown.

        Parameters
        ----------
        detected : DetectedKick
        walls : sequence of Wall
        after : PlanarGaussian
            Ball after the change of its motion.
        stamp_ns : int
            Time of that estimate [ns].
        slow_ns : int
            Until when the ball was slow [ns].

        """
        speed = detected.speed
        for before_ns, before_speed, before in self._shown:
            if stamp_ns - before_ns > APPROACH_NS:
                continue
            dt = (stamp_ns - before_ns) / NANOSECONDS_PER_SECOND
            detected = flattened(detected, walls, before, after, dt)
            if before_ns <= slow_ns:
                speed = max(speed, before_speed)
        if detected.may_fly:
            return detected
        return detected._replace(speed=max(detected.speed, speed))


def flattened(
    detected: DetectedKick,
    walls: Sequence[Wall],
    before: PlanarGaussian,
    after: PlanarGaussian,
    dt: float,
) -> DetectedKick:
    """
    Return a detected kick as a flat one if it is a bounce off a wall.

    Parameters
    ----------
    detected : DetectedKick
    walls : sequence of Wall
    before, after : PlanarGaussian
        Ball before and after the change of its motion: its path led into a wall where it turned,
        and no longer does.
    dt : float
        Time between both [s].

    """
    reach, origin = dt + TURNING_TIME, detected.origin
    end = before.x + reach * before.vx, before.y + reach * before.vy
    bounce = find_bounce(walls, (before.x, before.y), end)
    if bounce is None:
        return detected
    near = origin is None or any(wall.gap((origin.x, origin.y)) < TURNING_GAP for wall in walls)
    x, y = bounce.normal
    stopped = after.vx * x + after.vy * y > KEPT * (before.vx * x + before.vy * y)
    if not (near and stopped):
        return detected
    speed = max(detected.speed, math.hypot(before.vx, before.vy))
    return detected._replace(speed=speed, may_fly=False)


def _traced_back(
    before_ns: int, before: PlanarGaussian, stamp_ns: int, ground: PlanarGaussian, touched: bool
) -> DetectedKick:
    """Estimate when and where the ball left its old path."""
    ux, uy = ground.vx - before.vx, ground.vy - before.vy
    travelled = (ground.x - before.x) * ux + (ground.y - before.y) * uy
    elapsed_ns = stamp_ns - before_ns
    back = travelled / max(ground.vx * ux + ground.vy * uy, 1e-9)
    kick_ns = stamp_ns - min(max(int(back * NANOSECONDS_PER_SECOND), 0), elapsed_ns)
    dt = (kick_ns - before_ns) / NANOSECONDS_PER_SECOND
    variance = before.pp + dt * dt * max(before.vv, CREEP_SPEED**2)
    origin = KickOrigin(before.x + dt * before.vx, before.y + dt * before.vy, variance)
    earliest_ns = kick_ns - EARLIER_NS
    speed = math.hypot(before.vx, before.vy)
    return DetectedKick(earliest_ns, kick_ns + LATER_NS, origin, speed, may_fly=touched)


# For this long after a straight kick its fit is better than the filter, because it models the
# deceleration; later it does not improve [ns].
STRAIGHT_NS = NANOSECONDS_PER_SECOND * 3 // 10
# Consecutive measurements that contradict the fit: the ball hit something.
MISFITS_TO_END = 3
# Largest ratio of vertical to horizontal speed of a chip, 72 degrees: chippers of the league reach
# about 60, and first estimates vary.
STEEPEST = 3.0
# Standard deviation of published camera positions [m].
CAMERA_PLACE_STD = 0.05


class KickEvent:
    """
    One kick, fitted again with each further measurement until it is over.

    Parameters
    ----------
    detected : DetectedKick
    parameters : BallParameters
    measurements : iterable of BallMeasurement
        Measurements of the ball; those since the kick are used.
    bias_std : callable
        Returns the standard deviation of the remaining bias between some cameras [m].

    Attributes
    ----------
    fit : FittedKick or None
        Latest solution; None before the first one.
    held : bool
        Whether the ball still moves with the robot that touched it (dribbled or caught).
    over : bool
        Whether further measurements add nothing: the ball rolls, or it hit something.

    """

    def __init__(
        self,
        detected: DetectedKick,
        parameters: BallParameters,
        measurements: Iterable[BallMeasurement],
        bias_std: BiasStd,
    ) -> None:
        self._detected = detected
        self._bias_std, self._cameras = bias_std, set[int]()
        self._fit = KickFit(parameters, detected.earliest_ns, detected.latest_ns, detected.origin)
        self._misfits = 0
        self._state: BallState | None = None
        self.held = True
        self.fit: FittedKick | None = None
        self.over = False
        for measurement in measurements:
            if measurement.stamp_ns >= detected.latest_ns:
                self._note(measurement)
        self._solve()

    @property
    def kick(self) -> Kick | None:
        """The kick to publish, without the kicker; None if the ball gained no speed."""
        fit = self.fit
        if fit is None or self.held:
            return None
        vx, vy, vz = fit.velocity.tolist()
        if (vx * vx + vy * vy + vz * vz) ** 0.5 - self._detected.speed < SPEED_GAIN:
            return None
        return Kick(
            stamp_ns=fit.stamp_ns,
            position=fit.position[:2],
            velocity=fit.velocity,
            covariance=fit.covariance,
            chip_probability=fit.chip_probability,
            kicker=None,
        )

    @property
    def failed(self) -> bool:
        """Whether the kick ended because the measurements contradict the fit."""
        return self._misfits >= MISFITS_TO_END

    @property
    def speed(self) -> float:
        """Speed along the carpet right after the kick [m/s]; 0 before a solution."""
        return 0.0 if self.fit is None else math.hypot(*self.fit.velocity[:2].tolist())

    @property
    def settled_ns(self) -> int:
        """End of the interval in which a gain of speed belongs to this kick [ns]."""
        return self._detected.latest_ns + WINDOW_NS

    def meets(self, walls: Sequence[Wall], stamp_ns: int) -> bool:
        """Return whether the fitted ball has reached a wall by a time [ns], below its top."""
        if self.fit is None or self.over:
            return False
        (x, y, z), origin = self.state_at(stamp_ns).position.tolist(), self.fit.position
        low = [wall for wall in walls if z < wall.height]
        return find_bounce(low, (float(origin[0]), float(origin[1])), (x, y)) is not None

    def abandon(self) -> None:
        """End the kick, because the ball is elsewhere."""
        self._misfits, self.over = MISFITS_TO_END, True

    def supersedes_filter(self, stamp_ns: int) -> bool:
        """Return whether the fit is better than the filter at a time [ns]."""
        fit = self.fit
        if fit is None or self.held or self.over:
            return False
        return stamp_ns - fit.stamp_ns < STRAIGHT_NS

    @property
    def flies(self) -> bool:
        """Whether the kick is a chip that is not over."""
        fit = self.fit
        if fit is None or self.held or self.over:
            return False
        return fit.chip_probability > 0.5

    def add(self, measurement: BallMeasurement) -> None:
        """Add a measurement and fit again."""
        self._note(measurement)
        self._solve()
        if self.flies:
            self.over = float(self.state_at(measurement.stamp_ns).velocity[2]) == 0.0
        elif measurement.stamp_ns - self._detected.latest_ns > STRAIGHT_NS:
            self.over = True

    def predicted_measurement(
        self, stamp_ns: int, camera: tuple[float, float, float] | None
    ) -> tuple[Array, Array]:
        """
        Predict where a camera will show the flying ball.

        Parameters
        ----------
        stamp_ns : int
        camera : tuple of float, or None
            Camera position (x, y, z) [m]; None where the ball's own position is measured.

        Returns
        -------
        place : array, shape (2,)
            Predicted position [m], field frame.
        covariance : array, shape (2, 2)
            Its covariance [m^2].

        """
        state = self.state_at(stamp_ns)
        if camera is None:
            return state.position[:2], state.covariance[:2, :2]
        place, slope = project_to_carpet(state.position, camera)
        return place, slope @ state.covariance[:3, :3] @ slope.T

    def state_at(self, stamp_ns: int) -> BallState:
        """Return the ball state at a time [ns]; requires a solution."""
        assert self.fit is not None  # noqa: S101 (callers check that it flies)
        state = self._state
        if state is None or state.stamp_ns != stamp_ns:
            state = self._state = self.fit.state_at(stamp_ns)
        return state

    def _note(self, measurement: BallMeasurement) -> None:
        """Add a measurement; the bias of a camera is known less well than that of the first."""
        self._fit.add(measurement)
        self._cameras.add(measurement.camera_id)

    def _may_chip(self, fit: FittedKick) -> bool:
        """Return whether a robot was there to chip, at an angle that chippers reach."""
        vx, vy, vz = fit.velocity.tolist()
        return self._detected.may_fly and vz <= STEEPEST * math.hypot(vx, vy)

    def _solve(self) -> None:
        self._fit.calibration = CameraUncertainty(self._bias_std(self._cameras), CAMERA_PLACE_STD)
        solved = self._fit.solve()
        if solved is None:
            return
        fits = solved.fits and math.hypot(*solved.velocity.tolist()) <= TOP_SPEED
        fits = fits and (solved.chip_probability <= 0.5 or self._may_chip(solved))
        self._misfits = 0 if fits else self._misfits + 1
        if fits and solved is not self.fit:
            self.fit, self._state = solved, None
        self.over = self.failed
