# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Densities of motion agree with histograms of samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from world_model_core.uncertainty import pebble_counts
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.motion_density import (
    ArcDistribution,
    HeadingDistribution,
    log_gaussian,
    log_undisturbed,
)
from world_model_core.uncertainty.motion_model import Motion
from world_model_core.uncertainty.motion_moments import pebble_moments, step_moments
from world_model_core.uncertainty.motion_parameters import LECTURE as LECTURE_MOTION
from world_model_core.uncertainty.motion_parameters import LNPR, MotionParameters
from world_model_core.uncertainty.pebble_noise import PebbleParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.unicycle import move
from world_model_core.uncertainty.velocity_bias import UNBIASED, VelocityBiasParameters

COUNT = 40_000
START = (1.0, 2.0, 0.7)
LECTURE = PebbleParameters()
ROUND = PebbleParameters(turning_radius=0.2)
MANY = PebbleParameters(rate=8.0, heading_std=0.3, turning_radius=0.1)
BIAS = VelocityBiasParameters()
WIDE = VelocityBiasParameters(nu_mean=1.1, omega_mean=0.9, nu_std=0.2, omega_std=0.25)
# Factors that are as often negative as positive.
ODD = VelocityBiasParameters(nu_mean=0.0, omega_mean=0.2, nu_std=1.0, omega_std=0.8)
# Pebbles, bias, nu, omega and dt, from short steps to long ones.
CASES = [
    (LECTURE, BIAS, 0.2, 0.17, 0.1),
    (ROUND, WIDE, 0.2, -0.17, 1.0),
    (ROUND, WIDE, 0.0, 0.5, 3.0),
    (MANY, WIDE, -0.5, 1.3, 2.0),
    (LECTURE, WIDE, 0.5, 0.0, 1.0),
    (LECTURE, ODD, 0.2, 0.5, 3.0),
    (ROUND, ODD, 0.2, 0.5, 3.0),
    (ROUND, BIAS, 0.2, 1.0, 60.0),
]


def draw(pebbles, bias, nu, omega, dt, *, seed=1):
    """Draw poses after a step, and how many pebbles there were in it."""
    motion, draws = Motion(MotionParameters(pebbles=pebbles, velocity_bias=bias)), Draws(seed)
    state = motion.begin(np.tile(START, (COUNT, 1)), draws)
    after, truth = motion.step(state, np.tile((nu, omega), (COUNT, 1)), dt, draws)
    return after.poses, truth.pebbles


def check_histogram(counts, expected):
    """Compare counts with expected ones by chi-square, small bins joined into one."""
    large = expected >= 20.0
    rest = max(COUNT - expected[large].sum(), 1e-9)
    counts = np.append(counts[large], COUNT - counts[large].sum())
    expected = np.append(expected[large], rest)
    surprise = ((counts - expected) ** 2 / expected).sum()
    assert len(counts) > 8
    assert stats.chi2.sf(surprise, len(counts) - 1) > 1e-4


def integrate(density, edges, parts):
    """Integrate a density over bins by Gauss's rule."""
    nodes, weights = np.polynomial.legendre.leggauss(parts)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    values = density((middle[:, None] + half[:, None] * nodes).ravel()).reshape(-1, parts)
    return half * (values * weights).sum(axis=1)


def density_of(distribution, command, dt):
    """Return the density of a heading distribution as a function of turns alone."""

    def density(turns):
        return np.exp(distribution.log_density(turns, np.tile(command, (len(turns), 1)), dt))

    return density


@pytest.mark.parametrize('case', CASES)
@pytest.mark.parametrize('biased', [False, True])
def test_the_mixed_distribution_of_headings_is_that_of_samples(case, biased):
    """Atom and density must give the histogram of drawn turns, the bias known or integrated."""
    pebbles, bias, nu, omega, dt = case
    bias = bias if biased else UNBIASED
    distribution = HeadingDistribution(pebbles, bias)
    poses, _ = draw(pebbles, bias, nu, omega, dt)
    turns = poses[:, 2] - START[2]
    atom = math.exp(distribution.log_atom([(nu, omega)], dt)[0])
    there = np.abs(turns - omega * dt * bias.omega_mean) < 1e-12
    assert there.mean() == pytest.approx(atom, abs=4.5 * math.sqrt(atom * (1 - atom) / COUNT))
    # Edges at the atom, where the density has its sharpest bend.
    rest = turns[~there]
    edges = np.unique(np.quantile(rest, np.linspace(0.002, 0.998, 31)))
    expected = COUNT * integrate(density_of(distribution, (nu, omega), dt), edges, 8)
    check_histogram(np.histogram(rest, edges)[0], expected)


