# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A house as marks: objects, robot, camera, question, answer and why."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from world_model_core.frames import Transform, rotation_about_z
from world_model_core.objects.values import MapObject, ObjectState, Swatch
from world_model_core.view.batches import MOST_LABELS
from world_model_core.view.frusta import CameraFrustum, pinhole_corners
from world_model_core.view.house import HouseFloor, HouseScene, scan_points
from world_model_core.view.house_answer import read_answer
from world_model_core.view.house_objects import UNKNOWN_SIZE, object_color, place_objects
from world_model_core.view.house_robot import CHUNK, MOST_CHUNKS, RobotPath
from world_model_core.view.scene import compare, left_out

CHAIR = MapObject(
    '2',
    'chair',
    np.array((1.0, 2.0, 0.4)),
    np.diag((0.01, 0.04, 0.0)),
    np.array((0.4, 0.5, 0.8)),
    math.pi / 2.0,
    (Swatch('red', 1.0, (200.4, 30.0, 20.0)),),
    {'chair': 0.9, 'stool': 0.1},
    confidence=0.987,
    hits=7,
    last_seen_ns=12_340_000_000,
    region='kitchen',
)
TABLE = MapObject('5', 'table', np.array((3.0, 2.0, 0.4)), 1e-4 * np.eye(3), np.ones(3))
LAMP = MapObject('9', 'lamp', np.zeros(3), np.eye(3), state=ObjectState.TENTATIVE, confidence=0.4)
GONE = replace(LAMP, id='11', state=ObjectState.MISSING, confidence=0.02)
ROBOT = Transform(rotation_about_z(math.pi / 2.0), np.array((1.0, -1.0, 1.0)))


def house(*objects, **parts):
    """Make a scene."""
    return HouseScene(5, 0, place_objects(objects), **parts)


def reply(answer, question='How many chairs are near the table?'):
    """Make a document of the topic `answer`."""
    return {
        'question': question,
        'decision': 'the map suffices',
        'final': True,
        'elapsed': 12.4,
        'answer': answer,
    }


def named(thing):
    """Return what answers contain of an object, as far as it is shown."""
    return {'id': thing.id, 'class': thing.label}


COUNTED = {
    'type': 'numerical',
    'count': 1,
    'distribution': {'1': 0.9, '2': 0.1},
    'objects': [named(CHAIR)],
    'probability': 0.9,
    'notes': ['"table" fits 2 objects'],
    'anchors': [
        {'phrase': 'table', 'objects': [{'object': named(TABLE), 'probability': 0.98}]},
    ],
}


def test_objects_are_boxes_with_their_color_heading_and_label():
    """The box, its color and its label must be those of the object."""
    marks = house(CHAIR).marks()
    boxes, labels = marks['house/objects'], marks['house/labels']
    assert boxes.ids == labels.ids == ('chair 2',)
    np.testing.assert_allclose(boxes.positions, [CHAIR.position])
    np.testing.assert_allclose(boxes.sizes, [CHAIR.size])
    half = math.sqrt(0.5)
    np.testing.assert_allclose(boxes.orientations, [(0.0, 0.0, half, half)])
    assert boxes.colors.tolist() == [[200, 30, 20, 204]]
    assert labels.texts == ('chair 2  99%',)
    assert labels.positions[0, 2] > CHAIR.position[2] + CHAIR.size[2] / 2.0


def test_ellipsoids_are_those_of_the_covariance():
    """Three ellipsoids an object; the axes must be those of the covariance."""
    ellipsoids = house(CHAIR).marks()['house/ellipsoids/confirmed']
    assert ellipsoids.ids == ('chair 2',) * 3
    axes = np.sort(ellipsoids.semi_axes, axis=1)
    np.testing.assert_allclose(axes[:, 2] / axes[:, 1], 2.0)


def test_tentative_and_missing_objects_are_faint():
    """Their boxes and their ellipsoids."""
    marks = house(GONE, LAMP, CHAIR).marks()
    boxes = marks['house/objects']
    assert boxes.ids == ('lamp 11', 'lamp 9', 'chair 2')
    assert (boxes.colors[:2, 3] < 0.25 * boxes.colors[2, 3]).all()
    sure, unsure = (marks[f'house/ellipsoids/{name}'] for name in ('confirmed', 'others'))
    assert unsure.ids == ('lamp 11',) * 3 + ('lamp 9',) * 3
    assert unsure.colors[0, 3] < sure.colors[0, 3]


