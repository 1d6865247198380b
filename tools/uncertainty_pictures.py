# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Draws the pictures of docs/explanation/uncertainty.md: motion, sensing and localization.

Run it with `python tools/uncertainty_pictures.py`; it writes docs/images/uncertainty_*.png.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy.stats import chi2

from world_model_core.angles import wrap_angles
from world_model_core.gaussian import mahalanobis_squared
from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.localization.particle_filter import ParticleFilter
from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.lecture_simulations import COMMAND, IDEAL_SENSOR, LANDMARKS
from world_model_core.uncertainty.motion_parameters import LNPR as LNPR_MOTION
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import LNPR as LNPR_SENSOR
from world_model_core.uncertainty.occlusion import LastingOcclusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise
from world_model_nodes.commands.plot_file import save_plot
from world_model_nodes.commands.uncertainty_axes import FAULT, MODEL, WITH, WITHOUT
from world_model_nodes.commands.uncertainty_plot import PRESETS, draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.gaussian import Array
    from world_model_core.uncertainty.observation_parameters import ObservationParameters

IMAGES = Path(__file__).resolve().parents[1] / 'docs/images'
SEED, ROBOTS, STEPS, PERIOD, LONGEST = 0, 400, 600, 0.1, 200
PLACE, DISTANCE = ((3.0, 0.0),), 3.0
DRIFT = SensorDrift(range_std=0.005, range_time=5.0)
NOISE = RangeBearingNoise(range_fraction=0.0, range_std=0.003, bearing_std=0.0)
HIDING = LastingOcclusion(share=0.3, mean_duration=3.0)
# Localization: robots, steps, step of the kidnapping, largest error of a localized robot [m].
FOLLOWED, FOLLOWING, TAKEN, FOUND = 100, 300, 100, 0.5
FILTERS = {'Kalman filter': WITH, 'particle filter': FAULT, 'odometry alone': WITHOUT}
SPREAD = np.diag((0.05, 0.05, 0.05)) ** 2
ALL_AROUND = replace(LNPR_SENSOR, field_of_view=PlanarFieldOfView(half_angle=math.pi, far=10.0))
KIDNAPPER = KidnapParameters(mean_interval=3600.0)


def watch(sensor: ObservationParameters) -> Array:
    """Simulate repeated ranges of one landmark by robots at rest, shape (STEPS, ROBOTS)."""
    observation, draws = Observation(sensor), Draws(SEED)
    state, poses = observation.begin(ROBOTS, PLACE, draws), np.zeros((ROBOTS, 3))
    ranges = np.empty((STEPS, ROBOTS))
    for row in ranges:
        state, readings, _ = observation.observe(state, poses, PLACE, PERIOD, draws)
        row[:] = readings[:, 0, 0]
    return ranges


def correlate(values: Array) -> Array:
    """Return the autocorrelation of values (t, n) of mean 0, for each lag."""
    power = np.mean(values**2)
    products = [np.mean(values[: STEPS - lag] * values[lag:]) for lag in range(LONGEST)]
    return np.array(products) / power


def draw_drift(series: Axes, model: Axes) -> None:
    """Draw some readings with drift, and the autocorrelation of all."""
    errors = watch(replace(IDEAL_SENSOR, noise=NOISE, drift=DRIFT)) - DISTANCE
    times, lags = PERIOD * np.arange(STEPS), PERIOD * np.arange(LONGEST)
    series.plot(times, 1e3 * errors[:, :3], linewidth=0.8)
    series.set(title='ranges of three robots: error [mm]', xlabel='time [s]')
    share = DRIFT.range_std**2 / (DRIFT.range_std**2 + NOISE.range_std**2)
    model.plot(lags[1:], correlate(errors)[1:], color=WITH, label=f'{ROBOTS} robots')
    expected = share * np.exp(-lags / DRIFT.range_time)
    model.plot(lags, expected, '--', color=MODEL, label='model: drift and white noise')
    model.set(title='autocorrelation of readings', xlabel='lag [s]')


def draw_hiding(series: Axes, model: Axes) -> None:
    """Draw some readings with lasting occlusion, and the probability of being hidden later."""
    ranges = watch(replace(IDEAL_SENSOR, lasting_occlusion=HIDING))
    hidden = ranges > DISTANCE + 1e-9
    times, lags = PERIOD * np.arange(STEPS), PERIOD * np.arange(1, LONGEST)
    series.plot(times, ranges[:, :2], linewidth=1.0)
    series.set(title='ranges of two robots, 3 m from a landmark [m]', xlabel='time [s]')
    expected = np.array([HIDING.hidden_after(float(lag)) for lag in lags])
    for number, (before, color, name) in enumerate(
        ((hidden, FAULT, 'hidden'), (~hidden, WITH, 'clear'))
    ):
        after = [hidden[lag:][before[: STEPS - lag]].mean() for lag in range(1, LONGEST)]
        model.plot(lags, after, color=color, label=f'was {name}: {ROBOTS} robots')
        model.plot(lags, expected[:, number], '--', color=MODEL)
    model.plot([], [], '--', color=MODEL, label='model')
    model.set(title='probability of being hidden', xlabel='lag [s]')


def draw_lasting() -> Figure:
    """Draw the two sensor errors that are correlated in time."""
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


