# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots with noisy motion and sensing are shown with what they estimate."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.frames import yaw_of
from world_model_core.localization.pose_estimators import PoseEstimate
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.view.colors import (
    CLUTTER,
    FREE,
    KIDNAPPED,
    MISSED,
    OCCLUDED,
    READING,
    STUCK,
)
from world_model_core.view.readings import LandmarkReadings
from world_model_core.view.robots import (
    MOST_SOLID,
    LandmarkMap,
    RecentCauses,
    RobotFleetState,
    RobotsScene,
)
from world_model_core.view.scene import compare, left_out

SECOND = 1_000_000_000
POSES = np.array([(1.0, 2.0, 0.5), (-3.0, 0.0, -2.0), (0.0, 0.0, 3.0)])
COVARIANCE = np.diag((0.01, 0.04, 0.09))


def make_fleet(count=3, causes=None, odometry=None):
    """Make the true states of robots."""
    poses = np.resize(POSES, (count, 3))
    labels = np.zeros(count, dtype=np.uint16)
    if causes is not None:
        labels[:] = [int(cause) for cause in causes]
    names = tuple(f'robot_{number}' for number in range(count))
    return RobotFleetState(names, poses, labels, odometry)


def make_readings(causes, measured=None):
    """Make readings of landmarks that are 2 m ahead."""
    true = np.array([(2.0, float(row)) for row in range(len(causes))])
    labels = np.array([int(cause) for cause in causes], dtype=np.uint16)
    names = tuple(map(str, range(len(causes))))
    return LandmarkReadings(names, true + 0.1 if measured is None else measured, true, labels)


def rows(found):
    """Return rows as a dictionary."""
    return {row.word: row.text for row in found}


def test_robots_are_shown_one_by_one_at_their_true_poses():
    """Each has its name, and its nose along its heading."""
    marks = RobotsScene(0, make_fleet()).marks()
    bodies = marks['robots/truth/bodies']
    assert bodies.ids == ('robot_0', 'robot_1', 'robot_2')
    assert bodies.positions[:, :2].tolist() == POSES[:, :2].tolist()
    assert (bodies.positions[:, 2] == 0.0).all()
    assert [yaw_of(each) for each in bodies.orientations] == pytest.approx(POSES[:, 2])
    assert marks['robots/truth/names'].texts == bodies.ids


def test_what_struck_a_robot_is_its_color_and_stands_beside_its_name():
    """Pebbles and a bias of the wheels strike all robots at all times."""
    causes = (ErrorCause.PEBBLE, ErrorCause.STUCK | ErrorCause.VELOCITY_BIAS, ErrorCause.KIDNAP)
    scene = RobotsScene(0, make_fleet(causes=causes))
    marks = scene.marks()
    colors = marks['robots/truth/bodies'].colors.tolist()
    assert list(map(tuple, colors)) == [FREE, STUCK, KIDNAPPED]
    texts = marks['robots/truth/names'].texts
    assert texts == ('robot_0', 'robot_1: stuck', 'robot_2: kidnap')
    found = rows(scene.status())
    assert (found['robots'], found['stuck'], found['kidnapped']) == ('3', '1', '1')
    assert rows(scene.describe('robot_1'))['causes'] == 'velocity_bias, stuck'


@pytest.mark.parametrize(
    ('count', 'kind'), [(MOST_SOLID, 'bodies'), (MOST_SOLID + 1, 'points'), (20_000, 'points')]
)
def test_very_many_robots_are_points(count, kind):
    """Up to 1,000 are drawn one by one; names would hide them."""
    odometry = np.zeros((count, 3))
    marks = RobotsScene(0, make_fleet(count, odometry=odometry)).marks()
    assert set(marks) == {'robots/grid', f'robots/truth/{kind}', f'robots/odometry/{kind}'}
    assert len(marks[f'robots/truth/{kind}']) == count


def test_an_estimate_is_a_faint_robot_with_ellipses_and_its_error():
    """Its headings are drawn at two standard deviations, as the lecture draws them."""
    estimate = PoseEstimate(np.array((1.5, 2.0, 0.5)), COVARIANCE)
    scene = RobotsScene(0, make_fleet(), {'robot_0': estimate})
    marks = scene.marks()
    body = marks['robots/estimates/bodies']
    assert body.ids == ('robot_0',)
    assert body.colors[0, 3] < 255
    assert body.positions.tolist() == [[1.5, 2.0, 0.0]]
    axes = marks['robots/estimates/ellipses'].semi_axes[:, :2]
    assert axes == pytest.approx(np.outer((1, 2, 3), (0.2, 0.1)))
    headings = marks['robots/estimates/headings'].points
    assert headings[:, 0, :2].tolist() == [[1.5, 2.0]] * 2
    angles = np.arctan2(*(headings[:, 1] - headings[:, 0])[:, (1, 0)].T)
    assert angles == pytest.approx((0.5 + 0.6, 0.5 - 0.6))
    (error,) = marks['robots/estimates/errors'].points[:, :, :2].tolist()
    assert error == [[1.5, 2.0], [1.0, 2.0]]
    assert rows(scene.status())['estimate'] == 'robot_0: 0.50 m ± 0.22 m'
    assert rows(scene.describe('robot_0'))['estimate'] == '0.50 m ± 0.22 m'


