# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node question_answerer answers once the map suffices or the time budget has ended."""

from __future__ import annotations

import json
import math
import signal
from itertools import cycle

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Pose2D
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import Int32, String
from visualization_msgs.msg import Marker

from world_model_core.documents import parse, write
from world_model_core.frames import Transform, rotation_about_z
from world_model_core.objects.answering.object_interest import read_names
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import MapObject, Swatch
from world_model_nodes.objects.convert_sensing import cloud_message, pose_message
from world_model_nodes.objects.question_answerer import QuestionAnswerer
from world_model_nodes.runtime.convert import heading_of
from world_model_nodes.runtime.qos import STATE, STREAM

SECOND_NS = 10**9


def thing(name, label, x, y, color='brown'):
    """Build an object of a map without uncertainty."""
    return MapObject(
        id=name,
        label=label,
        position=np.array((x, y, 0.4)),
        covariance=np.zeros((3, 3)),
        size=np.array((0.5, 0.5, 0.8)),
        heading=0.3,
        colors=(Swatch(color, 1.0),),
    )


HOUSE = (
    thing('1', 'chair', 1.0, 0.0, 'blue'),
    thing('2', 'chair', 4.0, 3.0, 'red'),
    thing('3', 'chair', 6.0, 0.0, 'blue'),
    thing('4', 'refrigerator', 6.0, 3.0),
    thing('5', 'potted plant', 5.5, 3.5),
    thing('6', 'potted plant', 0.0, 3.5),
    thing('7', 'window', 0.0, 6.0),
)


class QuestionClient:
    """A client that publishes questions and receives answers."""

    def __init__(self, graph, **given):
        self.graph = graph
        values = {'stable_time': 0.0, 'unknown_stable_time': 0.0, **given}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.node = graph.add(QuestionAnswerer(parameter_overrides=overrides))
        self.numbers = graph.listen(Int32, 'numerical_response')
        self.markers = graph.listen(Marker, 'selected_object_marker')
        self.ways = graph.listen(Pose2D, 'way_point_with_heading')
        self.answers = graph.listen(String, 'answer', STATE)
        self.interests = graph.listen(String, 'object_interest', STATE)
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self._questions = graph.publisher(String, 'challenge_question')
        self._maps = graph.publisher(String, 'object_map', STATE)
        self._poses = graph.publisher(Odometry, 'state_estimation')
        self._floors = graph.publisher(PointCloud2, 'traversable_area')

    def ask(self, text):
        """Publish the question once."""
        self._questions.publish(String(data=text))

    def show(self, objects=HOUSE):
        """Publish a map."""
        self._maps.publish(String(data=write(map_document(ObjectMapDocument(objects)))))
        self.graph.wait_until(lambda: len(self.node._objects) == len(objects))

    def move(self, x, y, frame_id='map'):
        """Publish the pose of the robot."""
        pose = Transform(rotation_about_z(0.0), np.array((x, y, 0.5)))
        self._poses.publish(pose_message(pose, SECOND_NS, frame_id, 'sensor'))

    def publish_floor(self, points, frame_id='map'):
        """Publish the drivable floor."""
        self._floors.publish(cloud_message(np.array(points), SECOND_NS, frame_id))

    def answer(self):
        """Return the newest answer."""
        return parse(self.answers[-1].data, 'reply') if self.answers else {}

    def settled(self):
        """Wait for the final answer, and return it."""
        self.graph.wait_until(lambda: self.answer().get('final'))
        return self.answer()

    def status(self):
        """Return the newest status of the node."""
        found = [s for r in self.reports for s in r.status if s.name == '/question_answerer']
        return found[-1] if found else None

    def values(self):
        """Return the newest diagnostics."""
        status = self.status()
        return {} if status is None else {pair.key: pair.value for pair in status.values}


@pytest.fixture
def desk(graph, often, monkeypatch):  # noqa: ARG001 (before the node is made)
    """Build a node with a tenth of the challenge's times."""
    monkeypatch.setattr('world_model_nodes.objects.question_answerer.PERIOD', 0.1)
    return lambda **given: QuestionClient(graph, **given)


