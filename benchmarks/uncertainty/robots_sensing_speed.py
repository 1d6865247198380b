# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of observing three landmarks, compared with a plain loop over robots.

Both do the same work: the error sources of a preset, in its order, and a label of the causes for
each reading. The plain loop has one object per robot, which keeps poses, landmarks and readings
as arrays, as LNPR does, and draws random numbers from one numpy Generator when it needs them. The
tight loop is the fastest that plain Python allows, with floats. The package uses its reproducible
draws. 'Motion and observation' adds the steps of benchmarks/uncertainty/robots_speed.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.uncertainty.robots_comparison import (
    DT,
    LANDMARKS,
    NU,
    OMEGA,
    ROUNDS,
    Sizes,
    compare,
    describe,
    scatter,
)
from benchmarks.uncertainty.robots_speed import PlainRobot, TightRobot
from world_model_core.uncertainty import motion_parameters, observation_parameters
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.observation_parameters import ErrorOrder

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

SIZES = Sizes()
PRESETS = {
    'lecture': (motion_parameters.LECTURE, observation_parameters.LECTURE),
    'lnpr': (motion_parameters.LNPR, observation_parameters.LNPR),
}
# As plain numbers, so that the loop does not spend time on an enumeration's operators.
OUT_OF_VIEW, MISSED_DETECTION = ErrorCause.OUT_OF_VIEW.value, ErrorCause.MISSED_DETECTION.value
CLUTTER, OCCLUSION = ErrorCause.CLUTTER.value, ErrorCause.OCCLUSION.value
ALWAYS = ErrorCause.NOISE.value | ErrorCause.BIAS.value

Reading = tuple[float, float, int]


class TightCamera:
    """The sensor of one robot, computed with floats."""

    def __init__(self, parameters: ObservationParameters, random: np.random.Generator) -> None:
        self.random, self.view, self.noise = random, parameters.field_of_view, parameters.noise
        self.clutter, self.missed_detection = (
            parameters.clutter,
            parameters.missed_detection.probability,
        )
        self.occlusion = parameters.occlusion.probability
        self.is_lecture = parameters.order is ErrorOrder.LECTURE
        self.part = random.normal(0.0, parameters.bias.range_fraction)
        self.turn = random.normal(0.0, parameters.bias.bearing_std)
        self.landmarks: Any = LANDMARKS.tolist()

    def observe(self, x: float, y: float, theta: float) -> list[Reading]:
        """Observe all landmarks: range, bearing and label."""
        return [self.read(x, y, theta, *landmark) for landmark in self.landmarks]

    def read(self, x: float, y: float, theta: float, to_x: float, to_y: float) -> Reading:
        """Observe one landmark."""
        random, clutter, causes = self.random, self.clutter, 0
        if clutter.probability and random.random() < clutter.probability:
            to_x = random.uniform(clutter.x_low, clutter.x_high)
            to_y = random.uniform(clutter.y_low, clutter.y_high)
            causes = CLUTTER
        distance, bearing = self.measure(x, y, theta, to_x, to_y)
        if not self.is_lecture:
            distance, causes = self.occlude(distance, causes)
        view = self.view
        if not (view.near <= distance <= view.far and abs(bearing) <= view.half_angle):
            return math.nan, math.nan, causes | OUT_OF_VIEW
        if random.random() < self.missed_detection:
            return math.nan, math.nan, causes | MISSED_DETECTION
        return self.err(distance, bearing, causes | ALWAYS)

    def measure(
        self, x: float, y: float, theta: float, to_x: float, to_y: float
    ) -> tuple[float, float]:
        """Find where a landmark is."""
        dx, dy = to_x - x, to_y - y
        bearing = math.atan2(dy, dx) - theta
        bearing = (bearing + math.pi) % (2.0 * math.pi) - math.pi
        return math.sqrt(dx * dx + dy * dy), bearing

    def err(self, distance: float, bearing: float, causes: int) -> Reading:
        """Add bias and noise."""
        biased = distance * (1.0 + self.part)
        scale = distance if self.is_lecture else biased
        read = self.random.normal(biased, self.noise.range_fraction * abs(scale))
        bearing = self.random.normal(bearing + self.turn, self.noise.bearing_std)
        if self.is_lecture:
            read, causes = self.occlude(read, causes)
        return read, bearing, causes

    def occlude(self, distance: float, causes: int) -> tuple[float, int]:
        """Increase a range with the probability of occlusion."""
        if not self.occlusion or self.random.random() >= self.occlusion:
            return distance, causes
        if distance >= self.view.far:
            return distance, causes
        return self.random.uniform(distance, self.view.far), causes | OCCLUSION


class PlainCamera(TightCamera):
    """The sensor of one robot, computed with arrays as in LNPR."""

    def __init__(self, parameters: ObservationParameters, random: np.random.Generator) -> None:
        super().__init__(parameters, random)
        self.landmarks = LANDMARKS

    def measure(
        self, x: float, y: float, theta: float, to_x: float, to_y: float
    ) -> tuple[float, float]:
        """Find where a landmark is."""
        difference = np.array((to_x, to_y)) - np.array((x, y))
        bearing = math.atan2(difference[1], difference[0]) - theta
        bearing = (bearing + math.pi) % (2.0 * math.pi) - math.pi
        return math.hypot(*difference), bearing


def place(robot: PlainRobot) -> tuple[float, float, float]:
    """Return the pose of a robot of the loop."""
    if isinstance(robot, TightRobot):
        return robot.x, robot.y, robot.theta
    x, y, theta = robot.pose
    return x, y, theta


def measure(rounds: int = ROUNDS, sizes: Sizes = SIZES) -> dict[str, Any]:
    """Time package and loops, with and without motion."""
    alone = {name: _compare(None, sensor, sizes, rounds) for name, (_, sensor) in PRESETS.items()}
    both = {name: _compare(*presets, sizes, rounds) for name, presets in PRESETS.items()}
    return {
        **describe(sizes),
        'landmarks': len(LANDMARKS),
        'observation': alone,
        'motion and observation': both,
    }


def _compare(
    motion: MotionParameters | None, sensor: ObservationParameters, sizes: Sizes, rounds: int
) -> dict[str, float]:
    """Compare the package with the loops for one preset."""
    loops = {
        'plain loop': _loop(PlainRobot, PlainCamera, motion, sensor, sizes.loop_robots),
        'tight loop': _loop(TightRobot, TightCamera, motion, sensor, sizes.loop_robots),
    }
    return compare(motion, sensor, loops, sizes, rounds)


def _loop(
    robot: type[PlainRobot],
    camera: type[TightCamera],
    motion: MotionParameters | None,
    sensor: ObservationParameters,
    count: int,
) -> Callable[[], None]:
    """Make a loop over robots of a kind, each with a sensor."""
    random, poses = np.random.default_rng(1), scatter(count).tolist()
    cameras = [camera(sensor, random) for _ in range(count)]
    if motion is None:

        def observe() -> None:
            for each, pose in zip(cameras, poses, strict=True):
                each.observe(*pose)

        return observe
    robots = [robot(motion, random) for _ in range(count)]
    for each, pose in zip(robots, poses, strict=True):
        each.put(*pose)

    def step() -> None:
        for each, sensing in zip(robots, cameras, strict=True):
            each.step(NU, OMEGA, DT)
            sensing.observe(*place(each))

    return step
