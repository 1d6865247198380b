# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras of a virtual world publish images of exactly their instants."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import String

pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')

from world_model_core.documents import parse
from world_model_core.virtual_world.rendering.contexts import INSTALL, RenderingError
from world_model_core.virtual_world.values import (
    Camera,
    Entity,
    EntityState,
    Material,
    Part,
    Pose,
    Shape,
    Sphere,
    World,
)
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.virtual_world import graphics_driver
from world_model_nodes.virtual_world.graphics_driver import find_driver

EYE = (0.0, 0.0, 1.0)
START, SPEED = (3.0, -0.6, 1.0), 1.0
RED = Material(color=(1.0, 0.1, 0.1, 1.0))
TYPES = {'uint8': 'rgb8', 'float32': '32FC1', 'uint16': '16UC1'}


@pytest.fixture(scope='module')
def _driver():
    """Return a driver that works; without one the test is skipped."""
    try:
        return find_driver()
    except RenderingError as error:
        pytest.skip(str(error))


def thing(name, position, radius=0.05, **values):
    """Return a red ball that no force moves."""
    part = Part('body', shapes=(Shape(Sphere(radius), material=RED),))
    values = {'gravity': False, 'collides': False, **values}
    return Entity(name, pose=Pose(position), parts=(part,), **values)


def watched_world():
    """Return a world with a camera that sees a moving ball."""
    camera = Camera(1, '', Pose(), 0.8, 320 / 240)
    eye = thing('Eye 1', EYE, 0.01, movable=False, cameras=(camera,))
    return World('watched', (eye, thing('ball', START)), ground=False)


class Watched:
    """The node, with a world of our own, stepped while it is paused."""

    def __init__(self, hall):
        self.graph, self.world, self.hall = hall.graph, hall.world, hall
        self.world.load(watched_world())
        self.began_ns = 0

    def begin(self):
        """Let the ball start now."""
        self.began_ns = self.world.clock.now_ns
        self.world.set_entity_state('ball', EntityState(Pose(START), (0.0, SPEED, 0.0)))

    def listen(self, kind, name, **given):
        """Subscribe to a topic of the camera."""
        return self.graph.listen(kind, f'Eye_x20_1/camera_1/{name}', **given)

    def step_until(self, condition):
        """Take steps until something is true."""
        self.graph.wait_until(lambda: self.hall.call('step_simulation', steps=7) and condition())

    def position_at(self, stamp_ns):
        """Return where the ball is at a time after its start."""
        seconds = (stamp_ns - self.began_ns) / 1e9
        return START[0], START[1] + SPEED * seconds, START[2]


@pytest.fixture
def watched(hall):
    """Return a function that makes the node with its world."""
    return lambda **given: Watched(hall(**given).start())


def pixels_of(message, kind):
    """Return the pixels of a message."""
    assert message.encoding == TYPES[np.dtype(kind).name]
    assert not message.is_bigendian
    shape = (message.height, message.width, *([3] if kind == np.uint8 else []))
    pixels = np.frombuffer(message.data, kind).reshape(shape)
    assert message.step == pixels[0].nbytes
    return pixels


def stamp_of(message):
    """Return the time of a message [ns]."""
    return message.header.stamp.sec * 10**9 + message.header.stamp.nanosec


def is_red(colors):
    """Return which pixels are red, not gray or blue."""
    red, _, blue = np.moveaxis(colors.astype(int), 2, 0)
    return red > blue + 50


def projected(info, point):
    """Return column and row of a point in the frame `world` by a camera matrix."""
    ahead, left, up = np.subtract(point, EYE)
    x, y, w = np.reshape(info.k, (3, 3)) @ (-left, -up, ahead)
    return x / w, y / w


@pytest.mark.usefixtures('_driver')
def test_images_show_exactly_their_instants(watched):
    """In images of all kinds, the ball must be where it was at the time of their stamps."""
    watched = watched(image_rate=10.0, depth_rate=5.0, segmentation_rate=10.0)
    colors, infos = watched.listen(Image, 'image'), watched.listen(CameraInfo, 'camera_info')
    depths, depth_infos = (
        watched.listen(Image, 'depth'),
        watched.listen(CameraInfo, 'depth/camera_info'),
    )
    segments = watched.listen(Image, 'segmentation')
    names = watched.graph.listen(String, 'segmentation/labels', qos=STATE)
    received = (colors, infos, depths, depth_infos, segments)
    watched.step_until(lambda: names and all(received))
    watched.begin()
    for messages in received:
        messages.clear()
    watched.step_until(lambda: min(map(len, received)) > 3)
    labels = parse(names[-1].data, 'segmentation_labels')['labels']
    (ball,) = (int(label) for label, name in labels.items() if name == 'ball')
    seen = [
        *((each, is_red(pixels_of(each, np.uint8))) for each in colors),
        *((each, np.isfinite(pixels_of(each, np.float32))) for each in depths),
        *((each, pixels_of(each, np.uint16) == ball) for each in segments),
    ]
    # Some of before the start may have been on their way; after 2 s the ball is not seen any more.
    seen = [each for each in seen if 0 < stamp_of(each[0]) - watched.began_ns < 2_000_000_000]
    assert len({stamp_of(each) for each, _ in seen}) > 3
    for message, mask in seen:
        rows, columns = np.nonzero(mask)
        expected = projected(infos[0], watched.position_at(stamp_of(message)))
        assert (columns.mean(), rows.mean()) == pytest.approx(expected, abs=0.3)
        assert message.header.frame_id == 'Eye_x20_1/camera_1_optical'
    # Each 0.2 s.
    assert {(stamp_of(each) - stamp_of(depths[0])) % 200_000_000 for each in depths} == {0}
    assert pixels_of(depths[0], np.float32).min() == pytest.approx(2.95, abs=0.005)
    assert depth_infos[0].k.tolist() == infos[0].k.tolist()
    assert infos[0].k[4] == pytest.approx(120 / math.tan(0.4))


