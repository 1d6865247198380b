# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Ground truth of balls that a simulator was commanded to kick.

The command is known; the kick time, the friction of the carpet and the camera biases are fitted to
the recording. Only differences between cameras are observable: their mean is assumed to be zero.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.match.ball.motion_segment import BallMotion, BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.trajectory import BallTrajectory

# Latest time [s] whose nanoseconds fit into 64 bits.
LATEST = 9e9
FIELDS = ('sent_unix', 'x', 'y', 'z', 'vx', 'vy', 'vz')


class TruthError(WorldModelError):
    """A file of commanded kicks is invalid."""


@dataclass(frozen=True, slots=True)
class CommandedKick:
    """
    Command that places a ball with a velocity.

    Parameters
    ----------
    sent_ns : int
        Time of the command [ns, vision's clock].
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
        """Return the trajectory from the kick until rest."""
        speed = None if self.chipped else float(np.hypot(*self.velocity[:2]))
        bounces = 0 if self.chipped else None
        return predict_ball(
            BallMotionState(self.position, self.velocity, speed, bounces), parameters
        )


def read_kicks(text: str) -> tuple[CommandedKick, ...]:
    """
    Read commanded kicks: a JSON list of objects with sent_unix [s], x, y, z [m], vx, vy, vz [m/s].

    Raises
    ------
    TruthError
        If the text is invalid; the message gives the reason.

    """
    try:
        kicks = [_kick(item) for item in _list(json.loads(text))]
    except KeyError as error:
        raise TruthError(f'kicks: {error} is missing; each has {", ".join(FIELDS)}') from error
    except (ValueError, TypeError, RecursionError) as error:
        raise TruthError(f'kicks: not a list of kicks: {error}') from error
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
        raise ValueError(f'sent_unix: {sent} s is outside 0 to {LATEST:.0f} s')
    return CommandedKick(to_nanoseconds(sent), (x, y, z), (vx, vy, vz))


@dataclass(frozen=True, eq=False)
class TrueBall:
    """
    Ground truth of one kicked ball; a ReferenceBall for predictions.

    Parameters
    ----------
    kick : CommandedKick
    kick_ns : int
        Time of the kick [ns, vision's clock].
    start_ns, end_ns : int
        First and last detection on this path.
    parameters : BallParameters
        Fitted constants of the ball.
    rms : float
        Root mean square residual of vision, after camera biases [m].

    """

    kick: CommandedKick
    kick_ns: int
    start_ns: int
    end_ns: int
    parameters: BallParameters
    rms: float

    @cached_property
    def _trajectory(self) -> BallTrajectory:
        return self.kick.trajectory(self.parameters)

    def state_at(self, stamp_ns: int) -> tuple[Array, Array]:
        """Return position and velocity, each (3,), at a time."""
        positions, velocities = self._trajectory.at(
            [(stamp_ns - self.kick_ns) / NANOSECONDS_PER_SECOND]
        )
        return positions[0], velocities[0]

    def at(self, stamp_ns: int) -> Array:
        """Return the position seen from above, (2,) [m]."""
        return self.state_at(stamp_ns)[0][:2]

    def speed_at(self, stamp_ns: int) -> float:
        """Return the speed along the carpet [m/s]."""
        return float(np.hypot(*self.state_at(stamp_ns)[1][:2]))

    def motion_at(self, stamp_ns: int) -> BallMotion:
        """Return the motion of the ball."""
        time = (stamp_ns - self.kick_ns) / NANOSECONDS_PER_SECOND
        return [s.motion for s in self._trajectory.segments if s.start <= max(time, 0.0)][-1]

    @property
    def flight(self) -> float:
        """Duration of the flight until the first landing [s]."""
        return -2.0 * self.kick.velocity[2] / self.parameters.gravity

    @property
    def landing(self) -> Array | None:
        """First landing of a chip, start plus 2 v vz / g, (2,) [m]; else None."""
        if not self.kick.chipped:
            return None
        return np.array(self.kick.position[:2]) + self.flight * np.array(self.kick.velocity[:2])
