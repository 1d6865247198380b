# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A plot of a match: ball, robots and kicks on the field, and the errors of predictions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Arc, Circle, Rectangle
from matplotlib.ticker import FuncFormatter

from world_model_core.match.ball.occlusion import ROBOT_RADIUS
from world_model_core.match.ssl.robot_id import Team
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds
from world_model_nodes.watch.match_history import HORIZONS, LONGEST_GAP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import Kick
    from world_model_nodes.watch.match_history import BallPath, BallPredictionErrors, MatchHistory

SIZE = (13.0, 11.0)  # inches
CARPET, GRASS, LINE, INK = '#dfeadf', '#edf4ed', '#9bb59f', '#26322a'
TEAM_COLORS = {Team.BLUE: '#2f6fd0', Team.YELLOW: '#f4c20d'}
HORIZON_COLORS = dict(zip(HORIZONS, ('#0b7285', '#d9480f'), strict=True))
KICK_COLOR = '#c2255c'
# With more kicks their numbers are not drawn: they would hide the path.
NUMBERED_KICKS = 40
# Range of the error axis; smaller errors are below the accuracy of estimates [m].
LEAST_ERROR, GREATEST_ERROR = 1e-3, 10.0


def draw_match(history: MatchHistory) -> Figure:
    """Draw the field at the top and the errors of the predictions below."""
    figure = Figure(figsize=SIZE, layout='constrained')
    FigureCanvasAgg(figure)
    field, errors = figure.subplots(2, 1, height_ratios=(2.6, 1.0))
    path = history.path()
    _draw_field(field, history.field)
    _draw_robots(field, history)
    _draw_path(field, path)
    _draw_kicks(field, history.kicks.values())
    if field.get_legend_handles_labels()[0]:
        field.legend(loc='upper right', framealpha=0.9)
    _draw_errors(errors, history, path)
    figure.suptitle(_title(history, path), color=INK, fontsize=15, fontweight='bold')
    return figure


def _title(history: MatchHistory, path: BallPath) -> str:
    game, parts = history.game, []
    if game is not None:
        yellow, blue = game['yellow'], game['blue']
        parts.append(
            f'{yellow["name"] or "yellow"} (yellow) {yellow["score"]} : '
            f'{blue["score"]} {blue["name"] or "blue"} (blue)'
        )
        parts.append(game['command'])
    if len(path):
        duration = to_seconds(path.stamps_ns[-1] - path.stamps_ns[0])
        parts.append(f'{duration:.1f} s, {len(path)} balls')
    return '   ·   '.join(parts)


def _draw_field(axes: Axes, field: dict[str, Any] | None) -> None:
    axes.set_aspect('equal')
    axes.set_facecolor(CARPET)
    axes.set_xlabel('x [m]')
    axes.set_ylabel('y [m]')
    if field is None:
        axes.set_title('no field received: lines are not drawn', fontsize=10)
        return
    length, width, margin = field['length'], field['width'], field['boundary_width']
    axes.set_xlim(-length / 2 - margin, length / 2 + margin)
    axes.set_ylim(-width / 2 - margin, width / 2 + margin)
    axes.add_patch(_rectangle(-length / 2, -width / 2, length, width, facecolor=GRASS))
    for line in field['lines']:
        axes.plot(*zip(line['start'], line['end'], strict=True), color=LINE, linewidth=1.5)
    for arc in field['arcs']:
        start, end = (math.degrees(arc[key]) for key in ('start', 'end'))
        diameter = 2.0 * arc['radius']
        shape = Arc(arc['center'], diameter, diameter, theta1=start, theta2=end)
        shape.set(color=LINE, linewidth=1.5)
        axes.add_patch(shape)
    _draw_goals(axes, field)


def _draw_goals(axes: Axes, field: dict[str, Any]) -> None:
    half, depth, width = field['length'] / 2, field['goal_depth'], field['goal_width']
    for left in (-half - depth, half):
        goal = _rectangle(left, -width / 2, depth, width, facecolor='white', edgecolor=INK)
        axes.add_patch(goal)


def _rectangle(x: float, y: float, width: float, height: float, **style: Any) -> Rectangle:
    return Rectangle((x, y), width, height, **{'edgecolor': LINE, 'linewidth': 1.5, **style})


def _draw_robots(axes: Axes, history: MatchHistory) -> None:
    for name, track in history.tracks.items():
        axes.plot(*np.array(track).T, color=TEAM_COLORS[name.team], linewidth=1.0, alpha=0.6)
    if history.robots is None:
        return
    for name, (x, y, heading) in zip(
        history.robots.ids, history.robots.poses.tolist(), strict=True
    ):
        body = Circle((x, y), ROBOT_RADIUS, facecolor=TEAM_COLORS[name.team], edgecolor=INK)
        body.set(linewidth=0.8, zorder=4)
        axes.add_patch(body)
        front = (x + ROBOT_RADIUS * math.cos(heading), y + ROBOT_RADIUS * math.sin(heading))
        axes.plot((x, front[0]), (y, front[1]), color=INK, linewidth=1.5, zorder=5)
        axes.annotate(
            str(name.number),
            (x, y),
            (0, 8),
            textcoords='offset points',
            ha='center',
            fontsize=8,
            color=INK,
            zorder=6,
        )


