# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Single kicks by a robot under imperfect cameras, tracked from vision, with the true motion."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.kick_estimator import KickNumbering
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.values import MatchParameters
from world_model_core.match.vision_tracking import VisionTracking
from world_model_core.simulation.match.ball_course import BallCourse, follow_kicks
from world_model_core.simulation.match.field import LENGTH, WIDTH
from world_model_core.simulation.match.ground_truth import MatchTruth, RobotTruth, Vector
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.simulation.match.simulated_kicks import SimulatedKicks
from world_model_core.time import to_nanoseconds, to_seconds
from world_model_core.uncertainty.sensor_bias import PlaceBias
from world_model_core.uncertainty.sensor_noise import PlaceNoise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.match.ball.estimate import BallState, Kick

KICKER = RobotId(Team.BLUE, 5)
# Distance of the ball from the center of the robot that kicks it [m].
KICKING_DISTANCE = 0.105
KICKED, DURATION = 1.0, 3.0
# Angles of a chip above the carpet [rad] that chippers of the league reach.
STEEPNESS = math.radians(20.0), math.radians(60.0)
# Errors of the realistic recordings of the ER-Force simulator.
REALISTIC = SslMatchParameters(
    send_models=False,
    robots_hide_balls=False,
    noise=PlaceNoise(position_std=0.0014),
    bias=PlaceBias(position_std=0.02, position_fraction=0.002),
    camera_position_error=0.05,
    capture_delay=0.002,
)
NOISE_FREE = SslMatchParameters(robots_hide_balls=False, noise=PlaceNoise(0.0, 0.0))


@dataclass(frozen=True)
class KickerCourse(BallCourse):
    """The course of a ball, and the robot that kicked it."""

    kicker: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def advance(self, stamp_ns: int) -> MatchTruth:
        """Return the ground truth at a time [ns since the simulation began]."""
        x, y, heading = self.kicker
        robot = RobotTruth(KICKER, (x, y), heading, (0.0, 0.0), 0.0)
        return replace(super().advance(stamp_ns), robots=(robot,))


class KickSample(NamedTuple):
    """State and last kick published after a frame, `age` [s] after the true kick."""

    age: float
    truth: MatchTruth
    ball: BallState
    kick: Kick | None


def draw_velocity(
    random: np.random.Generator, rise: float, start: Vector, along_y: bool
) -> Vector:
    """Draw the velocity of a kick that rises at `rise` [m/s], 0 for a straight one."""
    while True:
        way = random.uniform(-math.pi, math.pi)
        if along_y:
            way = math.copysign(0.5 * math.pi, random.normal()) + random.uniform(-0.3, 0.3)
        speed = random.uniform(1.0, 6.0)
        if rise:
            speed = rise / math.tan(random.uniform(*STEEPNESS))
        x, y = speed * math.cos(way), speed * math.sin(way)
        flight = rise / 4.905 if rise else 0.3
        if abs(start[0] + flight * x) < LENGTH / 2 and abs(start[1] + flight * y) < WIDTH / 2:
            return x, y, rise


def simulate_kick(
    seed: int, rise: float, parameters: SslMatchParameters, *, both: bool = False
) -> SimulatedKicks:
    """
    Simulate one kick by a robot.

    Parameters
    ----------
    seed : int
    rise : float
        Vertical speed [m/s], 0 for a straight kick.
    parameters : SslMatchParameters
        Cameras and their errors.
    both : bool
        Whether both of two cameras see the start of the kick, or one.

    """
    random = np.random.default_rng(seed)
    x = random.uniform(-0.3, 0.3) if both else random.uniform(0.9, 4.0) * random.choice((-1, 1))
    start = float(x), float(random.uniform(-2.5, 2.5)), 0.0
    velocity = draw_velocity(random, rise, start, both)
    ball = replace(
        BallParameters(),
        damping_xy_first_hop=0.6 + 0.05 * random.normal(),
        damping_z=0.7 + 0.05 * random.normal(),
        slide_acceleration=-2.79 + 0.3 * random.normal(),
        roll_acceleration=-0.33 + 0.04 * random.normal(),
    )
    course = follow_kicks(start[:2], [(to_nanoseconds(KICKED), velocity)], ball)
    heading = math.atan2(velocity[1], velocity[0])
    place = (
        start[0] - KICKING_DISTANCE * math.cos(heading),
        start[1] - KICKING_DISTANCE * math.sin(heading),
    )
    kicked = KickerCourse(course.legs, (*place, heading))
    return SimulatedKicks(kicked, replace(parameters, seed=seed, ball=ball), DURATION)


def track_kick(run: SimulatedKicks, until: float = DURATION) -> Iterator[KickSample]:
    """Track a kick from its packets, and yield what is published after each frame."""
    tracking, numbering, kick = VisionTracking(MatchParameters()), KickNumbering(), None
    (true,) = run.course.kicks
    for sent in run.packets():
        if sent.packet.geometry is not None:
            tracking.update_geometry(sent.packet.geometry)
        if sent.packet.detection is None:
            continue
        _, update = tracking.update(sent.packet.detection)
        if update is None:
            continue
        if update.kick is not None:
            kick = numbering.numbered(update.kick) or kick
        truth = run.truth_at(update.state.stamp_ns)
        age = to_seconds(truth.stamp_ns - true.stamp_ns)
        if age > until:
            return
        yield KickSample(age, truth, update.state, kick if age > 0.0 else None)
