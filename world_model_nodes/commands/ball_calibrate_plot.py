# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plot of a calibration: each kick's speed over time with the fit, and the residuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from world_model_nodes.commands.ball_calibrate import list_measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.calibration.values import CalibrationKick

WIDTH, ROW = 13.0, 2.6  # inches
# Kicks that are drawn: those that measure most constants.
MOST_KICKS = 16
# Shortest time between two detections of one camera from which a speed is computed [s].
SPAN = 0.04
SEEN = {'color': '#9bb59f', 'marker': '.', 'linestyle': 'none', 'label': 'detected'}
FITTED = {'color': '#c2255c', 'linewidth': 1.2, 'label': 'fitted'}
ALONG, ACROSS = '#0b7285', '#d9480f'


def draw_kicks(kicks: Sequence[CalibrationKick]) -> Figure:
    """Draw a row for each kick: speed on the left, residuals on the right."""
    chosen = sorted(kicks, key=lambda kick: -len(kick.measurements))[:MOST_KICKS]
    figure = Figure(figsize=(WIDTH, ROW * max(len(chosen), 1)), layout='constrained')
    FigureCanvasAgg(figure)
    if not chosen:
        figure.suptitle('no kick was found')
        return figure
    rows = figure.subplots(len(chosen), 2, squeeze=False, width_ratios=(1.4, 1.0))
    for (speed, residuals), kick in zip(rows, chosen, strict=True):
        _draw_speed(speed, kick)
        _draw_residuals(residuals, kick)
    return figure


def _draw_speed(axes: Axes, kick: CalibrationKick) -> None:
    for camera in kick.detections.cameras_by_use:
        own = kick.detections.cameras == camera
        for places, style in ((kick.detections.places, SEEN), (kick.fitted, FITTED)):
            axes.plot(*_speeds(kick.detections.times[own], places[own]), **style)
    axes.set_title(
        f'{kick.kind.value}: {kick.reason or list_measured(kick)}', fontsize=8, loc='left'
    )
    axes.set_ylabel('speed [m/s]')
    axes.set_xlabel('time since the first detection [s]')
    axes.set_ylim(bottom=0.0)
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[:2], labels[:2], fontsize=8)


def _speeds(times: Array, places: Array) -> tuple[Array, Array]:
    """Return speeds between detections of one camera: times [s], speeds [m/s]."""
    later = np.searchsorted(times, times + SPAN)
    first = np.flatnonzero(later < len(times))
    last = later[first]
    dt = times[last] - times[first]
    return times[first] + 0.5 * dt, np.hypot(*(places[last] - places[first]).T) / dt


def _draw_residuals(axes: Axes, kick: CalibrationKick) -> None:
    ahead = kick.fitted[-1] - kick.fitted[0]
    ahead = ahead / max(float(np.hypot(*ahead)), 1e-9)
    aside = np.array((-ahead[1], ahead[0]))
    for direction, color, label in ((ahead, ALONG, 'along'), (aside, ACROSS, 'across')):
        axes.plot(
            kick.detections.times,
            1e3 * kick.residuals @ direction,
            '.',
            color=color,
            markersize=3,
            label=label,
        )
    axes.axhline(0.0, color=SEEN['color'], linewidth=0.8)
    axes.set_title(f'RMSE {1e3 * kick.rmse:.2f} mm, R2 {kick.r_squared:.5f}', fontsize=8)
    axes.set_ylabel('residual [mm]')
    axes.set_xlabel('time since the first detection [s]')
    axes.legend(fontsize=8)
