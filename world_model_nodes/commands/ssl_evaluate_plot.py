# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plot of an evaluation: errors over the horizon, ball speed, ball path and kicks."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.evaluation.match.evaluation import Evaluation
    from world_model_core.evaluation.match.replay import ReplayedMatch

SIZE = (13.0, 9.0)  # inches
COLORS = ('#d9480f', '#868e96', '#5f3dc4', '#0b7285', '#2b8a3e', '#e67700', '#862e9c', '#1864ab')
INK, KICK_COLOR = '#26322a', '#c2255c'


def draw(evaluation: Evaluation, replayed: ReplayedMatch) -> Figure:
    """Draw errors and speed side by side, and the path of the ball below."""
    figure = Figure(figsize=SIZE, layout='constrained')
    FigureCanvasAgg(figure)
    (errors, speed), below = figure.subplots(2, 2, height_ratios=(1.0, 1.3))
    grid = below[0].get_gridspec()
    for axes in below:
        axes.remove()
    _draw_errors(errors, evaluation)
    _draw_speed(speed, evaluation, replayed)
    _draw_path(figure.add_subplot(grid[1, :]), evaluation, replayed)
    return figure


def _draw_errors(axes: Axes, evaluation: Evaluation) -> None:
    """Draw medians, and 95th percentiles dotted, over the horizon."""
    axes.set(title='error of the predicted position', xlabel='horizon [s]', ylabel='error [mm]')
    axes.set_yscale('log')
    axes.grid(alpha=0.3, which='both')
    names = dict.fromkeys(errors.predictor for errors in evaluation.predictions)
    for name, color in zip(names, cycle(COLORS), strict=False):
        own = [e for e in evaluation.predictions if e.predictor == name and e.all.n]
        horizons = [errors.horizon for errors in own]
        medians = [1e3 * (errors.all.median or 0.0) for errors in own]
        # A name with two dollar signs would be read as a formula.
        axes.plot(horizons, medians, 'o-', color=color, label=name.replace('$', r'\$'))
        axes.plot(horizons, [1e3 * (e.all.p95 or 0.0) for e in own], ':', color=color)
    if names:
        axes.legend(title='median (dotted: 95 %)', loc='upper left')


def _draw_speed(axes: Axes, evaluation: Evaluation, replayed: ReplayedMatch) -> None:
    """Draw the published speed, and the times of kicks."""
    axes.set(title='published speed of the ball', xlabel='time [s]', ylabel='speed [m/s]')
    start_ns = replayed.frames_ns[0]
    published = replayed.estimates
    times = [(estimate.state.stamp_ns - start_ns) / 1e9 for estimate in published]
    axes.plot(times, [np.hypot(*e.state.velocity[:2]) for e in published], color=COLORS[0])
    for part in evaluation.stretches:
        axes.axvspan(part.start, part.end, color=COLORS[3], alpha=0.12)
    for kick in evaluation.kicks.kicks:
        axes.axvline(kick.time, color=KICK_COLOR, linestyle='--', linewidth=1.0)
    axes.grid(alpha=0.3)


def _draw_path(axes: Axes, evaluation: Evaluation, replayed: ReplayedMatch) -> None:
    """Draw the detections, the published positions, and the kicks."""
    axes.set(title='path of the ball', xlabel='x [m]', ylabel='y [m]')
    axes.set_aspect('equal', adjustable='datalim')
    axes.plot(*replayed.detections.places.T, '.', color=COLORS[1], markersize=3, label='vision')
    if replayed.estimates:
        places = np.array([estimate.state.position[:2] for estimate in replayed.estimates])
        axes.plot(*places.T, '.', color=COLORS[0], markersize=2, label='published')
    kicks = {published.kick.number: published.kick.position[:2] for published in replayed.kicks}
    if kicks:
        axes.plot(*np.array(list(kicks.values())).T, '*', color=KICK_COLOR, label='published kick')
    axes.legend()
    axes.grid(alpha=0.3)
    axes.figure.suptitle(f'{evaluation.duration:.1f} s', color=INK)
