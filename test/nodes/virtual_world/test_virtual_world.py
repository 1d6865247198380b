# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""virtual_world publishes the state of a world, and moves it by commands."""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import replace

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Twist, Vector3, Wrench
from rclpy.parameter import Parameter
from rclpy.qos import QoSHistoryPolicy, QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger
from tf2_ros import Buffer, TransformListener
from vision_msgs.msg import Detection3DArray

from world_model_core.documents import parse
from world_model_core.errors import ConfigurationError
from world_model_core.virtual_world.values import EntityState, Pose
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import CLOCK, STATE
from world_model_nodes.virtual_world import engine_import
from world_model_nodes.virtual_world import standard_messages as standard
from world_model_nodes.virtual_world.simulation_services import type_of
from world_model_nodes.virtual_world.virtual_world import VirtualWorld

WORLD = '<mujoco><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>'
ROVER = """
<define-class name="Rover" inherit="Entity.xml">
  <attr name="dynamics" type="bool" value="false"/>
  <attr name="wheelRadius" type="double" value="10"/>
  <attr name="wheelDistance" type="double" value="40"/>
  <simpleShape type="box"><size sx="40" sy="10" sz="40"/></simpleShape>
</define-class>
"""
CUP = 'Red_x20_Cup'
EVERY = QoSProfile(history=QoSHistoryPolicy.KEEP_ALL)


def test_topics_show_the_same_world(hall):
    """All states of a time agree; each document follows its schema."""
    hall = hall(start='running', speed=5.0)
    listen = hall.graph.listen
    states = listen(MultiDOFJointState, 'objects/state', EVERY)
    joints = listen(JointState, 'arm/joint_states', EVERY)
    contacts = listen(String, 'contacts', EVERY)
    touch = listen(String, 'arm/contact', EVERY)
    truth = listen(Detection3DArray, 'truth/objects', STATE)
    worlds = listen(String, 'world', STATE)
    attributes = listen(String, 'objects/attributes', STATE)
    clock = listen(Clock, '/clock', CLOCK)
    tf = Buffer()
    listener = TransformListener(tf, hall.graph.probe)
    hall.start()
    hall.graph.wait_until(
        lambda: len(states) > 5 and joints and clock and worlds and attributes and truth and touch
        and any(json.loads(each.data)['contacts'] for each in contacts)
        and tf.can_transform('world', CUP, states[0].header.stamp)
        and tf.can_transform('world', 'arm', states[0].header.stamp)
    )  # fmt: skip
    message = next(each for each in states if tf.can_transform('world', CUP, each.header.stamp))
    assert message.header.frame_id == 'world'
    cup = message.transforms[list(message.joint_names).index('Red Cup')]
    frame = tf.lookup_transform('world', CUP, message.header.stamp).transform
    assert frame.translation.z == pytest.approx(cup.translation.z)
    document = parse(worlds[-1].data, 'virtual_world')
    assert document['entities']['Red Cup']['frame'] == CUP
    assert document['name'] == 'hall'
    assert set(parse(attributes[-1].data, 'attributes')['entities']) == set(document['entities'])
    assert parse(contacts[-1].data, 'contacts')['stamp_ns'] > 0
    touched = parse(touch[-1].data, 'contacts')['contacts']
    assert {each['first']['entity'] for each in touched} <= {'arm'}
    assert joints[-1].name == ['elbow']
    assert 'Red Cup' in {each.id for each in truth[-1].detections}
    assert all(math.isfinite(each.bbox.size.x) for each in truth[-1].detections)
    listener.unregister()


