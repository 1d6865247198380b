# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Densities of observations are the distributions of simulated observations."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, interpolate, stats

from world_model_core.angles import wrap_angles
from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty import observation_density
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.gaussian_observation import GaussianObservation
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.observation_density import ObservationDensity
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import (
    LECTURE,
    LNPR,
    ErrorOrder,
    ObservationParameters,
)
from world_model_core.uncertainty.occlusion import LastingOcclusion, Occlusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.range_density import Offset, RangeDensity
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

POSE = np.array([[0.5, -1.0, 0.4]])
# In view; too near; behind; too far.
LANDMARKS = np.array([[3.0, 0.5], [0.7, -0.9], [-4.0, 2.0], [6.4, 1.2]])
GROSS = {
    'none': {},
    'missed_detection': {'missed_detection': MissedDetection(0.3)},
    'clutter': {'clutter': Clutter(0.5)},
    'clutter at one side': {'clutter': Clutter(0.6, 1.0, 3.0, -3.0, -1.0)},
    'occlusion': {'occlusion': Occlusion(0.5)},
    'lasting occlusion': {'lasting_occlusion': LastingOcclusion(0.4)},
}
ALL = {
    'missed_detection': MissedDetection(0.2),
    'clutter': Clutter(0.5),
    'occlusion': Occlusion(0.3),
    'lasting_occlusion': LastingOcclusion(0.2),
}
# A density with clutter takes 0.2 ms: it is tested with a landmark in view and one outside.
CASES = [
    (gross, number)
    for gross in GROSS
    for number in range(4)
    if number in {0, 2} or 'clutter' not in gross
]
RANGES = np.array([-2.0, 0.7, 1.6, 2.4, 2.9, 3.3, 4.0, 5.0, 6.0, 6.6, 8.0, 12.0])
BEARINGS = np.array([-1.6, -1.0, -0.6, -0.2, 0.0, 0.1, 0.2, 0.4, 0.8, 1.6])
BIAS, DRIFT = (0.1, 0.03), (0.2, 0.01)
# Probability that a correct distribution is rejected, for draws that never change.
CHANCE = 1e-4


def simulate(parameters, landmarks, count, *, known=None):
    """Simulate one observation of robots at one pose, with given or random bias and drift."""
    observation, draws = Observation(parameters), Draws(11)
    state = observation.begin(count, landmarks, draws)
    if known:
        fixed = {
            name: np.tile(np.array(value)[:, None], count)
            for name, value in zip(('bias', 'drift'), known, strict=True)
        }
        state = state._replace(memories={**state.memories, **fixed})
    return observation.observe(state, np.tile(POSE, (count, 1)), landmarks, 1e-9, draws)


def probabilities(evaluate, nodes):
    """Integrate a density over the cells of RANGES and BEARINGS, and append that of no reading."""
    places, weights = np.polynomial.legendre.leggauss(nodes)

    def rule(edges):
        half, middle = np.diff(edges)[:, None] / 2.0, (edges[1:] + edges[:-1])[:, None] / 2.0
        return (middle + half * places).ravel(), (half * weights).ravel()

    (ranges, range_weights), (bearings, bearing_weights) = rule(RANGES), rule(BEARINGS)
    grid = np.stack(np.meshgrid(ranges, bearings, indexing='ij'), axis=-1).reshape(-1, 1, 2)
    density = np.exp(evaluate(grid)).reshape(len(ranges), len(bearings))
    cells = density * range_weights[:, None] * bearing_weights
    cells = cells.reshape(len(RANGES) - 1, nodes, len(BEARINGS) - 1, nodes).sum(axis=(1, 3))
    none = math.exp(evaluate(np.full((1, 1, 2), np.nan)).item())
    return np.append(cells.ravel(), none)


def counts(readings):
    """Count readings (n, 2) in the same cells, and missing readings."""
    read = readings[~np.isnan(readings[:, 0])]
    cells, *_ = np.histogram2d(read[:, 0], read[:, 1], (RANGES, BEARINGS))
    return np.append(cells.ravel(), len(readings) - len(read))