def test_an_object_of_unknown_size_and_color_is_a_small_cube_in_the_color_of_its_class():
    """All objects of a class must have the same color."""
    marks = house(LAMP).marks()
    assert marks['house/objects'].sizes.tolist() == [[UNKNOWN_SIZE] * 3]
    assert object_color(LAMP) == object_color(replace(LAMP, id='10', position=np.ones(3)))


def test_an_empty_map_shows_nothing_and_can_be_looked_at():
    """Neither marks nor an error; the viewpoints are there."""
    scene = house()
    assert scene.marks() == {}
    assert [row.text for row in scene.status()] == ['0', '0', '0']
    assert len(scene.viewpoints()) == 3


def test_objects_that_cannot_be_shown_are_left_out_and_counted():
    """NaN, infinity and covariances that are none must not hide the other objects."""
    lost = replace(CHAIR, id='20', position=np.array((math.nan, 0.0, 0.0)))
    far = replace(CHAIR, id='21', position=np.array((1e300, 0.0, 0.0)))
    skewed = replace(CHAIR, id='22', covariance=np.array(((1.0, 5.0, 0), (0, 1, 0), (0, 0, 1))))
    negative = replace(CHAIR, id='23', covariance=-np.eye(3))
    unknown = replace(CHAIR, id='24', covariance=np.full((3, 3), math.nan))
    scene = house(lost, far, skewed, negative, unknown, TABLE)
    marks = scene.marks()
    assert marks['house/objects'].ids == ('chair 22', 'chair 23', 'chair 24', 'table 5')
    assert set(marks['house/ellipsoids/confirmed'].ids) == {'table 5'}
    assert left_out(marks) >= 2 + 2 + 3 * 5
    for name in scene.objects.by_name:
        assert scene.describe(name)
    assert np.isfinite([view.position for view in scene.viewpoints()]).all()


def test_ten_thousand_objects_are_shown():
    """All boxes, and the labels of the most probable objects."""
    rng = np.random.default_rng(1)
    objects = [
        replace(CHAIR, id=str(number), position=place, confidence=number / 10_000)
        for number, place in enumerate(rng.uniform(-50.0, 50.0, (10_000, 3)))
    ]
    marks = house(*objects).marks()
    assert len(marks['house/objects']) == 10_000
    assert len(marks['house/labels']) == MOST_LABELS
    assert marks['house/labels'].ids[0] == f'chair {10_000 - MOST_LABELS}'


def test_texts_from_outside_stay_texts():
    """Markup and marks of direction are data of labels and rows."""
    name = '<script>alert(1)</script>\u202e'
    scene = house(replace(CHAIR, label=name))
    assert scene.marks()['house/labels'].texts[0].startswith('<script>')
    assert scene.describe(f'{name} 2')[0].text == f'{name} 2'


def test_the_same_map_is_the_same_marks():
    """What did not change must cost nothing."""
    objects = place_objects((CHAIR, TABLE))
    floor = HouseFloor(np.zeros((5, 2)))
    before = HouseScene(1, 0, objects, floor=floor, robot=ROBOT)
    moved = Transform(ROBOT.rotation, ROBOT.translation + 0.1)
    after = HouseScene(2, 0, objects, floor=floor, robot=moved)
    changes = compare(before.marks(), after.marks())
    assert (changes.removed, dict(changes.created)) == ((), {})
    assert set(changes.updated) == {'house/robot/body', 'house/robot/heading'}


def test_the_robot_stands_on_the_floor_below_its_pose():
    """Its arrow must show its heading."""
    marks = house(robot=ROBOT).marks()
    body, arrow = marks['house/robot/body'], marks['house/robot/heading']
    assert body.ids == arrow.ids == ('robot',)
    np.testing.assert_allclose(body.positions, [(1.0, -1.0, 0.5)])
    assert body.heights.tolist() == [1.0]
    half = math.sqrt(0.5)
    np.testing.assert_allclose(arrow.orientations, [(0.0, 0.0, half, half)])


