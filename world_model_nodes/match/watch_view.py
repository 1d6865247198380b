# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The part of `world_model watch` that shows a match: ball, robots, game and their rates."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ssl.robot_id import Team
from world_model_core.time import to_seconds
from world_model_core.view.match import clock_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState
    from world_model_core.match.output_age import AgeSummary
    from world_model_core.match.robots.robot_table import Robots

SOURCE_STYLES = {
    BallSource.TRACKER: 'green',
    BallSource.VISION: 'green',
    BallSource.BALL_SENSOR: 'yellow',
    BallSource.OCCLUSION_SHADOW: 'yellow',
    BallSource.LAST_KNOWN: 'red',
    BallSource.NONE: 'bold red',
}


@dataclass(frozen=True, slots=True, eq=False)
class MatchView:
    """
    A match at one moment; None where no message has come.

    Parameters
    ----------
    ball : BallState or None
    source : BallSource
        Where `ball` comes from.
    phase : str or None
        Of the ball's motion.
    rest : tuple of (array, shape (3,), int) or None
        Where [m] and when [ns] the ball comes to rest.
    robots : Robots or None
    game : dict or None
        As by game.schema.json.
    rates : Mapping of str to float
        Messages per second, by topic.
    age : AgeSummary or None
        Of ball and robots when they were published.

    """

    ball: BallState | None = None
    source: BallSource = BallSource.NONE
    phase: str | None = None
    rest: tuple[Array, int] | None = None
    robots: Robots | None = None
    game: dict[str, Any] | None = None
    rates: Mapping[str, float] = field(default_factory=dict)
    age: AgeSummary | None = None

    def __bool__(self) -> bool:
        """Return whether ball, robots or game have come."""
        return any(part is not None for part in (self.ball, self.robots, self.game))


def draw_match(view: MatchView) -> tuple[RenderableType, ...]:
    """Draw the game, the ball with the rates and the age, and the robots of both teams."""
    ball = Group(_ball(view), Text(', '.join(_rates(view)), style='dim'))
    return (
        Panel(_game(view.game), title='game', title_align='left', border_style='dim'),
        Panel(ball, title='ball', title_align='left', border_style='dim'),
        Columns([_team(view, Team.YELLOW), _team(view, Team.BLUE)], padding=(0, 4)),
    )


def match_line(view: MatchView) -> str:
    """Return ball, robots, game and rates on one line."""
    parts = [_ball_line(view), _robots_line(view), _game_line(view.game)]
    return ' | '.join(filter(None, (*parts, *_rates(view))))


def _rates(view: MatchView) -> list[str]:
    """Return the rates of the topics, and the age of what is published."""
    rates = [f'{name} {rate:.0f} Hz' for name, rate in view.rates.items()]
    if view.age is None:
        return rates
    median, p99, _ = (1e3 * age for age in view.age)
    return [*rates, f'age {median:.0f} ms, p99 {p99:.0f} ms']


def _game(game: dict[str, Any] | None) -> RenderableType:
    if game is None:
        return Text('no referee packets received', style='dim')
    following = f' → {game["next_command"]}' if game['next_command'] else ''
    left = ', '.join(
        f'{clock_text(game[key])} left of the {key.partition("_")[0]}'
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
        return 'no team has the configured team name'
    side = {'positive': ', our goal at +x', 'negative': ', our goal at -x'}
    return f'our team is {game["our_team"]}{side.get(game["our_side"], "")}'


def _ball(view: MatchView) -> RenderableType:
    source = view.source.value, SOURCE_STYLES[view.source]
    if view.ball is None:
        return Text.assemble(source)
    state = Text.assemble(source, '   ', (view.phase or '', 'bold'), f'   {_rest(view)}')
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
    return Group(state, grid)


def _rest(view: MatchView) -> str:
    if view.rest is None or view.ball is None:
        return 'no prediction'
    (x, y, _), stamp_ns = view.rest
    seconds = to_seconds(stamp_ns - view.ball.stamp_ns)
    if seconds <= 0.0:
        return 'rests here'
    return f'rests at {x:.2f}, {y:.2f} m in {seconds:.1f} s'


def _team(view: MatchView, team: Team) -> RenderableType:
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


def _ball_line(view: MatchView) -> str:
    if view.ball is None:
        return f'ball {view.source.value}'
    place = ' '.join(f'{value:+.3f}' for value in view.ball.position)
    speed = np.hypot(*view.ball.velocity[:2])
    state = ' '.join(filter(None, (view.source.value, view.phase)))
    return f'ball {place} m {speed:.2f} m/s {state}, {_rest(view)}'


def _robots_line(view: MatchView) -> str:
    names = view.robots.ids if view.robots is not None else ()
    yellow = sum(name.team is Team.YELLOW for name in names)
    return f'robots {yellow} yellow {len(names) - yellow} blue'


def _game_line(game: dict[str, Any] | None) -> str:
    if game is None:
        return 'no referee'
    return f'{game["command"]} {game["yellow"]["score"]}:{game["blue"]["score"]} (yellow:blue)'