@pytest.mark.parametrize(
    ('question', 'count'),
    [
        ('How many blue chairs are there?', 2),
        ('青い椅子は何個?', 2),
        ('Count the number of potted plants.', 2),
    ],
)
def test_a_number_is_repeated(desk, question, count):
    """A number is an Int32, repeated for late subscribers; the document has its reason."""
    room = desk()
    room.show()
    room.ask(question)
    document = room.settled()
    room.graph.wait_until(lambda: len(room.numbers) > 3)
    assert {number.data for number in room.numbers} == {count}
    assert (document['question'], document['decision']) == (question, 'the map suffices')
    assert (document['answer']['type'], document['answer']['count']) == ('numerical', count)
    assert document['answer']['probability'] == 1.0
    assert not room.markers
    assert not room.ways


@pytest.mark.parametrize(
    'question',
    ['Find the potted plant closest to the refrigerator.', '冷蔵庫に最も近い鉢植え'],
)
def test_an_object_is_marked(desk, question):
    """A CUBE in the map's frame with the label in ns, and position, size and yaw."""
    room = desk()
    room.show()
    room.ask(question)
    room.graph.wait_until(lambda: len(room.markers) > 1)
    marker = room.markers[-1]
    assert (marker.type, marker.ns, marker.header.frame_id) == (Marker.CUBE, 'potted plant', 'map')
    assert (marker.pose.position.x, marker.pose.position.y) == (5.5, 3.5)
    assert (marker.scale.x, marker.scale.y, marker.scale.z) == (0.5, 0.5, 0.8)
    assert heading_of(marker.pose.orientation) == pytest.approx(0.3)
    assert not room.numbers


@pytest.mark.parametrize(
    'question', ['Go to the refrigerator, passing near the window.', '窓の近くを通って冷蔵庫へ']
)
def test_way_points_are_sent_one_after_the_other(desk, question):
    """The next way point is sent within 1 m of the previous one; the last stays."""
    room = desk()
    room.show()
    room.move(0.0, 0.0)
    room.graph.wait_until(lambda: room.node._robot is not None)
    room.ask(question)
    way = room.settled()['answer']['way_points']
    assert sum(point['is_goal'] for point in way) == 2
    for point in way:
        room.graph.wait_until(
            lambda point=point: (
                room.ways
                and math.dist((room.ways[-1].x, room.ways[-1].y), (point['x'], point['y'])) < 1e-6
            )
        )
        room.move(point['x'] + 0.5, point['y'])
    count = len(room.ways)
    room.graph.wait_until(lambda: len(room.ways) > count + 2)
    goal = (room.ways[-1].x, room.ways[-1].y)
    assert math.dist(goal, (6.0, 3.0)) < 2.0


def test_the_same_words_are_the_same_question(desk):
    """A repeated question is answered once; other words are another question."""
    room = desk()
    room.show()
    for _ in range(3):
        room.ask('How many chairs are there?')
    elapsed = room.settled()['elapsed']
    for _ in range(3):
        room.ask(' How many chairs are there? ')
    room.ask('How many windows are there?')
    room.graph.wait_until(lambda: room.numbers and room.numbers[-1].data == 1)
    texts = [json.loads(answer.data)['question'] for answer in room.answers]
    assert texts == sorted(texts)
    first = [json.loads(a.data) for a in room.answers if 'chairs' in a.data]
    assert [document['elapsed'] for document in first if document['final']] == [elapsed]


def test_nothing_is_guessed_before_the_time_is_over(desk):
    """A question about a missing object waits, and ends with the reason for no answer."""
    room = desk(time_budget=1.0)
    room.show()
    room.ask('How many elephants are near the piano?')
    room.graph.wait_until(room.answer)
    assert (room.answer()['final'], room.answer()['answer']['type']) == (False, 'none')
    document = room.settled()
    assert (document['decision'], document['answer']['type']) == (
        'the time budget has ended',
        'none',
    )
    assert document['elapsed'] >= 1.0
    assert (room.numbers, room.markers, room.ways) == ([], [], [])


def test_an_answer_waits_for_unobserved_floor(desk):
    """If the floor is known, most of it must have been observed."""
    room = desk()
    room.show()
    room.publish_floor([(x, 0.0, 0.0) for x in np.arange(0.0, 12.0, 0.1)])
    room.move(0.0, 0.0)
    room.graph.wait_until(lambda: (room.node._area.coverage or 1.0) < 0.5)
    room.ask('How many chairs are there?')
    room.graph.wait_until(lambda: len(room.answers) > 3)
    assert not room.answer()['final']
    for x in range(1, 12):
        room.move(float(x), 0.0)
        room.graph.wait_until(lambda x=x: room.node._robot[0] == x)
    assert room.settled()['decision'] == 'the map suffices'
    room.graph.wait_until(lambda: room.values().get('floor coverage') == '100%')


