# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A match is shown as it is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from match_states import (
    NAMES,
    NOW,
    SECOND,
    make_ball,
    make_game,
    make_kick,
    make_pitch,
    make_robots,
    make_scene,
    predict,
)

from world_model_core.frames import rotation_of, yaw_of
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.occlusion import BALL_RADIUS, ROBOT_HEIGHT, ROBOT_RADIUS
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.view.ball import ARROW_TIME
from world_model_core.view.batches import UPRIGHT
from world_model_core.view.colors import BALL, FLYING, TEAMS
from world_model_core.view.match import MatchScene, clock_text
from world_model_core.view.scene import compare, left_out
from world_model_core.view.shapes import ARROW, FRONT, SOCCER_ROBOT


def rows(found):
    """Return rows as a dictionary."""
    return {row.word: row.text for row in found}


def test_robots_are_shown_where_they_are_with_their_heading():
    """The ids are those that people say: color and number."""
    robots = make_robots()
    marks = make_scene(robots=robots).marks()
    bodies, numbers = marks['match/robots/bodies'], marks['match/robots/numbers']
    assert bodies.ids == ('blue 0', 'blue 3', 'blue 11', 'yellow 0', 'yellow 3', 'yellow 11')
    assert bodies.positions[:, :2].tolist() == robots.poses[:, :2].tolist()
    assert [yaw_of(each) for each in bodies.orientations] == pytest.approx(robots.poses[:, 2])
    assert numbers.texts == ('0', '3', '11') * 2
    assert (numbers.positions[:, 2] > ROBOT_HEIGHT).all()
    assert numbers.ids == bodies.ids
    team_colors = [TEAMS[name.team] for name in NAMES]
    assert list(map(tuple, bodies.colors.tolist())) == team_colors


def test_a_robot_has_a_flat_front_and_its_real_size():
    """The league allows 0.18 m in diameter and 0.15 m in height."""
    vertices = SOCCER_ROBOT.vertices
    assert np.hypot(*vertices[:, :2].T).max() == pytest.approx(ROBOT_RADIUS)
    assert (vertices[:, 2].min(), vertices[:, 2].max()) == (0.0, ROBOT_HEIGHT)
    assert vertices[:, 0].max() == pytest.approx(FRONT)
    assert vertices[:, 0].min() == pytest.approx(-ROBOT_RADIUS, rel=1e-2)


