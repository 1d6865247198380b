# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Covariance of the predicted ball, compared with many samples of its start."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.field_boundary import FieldBoundary
from world_model_core.match.ball.motion_segment import BallMotion, BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.simulation.match.field import make_geometry

# Of position [m] and velocity [m/s] at the start: small enough for the linearized covariance to
# hold through bounces, which amplify it.
STD = np.array((0.001, 0.001, 0.001, 0.01, 0.01, 0.01))
COUNT = 3000
PARAMETERS = BallParameters()
BOUNDARY = FieldBoundary.of_field(make_geometry(None).field)
CHIP = BallMotionState((1.0, 2.0, 0.3), (3.0, -1.0, 2.0), bounces=0)
KICK = BallMotionState((1.0, 2.0, 0.0), (3.0, -1.0, 0.0), kick_speed=4.0)


def sampled(state, boundary=None):
    """Sample many balls whose start has the standard deviations `STD`."""
    draws = STD * np.random.default_rng(3).normal(size=(COUNT, 6))
    if state.bounces is None:
        draws[:, [2, 5]] = 0.0
    for place, velocity in draws.reshape(COUNT, 2, 3):
        moved = BallMotionState(
            state.position + place, state.velocity + velocity, state.kick_speed, state.bounces
        )
        yield predict_ball(moved, PARAMETERS, boundary)


def assert_alike(stated, values):
    """Compare covariances (n, n) with those of samples (COUNT, n), each scaled to 1."""
    found = np.cov(values.T)
    scale = np.sqrt(np.diag(stated))
    # The standard deviation of COUNT samples has a relative error of 1 / sqrt(2 COUNT), 1.3 %.
    np.testing.assert_allclose(
        found / np.outer(scale, scale), stated / np.outer(scale, scale), atol=0.1
    )


@pytest.mark.parametrize('bounces', [0, 1, 2, 3])
def test_a_covariance_through_bounces_is_that_of_many_balls(bounces):
    """In the middle of each bounce the covariance equals that of samples."""
    trajectory = predict_ball(CHIP, PARAMETERS)
    arc = trajectory.segments[bounces]
    instant = [arc.start + 0.5 * arc.duration]
    (stated,) = trajectory.covariances_at(instant, np.diag(STD**2), density=0.0)
    assert_alike(stated, np.array([np.hstack(ball.at(instant))[0] for ball in sampled(CHIP)]))


@pytest.mark.parametrize('state', [KICK, CHIP], ids=['kicked', 'chipped'])
def test_the_covariance_after_a_wall(state):
    """A ball that a wall stopped deviates along the wall as samples do, and not across it."""
    state = BallMotionState((3.0, 1.0, *state.position[2:]), state.velocity, bounces=state.bounces)
    trajectory = predict_ball(state, PARAMETERS, BOUNDARY)
    (stated,) = trajectory.covariances_at([trajectory.rest_time + 0.1], np.diag(STD**2), 0.0)
    rests = np.array([ball.rest_position[:2] for ball in sampled(state, BOUNDARY)])
    assert not stated[3:, 3:].any()
    np.testing.assert_allclose(stated[:2, :2], np.cov(rests.T), atol=0.1 * stated[1, 1])


def test_the_covariance_of_touchdowns():
    """The covariance of each touchdown position equals that of samples."""
    stated = predict_ball(CHIP, PARAMETERS).touchdown_covariances(np.diag(STD**2), density=0.0)
    landed = [[place[:2] for _, place in ball.touchdowns[:3]] for ball in sampled(CHIP)]
    for number in range(3):
        assert_alike(stated[number], np.array(landed)[:, number])


def test_a_ball_that_does_not_fly_lands_nowhere():
    """Without touchdowns there are no covariances."""
    assert predict_ball(KICK, PARAMETERS).touchdown_covariances(np.eye(6)).shape == (0, 2, 2)


def test_acceleration_noise_widens_every_later_position():
    """Acceleration noise widens the covariance of touchdowns."""
    trajectory, start = predict_ball(CHIP, PARAMETERS), np.diag(STD**2)
    spread = trajectory.touchdown_covariances
    wider = spread(start, density=0.1) - spread(start, density=0.0)
    assert (np.linalg.eigvalsh(wider) > 0.0).all()


@pytest.mark.parametrize('state', [CHIP, KICK], ids=['chipped', 'kicked'])
def test_a_covariance_may_be_propagated_in_two_steps(state):
    """Propagating in two steps equals propagating at once, through all motions."""
    whole = predict_ball(state, PARAMETERS)
    first = 0.4 * whole.segments[0].duration
    start = np.diag(STD**2)
    (between,) = whole.covariances_at([first], start, density=0.0)
    rest = predict_ball(whole.state_at(first), PARAMETERS)
    instants = np.linspace(first, whole.rest_time - 0.01, 20)
    np.testing.assert_allclose(
        rest.covariances_at(instants - first, between, density=0.0),
        whole.covariances_at(instants, start, density=0.0),
        atol=1e-9,
    )


def test_a_ball_at_rest_has_no_velocity_variance():
    """After the rest the velocity is exactly 0, and the position varies as at the rest."""
    trajectory = predict_ball(KICK, PARAMETERS)
    assert trajectory.segments[-1].motion is BallMotion.STOPPED
    times = trajectory.rest_time + np.array((0.0, 1.0))
    rest, later = trajectory.covariances_at(times, np.diag(STD**2))
    assert not later[3:5, 3:5].any()
    np.testing.assert_allclose(later[:2, :2], rest[:2, :2])
