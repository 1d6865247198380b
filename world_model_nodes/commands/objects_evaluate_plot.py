# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plot of duplicates and counts over the gate of nearest-neighbor maps, and of the object map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from world_model_core.evaluation.objects.layouts import SIMULATED
from world_model_core.evaluation.objects.object_map_mapper import OBJECT_MAP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

SIZE = (12.0, 5.0)  # inches
COLORS = ('#d9480f', '#0b7285', '#5f3dc4', '#c2255c')
# Well-known gates; the first specification called 9.21 the 95 % gate of 3 degrees of freedom.
MARKED = {7.815: '7.815: 95 %', 9.21: '9.21', 16.266: '16.27: 99.9 %'}
INK = '#868e96'


def draw(document: Mapping[str, Any]) -> Figure:
    """Draw duplicates and exact class counts over the gate, side by side."""
    figure = Figure(figsize=SIZE, layout='constrained')
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    _draw_share(left, document, 'duplicates', 'duplicates per true object [%]')
    _draw_share(right, document, 'class_counts', 'class counts exact [%]')
    left.set_ylim(bottom=0.0)
    right.set_ylim(top=100.5)
    left.legend(title='solid: nearest neighbor; dashed: object map', loc='center right')
    _mark_gates(left, 0.98, 'top')
    _mark_gates(right, 0.02, 'bottom')
    return figure


def _draw_share(axes: Axes, document: Mapping[str, Any], key: str, title: str) -> None:
    """Draw one score of nearest neighbor as a curve per noise, and of the object map as a line."""
    axes.set(title=title, xlabel='gate: squared Mahalanobis distance', xscale='log')
    axes.grid(alpha=0.3, which='both')
    sigmas = dict.fromkeys(row['sigma'] for row in document['gates'])
    for sigma, color in zip(sigmas, COLORS, strict=False):
        rows = [row for row in document['gates'] if row['sigma'] == sigma]
        shares = [100.0 * row[key] for row in rows]
        label = f'sigma {sigma:g} m'
        axes.plot([row['gate'] for row in rows], shares, 'o-', color=color, label=label)
        for row in document['comparisons']:
            if row['mapper'] == OBJECT_MAP and row['sigma'] == sigma and row['rooms'] == SIMULATED:
                axes.axhline(100.0 * row['scores'][key], color=color, linestyle='--')
    axes.set_xticks([5, 7.815, 10, 20, 30, 60], ['5', '7.8', '10', '20', '30', '60'])
    axes.minorticks_off()


def _mark_gates(axes: Axes, height: float, side: str) -> None:
    """Label well-known gates at a height of the axes (0 to 1)."""
    for gate, name in MARKED.items():
        axes.axvline(gate, color=INK, linestyle=':', linewidth=1.0)
        place: dict[str, Any] = {
            'transform': axes.get_xaxis_transform(),
            'ha': 'right',
            'va': side,
        }
        axes.text(gate, height, name, rotation=90, color=INK, **place)