def test_the_camera_is_a_frustum_in_its_pose():
    """The camera looks along its z axis."""
    corners = pinhole_corners(640, 480, (320.0, 0, 320.0, 0, 320.0, 240.0, 0, 0, 1))
    camera = CameraFrustum('camera', Transform(np.eye(3), np.array((0.0, 0.0, 2.0))), corners)
    lines = house(camera=camera).marks()['house/view']
    assert lines.points.shape == (8, 2, 3)
    np.testing.assert_allclose(lines.points[:4, 0], np.tile((0.0, 0.0, 2.0), (4, 1)))
    corner = np.array((-1.0, -0.75, 1.0))
    reached = lines.points[0, 1] - (0.0, 0.0, 2.0)
    np.testing.assert_allclose(reached / reached[2], corner)


def test_a_path_is_extended_and_keeps_its_older_parts():
    """Older parts must be the same objects, so that they are not sent again."""
    path = RobotPath()
    for number in range(2 * CHUNK + 10):
        path = path.extended(np.array((0.1 * number, 0.0)))
    older = path.marks()
    assert set(older) == {'house/path/0', 'house/path/1', 'house/path/newest'}
    path = path.extended(path.last + 0.1)
    newer = path.marks()
    assert newer['house/path/0'] is older['house/path/0']
    total = sum(len(batch) for batch in newer.values())
    assert total == 2 * CHUNK + 10


@pytest.mark.parametrize(('step', 'parts'), [(0.01, 0), (0.2, 1), (3.0, 0)])
def test_a_path_skips_standing_and_jumps(step, parts):
    """A robot that stands adds nothing; a jump is not a part of its path."""
    path = RobotPath().extended(np.zeros(2)).extended(np.array((step, 0.0)))
    assert sum(len(batch) for batch in path.marks().values()) == parts


def test_a_path_is_bounded():
    """The oldest parts are dropped, and the names of the others stay."""
    path = RobotPath()
    for number in range((MOST_CHUNKS + 3) * CHUNK + 1):
        path = path.extended(np.array((0.1 * number, 0.0)))
    names = [name for name in path.marks() if name != 'house/path/newest']
    assert names == [f'house/path/{number}' for number in range(3, MOST_CHUNKS + 3)]


def test_the_counted_objects_and_their_anchors_are_lit():
    """Outlines and pins in two colors; the anchor has the words of the question."""
    answer = read_answer(reply(COUNTED))
    marks = house(CHAIR, TABLE, answer=answer).marks()
    lit, anchors = marks['house/answer'], marks['house/anchors']
    assert len(lit) == len(anchors) == 13
    assert lit.colors[0].tolist() != anchors.colors[0].tolist()
    assert (np.abs(lit.points.reshape(-1, 3)[:24] - CHAIR.position) < 0.6).all()
    assert marks['house/answer/labels'].texts == ('1',)
    assert marks['house/anchors/labels'].ids == ('table 5',)
    assert marks['house/anchors/labels'].texts == ('table',)


def test_an_outline_turns_with_its_object():
    """A box of 0.4 x 0.5 m that is turned by a quarter is 0.5 x 0.4 m."""
    marks = house(CHAIR, answer=read_answer(reply(COUNTED))).marks()
    edges = marks['house/answer'].points[:12].reshape(-1, 3)
    np.testing.assert_allclose(np.ptp(edges, axis=0), (0.56, 0.46, 0.86), atol=1e-9)


def test_question_and_answer_are_rows():
    """Question, answer with its probability, decision, why, and notes."""
    rows = house(CHAIR, TABLE, answer=read_answer(reply(COUNTED))).status()
    assert [(row.word, row.text) for row in rows[3:]] == [
        ('question', 'How many chairs are near the table?'),
        ('answer', '1: chair 2'),
        ('probability', '90%'),
        ('decision', 'the map suffices'),
        ('elapsed', '12 s'),
        ('why', '"table": table 5 98%'),
        ('note', '"table" fits 2 objects'),
    ]


def test_the_object_of_a_reference_is_lit():
    """Objects that are not in the map any more are not."""
    answer = {
        'type': 'reference',
        'object': named(CHAIR),
        'alternatives': [],
        'probability': 0.75,
        'notes': [],
        'anchors': [{'phrase': 'lamp', 'objects': [{'object': named(GONE), 'probability': 0.5}]}],
    }
    scene = house(CHAIR, TABLE, answer=read_answer(reply(answer)))
    assert scene.answer.text == 'chair 2'
    assert scene.marks()['house/answer/labels'].ids == ('chair 2',)
    assert 'house/anchors' not in scene.marks()


