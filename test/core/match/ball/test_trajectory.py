# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Trajectories: self-consistent, and consistent with physics and recordings."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters, RollingModel
from world_model_core.match.ball.motion_segment import BallMotion, BallMotionState
from world_model_core.match.ball.trajectory import predict_ball

coordinates = st.floats(-6.0, 6.0)
speeds = st.floats(-8.0, 8.0)
times = st.floats(0.0, 1.0) | st.floats(0.0, 15.0)
bounces = st.none() | st.sampled_from([0, 2])
kick_speeds = st.none() | st.floats(1.0, 8.0)


@st.composite
def parameter_sets(draw):
    """Draw a rolling model with constants of a possible carpet, with and without drag."""
    model = draw(st.sampled_from(RollingModel))
    drags = st.floats(0.05, 2.0) | st.just(100.0)
    if model is not RollingModel.EXPONENTIAL:
        drags |= st.just(0.0)
    return BallParameters(
        rolling_model=model,
        air_resistance=draw(drags),
        deceleration=draw(st.floats(0.1, 2.0)),
        roll_acceleration=-draw(st.floats(0.1, 1.0)),
        switch_ratio=draw(st.floats(0.3, 0.9)),
        damping_z=draw(st.floats(0.0, 0.8)),
    )


@st.composite
def rolling_states(draw):
    """Draw a ball on the carpet, with a known or an unknown kick."""
    velocity = (draw(speeds), draw(speeds), 0.0)
    kick_speed = draw(st.none() | st.floats(1.0, 2.0))
    if kick_speed is not None:
        kick_speed *= math.hypot(*velocity)
    return BallMotionState((draw(coordinates), draw(coordinates), 0.0), velocity, kick_speed)


@st.composite
def flying_states(draw):
    """Draw a ball in the air, with known or unknown kick and bounces."""
    position = (draw(coordinates), draw(coordinates), draw(st.floats(0.05, 1.0)))
    velocity = (draw(speeds), draw(speeds), draw(st.floats(-4.0, 4.0)))
    return BallMotionState(position, velocity, draw(kick_speeds), draw(bounces))


states = rolling_states() | flying_states()


@given(states, parameter_sets(), times, times)
def test_prediction_may_be_interrupted(state, parameters, first, second):
    """Predicting a + b equals predicting b from the state predicted after a."""
    whole = predict_ball(state, parameters)
    rest = predict_ball(whole.state_at(first), parameters)
    position, velocity = whole.at([first + second])
    position_after, velocity_after = rest.at([second])
    np.testing.assert_allclose(position_after, position, atol=1e-6)
    # Exactly at a bounce the velocity of either side is right.
    if min(abs(item.start - first - second) for item in whole.segments) > 1e-9:
        np.testing.assert_allclose(velocity_after, velocity, atol=1e-6)


def test_a_later_state_keeps_the_kick():
    """A later state keeps the kick speed while it matters: on the carpet, not after a chip."""
    kicked = BallMotionState((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), kick_speed=4.0)
    assert predict_ball(kicked, BallParameters()).state_at(0.1).kick_speed == 4.0
    chipped = BallMotionState((0.0, 0.0, 0.0), (4.0, 0.0, 3.0), kick_speed=1.0)
    trajectory = predict_ball(chipped, BallParameters())
    rolling = trajectory.segments[-2]
    assert rolling.motion is BallMotion.ROLLING
    assert trajectory.state_at(rolling.start + 0.1).kick_speed is None


def test_a_later_state_counts_the_bounces():
    """A later state in the air counts the bounces before and after the start."""
    state = BallMotionState((0.0, 0.0, 0.3), (4.0, 0.0, 0.0), bounces=2)
    trajectory = predict_ball(state, BallParameters())
    middles = [item.start + 0.5 * item.duration for item in trajectory.segments[:3]]
    assert [trajectory.state_at(time).bounces for time in middles] == [2, 3, 4]


@given(states, parameter_sets())
def test_energy_never_grows(state, parameters):
    """Kinetic and potential energy together never grow, through bounces and to the rest."""
    trajectory = predict_ball(state, parameters)
    positions, velocities = trajectory.at(np.linspace(0.0, trajectory.rest_time + 1.0, 400))
    energy = 0.5 * (velocities**2).sum(axis=1) - parameters.gravity * positions[:, 2]
    assert (np.diff(energy) <= 1e-9 * (1.0 + energy[0])).all()
    assert energy[-1] == 0.0


