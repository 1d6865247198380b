# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A plot of the CPU time of a match by number of cameras."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pathlib import Path

INK, COST, BASELINE = '#26322a', '#2f6fd0', '#d9480f'


def save_plot(cameras: dict[str, Any], path: Path) -> None:
    """Plot the part `cameras` of the results of simulated_throughput to a PNG file."""
    figure = Figure(figsize=(7.0, 4.2), layout='constrained')
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    number, cost = np.array(cameras['number']), np.array(cameras['CPU [ms per s]'])
    line = cameras['straight line [ms per s]']
    ends = np.array((0, number.max()))
    axes.plot(
        ends, line['without'] + line['each camera'] * ends, color=COST, alpha=0.4,
        label=f'{line["without"]:.0f} ms + {line["each camera"]:.0f} ms a camera',
    )  # fmt: skip
    axes.plot(number, cost, 'o', color=COST, label='all: bytes to predicted ball')
    parse = 100.0 * np.array(cameras['CPU, protobuf alone [ms per s]'])
    axes.plot(number, parse, 's', color=BASELINE, label="protobuf's parser alone, times 100")
    axes.set(
        xlabel='cameras at 73 Hz',
        ylabel='CPU for 1 s of replay [ms]',
        xlim=(0, None),
        ylim=(0, None),
    )
    axes.set_title('A match of 22 robots, from vision alone, on one core', color=INK)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, format='png', dpi=110)