def agree(observed, expected):
    """Return whether counts fit probabilities by chi-square, with small cells merged."""
    total = observed.sum()
    small = expected * total < 20.0
    observed = np.append(observed[~small], observed[small].sum())
    expected = np.append(expected[~small], expected[small].sum())
    if expected[-1] * total < 5.0:
        assert observed[-1] <= 5.0 + 6.0 * math.sqrt(expected[-1] * total + 1.0)
        observed, expected = observed[:-1], expected[:-1]
    if len(expected) == 1:
        return observed[0] == total
    expected = expected * observed.sum() / expected.sum()
    return stats.chisquare(observed, expected).pvalue > CHANCE


@pytest.mark.parametrize('order', list(ErrorOrder))
@pytest.mark.parametrize(('gross', 'landmark'), CASES)
def test_the_density_given_the_bias_is_that_of_samples(order, gross, landmark):
    """Counts of readings must fit the density, and all probabilities must sum to 1."""
    drift = SensorDrift(range_std=0.1, bearing_std=0.01)
    parameters = ObservationParameters(drift=drift, order=order, **GROSS[gross])
    landmarks = LANDMARKS[landmark : landmark + 1]
    density = ObservationDensity(parameters)
    heavy = 'clutter' in gross

    def evaluate(grid):
        poses = np.tile(POSE, (len(grid), 1))
        return density.given_bias(grid, poses, landmarks, [BIAS], [DRIFT])[:, 0]

    expected = probabilities(evaluate, 6 if heavy else 12)
    # The sides of a rectangle bend, and the lecture's occlusion has a pole at the view's end.
    assert expected.sum() == pytest.approx(1.0, abs=2e-3)
    drawn = simulate(parameters, landmarks, 10_000 if heavy else 50_000, known=(BIAS, DRIFT))
    assert agree(counts(drawn.readings[:, 0]), expected)


@pytest.mark.parametrize('order', list(ErrorOrder))
@pytest.mark.parametrize('gross', ['missed_detection', 'occlusion'])
def test_the_density_without_the_bias_is_that_of_samples(order, gross):
    """Over sensors with a random bias, counts of readings must fit the density."""
    drift = SensorDrift(range_std=0.1 if gross == 'missed_detection' else 0.0, bearing_std=0.05)
    parameters = ObservationParameters(drift=drift, order=order, **GROSS[gross])
    density, landmarks = ObservationDensity(parameters), LANDMARKS[:1]

    def evaluate(grid):
        poses = np.tile(POSE, (len(grid), 1))
        return density.bias_integrated_out(grid, poses, landmarks)[:, 0]

    expected = probabilities(evaluate, 6)
    assert expected.sum() == pytest.approx(1.0, abs=2e-3)
    drawn = simulate(parameters, landmarks, 50_000)
    assert agree(counts(drawn.readings[:, 0]), expected)


def test_a_list_has_the_closed_form_if_all_errors_are_normal():
    """In the lecture's order, without gross errors, the quadrature is the closed form."""
    parameters = ObservationParameters(
        drift=SensorDrift(range_std=0.2, bearing_std=0.02),
        missed_detection=MissedDetection(0.0),
        order=ErrorOrder.LECTURE,
    )
    landmarks = np.array([[3.0, 0.5], [2.0, 1.0], [4.0, -1.0]])
    read = simulate(parameters, landmarks, 50).readings
    poses = np.tile(POSE, (50, 1))
    density, gaussian = ObservationDensity(parameters), GaussianObservation.of(parameters)
    joint = density.joint(read, poses, landmarks)
    assert joint == pytest.approx(gaussian.joint(read, poses, landmarks), abs=1e-5)
    alone = density.bias_integrated_out(read, poses, landmarks)
    assert alone == pytest.approx(gaussian.each(read, poses, landmarks), abs=1e-5)
    assert np.abs(joint - alone.sum(axis=1)).max() > 0.5


