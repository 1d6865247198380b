# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
State-transition model for sampling: x' ~ p(x' | x, u), for any number of robots at once.

Order of the error sources in a step of length dt:

1. The velocity bias converts commands to true velocities.
2. Robots get stuck and free again, at exact times.
3. Some robots are kidnapped, at an exact time. Only the last kidnapping matters: the robot drives
   on from its new pose, and only the number of pebbles is drawn for the time before. A stuck robot
   stays stuck, as in LNPR.
4. While it is free, a robot drives along exact arcs, from pebble to pebble.

Every event has its exact time or position, and waiting times are exponential, so the distribution
of the pose does not depend on how time is divided into steps.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.uncertainty.error_causes import LABEL, ErrorCause
from world_model_core.uncertainty.input_checks import check_rows, check_step
from world_model_core.uncertainty.kidnapping import FREE, Kidnap
from world_model_core.uncertainty.pebble_noise import Pebbles, Stops, join
from world_model_core.uncertainty.stuck_robots import Stuck
from world_model_core.uncertainty.unicycle import move
from world_model_core.uncertainty.velocity_bias import VelocityBias

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.random_draws import ChosenRobots, Draws

__all__ = ['Motion', 'MotionState', 'MotionTruth']

# Robots moved at once: more exceed the cache of the processor, and free so much memory that the
# allocator returns it to the system; fewer cost too many calls.
BLOCK = 25_000


@dataclass(frozen=True, slots=True, eq=False)
class MotionState:
    """
    Poses of robots, and the state of the error sources.

    Attributes
    ----------
    step : int
        Number of steps so far; draws depend on it.
    poses : array, shape (n, 3)
        x, y [m], theta [rad] in the map frame, theta not wrapped.
    factors : array, shape (n, 2)
        Factors of nu and omega of the velocity bias.
    stuck : array of bool, shape (n,)

    """

    step: int
    poses: Array
    factors: Array
    stuck: NDArray[np.bool_]

    def part(self, robots: slice) -> MotionState:
        """Return a view of some of the robots."""
        return MotionState(self.step, self.poses[robots], self.factors[robots], self.stuck[robots])


@dataclass(frozen=True, slots=True, eq=False)
class MotionTruth:
    """
    Ground truth of a step: velocities and error causes.

    Attributes
    ----------
    velocities : array, shape (n, 2)
        True nu [m/s] and omega [rad/s] while a robot was free.
    causes : array of int, shape (n,)
        Bit mask of `ErrorCause`.
    time_stuck : array, shape (n,)
        Time that the robot was stuck [s].
    kidnapped : array, shape (n,)
        Time of the last kidnapping from the start of the step [s]; NaN without one.
    pebbles : array of int, shape (n,)
        Number of pebbles met.

    """

    velocities: Array
    causes: NDArray[np.uint16]
    time_stuck: Array
    kidnapped: Array
    pebbles: NDArray[np.uint32]

    def part(self, robots: slice) -> MotionTruth:
        """Return a view of some of the robots."""
        arrays = (getattr(self, item.name) for item in fields(self))
        return MotionTruth(*(array[robots] for array in arrays))