def test_what_a_window_needs_is_published(hall):
    """Triangles for whoever comes, poses of parts, and states and grasps when they change."""
    hall = hall().start()
    listen = hall.graph.listen
    conditions = listen(String, 'objects/conditions', STATE)
    parts = listen(MultiDOFJointState, 'objects/parts')
    hall.graph.wait_until(lambda: conditions and parts)
    assert 'arm/hand' in parts[-1].joint_names
    first = listen(String, 'world/meshes', STATE)
    hall.graph.wait_until(lambda: first)
    late = listen(String, 'world/meshes', STATE)
    hall.graph.wait_until(lambda: late)
    assert parse(late[0].data, 'meshes') == parse(first[0].data, 'meshes')
    engine = hall.world.engine
    name = engine.names[0]
    engine._composition.entities[name] = replace(engine.entity(name), states={'lamp': 'on'})
    hall.call('step_simulation', steps=1)
    hall.graph.wait_until(lambda: 'on' in conditions[-1].data)
    document = parse(conditions[-1].data, 'conditions')
    assert document['entities'][name] == {'states': {'lamp': 'on'}, 'held_by': None}


def test_late_subscribers_see_a_paused_world(hall):
    """They receive the present state, with the time at which the world is paused."""
    hall = hall().start()
    states = hall.graph.listen(MultiDOFJointState, 'objects/state')
    tf = Buffer()
    listener = TransformListener(tf, hall.graph.probe)
    hall.graph.wait_until(lambda: states)
    assert from_time(states[0].header.stamp) == hall.world.clock.now_ns
    hall.graph.wait_until(lambda: tf.can_transform('world', CUP, states[0].header.stamp))
    listener.unregister()


def test_nothing_is_computed_without_subscribers(hall, monkeypatch):
    """Without subscribers neither states nor contacts are read while the world runs."""
    hall = hall(start='running', speed=20.0).start()
    engine = hall.world.engine
    monkeypatch.setattr(type(engine), 'truth', property(lambda _: pytest.fail('truth was read')))
    monkeypatch.setattr(type(engine), 'contacts', property(lambda _: pytest.fail('contacts')))
    monkeypatch.setattr(type(engine), 'bounds', lambda *_: pytest.fail('bounds were read'))
    begin_ns = engine.time_ns
    hall.graph.wait_until(lambda: engine.time_ns > begin_ns + 500_000_000)


def test_commands_move_entities(hall):
    """A joint goes to its target, a wrench pushes a body; wrong commands are counted."""
    hall = hall().start()
    reports = hall.graph.listen(DiagnosticArray, '/diagnostics')
    arm = hall.graph.publisher(JointState, 'arm/joint_command')
    wrench = hall.graph.publisher(Wrench, f'{CUP}/wrench')
    engine = hall.world.engine
    arm.publish(JointState(name=['elbow'], position=[0.5]))
    hall.graph.wait_until(lambda: hall.call('step_simulation', steps=50) and bent(engine))
    push = Wrench()
    push.force.x = 100.0
    wrench.publish(push)
    hall.graph.wait_until(
        lambda: (
            hall.call('step_simulation', steps=1)
            and engine.state_of('Red Cup').linear_velocity[0] > 1.0
        )
    )
    drops = hall.world._drops.counts
    push.force.x = math.nan
    for topic, message, cause in (
        (arm, JointState(name=['nose'], position=[0.5]), 'joint_command.unknown joint'),
        (arm, JointState(name=['elbow'], position=[math.inf]), 'joint_command.not finite'),
        (arm, JointState(name=['elbow'], position=[99.0]), 'joint_command.refused'),
        (arm, JointState(name=['elbow']), 'joint_command.not one kind'),
        (wrench, push, 'wrench.not finite'),
    ):
        topic.publish(message)
        hall.graph.wait_until(lambda cause=cause: drops[cause] == 1)
    hall.graph.wait_until(
        lambda: reports and 'wrench.not finite' in {v.key for v in reports[-1].status[0].values}
    )
    assert reports[-1].status[0].level == DiagnosticStatus.WARN  # paused
    assert reports[-1].status[0].message == 'paused'


