# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Many steps of a paused world, a few at a time, so that other callbacks run in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType
from rclpy.task import Future

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.simulation_state import check_paused

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_nodes.virtual_world.running_world import RunningWorld

# Time between two groups of steps [s].
PERIOD = 0.0001


class StepError(WorldModelError):
    """Steps cannot be taken, or not all of them."""


class SteppedRun:
    """
    Takes steps; only one run at a time.

    Parameters
    ----------
    node : Node
    world : RunningWorld

    """

    def __init__(self, node: Node, world: RunningWorld) -> None:
        self._node, self._world = node, world
        self._future: Future | None = None
        self._steps = self._taken = 0
        self._on_step: Callable[[int], bool] | None = None
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self._take_some, clock=steady)
        self._timer.cancel()

    async def take(self, steps: int, on_step: Callable[[int], bool] | None = None) -> int:
        """
        Take steps, and return their number.

        Parameters
        ----------
        steps : int
        on_step : callable, optional
            Called with the number of steps taken after each of them, when its messages have been
            sent; returns False to end the run. Without it the steps are taken in groups, and
            messages are sent after each group.

        Raises
        ------
        NoWorldError, NotPausedError
            The simulation is not paused, or did not stay so.
        StepError
            Another run is not finished, or the physics failed.

        """
        check_paused(self._world.state)
        if self._future is not None:
            raise StepError(f'{self._steps - self._taken} requested steps are not yet taken')
        if steps == 0:
            return 0
        self._steps, self._taken, self._on_step = steps, 0, on_step
        self._future = Future(executor=self._node.executor)
        self._timer.reset()
        try:
            await self._future
        finally:
            self._future = None
        return self._taken

    def close(self) -> None:
        """Destroy the timer."""
        self._node.destroy_timer(self._timer)

    def _take_some(self) -> None:
        if self._future is None or self._future.done():
            return
        try:
            goes_on = self._take_group()
        except WorldModelError as error:
            self._timer.cancel()
            self._future.set_exception(error)
            return
        if not goes_on:
            self._timer.cancel()
            self._future.set_result(None)

    def _take_group(self) -> bool:
        """Take the steps that fit into one callback; return whether there are more."""
        check_paused(self._world.state)
        left = self._steps - self._taken
        count = min(left, self._world.budget.steps) if self._on_step is None else 1
        outcome = self._world.clock.step(count)
        if not outcome.success:
            raise StepError(f'{self._taken} steps were taken: {outcome.message}')
        self._taken += count
        goes_on = self._on_step is None or self._on_step(self._taken)
        return goes_on and self._taken < self._steps
