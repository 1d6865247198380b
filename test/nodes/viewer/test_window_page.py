# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the real viewer, from messages to pixels; all tests share one page."""

from __future__ import annotations

import numpy as np
import pytest
import rclpy
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from benchmarks.view.bare_client import BareClient
from world_model_core.documents import write
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.documents import field_document
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import MapObject
from world_model_core.simulation.match.field import make_geometry
from world_model_nodes.match.convert import ball_message, robots_message
from world_model_nodes.runtime.qos import STATE

SECOND = 1_000_000_000
YELLOW, BLUE, PLACE = (2.0, 1.0, 0.1), (-2.0, -1.0, 0.1), (-1.0, 2.0, 0.1)
SCRIPT = '<script>window.attacked = true</script><img src=x onerror="window.attacked = true">'
# Letters that are shown from right to left, after a mark that turns the direction.
TURNED = '\u202eelbat'


def robots(stamp_ns, place):
    """Return a yellow robot at a place, and a blue one."""
    ids = (RobotId(Team.YELLOW, 3), RobotId(Team.BLUE, 0))
    poses = np.array([(*place[:2], 0.0), (*BLUE[:2], 0.0)])
    covariances, ones = np.zeros((2, 3, 2, 2)), np.ones(2)
    return Robots(stamp_ns, ids, poses, np.zeros((2, 3)), covariances, ones)


def ball(stamp_ns):
    """Return a ball that rests in the middle."""
    return BallState(stamp_ns, np.zeros(3), np.zeros(3), 1e-4 * np.eye(6))


def thing(name, x, label):
    """Return an object of a house beside the field."""
    position = np.array((x, 6.0, 0.5))
    return MapObject(name, label, position, 1e-4 * np.eye(3), np.ones(3), 0.0)


class Publishers:
    """Publishes a match and a house."""

    def __init__(self, probe):
        self.ball = probe.create_publisher(Odometry, 'ball', STATE)
        self.robots = probe.create_publisher(MultiDOFJointState, 'robots', STATE)
        self.field = probe.create_publisher(String, 'field', STATE)
        self.map = probe.create_publisher(String, 'object_map', STATE)
        self.field.publish(String(data=write(field_document(make_geometry(None)))))

    def is_heard(self):
        """Return whether the viewer listens to all topics."""
        all_ = self.ball, self.robots, self.field, self.map
        return all(each.get_subscription_count() for each in all_)

    def send_match(self, stamp_ns, place=YELLOW):
        """Publish robots and ball."""
        self.robots.publish(robots_message(robots(stamp_ns, place), 'field'))
        self.ball.publish(ball_message(ball(stamp_ns), 'field'))

    def send_map(self, stamp_ns, *things):
        """Publish an object map."""
        document = map_document(ObjectMapDocument(things, frame_id='map', stamp_ns=stamp_ns))
        self.map.publish(String(data=write(document)))


@pytest.fixture(scope='module')
def viewing(start_viewer):
    """Start the viewer and a match for all tests."""
    made = start_viewer()
    made.publishers = Publishers(made.graph.probe)
    made.wait_until(made.publishers.is_heard)
    made.publishers.send_match(7 * SECOND)
    made.wait_until(lambda: made.shows('match/robots/bodies'))
    made.press('1')
    made.wait_until(lambda: made.height() > 5)
    return made


def is_yellow(color):
    """Return whether a color has much more red and green than blue."""
    red, green, blue = color
    return min(red, green) > 1.3 * blue


def test_a_match_is_seen_from_above(viewing):
    """The field is green, and each robot has the color of its team where it stands."""
    viewing.wait_until(lambda: is_yellow(viewing.page.color_at(YELLOW)))
    red, _, blue = viewing.page.color_at(BLUE)
    assert blue > 1.3 * red
    red, green, _ = viewing.page.color_at((1.0, -1.0, 0.0))
    assert green > 1.2 * red


def test_a_robot_that_is_clicked_is_described(viewing):
    """The panel has its name; the other robot is not meant."""
    viewing.page.click(YELLOW)
    viewing.wait_until(lambda: 'yellow 3' in viewing.texts())
    viewing.page.click(BLUE)
    viewing.wait_until(lambda: 'blue 0' in viewing.texts())
    assert 'yellow 3' not in viewing.texts()