@pytest.mark.parametrize(
    ('noise', 'errors', 'far', 'count'),
    [
        (RangeBearingNoise(0.0, 0.003, 0.01), {}, 6.0, 20),
        (RangeBearingNoise(0.0, 0.003, 0.01), {}, 30.0, 3),
        (RangeBearingNoise(1e-4, 0.0, 0.01), {}, 6.0, 3),
        (RangeBearingNoise(0.1, 0.0, 1e-4), {'bias': SensorBias(0.1, 0.1)}, 6.0, 3),
        (RangeBearingNoise(0.0, 0.003, 0.01), {'drift': SensorDrift(0.02)}, 6.0, 3),
    ],
)
def test_a_list_has_the_closed_form_with_very_small_noise(noise, errors, far, count):
    """With a bias thousands of times the noise, the bias must still be integrated out."""
    parameters = ObservationParameters(
        field_of_view=PlanarFieldOfView(far=far, half_angle=math.pi),
        noise=noise,
        missed_detection=MissedDetection(0.0),
        order=ErrorOrder.LECTURE,
        **errors,
    )
    random, poses = np.random.default_rng(3), np.tile(POSE, (20, 1))
    away, around = random.uniform(0.2, 0.9, count) * far, random.uniform(-3.0, 3.0, count)
    places = np.stack((away * np.cos(around), away * np.sin(around)), axis=-1) + POSE[0, :2]
    observation, draws = Observation(parameters), Draws(2)
    state = observation.begin(len(poses), places, draws)
    readings = observation.observe(state, poses, places, 0.1, draws).readings
    found = ObservationDensity(parameters).joint(readings, poses, places)
    expected = GaussianObservation.of(parameters).joint(readings, poses, places)
    assert found == pytest.approx(expected, abs=1e-6)


def test_integrals_over_too_many_values_are_refused():
    """Integrals that are too expensive must be rejected, with the numbers of nodes."""
    density = ObservationDensity(replace(LECTURE, drift=SensorDrift(range_std=10.0)))
    with pytest.raises(InputError, match=r'must be at most 1e\+08: .* values of bias by .* drift'):
        density.joint(np.ones((1, 4, 2)), POSE, LANDMARKS)


@pytest.mark.parametrize('order', list(ErrorOrder))
@pytest.mark.parametrize('gross', [{}, ALL], ids=['none', 'all'])
def test_the_density_of_a_list_is_that_of_samples(order, gross):
    """The mean of q(z) / p(z) over readings z of p is the mass of any q that p covers: 1."""
    parameters = ObservationParameters(missed_detection=MissedDetection(0.0), order=order)
    parameters = replace(parameters, **gross)
    count = 250 if gross else 4000
    landmarks = np.array([[2.0, 0.5]]) if gross else np.array([[2.0, 0.5], [3.0, -1.0]])
    known = ((0.0, 0.0), (0.0, 0.0)) if gross else None
    read = simulate(parameters, landmarks, count, known=known).readings
    there = ~np.isnan(read).any(axis=(1, 2))
    poses, read = np.tile(POSE, (there.sum(), 1)), read[there]
    narrow = GaussianObservation(RangeBearingNoise(range_fraction=0.09, bearing_std=0.03))
    trial = narrow.each(read, poses, landmarks).sum(axis=1)
    density = ObservationDensity(parameters)
    if gross:
        log_density = density.given_bias(read, poses, landmarks).sum(axis=1)
    else:
        log_density = density.joint(read, poses, landmarks)
    ratios = np.exp(trial - log_density)
    error = math.sqrt(np.sum(ratios**2)) / count
    assert ratios.sum() / count == pytest.approx(1.0, abs=4.0 * error)
    assert error < 0.15


@pytest.mark.parametrize('preset', [LECTURE, LNPR])
def test_missing_readings_have_the_predicted_probability(preset):
    """The share of missing readings must be the probability of NaN, whatever the bias."""
    none = np.full((1, 4, 2), np.nan)
    chance = np.exp(ObservationDensity(preset).given_bias(none, POSE, LANDMARKS)[0])
    missing = np.isnan(simulate(preset, LANDMARKS, 20_000).readings[..., 0]).mean(axis=0)
    assert missing == pytest.approx(chance, abs=4.0 * math.sqrt(0.25 / 20_000))