@pytest.mark.parametrize('shape', [SOCCER_ROBOT, ARROW], ids=['robot', 'arrow'])
def test_triangles_face_outward(shape):
    """Else they would be dark."""
    corners = shape.vertices[shape.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (np.linalg.norm(normals, axis=1) > 0.0).all()
    # A ray from just outside of a face along its normal meets no other face: of a prism, walls
    # look away from the inside, the lid looks up.
    upward = normals[:, 2] > 1e-12
    assert shape.vertices[shape.triangles[upward]][:, :, 2].min() == shape.vertices[:, 2].max()
    assert not (normals[:, 2] < -1e-12).any()
    walls = corners[~upward]
    area = 0.5 * np.sum(walls[:, 0, 0] * walls[:, 1, 1] - walls[:, 1, 0] * walls[:, 0, 1])
    assert area > 0.0


@pytest.mark.parametrize(
    ('stamp_ns', 'visibilities', 'expected'),
    [
        (NOW, [1.0, 0.0, np.nan], [False, True, False]),
        (NOW - SECOND, [1.0, 0.0, np.nan], [True, True, True]),
    ],
)
def test_robots_that_are_old_or_extrapolated_are_faint(stamp_ns, visibilities, expected):
    """An unknown visibility is no reason to be faint."""
    robots = make_robots(NAMES[:3], stamp_ns=stamp_ns, visibilities=visibilities)
    colors = make_scene(robots=robots).marks()['match/robots/bodies'].colors
    assert (colors[:, 3] < 128).tolist() == expected
    assert (colors[:, :3] == TEAMS[Team.BLUE][:3]).all()


def test_a_ball_on_the_carpet_has_ellipses():
    """It lies on the ground in its real size."""
    marks = make_scene().marks()
    ball = marks['match/ball/ball']
    assert ball.ids == ('ball',)
    assert ball.positions.tolist() == [[1.0, 2.0, BALL_RADIUS]]
    assert (ball.semi_axes == BALL_RADIUS).all()
    ring = marks['match/ball/ring']
    assert (ring.ids, ring.positions[0, :2].tolist()) == (('ball',), [1.0, 2.0])
    assert 0.0 < ring.positions[0, 2] < marks['match/ball/ellipses'].positions[:, 2].min()
    assert tuple(ball.colors[0].tolist()) == BALL
    assert marks['match/ball/ellipses'].semi_axes[:, :2].tolist() == pytest.approx(
        np.array([[0.01, 0.01], [0.02, 0.02], [0.03, 0.03]])
    )
    assert not {'match/ball/ellipsoids', 'match/ball/height', 'match/ball/cloud'} & set(marks)


def test_a_flying_ball_has_ellipsoids_and_its_height():
    """It has another color, and its ellipses are below it."""
    ball = make_ball((1.0, 2.0, 0.8), (3.0, 0.0, 1.0))
    marks = make_scene(ball=ball).marks()
    assert tuple(marks['match/ball/ball'].colors[0].tolist()) == FLYING
    center = (1.0, 2.0, 0.8 + BALL_RADIUS)
    assert marks['match/ball/ellipsoids'].positions.tolist() == [list(center)] * 3
    assert marks['match/ball/height'].points.tolist() == [[list(center), [1.0, 2.0, 0.0]]]
    assert (marks['match/ball/ellipses'].positions[:, 2] < 0.01).all()


@pytest.mark.parametrize('source', [BallSource.OCCLUSION_SHADOW, BallSource.LAST_KNOWN])
def test_a_hidden_ball_is_a_cloud_that_is_distributed_as_it_is(source):
    """The ball itself is faint."""
    ball = make_ball()
    ball.covariance[:2, :2] = [[0.04, 0.01], [0.01, 0.02]]
    marks = make_scene(ball=ball, source=source).marks()
    cloud = marks['match/ball/cloud'].positions
    assert cloud[:, :2].mean(axis=0) == pytest.approx((1.0, 2.0), abs=0.01)
    assert np.cov(cloud[:, :2].T) == pytest.approx(ball.covariance[:2, :2], abs=0.004)
    assert marks['match/ball/ball'].colors[0, 3] < 128


@pytest.mark.parametrize('source', [BallSource.TRACKER, BallSource.VISION, BallSource.BALL_SENSOR])
def test_an_observed_ball_has_no_cloud(source):
    """It is opaque."""
    marks = make_scene(source=source).marks()
    assert 'match/ball/cloud' not in marks
    assert marks['match/ball/ball'].colors[0, 3] == 255


def test_the_prediction_shows_when_the_ball_arrives():
    """Times are where the ball will be then; the last one is where it rests."""
    ball = make_ball()
    prediction = predict(ball)
    marks = make_scene(ball=ball, prediction=prediction).marks()
    times, trajectory = marks['match/ball/times'], prediction.trajectory
    assert times.texts[:4] == ('0.25 s', '0.5 s', '1 s', '2 s')
    for text, place in zip(times.texts[:-1], times.positions, strict=False):
        (expected,), _ = trajectory.at([float(text.removesuffix(' s'))])
        assert place[:2] == pytest.approx(expected[:2])
    assert times.texts[-1] == f'{trajectory.rest_time:.1f} s'
    assert times.positions[-1, :2] == pytest.approx(trajectory.rest_position[:2])
    path = marks['match/ball/path'].points
    assert path[0, 0, :2] == pytest.approx(ball.position[:2])
    assert path[39, 1, :2] == pytest.approx(trajectory.rest_position[:2])
    # A tick at each time, across the path, and one along it where the ball rests.
    assert len(path) == 40 + len(times) + 1
    assert path[40:-1].mean(axis=1)[:, :2] == pytest.approx(times.positions[:, :2])
    assert np.ptp(path[40:-1, :, 0], axis=1) == pytest.approx(0.0)


def test_times_of_arrival_keep_their_distance():
    """Texts of a slow ball would hide each other."""
    marks = make_scene(ball=make_ball(velocity=(0.0, 0.8, 0.0))).marks()
    gaps = np.diff(marks['match/ball/times'].positions[:, 1])
    assert (gaps >= 0.35).all()


def test_a_chip_is_predicted_in_the_air():
    """The path rises and comes down again."""
    ball = make_ball((0.0, 0.0, 0.3), (3.0, 0.0, 2.0))
    heights = make_scene(ball=ball).marks()['match/ball/path'].points[:40, 0, 2]
    assert heights.max() > 0.45
    assert heights[-1] < 0.02


def test_a_ball_at_rest_has_no_path():
    """There is nothing to arrive."""
    marks = make_scene(ball=make_ball(velocity=(0.0, 0.0, 0.0))).marks()
    assert not {'match/ball/path', 'match/ball/times'} & set(marks)


def test_a_kick_is_an_arrow_along_its_velocity():
    """Its length is the way of 0.2 s; chips have another color."""
    kick = make_kick()
    marks = make_scene(kicks=(kick,)).marks()
    arrow = marks['match/kicks/1/arrow']
    assert arrow.shape is ARROW
    assert arrow.positions[0, :2].tolist() == [1.0, 1.0]
    tip = arrow.scales[0, 0] * rotation_of(arrow.orientations[0])[:, 0]
    assert tip == pytest.approx(ARROW_TIME * kick.velocity)
    assert tuple(arrow.colors[0].tolist()) == FLYING
    assert marks['match/kicks/1/speed'].texts == ('5.0 m/s',)
    straight = make_scene(kicks=(make_kick(velocity=(0.0, -2.0, 0.0), chip=0.0),)).marks()
    arrow = straight['match/kicks/1/arrow']
    assert rotation_of(arrow.orientations[0])[:, 0] == pytest.approx((0.0, -1.0, 0.0))
    assert tuple(arrow.colors[0].tolist()) != FLYING


@pytest.mark.parametrize(('age', 'shown'), [(0.0, True), (2.9, True), (3.1, False), (-0.1, False)])
def test_kicks_are_shown_for_three_seconds(age, shown):
    """Time may go back: a kick that has not happened is not shown."""
    marks = make_scene(kicks=(make_kick(age=age),)).marks()
    assert ('match/kicks/1/arrow' in marks) == shown


def test_what_does_not_change_is_the_same_object():
    """Field and kicks cost nothing while the ball moves."""
    pitch, kick = make_pitch(), make_kick()
    before = make_scene(pitch=pitch, kicks=(kick,)).marks()
    after = make_scene(pitch=pitch, kicks=(kick,), ball=make_ball((1.1, 2.0, 0.0))).marks()
    same = {name for name, batch in before.items() if after[name] is batch}
    assert {name for name in before if name.startswith(('match/field', 'match/kicks'))} <= same
    changes = compare(before, after)
    assert set(changes.updated) == {
        'match/ball/ball',
        'match/ball/ring',
        'match/ball/ellipses',
        'match/ball/path',
        'match/ball/times',
    }
    assert changes.updated['match/ball/ball'].fields == ('positions',)
    assert not changes.created
    assert not changes.removed


def test_moving_robots_change_positions_and_orientations_alone():
    """What moves most is sent in few arrays."""
    before = make_scene().marks()
    moved = make_robots(poses=make_robots().poses + 0.1)
    changes = compare(before, make_scene(robots=moved).marks())
    assert changes.updated['match/robots/bodies'].fields == ('positions', 'orientations')
    assert changes.updated['match/robots/numbers'].fields == ('positions',)


def test_the_target_of_a_ball_placement_is_a_circle():
    """The ball must be within 0.15 m."""
    scene = make_scene(game=make_game(ball_placement=[1.0, -2.0]))
    points = scene.marks()['match/placement'].points.reshape(-1, 3)
    assert np.hypot(points[:, 0] - 1.0, points[:, 1] + 2.0) == pytest.approx(0.15)
    assert 'match/placement' not in make_scene().marks()


def test_nothing_known_shows_nothing():
    """Messages come one after the other."""
    scene = MatchScene(NOW)
    assert dict(scene.marks()) == {}
    assert rows(scene.status())['source'] == 'NONE'
    assert scene.describe('ball') == scene.status()[:1]
    assert scene.position_of('ball') is None
    assert scene.position_of('yellow 3') is None
    assert len(scene.viewpoints()) == 3
    assert make_scene(robots=make_robots(())).marks()


def test_numbers_that_cannot_be_shown_are_left_out():
    """A robot at NaN does not hide the others."""
    robots = make_robots()
    robots.poses[1] = np.nan
    ball = make_ball()
    ball.covariance[:] = np.nan
    marks = make_scene(robots=robots, ball=ball, prediction=None).marks()
    assert 'blue 3' not in marks['match/robots/bodies'].ids
    assert len(marks['match/robots/numbers']) == len(robots) - 1
    assert left_out(marks) == 5


def test_the_status_says_what_the_referee_and_the_ball_do():
    """Teams without a name have their color."""
    found = rows(make_scene(game=make_game(next_command='DIRECT_FREE_BLUE')).status())
    assert found['score'] == 'yellow 2 : 0 Foxes'
    assert found['command'] == 'STOP → DIRECT_FREE_BLUE'
    assert found['stage'] == 'NORMAL_FIRST_HALF'
    assert found['stage_time_left'] == '1:01'
    assert found['source'] == 'VISION'
    assert found['phase'] == 'ROLLING'
    assert found['speed'] == '3.00 m/s'
    assert found['deviation'] == '10, 10, 10 mm'
    assert (found['yellow_robots'], found['blue_robots']) == ('3', '3')


def test_robots_and_ball_can_be_described_and_followed():
    """Ids are those of the marks."""
    scene = make_scene(
        robots=make_robots((RobotId(Team.YELLOW, 7),), poses=[(1.0, -1.0, math.pi)])
    )
    found = rows(scene.describe('yellow 7'))
    assert found['position'] == '1.000, -1.000 m'
    assert found['heading'] == '180°'
    assert found['distance_to_ball'] == '3.00 m'
    assert scene.position_of('yellow 7').tolist() == [1.0, -1.0, 0.0]
    assert scene.position_of('ball').tolist() == [1.0, 2.0, 0.0]
    assert scene.describe('blue 7') == ()
    assert scene.position_of('yellow/7') is None


def test_viewpoints_are_above_beside_and_behind_the_ball():
    """From above the whole carpet is in view, with x to the right."""
    above, beside, behind = make_scene().viewpoints()
    pitch = make_pitch()
    assert above.position[:2] == above.target[:2]
    assert above.up == (0.0, 1.0, 0.0)
    # A picture of 75 degrees, a little wider than high.
    seen = above.position[2] * math.tan(math.radians(37.5))
    assert seen >= 0.5 * pitch.width
    # The panel hides a quarter on the right of a page of 16 by 9.
    left, right = -seen * 16 / 9, seen * 16 / 9 * 0.5
    assert above.position[0] + left <= -0.5 * pitch.length
    assert above.position[0] + right >= 0.5 * pitch.length
    assert beside.position[1] < -0.5 * pitch.width
    assert behind.position[0] < 1.0 < behind.target[0]
    assert behind.position[1] == pytest.approx(behind.target[1]) == 2.0


def test_clocks_count_minutes_and_go_below_zero():
    """As the referee's clock shows them."""
    assert [clock_text(seconds) for seconds in (0.0, 65.9, -3.2)] == ['0:00', '1:05', '-0:03']


def test_orientation_of_the_ball_is_never_changed():
    """Only positions are sent."""
    assert make_scene().marks()['match/ball/ball'].orientations.tolist() == [UPRIGHT.tolist()]
