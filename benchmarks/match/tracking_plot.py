# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A plot of the tracking errors in simulated matches under each condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

INK, OURS, BASELINE = '#26322a', '#2f6fd0', '#d9480f'
STATE = 'rolling'
FAILURES = {
    'missed': '#d9480f',
    'wrong kicker': '#e8a33d',
    'chip called straight': '#7a9e4e',
    'straight called chip': '#7b4fb0',
    'false': '#8a8f8c',
}


def save_plot(conditions: dict[str, Any], path: Path) -> None:
    """Plot the conditions of the results of tracker_quality to a PNG file."""
    figure = Figure(figsize=(11.0, 0.42 * len(conditions) + 1.6), layout='constrained')
    FigureCanvasAgg(figure)
    positions, speeds, kicks = figure.subplots(1, 3, sharey=True)
    _draw_errors(positions, conditions, 'position [mm]')
    _draw_errors(speeds, conditions, 'velocity [m/s]')
    _draw_failures(kicks, conditions)
    positions.set_yticks(range(len(conditions)), list(conditions))
    positions.invert_yaxis()
    figure.suptitle('Simulated matches, tracked from vision alone', color=INK)
    figure.savefig(path, format='png', dpi=110)


def _draw_errors(axes: Axes, conditions: dict[str, Any], quantity: str) -> None:
    """Draw medians, and lines to the 95th percentiles."""
    for shift, color, label in ((-0.15, OURS, 'world_model'), (0.15, BASELINE, 'baseline')):
        median, high = _errors(conditions, quantity, baseline=color is BASELINE)
        rows = np.arange(len(conditions)) + shift
        axes.hlines(rows, median, high, color=color, alpha=0.5, linewidth=3.0)
        axes.plot(median, rows, 'o', color=color, label=label)
    axes.set(xscale='log', xlabel=f'{quantity}: median to 95 %', title=f'{STATE} ball')
    axes.grid(axis='x', alpha=0.3)
    axes.legend(frameon=False, fontsize='small')


def _errors(
    conditions: dict[str, Any], quantity: str, *, baseline: bool
) -> tuple[list[float], list[float]]:
    """Return medians and 95th percentiles, NaN without a rolling ball."""
    found = []
    for condition in conditions.values():
        state = condition['ball']['by state'].get(STATE, {})
        errors = state.get('baseline', {}) if baseline else state
        found.append(errors.get(quantity, {}))
    median, high = ([each.get(name, np.nan) for each in found] for name in ('median', 'p95'))
    return median, high


def _draw_failures(axes: Axes, conditions: dict[str, Any]) -> None:
    """Draw the failures per hundred kicks."""
    start = np.zeros(len(conditions))
    for name, color in FAILURES.items():
        share = np.array([_share(condition['kicks'], name) for condition in conditions.values()])
        axes.barh(range(len(conditions)), share, 0.6, start, color=color, label=name)
        start += share
    axes.set(xlabel='of 100 kicks', title='kicks')
    axes.grid(axis='x', alpha=0.3)
    axes.legend(frameon=False, fontsize='small')


def _share(kicks: dict[str, Any], name: str) -> float:
    """Return the failures of a kind per 100 kicks."""
    count = kicks[name]
    total = sum(count.values()) if isinstance(count, dict) else count
    return float(100.0 * total / max(kicks['kicks'], 1))