@pytest.mark.parametrize('case', CASES)
def test_the_mixed_distribution_of_headings_has_the_mass_of_one(case):
    """The atom and the integral of the density must sum to 1."""
    pebbles, bias, nu, omega, dt = case
    distribution = HeadingDistribution(pebbles, bias)
    middle = omega * dt * bias.omega_mean
    # Close together around the mean, where the distribution without pebbles is narrow.
    spread = np.sinh(np.linspace(-8.0, 8.0, 101)) / math.sinh(8.0)
    width = 12.0 * pebbles.heading_std + 3.0 * abs(middle) + 8.0 * bias.omega_std * abs(omega) * dt
    edges = middle + spread * (0.5 + width)
    total = integrate(density_of(distribution, (nu, omega), dt), edges, 5).sum()
    assert total + math.exp(distribution.log_atom([(nu, omega)], dt)[0]) == pytest.approx(
        1.0, abs=1e-6
    )


@pytest.mark.parametrize('case', CASES[:2])
def test_places_without_a_pebble_have_the_density_of_samples(case):
    """Positions of arcs must have the density of chord and direction, and the right heading."""
    pebbles, bias, nu, omega, dt = case
    poses, met = draw(pebbles, bias, nu, omega, dt)
    moved = poses[met == 0] - np.array(START)
    lengths = np.hypot(moved[:, 0], moved[:, 1])
    directions = np.arctan2(moved[:, 1], moved[:, 0]) - START[2]
    assert 2.0 * directions == pytest.approx(moved[:, 2], abs=1e-9)
    long = np.quantile(lengths, np.linspace(0.01, 0.99, 9))
    wide = np.quantile(directions, np.linspace(0.01, 0.99, 9))
    expected = COUNT * integrate_places(
        ArcDistribution(pebbles, bias), (nu, omega), dt, long, wide
    )
    check_histogram(np.histogram2d(lengths, directions, (long, wide))[0].ravel(), expected)


def integrate_places(distribution, command, dt, long, wide):
    """Integrate a density of places over bins in polar coordinates."""
    parts = 8
    nodes, weights = np.polynomial.legendre.leggauss(parts)
    length = (0.5 * (long[1:] + long[:-1]))[:, None] + 0.5 * np.diff(long)[:, None] * nodes
    angle = (0.5 * (wide[1:] + wide[:-1]))[:, None] + 0.5 * np.diff(wide)[:, None] * nodes
    lengths, angles = (grid.ravel() for grid in np.meshgrid(length, angle, indexing='ij'))
    direction = np.stack((np.cos(angles + START[2]), np.sin(angles + START[2])), axis=-1)
    places = np.array(START[:2]) + lengths[:, None] * direction
    many = len(places)
    log = distribution.log_density(
        places, np.tile(START, (many, 1)), np.tile(command, (many, 1)), dt
    )
    values = (np.exp(log) * lengths).reshape(len(long) - 1, parts, len(wide) - 1, parts)
    area = 0.25 * np.diff(long)[:, None] * np.diff(wide)
    return (area * np.einsum('ijkl,j,l->ik', values, weights, weights)).ravel()