def _draw_path(axes: Axes, path: BallPath) -> None:
    """Draw the path of the ball, colored by speed; dotted where the ball was not observed."""
    if len(path) < 2:
        return
    ends = np.stack([path.positions[:-1, :2], path.positions[1:, :2]], axis=1)
    observed = path.continuous & path.observed[:-1] & path.observed[1:]
    unobserved = LineCollection(
        list(ends[path.continuous & ~observed]), colors=INK, linestyles=':'
    )
    speed_lines = LineCollection(
        list(ends[observed]), array=path.speeds[1:][observed], cmap='plasma_r'
    )
    speed_lines.set(linewidth=2.2, capstyle='round', zorder=7)
    # The maximum would be an outlier; the other speeds would then have almost the same color.
    speed_lines.set_clim(0.0, max(1.0, float(np.percentile(path.speeds, 99))))
    axes.add_collection(unobserved)
    axes.add_collection(speed_lines)
    color_axes = axes.inset_axes((1.01, 0.0, 0.015, 1.0))
    axes.figure.colorbar(
        speed_lines, cax=color_axes, label='speed of the ball [m/s]', extend='max'
    )
    last = path.positions[-1, :2]
    axes.plot(*last, 'o', color='#ff7f0e', markeredgecolor=INK, zorder=9, label='ball at the end')


def _draw_kicks(axes: Axes, kicks: Iterable[Kick]) -> None:
    places = {kick.number: (kick.position[0], kick.position[1]) for kick in kicks}
    if not places:
        return
    x, y = zip(*places.values(), strict=True)
    axes.scatter(x, y, s=130, c=KICK_COLOR, marker='*', edgecolor='white', zorder=8, label='kick')
    for number, place in places.items() if len(places) <= NUMBERED_KICKS else ():
        axes.annotate(
            str(number),
            place,
            (7, 7),
            textcoords='offset points',
            color=KICK_COLOR,
            fontsize=9,
            fontweight='bold',
            zorder=9,
        )


def _draw_errors(axes: Axes, history: MatchHistory, path: BallPath) -> None:
    axes.set_title(
        'Errors of the predicted ball positions '
        '(faint: disturbed by a robot or a kick, not in the medians)',
        fontsize=11,
        color=INK,
    )
    axes.set_xlabel('time of the prediction [s]')
    axes.set_ylabel('error')
    axes.set_yscale('log')
    axes.set_ylim(LEAST_ERROR, GREATEST_ERROR)
    axes.yaxis.set_major_formatter(FuncFormatter(_format_length))
    axes.grid(color=CARPET)
    if not len(path):
        return
    start_ns = int(path.stamps_ns[0])
    axes.set_xlim(0.0, max(1.0, to_seconds(path.stamps_ns[-1] - start_ns)))
    for kick in history.kicks.values():
        axes.axvline(
            to_seconds(kick.stamp_ns - start_ns),
            color=KICK_COLOR,
            linewidth=1,
            ls='--',
        )
    for horizon in HORIZONS:
        _draw_horizon(axes, history.errors(horizon), horizon, start_ns)
    axes.legend(loc='upper right', ncols=len(HORIZONS), framealpha=0.9)


def _draw_horizon(axes: Axes, errors: BallPredictionErrors, horizon: float, start_ns: int) -> None:
    times = (errors.stamps_ns - start_ns) / NANOSECONDS_PER_SECOND
    distances = np.maximum(errors.distances, LEAST_ERROR)
    color, median = HORIZON_COLORS[horizon], errors.median
    label = f'{horizon:g} s ahead: ' + (
        'no data' if math.isnan(median) else f'median {1e3 * median:.0f} mm'
    )
    undisturbed = np.where(errors.disturbed, np.nan, distances)
    axes.plot(*_with_gaps(times, undisturbed), color=color, linewidth=1.3, label=label)
    axes.plot(
        *_with_gaps(times, np.where(errors.disturbed, distances, np.nan)), color=color, alpha=0.2
    )
    if not math.isnan(median):
        axes.axhline(median, color=color, linewidth=1, ls=':')


def _with_gaps(times: Array, values: Array) -> tuple[Array, Array]:
    """Insert a gap into a line where no prediction was made for a while."""
    gaps = np.flatnonzero(np.diff(times) > LONGEST_GAP) + 1
    return np.insert(times, gaps, np.nan), np.insert(values, gaps, np.nan)


def _format_length(meters: float, _position: int) -> str:
    """Format a length in m, or in mm below 1 m."""
    return f'{meters:g} m' if meters >= 1.0 else f'{1e3 * meters:g} mm'