def test_a_growing_map_changes_the_answer(desk):
    """Until it is final, the answer is that of the newest map."""
    room = desk(unknown_stable_time=1.0)
    room.show(HOUSE[:1])
    room.ask('How many chairs are there?')
    room.graph.wait_until(lambda: room.answer().get('answer', {}).get('count') == 1)
    room.show()
    assert room.settled()['answer']['count'] == 3


def test_the_interest_of_a_question_is_published(desk):
    """The words of the question and their labels; all classes if anything matters."""
    room = desk()
    room.show()
    room.ask('How many chairs are near the refrigerator?')
    room.graph.wait_until(lambda: room.interests)
    assert {'chair', 'refrigerator'} <= read_names(room.interests[-1].data)
    assert 'window' not in read_names(room.interests[-1].data)
    room.ask('Go to the window.')
    room.graph.wait_until(lambda: read_names(room.interests[-1].data) == frozenset())


@pytest.mark.parametrize(
    'text',
    ['', '   ', 'word ' * 10_000, 'x' * 200_000, 'Sing!', '\x00\x1b[2J', '((((' * 300],
)
def test_an_invalid_question_is_ignored(desk, text):
    """An invalid question gets no answer, and the next one does."""
    room = desk()
    room.show()
    room.ask(text)
    room.graph.wait_until(lambda: room.answers or 'challenge_question.unusable' in room.values())
    room.ask('How many windows are there?')
    room.graph.wait_until(lambda: room.numbers)
    assert room.numbers[-1].data == 1


def test_invalid_messages_are_counted(desk, graph):
    """Invalid maps, poses and floors of other frames, and clouds without points are dropped."""
    room = desk()
    room.show()
    bad = graph.publisher(String, 'object_map', STATE)
    elsewhere = write(map_document(ObjectMapDocument((), frame_id='odom')))
    maps = cycle(('{"objects": 1}', elsewhere))  # one at a time: the queue of a state has one
    floors = graph.publisher(PointCloud2, 'traversable_area', STREAM)

    def publish():
        bad.publish(String(data=next(maps)))
        room.move(0.0, 0.0, 'odom')
        room.publish_floor([(0.0, 0.0, 0.0)], 'odom')
        floors.publish(PointCloud2(header=cloud_message(np.zeros((1, 3)), 0, 'map').header))
        return {
            'object_map.malformed',
            'object_map.other frame',
            'state_estimation.other frame',
            'traversable_area.other frame',
            'traversable_area.malformed',
        } <= room.values().keys()

    graph.wait_until(publish)
    graph.wait_until(lambda: 'object_map: ' in room.status().message)
    assert 'traversable_area: ' in room.status().message
    assert 'state_estimation: ' in room.status().message
    room.ask('How many windows are there?')
    graph.wait_until(lambda: room.numbers)


def test_words_of_a_user_are_understood(desk, tmp_path):
    """A file adds Japanese words that are not in the default table."""
    path = tmp_path / 'own.yaml'
    path.write_text('labels:\n  ひえひえ箱: [refrigerator]\n')
    room = desk(label_translations=str(path))
    room.show()
    room.ask('ひえひえ箱は何個?')
    room.graph.wait_until(lambda: room.numbers)
    assert room.numbers[-1].data == 1


def test_silence_is_a_warning(desk):
    """Without a question the node warns."""
    room = desk()
    room.graph.wait_until(lambda: room.reports)
    status = room.reports[-1].status[0]
    assert (status.level, status.message) == (DiagnosticStatus.WARN, 'no question received')


@pytest.mark.parametrize('value', ['/nowhere/own.yaml', __file__])
def test_an_invalid_file_of_words_does_not_start(running, value):
    """The error is FATAL and has the name, and the process exits with 1."""
    with running('question_answerer', '-p', f'label_translations:={value}') as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert 'label_translations' in errors
    assert 'Traceback' not in errors


def test_interrupt_ends_quietly(running, graph):
    """Ctrl-C ends the node quietly: exit code 0, no traceback."""
    reports = graph.listen(DiagnosticArray, '/diagnostics')
    with running('question_answerer') as process:
        graph.wait_until(lambda: reports)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