@given(states, parameter_sets())
def test_segments_join(state, parameters):
    """Each segment starts when and where the last one ends; only bounces change the speed."""
    segments = predict_ball(state, parameters).segments
    for before, after in pairwise(segments):
        position, velocity = before.state_after(before.duration)
        assert after.start == before.start + before.duration
        assert after.position == pytest.approx((*position[:2], 0.0), abs=1e-9)
        expected = [kept * old for kept, old in zip(after.kept, velocity, strict=True)]
        assert after.velocity == pytest.approx(expected, abs=1e-9)


@given(states, parameter_sets())
def test_rest_is_where_the_ball_ends(state, parameters):
    """From the rest time on, and not before, the ball is at the rest position without speed."""
    trajectory = predict_ball(state, parameters)
    end = trajectory.rest_time
    positions, velocities = trajectory.at([end, end + 1.0, end + 1e6])
    np.testing.assert_allclose(positions, np.tile(trajectory.rest_position, (3, 1)), atol=1e-9)
    assert not velocities.any()
    if end > 1e-3:
        assert trajectory.at([end - 1e-6])[1].any()


@given(states, parameter_sets(), times)
def test_times_and_distances_are_inverse(state, parameters, time):
    """The time for the distance covered at a time equals that time."""
    trajectory = predict_ball(state, parameters)
    (distance,) = trajectory.distance_at([time])
    time_needed = trajectory.time_for_distance(distance * (1.0 - 1e-12))
    assert time_needed <= time + 1e-6 or distance < 1e-9
    np.testing.assert_allclose(trajectory.distance_at([time_needed]), distance, atol=1e-9)


def test_a_distance_beyond_the_rest_is_never_covered():
    """A ball that rolls 1.4 m never covers 1.5 m."""
    parameters = BallParameters(rolling_model=RollingModel.CONSTANT)
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.0), (1.4, 0.0, 0.0)), parameters)
    assert trajectory.time_for_distance(1.4 - 1e-9) == pytest.approx(2.0, abs=1e-3)
    assert trajectory.time_for_distance(1.5) == math.inf


@given(states, parameter_sets(), coordinates, coordinates)
def test_no_position_is_closer_than_the_closest_approach(state, parameters, x, y):
    """No other position of the trajectory is nearer to the point than its closest approach."""
    trajectory = predict_ball(state, parameters)
    approach = trajectory.closest_approach((x, y))
    positions, _ = trajectory.at(np.linspace(0.0, trajectory.rest_time, 200))
    distances = np.hypot(*(positions[:, :2] - (x, y)).T)
    assert approach.distance <= distances.min() + 1e-9
    np.testing.assert_allclose(trajectory.at([approach.time])[0][0], approach.position, atol=1e-9)


@given(states, parameter_sets(), times, times)
def test_pieces_between_two_times_follow_the_trajectory(state, parameters, start, length):
    """Pieces join, span the given times and follow the trajectory."""
    trajectory = predict_ball(state, parameters)
    pieces = trajectory.between(start, start + length)
    ends = [start, *(piece.end for piece in pieces)]
    assert ends == pytest.approx([*(piece.start for piece in pieces), start + length])
    for piece in pieces:
        middle = 0.5 * piece.duration
        here = np.array(piece.state_after(middle))
        expected = np.array(trajectory.at([piece.start + middle]))[:, 0]
        np.testing.assert_allclose(here, expected, atol=1e-6)


@given(states, parameter_sets(), st.floats(0.0, 1.2), st.floats(0.0, 1.2))
def test_pieces_between_two_distances_follow_the_trajectory(state, parameters, one, other):
    """Pieces start and end at the given distances, but not beyond the rest."""
    trajectory = predict_ball(state, parameters)
    (whole,) = trajectory.distance_at([trajectory.rest_time])
    near, far = sorted((one * whole, other * whole))
    pieces = trajectory.between_distances(near, far)
    if not pieces:
        assert far - near <= 1e-6 or near >= whole - 1e-9
        return
    start = state.position[:2]
    assert math.dist(pieces[0].position[:2], start) == pytest.approx(near, abs=1e-6)
    end, _ = pieces[-1].state_after(pieces[-1].duration)
    assert math.dist(end[:2], start) == pytest.approx(min(far, whole), abs=1e-6)


