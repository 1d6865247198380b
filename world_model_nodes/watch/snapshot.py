# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The world model at one moment, as people look at it: a table or a line of text."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ssl.values import Team
from world_model_core.time import to_seconds
from world_model_nodes.bundle.view import draw_scene, scene_line
from world_model_nodes.objects.watch_view import ObjectsView, draw_objects, objects_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.robots.estimate import Robots

# Rates are counted over this time [s].
RATE_WINDOW = 1.0
# A node reports its health once a second; after three that are missing it is taken for gone [s].
HEALTH_LIFE = 3.0

# As diagnostic_msgs/DiagnosticStatus counts them.
LEVELS = ('ok', 'WARN', 'ERROR', 'STALE')
STALE = 3
LEVEL_STYLES = ('green', 'yellow', 'bold red', 'bold red')
SOURCE_STYLES = {
    BallSource.TRACKER: 'green',
    BallSource.VISION: 'green',
    BallSource.BALL_SENSOR: 'yellow',
    BallSource.OCCLUSION_SHADOW: 'yellow',
    BallSource.LAST_KNOWN: 'red',
    BallSource.NONE: 'bold red',
}


class Pace:
    """
    Counts how often something comes, by a clock of its user's.

    Attributes
    ----------
    count : int
        All that came.

    """

    def __init__(self) -> None:
        self.count = 0
        self._arrivals: deque[float] = deque()

    def tick(self, now: float) -> None:
        """Count one arrival at `now` [s]."""
        self.count += 1
        self._arrivals.append(now)
        self._forget(now)

    def rate(self, now: float) -> float:
        """Tell arrivals a second over the last second before `now` [s]."""
        self._forget(now)
        return len(self._arrivals) / RATE_WINDOW

    def _forget(self, now: float) -> None:
        while self._arrivals and self._arrivals[0] <= now - RATE_WINDOW:
            self._arrivals.popleft()


@dataclass(frozen=True, slots=True)
class Health:
    """What a node last said of itself, and how long ago [s]."""

    level: int
    message: str
    age: float

    @property
    def current(self) -> Health:
        """The same, unless it is too old to be believed."""
        if self.age <= HEALTH_LIFE:
            return self
        return Health(STALE, f'silent for {self.age:.0f} s; last: {self.message}', self.age)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """
    What is known at one moment; None where nothing came.

    `elapsed` [s] since the watch began; `rest` (place (3,) [m], stamp [ns]) is where and when the
    ball rests; `rates` [Hz] go by topic, `health` by node; `objects` are those of a house; `scene`
    is as by scene.schema.json.
    """

    elapsed: float
    ball: BallState | None = None
    source: BallSource = BallSource.NONE
    phase: str | None = None
    rest: tuple[Array, int] | None = None
    robots: Robots | None = None
    game: dict[str, Any] | None = None
    rates: Mapping[str, float] = field(default_factory=dict)
    health: Mapping[str, Health] = field(default_factory=dict)
    objects: ObjectsView = field(default_factory=ObjectsView)
    scene: Mapping[str, Any] | None = None

    @property
    def has_match(self) -> bool:
        """Whether there is anything of a match."""
        return any(part is not None for part in (self.ball, self.robots, self.game))

    @property
    def shows_match(self) -> bool:
        """Whether a match is shown, if only to say that nothing of it came."""
        return self.has_match or not (self.objects or self.scene)


def draw_table(view: View) -> RenderableType:
    """Show everything, for a terminal."""
    rates = ', '.join(f'{name} {rate:.0f} Hz' for name, rate in view.rates.items())
    objects = [draw_objects(view.objects)] if view.objects else []
    scene = [] if view.scene is None else [draw_scene(view.scene)]
    match = _match(view) if view.shows_match else []
    return Group(
        Panel(
            _game(view.game) if match else Text('a house' if objects else 'a scene'),
            title=f'[bold]world model[/] · {view.elapsed:.1f} s',
            subtitle=f'{rates} · Ctrl-C ends',
            border_style='blue',
        ),
        _health(view.health),
        *scene,
        *objects,
        *match,
    )


def _match(view: View) -> list[RenderableType]:
    return [
        Panel(_ball(view), title='ball', title_align='left', border_style='dim'),
        Columns([_team(view, Team.YELLOW), _team(view, Team.BLUE)], padding=(0, 4)),
    ]


def draw_line(view: View) -> str:
    """Show the most important on one line, for a log."""
    parts = [f'{view.elapsed:6.1f} s']
    if view.shows_match:
        parts += [_ball_line(view), _robots_line(view), _game_line(view.game)]
    if view.objects:
        parts.append(objects_line(view.objects))
    if view.scene is not None:
        parts.append(scene_line(view.scene))
    parts += [f'{name} {rate:.0f} Hz' for name, rate in view.rates.items()]
    parts += [
        f'{node} {LEVELS[health.current.level]}: {health.current.message}'
        for node, health in view.health.items()
        if health.current.level
    ]
    return ' | '.join(parts)