def test_places_behind_robots_that_turn_far_have_their_density():
    """Arcs of more than a half-turn, and backward arcs, must be among the branches."""
    bias = VelocityBiasParameters(omega_std=0.3)
    command, dt = (-0.4, 2.0), 4.0
    poses, _ = draw(PebbleParameters(rate=0.0), bias, *command, dt)
    distribution = ArcDistribution(PebbleParameters(rate=0.0), bias)
    edges = np.linspace(-0.6, 0.6, 13)
    x, y = np.meshgrid(np.linspace(-0.6, 0.6, 481)[1::2], np.linspace(-0.6, 0.6, 481)[1::2])
    places = np.stack((x.ravel(), y.ravel()), axis=-1) + np.array(START[:2])
    many = len(places)
    log = distribution.log_density(
        places, np.tile(START, (many, 1)), np.tile(command, (many, 1)), dt
    )
    weights = np.exp(log) * 0.005**2 * COUNT
    own = places - np.array(START[:2])
    expected = np.histogram2d(*own.T, (edges, edges), weights=weights)[0]
    counts = np.histogram2d(*(poses[:, :2] - np.array(START[:2])).T, (edges, edges))[0]
    smooth = np.hypot(*np.meshgrid(edges[1:] - 0.05, edges[1:] - 0.05)) > 0.15
    close = np.abs(counts - expected) < 5.0 * np.sqrt(expected + 1.0) + 0.02 * expected
    assert close[smooth].all()
    assert expected[smooth].sum() == pytest.approx(counts[smooth].sum(), rel=0.03)


@pytest.mark.parametrize('case', CASES)
@pytest.mark.parametrize('biased', [False, True])
def test_mean_and_covariance_are_those_of_samples(case, biased):
    """Moments of poses must agree with samples, whatever the length of the step."""
    pebbles, bias, nu, omega, dt = case
    start, command = np.array([START]), np.array([(nu, omega)])
    if biased:
        (mean,), (covariance,) = step_moments(start, command, dt, pebbles, bias)
    else:
        (mean,), (covariance,) = pebble_moments(start, command, dt, pebbles)
    poses, _ = draw(pebbles, bias if biased else None, nu, omega, dt)
    off = poses - mean
    limit = 5.0 * off.std(axis=0) / math.sqrt(COUNT)
    assert (np.abs(off.mean(axis=0)) <= limit + 1e-12).all()
    products = off[:, :, None] * off[:, None, :]
    limit = 5.0 * products.std(axis=0) / math.sqrt(COUNT)
    assert (np.abs(products.mean(axis=0) - covariance) <= limit + 1e-12).all()


def integrate_factor(value, mean, std):
    """Integrate a function of a factor over its normal distribution, with ample nodes."""
    edges = np.unique(np.append(np.linspace(mean - 9.0 * std, mean + 9.0 * std, 801), 0.0))
    return integrate(lambda x: value(x) * stats.norm.pdf(x, mean, std), edges, 6).sum()


def check_moments(found, moments, mean, std):
    """Compare moments with the integral of the moments at known factors x, moments(x)."""
    (moved,), (spread,) = found
    for axis in range(3):
        first = integrate_factor(lambda x, a=axis: moments(x)[0][:, a], mean, std)
        assert moved[axis] == pytest.approx(first, rel=1e-9, abs=1e-9)
        square = integrate_factor(
            lambda x, a=axis: moments(x)[1][:, a, a] + moments(x)[0][:, a] ** 2, mean, std
        )
        assert spread[axis, axis] + moved[axis] ** 2 == pytest.approx(square, rel=1e-9)


@pytest.mark.parametrize(('mean', 'std'), [(0.0, 0.1), (1.0, 1.0), (0.0, 1.0), (-2.0, 0.3)])
@pytest.mark.parametrize('dt', [0.1, 10.0, 300.0])
def test_the_factor_of_nu_is_integrated_out_exactly(mean, std, dt):
    """Also with a factor that changes its sign, where the number of pebbles has a kink."""
    bias = VelocityBiasParameters(nu_mean=mean, nu_std=std, omega_std=0.0)
    none = integrate_factor(lambda x: np.exp(-dt * np.abs(x)), mean, std)
    assert HeadingDistribution(LECTURE, bias).log_atom([(0.2, 0.5)], dt) == pytest.approx(
        math.log(none)
    )
    command = np.array([(0.2, 0.5)])
    found = step_moments(np.zeros((1, 3)), command, dt, LECTURE, bias)

    def moments(x):
        velocities = np.stack((x, np.ones_like(x)), axis=-1) * command
        return pebble_moments(np.zeros((len(x), 3)), velocities, dt, LECTURE)

    check_moments(found, moments, mean, std)


