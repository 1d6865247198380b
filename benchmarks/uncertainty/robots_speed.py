# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed and memory of moving robots, compared with a plain loop over robots.

Both do the same work: events at their exact times, arcs between them, and a label of the causes.
The plain loop has one object per robot, its pose an array as in LNPR. It draws random numbers
from one numpy Generator when an event is due, so that each draw depends on all earlier ones. The
tight loop is the fastest that plain Python allows, with poses of three floats. The package uses
its reproducible draws.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.uncertainty.robots_comparison import (
    DT,
    NU,
    OMEGA,
    ROUNDS,
    Sizes,
    compare,
    describe,
)
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.motion_parameters import LECTURE, LNPR

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.uncertainty.motion_parameters import MotionParameters

SIZES = Sizes()
PRESETS = {'lecture': LECTURE, 'lnpr': LNPR}
# As plain numbers, so that the loop does not spend time on an enumeration's operators.
PEBBLE, VELOCITY_BIAS = ErrorCause.PEBBLE.value, ErrorCause.VELOCITY_BIAS.value
STUCK, KIDNAP = ErrorCause.STUCK.value, ErrorCause.KIDNAP.value


class PlainRobot:
    """One robot that moves from event to event; its pose is an array."""

    def __init__(self, parameters: MotionParameters, random: np.random.Generator) -> None:
        bias, pebbles = parameters.velocity_bias, parameters.pebbles
        self.random, self.parameters, self.pebbles = random, parameters, pebbles
        self.pose = np.zeros(3)
        self.nu_factor = random.normal(bias.nu_mean, bias.nu_std)
        self.omega_factor = random.normal(bias.omega_mean, bias.omega_std)
        self.until_pebble = random.exponential(1.0 / pebbles.rate)
        self.until_change = self.until_kidnap = math.inf
        self.is_stuck = False
        if parameters.stuck:
            self.until_change = random.exponential(parameters.stuck.mean_free)
        if parameters.kidnap:
            self.until_kidnap = random.exponential(parameters.kidnap.mean_interval)

    def step(self, nu: float, omega: float, dt: float) -> int:
        """Simulate a step and return the causes of its errors."""
        nu, omega = nu * self.nu_factor, omega * self.omega_factor
        causes = VELOCITY_BIAS
        path_speed = abs(nu) + self.pebbles.turning_radius * abs(omega)
        while True:
            causes |= STUCK if self.is_stuck else 0
            pebble = (
                math.inf if self.is_stuck or not path_speed else self.until_pebble / path_speed
            )
            span = min(dt, pebble, self.until_change, self.until_kidnap)
            if not self.is_stuck:
                self.move(nu, omega, span)
                self.until_pebble -= span * path_speed
            self.until_change -= span
            self.until_kidnap -= span
            if span == dt:
                return causes
            dt -= span
            causes |= self.meet(span == pebble)

    def move(self, nu: float, omega: float, dt: float) -> None:
        """Run along an arc."""
        theta = self.pose[2]
        if abs(omega) < 1e-10:
            movement = np.array((nu * math.cos(theta), nu * math.sin(theta), omega)) * dt
        else:
            end, radius = theta + omega * dt, nu / omega
            x = radius * (math.sin(end) - math.sin(theta))
            movement = np.array((x, radius * (math.cos(theta) - math.cos(end)), omega * dt))
        self.pose = self.pose + movement

    def meet(self, is_pebble: bool) -> int:
        """Apply the event that is due."""
        if is_pebble:
            self.until_pebble = self.random.exponential(1.0 / self.pebbles.rate)
            self.turn(self.random.normal(0.0, self.pebbles.heading_std))
            return PEBBLE
        if self.until_change <= 0.0:
            stuck = self.parameters.stuck
            self.is_stuck = not self.is_stuck
            mean = stuck.mean_stuck if self.is_stuck else stuck.mean_free
            self.until_change = self.random.exponential(mean)
            return 0
        kidnap = self.parameters.kidnap
        self.until_kidnap = self.random.exponential(kidnap.mean_interval)
        self.put(
            self.random.uniform(kidnap.x_low, kidnap.x_high),
            self.random.uniform(kidnap.y_low, kidnap.y_high),
            self.random.uniform(kidnap.theta_low, kidnap.theta_high),
        )
        return KIDNAP

    def turn(self, angle: float) -> None:
        """Turn on the spot."""
        self.pose[2] += angle

    def put(self, x: float, y: float, theta: float) -> None:
        """Set the pose."""
        self.pose = np.array((x, y, theta))


class TightRobot(PlainRobot):
    """One robot whose pose is three floats."""

    x = y = theta = 0.0

    def move(self, nu: float, omega: float, dt: float) -> None:
        """Run along an arc."""
        theta = self.theta
        if abs(omega) < 1e-10:
            self.x += nu * math.cos(theta) * dt
            self.y += nu * math.sin(theta) * dt
            return
        end, radius = theta + omega * dt, nu / omega
        self.x += radius * (math.sin(end) - math.sin(theta))
        self.y += radius * (math.cos(theta) - math.cos(end))
        self.theta = end

    def turn(self, angle: float) -> None:
        """Turn on the spot."""
        self.theta += angle

    def put(self, x: float, y: float, theta: float) -> None:
        """Set the pose."""
        self.x, self.y, self.theta = x, y, theta


def measure(rounds: int = ROUNDS, sizes: Sizes = SIZES) -> dict[str, Any]:
    """Time steps of package and loops."""
    return {
        **describe(sizes),
        'motion': {
            name: compare(preset, None, _loops(preset, sizes.loop_robots), sizes, rounds)
            for name, preset in PRESETS.items()
        },
    }


def _loops(parameters: MotionParameters, count: int) -> dict[str, Callable[[], None]]:
    """Make both loops over a number of robots."""
    return {
        'plain loop': _loop(PlainRobot, parameters, count),
        'tight loop': _loop(TightRobot, parameters, count),
    }


def _loop(kind: type[PlainRobot], parameters: MotionParameters, count: int) -> Callable[[], None]:
    """Make a loop over robots of a kind."""
    random = np.random.default_rng(1)
    robots = [kind(parameters, random) for _ in range(count)]

    def step() -> None:
        for robot in robots:
            robot.step(NU, OMEGA, DT)

    return step