def test_filters_weigh_many_poses_by_one_list_of_readings():
    """One set of readings must count for each pose; missing readings carry no information."""
    poses = np.array([[0.5, -1.0, 0.4], [0.6, -1.1, 0.5], [0.0, 0.0, 0.0]])
    read = np.array([[[2.9, 0.1], [np.nan, np.nan], [np.nan, np.nan], [5.9, -0.1]]])
    for model in (ObservationDensity(LNPR).joint, GaussianObservation().joint):
        assert model(read, poses, LANDMARKS) == pytest.approx(
            model(np.repeat(read, 3, axis=0), poses, LANDMARKS)
        )
    gaussian = GaussianObservation().each(read, poses, LANDMARKS)
    assert gaussian[:, 1:3].tolist() == [[0.0, 0.0]] * 3


def test_the_gaussian_approximation_has_the_spread_of_samples():
    """Its covariances are those of readings, bias and drift included."""
    parameters = ObservationParameters(
        drift=SensorDrift(range_std=0.1, bearing_std=0.02),
        missed_detection=MissedDetection(0.0),
        order=ErrorOrder.LECTURE,
    )
    read = simulate(parameters, LANDMARKS[:1], 50_000).readings[:, 0]
    spread = GaussianObservation.of(parameters).covariances(POSE, LANDMARKS[:1])[0, 0]
    sampled = np.cov(read.T)
    scale = np.sqrt(np.outer(np.diag(spread), np.diag(spread)))
    assert sampled / scale == pytest.approx(spread / scale, abs=0.03)


def test_bearings_are_compared_across_pi():
    """Straight behind the robot, bearings on either side of pi must be close to each other."""
    behind = ObservationParameters(field_of_view=PlanarFieldOfView(half_angle=math.pi))
    read = np.array([[[2.0, math.pi - 0.01]], [[2.0, -math.pi + 0.01]]])
    poses, landmarks = np.zeros((2, 3)), [[-2.0, 0.0]]
    for model in (ObservationDensity(behind).given_bias, GaussianObservation().each):
        left, right = model(read, poses, landmarks)[:, 0].tolist()
        assert left == pytest.approx(right)


@pytest.mark.parametrize(
    ('noise', 'said'),
    [
        (RangeBearingNoise(bearing_std=0.0), 'bearing_std is 0 rad'),
        (RangeBearingNoise(range_fraction=0.0), 'range_fraction and range_std are 0'),
    ],
)
def test_without_noise_there_is_no_density(noise, said):
    """The message names the parameter."""
    with pytest.raises(ConfigurationError, match=said):
        ObservationDensity(ObservationParameters(noise=noise))


def test_arrays_that_do_not_fit_are_refused():
    """Wrong shapes, infinite values and a landmark at the robot are named."""
    density, gaussian = ObservationDensity(LNPR), GaussianObservation()
    read = np.ones((1, 4, 2))
    with pytest.raises(InputError, match=r'readings have shape \(1, 3, 2\)'):
        density.joint(read[:, :3], POSE, LANDMARKS)
    with pytest.raises(InputError, match=r'readings have shape \(1, 3, 2\)'):
        gaussian.joint(read[:, :3], POSE, LANDMARKS)
    for evaluated in (density.joint, gaussian.each, gaussian.joint):
        with pytest.raises(InputError, match='readings are infinite'):
            evaluated(np.inf * read, POSE, LANDMARKS)
    with pytest.raises(InputError, match=r'bias has 3 sensors; it must have 1 or 1'):
        density.given_bias(read, POSE, LANDMARKS, np.zeros((3, 2)))
    with pytest.raises(InputError, match='drift has 2 sensors; it must have 1 or 3'):
        density.given_bias(read, POSE, LANDMARKS, np.zeros((3, 2)), np.zeros((2, 2)))
    with pytest.raises(InputError, match='variance of a reading is 0'):
        gaussian.each(read[:, :1], POSE, POSE[:, :2])