@pytest.mark.parametrize(('mean', 'std'), [(1.0, 0.2), (0.3, 0.5)])
@pytest.mark.parametrize('dt', [0.1, 10.0, 60.0])
@pytest.mark.parametrize('pebbles', [LECTURE, ROUND])
def test_the_factor_of_omega_is_integrated_out_exactly(pebbles, mean, std, dt):
    """Also in steps so long that the number of full turns is unknown."""
    bias = VelocityBiasParameters(nu_std=0.0, omega_mean=mean, omega_std=std)
    command = np.array([(0.2, 1.0)])
    found = step_moments(np.zeros((1, 3)), command, dt, pebbles, bias)

    def moments(x):
        velocities = np.stack((np.ones_like(x), x), axis=-1) * command
        return pebble_moments(np.zeros((len(x), 3)), velocities, dt, pebbles)

    check_moments(found, moments, mean, std)


def test_each_robot_has_moments_of_its_own():
    """Robots in a batch, also at rest, must have the same moments as alone."""
    poses = np.random.default_rng(1).normal(size=(5000, 3))
    commands = np.random.default_rng(2).normal(size=(5000, 2))
    commands[7] = 0.0
    means, spreads = step_moments(poses, commands, 2.0, ROUND, BIAS)
    for robot in (0, 7, 4095, 4096, 4999):
        one = slice(robot, robot + 1)
        mean, spread = step_moments(poses[one], commands[one], 2.0, ROUND, BIAS)
        assert means[one] == pytest.approx(mean, abs=1e-9)
        assert spreads[one] == pytest.approx(spread, abs=1e-9)
    assert step_moments(poses[:0], commands[:0], 2.0, ROUND, BIAS)[0].shape == (0, 3)


def test_undisturbed_robots_are_as_many_as_predicted():
    """The share of robots that are neither stuck nor kidnapped must be as predicted."""
    motion, draws, alone = Motion(LECTURE_MOTION), Draws(4), np.ones(COUNT, dtype=bool)
    state = motion.begin(np.zeros((COUNT, 3)), draws)
    for _ in range(4):
        state, truth = motion.step(state, np.ones((COUNT, 2)), 0.5, draws)
        alone &= (truth.causes & (ErrorCause.STUCK | ErrorCause.KIDNAP)) == 0
    chance = math.exp(log_undisturbed(LECTURE_MOTION, 2.0))
    assert chance == pytest.approx(math.exp(-2.0 / 60.0 - 2.0 / 5.0))
    assert alone.mean() == pytest.approx(chance, abs=4.0 * math.sqrt(0.25 / COUNT))
    assert log_undisturbed(LNPR, 2.0) == 0.0


def test_moments_of_two_steps_follow_from_those_of_one():
    """Near the switch from series to closed form the moments must not jump."""
    pebbles, start = PebbleParameters(rate=2.0, heading_std=0.5), np.zeros((1, 3))
    steps = np.linspace(0.2, 1.5, 2000)
    found = [pebble_moments(start, np.array([(0.5, 1.0)]), dt, pebbles) for dt in steps]
    values = np.array([np.concatenate((mean[0], spread[0].ravel())) for mean, spread in found])
    bends = np.abs(np.diff(values, n=3, axis=0))
    assert bends.max() < 1e-9


def test_without_pebbles_nothing_spreads():
    """Moments without a source of uncertainty must be f and zero."""
    poses, commands = np.array([START] * 2), np.array([(0.4, 0.0), (0.4, 1.0)])
    mean, covariance = pebble_moments(poses, commands, 0.7, PebbleParameters(rate=0.0))
    assert mean == pytest.approx(move(poses, commands, 0.7), abs=1e-14)
    assert np.abs(covariance).max() < 1e-15


def test_the_gaussian_approximation_is_a_normal_distribution():
    """The density must agree with scipy's, and ignore full turns of the heading."""
    poses, commands = np.array([START]), np.array([(0.4, 0.5)])
    mean, covariance = step_moments(poses, commands, 0.7, LECTURE, BIAS)
    after = mean + np.array([(0.01, -0.02, 0.03)])
    expected = stats.multivariate_normal(mean[0], covariance[0]).logpdf(after[0])
    assert log_gaussian(after, mean, covariance) == pytest.approx([expected])
    turned = after + np.array([(0.0, 0.0, 2.0 * math.pi)])
    assert log_gaussian(turned, mean, covariance) == pytest.approx([expected])


