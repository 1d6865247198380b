# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The topics of a virtual world that runs become a scene, and those of others nothing."""

from __future__ import annotations

import numpy as np
import pytest
from rclpy.parameter import Parameter
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import MultiArrayDimension, String, UInt8MultiArray

from world_model_core.documents import write
from world_model_core.view.scene import Row
from world_model_core.virtual_world.values import (
    Box,
    Camera,
    Entity,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    TriangleMesh,
    World,
)
from world_model_core.virtual_world.world_document import world_document
from world_model_nodes.runtime.cdr import spatial_joint_states, texts
from world_model_nodes.runtime.qos import EVENTS, STATE, STREAM
from world_model_nodes.viewer.virtual_topics import VirtualTopics

POSES = ('sensor_msgs/msg/MultiDOFJointState',)
MESH = TriangleMesh(np.eye(3), np.array([[0, 1, 2]], np.int32))
PERSON = Entity(
    'Old Taro',
    parts=(
        Part('body', shapes=(Shape(Box((0.4, 0.4, 1.0))),)),
        Part('arm', 'body', joint=Joint('elbow', JointKind.HINGE), shapes=(Shape(MESH),)),
    ),
    cameras=(Camera(1, '', Pose(), 1.0, 1.5),),
)
WORLD = World('hall', (PERSON,))
TARO = 'Old_x20_Taro'


@pytest.fixture
def topics(graph):
    """Return the topics of a scene, subscribed to."""
    topics = VirtualTopics()
    topics.subscribe(graph.probe)
    yield topics
    topics.unsubscribe()


class Speaker:
    """Publish a world by hand."""

    def __init__(self, graph):
        self._graph = graph
        self._publishers = {}

    def say(self, kind, topic, message, qos):
        """Publish a message when it will be heard."""
        if topic not in self._publishers:
            made = self._graph.probe.create_publisher(kind, topic, qos)
            self._publishers[topic] = made
            self._graph.wait_until(made.get_subscription_count)
        self._publishers[topic].publish(message)

    def say_world(self, world=WORLD):
        """Publish the entities, and where they are."""
        document = write(world_document(world))
        self.say(String, 'world', String(data=document), STATE)
        names = [each.name for each in world.entities]
        rows = np.array([(1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0)] * len(names))
        data = spatial_joint_states(
            texts(names), rows, np.zeros((len(names), 6)), 5_000_000_000, 'world'
        )
        self.say(MultiDOFJointState, 'objects/state', data, STREAM)


def test_a_virtual_world_is_known_by_its_topics():
    """A topic of one of these names alone, or of another type, is something else."""
    topics = VirtualTopics()
    assert topics.runs({'world': ('std_msgs/msg/String',), 'objects/state': POSES})
    assert not topics.runs({'objects/state': POSES})
    assert not topics.runs({'world': (), 'objects/state': ('std_msgs/msg/String',)})


def test_messages_become_a_scene(graph, topics):
    """Nothing is shown before the world and its poses have come."""
    assert topics.scene() is None
    Speaker(graph).say_world()
    graph.wait_until(lambda: topics.scene() is not None)
    scene = topics.scene()
    assert scene.time_ns == 5_000_000_000
    np.testing.assert_allclose(scene.position_of('Old Taro'), (1.0, 2.0, 3.0))
    assert scene.marks()['virtual/jointed/boxes'].ids == ('Old Taro',)
    assert Row('meshes_without_triangles', '1') in scene.status()


def test_what_agents_say_is_heard(graph, topics):
    """Texts as they are, sounds by their duration, messages with their receiver."""
    speaker = Speaker(graph)
    speaker.say_world()
    graph.wait_until(lambda: topics.scene() is not None)
    message = write({'sender': 'Old Taro', 'to': 'robot', 'strings': ['go', 'home']})
    speaker.say(String, f'{TARO}/text_out', String(data='<b>Hi</b>'), EVENTS)
    speaker.say(UInt8MultiArray, f'{TARO}/sound_out', UInt8MultiArray(data=bytes(32_000)), EVENTS)
    speaker.say(String, f'{TARO}/message_out', String(data=message), EVENTS)

    def said():
        return {row.text for row in topics.scene().status() if row.word == 'said'}

    expected = {'<b>Hi</b>', '♪ 1.0 s', '→ robot: go, home'}
    graph.wait_until(lambda: said() == {f'Old Taro: {each}' for each in expected})
    # Who says nothing, and a world that is paused, are no reason to warn.
    assert not [name for name in topics.inputs.report().values if '.age' in name]


