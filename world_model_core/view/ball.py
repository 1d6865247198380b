# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ball of a match as marks: where it is, how sure that is, where it goes, and kicks."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.occlusion import BALL_RADIUS
from world_model_core.time import to_seconds
from world_model_core.view.batches import UPRIGHT, Ellipsoids, Labels, Lines, Meshes, Points
from world_model_core.view.colors import BALL, FLYING, WHITE, array_of, faded
from world_model_core.view.ellipsoids import confidence_ellipses, confidence_ellipsoids
from world_model_core.view.shapes import ARROW, RING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.view.batches import Batch
    from world_model_core.view.colors import Color
    from world_model_core.view.scene import Marks

__all__ = [
    'ALOFT',
    'ARROW_TIME',
    'KICK_LIFE',
    'ball_marks',
    'kick_marks',
    'kicks_shown',
    'prediction_marks',
]

# A ball this high is drawn in another color [m]: `height_threshold` of ball_predictor.
ALOFT = 0.05
# Sources of a ball that no sensor observes.
HIDDEN = frozenset({BallSource.OCCLUSION_SHADOW, BallSource.LAST_KNOWN})
HIDDEN_OPACITY = 0.35
# Points of the cloud of a hidden ball: normally distributed, evenly in direction (the golden
# angle), and their diameter [m].
CLOUD_POINTS, CLOUD_SIZE = 240, 0.02
_RANK = (np.arange(CLOUD_POINTS) + 0.5) / CLOUD_POINTS
_ANGLE = math.pi * (3.0 - math.sqrt(5.0)) * np.arange(CLOUD_POINTS)
_CLOUD = np.sqrt(-2.0 * np.log(_RANK)) * np.stack((np.cos(_ANGLE), np.sin(_ANGLE)))
# The predicted path is drawn in this many pieces, shorter at the start, where a ball flies.
PIECES = 40
_SHARES = np.linspace(0.0, 1.0, PIECES + 1) ** 2
# Times of arrival that are written beside the path [s], with at least this distance of each other
# and of both ends; a shorter path is not drawn [m].
TIMES = (0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
SPACING, LEAST_LENGTH = 0.35, 0.05
# Half the length of the marks on the path, and the heights of path and texts [m].
TICK, PATH_HEIGHT, TEXT_HEIGHT = 0.06, 0.01, 0.12
PATH_WIDTH = 2.5
# The ring around the ball, just above lines and carpet [m].
RING_RADIUS, RING_HEIGHT = 0.13, 0.0045
# Arrows cover this time of motion [s]; of what width they are, and for how long kicks are shown.
ARROW_TIME, ARROW_WIDTH = 0.2, 0.04
KICK_LIFE = 3.0
# What is the same for each ball and each kick.
_IDS, _ROUND = ('ball',), UPRIGHT[None]
_CENTER, _SIZE = np.array((0.0, 0.0, BALL_RADIUS)), np.full((1, 3), BALL_RADIUS)
_FLAT, _LIFT = np.array((1.0, 1.0, 0.0)), np.array((0.0, 0.0, RING_HEIGHT))
_RING_SIZE = np.array([(RING_RADIUS, RING_RADIUS, 1.0)])
_SPEED_TEXT = np.array((0.0, 0.0, 2.0 * TEXT_HEIGHT))


def ball_marks(ball: BallState, source: BallSource) -> Iterator[tuple[str, Batch]]:
    """
    Yield the ball in a ring, its ellipses on the ground, and in flight its ellipsoids and height.

    A ball that no sensor observes is faint, in a cloud of points that is distributed as it is.
    """
    place = ball.position[None]
    aloft, hidden = ball.position[2] >= ALOFT, source in HIDDEN
    center, color = place + _CENTER, FLYING if aloft else BALL
    shown = array_of(faded(color, HIDDEN_OPACITY) if hidden else color)
    yield 'match/ball/ball', Ellipsoids(_IDS, center, _ROUND, _SIZE, shown)
    # From afar the ball is too small to be seen.
    yield 'match/ball/ring', Meshes(RING, _IDS, place * _FLAT + _LIFT, _ROUND, _RING_SIZE, shown)
    covariances = ball.covariance[None, :3, :3]
    flat = confidence_ellipses(_IDS, place[:, :2], covariances[:, :2, :2], color)
    yield 'match/ball/ellipses', flat
    if aloft:
        yield 'match/ball/ellipsoids', confidence_ellipsoids(_IDS, center, covariances, color)
        below = center * _FLAT
        yield 'match/ball/height', Lines(np.stack((center, below), axis=1), array_of(color))
    if hidden:
        yield 'match/ball/cloud', _cloud(ball, color)


def _cloud(ball: BallState, color: Color) -> Points:
    """Return points that are distributed as the ball along the ground."""
    (xx, xy), (_, yy) = ball.covariance[:2, :2].tolist()
    # The Cholesky factor of a 2 by 2 matrix; 0 where rounding made it negative.
    first = math.sqrt(max(xx, 0.0))
    cross = xy / first if first else 0.0
    second = math.sqrt(max(yy - cross * cross, 0.0))
    points = np.empty((CLOUD_POINTS, 3))
    points[:, 0] = first * _CLOUD[0]
    points[:, 1] = cross * _CLOUD[0] + second * _CLOUD[1]
    points[:, 2] = BALL_RADIUS
    points += ball.position
    return Points(points, array_of(color), CLOUD_SIZE)


def prediction_marks(prediction: Prediction) -> Iterator[tuple[str, Batch]]:
    """
    Yield the predicted path to the point of rest, and the times at which the ball arrives.

    Times are seconds after the stamp of the ball.
    """
    trajectory, end = prediction.trajectory, prediction.trajectory.rest_time
    positions, _ = trajectory.at(np.concatenate((end * _SHARES, TIMES)))
    positions[:, 2] += PATH_HEIGHT
    path, places = positions[: PIECES + 1], positions[PIECES + 1 :]
    (x, y, _), (x1, y1, _) = path[0].tolist(), path[-1].tolist()
    length = math.hypot(x1 - x, y1 - y)
    if not LEAST_LENGTH <= length < math.inf:
        return
    distances = [math.hypot(px - x, py - y) for px, py, _ in places.tolist()]
    chosen = _chosen(distances, length)
    places = np.concatenate((places[chosen], path[-1:]))
    along = np.array((x1 - x, y1 - y, 0.0)) * (TICK / length)
    across = np.array((y - y1, x1 - x, 0.0)) * (TICK / length)
    points = np.empty((PIECES + len(places) + 1, 2, 3))
    points[:PIECES, 0], points[:PIECES, 1] = path[:-1], path[1:]
    # A tick at each time, and a cross where the ball rests.
    points[PIECES:-1, 0], points[PIECES:-1, 1] = places - across, places + across
    points[-1] = path[-1] - along, path[-1] + along
    yield 'match/ball/path', Lines(points, array_of(BALL), PATH_WIDTH)
    texts = (*(f'{TIMES[index]:g} s' for index in chosen), f'{end:.1f} s')
    places[:, 2] += TEXT_HEIGHT
    yield 'match/ball/times', Labels(len(texts) * _IDS, places, texts)


def _chosen(distances: Sequence[float], length: float) -> list[int]:
    """Return which of the places at distances [m] along a path are marked."""
    chosen, last = [], 0.0
    for index, distance in enumerate(distances):
        if last + SPACING <= distance <= length - SPACING:
            chosen.append(index)
            last = distance
    return chosen


@lru_cache(maxsize=64)
def kick_marks(kick: Kick) -> Marks:
    """Return an arrow for a kick, 0.2 s long, and its speed; the same objects for each kick."""
    speed = float(np.linalg.norm(kick.velocity))
    origin = np.array([(*kick.position, BALL_RADIUS)])
    arrow = Meshes(
        ARROW,
        (f'kick {kick.number}',),
        origin,
        _towards(kick.velocity)[None],
        np.array([(ARROW_TIME * speed, ARROW_WIDTH, 0.5 * ARROW_WIDTH)]),
        array_of(FLYING if kick.chip_probability > 0.5 else WHITE),
    )
    text = f'{speed:.1f} m/s'
    path = f'match/kicks/{kick.number}'
    label = Labels(arrow.ids, origin + _SPEED_TEXT, (text,))
    return {f'{path}/arrow': arrow, f'{path}/speed': label}


def _towards(direction: Array) -> Array:
    """Return the quaternion that turns the x axis into a direction (3,), about z and then y."""
    x, y, z = direction.tolist()
    turn, rise = 0.5 * math.atan2(y, x), 0.5 * math.atan2(z, math.hypot(x, y))
    (sin, cos), (up, level) = (math.sin(turn), math.cos(turn)), (math.sin(rise), math.cos(rise))
    return np.array((sin * up, -cos * up, sin * level, cos * level))


def kicks_shown(kicks: Sequence[Kick], time_ns: int) -> Iterator[Kick]:
    """Yield the kicks that are not too old at a time [ns], nor after it."""
    return (kick for kick in kicks if 0.0 <= to_seconds(time_ns - kick.stamp_ns) <= KICK_LIFE)
