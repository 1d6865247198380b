# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A match as a window shows it: field, robots, ball, prediction, kicks and the referee's game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.occlusion import ROBOT_HEIGHT
from world_model_core.match.ssl.robot_id import Team
from world_model_core.time import to_seconds
from world_model_core.view.ball import ball_marks, kick_marks, kicks_shown, prediction_marks
from world_model_core.view.batches import Labels, Lines, Meshes
from world_model_core.view.colors import TEAMS, WHITE, array_of, faded
from world_model_core.view.pitch import on_ground
from world_model_core.view.poses import heading_quaternions
from world_model_core.view.scene import Row, Viewpoint
from world_model_core.view.shapes import SOCCER_ROBOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.robot_id import RobotId
    from world_model_core.view.batches import Batch
    from world_model_core.view.pitch import Pitch
    from world_model_core.view.scene import Marks

__all__ = ['MatchScene', 'clock_text', 'robot_name']

# A robot that was not detected lately, or whose state is this much older than the rest [s], is
# faint.
OLD, FAINT = 0.5, 0.3
TEXT_HEIGHT = 0.1
# Radius of the circle around the target of a ball placement (Rules of the SSL 2024, 5.2) [m].
PLACEMENT_RADIUS = 0.15
# Carpet if no field is known: division B with its boundary (Rules of the SSL 2024, 2.1) [m].
USUAL_LENGTH, USUAL_WIDTH, LONGEST = 9.6, 6.6, 1000.0
# Tangents of half the vertical and half the horizontal angle of what is certainly in view.
TAN_UP, TAN_SIDE = math.tan(math.radians(35.0)), math.tan(math.radians(42.0))
# How far the viewpoints are beside the center, as a part of the length.
PANEL_SHARE = 0.13
_TEAMS = tuple(Team)
# Colors by whether a robot is faint, and by team, shape (2, 2, 4).
_COLORS = np.array(
    [[faded(TEAMS[team], opacity) for team in _TEAMS] for opacity in (1.0, FAINT)], dtype=np.uint8
)
_LIFE_SIZE, _ABOVE = np.ones((1, 3)), np.array((0.0, 0.0, ROBOT_HEIGHT + TEXT_HEIGHT))


def robot_name(robot: RobotId) -> str:
    """Return the id of a robot in the window: `yellow 3`."""
    return f'{robot.team.value} {robot.number}'


@dataclass(frozen=True, slots=True, eq=False)
class MatchScene:
    """
    A match at a time; None where nothing is known.

    Attributes
    ----------
    time_ns : int
        Of the newest state in it [ns].
    ball : BallState or None
    source : BallSource
        Of the ball.
    prediction : Prediction or None
        Of `ball`.
    robots : Robots or None
        NaN visibilities are unknown.
    kicks : tuple of Kick
        The latest ones; those too old are not shown.
    game : Mapping or None
        See game.schema.json.
    pitch : Pitch or None

    """

    time_ns: int
    ball: BallState | None = None
    source: BallSource = BallSource.NONE
    prediction: Prediction | None = None
    robots: Robots | None = None
    kicks: tuple[Kick, ...] = ()
    game: Mapping[str, Any] | None = None
    pitch: Pitch | None = None

    @property
    def name(self) -> str:
        """First part of the names of its marks."""
        return 'match'

    @property
    def size_bytes(self) -> int:
        """Memory of ball, prediction and robots; the rest is shared with other states."""
        robots = 0 if self.robots is None else 300 * len(self.robots)
        return 4000 + robots

    def marks(self) -> Marks:
        """Return field, robots, ball, prediction, kicks and the target of a ball placement."""
        marks: dict[str, Batch] = {}
        if self.pitch is not None:
            marks.update(self.pitch.marks)
        if self.robots is not None and len(self.robots):
            marks.update(_robot_marks(self.robots, self.time_ns))
        if self.ball is not None:
            marks.update(ball_marks(self.ball, self.source))
        if self.prediction is not None:
            marks.update(prediction_marks(self.prediction))
        for kick in kicks_shown(self.kicks, self.time_ns):
            marks.update(kick_marks(kick))
        marks.update(_placement(self.game))
        return marks

    def status(self) -> tuple[Row, ...]:
        """Return score, command and stage, source and phase of the ball, its rest, robots."""
        return (*_game_rows(self.game), *self._ball_rows(), *self._team_rows())

    def describe(self, item: str) -> tuple[Row, ...]:
        """Return what is known of `ball` or of a robot, `yellow 3`."""
        if item == 'ball':
            return self._ball_rows()
        index = self._row_of(item)
        if self.robots is None or index is None:
            return ()
        x, y, heading = self.robots.poses[index].tolist()
        velocity = self.robots.velocities[index]
        rows = [
            Row('position', f'{x:.3f}, {y:.3f} m'),
            Row('heading', f'{math.degrees(heading):.0f}°'),
            Row('speed', f'{math.hypot(*velocity[:2]):.2f} m/s'),
        ]
        if self.ball is not None:
            distance = math.dist((x, y), self.ball.position[:2])
            rows.append(Row('distance_to_ball', f'{distance:.2f} m'))
        return tuple(rows)

    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """Return the views from above, from the side line, and from behind the ball."""
        length, width = USUAL_LENGTH, USUAL_WIDTH
        if self.pitch is not None:
            length, width = min(self.pitch.length, LONGEST), min(self.pitch.width, LONGEST)
        height = max(0.5 * width / TAN_UP, 0.5 * length / TAN_SIDE)
        # The panel is on the right of the page.
        x = PANEL_SHARE * length
        above = Viewpoint((x, 0.0, height), (x, 0.0, 0.0), (0.0, 1.0, 0.0))
        beside = Viewpoint((x, -0.5 * width - 0.35 * length, 0.4 * length), (x, 0.0, 0.0))
        return above, beside, self._behind_ball()

    def position_of(self, item: str) -> Array | None:
        """Return the position of `ball` or of a robot, `yellow 3` [m]."""
        if item == 'ball':
            return None if self.ball is None else self.ball.position
        index = self._row_of(item)
        if self.robots is None or index is None:
            return None
        return np.array((*self.robots.poses[index, :2], 0.0))

    def _row_of(self, item: str) -> int | None:
        """Return the row of a robot."""
        names = () if self.robots is None else map(robot_name, self.robots.ids)
        return next((row for row, name in enumerate(names) if name == item), None)

    def _behind_ball(self) -> Viewpoint:
        """Return the view along the motion of the ball, or along x while it rests."""
        if self.ball is None:
            return Viewpoint((-2.5, 0.0, 1.2), (0.0, 0.0, 0.0))
        x, y, z = self.ball.position.tolist()
        dx, dy = self.ball.velocity[:2].tolist()
        speed = math.hypot(dx, dy)
        dx, dy = (dx / speed, dy / speed) if speed > 0.1 else (1.0, 0.0)
        return Viewpoint((x - 2.0 * dx, y - 2.0 * dy, z + 1.0), (x + dx, y + dy, z))

    def _ball_rows(self) -> tuple[Row, ...]:
        rows = [Row('source', self.source.value)]
        if self.prediction is not None:
            rows.append(Row('phase', self.prediction.phase.value))
        if self.ball is not None:
            rows += _state_rows(self.ball)
        if self.prediction is not None and self.prediction.trajectory.rest_time > 0.0:
            x, y, _ = self.prediction.trajectory.rest_position
            seconds = self.prediction.trajectory.rest_time
            rows.append(Row('rest', f'{x:.2f}, {y:.2f} m, {seconds:.1f} s'))
        return tuple(rows)

    def _team_rows(self) -> tuple[Row, ...]:
        robots = () if self.robots is None else self.robots.ids
        yellow = sum(robot.team is Team.YELLOW for robot in robots)
        return (
            Row('yellow_robots', str(yellow)),
            Row('blue_robots', str(len(robots) - yellow)),
        )


