# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Random kicks of a single ball under imperfect cameras, for tests of trackers against truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.match.ball.motion_segment import BallMotion
from world_model_core.parameters import group
from world_model_core.simulation.match.ball_course import BallCourse, add_kick, follow_kicks
from world_model_core.simulation.match.field import LENGTH, WIDTH
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.vision_broadcast import Agenda, SentPacket, VisionBroadcast
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds
from world_model_core.uncertainty.sensor_bias import PlaceBias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.trajectory import BallTrajectory
    from world_model_core.simulation.match.ground_truth import MatchTruth, Vector

# A ball that would leave the field is kicked after a fraction of its time on the field; a ball
# that comes to rest lies for a time [s] before its next kick. Ranges of both.
CUT, LYING = (0.4, 0.9), (0.3, 1.0)
CAMERA_DEVIATIONS = ('bias', 'camera_position_error', 'capture_delay')
# Time between the samples of a trajectory that are checked for leaving the field [s].
SAMPLING = 0.02


@dataclass(frozen=True, slots=True)
class KickDeviations:
    """
    Standard deviations of the values that a tracker does not know, drawn for each seed.

    Parameters
    ----------
    bias : PlaceBias
        Bias of each camera; the realistic recordings of the ER-Force simulator have offsets of
        0.02 m.
    camera_position_error : float
        Error of the published camera position, by camera and axis [m]; in those recordings
        positions are wrong by up to 0.1 m.
    capture_delay : float
        Delay of the capture times, common to all cameras [s].
    slide_acceleration, roll_acceleration : float
        Friction [m/s^2]; fields and trackers differ by 0.3 and 0.04.
    switch_ratio, damping_xy_first_hop, damping_xy_other_hops, damping_z : float
        Ratios of the ball model; they differ by 0.03 to 0.1.

    """

    bias: PlaceBias = group(PlaceBias(position_std=0.02, position_fraction=0.002))
    camera_position_error: float = 0.05
    capture_delay: float = 0.002
    slide_acceleration: float = 0.3
    roll_acceleration: float = 0.04
    switch_ratio: float = 0.03
    damping_xy_first_hop: float = 0.05
    damping_xy_other_hops: float = 0.02
    damping_z: float = 0.05


KICK_DEVIATIONS = KickDeviations()
# Noise only: the published values of cameras and clocks and the ball's constants are exact.
EXACT = KickDeviations(PlaceBias(), *(0.0,) * (len(fields(KickDeviations)) - 1))


@dataclass(frozen=True, slots=True)
class KickPlan:
    """
    Kicks of one ball; the next kick, or the end of the run, is before it leaves the field.

    Parameters
    ----------
    kicks : int
        Number of kicks.
    chip_share : float
        Probability of a chip kick, 0 to 1.
    lying : float
        Time before the first kick [s].
    speed, rise : tuple of float
        Minimum and maximum of the horizontal speed, and of the vertical speed of chips [m/s]; a
        chip is slower if it would land outside the field.

    """

    kicks: int = 3
    chip_share: float = 0.3
    lying: float = 1.0
    speed: tuple[float, float] = (0.5, 5.5)
    rise: tuple[float, float] = (1.2, 3.4)


KICK_PLAN = KickPlan()
# The ball models are not sent, because they would contain the drawn constants.
KICK_PARAMETERS = SslMatchParameters(send_models=False)
EPOCH_NS = 1_700_000_000 * NANOSECONDS_PER_SECOND


class SimulatedKicks:
    """
    A single ball on its course, and the packets that vision sends.

    Parameters
    ----------
    course : BallCourse
        Motion of the ball.
    parameters : SslMatchParameters
        The cameras and their errors; there are no robots, referee or other balls.
    duration : float
        Time for which the cameras capture frames [s].
    epoch_ns : int
        Start time [ns, unix time].

    Attributes
    ----------
    vision : VisionBroadcast
        The cameras, and the ground truth of their errors.

    """

    def __init__(
        self,
        course: BallCourse,
        parameters: SslMatchParameters,
        duration: float,
        epoch_ns: int = EPOCH_NS,
    ) -> None:
        self.course = course
        self.parameters = replace(parameters, balls=1)
        self.end_ns = to_nanoseconds(duration)
        self._epoch_ns = epoch_ns
        self._agenda = Agenda()
        self.vision = VisionBroadcast(self.parameters, course, self._agenda, epoch_ns, self.end_ns)

    def packets(self) -> Iterator[SentPacket]:
        """Yield all packets in the order of their arrival; can be used once."""
        return self._agenda.packets()

    def truth_at(self, capture_ns: int) -> MatchTruth:
        """
        Return the ground truth at a capture time [ns, clock of vision].

        A tracker cannot know the error of a capture time. Compare its estimate for a capture time
        with this truth, and not with `SentPacket.truth`, the truth at the time of exposure.
        """
        return self.course.advance(capture_ns - self._epoch_ns - self.vision.clock_ns)


