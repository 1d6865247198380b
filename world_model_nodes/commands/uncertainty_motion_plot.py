# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plots of motion errors with their distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import LineCollection

from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.lecture_simulations import COMMAND, PERIOD
from world_model_core.uncertainty.motion_moments import step_moments
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.velocity_bias import UNBIASED
from world_model_nodes.commands.uncertainty_axes import (
    FAULT,
    WITHOUT,
    compare,
    draw_robots,
    share_band,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.uncertainty.lecture_simulation_run import SimulationRun
    from world_model_core.uncertainty.motion_parameters import MotionParameters

# Steps between the times of moments.
EVERY = 5
NO_PEBBLES = PebbleParameters(rate=0.0)


def draw_paths(axes: Axes, run: SimulationRun, color: str) -> None:
    """Draw the paths of robots, interrupted at kidnappings, and the final poses."""
    paths = np.swapaxes(run.poses[:, :, :2], 0, 1).copy()
    kidnapped = (run.causes & ErrorCause.KIDNAP).T > 0
    paths[:, 1:][kidnapped] = np.nan
    alpha = 0.9 if np.ptp(run.poses[-1], axis=0).max() == 0.0 else 0.25
    axes.add_collection(LineCollection(list(paths), colors=color, linewidths=0.8, alpha=alpha))
    faulty = run.stuck[-1] | kidnapped.any(axis=1)
    draw_robots(axes, run.poses[-1][~faulty], color)
    draw_robots(axes, run.poses[-1][faulty], FAULT)


def draw_statistics(
    upper: Axes, lower: Axes, run: SimulationRun, parameters: MotionParameters
) -> None:
    """Draw two statistics of all robots over time with the model."""
    if parameters.stuck:
        _draw_stuck(upper, lower, run, parameters.stuck.mean_free, parameters.stuck.mean_stuck)
    elif parameters.kidnap:
        _draw_kidnap(upper, lower, run, parameters.kidnap.mean_interval)
    else:
        _draw_spread(upper, lower, run, parameters)
    lower.set_xlabel('time [s]')


def _draw_spread(
    upper: Axes, lower: Axes, run: SimulationRun, parameters: MotionParameters
) -> None:
    """Draw the spread of headings and positions with the exact moments."""
    pebbles, bias = parameters.pebbles or NO_PEBBLES, parameters.velocity_bias or UNBIASED
    begin, command = np.zeros((1, 3)), np.array((COMMAND,))
    times, moved = run.times[EVERY::EVERY], run.poses[EVERY::EVERY]
    covariances = [
        step_moments(begin, command, float(time), pebbles, bias)[1][0] for time in times
    ]
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    headings = np.degrees(np.sqrt(variances[:, 2]))
    # The relative standard error of a standard deviation of n normal samples is 1 / sqrt(2 n).
    spread = 1.96 / math.sqrt(2.0 * moved.shape[1])
    band = np.stack(((1.0 - spread) * headings, (1.0 + spread) * headings))
    compare(upper, times, np.degrees(moved[:, :, 2].std(axis=1)), headings, band)
    upper.set_title('standard deviation of headings [°]')
    places = np.sqrt(variances[:, 0] + variances[:, 1])
    compare(lower, times, np.hypot(*moved[:, :, :2].std(axis=1).T), places)
    lower.set_title('standard deviation of positions [m]')


def _draw_stuck(
    upper: Axes, lower: Axes, run: SimulationRun, mean_free: float, mean_stuck: float
) -> None:
    """Draw the fraction of stuck robots and the driven distance."""
    rate = 1.0 / mean_free + 1.0 / mean_stuck
    final, gone = 1.0 / mean_free / rate, -np.expm1(-rate * run.times)
    share = final * gone
    compare(upper, run.times, run.stuck.mean(axis=1), share, share_band(share, run.stuck.shape[1]))
    upper.set_title(f'fraction of stuck robots; {share[-1]:.3f} at the end')
    driven = np.abs(np.diff(run.poses[:, :, 2], axis=0)).mean(axis=1) * COMMAND[0] / COMMAND[1]
    distance = COMMAND[0] * (run.times - final * (run.times - gone / rate))
    lower.plot(run.times, COMMAND[0] * run.times, color=WITHOUT, label='without')
    compare(lower, run.times[1:], driven.cumsum(), distance[1:])
    lower.set_title('mean driven distance [m]')


def _draw_kidnap(upper: Axes, lower: Axes, run: SimulationRun, mean: float) -> None:
    """Draw the fraction of kidnapped robots and the number of kidnappings."""
    kidnapped = (run.causes & ErrorCause.KIDNAP) > 0
    times, robots = run.times[1:], kidnapped.shape[1]
    share = -np.expm1(-times / mean)
    ever = np.logical_or.accumulate(kidnapped, axis=0).mean(axis=1)
    compare(upper, times, ever, share, share_band(share, robots))
    upper.set_title('fraction of robots kidnapped at least once')
    # Two kidnappings in a step count as one.
    counts = times / PERIOD * -math.expm1(-PERIOD / mean)
    spread = 1.96 * np.sqrt(counts / robots)
    compare(
        lower,
        times,
        kidnapped.cumsum(axis=0).mean(axis=1),
        counts,
        np.stack((counts - spread, counts + spread)),
    )
    lower.set_title('mean number of kidnappings of a robot')