def test_robots_drive_and_have_their_namespace(hall):
    """A robot that was spawned with wheels and a namespace follows its cmd_vel."""
    (hall := hall()).start()
    (hall.folder / 'Entity.xml').write_text('<define-class name="Entity"/>')
    (hall.folder / 'Rover.xml').write_text(ROVER)
    spawned = hall.call(
        'spawn_entity', name='rover', entity_namespace='fleet/', **resource(hall, 'Rover.xml')
    )
    assert spawned.result.result == 1, spawned.result.error_message
    drive = hall.graph.publisher(Twist, 'fleet/rover/cmd_vel')
    engine = hall.world.engine
    drive.publish(Twist(linear=Vector3(x=0.5)))
    hall.graph.wait_until(
        lambda: (
            hall.call('step_simulation', steps=20)
            and engine.state_of('rover').pose.position[0] > 0.3
        )
    )
    drive.publish(Twist(linear=Vector3(x=math.nan)))
    hall.graph.wait_until(lambda: hall.world._drops.counts['cmd_vel.not finite'] == 1)
    hall.call('delete_entity', entity='rover')
    hall.graph.wait_until(lambda: not drive.get_subscription_count())


def resource(hall, name):
    """Return the fields of a resource of any release of the messages."""
    kind = type_of('spawn_entity').Request
    uri = (hall.folder / name).as_uri()
    return (
        {'uri': uri}
        if hasattr(kind, 'uri')
        else {'entity_resource': standard.msg.Resource(uri=uri)}
    )


def bent(engine):
    """Return whether the elbow is near its target."""
    return abs(engine.state_of('arm').joints['elbow'].position[0] - 0.5) < 0.1


def test_time_services_do_what_the_standard_services_do(hall):
    """~/pause, ~/step and ~/reset change the state that the standard reports."""
    hall = hall(start='running').start()
    graph = hall.graph
    graph.wait_until(lambda: hall.world.engine.time_ns > 0)
    assert graph.call(SetBool, 'virtual_world/pause', SetBool.Request(data=True)).success
    assert hall.world.state.name == 'PAUSED'
    before_ns = hall.world.engine.time_ns
    assert graph.call(Trigger, 'virtual_world/step', Trigger.Request()).success
    assert hall.world.engine.time_ns == before_ns + 10_000_000
    assert graph.call(Trigger, 'virtual_world/reset', Trigger.Request()).success
    assert hall.world.state.name == 'STOPPED'
    assert hall.world.engine.time_ns == 0


def test_a_divergence_pauses_the_world_and_is_reported(hall):
    """The status is an error with entity and step, until the world is reset."""
    hall = hall(start='running').start()
    reports = hall.graph.listen(DiagnosticArray, '/diagnostics')
    engine = hall.world.engine
    fast = EntityState(Pose((0.0, 0.0, 3.0)), (1e9, 0.0, 0.0), (1e9, 1e9, 0.0))
    hall.graph.wait_until(lambda: push_until_error(hall, engine, fast))
    hall.graph.wait_until(
        lambda: reports and reports[-1].status[0].level == DiagnosticStatus.ERROR
    )
    assert "'Red Cup'" in reports[-1].status[0].message
    assert 'step' in reports[-1].status[0].message
    assert hall.world.state.name == 'PAUSED'
    hall.call('reset_simulation')
    hall.graph.wait_until(lambda: reports[-1].status[0].level == DiagnosticStatus.WARN)


def push_until_error(hall, engine, state):
    """Move the cup faster than the physics can compute; return whether the world has paused."""
    if hall.world.state.name == 'PLAYING':
        engine.set_state('Red Cup', state)
        engine.apply_wrench('Red Cup', '', (1e300, 0.0, 0.0))
    return hall.world.state.name == 'PAUSED'


def test_the_speed_can_change_and_a_slow_machine_is_reported(hall):
    """What cannot be caught up is left out, and the status says so."""
    hall = hall(start='running').start()
    reports = hall.graph.listen(DiagnosticArray, '/diagnostics')
    hall.node.set_parameters([Parameter('speed', value=1000.0)])

    def is_reported():
        # A fast machine keeps pace with this small world: it is suspended between two turns.
        time.sleep(0.05)
        return reports and 'too slow for speed 1000' in reports[-1].status[0].message

    hall.graph.wait_until(is_reported)
    assert hall.world.clock.left_out_ns > 0