def _robot_marks(robots: Robots, time_ns: int) -> Iterator[tuple[str, Batch]]:
    """Yield bodies, each with its front along its heading, and numbers."""
    names, numbers, teams = _names_of(robots.ids)
    positions = np.zeros((len(names), 3))
    positions[:, :2] = robots.poses[:, :2]
    quaternions = heading_quaternions(robots.poses[:, 2])
    faint = (robots.visibilities <= 0.0) | (to_seconds(time_ns - robots.stamp_ns) > OLD)
    colors = _COLORS[faint.view(np.uint8), teams]
    yield (
        'match/robots/bodies',
        Meshes(SOCCER_ROBOT, names, positions, quaternions, _LIFE_SIZE, colors),
    )
    yield 'match/robots/numbers', Labels(names, positions + _ABOVE, numbers)


@lru_cache(maxsize=64)
def _names_of(
    robots: tuple[RobotId, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], NDArray[np.intp]]:
    """Return ids, numbers and the indices of the teams of robots."""
    teams = np.array([_TEAMS.index(robot.team) for robot in robots], dtype=np.intp)
    return tuple(map(robot_name, robots)), tuple(str(robot.number) for robot in robots), teams


def _placement(game: Mapping[str, Any] | None) -> Iterator[tuple[str, Batch]]:
    """Yield a circle around the target of a ball placement."""
    target = None if game is None else game['ball_placement']
    if target is not None:
        angles = np.linspace(0.0, 2.0 * math.pi, 25)
        circle = target + PLACEMENT_RADIUS * np.column_stack((np.cos(angles), np.sin(angles)))
        chords = on_ground(np.stack((circle[:-1], circle[1:]), axis=1))
        yield 'match/placement', Lines(chords, array_of(WHITE), 3.0)


def _state_rows(ball: BallState) -> Sequence[Row]:
    """Return position, standard deviations and speed of a ball."""
    x, y, z = ball.position.tolist()
    stds = np.sqrt(np.maximum(np.diag(ball.covariance)[:3], 0.0)).tolist()
    return (
        Row('position', f'{x:.3f}, {y:.3f}, {z:.3f} m'),
        Row('deviation', ', '.join(f'{1e3 * std:.0f}' for std in stds) + ' mm'),
        Row('speed', f'{float(np.linalg.norm(ball.velocity)):.2f} m/s'),
    )


def _game_rows(game: Mapping[str, Any] | None) -> Iterator[Row]:
    """Yield score, command and stage of the referee."""
    if game is None:
        return
    yellow, blue = game['yellow'], game['blue']
    names = (yellow['name'] or Team.YELLOW.value, blue['name'] or Team.BLUE.value)
    yield Row('score', f'{names[0]} {yellow["score"]} : {blue["score"]} {names[1]}')
    following = f' → {game["next_command"]}' if game['next_command'] else ''
    yield Row('command', f'{game["command"]}{following}')
    yield Row('stage', game['stage'])
    if game['stage_time_left'] is not None:
        yield Row('stage_time_left', clock_text(game['stage_time_left']))


def clock_text(seconds: float) -> str:
    """Return a time left, negative once exceeded, as minutes and seconds."""
    minutes, rest = divmod(math.floor(abs(seconds)), 60)
    return f'{"-" if seconds < 0 else ""}{minutes}:{rest:02d}'
