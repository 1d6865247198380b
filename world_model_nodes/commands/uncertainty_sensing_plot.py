# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Plots of sensor errors with their distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.collections import LineCollection

from world_model_core.uncertainty.clutter_density import ClutterDensity
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.lecture_simulations import LANDMARKS, PERIOD
from world_model_core.uncertainty.range_density import RangeDensity
from world_model_nodes.commands.uncertainty_axes import (
    FAULT,
    MODEL,
    WITHOUT,
    compare,
    draw_histogram,
    draw_robots,
    share_band,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.lecture_simulation_run import SimulationRun
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

# Causes of gross errors: their readings are drawn in another color.
FALSE = ErrorCause.CLUTTER | ErrorCause.OCCLUSION
# Interval of steps at which lines to readings are drawn.
LINE_INTERVAL = 5
# Counts are per second.
STEPS_PER_SECOND = round(1.0 / PERIOD)


def draw_readings(axes: Axes, run: SimulationRun, truth: SimulationRun, color: str) -> None:
    """
    Draw the measured positions of landmarks of all robots, and lines from one robot to them.

    Parameters
    ----------
    axes : Axes
    run : SimulationRun
    truth : SimulationRun
        The same run without errors; it locates missed landmarks.
    color : str

    """
    places = locate(run)
    false = (run.labels & FALSE) > 0
    axes.plot(*places[~false].T, ',', color=color, alpha=0.5, zorder=2, rasterized=True)
    axes.plot(*places[false].T, ',', color=FAULT, alpha=0.5, zorder=2, rasterized=True)
    lost = (run.labels & ErrorCause.MISSED_DETECTION) > 0
    for ends, chosen, shade, width in (
        (places, ~false, color, 0.6),
        (places, false, FAULT, 0.8),
        (locate(truth), lost, FAULT, 1.6),
    ):
        lines = _lines_to_readings(run, ends, chosen)
        axes.add_collection(LineCollection(lines, colors=shade, linewidths=width, alpha=0.8))
    axes.plot(*run.poses[:, 0, :2].T, color=MODEL, linewidth=1.0, zorder=3)
    draw_robots(axes, run.poses[-1, :1], MODEL)
    axes.plot(
        *np.transpose(LANDMARKS),
        '*',
        markersize=13,
        color='#f4c20d',
        markeredgecolor=MODEL,
        zorder=6,
    )


def locate(run: SimulationRun) -> Array:
    """Return the measured positions of landmarks, shape (t, n, m, 2) [m], map frame."""
    poses = run.poses[1:, :, None]
    ranges, angles = run.readings[..., 0], run.readings[..., 1] + poses[..., 2]
    offsets = ranges[..., None] * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    places: Array = poses[..., :2] + offsets
    return places


def _lines_to_readings(
    run: SimulationRun, places: Array, chosen: NDArray[np.bool_]
) -> list[Array]:
    """Return lines, shape (2, 2), from the first robot to some measured positions."""
    shown = chosen[LINE_INTERVAL - 1 :: LINE_INTERVAL, 0]
    ends = places[LINE_INTERVAL - 1 :: LINE_INTERVAL, 0][shown]
    robots = run.poses[LINE_INTERVAL::LINE_INTERVAL, 0, None, :2]
    begins = np.broadcast_to(robots, (*shown.shape, 2))[shown]
    return list(np.stack((begins, ends), axis=1))


def draw_statistics(
    upper: Axes,
    lower: Axes,
    run: SimulationRun,
    truth: SimulationRun,
    parameters: ObservationParameters,
) -> None:
    """Draw two statistics of all readings with the model."""
    if parameters.clutter.is_on():
        _draw_clutter(upper, lower, run, parameters)
    elif parameters.missed_detection.is_on():
        _draw_missed_detections(upper, lower, run, truth, parameters.missed_detection.probability)
    elif parameters.occlusion.is_on():
        _draw_occlusion(upper, lower, run, truth, parameters)
    else:
        _draw_errors(upper, lower, run, truth, parameters)


def _draw_errors(
    upper: Axes,
    lower: Axes,
    run: SimulationRun,
    truth: SimulationRun,
    parameters: ObservationParameters,
) -> None:
    """Draw the errors of ranges and bearings: of all readings, or of each robot if it has one."""
    errors = run.readings - truth.readings
    errors[..., 0] /= truth.readings[..., 0]
    source = parameters.noise if parameters.noise.is_on() else parameters.bias
    if source is parameters.bias:
        errors, label = np.nanmean(errors, axis=(0, 2)), 'these robots, one error each'
    else:
        errors, label = errors[~np.isnan(errors[..., 0])], 'readings of these robots'
    deviations = source.range_fraction, math.degrees(source.bearing_std)
    for axes, values, deviation, title in zip(
        (upper, lower),
        (errors[:, 0], np.degrees(errors[:, 1])),
        deviations,
        ('error of ranges, as a part of the true one', 'error of bearings [°]'),
        strict=True,
    ):
        places = np.linspace(-4.0 * deviation, 4.0 * deviation, 201)
        draw_histogram(axes, values, (places, normal_density(places, deviation)), label)
        axes.set_title(f'{title}: $\\sigma$ = {deviation:g}')


def normal_density(places: Array, deviation: float) -> Array:
    """Evaluate the density of N(0, deviation^2)."""
    density: Array = np.exp(-0.5 * (places / deviation) ** 2)
    return density / (deviation * math.sqrt(2.0 * math.pi))


def by_second(counts: Array) -> Array:
    """Sum counts of steps, shape (t,), over each second."""
    seconds: Array = counts.reshape(-1, STEPS_PER_SECOND).sum(axis=1)
    return seconds


def _middles(run: SimulationRun) -> Array:
    """Return the middle of each second [s]."""
    seconds = len(run.causes) // STEPS_PER_SECOND
    return np.linspace(0.5, seconds - 0.5, seconds)


def _draw_clutter(
    upper: Axes, lower: Axes, run: SimulationRun, parameters: ObservationParameters
) -> None:
    """Draw the fraction of clutter and the number of false readings."""
    false = (run.labels & ErrorCause.CLUTTER) > 0
    times, (_, robots, marks) = _middles(run), false.shape
    observations = STEPS_PER_SECOND * robots * marks
    share = np.full(len(times), parameters.clutter.probability)
    found = by_second(false.sum(axis=(1, 2))) / observations
    compare(upper, times, found, share, share_band(share, observations))
    upper.set_title('fraction of landmarks at a false position')
    found = by_second((false & is_read(run)).sum(axis=(1, 2))) / observations
    visible = ClutterDensity(parameters, RangeDensity(parameters)).visible(run.poses[1:, 0])
    chance = share * by_second(visible) / STEPS_PER_SECOND
    compare(lower, times, marks * found, marks * chance, marks * share_band(chance, observations))
    lower.set_title('mean number of false readings of a robot')
    lower.set_xlabel('time [s]')


def _draw_missed_detections(
    upper: Axes, lower: Axes, run: SimulationRun, truth: SimulationRun, probability: float
) -> None:
    """Draw the fraction of missed detections and the number of readings."""
    visible, found = (by_second(is_read(each).sum(axis=(1, 2))) for each in (truth, run))
    times, observations = _middles(run), STEPS_PER_SECOND * run.poses.shape[1]
    expected = np.full(len(times), probability)
    compare(upper, times, 1.0 - found / visible, expected, share_band(expected, visible))
    upper.set_title('fraction of missed detections')
    lower.plot(times, visible / observations, color=WITHOUT, label='without')
    compare(lower, times, found / observations, (1.0 - probability) * visible / observations)
    lower.set_title('mean number of readings of a robot')
    lower.set_xlabel('time [s]')


def _draw_occlusion(
    upper: Axes,
    lower: Axes,
    run: SimulationRun,
    truth: SimulationRun,
    parameters: ObservationParameters,
) -> None:
    """Draw the fraction of occluded readings and their added range."""
    hidden, times = (run.labels & ErrorCause.OCCLUSION) > 0, _middles(run)
    visible = by_second(is_read(truth).sum(axis=(1, 2)))
    expected = np.full(len(times), parameters.occlusion.probability)
    found = by_second(hidden.sum(axis=(1, 2))) / visible
    compare(upper, times, found, expected, share_band(expected, visible))
    upper.set_title('fraction of occluded readings')
    upper.set_xlabel('time [s]')
    far, true = parameters.field_of_view.far, truth.readings[..., 0][hidden]
    added = (run.readings[..., 0][hidden] - true) / (far - true)
    flat = np.array((0.0, 1.0)), np.ones(2)
    draw_histogram(lower, added, flat, 'hidden readings of these robots')
    lower.set_title(f'added range as a fraction of the distance to {far:g} m')


def is_read(run: SimulationRun) -> NDArray[np.bool_]:
    """Return which landmarks have a reading, shape (t, n, m)."""
    return ~np.isnan(run.readings[..., 0])