def _game(game: dict[str, Any] | None) -> RenderableType:
    if game is None:
        return Text('no referee heard', style='dim')
    following = f' → {game["next_command"]}' if game['next_command'] else ''
    left = ', '.join(
        f'{_clock(game[key])} left of the {key.partition("_")[0]}'
        for key in ('stage_time_left', 'action_time_left')
        if game[key] is not None
    )
    lines = [
        Text.assemble(
            (game['yellow']['name'] or 'yellow', 'bold yellow'),
            (f'  {game["yellow"]["score"]} : {game["blue"]["score"]}  ', 'bold'),
            (game['blue']['name'] or 'blue', 'bold bright_blue'),
        ),
        Text.assemble((game['command'], 'bold'), following, f'   {game["stage"]}'),
        Text(f'{_ours(game)}{"   " if left else ""}{left}'),
    ]
    return Group(*lines)


def _ours(game: dict[str, Any]) -> str:
    if game['our_team'] is None:
        return 'no team has our name'
    side = {'positive': ', our goal at +x', 'negative': ', our goal at -x'}
    return f'we are {game["our_team"]}{side.get(game["our_side"], "")}'


def _clock(seconds: float) -> str:
    """Write a time left, negative once exceeded, as minutes and seconds."""
    minutes, rest = divmod(math.floor(abs(seconds)), 60)
    return f'{"-" if seconds < 0 else ""}{minutes}:{rest:02d}'


def _ball(view: View) -> RenderableType:
    state = Text.assemble(
        (view.source.value, SOURCE_STYLES[view.source]), '   ', (view.phase or '', 'bold')
    )
    if view.ball is None:
        return state
    deviations = np.sqrt(np.clip(np.diag(view.ball.covariance), 0.0, None))
    grid = Table(box=None, padding=(0, 2), pad_edge=False)
    for title in ('', 'x', 'y', 'z', 'from above'):
        grid.add_column(Text(title), justify='right', min_width=7, header_style='dim')
    rows = (
        ('position [m]', view.ball.position, None),
        ('± [m]', deviations[:3], None),
        ('velocity [m/s]', view.ball.velocity, np.hypot(*view.ball.velocity[:2])),
        ('± [m/s]', deviations[3:], None),
    )
    for name, vector, length in rows:
        cells = [f'{value:.3f}' for value in vector]
        grid.add_row(Text(name), *cells, '' if length is None else f'{length:.2f} m/s')
    return Group(state, grid, Text(_rest(view)))


def _rest(view: View) -> str:
    if view.rest is None or view.ball is None:
        return 'not predicted'
    (x, y, _), stamp_ns = view.rest
    seconds = to_seconds(stamp_ns - view.ball.stamp_ns)
    if seconds <= 0.0:
        return 'rests here'
    return f'rests at {x:.2f}, {y:.2f} m in {seconds:.1f} s'


def _team(view: View, team: Team) -> RenderableType:
    style = 'yellow' if team is Team.YELLOW else 'bright_blue'
    table = Table(title=team.value, title_style=f'bold {style}', box=None, padding=(0, 1))
    for title in ('id', 'x [m]', 'y [m]', 'head.', 'm/s'):
        table.add_column(Text(title), justify='right', min_width=5, header_style='dim')
    robots = view.robots
    for index, name in enumerate(robots.ids if robots is not None else ()):
        if robots is not None and name.team is team:
            x, y, heading = robots.poses[index]
            speed = np.hypot(*robots.velocities[index, :2])
            table.add_row(
                Text(f'{name.number}', style=style),
                *(f'{x:.2f}', f'{y:.2f}', f'{math.degrees(heading):.0f}°', f'{speed:.2f}'),
            )
    return table


def _health(health: Mapping[str, Health]) -> RenderableType:
    if not health:
        return Text('no node reports its health on /diagnostics', style='dim')
    table = Table(box=None, padding=(0, 2), pad_edge=False, show_header=False)
    for node, said in sorted(health.items()):
        now = said.current
        level = Text(LEVELS[now.level], style=LEVEL_STYLES[now.level])
        table.add_row(level, Text(node), Text(now.message, style='dim' if not now.level else ''))
    return Panel(table, title='nodes', title_align='left', border_style='dim')


def _ball_line(view: View) -> str:
    if view.ball is None:
        return f'ball {view.source.value}'
    place = ' '.join(f'{value:+.3f}' for value in view.ball.position)
    speed = np.hypot(*view.ball.velocity[:2])
    state = ' '.join(filter(None, (view.source.value, view.phase)))
    return f'ball {place} m {speed:.2f} m/s {state}, {_rest(view)}'


def _robots_line(view: View) -> str:
    names = view.robots.ids if view.robots is not None else ()
    yellow = sum(name.team is Team.YELLOW for name in names)
    return f'robots {yellow} yellow {len(names) - yellow} blue'


def _game_line(game: dict[str, Any] | None) -> str:
    if game is None:
        return 'no referee'
    return f'{game["command"]} {game["yellow"]["score"]}:{game["blue"]["score"]} (yellow:blue)'