def test_keys_move_the_camera_and_hide_what_is_picked(viewing):
    """Key 2 looks from the side line, h hides the robot that is picked, and shows it again."""
    viewing.press('2')
    viewing.wait_until(lambda: viewing.height() < 5)
    viewing.press('1')
    viewing.wait_until(lambda: viewing.height() > 5)
    viewing.page.click(YELLOW)
    viewing.wait_until(lambda: 'yellow 3' in viewing.texts())
    viewing.press('h')
    viewing.wait_until(lambda: viewing.instances('match/robots/bodies') == 1)
    viewing.press('h')
    viewing.wait_until(lambda: viewing.instances('match/robots/bodies') == 2)
    # The name of what is picked stands before it.
    viewing.page.click(BLUE)
    viewing.wait_until(lambda: 'blue 0' in viewing.texts())


def test_the_past_is_shown_until_live_is_pressed(viewing):
    """A robot that has come since is missing in the past."""
    viewing.publishers.send_match(9 * SECOND, PLACE)
    viewing.wait_until(lambda: is_yellow(viewing.page.color_at(PLACE)))
    viewing.click_button('To begin')
    viewing.wait_until(lambda: not is_yellow(viewing.page.color_at(PLACE)))
    viewing.click_button('Live')
    viewing.wait_until(lambda: is_yellow(viewing.page.color_at(PLACE)))


def test_texts_from_outside_are_shown_as_text(viewing):
    """A label with a script or marks of direction changes nothing but itself."""
    viewing.publishers.send_map(7 * SECOND, thing('0', 0.0, SCRIPT), thing('1', 2.0, TURNED))
    viewing.wait_until(lambda: viewing.instances('house/objects') == 2)
    names = viewing.node._marks['house/objects'].ids
    for name, label in zip(names, (SCRIPT, 'elbat'), strict=True):
        viewing.node._interaction._desk.pick(name)
        viewing.wait_until(lambda label=label: label[:20] in viewing.texts())
    assert viewing.page.evaluate('window.attacked ?? null') is None
    assert viewing.page.evaluate('document.querySelectorAll("img[src=x]").length') == 0


def test_a_map_with_a_label_of_10_000_letters_is_counted(viewing):
    """The map before it stays."""
    viewing.publishers.send_map(8 * SECOND, thing('0', 0.0, 'a' * 10_000))
    viewing.wait_until(lambda: viewing.reported('object_map.malformed') == 1)
    assert viewing.instances('house/objects') == 2


def test_an_empty_map_removes_all_objects(viewing):
    """The field stays."""
    viewing.publishers.send_map(8 * SECOND)
    viewing.wait_until(lambda: not viewing.instances('house/objects'))
    assert viewing.shows('match/field/lines')


@pytest.fixture
def stranger(viewing):  # noqa: ARG001 (after the environment is set)
    """Return a node of another participant: each of them has one type of a topic."""
    context = rclpy.Context()
    rclpy.init(context=context)
    made = rclpy.create_node('stranger', context=context)
    yield made
    made.destroy_node()
    rclpy.shutdown(context=context)


def test_another_time_and_another_type_do_no_harm(viewing, stranger):
    """The newest message is shown, also if its time is an earlier one."""
    wrong = stranger.create_publisher(String, 'robots', STATE)
    wrong.publish(String(data='no robots'))
    probe = viewing.graph.probe
    viewing.wait_until(lambda: probe.count_publishers('robots') == 2)
    viewing.publishers.send_match(20 * SECOND, YELLOW)
    viewing.wait_until(lambda: is_yellow(viewing.page.color_at(YELLOW)))
    viewing.publishers.send_match(SECOND, PLACE)
    viewing.wait_until(lambda: is_yellow(viewing.page.color_at(PLACE)))


def test_a_page_that_ends_during_an_upload_does_no_harm(viewing):
    """The page that is open goes on."""
    client = BareClient(viewing.server.link, reads=True)
    start = {'source_component_uuid': 'any', 'transfer_uuid': 'one', 'filename': 'a.wav'}
    start |= {'mime_type': 'audio/wav', 'size_bytes': 1_000_000, 'part_count': 2}
    part = {'transfer_uuid': 'one', 'part_index': 0, 'content': bytes(500_000)}
    client.send('FileTransferStartUpload', **start)
    client.send('FileTransferPart', source_component_uuid='any', **part)
    viewing.wait_until(lambda: viewing.node._window.pages == 2)
    client.close()
    viewing.wait_until(lambda: viewing.node._window.pages == 1)
    viewing.publishers.send_match(30 * SECOND, YELLOW)
    viewing.wait_until(lambda: is_yellow(viewing.page.color_at(YELLOW)))