def random_kicks(
    seed: int,
    plan: KickPlan = KICK_PLAN,
    deviations: KickDeviations = KICK_DEVIATIONS,
    parameters: SslMatchParameters = KICK_PARAMETERS,
) -> SimulatedKicks:
    """
    Draw the kicks and the constants of a single ball, and the errors of cameras and clock.

    Parameters
    ----------
    seed : int
        Seed of all draws; the same seed gives the same bytes.
    plan, deviations
        The kicks, and the deviations that a tracker does not know.
    parameters : SslMatchParameters
        All other parameters. Its seed and its deviations are ignored; its ball constants are the
        means of the drawn ones.

    """
    ball = _draw_ball(
        random_stream(seed, RandomStream.SIMULATED_KICKS, 0), parameters.ball, deviations
    )
    course, duration = _draw_course(
        random_stream(seed, RandomStream.SIMULATED_KICKS, 1), plan, ball
    )
    shared = {name: getattr(deviations, name) for name in CAMERA_DEVIATIONS}
    return SimulatedKicks(course, replace(parameters, seed=seed, ball=ball, **shared), duration)


def _draw_ball(
    random: np.random.Generator, ball: BallParameters, deviations: KickDeviations
) -> BallParameters:
    """Draw the constants of a ball within their limits."""
    drawn: dict[str, Any] = {}
    for item in fields(ball):
        if hasattr(deviations, item.name):
            value = getattr(ball, item.name) + getattr(deviations, item.name) * random.normal()
            low, high = item.metadata['minimum'], item.metadata['maximum']
            drawn[item.name] = float(max(low, min(high, value)))
    return replace(ball, **drawn)


def _draw_course(
    random: np.random.Generator, plan: KickPlan, ball: BallParameters
) -> tuple[BallCourse, float]:
    """Draw the kicks, and return the course and its duration [s]."""
    course, seconds = follow_kicks(_draw_position(random), (), ball), plan.lying
    for _ in range(plan.kicks):
        stamp_ns = to_nanoseconds(seconds)
        position = course.advance(stamp_ns).position
        velocity = _draw_kick(random, plan, position, ball.gravity)
        course = add_kick(course, stamp_ns, velocity, ball)
        seconds += _draw_time(random, course.legs[-1].trajectory)
    return course, seconds


def _draw_position(random: np.random.Generator) -> tuple[float, float]:
    """Draw a position on the field (x, y) [m]."""
    x, y = random.uniform(-0.5, 0.5, 2).tolist()
    return LENGTH * x, WIDTH * y


def _draw_kick(
    random: np.random.Generator, plan: KickPlan, position: Vector, gravity: float
) -> Vector:
    """Draw a kick velocity (x, y, z) [m/s] towards a position on the field; a chip lands on it."""
    x, y = np.subtract(_draw_position(random), position[:2]).tolist()
    speed, rise = random.uniform(*plan.speed), random.uniform(*plan.rise)
    distance = math.hypot(x, y)
    if random.random() < plan.chip_share:
        speed = min(speed, distance * -gravity / (2.0 * rise))
    else:
        rise = 0.0
    return speed * x / distance, speed * y / distance, rise


def _draw_time(random: np.random.Generator, trajectory: BallTrajectory) -> float:
    """Draw the time to the next kick [s]: after the ball rests, or before it leaves the field."""
    lying, cut = random.uniform(*LYING), random.uniform(*CUT)
    samples = trajectory.sample(math.inf, SAMPLING)
    outside = np.any(np.abs(samples.positions[:, :2]) > (LENGTH / 2, WIDTH / 2), axis=1)
    if not outside.any():
        return trajectory.rest_time + lying
    return _time_on_ground(trajectory, cut * float(samples.times[outside.argmax() - 1]))


def _time_on_ground(trajectory: BallTrajectory, time: float) -> float:
    """Return a time near `time` [s] at which the ball is on the ground and can be kicked."""
    segment = next(each for each in trajectory.segments if time < each.end)
    if segment.motion is not BallMotion.FLYING:
        return time
    return segment.start or segment.end
