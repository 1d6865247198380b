# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Markers of the ball in RViz and Foxglove: position, covariance and kicks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from visualization_msgs.msg import Marker

from world_model_core.match.ball.estimate import BallState, Kick
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_nodes.match.markers import ball_markers, kick_markers
from world_model_nodes.runtime.convert import heading_of

DEVIATIONS = st.floats(1e-3, 1.0)


def drawn(markers):
    """Return the markers by namespace and number."""
    return {(marker.ns, marker.id): marker for marker in markers.markers}


def ball_at(height, covariance=None):
    """Return a ball at (1, 2) m."""
    covariance = np.eye(6) if covariance is None else covariance
    return BallState(1, np.array((1.0, 2.0, height)), np.array((3.0, 0.0, 0.0)), covariance)


@given(DEVIATIONS, DEVIATIONS, st.floats(-math.pi, math.pi))
def test_the_ellipse_holds_the_ball_with_95_percent(along, across, angle):
    """The outline is the 95 % quantile of the covariance in any orientation."""
    turn = np.array(((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))))
    covariance = np.eye(6)
    covariance[:2, :2] = turn @ np.diag((along**2, across**2)) @ turn.T
    disc = drawn(ball_markers(ball_at(0.0, covariance), 'field'))['uncertainty', 0]
    heading = heading_of(disc.pose.orientation)
    for length, offset in ((disc.scale.x, 0.0), (disc.scale.y, 0.5 * math.pi)):
        way = (math.cos(heading + offset), math.sin(heading + offset))
        end = 0.5 * length * np.array(way)
        surprise = end @ np.linalg.solve(covariance[:2, :2], end)
        assert surprise == pytest.approx(chi2.ppf(0.95, 2), rel=1e-6)
    assert (disc.pose.position.x, disc.pose.position.y) == (1.0, 2.0)


def test_a_covariance_without_rank_is_drawn():
    """A marker without extent is an error in RViz."""
    disc = drawn(ball_markers(ball_at(0.0, np.zeros((6, 6))), 'field'))['uncertainty', 0]
    assert min(disc.scale.x, disc.scale.y, disc.scale.z) > 0.0


def test_a_flying_ball_is_drawn_at_its_height():
    """It has another color and a line to the carpet below it."""
    low, high = (drawn(ball_markers(ball_at(height, None), 'field')) for height in (0.0, 0.8))
    assert low['ball', 0].pose.position.z == pytest.approx(0.0215)
    assert high['ball', 0].pose.position.z == pytest.approx(0.8215)
    assert low['ball', 0].color != high['ball', 0].color
    top, bottom = high['height', 0].points
    assert (top.z, bottom.z) == (pytest.approx(0.8215), 0.0)
    assert (top.x, top.y) == (bottom.x, bottom.y) == (1.0, 2.0)
    assert high['uncertainty', 0].pose.position.z == 0.0


@pytest.mark.parametrize(
    ('probability', 'kicker', 'text'),
    [
        (0.1, RobotId(Team.YELLOW, 4), 'yellow/4 kick 5.0 m/s'),
        (0.9, None, 'chip 5.0 m/s'),
    ],
)
def test_a_kick_is_drawn_at_its_position(probability, kicker, text):
    """An arrow starts there, along the velocity, labeled with the kicker and the speed."""
    velocity = np.array((3.0, 0.0, 4.0))
    kick = Kick(1, np.array((1.0, 2.0)), velocity, None, probability, kicker)
    markers = drawn(kick_markers(kick, 'pitch'))
    start, end = markers['kick', 0].points
    assert (start.x, start.y) == (1.0, 2.0)
    way = np.array((end.x - start.x, end.y - start.y, end.z - start.z))
    assert way == pytest.approx(0.2 * velocity)
    assert markers['kick', 1].text == text
    assert {marker.header.frame_id for marker in markers.values()} == {'pitch'}
    assert all(marker.action == Marker.ADD for marker in markers.values())
