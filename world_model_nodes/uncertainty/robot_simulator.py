# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that simulates robots with noisy motion and sensing and publishes the ground truth."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from rclpy.clock import Clock, ClockType

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.simulation.simulated_time import Timeline
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds
from world_model_core.uncertainty.error_causes import LABEL
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.followed_clock import FollowedClock
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.simulated_clock import SimulatedClock
from world_model_nodes.runtime.step_budget import StepBudget
from world_model_nodes.uncertainty.robot_diagnostics import FleetReport
from world_model_nodes.uncertainty.robot_publishers import RobotPublishers, robot_name
from world_model_nodes.uncertainty.robot_simulator_config import RobotSimulatorConfig

if TYPE_CHECKING:
    from geometry_msgs.msg import Twist

# Publishing very many robots takes a second; services must not wait for several messages.
BURST = 2


class RobotSimulator(AcquiringNode):
    """Simulates a fleet: configured, robots stand at the origin; active, they drive."""

    config_type = RobotSimulatorConfig
    changeable = ('speed',)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('robot_simulator', **kwargs)
        self._fleet: RobotFleet | None = None
        self._simulated: SimulatedClock | FollowedClock | None = None
        self._stamp_ns = 0
        self._active = False
        self._malformed = 0
        self._failure = ''
        self._record = FleetReport()
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Create the fleet, its topics and its clock."""
        config = self.config
        if config.publish_clock and self.get_parameter('use_sim_time').value:
            raise ConfigurationError(
                'publish_clock and use_sim_time are both true; a node that publishes /clock '
                'cannot follow it: one of them must be false'
            )
        motion, observation = config.error_models()
        self._fleet = RobotFleet(
            motion,
            observation,
            config.places(),
            (config.nu, config.omega),
            count=config.robots,
            seed=config.seed,
        )
        self._causes = np.zeros(config.robots, dtype=LABEL)
        self._budget = StepBudget()
        frames = config.frames(self.get_namespace())
        self._topics = RobotPublishers(
            self, config.robots, frames, observation.noise, self._command
        )
        self._simulated = self._make_clock()

    def start(self) -> None:
        """Start the clock."""
        self._active = True
        if isinstance(self._simulated, SimulatedClock):
            epoch_ns = Clock(clock_type=ClockType.SYSTEM_TIME).now().nanoseconds
            timeline = Timeline(to_seconds(epoch_ns), self.config.dt)
            self._reset(timeline.at(0))
            self._simulated.load(timeline)
        if self._simulated is not None:
            self._simulated.run()

    def stop(self) -> None:
        """Stop the clock."""
        self._active = False
        if self._simulated is not None:
            self._simulated.halt()

    def change(self) -> None:
        """Change the speed."""
        if self._simulated is not None:
            self._simulated.change_speed(self.config.speed)

    def release(self) -> None:
        """Destroy the fleet, its topics and its clock."""
        if self._simulated is not None:
            self._simulated.close()
        self._simulated = self._fleet = None
        self._topics.close()

    def _make_clock(self) -> SimulatedClock | FollowedClock:
        config = self.config
        if config.publish_clock:
            return SimulatedClock(
                self,
                self._advance,
                self._reset,
                config.speed,
                config.clock_rate,
                burst=BURST,
                listeners=config.listeners,
                budget=self._budget,
                on_substep=self._step_to,
            )
        return FollowedClock(
            self,
            config.dt,
            config.clock_rate,
            on_time=self._advance,
            on_reset=self._reset,
            on_substep=self._step_to,
            on_skip=self._skip,
            budget=self._budget,
        )

    def _reset(self, start_ns: int) -> None:
        """Reset the run, starting at a time [ns]."""
        if self._fleet is None:
            return
        self._fleet.reset()
        self._record.begin()
        self._causes[:] = 0
        self._stamp_ns, self._failure = start_ns, ''
        if self._active:
            self._topics.publish_landmarks(self._fleet.landmarks, start_ns)
        if self._active and self.config.place_odom:
            self._topics.place(start_ns)

    def _skip(self, stamp_ns: int) -> None:
        """Jump to a later time [ns] without moving the robots."""
        self._stamp_ns = stamp_ns

    def _advance(self, stamp_ns: int) -> str:
        """Step to a time [ns] and publish; return the error, or an empty string."""
        self._step_to(stamp_ns)
        if self._fleet is not None and not self._failure and self.context.ok():
            self._topics.publish(self._fleet, self._causes, stamp_ns)
            self._causes[:] = 0
        return self._failure

    def _step_to(self, stamp_ns: int) -> None:
        """Take all steps up to a time [ns], unless an error stopped the simulation."""
        steps = round((stamp_ns - self._stamp_ns) / (self.config.dt * NANOSECONDS_PER_SECOND))
        self._stamp_ns = stamp_ns
        if self._fleet is None or self._failure:
            return
        try:
            self._take(self._fleet, steps)
        except WorldModelError as error:
            self._fail(f'{error}; the simulation is stopped')

    def _take(self, fleet: RobotFleet, steps: int) -> None:
        """Take a number of steps until shutdown, and measure their duration."""
        begun = monotonic()
        for _ in range(steps):
            if not self.context.ok():
                return
            step = fleet.step(self.config.dt)
            self._record.add(step)
            self._causes |= step.motion.causes
        if steps:
            self._budget.measure(steps, monotonic() - begun)

    def _fail(self, reason: str) -> None:
        """Stop the simulation and log the error."""
        self.get_logger().error(reason, throttle_duration_sec=10.0)
        self._failure = reason

    def _command(self, robot: int, message: Twist) -> None:
        """Apply a command; count and log an invalid one."""
        if self._fleet is None:
            return
        try:
            self._fleet.command(robot, message.linear.x, message.angular.z, self.config.dt)
            self._failure = ''
        except WorldModelError as error:
            self._malformed += 1
            self.get_logger().warning(
                f'{robot_name(robot)}/cmd_vel: {error}', throttle_duration_sec=10.0
            )

    def _report(self) -> Report:
        if self._fleet is None or self._simulated is None:
            return Report(warnings=('not configured',))
        clock = self._simulated.report() if self._active else Report(warnings=('not active',))
        errors = (*clock.errors, self._failure) if self._failure else clock.errors
        return self._record.make(self._fleet, self._malformed, errors, clock.warnings)


def main() -> None:
    """Run the node."""
    run(RobotSimulator)