def test_an_activated_world_starts_again(hall):
    """After it was deactivated, time and state are those of the start."""
    hall = hall(start='running').start()
    hall.graph.wait_until(lambda: hall.world.engine.time_ns > 50_000_000)
    hall.node.trigger_deactivate()
    assert hall.call('step_simulation', steps=1).result.error_message
    hall.node.trigger_activate()
    assert hall.world.engine.time_ns == 0
    hall.graph.wait_until(lambda: hall.world.engine.time_ns > 0)


def test_the_standard_can_end_the_process(graph, running, tmp_path):
    """A request to quit is answered, and the exit code is 0."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    pytest.importorskip('simulation_interfaces', reason='the services need their messages')
    (tmp_path / 'hall.xml').write_text(WORLD)
    with running('virtual_world', '-p', f'world:={tmp_path / "hall.xml"}') as process:
        kind = type_of('set_simulation_state')
        request = kind.Request()
        request.state.state = request.state.STATE_QUITTING
        answer = graph.call(kind, 'virtual_world/set_simulation_state', request)
        assert answer.result.result == answer.result.RESULT_OK
        graph.wait_until(lambda: process.poll() is not None)
    assert process.returncode == 0


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        ({'world': 'nothing.xml'}, 'must be a file, house or kitchen'),
        ({'assets': '/nowhere'}, 'must be a folder'),
        ({'use_sim_time': True}, 'use_sim_time is true'),
    ],
)
def test_bad_parameters_refuse_to_start(hall, given, message):
    """The node stays unconfigured."""
    made = hall(**given)
    with pytest.raises(ConfigurationError, match=message):
        made.node.acquire()


def test_a_missing_mujoco_is_named_with_the_command(monkeypatch):
    """The message has the command that installs it."""
    monkeypatch.setitem(sys.modules, 'mujoco', None)
    for name in [each for each in sys.modules if 'virtual_world.engine' in each]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ConfigurationError, match="pip install 'mujoco"):
        engine_import.import_engine()


def test_listeners_follow_the_world(hall, step_recorder, monkeypatch):
    """They are called at the times of /clock, and begin again with each reset and load."""
    recorder = step_recorder(0, 20, 30)
    monkeypatch.setattr(VirtualWorld, '_make_listeners', lambda *_: (recorder,))
    hall = hall().start()
    log, names = recorder.log, tuple(hall.world.engine.names)
    assert log == [('', names), ('', 'reset')]
    log.clear()
    hall.call('step_simulation', steps=2)
    start_ms = hall.world.clock.now_ns // 1_000_000 - 20
    assert log == [('', 0, start_ms), ('', 20, start_ms + 20)]
    log.clear()
    hall.call('step_simulation', steps=2)
    assert log == [('', 30, start_ms + 30)]
    log.clear()
    hall.call('delete_entity', entity='arm')
    hall.call('reset_simulation')
    assert log == [
        ('', tuple(name for name in names if name != 'arm')),
        ('', names),
        ('', 'reset'),
        ('', 0, start_ms),
    ]
    log.clear()
    hall.call('unload_world')
    hall.call('load_world', uri=(hall.folder / 'ball.xml').as_uri())
    hall.graph.remove(hall.node)
    assert log[:3] == [('', None), ('', ('ball',)), ('', 'reset')]
    assert log[-2:] == [('', None), ('', 'close')]


def test_the_true_answer_to_a_question_changes_with_the_world(hall):
    """The question is repeated; its answer is published again when a thing was taken away."""
    hall = hall(question='How many cups are there?')
    questions = hall.graph.listen(String, 'challenge_question')
    answers = hall.graph.listen(String, 'truth/answer', STATE)
    hall.start()
    hall.graph.wait_until(lambda: answers and len(questions) > 1)
    assert {each.data for each in questions} == {'How many cups are there?'}
    assert parse(answers[-1].data, 'answer')['count'] == 1
    assert hall.call('delete_entity', entity='Red Cup').result.result == 1
    hall.graph.wait_until(lambda: parse(answers[-1].data, 'answer')['count'] == 0)
    assert len(answers) == 2