@pytest.mark.usefixtures('_driver')
def test_images_are_made_only_while_somebody_listens(watched):
    """Without subscriptions nothing must be drawn."""
    watched = watched(image_rate=100.0)
    watched.hall.call('step_simulation', steps=20)
    assert watched.world.report().values['images'] == 0
    colors = watched.listen(Image, 'image')
    watched.step_until(lambda: colors)
    assert 0 < watched.world.report().values['images'] <= 20


@pytest.mark.usefixtures('_driver')
def test_what_is_spawned_has_images_of_its_own(watched):
    """A camera that is spawned must see, and its topics must end with it."""
    watched = watched(segmentation_rate=100.0)
    camera = Camera(2, '', Pose(), 0.8, 320 / 240)
    watched.world.spawn([thing('robot', (1.0, 0.0, 1.0), movable=False, cameras=(camera,))], [''])
    segments = watched.graph.listen(Image, 'robot/camera_2/segmentation')
    names = watched.graph.listen(String, 'segmentation/labels', qos=STATE)
    watched.step_until(lambda: segments and names)
    labels = parse(names[-1].data, 'segmentation_labels')['labels']
    label = pixels_of(segments[-1], np.uint16).max()
    assert labels[str(label)] == 'ball'
    assert watched.graph.probe.count_publishers('robot/camera_2/image') == 1
    watched.world.delete('robot')
    watched.graph.wait_until(
        lambda: watched.graph.probe.count_publishers('robot/camera_2/image') == 0
    )


WATCHER = """
import json
from pathlib import Path
from world_model_core.virtual_world.agents.controller import Controller

class Watcher(Controller):
    def on_action(self, event):
        view = self.world.capture_view(1, 64, 48)
        depth = self.world.capture_depth(1, 64, 48)
        try:
            self.world.capture_view(1, 5000, 48)
        except Exception as error:
            refused = str(error)
        seen = {
            'names': self.world.detect_entities(),
            'red': view[24, 32].tolist(),
            'depth': float(depth[24, 32]),
            'refused': refused,
        }
        Path('unfinished').write_text(json.dumps(seen))
        Path('unfinished').rename('seen.json')
        return 10.0
"""
WATCHED_FILES = {
    'watcher.py': WATCHER,
    'Watcher.xml': """<define-class name="Watcher" inherit="Agent.xml">
      <attr name="dynamics" type="bool" value="false"/>
      <x3d><filename>box.wrl</filename></x3d>
    </define-class>""",
    'box.wrl': """#VRML V2.0 utf8
      Shape { geometry Box { size 10 10 10 }
        appearance Appearance { material Material { diffuseColor 1 0 0 } } }""",
    'watched.xml': """<world name="watched">
      <instanciate class="Watcher.xml"><set-attr-value name="name" value="watcher"/>
        <set-attr-value name="language" value="python"/>
        <set-attr-value name="implementation" value="watcher.py:Watcher"/>
        <set-attr-value name="y" value="200"/></instanciate>
      <instanciate class="Watcher.xml"><set-attr-value name="name" value="other"/>
        <set-attr-value name="y" value="200"/><set-attr-value name="z" value="150"/></instanciate>
    </world>""",
}


@pytest.mark.usefixtures('_driver')
def test_controllers_look(hall, tmp_path):
    """They must receive names, colors and depth, and the reason if they ask for too much."""
    for name, text in WATCHED_FILES.items():
        (tmp_path / name).write_text(text)
    hall = hall(world=str(tmp_path / 'watched.xml'), start='running').start()
    hall.graph.wait_until((tmp_path / 'seen.json').exists)
    seen = json.loads((tmp_path / 'seen.json').read_text())
    assert seen['names'] == ['other']
    assert seen['depth'] == pytest.approx(1.45, abs=0.002)
    assert seen['red'][0] > 100 > max(seen['red'][1:])
    assert '5000' in seen['refused']


@pytest.mark.usefixtures('_driver')
def test_a_free_world_leaves_out_images_that_are_late(watched):
    """It must not wait for an image, and count those that were due before it was finished."""
    watched = watched(agent_time='free', image_rate=100.0)
    colors = watched.listen(Image, 'image')
    watched.step_until(lambda: colors)
    watched.hall.call('step_simulation', steps=200)
    watched.step_until(lambda: len(colors) > 3)
    values = watched.world.report().values
    assert values['images.late'] > 0
    assert values['images'] < watched.world.engine.time_ns / 10_000_000


def test_without_a_driver_the_world_runs_blind(watched, monkeypatch):
    """Time goes on, and /diagnostics names the packages to install."""
    program = f'import sys; sys.exit("{{}}".format({INSTALL!r}))'
    monkeypatch.setattr(graphics_driver, 'TRIAL', program)
    watched = watched(image_rate=100.0)
    colors = watched.listen(Image, 'image')
    reports = watched.graph.listen(DiagnosticArray, '/diagnostics')
    watched.step_until(lambda: any('libegl1' in each.status[0].message for each in reports))
    assert watched.world.engine.time_ns > 0
    assert colors == []
