# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plots of the lecture's simulations, without and with the error source, and its distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy.special import gammaln

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.lecture_simulation_run import simulate
from world_model_core.uncertainty.lecture_simulations import (
    COMMAND,
    DURATION,
    IDEAL,
    IDEAL_MOTION,
    LECTURE_SIMULATIONS,
    lecture_simulation,
)
from world_model_core.uncertainty.random_draws import Draws
from world_model_nodes.commands import uncertainty_motion_plot as motion
from world_model_nodes.commands import uncertainty_sensing_plot as sensing
from world_model_nodes.commands.uncertainty_axes import FAULT, MODEL, WITH, WITHOUT, draw_histogram

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.lecture_simulation_run import SimulationRun
    from world_model_core.uncertainty.lecture_simulations import LectureSimulation

SIZE = (15.0, 5.6)  # inches
EXPONENTIAL = 'exponential'
PRESETS = (*LECTURE_SIMULATIONS, EXPONENTIAL)
# Rates of the lecture's figures, and the number of draws for each.
RATES, SAMPLES = (1.0, 2.0), 10_000
MARGIN = 0.3  # [m]
# Region that robots detect on their circles: limits of x and y [m].
DETECTED_REGION = np.array(((-7.2, -5.8), (6.2, 6.2)))
# Legends of the objects in the color of faults.
FAULTS = {
    'stuck': 'stuck at the end',
    'kidnap': 'kidnapped before the end',
    'clutter': 'clutter',
    'missed_detection': 'missed by one robot',
    'occlusion': 'partly hidden',
}


def draw(preset: str, seed: int) -> Figure:
    """
    Draw one of `PRESETS`.

    Raises
    ------
    ConfigurationError
        The preset is unknown.

    """
    if preset == EXPONENTIAL:
        return draw_exponential(Draws(seed))
    if preset not in LECTURE_SIMULATIONS:
        raise ConfigurationError(f'preset is {preset!r}; it can be {" | ".join(PRESETS)}')
    return draw_scenario(preset, Draws(seed))


def draw_scenario(name: str, draws: Draws) -> Figure:
    """Draw robots without and with the error source, and its distribution."""
    chosen = lecture_simulation(name)
    run, truth = simulate(chosen, draws), simulate(IDEAL, draws)
    figure = Figure(figsize=SIZE, layout='constrained')
    FigureCanvasAgg(figure)
    rows: list[Any] = [['without', 'with', 'upper'], ['without', 'with', 'lower']]
    axes = figure.subplot_mosaic(rows, width_ratios=(1.0, 1.0, 1.05))
    draw_all = _draw_sensing if chosen.motion == IDEAL_MOTION else _draw_motion
    extent = draw_all(axes, chosen, run, truth)
    for title in ('without', 'with'):
        _frame(axes[title], extent, title)
    if name in FAULTS:
        axes['with'].plot([], [], color=FAULT, label=FAULTS[name])
        axes['with'].legend(loc='upper right', fontsize=8)
    for panel in (axes['upper'], axes['lower']):
        panel.grid(alpha=0.3)
        panel.legend(loc='best', fontsize=8, framealpha=0.9)
    robots = run.poses.shape[1]
    title = f'{chosen.title.capitalize()}: {robots} robots, {DURATION:g} s ({chosen.section})'
    figure.suptitle(title, color=MODEL, fontsize=14, fontweight='bold')
    return figure


def _draw_motion(
    axes: dict[str, Axes], chosen: LectureSimulation, run: SimulationRun, truth: SimulationRun
) -> Array:
    """Draw paths and their distribution; return the limits of the maps."""
    motion.draw_paths(axes['without'], truth, WITHOUT)
    motion.draw_paths(axes['with'], run, WITH)
    motion.draw_statistics(axes['upper'], axes['lower'], run, chosen.motion)
    return _extent(run)


def _draw_sensing(
    axes: dict[str, Axes], chosen: LectureSimulation, run: SimulationRun, truth: SimulationRun
) -> Array:
    """Draw readings and their distribution; return the limits of the maps."""
    sensing.draw_readings(axes['without'], truth, truth, WITHOUT)
    sensing.draw_readings(axes['with'], run, truth, WITH)
    sensing.draw_statistics(axes['upper'], axes['lower'], run, truth, chosen.observation)
    return DETECTED_REGION


def _extent(run: SimulationRun) -> Array:
    """Return the square that contains all robots at any time: lower and upper corner [m]."""
    low, high = (end(run.poses[..., :2], axis=(0, 1)) for end in (np.min, np.max))
    middle, half = 0.5 * (low + high), 0.5 * (high - low).max() + MARGIN
    corners: Array = np.stack((middle - half, middle + half))
    return corners


def _frame(axes: Axes, extent: Array, title: str) -> None:
    """Set the limits and labels of a map."""
    axes.set(title=title, xlabel='x [m]', ylabel='y [m]', aspect='equal')
    axes.set(xlim=extent[:, 0], ylim=extent[:, 1])
    axes.grid(alpha=0.3)


def draw_exponential(draws: Draws) -> Figure:
    """Draw distances to the next pebble, and the numbers of pebbles."""
    figure = Figure(figsize=(SIZE[0], 4.2), layout='constrained')
    FigureCanvasAgg(figure)
    *panels, last = figure.subplots(1, len(RATES) + 1)
    for number, (axes, rate) in enumerate(zip(panels, RATES, strict=True)):
        distances = draws.exponential('exponential law', 0, number, SAMPLES) / rate
        places = np.linspace(0.0, 5.0, 201)
        densities = rate * np.exp(-rate * places)
        draw_histogram(axes, distances, (places, densities), f'{SAMPLES} draws')
        axes.set(title=f'$p(x | \\lambda) = \\lambda e^{{-\\lambda x}}$, $\\lambda$ = {rate:g} /m')
        axes.set(xlabel='distance to the next pebble [m]', ylim=(0.0, 1.05 * max(RATES)))
    _draw_counts(last, draws)
    for axes in (*panels, last):
        axes.grid(alpha=0.3)
        axes.legend(loc='upper right', fontsize=9)
    return figure


def _draw_counts(axes: Axes, draws: Draws) -> None:
    """Draw the numbers of pebbles in a run with their Poisson distribution."""
    chosen = LECTURE_SIMULATIONS['motion_noise']
    counts = simulate(chosen, draws, SAMPLES // 10).pebbles
    distance = COMMAND[0] * DURATION
    mean = distance * (chosen.motion.pebbles.rate if chosen.motion.pebbles else 0.0)
    numbers = np.arange(int(0.3 * mean), int(1.8 * mean))
    expected = np.exp(numbers * np.log(mean) - mean - gammaln(numbers + 1.0))
    found = np.bincount(counts, minlength=numbers[-1] + 1)[numbers] / len(counts)
    axes.bar(numbers, found, 1.0, color=WITH, alpha=0.55, label=f'{len(counts)} robots')
    axes.plot(numbers, expected, '.--', color=MODEL, linewidth=1.0, markersize=4, label='model')
    title = f'pebbles met on {distance:g} m, $\\lambda$ = {mean / distance:g} /m'
    axes.set(title=title, xlabel='pebbles')
