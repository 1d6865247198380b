# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Draws for docs/uncertainty.md: the lecture's simulations, and errors that last.

Run it with `python tools/uncertainty_pictures.py`; it writes docs/images/uncertainty_*.png.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from world_model_core.uncertainty.draws import Draws
from world_model_core.uncertainty.drift import Drift
from world_model_core.uncertainty.noise import RangeBearingNoise
from world_model_core.uncertainty.observation import Observation
from world_model_core.uncertainty.occlusion import LastingOcclusion
from world_model_core.uncertainty.scenarios import IDEAL_SENSOR
from world_model_nodes.uncertainty_axes import FAULT, LAW, WITH
from world_model_nodes.uncertainty_plot import PRESETS, save_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

IMAGES = Path(__file__).resolve().parents[1] / 'docs/images'
SEED, ROBOTS, STEPS, PERIOD, LONGEST = 0, 400, 600, 0.1, 200
PLACE, DISTANCE = ((3.0, 0.0),), 3.0
DRIFT = Drift(range_std=0.005, range_time=5.0)
NOISE = RangeBearingNoise(range_rate=0.0, range_std=0.003, bearing_std=0.0)
HIDING = LastingOcclusion(share=0.3, mean_duration=3.0)


def watch(sensor: ObservationParameters) -> Array:
    """Let robots that stand still read one landmark again and again: ranges (STEPS, ROBOTS)."""
    observation, draws = Observation(sensor), Draws(SEED)
    state, poses = observation.begin(ROBOTS, PLACE, draws), np.zeros((ROBOTS, 3))
    ranges = np.empty((STEPS, ROBOTS))
    for row in ranges:
        state, readings, _ = observation.observe(state, poses, PLACE, PERIOD, draws)
        row[:] = readings[:, 0, 0]
    return ranges


def correlate(values: Array) -> Array:
    """Give how values (t, n) of mean 0 correlate with those of the same robot later."""
    power = np.mean(values**2)
    products = [np.mean(values[: STEPS - lag] * values[lag:]) for lag in range(LONGEST)]
    return np.array(products) / power


def draw_drift(series: Axes, law: Axes) -> None:
    """Draw some readings that drift, and how all of them correlate."""
    errors = watch(replace(IDEAL_SENSOR, noise=NOISE, drift=DRIFT)) - DISTANCE
    times, lags = PERIOD * np.arange(STEPS), PERIOD * np.arange(LONGEST)
    series.plot(times, 1e3 * errors[:, :3], linewidth=0.8)
    series.set(title='ranges of three robots: error [mm]', xlabel='time [s]')
    share = DRIFT.range_std**2 / (DRIFT.range_std**2 + NOISE.range_std**2)
    law.plot(lags[1:], correlate(errors)[1:], color=WITH, label=f'{ROBOTS} robots')
    told = share * np.exp(-lags / DRIFT.range_time)
    law.plot(lags, told, '--', color=LAW, label='law: drift, and noise that is white')
    law.set(title='correlation of a reading with one later', xlabel='later by [s]')


def draw_hiding(series: Axes, law: Axes) -> None:
    """Draw some readings that are hidden for a while, and how long that is remembered."""
    ranges = watch(replace(IDEAL_SENSOR, lasting_occlusion=HIDING))
    hidden = ranges > DISTANCE + 1e-9
    times, lags = PERIOD * np.arange(STEPS), PERIOD * np.arange(1, LONGEST)
    series.plot(times, ranges[:, :2], linewidth=1.0)
    series.set(title='ranges of two robots, 3 m before a landmark [m]', xlabel='time [s]')
    told = np.array([HIDING.hidden_after(float(lag)) for lag in lags])
    for number, (before, colour, name) in enumerate(
        ((hidden, FAULT, 'hidden'), (~hidden, WITH, 'clear'))
    ):
        after = [hidden[lag:][before[: STEPS - lag]].mean() for lag in range(1, LONGEST)]
        law.plot(lags, after, color=colour, label=f'was {name}: {ROBOTS} robots')
        law.plot(lags, told[:, number], '--', color=LAW)
    law.plot([], [], '--', color=LAW, label='law')
    law.set(title='probability of being hidden', xlabel='later by [s]')


def draw_lasting() -> Figure:
    """Draw the two errors of sensors that last for a while."""
    figure = Figure(figsize=(13.0, 7.0), layout='constrained')
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 2)
    draw_drift(*axes[0])
    draw_hiding(*axes[1])
    for each in axes[:, 1]:
        each.legend()
        each.set_ylim(0.0, 1.0)
    for each in axes.flat:
        each.grid(alpha=0.3)
    return figure


def main() -> None:
    """Draw, and write the pictures."""
    for preset in PRESETS:
        save_plot(preset, SEED, IMAGES / f'uncertainty_{preset}.png')
    draw_lasting().savefig(IMAGES / 'uncertainty_lasting.png', dpi=100)


if __name__ == '__main__':
    main()