@pytest.mark.parametrize('preset', [LECTURE, LNPR])
def test_no_robots_and_no_landmarks_have_densities(preset):
    """Without landmarks, arrays are empty, and the probability of the empty set is 1."""
    density = ObservationDensity(preset)
    assert density.given_bias(np.empty((0, 4, 2)), np.empty((0, 3)), LANDMARKS).shape == (0, 4)
    nothing = np.empty((1, 0, 2)), POSE, np.empty((0, 2))
    assert density.given_bias(*nothing).shape == (1, 0)
    assert ObservationDensity(LNPR).joint(*nothing) == pytest.approx([0.0])
    empty = np.empty((0, 4, 2)), np.empty((0, 3)), LANDMARKS
    assert density.bias_integrated_out(*empty).shape == (0, 4)
    assert density.joint(*empty).shape == (0,)


@pytest.mark.parametrize('order', list(ErrorOrder))
@pytest.mark.parametrize(
    ('view', 'landmark'),
    [
        (PlanarFieldOfView(far=6.0, half_angle=math.pi), (3.6, 4.8)),
        (PlanarFieldOfView(near=5.0, half_angle=math.pi), (3.0, 4.0)),
        (PlanarFieldOfView(half_angle=math.pi / 2.0), (0.0, 1.0)),
        (PlanarFieldOfView(half_angle=math.pi / 4.0), (2.0, -2.0)),
    ],
)
def test_samples_at_the_edge_of_the_view_are_possible(order, view, landmark):
    """At the very edge of the view, every simulated result must have a finite log density."""
    parameters = ObservationParameters(
        field_of_view=view, missed_detection=MissedDetection(0.0), order=order
    )
    turns = np.linspace(-math.pi, math.pi, 5000)
    poses = np.stack((0.0 * turns, 0.0 * turns, turns), axis=-1)
    at = np.hypot(*landmark) * np.stack((np.cos(turns), np.sin(turns)), axis=-1)
    looks = ((poses, [landmark]), (0.0 * poses, at[:200]), (0.0 * poses[:1], [landmark]))
    for robots, landmarks in looks:
        observation, draws = Observation(parameters), Draws(1)
        state = observation.begin(len(robots), landmarks, draws)
        readings = observation.observe(state, robots, landmarks, 0.1, draws).readings
        log_density = ObservationDensity(parameters).given_bias(
            readings, robots, landmarks, state.memories['bias'].T
        )
        assert np.isfinite(log_density).all()
    # The edges belong to the view.
    assert np.isfinite(readings).all()


def test_a_missing_landmark_at_the_robot_itself_has_no_effect():
    """The Gaussian approximation must be that of the other landmarks."""
    gaussian, read = GaussianObservation(), np.array([[[np.nan, np.nan], [3.0, 0.5]]])
    places = np.concatenate((POSE[:, :2], LANDMARKS[:1]))
    alone = read[:, 1:], POSE, LANDMARKS[:1]
    assert gaussian.each(read, POSE, places)[0].tolist() == [0.0, *gaussian.each(*alone)[0]]
    assert gaussian.joint(read, POSE, places) == pytest.approx(gaussian.joint(*alone))


def test_each_sensor_has_its_own_bias():
    """With an individual bias, each robot is evaluated as if it were alone."""
    random = np.random.default_rng(2)
    poses, bias = np.tile(POSE, (5000, 1)), random.normal(0.0, 0.1, (5000, 2))
    density, read = ObservationDensity(LNPR), np.array([[[2.9, 0.1]]])
    every = density.given_bias(read, poses, LANDMARKS[:1], bias)
    for robot in (0, 4095, 4096, 4999):
        own = bias[robot : robot + 1]
        assert every[robot] == pytest.approx(density.given_bias(read, POSE, LANDMARKS[:1], own)[0])