def test_bad_messages_are_counted(graph, topics):
    """The last good state stays."""
    speaker = Speaker(graph)
    speaker.say_world()
    graph.wait_until(lambda: topics.scene() is not None)
    speaker.say(String, 'world', String(data='{"name": 1}'), STATE)
    speaker.say(String, 'contacts', String(data='NaN'), STREAM)
    broken = MultiDOFJointState(joint_names=['a'])
    speaker.say(MultiDOFJointState, 'objects/parts', broken, STREAM)
    sound = UInt8MultiArray(data=bytes(2))
    sound.layout.dim.append(MultiArrayDimension(label='rate', size=0))
    speaker.say(UInt8MultiArray, f'{TARO}/sound_out', sound, EVENTS)
    names = ('world', 'contacts', 'objects/parts', f'{TARO}/sound_out')

    def counted():
        values = topics.inputs.report().values
        return all(f'{name}.malformed' in values for name in names)

    graph.wait_until(counted)
    assert topics.scene().moment.contents.name == 'hall'


@pytest.mark.usefixtures('topics')
def test_agents_that_go_are_not_listened_to_any_more(graph):
    """Their topics are those of another entity, if a name is used again."""
    speaker = Speaker(graph)
    speaker.say_world()
    graph.wait_until(lambda: graph.probe.count_subscribers(f'{TARO}/text_out'))
    speaker.say_world(World('hall', (Entity('cup'),)))
    graph.wait_until(lambda: not graph.probe.count_subscribers(f'{TARO}/text_out'))


def test_contacts_and_joints_are_subscribed_to_while_they_are_shown(graph, topics):
    """The publisher computes them only for subscribers."""
    speaker = Speaker(graph)
    speaker.say_world()
    graph.wait_until(lambda: topics.scene() is not None)
    count = graph.probe.count_subscribers
    graph.wait_until(lambda: count('contacts') == 1)
    topics.show_contacts(shown=False)
    topics.describe('Old Taro')
    graph.wait_until(lambda: not count('contacts') and count(f'{TARO}/joint_states') == 1)
    topics.show_contacts(shown=True)
    topics.describe('')
    graph.wait_until(lambda: count('contacts') == 1 and not count(f'{TARO}/joint_states'))


def test_all_of_a_world_that_runs_is_shown(graph, tmp_path):
    """The triangles come without being asked for, and the joints move its parts."""
    pytest.importorskip('mujoco', reason='needs mujoco')
    from world_model_nodes.virtual_world.virtual_world import VirtualWorld  # noqa: PLC0415

    urdf = tmp_path / 'arm.urdf'
    urdf.write_text(ARM)
    values = {'world': str(urdf), 'speed': 5.0}
    overrides = [Parameter(name, value=value) for name, value in values.items()]
    node = graph.add(VirtualWorld(parameter_overrides=overrides))
    topics = VirtualTopics()
    topics.subscribe(graph.probe)
    assert node.autostart()

    def is_shown():
        scene = topics.scene()
        return scene is not None and len(scene.moment.parts.names) > 1

    graph.wait_until(is_shown)
    scene = topics.scene()
    batches = [batch for name, batch in scene.marks().items() if '/boxes' in name]
    assert sum(len(batch) for batch in batches) == 2
    (name,) = scene.moment.contents.entities
    topics.describe(name)
    graph.wait_until(lambda: any(row.word == 'joint' for row in topics.scene().describe(name)))
    topics.unsubscribe()
    assert topics.scene() is None


ARM = """<robot name="arm">
  <link name="base"><visual><geometry><box size="0.1 0.1 1"/></geometry></visual>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <link name="tip"><visual><geometry><box size="0.1 0.1 0.5"/></geometry></visual>
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="tip"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
</robot>"""