def test_there_is_no_piece_before_the_start_nor_of_no_duration():
    """Times before the start are left out, and an interval of no length is empty."""
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), BallParameters())
    (piece,) = trajectory.between(-1.0, 0.5)
    assert (piece.start, piece.end) == (0.0, 0.5)
    assert trajectory.between(0.5, 0.5) == ()
    assert [item.motion for item in trajectory.between(0.0, math.inf)] == [
        BallMotion.ROLLING,
        BallMotion.STOPPED,
    ]


@given(states, parameter_sets(), st.floats(0.01, 1.0))
def test_a_ball_is_interceptable_exactly_where_it_is_low(state, parameters, height):
    """In these intervals the ball is within the robots' reach, and elsewhere it is higher."""
    trajectory = predict_ball(state, parameters)
    stretches = trajectory.interceptable(height)
    instants = np.linspace(0.0, trajectory.rest_time + 1.0, 300)
    heights = trajectory.at(instants)[0][:, 2]
    inside = np.zeros(len(instants), dtype=bool)
    for start, end in stretches:
        inside |= (start <= instants) & (instants <= end)
    assert (heights[inside] <= height + 1e-6).all()
    assert (heights[~inside] >= height - 1e-6).all()
    assert all(one.start < one.end < other.start for one, other in pairwise(stretches))
    assert stretches[-1].end == math.inf


def test_a_chip_is_interceptable_where_the_parabola_says():
    """A bounce is low for (v - sqrt(v^2 - 2 g h)) / g after its start and before its end."""
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.0), (3.0, 0.0, 3.0)), BallParameters())
    low = (3.0 - math.sqrt(9.0 - 2.0 * 9.81 * 0.15)) / 9.81
    rise, _ = trajectory.interceptable()[:2]
    assert rise == pytest.approx((0.0, low))
    assert trajectory.interceptable()[1].start == pytest.approx(2.0 * 3.0 / 9.81 - low)


def test_a_ball_on_the_carpet_is_always_interceptable():
    """A rolling ball has one interval without end."""
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)), BallParameters())
    assert trajectory.interceptable() == ((0.0, math.inf),)
    assert trajectory.touchdowns == ()


@given(flying_states(), parameter_sets())
def test_touchdowns_are_on_the_carpet(state, parameters):
    """Every arc ends in a touchdown at height 0, on the way down."""
    trajectory = predict_ball(state, parameters)
    arcs = [item for item in trajectory.segments if item.motion is BallMotion.FLYING]
    assert len(trajectory.touchdowns) == len(arcs)
    for (time, position), arc in zip(trajectory.touchdowns, arcs, strict=True):
        end, velocity = arc.state_after(time - arc.start)
        assert position == pytest.approx((*end[:2], 0.0), abs=1e-9)
        assert end[2] == pytest.approx(0.0, abs=1e-9)
        assert velocity[2] < 0.0


def test_samples_end_at_the_horizon_or_at_rest():
    """Samples have equal steps and end at the horizon or, if earlier, at the rest."""
    parameters = BallParameters(rolling_model=RollingModel.CONSTANT)
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.0), (0.7, 0.0, 0.0)), parameters)
    np.testing.assert_allclose(trajectory.sample(0.5, 0.2).times, (0.0, 0.2, 0.4, 0.5))
    rest = trajectory.sample(5.0, 0.3)
    np.testing.assert_allclose(rest.times, (0.0, 0.3, 0.6, 0.9, 1.0))
    np.testing.assert_allclose(rest.positions[-1], trajectory.rest_position)


def test_a_ball_at_rest_stays():
    """A resting ball has one sample, rests now, covers no distance and is nearest now."""
    trajectory = predict_ball(BallMotionState((1.0, 2.0, 0.0), (0.0, 0.0, 0.0)), BallParameters())
    assert trajectory.rest_time == 0.0
    assert trajectory.sample(1.0, 0.1).positions.tolist() == [[1.0, 2.0, 0.0]]
    assert trajectory.time_for_distance(0.1) == math.inf
    assert trajectory.closest_approach((1.0, 3.0)).distance == 1.0


def test_before_the_start_the_first_model_is_extended():
    """A time just before the start gives the position of the first model, extended backwards."""
    trajectory = predict_ball(BallMotionState((1.0, 0.0, 0.0), (2.0, 0.0, 0.0)), BallParameters())
    assert trajectory.at([-0.01])[0][0, 0] == pytest.approx(1.0 - 0.02, abs=1e-4)