def test_a_sensor_with_a_view_from_0_m_may_drift():
    """Where the noise vanishes, at distance 0, the density of the drift is still integrated."""
    parameters = ObservationParameters(
        field_of_view=PlanarFieldOfView(near=0.0), drift=SensorDrift(range_std=0.1)
    )
    log_density = ObservationDensity(parameters).joint([[[2.9, 0.1]]], POSE, LANDMARKS[:1])
    assert np.isfinite(log_density).all()


@pytest.mark.parametrize('order', list(ErrorOrder))
def test_integrating_the_bias_out_is_averaging_over_it(order):
    """Also with clutter, where ranges and bearings depend on each other."""
    parameters = ObservationParameters(clutter=Clutter(0.5), order=order)
    density, count = ObservationDensity(parameters), 500
    state = Observation(parameters).begin(count, LANDMARKS[:1], Draws(3))
    bias, poses = state.memories['bias'].T, np.tile(POSE, (count, 1))
    for reading in ((2.9, 0.1), (4.5, -0.5)):
        read = np.array([[reading]])
        drawn = np.exp(density.given_bias(read, poses, LANDMARKS[:1], bias))
        found = np.exp(density.joint(read, POSE, LANDMARKS[:1])).item()
        assert found == pytest.approx(drawn.mean(), abs=4.0 * drawn.std() / math.sqrt(count))


def ray(pose, direction, sides):
    """Return where a ray enters and leaves a rectangle [m], computed side by side."""
    first, last = 0.0, math.inf
    heading = pose[2] + direction
    for step, at, low, high in (
        (math.cos(heading), pose[0], sides.x_low, sides.x_high),
        (math.sin(heading), pose[1], sides.y_low, sides.y_high),
    ):
        ends = sorted(((low - at) / step, (high - at) / step))
        first, last = max(first, ends[0]), min(last, ends[1])
    return first, max(first, last)


def clutter_density(parameters, reading, pose, bias, drift):
    """Integrate p(l | r) r p(phi | psi) / area over the rectangle by a plain sum."""
    view, range_density, turned = (
        parameters.field_of_view,
        RangeDensity(parameters),
        bias[1] + drift[1],
    )
    offset = Offset(np.full(1, bias[0]), np.full(1, drift[0]), np.full(1, turned))
    directions = np.linspace(-view.half_angle, view.half_angle, 20_001)
    rays = np.array([ray(pose, each, parameters.clutter) for each in directions])
    along = np.zeros(len(directions))
    for low, high in ((0.0, view.near), (view.near, view.far)):
        # Without the ends themselves, where the field of view begins.
        distances = np.linspace(low + 1e-12, high - 1e-12, 6001)
        log_range = range_density.log_density(np.full(1, reading[0]), distances, offset)
        course = interpolate.CubicSpline(distances, np.exp(log_range) * distances).antiderivative()
        along += course(np.clip(rays[:, 1], low, high)) - course(np.clip(rays[:, 0], low, high))
    across = stats.norm.pdf(
        wrap_angles(reading[1] - turned - directions), scale=parameters.noise.bearing_std
    )
    found = integrate.trapezoid(along * across, directions) / parameters.clutter.area()
    return found * (1.0 - parameters.missed_detection.probability) * parameters.clutter.probability


