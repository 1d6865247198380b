# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The state-transition model, to draw from: x' ~ p(x' | x, u), for any number of robots at once.

What happens in a step of length dt, in this order:

1. The velocity bias makes true velocities of commanded ones.
2. Robots get stuck and away again, at exact times; their clocks run, their wheels do not.
3. Some are kidnapped, at an exact time. Only the last kidnapping matters: the robot runs on from
   where it was put, and of what was before only the number of pebbles is drawn. Whoever was stuck
   stays so, as in LNPR.
4. For as long as each is free, it runs along exact arcs, from pebble to pebble.

As every event has its exact time or place, and as waiting times are exponential, two steps do
what one of the same length does: the law of the pose does not depend on how time is cut into
steps.
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

# Robots that are moved at once: more fill the processor's cache, and free so much memory that the
# allocator gives it back to the system; fewer are not worth the calls.
BLOCK = 25_000


@dataclass(frozen=True, slots=True, eq=False)
class MotionState:
    """
    Robots, and what of them lasts from step to step.

    Attributes
    ----------
    step : int
        How many steps have passed; draws depend on it.
    poses : array, shape (n, 3)
        x, y [m], theta [rad] in the map's frame, theta not wrapped.
    factors : array, shape (n, 2)
        Of the velocity bias, for nu and omega.
    stuck : array of bool, shape (n,)

    """

    step: int
    poses: Array
    factors: Array
    stuck: NDArray[np.bool_]

    def part(self, robots: slice) -> MotionState:
        """Look at some of the robots."""
        return MotionState(self.step, self.poses[robots], self.factors[robots], self.stuck[robots])


@dataclass(frozen=True, slots=True, eq=False)
class MotionTruth:
    """
    What was done to robots in a step, and by what.

    Attributes
    ----------
    velocities : array, shape (n, 2)
        True nu [m/s] and omega [rad/s] while a robot was free.
    causes : array of int, shape (n,)
        Labels, `ErrorCause` joined.
    standing : array, shape (n,)
        For how long it was stuck [s].
    kidnapped : array, shape (n,)
        When it was last kidnapped, from the beginning of the step [s]; NaN if it was not.
    pebbles : array of int, shape (n,)
        How many it met.

    """

    velocities: Array
    causes: NDArray[np.uint16]
    standing: Array
    kidnapped: Array
    pebbles: NDArray[np.uint32]

    def part(self, robots: slice) -> MotionTruth:
        """Look at some of the robots."""
        arrays = (getattr(self, item.name) for item in fields(self))
        return MotionTruth(*(array[robots] for array in arrays))


class Motion:
    """
    Moves robots as the sources of uncertainty that are on let them move.

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
        Put robots at poses (n, 3), free, and draw what is constant in a run.

        Raises
        ------
        InputError
            The poses have another shape, or are not finite.

        """
        rows = check_rows('poses', poses, 3).copy()
        count = len(rows)
        factors = self._bias.draw(draws, 0, count) if self._bias else np.ones((count, 2))
        return MotionState(0, rows, factors, np.zeros(count, dtype=np.bool_))

    def step(
        self, state: MotionState, commands: ArrayLike, dt: float, draws: Draws
    ) -> tuple[MotionState, MotionTruth]:
        """
        Let a step pass.

        Parameters
        ----------
        state : MotionState
        commands : array_like, shape (n, 2)
            nu [m/s], omega [rad/s], held for the step.
        dt : float
            How long it lasts [s].
        draws : Draws
            Those of the run.

        Returns
        -------
        state : MotionState
            The next one; the one given is left as it was.
        truth : MotionTruth

        Raises
        ------
        InputError
            The commands have another shape or are not finite; dt is not above 0, or so long that
            it should be cut.

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
            # Few robots are left of each block, and not worth its own calls.
            causes, pebbles = truth.causes, truth.pebbles
            pebbles += self._pebbles.run_on(poses, truth.velocities, join(stops))
            causes |= (pebbles > 0) * LABEL(ErrorCause.PEBBLE)
        return after, truth

    def _advance(
        self, before: MotionState, after: MotionState, truth: MotionTruth, dt: float, draws: Draws
    ) -> Stops | None:
        """Move a block of robots, up to the first pebble if they meet one; tell who is at one."""
        chosen, poses = self._carry(before.poses, truth.kidnapped, dt, after.step, draws)
        driven, moving = self._hold(before.stuck, after, truth, dt, draws)
        causes = truth.causes
        causes[:] = ErrorCause.VELOCITY_BIAS if self._bias else 0
        if self._stuck:
            causes |= (truth.standing > 0.0) * LABEL(ErrorCause.STUCK)
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
        """Kidnap robots: note when, NaN if not; tell whom, and where each begins the rest."""
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
        Stop robots, and note who is stuck and how long each stood.

        Tells how long each moves before it is kidnapped, if it is, and how long from then on.
        """
        since = np.fmax(truth.kidnapped, 0.0)
        if not self._stuck:
            after.stuck[:], truth.standing[:] = stuck, 0.0
            return since, dt - since
        still = self._stuck.advance(stuck, dt, after.step, draws)
        after.stuck[:], truth.standing[:] = still.stuck, still.standing(dt)
        driven = since - still.standing(since)
        # Rounding must not let a robot that stood all the time go back.
        return driven, np.maximum(dt - truth.standing - driven, 0.0)


def _take_memory(count: int) -> tuple[Array, NDArray[np.bool_], MotionTruth]:
    """
    Make arrays for poses, who is stuck, and the truth, to be filled.

    All floats are of one block. Allocators give the memory of many arrays, freed one by one, back
    to the system after each step, and to get it anew, cleared, takes a third of a step's time.
    """
    block = np.empty((7, count))
    truth = MotionTruth(
        velocities=block[3:5].reshape(count, 2),
        causes=np.empty(count, dtype=LABEL),
        standing=block[5],
        kidnapped=block[6],
        pebbles=np.zeros(count, dtype=np.uint32),
    )
    return block[:3].reshape(count, 3), np.empty(count, dtype=np.bool_), truth
