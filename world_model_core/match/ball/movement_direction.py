# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a ball moves, and whether towards or away from a point."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState

# Values of the team ibis: a ball moves towards a point if its velocity is within this angle of the
# direction to it [rad]. Within this distance of the point [m] it moves neither towards nor away,
# because noise would determine the direction.
CONE = math.radians(60.0)
ARRIVED = 0.2
# Speed along the carpet from which a ball moves [m/s].
MOVING_SPEED = 0.1


def is_moving(ball: BallState, speed: float = MOVING_SPEED) -> bool:
    """
    Return whether the ball is at least as fast as `speed` [m/s] along the carpet.

    There is no hysteresis: the result may flicker near the limit, unlike that of
    `PhaseClassifier`.
    """
    return math.hypot(*ball.velocity[:2]) >= speed


def is_moving_towards(ball: BallState, point: Sequence[float] | Array) -> bool:
    """
    Return whether the ball moves towards a point, within 60 degrees.

    Parameters
    ----------
    ball : BallState
    point : array_like, shape (2,)
        In the field frame [m]; the height is ignored.

    """
    return is_moving(ball) and _closing(ball, point) > math.cos(CONE)


def is_moving_away_from(ball: BallState, point: Sequence[float] | Array) -> bool:
    """Return whether the ball moves away from a point (x, y) [m], within 60 degrees."""
    return is_moving(ball) and _closing(ball, point) < -math.cos(CONE)


def _closing(ball: BallState, point: Sequence[float] | Array) -> float:
    """Return the cosine between the velocity and the direction to a point; 0 at the point."""
    (x, y, _), (vx, vy, _) = ball.position.tolist(), ball.velocity.tolist()
    dx, dy = float(point[0]) - x, float(point[1]) - y
    distance = math.hypot(dx, dy)
    if distance < ARRIVED:
        return 0.0
    cosine: float = (dx * vx + dy * vy) / (distance * math.hypot(vx, vy))
    return cosine
