# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Balls that a simulator was told to kick: where they really were, as laws of motion.

What was commanded is known; when it was done, how the carpet slows the ball and how far off the
cameras are is fitted to the recording. Only differences between cameras show: the mean over them
is taken as zero.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.match.ball.motion_segment import Motion, MotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.parameters import BallParameters
    from world_model_core.match.ball.trajectory import BallTrajectory

# No clock shows more [s]: nanoseconds fit into 64 bits.
LATEST = 9e9
FIELDS = ('sent_unix', 'x', 'y', 'z', 'vx', 'vy', 'vz')


class TruthError(WorldModelError):
    """A file of commanded kicks cannot be used."""


@dataclass(frozen=True, slots=True)
class CommandedKick:
    """
    A ball put somewhere with a velocity.

    Parameters
    ----------
    sent_ns : int
        When the command was sent [ns, vision's clock].
    position, velocity : tuple of float
        (x, y, z) [m, m/s], field frame.

    """

    sent_ns: int
    position: tuple[float, float, float]
    velocity: tuple[float, float, float]

    @property
    def chipped(self) -> bool:
        """Whether the ball leaves the carpet."""
        return self.velocity[2] > 0.0

    def trajectory(self, parameters: BallParameters) -> BallTrajectory:
        """Follow the ball from the kick to its rest."""
        speed = None if self.chipped else float(np.hypot(*self.velocity[:2]))
        hops = 0 if self.chipped else None
        return predict_ball(MotionState(self.position, self.velocity, speed, hops), parameters)


def read_kicks(text: str) -> tuple[CommandedKick, ...]:
    """
    Read commanded kicks: a JSON list of objects with sent_unix [s], x, y, z [m], vx, vy, vz [m/s].

    Raises
    ------
    TruthError
        It is something else; says what.

    """
    try:
        kicks = [_kick(item) for item in _list(json.loads(text))]
    except KeyError as error:
        raise TruthError(f'kicks: {error} is missing; each has {", ".join(FIELDS)}') from error
    except (ValueError, TypeError, RecursionError) as error:
        raise TruthError(f'kicks: no list of kicks: {error}') from error
    return tuple(sorted(kicks, key=lambda kick: kick.sent_ns))


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f'it is of type {type(value).__name__}')
    return value


def _kick(item: Any) -> CommandedKick:
    sent, x, y, z, vx, vy, vz = (float(item[name]) for name in FIELDS)
    if not np.isfinite((x, y, z, vx, vy, vz)).all():
        raise ValueError(f'{item} has a number that is not finite')
    if not 0.0 <= sent <= LATEST:
        raise ValueError(f'sent_unix is {sent}; it must be from 0 to {LATEST:.0f} s')
    return CommandedKick(to_nanoseconds(sent), (x, y, z), (vx, vy, vz))


@dataclass(frozen=True, eq=False)
class TrueBall:
    """
    One kicked ball as it really was; a Reference for predictions.

    Parameters
    ----------
    kick : CommandedKick
    launch_ns : int
        When it was really kicked [ns, vision's clock].
    start_ns, end_ns : int
        First and last sight of it on this way.
    parameters : BallParameters
        The ball's constants as fitted.
    rms : float
        Of what vision shows from this truth, camera offsets taken away [m].

    """

    kick: CommandedKick
    launch_ns: int
    start_ns: int
    end_ns: int
    parameters: BallParameters
    rms: float

    @cached_property
    def _trajectory(self) -> BallTrajectory:
        return self.kick.trajectory(self.parameters)

    def state_at(self, stamp_ns: int) -> tuple[Array, Array]:
        """Find position and velocity, each (3,), at an instant."""
        positions, velocities = self._trajectory.at(
            [(stamp_ns - self.launch_ns) / NANOSECONDS_PER_SECOND]
        )
        return positions[0], velocities[0]

    def at(self, stamp_ns: int) -> Array:
        """Find the place, seen from above, (2,) [m]."""
        return self.state_at(stamp_ns)[0][:2]

    def speed_at(self, stamp_ns: int) -> float:
        """Find the speed along the carpet [m/s]."""
        return float(np.hypot(*self.state_at(stamp_ns)[1][:2]))

    def motion_at(self, stamp_ns: int) -> Motion:
        """Tell what the ball does."""
        time = (stamp_ns - self.launch_ns) / NANOSECONDS_PER_SECOND
        return [s.motion for s in self._trajectory.segments if s.start <= max(time, 0.0)][-1]

    @property
    def flight(self) -> float:
        """How long the ball flies before it first lands [s]."""
        return -2.0 * self.kick.velocity[2] / self.parameters.gravity

    @property
    def landing(self) -> Array | None:
        """Where a chipped ball lands first, start plus 2 v vz / g, (2,) [m]; None of others."""
        if not self.kick.chipped:
            return None
        return np.array(self.kick.position[:2]) + self.flight * np.array(self.kick.velocity[:2])