class FilterErrors(NamedTuple):
    """Errors of a filter, shape (steps, robots, 3), and its covariances (..., 3, 3)."""

    off: Array
    covariances: Array

    @property
    def distances(self) -> Array:
        """Position errors [m], shape (steps, robots)."""
        return np.hypot(self.off[..., 0], self.off[..., 1])

    @property
    def nees(self) -> Array:
        """Mean normalized estimation error squared of all robots, shape (steps,)."""
        return mahalanobis_squared(self.off, self.covariances).mean(axis=1)


def localize(sensor: ObservationParameters, taken: int | None = None) -> dict[str, FilterErrors]:
    """Localize robots with both filters; optionally kidnap all robots in one step."""
    own, commands = Draws(SEED + 1), np.tile(COMMAND, (FOLLOWED, 1))
    fleet = RobotFleet(LNPR_MOTION, sensor, LANDMARKS, COMMAND, count=FOLLOWED, seed=SEED)
    kalman = ExtendedKalmanFilter(LNPR_MOTION, sensor)
    particles = ParticleFilter(VelocityNoiseParameters(), KIDNAPPER, sensor)
    first = np.sqrt(SPREAD) @ own.normal('beginning', 0, range(3), FOLLOWED).T
    state, cloud = kalman.begin(first.T, SPREAD), particles.begin(first.T, SPREAD, own)
    steps, unknown = [], np.full((FOLLOWED, 3, 3), np.nan)
    for step in range(FOLLOWING):
        if step == taken:
            kidnap(fleet)
        seen = fleet.step(PERIOD)
        state = kalman.predict(state, commands, PERIOD)
        state = kalman.correct(state, seen.readings, LANDMARKS).state
        cloud = particles.predict(cloud, commands, PERIOD, own)
        cloud = particles.correct(cloud, seen.readings, LANDMARKS, own)
        found = cloud.particles.mean, cloud.particles.covariance
        estimates = (state.poses, state.pose_covariances), found, (fleet.odometry, unknown)
        steps.append((fleet.truth.poses.copy(), *estimates))
    truth = np.array([each[0] for each in steps])
    return {
        name: compare_poses(truth, [each[number] for each in steps])
        for number, name in enumerate(FILTERS, start=1)
    }


def kidnap(fleet: RobotFleet) -> None:
    """Move all robots to random poses."""
    poses = np.random.default_rng(SEED).uniform((-4, -4, -3), (4, 4, 3), (FOLLOWED, 3))
    fleet.truth.poses[:] = poses


def compare_poses(truth: Array, found: list[tuple[Array, Array]]) -> FilterErrors:
    """Return the errors of estimated poses."""
    off = truth - np.array([poses for poses, _ in found])
    off[..., 2] = wrap_angles(off[..., 2])
    return FilterErrors(off, np.array([covariances for _, covariances in found]))


def draw_localization() -> Figure:
    """Draw the errors of filters, their estimated errors, and the recovery from kidnapping."""
    figure = Figure(figsize=(13.0, 4.2), layout='constrained')
    FigureCanvasAgg(figure)
    error, consistency, again = figure.subplots(1, 3)
    times = PERIOD * np.arange(1, FOLLOWING + 1)
    for name, each in localize(LNPR_SENSOR).items():
        color = FILTERS[name]
        error.plot(times, np.sqrt((each.distances**2).mean(axis=1)), color=color, label=name)
        estimated = np.trace(each.covariances[..., :2, :2], axis1=-2, axis2=-1).mean(axis=1)
        error.plot(times, np.sqrt(estimated), '--', color=color)
        consistency.plot(times, each.nees, color=color)
        report('lnpr', name, each, FOLLOWING)
    error.plot([], [], '--', color=MODEL, label='by its covariance')
    low, high = chi2.ppf((0.025, 0.975), 3 * FOLLOWED) / FOLLOWED
    consistency.axhspan(low, high, color=MODEL, alpha=0.15, label='95 % if consistent')
    for name, each in localize(ALL_AROUND, TAKEN).items():
        again.plot(times, (each.distances < FOUND).mean(axis=1), color=FILTERS[name])
        report('all around', name, each, TAKEN)
        report('3 s after', name, each, TAKEN + 30)
    again.axvline(PERIOD * TAKEN, color=WITHOUT, linestyle=':', label='all robots kidnapped')
    error.set(title='position error, root mean square [m]', xlabel='time [s]')
    consistency.set(title='mean NEES', xlabel='time [s]')
    consistency.set_ylim(0.0, 6.0)
    again.set(title='share of robots localized to 0.5 m', xlabel='time [s]')
    for axes in (error, consistency, again):
        axes.legend(fontsize=8)
        axes.grid(alpha=0.3)
    return figure


def report(what: str, name: str, errors: FilterErrors, step: int) -> None:
    """Print the figures of the page, up to a step."""
    distances, nees = errors.distances[step - 1], errors.nees[50:step:50]
    print(
        f'{what}: {name} error {np.sqrt(np.mean(distances**2)):.3f} m, '
        f'{np.mean(distances < FOUND):.2f} localized, NEES {nees.min():.2f} to {nees.max():.2f}'
    )


def main() -> None:
    """Draw and write the pictures."""
    for preset in PRESETS:
        save_plot(draw(preset, SEED), IMAGES / f'uncertainty_{preset}.png')
    draw_lasting().savefig(IMAGES / 'uncertainty_lasting.png', dpi=100)
    draw_localization().savefig(IMAGES / 'uncertainty_localization.png', dpi=100)


if __name__ == '__main__':
    main()
