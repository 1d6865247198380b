# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lone balls under imperfect cameras, for trackers to be tested on the truth by the hundred."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.match.ball.motion_segment import BallMotion
from world_model_core.parameters import group
from world_model_core.simulation.match.ball_course import BallCourse, follow_kicks, kick_on
from world_model_core.simulation.match.field import LENGTH, WIDTH
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.simulation.match.vision_broadcast import Agenda, SentPacket, VisionBroadcast
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds
from world_model_core.uncertainty.sensor_bias import PlaceBias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.match.ball.parameters import BallParameters
    from world_model_core.match.ball.trajectory import BallTrajectory
    from world_model_core.simulation.match.ground_truth import MatchTruth, Vector

# A ball that is still on its way is kicked after this part of its time on the field, one that
# comes to rest is left lying for so long [s].
CUT, LYING = (0.4, 0.9), (0.3, 1.0)
CAMERA_DEVIATIONS = ('bias', 'camera_position_error', 'capture_delay')
# How densely it is looked up whether a ball is still on the field [s].
SAMPLING = 0.02


@dataclass(frozen=True, slots=True)
class KickDeviations:
    """
    Standard deviations of what a tracker does not know, all drawn anew for each seed.

    Parameters
    ----------
    bias : PlaceBias
        Of each camera: the realistic recordings of the ER-Force simulator have offsets of 0.02 m.
    camera_position_error : float
        By camera and axis [m]: there, positions are up to 0.1 m wrong.
    capture_delay : float
        Of all cameras together [s].
    slide_acceleration, roll_acceleration : float
        [m/s^2]; fields and trackers differ by 0.3 and 0.04.
    switch_ratio, damping_xy_first_hop, damping_xy_other_hops, damping_z : float
        Likewise, 0.03 and 0.1 or so.

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
# Noise alone: cameras, clocks and the ball's constants are as everyone believes.
EXACT = KickDeviations(PlaceBias(), *(0.0,) * (len(fields(KickDeviations)) - 1))


@dataclass(frozen=True, slots=True)
class KickPlan:
    """
    What is done with the ball, which is kicked on, or the run over, before it leaves the field.

    Parameters
    ----------
    kicks : int
        How many.
    chip_share : float
        RandomStream of the kicks that are chips, 0 to 1.
    lying : float
        How long the ball lies before the first kick [s].
    speed, rise : tuple of float
        Least and largest speed along the carpet, and upwards of chips [m/s]; a chip is slower
        if it would land beyond the field.

    """

    kicks: int = 3
    chip_share: float = 0.3
    lying: float = 1.0
    speed: tuple[float, float] = (0.5, 5.5)
    rise: tuple[float, float] = (1.2, 3.4)


KICK_PLAN = KickPlan()
# The ball's constants are not on the wire, for they would be the drawn ones.
KICK_PARAMETERS = SslMatchParameters(send_models=False)
EPOCH_NS = 1_700_000_000 * NANOSECONDS_PER_SECOND


class SimulatedKicks:
    """
    A lone ball on a course, and the packets that vision sends of it.

    Parameters
    ----------
    course : BallCourse
        Where the ball is, at any instant.
    parameters : SslMatchParameters
        The cameras and their errors; of players, referees and other balls there are none.
    duration : float
        How long pictures are taken [s].
    epoch_ns : int
        When it begins [ns, unix time of the system's clock].

    Attributes
    ----------
    vision : VisionBroadcast
        The cameras, and the truth about their errors.

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
        """Yield packets in the order of their arrival, once, to the last."""
        return self._agenda.packets()

    def truth_at(self, capture_ns: int) -> MatchTruth:
        """
        Tell what is so at the instant that vision means by a t_capture [ns].

        A tracker cannot know that t_capture is late or early, so this is what its estimate for
        t_capture is to be compared with, and not `SentPacket.truth`, which is what the camera saw.
        """
        return self.course.advance(capture_ns - self._epoch_ns - self.vision.clock_ns)


def random_kicks(
    seed: int,
    plan: KickPlan = KICK_PLAN,
    deviations: KickDeviations = KICK_DEVIATIONS,
    parameters: SslMatchParameters = KICK_PARAMETERS,
) -> SimulatedKicks:
    """
    Draw a lone ball's kicks, its constants, and the errors of cameras and clock.

    Parameters
    ----------
    seed : int
        Of everything drawn; same seed, same bytes.
    plan, deviations
        What to do, and what a tracker does not know of it.
    parameters : SslMatchParameters
        All else; its seed and the deviations in it count for nothing, its ball's constants are
        the means of those drawn.

    """
    ball = _draw_ball(random_stream(seed, RandomStream.SHOTS, 0), parameters.ball, deviations)
    course, duration = _draw_course(random_stream(seed, RandomStream.SHOTS, 1), plan, ball)
    shared = {name: getattr(deviations, name) for name in CAMERA_DEVIATIONS}
    return SimulatedKicks(course, replace(parameters, seed=seed, ball=ball, **shared), duration)


def _draw_ball(
    random: np.random.Generator, ball: BallParameters, deviations: KickDeviations
) -> BallParameters:
    """Draw a ball's constants within their limits."""
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
    """Draw the kicks, and when it is over [s]."""
    course, seconds = follow_kicks(_draw_place(random), (), ball), plan.lying
    for _ in range(plan.kicks):
        stamp_ns = to_nanoseconds(seconds)
        position = course.advance(stamp_ns).position
        velocity = _draw_kick(random, plan, position, ball.gravity)
        course = kick_on(course, stamp_ns, velocity, ball)
        seconds += _draw_time(random, course.legs[-1].trajectory)
    return course, seconds


def _draw_place(random: np.random.Generator) -> tuple[float, float]:
    """Choose a place on the field (x, y) [m]."""
    x, y = random.uniform(-0.5, 0.5, 2).tolist()
    return LENGTH * x, WIDTH * y


def _draw_kick(
    random: np.random.Generator, plan: KickPlan, position: Vector, gravity: float
) -> Vector:
    """Choose a velocity (x, y, z) [m/s] towards some place on the field, chips to land there."""
    x, y = np.subtract(_draw_place(random), position[:2]).tolist()
    speed, rise = random.uniform(*plan.speed), random.uniform(*plan.rise)
    distance = math.hypot(x, y)
    if random.random() < plan.chip_share:
        speed = min(speed, distance * -gravity / (2.0 * rise))
    else:
        rise = 0.0
    return speed * x / distance, speed * y / distance, rise


def _draw_time(random: np.random.Generator, trajectory: BallTrajectory) -> float:
    """Choose how long a ball goes its way: a while after its rest, else to before the line."""
    lying, cut = random.uniform(*LYING), random.uniform(*CUT)
    samples = trajectory.sample(math.inf, SAMPLING)
    outside = np.any(np.abs(samples.positions[:, :2]) > (LENGTH / 2, WIDTH / 2), axis=1)
    if not outside.any():
        return trajectory.rest_time + lying
    return _find_ground(trajectory, cut * float(samples.times[outside.argmax() - 1]))


def _find_ground(trajectory: BallTrajectory, time: float) -> float:
    """Find when a ball that is kicked about now [s] lies or bounces: nobody kicks it in flight."""
    segment = next(each for each in trajectory.segments if time < each.end)
    if segment.motion is not BallMotion.FLYING:
        return time
    return segment.start or segment.end