def test_an_estimate_without_truth_is_shown():
    """A real robot has none."""
    estimate = PoseEstimate(np.array((1.0, 2.0, 0.5)), COVARIANCE)
    scene = RobotsScene(0, estimates={'robot': estimate})
    marks = scene.marks()
    assert 'robots/estimates/bodies' in marks
    assert 'robots/estimates/errors' not in marks
    assert rows(scene.status()) == {'estimate': 'robot: ± 0.22 m'}
    assert scene.position_of('robot').tolist() == [1.0, 2.0, 0.0]


def test_odometry_is_shown_where_nothing_better_is_known():
    """It drifts."""
    odometry = POSES + np.array((0.0, 1.0, 0.0))
    estimate = PoseEstimate(POSES[0], COVARIANCE)
    scene = RobotsScene(0, make_fleet(odometry=odometry), {'robot_0': estimate})
    bodies = scene.marks()['robots/odometry/bodies']
    assert bodies.ids == ('robot_1', 'robot_2')
    assert bodies.positions[:, :2].tolist() == odometry[1:, :2].tolist()
    assert bodies.colors[0, 3] < 255
    assert rows(scene.status())['odometry_error'] == '1.00 m'


def test_particles_are_strokes_along_their_headings():
    """Very many are points."""
    few = np.array([(1.0, 2.0, 0.0), (1.0, 3.0, math.pi / 2.0)])
    many = np.zeros((5000, 3))
    marks = RobotsScene(0, particles={'a': few, 'b': many}).marks()
    strokes = marks['robots/particles/a'].points[:, :, :2]
    assert strokes[:, 0].tolist() == few[:, :2].tolist()
    assert strokes[0, 1] == pytest.approx((1.12, 2.0))
    assert strokes[1, 1] == pytest.approx((1.0, 3.12))
    assert len(marks['robots/particles/b'].positions) == 5000


def test_readings_are_lines_from_the_true_pose_to_what_was_measured():
    """Measured positions are in the frame of the robot."""
    fleet = RobotFleetState(
        ('a',), np.array([(1.0, 1.0, math.pi / 2.0)]), np.zeros(1, dtype=np.uint16)
    )
    marks = RobotsScene(0, fleet, readings={'a': make_readings([ErrorCause.NOISE])}).marks()
    (line,) = marks['robots/readings/lines'].points[:, :, :2]
    assert line[0].tolist() == [1.0, 1.0]
    # 2.1 m ahead and 0.1 m to the left of a robot that heads along y.
    assert line[1] == pytest.approx((0.9, 3.1))
    assert 'robots/readings/causes' not in marks


def test_readings_have_the_color_and_the_word_of_what_made_them_wrong():
    """Noise and bias are in all of them; a landmark that was missed has a dashed line."""
    causes = (
        ErrorCause.NOISE | ErrorCause.BIAS,
        ErrorCause.NOISE | ErrorCause.CLUTTER,
        ErrorCause.OCCLUSION,
        ErrorCause.MISSED_DETECTION,
        ErrorCause.OUT_OF_VIEW,
    )
    measured = np.array([(2.1, float(row)) for row in range(5)])
    measured[3:] = np.nan
    readings = {'robot_0': make_readings(causes, measured)}
    marks = RobotsScene(0, make_fleet(), readings=readings).marks()
    lines = marks['robots/readings/lines']
    assert list(map(tuple, lines.colors[:3].tolist())) == [READING, CLUTTER, OCCLUDED]
    assert set(map(tuple, lines.colors[3:].tolist())) == {MISSED}
    assert len(lines) == 3 + 8
    assert marks['robots/readings/causes'].texts == ('clutter', 'occlusion', 'missed_detection')
    described = [
        row.text
        for row in RobotsScene(0, make_fleet(), readings=readings).describe('robot_0')
        if row.word == 'landmark_reading'
    ]
    assert described[1] == '1: 2.10, 1.00 m, noise, clutter'
    assert described[4] == '4: -, out_of_view'


