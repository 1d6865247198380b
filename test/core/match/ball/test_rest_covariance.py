# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Covariance of the predicted rest: that of samples, and consistent with simulated kicks."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.field_boundary import FieldBoundary
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.ball.rest_covariance import CONSTANT_STD, REST_STD, rest_covariance
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.match.values import MatchParameters
from world_model_core.match.vision_tracking import VisionTracking
from world_model_core.simulation.match.field import make_geometry
from world_model_core.simulation.match.simulated_kicks import KickPlan, random_kicks

PARAMETERS = BallParameters()
BOUNDARY = FieldBoundary.of_field(make_geometry(None).field)
STD = np.array((0.005, 0.005, 0.005, 0.05, 0.05, 0.05))
CHIP = BallMotionState((0.0, 0.5, 0.2), (1.0, -0.3, 1.5), bounces=0)
KICK = BallMotionState((0.0, 0.5, 0.0), (1.5, -0.5, 0.0), kick_speed=2.0)
TO_THE_BOARD = BallMotionState((3.0, 2.0, 0.0), (3.0, 0.5, 0.0))
TIMES = np.array((0.15, 0.3, 0.6, 1.0, 1.8))


def sampled_rests(state, count=400):
    """Return the rests, shape (count, 2), of balls with random states and constants."""
    random = np.random.default_rng(5)
    for draw, factors in zip(
        STD * random.normal(size=(count, 6)),
        np.exp(CONSTANT_STD * random.normal(size=(count, 6))),
        strict=True,
    ):
        if state.bounces is None:
            draw[[2, 5]] = 0.0
        moved = BallMotionState(
            state.position + draw[:3],
            state.velocity + draw[3:],
            state.kick_speed and state.kick_speed * np.hypot(*(state.velocity + draw[3:])[:2])
            / np.hypot(*state.velocity[:2]),
            state.bounces,
        )  # fmt: skip
        names = ('slide_acceleration', 'roll_acceleration', 'switch_ratio',
                 'damping_xy_first_hop', 'damping_xy_other_hops', 'damping_z')  # fmt: skip
        limits = (np.inf, np.inf, 1.0, 1.0, 1.0, 0.95)
        drawn = {
            name: min(getattr(PARAMETERS, name) * factor, limit)
            for name, factor, limit in zip(names, factors.tolist(), limits, strict=True)
        }
        yield predict_ball(moved, BallParameters(**drawn), BOUNDARY).rest_position[:2]


@pytest.mark.parametrize(
    ('state', 'tolerance'),
    # Bounces of a chip are not Gaussian: the last one of a few samples is one too many.
    [(CHIP, 0.6), (KICK, 0.2), (TO_THE_BOARD, 0.2)],
    ids=['chip', 'kick', 'board'],
)
def test_the_covariance_is_that_of_samples(state, tolerance):
    """Deviations of state and constants must spread the rest as stated, also at a board."""
    trajectory = predict_ball(state, PARAMETERS, BOUNDARY)
    stated = rest_covariance(trajectory, np.diag(STD**2)) - REST_STD**2 * np.eye(2)
    off = np.array(list(sampled_rests(state))) - trajectory.rest_position[:2]
    found = off.T @ off / len(off)
    scale = np.sqrt(np.trace(found))
    np.testing.assert_allclose(stated / scale**2, found / scale**2, atol=tolerance)


def test_a_rest_at_a_board_is_certain_across_it():
    """A ball that certainly reaches a board must rest there, whatever its speed."""
    trajectory = predict_ball(TO_THE_BOARD, PARAMETERS, BOUNDARY)
    stated = rest_covariance(trajectory, np.diag(STD**2))
    assert stated[0, 0] == pytest.approx(REST_STD**2)
    assert stated[1, 1] > 2.0 * REST_STD**2


def rest_errors(seed):
    """Yield the errors, shape (2,), of the predicted rest of a kick, and their covariances."""
    run = random_kicks(seed, KickPlan(kicks=1, chip_share=0.0))
    tracking, predictor, due = (
        VisionTracking(MatchParameters()),
        BallPredictor(PARAMETERS),
        [*TIMES],
    )
    (kick,) = run.course.kicks
    true = predict_ball(run.course.state_at(kick.stamp_ns), run.parameters.ball, BOUNDARY)
    for sent in run.packets():
        if sent.packet.geometry is not None:
            tracking.update_geometry(sent.packet.geometry)
            predictor.enclose(sent.packet.geometry.field)
            continue
        _, update = tracking.update(sent.packet.detection)
        if update is None:
            continue
        if update.kick is not None:
            predictor.observe_kick(update.kick)
        prediction = predictor.predict(update.state)
        if due and sent.truth.stamp_ns - kick.stamp_ns >= 1e9 * due[0]:
            due.pop(0)
            off = (prediction.trajectory.rest_position - true.rest_position)[:2]
            yield off @ np.linalg.solve(prediction.rest_covariance, off) / 2.0


def test_the_covariance_is_consistent_with_simulated_kicks():
    """
    The mean NEES for each degree of freedom must lie between 0.4 and 2.

    Cameras, clock and constants of the ball deviate from what the tracker assumes.
    """
    nees = [value for seed in range(40) for value in rest_errors(seed)]
    assert len(nees) > 120
    assert 0.4 < np.mean(nees) < 2.0