@given(states, parameter_sets(), st.integers(0, 2**32 - 1))
def test_covariances_are_covariances(state, parameters, seed):
    """Propagated covariances are symmetric and positive semi-definite at all times."""
    root = np.random.default_rng(seed).normal(scale=0.1, size=(6, 6))
    trajectory = predict_ball(state, parameters)
    instants = np.linspace(0.0, trajectory.rest_time + 1.0, 30)
    covariances = trajectory.covariances_at(instants, root @ root.T)
    np.testing.assert_array_equal(covariances, covariances.transpose(0, 2, 1))
    eigenvalues = np.linalg.eigvalsh(covariances)
    assert (eigenvalues[:, 0] >= -1e-9 * (1.0 + eigenvalues[:, -1])).all()


@given(states, parameter_sets(), times, times, st.integers(0, 2**32 - 1))
def test_covariances_may_be_propagated_in_two_steps(state, parameters, first, second, seed):
    """Propagating a covariance in two steps equals propagating it at once."""
    root = np.random.default_rng(seed).normal(scale=0.1, size=(6, 6))
    whole = predict_ball(state, parameters)
    between, at_once = whole.covariances_at([first, first + second], root @ root.T, density=0.0)
    rest = predict_ball(whole.state_at(first), parameters)
    in_steps = rest.covariances_at([second], between, density=0.0)[0]
    # At a change of model the covariance of either side is right.
    assume(min(abs(item.start - first - second) for item in whole.segments) > 1e-6)
    np.testing.assert_allclose(in_steps, at_once, atol=1e-6 * (1.0 + np.abs(between).max()))


def _differentiate(state, parameters, instants, step=1e-6):
    """Differentiate x, y, vx, vy, and z, vz in the air, by the state, numerically."""
    start = np.concatenate((state.position, state.velocity))
    columns = []
    for axis in np.eye(6):
        ends = []
        for sign in (1.0, -1.0):
            moved = start + sign * step * axis
            moved = BallMotionState(moved[:3], moved[3:], state.kick_speed, state.bounces)
            ends.append(np.hstack(predict_ball(moved, parameters).at(instants)))
        columns.append((ends[0] - ends[1]) / (2.0 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize('model', RollingModel)
@pytest.mark.parametrize('drag', [0.0, 0.3])
@pytest.mark.parametrize(
    'state',
    [
        BallMotionState((1.0, 2.0, 0.0), (3.0, -1.0, 0.0)),
        BallMotionState((1.0, 2.0, 0.0), (3.0, -1.0, 0.0), kick_speed=4.0),
        BallMotionState((1.0, 2.0, 0.3), (3.0, -1.0, 2.0), bounces=0),
    ],
    ids=['rolling', 'kicked', 'chipped'],
)
def test_covariances_follow_the_derivative_of_the_motion(state, model, drag):
    """Without process noise the covariance follows the numerical derivative of the motion."""
    if model is RollingModel.EXPONENTIAL and drag == 0.0:
        drag = 0.5
    parameters = BallParameters(rolling_model=model, air_resistance=drag)
    trajectory = predict_ball(state, parameters)
    starts = np.array([item.start for item in trajectory.segments[1:]])
    instants = np.concatenate(([0.1], starts - 0.01, starts + 0.01))
    root = np.random.default_rng(7).normal(scale=0.1, size=(6, 6))
    jacobians = _differentiate(state, parameters, instants)
    expected = jacobians @ (root @ root.T) @ jacobians.transpose(0, 2, 1)
    carried = trajectory.covariances_at(instants, root @ root.T, density=0.0)
    # The height of a ball on the carpet does not depend on its motion.
    rows = [0, 1, 3, 4] if state.bounces is None else list(range(6))
    scale = np.abs(expected).max()
    block = np.ix_(range(len(instants)), rows, rows)
    np.testing.assert_allclose(carried[block], expected[block], atol=1e-4 * scale)


def test_uncertainty_grows_only_while_the_ball_moves():
    """The acceleration noise adds to the covariance until the rest, and nothing afterwards."""
    trajectory = predict_ball(BallMotionState((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), BallParameters())
    end = trajectory.rest_time
    instants = (0.0, 0.5 * end, end, end + 5.0)
    traces = trajectory.covariances_at(instants, 1e-4 * np.eye(6))[:, 0, 0]
    assert traces[0] < traces[1] < traces[2]
    assert traces[3] == pytest.approx(traces[2])
