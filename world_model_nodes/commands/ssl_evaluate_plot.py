# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A picture of an evaluation: errors over the horizon, the ball's way, and the kicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from world_model_core.errors import ConfigurationError
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from world_model_core.evaluation.match.evaluation import Evaluation
    from world_model_core.evaluation.match.replay import History

SIZE, DPI = (13.0, 9.0), 110
COLOURS = ('#d9480f', '#868e96', '#5f3dc4', '#0b7285')
INK, KICK_COLOUR = '#26322a', '#c2255c'


def save_plot(evaluation: Evaluation, history: History, path: Path) -> None:
    """
    Draw an evaluation into a PNG file.

    Raises
    ------
    ConfigurationError
        The file cannot be written.

    """
    try:
        draw(evaluation, history).savefig(path, format='png', dpi=DPI)
    except OSError as error:
        raise ConfigurationError(f'picture {path}: {error}') from error


def draw(evaluation: Evaluation, history: History) -> Figure:
    """Draw errors and speed beside each other, the way of the ball below."""
    figure = Figure(figsize=SIZE, layout='constrained')
    FigureCanvasAgg(figure)
    (errors, speed), below = figure.subplots(2, 2, height_ratios=(1.0, 1.3))
    grid = below[0].get_gridspec()
    for axes in below:
        axes.remove()
    _draw_errors(errors, evaluation)
    _draw_speed(speed, evaluation, history)
    _draw_way(figure.add_subplot(grid[1, :]), evaluation, history)
    return figure


def _draw_errors(axes: Axes, evaluation: Evaluation) -> None:
    """Draw the medians, and the 95th percentiles dotted, over the horizon."""
    axes.set(title='error of the predicted ball', xlabel='ahead [s]', ylabel='error [mm]')
    axes.set_yscale('log')
    axes.grid(alpha=0.3, which='both')
    names = dict.fromkeys(errors.predictor for errors in evaluation.predictions)
    for name, colour in zip(names, COLOURS, strict=False):
        own = [e for e in evaluation.predictions if e.predictor == name and e.all.n]
        horizons = [errors.horizon for errors in own]
        medians = [1e3 * (errors.all.median or 0.0) for errors in own]
        axes.plot(horizons, medians, 'o-', color=colour, label=name)
        axes.plot(horizons, [1e3 * (e.all.p95 or 0.0) for e in own], ':', color=colour)
    if names:
        axes.legend(title='median (dotted: 95 %)', loc='upper left')


def _draw_speed(axes: Axes, evaluation: Evaluation, history: History) -> None:
    """Draw the speed as told, and where the ball was hit."""
    axes.set(title='speed of the ball as told', xlabel='time [s]', ylabel='speed [m/s]')
    start_ns = history.frames_ns[0]
    told = history.estimates
    times = [to_seconds(estimate.state.stamp_ns - start_ns) for estimate in told]
    axes.plot(times, [np.hypot(*e.state.velocity[:2]) for e in told], color=COLOURS[0])
    for part in evaluation.stretches:
        axes.axvspan(part.start, part.end, color=COLOURS[3], alpha=0.12)
    for kick in evaluation.kicks.kicks:
        axes.axvline(kick.time, color=KICK_COLOUR, linestyle='--', linewidth=1.0)
    axes.grid(alpha=0.3)


def _draw_way(axes: Axes, evaluation: Evaluation, history: History) -> None:
    """Draw what vision saw, what was told, and the kicks."""
    axes.set(title='way of the ball', xlabel='x [m]', ylabel='y [m]')
    axes.set_aspect('equal', adjustable='datalim')
    axes.plot(*history.sights.places.T, '.', color=COLOURS[1], markersize=3, label='vision')
    if history.estimates:
        places = np.array([estimate.state.position[:2] for estimate in history.estimates])
        axes.plot(*places.T, '.', color=COLOURS[0], markersize=2, label='told')
    kicks = {told.kick.number: told.kick.position[:2] for told in history.kicks}
    if kicks:
        axes.plot(*np.array(list(kicks.values())).T, '*', color=KICK_COLOUR, label='kick told')
    axes.legend()
    axes.grid(alpha=0.3)
    tracker = f', tracker {evaluation.tracker}' if evaluation.tracker else ''
    axes.figure.suptitle(f'{evaluation.duration:.1f} s{tracker}', color=INK)