def test_readings_without_truth_are_shown():
    """A real robot does not know what made them wrong; it is where it estimates to be."""
    measured = np.array([(2.0, 0.0)])
    readings = LandmarkReadings(('x',), measured, measured * np.nan, np.zeros(1, dtype=np.uint16))
    estimate = PoseEstimate(np.array((1.0, 0.0, 0.0)), COVARIANCE)
    marks = RobotsScene(0, estimates={'a': estimate}, readings={'a': readings}).marks()
    assert marks['robots/readings/lines'].points[0, 1, :2].tolist() == [3.0, 0.0]
    unknown = RobotsScene(0, readings={'b': readings}).marks()
    assert 'robots/readings/lines' not in unknown


def test_landmarks_are_columns_with_names_and_made_once():
    """They can be picked."""
    landmarks = LandmarkMap(('0', '1'), np.array([(1.0, 2.0), (-3.0, 4.0)]))
    scene = RobotsScene(0, landmarks=landmarks)
    marks = scene.marks()
    bodies = marks['robots/landmarks/bodies']
    assert bodies.ids == ('landmark 0', 'landmark 1')
    assert bodies.positions[:, 2] == pytest.approx(0.5 * bodies.heights)
    assert rows(scene.describe('landmark 1'))['position'] == '-3.000, 4.000 m'
    assert scene.position_of('landmark 1').tolist() == [-3.0, 4.0, 0.0]
    again = RobotsScene(1, make_fleet(), landmarks=landmarks).marks()
    changes = compare(marks, again)
    assert set(changes.created) == {'robots/truth/bodies', 'robots/truth/names'}
    assert not changes.updated


def test_instants_are_shown_for_two_seconds():
    """A kidnapping is over at once, and a standstill as long as it lasts."""
    recent, kidnap, stuck = RecentCauses(), int(ErrorCause.KIDNAP), int(ErrorCause.STUCK)

    def update(seconds, *causes):
        return recent.update(np.array(causes, dtype=np.uint16), int(seconds * SECOND)).tolist()

    assert update(0.0, kidnap, stuck) == [kidnap, stuck]
    assert update(1.9, 0, kidnap) == [kidnap, kidnap]
    assert update(2.1, stuck, 0) == [stuck, kidnap]
    assert update(4.2, 0, 0) == [0, 0]


def test_causes_are_forgotten_when_time_goes_back():
    """The run began again, or has other robots."""
    recent = RecentCauses()
    struck = np.array([int(ErrorCause.KIDNAP)], dtype=np.uint16)
    recent.update(struck, 5 * SECOND)
    assert recent.update(0 * struck, 4 * SECOND).tolist() == [0]
    recent.update(struck, 5 * SECOND)
    assert recent.update(np.zeros(2, dtype=np.uint16), 5 * SECOND + 1).tolist() == [0, 0]


def test_numbers_that_cannot_be_shown_are_left_out():
    """Robots, estimates, particles and readings at NaN do not hide the others."""
    fleet = make_fleet()
    fleet.truth[1] = np.nan
    estimates = {
        'robot_0': PoseEstimate(np.full(3, np.inf), COVARIANCE),
        'robot_2': PoseEstimate(POSES[2], np.full((3, 3), np.nan)),
    }
    particles = {'robot_0': np.array([(np.nan, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, np.inf)])}
    readings = {'robot_0': make_readings([0, 0], np.array([(np.inf, 0.0), (1.0, 0.0)]))}
    scene = RobotsScene(0, fleet, estimates, particles, readings)
    marks = scene.marks()
    assert marks['robots/truth/bodies'].ids == ('robot_0', 'robot_2')
    assert marks['robots/estimates/bodies'].ids == ('robot_2',)
    assert len(marks['robots/estimates/ellipses']) == 0
    assert len(marks['robots/particles/robot_0']) == 1
    assert left_out(marks) > 0
    assert len(scene.viewpoints()) == 3


def test_nothing_known_shows_the_ground():
    """Viewpoints are there before robots are."""
    scene = RobotsScene(0)
    assert set(scene.marks()) == {'robots/grid'}
    assert scene.status() == ()
    assert scene.describe('robot_0') == ()
    assert scene.position_of('landmark 0') is None
    assert len(scene.viewpoints()) == 3


def test_viewpoints_show_all_robots_and_landmarks():
    """From above x is to the right; the third one is behind the first robot."""
    landmarks = LandmarkMap(('0',), np.array([(30.0, 0.0)]))
    above, _, behind = RobotsScene(0, make_fleet(), landmarks=landmarks).viewpoints()
    half = above.position[2] * math.tan(math.radians(37.5))
    assert above.position[0] + half >= 30.0
    assert above.position[0] - half <= -3.0
    assert above.up == (0.0, 1.0, 0.0)
    offset = np.array(behind.target[:2]) - POSES[0, :2]
    assert math.atan2(offset[1], offset[0]) == pytest.approx(0.5)
    assert behind.position[0] < 1.0