@given(
    heading_std=st.floats(-12.0, 0.0).map(lambda power: 10.0**power),
    dt=st.floats(-3.0, 1.0).map(lambda power: 10.0**power),
    command=st.tuples(st.floats(0.1, 1.0), st.floats(-1.0, 1.0)),
    stds=st.tuples(st.sampled_from((0.0, 0.1)), st.sampled_from((0.0, 0.1))),
)
def test_steps_over_any_pebbles_have_a_gaussian_approximation(heading_std, dt, command, stds):
    """For small turns as well, rounding must leave all eigenvalues above 0."""
    pebbles = PebbleParameters(heading_std=heading_std)
    bias = VelocityBiasParameters(nu_std=stds[0], omega_std=stds[1])
    poses, commands = np.array([START]), np.array([command])
    for mean, covariance in (
        pebble_moments(poses, commands, dt, pebbles),
        step_moments(poses, commands, dt, pebbles, bias),
    ):
        assert np.isfinite(log_gaussian(mean.copy(), mean, covariance)).all()


def test_the_gaussian_approximation_is_that_of_samples_over_many_small_pebbles():
    """With many small errors, squared Mahalanobis distances must be chi-square."""
    pebbles = PebbleParameters(rate=500.0, heading_std=0.01)
    poses, _ = draw(pebbles, BIAS, 0.2, 0.1, 2.0)
    after, one = poses[:3000], np.array([START])
    mean, covariance = step_moments(one, np.array([(0.2, 0.1)]), 2.0, pebbles, BIAS)
    log = log_gaussian(after, np.tile(mean, (3000, 1)), np.tile(covariance, (3000, 1, 1)))
    peak = log_gaussian(mean.copy(), mean, covariance)[0]
    assert stats.kstest(2.0 * (peak - log), stats.chi2(3).cdf).pvalue > 1e-4


def test_distributions_without_a_density_are_rejected():
    """Distributions without a density must be rejected with the reason."""
    with pytest.raises(InputError, match='covariance of poses is singular'):
        log_gaussian(np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3, 3)))
    with pytest.raises(InputError, match=r'nu_std and omega_std are 0\.0 and 0\.0'):
        ArcDistribution(LECTURE, UNBIASED)
    with pytest.raises(InputError, match=r'commands\[1\] are \[0\.1, 0\.0\]; neither may be 0'):
        ArcDistribution(LECTURE, BIAS).log_density(
            np.ones((2, 2)), np.zeros((2, 3)), [(0.1, 0.1), (0.1, 0.0)], 0.1
        )
    with pytest.raises(InputError, match='dt is 0'):
        HeadingDistribution(LECTURE).log_atom([(0.1, 0.1)], 0.0)


def test_moments_that_would_take_minutes_are_refused():
    """A step of a day, with uncertain pebbles and turn, must be rejected."""
    wide = VelocityBiasParameters(nu_std=1.0, omega_std=1.0)
    with pytest.raises(InputError, match=r'1e\+08: dt is 86400 s, too long'):
        step_moments(np.array([START]), np.array([(1.0, 1.0)]), 86_400.0, ROUND, wide)


@pytest.mark.parametrize('bias', [UNBIASED, BIAS])
def test_steps_over_too_many_pebbles_are_refused(bias):
    """As in the simulator, too long steps must be rejected."""
    distribution = HeadingDistribution(LECTURE, bias)
    for evaluate in (distribution.log_atom, lambda *step: distribution.log_density([0.1], *step)):
        with pytest.raises(InputError, match=r'4[0-9]{5} pebbles are expected in a step'):
            evaluate([(1.0, 0.0)], 86_400.0)


@pytest.mark.parametrize('bias', [BIAS, ODD])
def test_many_robots_have_the_density_of_each(bias, monkeypatch):
    """Batches of any size must give the same densities."""
    random, distribution = np.random.default_rng(4), HeadingDistribution(ROUND, bias)
    turns, commands = random.normal(0.0, 0.2, 20), random.uniform(-0.5, 0.5, (20, 2))
    at_once = distribution.log_density(turns, commands, 1.0)
    monkeypatch.setattr(pebble_counts, 'ROWS', 3)
    assert distribution.log_density(turns, commands, 1.0) == pytest.approx(at_once, abs=1e-9)