def test_the_way_leads_from_the_robot_over_its_way_points():
    """Goals are marked, way points that only lead there are not."""
    points = [
        {'x': 2.0, 'y': 0.0, 'theta': 0.0, 'reason': 'on the way', 'is_goal': False},
        {'x': 3.0, 'y': 1.0, 'theta': 0.0, 'reason': 'stop at table 5', 'is_goal': True},
    ]
    answer = {
        'type': 'instruction',
        'way_points': points,
        'objects': [named(TABLE)],
        'probability': 1.0,
        'notes': [],
        'anchors': [],
    }
    scene = house(TABLE, robot=ROBOT, answer=read_answer(reply(answer)))
    marks = scene.marks()
    assert scene.answer.text == 'stop at table 5'
    assert marks['house/way/line'].points[:, :, :2].tolist() == [
        [[1.0, -1.0], [2.0, 0.0]],
        [[2.0, 0.0], [3.0, 1.0]],
    ]
    np.testing.assert_allclose(marks['house/way/goals'].positions[:, :2], [(3.0, 1.0)])


@pytest.mark.parametrize(
    'answer',
    [
        None,
        {'type': 'none', 'query': None, 'understood': [], 'missing': ['no "piano" in the map']},
    ],
)
def test_a_question_without_an_answer_lights_nothing(answer):
    """What is missing is a note."""
    scene = house(CHAIR, answer=read_answer(reply(answer)))
    words = [row.word for row in scene.status()]
    assert 'answer' not in words
    assert ('note' in words) == (answer is not None)
    assert set(scene.marks()) == {'house/objects', 'house/labels', 'house/ellipsoids/confirmed'}


def test_what_is_known_of_an_object_is_described():
    """Each value with its unit."""
    rows = {row.word: row.text for row in house(CHAIR).describe('chair 2')}
    assert rows == {
        'name': 'chair 2',
        'state': 'confirmed',
        'probability': '98.7%',
        'classes': 'chair 90%, stool 10%',
        'color': 'red',
        'position': '1.00, 2.00, 0.40 m',
        'deviation': '0.10, 0.20, 0.00 m',
        'size': '0.40 x 0.50 x 0.80 m',
        'heading': '90°',
        'room': 'kitchen',
        'detections': '7',
        'last_seen': '12.3 s',
    }


def test_objects_and_the_robot_can_be_followed():
    """What is not there has no position and no description."""
    scene = house(CHAIR, robot=ROBOT)
    assert scene.position_of('chair 2').tolist() == CHAIR.position.tolist()
    assert scene.position_of('robot').tolist() == [1.0, -1.0, 1.0]
    assert [row.text for row in scene.describe('robot')] == ['1.00, -1.00 m', '90°']
    assert scene.position_of('chair 3') is None
    assert scene.describe('chair 3') == ()


def test_viewpoints_look_at_the_house_in_spite_of_an_outlier():
    """One false detection far away must not move the house out of sight."""
    rng = np.random.default_rng(2)
    places = (*rng.uniform(0.0, 10.0, (300, 3)), (9e5, 0.0, 0.0))
    objects = [
        replace(CHAIR, id=str(number), position=np.array(place))
        for number, place in enumerate(places)
    ]
    above = house(*objects).viewpoints()[0]
    assert np.linalg.norm(above.position) < 100.0
    assert 0.0 < above.target[0] < 10.0


def test_the_third_viewpoint_is_behind_the_robot():
    """It looks ahead over the robot."""
    view = house(CHAIR, robot=ROBOT).viewpoints()[2]
    np.testing.assert_allclose(view.position, (1.0, -3.0, 2.5), atol=1e-9)
    np.testing.assert_allclose(view.target, (1.0, 0.0, 1.0), atol=1e-9)


def test_scans_are_thinned():
    """A scan of any size becomes few points, spread over all of it."""
    shown = scan_points(np.column_stack([np.arange(100_000.0)] * 3))
    assert 1000 < len(shown) <= 3000
    assert shown.positions[-1, 0] > 99_000
    assert shown.positions.base is None
