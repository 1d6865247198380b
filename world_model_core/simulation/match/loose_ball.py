# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A ball that is not in play: it lies on the field and is kicked at random times."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

from world_model_core.simulation.match.ball import Ball
from world_model_core.simulation.match.collisions import find_contact
from world_model_core.simulation.match.field import BOARDS, LENGTH, WIDTH
from world_model_core.simulation.match.ground_truth import BallTruth
from world_model_core.simulation.match.random_streams import RandomStream, random_stream
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.simulation.match.parameters import SslMatchParameters
    from world_model_core.simulation.match.robot import Robot

# Mean time between two kicks [s]; range of their speeds [m/s]; probability and range of vertical
# speeds of chips [m/s].
KICK_INTERVAL = 5.0
SPEED, CHIP_SHARE, CHIP_RISE = (0.3, 4.0), 0.2, (1.5, 3.0)


class LooseBall:
    """
    A ball that is kicked at random times towards random positions on the field, by no robot.

    Parameters
    ----------
    parameters : SslMatchParameters
    index : int
        Index of the ball, from 1.

    """

    def __init__(self, parameters: SslMatchParameters, index: int) -> None:
        self._random = random_stream(parameters.seed, RandomStream.LOOSE_BALLS, index)
        self._restitution = parameters.restitution
        self._ball = Ball(parameters.ball, self._draw_place())
        self._kick_ns = self._draw_kick_time(0)

    def truth(self, stamp_ns: int) -> BallTruth:
        """Return the true state at a time [ns]."""
        return BallTruth(*self._ball.state(stamp_ns))

    def step(self, stamp_ns: int, robots: Sequence[Robot]) -> None:
        """Kick the ball if a kick is due; else stop it at the boards or let it bounce."""
        (x, y, z), (vx, vy, _) = self._ball.state(stamp_ns)
        if stamp_ns >= self._kick_ns and z == 0.0:
            self._kick(stamp_ns, complex(x, y))
            return
        moves = vx != 0.0 or vy != 0.0
        if moves and (abs(x) >= BOARDS.real or abs(y) >= BOARDS.imag):
            self._ball.drop(stamp_ns)
            return
        velocity = complex(vx, vy)
        contact = find_contact(complex(x, y), z, velocity, robots)
        if contact:
            after = contact.reflect(velocity, self._restitution)
            self._ball.deflect(contact.place, after, stamp_ns)

    def _kick(self, stamp_ns: int, place: complex) -> None:
        """Kick the ball from `place` (x + iy) [m] towards a random position."""
        direction = cmath.phase(self._draw_place() - place)
        along = cmath.rect(self._random.uniform(*SPEED), direction)
        chips, rise = self._random.random() < CHIP_SHARE, self._random.uniform(*CHIP_RISE)
        self._ball.launch((along.real, along.imag, rise if chips else 0.0), stamp_ns)
        self._kick_ns = self._draw_kick_time(stamp_ns)

    def _draw_place(self) -> complex:
        """Draw a position on the field (x + iy) [m]."""
        x, y = self._random.uniform(-0.5, 0.5, 2).tolist()
        return complex(LENGTH * x, WIDTH * y)

    def _draw_kick_time(self, stamp_ns: int) -> int:
        """Draw the time of the next kick [ns]."""
        return stamp_ns + math.ceil(
            NANOSECONDS_PER_SECOND * self._random.exponential(KICK_INTERVAL)
        )