@pytest.mark.parametrize('order', list(ErrorOrder))
@pytest.mark.parametrize('hidden', [0.0, 0.5])
@pytest.mark.parametrize(
    'changed',
    [
        {},
        {'clutter': Clutter(0.6, 1.0, 3.0, -3.0, -1.0)},
        {
            'noise': RangeBearingNoise(0.01, 0.02, 0.1),
            'field_of_view': PlanarFieldOfView(0.2, 4.0, math.pi),
        },
        {'noise': RangeBearingNoise(0.5, 0.0, 0.3)},
    ],
    ids=['room', 'table', 'round', 'wide'],
)
def test_clutter_has_the_density_of_a_plain_sum(order, hidden, changed):
    """The fast integral must agree with the plain one."""
    parameters = replace(LECTURE, order=order, occlusion=Occlusion(hidden), **changed)
    density = ObservationDensity(parameters)
    nothing = np.array([[900.0, 900.0]])
    for pose in ((0.5, -1.0, 0.4), (-3.0, 3.0, 2.0), (4.9, 0.2, -2.9)):
        for reading in ((2.9, 0.1), (3.7, -0.9), (0.6, 1.0)):
            read = np.array([[reading]])
            found = density.given_bias(read, [pose], nothing, [BIAS], [DRIFT]).item()
            plain = clutter_density(parameters, reading, pose, BIAS, DRIFT)
            assert math.exp(found) == pytest.approx(plain, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize('order', list(ErrorOrder))
def test_a_list_with_clutter_has_the_density_of_a_plain_sum(order):
    """The joint density must be the integral of the product over the bias."""
    parameters = replace(LECTURE, order=order)
    density = ObservationDensity(parameters)
    read = np.array([[[2.9, 0.1], [np.nan, np.nan], [4.4, 0.5]]])
    places = np.linspace(-6.0, 6.0, 25)
    weights = np.exp(-0.5 * places**2)
    weights = np.outer(weights, weights).ravel() / weights.sum() ** 2
    bias = np.stack(np.meshgrid(0.1 * places, math.pi / 90.0 * places, indexing='ij'), axis=-1)
    poses = np.tile(POSE, (625, 1))
    each = density.given_bias(read, poses, LANDMARKS[:3], bias.reshape(-1, 2)).sum(axis=1)
    plain = math.log(weights @ np.exp(each))
    assert density.joint(read, POSE, LANDMARKS[:3]) == pytest.approx([plain], abs=1e-6)


@pytest.mark.parametrize('preset', [LECTURE, LNPR])
def test_the_density_does_not_depend_on_the_size_of_a_batch(preset, monkeypatch):
    """A batch of poses must have the densities that each pose has alone."""
    poses = np.random.default_rng(3).uniform(-3.0, 3.0, (40, 3))
    read = np.array([[[2.9, 0.1], [np.nan, np.nan], [4.4, 0.5]]])
    density = ObservationDensity(preset)
    evaluate = (density.joint, density.bias_integrated_out, density.given_bias)
    whole = [each(read, poses[:12], LANDMARKS[:3]) for each in evaluate]
    assert density.given_bias(read, poses, LANDMARKS[:3])[:12] == pytest.approx(whole[2])
    monkeypatch.setattr(observation_density, 'CELLS', 50_000)
    for each, found in zip(evaluate, whole, strict=True):
        assert each(read, poses[:3], LANDMARKS[:3]) == pytest.approx(found[:3], abs=1e-9)


@pytest.mark.parametrize('order', list(ErrorOrder))
@pytest.mark.parametrize('rate', [0.01, 0.1, 0.4, 1.0])
def test_ranges_come_from_as_far_as_their_noise_grows(order, rate):
    """With narrow and wide noise, the density of ranges integrates to that of a reading."""
    noise = RangeBearingNoise(range_fraction=rate, range_std=0.01, bearing_std=0.1)
    parameters = ObservationParameters(noise=noise, occlusion=Occlusion(0.6), order=order)
    ranges = np.linspace(-60.0, 66.0, 63_001)
    read = np.stack((ranges, np.full(len(ranges), np.nan)), axis=-1)[:, None]
    exact = observe_exactly(POSE, LANDMARKS[:1])[0, 0]
    read[..., 1] = exact[1]
    log_density = ObservationDensity(parameters).given_bias(
        read, np.tile(POSE, (63_001, 1)), LANDMARKS[:1]
    )
    # At its exact value the bearing has the peak of its normal density.
    mass = np.exp(log_density).sum() * (ranges[1] - ranges[0]) * 0.1 * math.sqrt(2.0 * math.pi)
    assert mass == pytest.approx(0.9, abs=2e-3)