class Motion:
    """
    Samples the motion of robots with all error sources that are on.

    Parameters
    ----------
    parameters : MotionParameters

    """

    def __init__(self, parameters: MotionParameters) -> None:
        bias, stuck = parameters.velocity_bias, parameters.stuck
        kidnap, pebbles = parameters.kidnap, parameters.pebbles
        self._bias = VelocityBias(bias) if bias else None
        self._stuck = Stuck(stuck) if stuck else None
        self._kidnap = Kidnap(kidnap) if kidnap else None
        self._pebbles = Pebbles(pebbles) if pebbles else None

    def begin(self, poses: ArrayLike, draws: Draws) -> MotionState:
        """
        Return free robots at poses (n, 3), and draw what is constant in a run.

        Raises
        ------
        InputError
            The shape of the poses is wrong, or a value is not finite.

        """
        rows = check_rows('poses', poses, 3).copy()
        count = len(rows)
        factors = self._bias.draw(draws, 0, count) if self._bias else np.ones((count, 2))
        return MotionState(0, rows, factors, np.zeros(count, dtype=np.bool_))

    def step(
        self, state: MotionState, commands: ArrayLike, dt: float, draws: Draws
    ) -> tuple[MotionState, MotionTruth]:
        """
        Sample a step.

        Parameters
        ----------
        state : MotionState
        commands : array_like, shape (n, 2)
            nu [m/s], omega [rad/s], constant in the step.
        dt : float
            Length of the step [s].
        draws : Draws
            Draws of the run.

        Returns
        -------
        state : MotionState
            The next state; the given one is not changed.
        truth : MotionTruth

        Raises
        ------
        InputError
            The shape of the commands is wrong or a value is not finite; dt is not above 0 or is
            too long.

        """
        check_step(dt)
        count, step = len(state.poses), state.step + 1
        rows = check_rows('commands', commands, 2, count)
        poses, stuck, truth = _take_memory(count)
        np.multiply(rows, state.factors, out=truth.velocities)
        after = MotionState(step, poses, state.factors, stuck)
        stops: list[tuple[int, Stops]] = []
        for first in range(0, count, BLOCK):
            block, own = slice(first, first + BLOCK), draws.beginning_with(first)
            parts = (state.part(block), after.part(block), truth.part(block))
            stop = self._advance(*parts, dt, own)
            if stop:
                stops.append((first, stop))
        if self._pebbles and stops:
            # Few robots of each block have met a pebble: one call for all blocks.
            causes, pebbles = truth.causes, truth.pebbles
            pebbles += self._pebbles.run_on(poses, truth.velocities, join(stops))
            causes |= (pebbles > 0) * LABEL(ErrorCause.PEBBLE)
        return after, truth

    def _advance(
        self, before: MotionState, after: MotionState, truth: MotionTruth, dt: float, draws: Draws
    ) -> Stops | None:
        """Move a block of robots up to the first pebble; return those that have met one."""
        chosen, poses = self._carry(before.poses, truth.kidnapped, dt, after.step, draws)
        driven, moving = self._hold(before.stuck, after, truth, dt, draws)
        causes = truth.causes
        causes[:] = ErrorCause.VELOCITY_BIAS if self._bias else 0
        if self._stuck:
            causes |= (truth.time_stuck > 0.0) * LABEL(ErrorCause.STUCK)
        if self._kidnap:
            causes |= ~np.isnan(truth.kidnapped) * LABEL(ErrorCause.KIDNAP)
        if self._pebbles:
            if chosen:
                rows = chosen.robots
                truth.pebbles[rows] = self._pebbles.count(
                    truth.velocities[rows], driven[rows], chosen, FREE
                )
            return self._pebbles.reach(
                poses, truth.velocities, moving, after.step, draws, out=after.poses
            )
        move(poses, truth.velocities, moving, after.poses)
        return None

    def _carry(
        self, poses: Array, kidnapped: Array, dt: float, step: int, draws: Draws
    ) -> tuple[ChosenRobots | None, Array]:
        """Kidnap robots: store the times; return the robots and the poses to continue from."""
        kidnapped[:] = np.nan
        if not self._kidnap:
            return None, poses
        chosen, times, places = self._kidnap.draw(draws, step, dt, len(poses))
        kidnapped[chosen.robots] = times
        poses = poses.copy()
        poses[chosen.robots] = places
        return chosen, poses

    def _hold(
        self,
        stuck: NDArray[np.bool_],
        after: MotionState,
        truth: MotionTruth,
        dt: float,
        draws: Draws,
    ) -> tuple[Array, Array]:
        """
        Stop stuck robots, and store who is stuck and for how long.

        Returns how long each robot moves before and after a kidnapping [s].
        """
        since = np.fmax(truth.kidnapped, 0.0)
        if not self._stuck:
            after.stuck[:], truth.time_stuck[:] = stuck, 0.0
            return since, dt - since
        still = self._stuck.advance(stuck, dt, after.step, draws)
        after.stuck[:], truth.time_stuck[:] = still.stuck, still.time_stuck(dt)
        driven = since - still.time_stuck(since)
        # Rounding must not move a robot that was stuck all the time backwards.
        return driven, np.maximum(dt - truth.time_stuck - driven, 0.0)


def _take_memory(count: int) -> tuple[Array, NDArray[np.bool_], MotionTruth]:
    """
    Allocate arrays for the poses, the stuck flags and the ground truth.

    All floats share one block: allocators return the memory of many arrays to the system after
    each step, and getting it back, cleared, takes a third of the time of a step.
    """
    block = np.empty((7, count))
    truth = MotionTruth(
        velocities=block[3:5].reshape(count, 2),
        causes=np.empty(count, dtype=LABEL),
        time_stuck=block[5],
        kidnapped=block[6],
        pebbles=np.zeros(count, dtype=np.uint32),
    )
    return block[:3].reshape(count, 3), np.empty(count, dtype=np.bool_), truth
