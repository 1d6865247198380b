# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""SIGVerse's names do what the names of this package do, in the units and axes of its files."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from controller_worlds import Stage, cup, robot

from world_model_core.virtual_world.agents.events import (
    ActionEvent,
    Collision,
    CollisionEvent,
    EndEvent,
    InitEvent,
    MessageEvent,
    Sound,
    SoundEvent,
    TextEvent,
)
from world_model_core.virtual_world.agents.messages import (
    OutgoingMessage,
    OutgoingSound,
    OutgoingText,
)
from world_model_core.virtual_world.agents.original_events import EVENT_NAMES, HANDLER_NAMES
from world_model_core.virtual_world.agents.original_names import (
    CONTROLLER_NAMES,
    OriginalController,
)
from world_model_core.virtual_world.agents.original_objects import (
    OBJECT_NAMES,
    PART_NAMES,
    OriginalObject,
    OriginalPart,
)
from world_model_core.virtual_world.agents.original_units import OriginalUnits
from world_model_core.virtual_world.values import Cylinder, Part, Pose, Shape

PROJECT = Path(__file__).resolve().parents[4]
SQRT = math.sqrt(0.5)
# A quarter turn about the vertical: w, x, y, z in files, and x, y, z, w here.
TURN, OUR_TURN = (SQRT, 0.0, SQRT, 0.0), (0.0, 0.0, SQRT, SQRT)

# What SIGVerse's manual lists: its classes Controller, SimObj, RobotObj and CParts.
MANUAL = """
    getObj getRobotObj getAllEntities detectEntities captureView getText sendText sendSound
    sendMessage broadcastMessage sendMsg broadcastMsg connectToService checkService
    disconnectToService getSimulationTime worldStep worldQuickStep setWheelProperty
    differentialWheelsSetSpeed getRand myname
    getAttrValue setAttrValue setPosition setAxisAndAngle setRotation setForce setAccel setTorque
    addForce addForceAtPos addForceAtRelPos addRelForce addRelForceAtPos addRelForceAtRelPos
    addForceToParts addTorque setLinearVelocity getLinearVelocity setAngularVelocity
    getAngularVelocity setMass getMass setGravityMode getGravityMode setDynamicsMode
    getDynamicsMode setJointAngle setJointQuaternion addJointTorque setAngularVelocityToJoint
    setAngularVelocityToParts setJointVelocity getJointAngle getAllJointAngles getJointPosition
    getPartsPosition getPartsQuaternion getJointForce connectJoint releaseJoint setCollisionEnable
    getCamPos setCamPos getCamDir setCamDir getCamFOV setCamFOV getCamAS setCamAS getCamLink
    setCamLink getCamQuaternion getCameraLinkName setCameraViewPoint getCameraViewPoint
    setCameraViewVector getCameraViewVector getPointedObject getPointingVector getParts
    getMainParts getPosition getRotation getForce getAccel getTorque getIsGrasped
    setWheel setWheelVelocity graspObj releaseObj getCollisionState
""".split()  # noqa: SIM905

# Setters: whether the robot has dynamics, the arguments, and the same by our names in meters.
SETTERS = {
    'setPosition': (False, (10, 20, 30), lambda o: setattr(o, 'position', (0.3, 0.1, 0.2))),
    'setRotation': (False, (TURN,), lambda o: setattr(o, 'orientation', OUR_TURN)),
    'setAxisAndAngle': (
        False,
        (0, 1, 0, math.pi / 2),
        lambda o: setattr(o, 'orientation', OUR_TURN),
    ),
    'setLinearVelocity': (
        True,
        (10, 20, 30),
        lambda o: setattr(o, 'linear_velocity', (0.3, 0.1, 0.2)),
    ),
    'setAngularVelocity': (True, (1, 2, 3), lambda o: setattr(o, 'angular_velocity', (3, 1, 2))),
    'setForce': (True, (100, 200, 300), lambda o: o.add_force((3, 1, 2))),
    'addForce': (True, (100, 200, 300), lambda o: o.add_force((3, 1, 2))),
    'addForceAtPos': (
        True,
        (100, 200, 300, 10, 20, 30),
        lambda o: o.add_force((3, 1, 2), (0.3, 0.1, 0.2)),
    ),
    'addForceAtRelPos': (
        True,
        (100, 200, 300, 10, 20, 30),
        lambda o: o.add_force((3, 1, 2), (0.3, 0.1, 0.2), at_relative=True),
    ),
    'addRelForce': (True, (100, 200, 300), lambda o: o.add_force((3, 1, 2), relative=True)),
    'addRelForceAtPos': (
        True,
        (100, 200, 300, 10, 20, 30),
        lambda o: o.add_force((3, 1, 2), (0.3, 0.1, 0.2), relative=True),
    ),
    'addRelForceAtRelPos': (
        True,
        (100, 200, 300, 10, 20, 30),
        lambda o: o.add_force((3, 1, 2), (0.3, 0.1, 0.2), relative=True, at_relative=True),
    ),
    'addForceToParts': (
        True,
        ('arm', 100, 200, 300),
        lambda o: o.add_force((3, 1, 2), part='arm'),
    ),
    'setAccel': (True, (100, 200, 300), lambda o: o.add_force(o.mass * np.array((3, 1, 2)))),
    'setTorque': (True, (1e4, 2e4, 3e4), lambda o: o.add_torque((3, 1, 2))),
    'addTorque': (True, (1e4, 2e4, 3e4), lambda o: o.add_torque((3, 1, 2))),
    'setMass': (True, (5,), lambda o: setattr(o, 'mass', 5)),
    'setGravityMode': (True, (False,), lambda o: setattr(o, 'gravity', False)),
    'setDynamicsMode': (True, (False,), lambda o: setattr(o, 'dynamics', False)),
    'setCollisionEnable': (True, (False,), lambda o: setattr(o, 'collides', False)),
    'setAttrValue': (False, ('graspRadius', 50), lambda o: setattr(o, 'grasp_radius', 0.5)),
    'setJointAngle': (False, ('rail', 5), lambda o: o.set_joint_angle('rail', 0.05)),
    'setJointQuaternion': (
        False,
        ('neck', *TURN),
        lambda o: o.set_joint_quaternion('neck', OUR_TURN),
    ),
    'setAngularVelocityToJoint': (
        True,
        ('elbow', 2, 100),
        lambda o: o.set_joint_velocity('elbow', 2),
    ),
    'setJointVelocity': (False, ('rail', 2, 100), lambda o: o.set_joint_velocity('rail', 0.02)),
    'setAngularVelocityToParts': (
        True,
        ('arm', 2, 100),
        lambda o: o.set_joint_velocity('elbow', 2),
    ),
    'addJointTorque': (True, ('elbow', 1e4), lambda o: o.add_joint_torque('elbow', 1.0)),
    'connectJoint': (
        False,
        ('glue', 'arm', 'cup', 'body'),
        lambda o: o.connect('glue', 'cup', part='arm', other_part='body'),
    ),
    'releaseJoint': (False, ('glue',), lambda o: o.disconnect('glue')),
    'setCamPos': (False, ((10, 20, 30),), lambda o: o.set_camera(1, position=(0.3, 0.1, 0.2))),
    'setCameraViewPoint': (
        False,
        ((10, 20, 30), 1),
        lambda o: o.set_camera(1, position=(0.3, 0.1, 0.2)),
    ),
    'setCamDir': (False, ((1, 0, 0),), lambda o: o.set_camera(1, orientation=OUR_TURN)),
    'setCameraViewVector': (
        False,
        ((1, 0, 0), 1),
        lambda o: o.set_camera(1, orientation=OUR_TURN),
    ),
    'setCamFOV': (False, (90.0,), lambda o: o.set_camera(1, vertical_fov=math.pi / 2)),
    'setCamAS': (False, (2.0,), lambda o: o.set_camera(1, aspect_ratio=2.0)),
    'setCamLink': (False, ('arm',), lambda o: o.set_camera(1, part='arm')),
    'setWheel': (False, (10, 50), lambda o: o.set_wheels(0.1, 0.5)),
    'setWheelVelocity': (False, (1, 2), lambda o: o.set_wheel_velocities(1, 2)),
}
# Getters: the arguments, and what they return of the robot at (0, 200, 0) in centimeters.
GETTERS = {
    'isAttr': (('graspRadius',), True),
    'getAttrValue': (('graspRadius',), 40.0),
    'getPosition': ((), (0, 200, 0)),
    'getRotation': ((), (1, 0, 0, 0)),
    'getLinearVelocity': ((), (0, 0, 0)),
    'getAngularVelocity': ((), (0, 0, 0)),
    'getMass': ((), 13.0),
    'getGravityMode': ((), True),
    'getDynamicsMode': ((), False),
    'getJointAngle': (('rail',), 10.0),
    'getAllJointAngles': ((), {'elbow': 0.5, 'rail': 10.0}),
    'getJointPosition': (('elbow',), (0, 200, 20)),
    'getPartsPosition': (('arm',), (0, 200, 20)),
    'getPartsQuaternion': (('arm',), (math.cos(0.25), 0, math.sin(0.25), 0)),
    'getIsGrasped': ((), False),
    'getPointingVector': (('neck', 'elbow'), (0, -3 / math.sqrt(13), 2 / math.sqrt(13))),
    'getCamPos': ((), (0, 0, 20)),
    'getCameraViewPoint': ((1,), (0, 0, 20)),
    'getCamDir': ((), (0, 0, 1)),
    'getCameraViewVector': ((1,), (0, 0, 1)),
    'getCamQuaternion': ((), (1, 0, 0, 0)),
    'getCamFOV': ((), 45.0),
    'getCamAS': ((), 1.5),
    'getCamLink': ((), 'body'),
    'getCameraLinkName': ((1,), 'body'),
}
# Names that have tests of their own below.
APART = {'getParts', 'getMainParts', 'getJointForce', 'getPointedObject'}


def ready(dynamics):
    """Return a world whose robot has wheels, a bent elbow and a moved slide."""
    stage = Stage(cup(), robot())
    machine = stage['robot']
    machine.set_joint_angle('elbow', 0.5)
    machine.set_joint_angle('rail', 0.1)
    machine.set_wheels(0.1, 0.5)
    machine.dynamics = dynamics
    stage.end()
    return stage


def written(stage):
    """Return the writes of a turn, as attributes and lists of numbers and texts."""
    return [
        (write.attribute, *[item for each in write.value for item in np.ravel(each).tolist()])
        for write in stage.world.writes
    ]


def matches(found, expected):
    """Return whether two rows of texts and numbers are equal up to rounding."""
    return len(found) == len(expected) and all(
        one == other if isinstance(other, str | None) else one == pytest.approx(other, abs=1e-12)
        for one, other in zip(found, expected, strict=True)
    )


def test_every_name_of_the_manual_is_in_a_table():
    """A name is available, or has a reason why it is not."""
    known = {**CONTROLLER_NAMES, **OBJECT_NAMES, **PART_NAMES}
    assert [name for name in MANUAL if name not in known] == []


@given(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), st.sampled_from([0.01, 1.0, 2.5]))
def test_units_are_converted_and_back(vector, unit):
    """A vector in the axes of a file keeps its length in meters, and returns."""
    units = OriginalUnits(unit)
    ours = units.to_si(vector)
    assert math.hypot(*ours) == pytest.approx(unit * math.hypot(*vector))
    assert units.from_si(ours) == pytest.approx(vector)


def test_every_name_of_objects_has_a_test():
    """A name in the table that does something is compared with ours."""
    available = {name for name, row in OBJECT_NAMES.items() if row.call is not None}
    assert available == {*SETTERS, *GETTERS, *APART}


@pytest.mark.parametrize('name', SETTERS)
def test_setters_write_what_ours_write(name):
    """A setter in centimeters with y up writes what ours writes in meters with z up."""
    dynamics, arguments, ours = SETTERS[name]
    first, second = ready(dynamics), ready(dynamics)
    getattr(OriginalObject(first.world, 'robot'), name)(*arguments)
    ours(second['robot'])
    (found,), (expected,) = written(first), written(second)
    assert matches(found, expected), (found, expected)


@pytest.mark.parametrize('name', GETTERS)
def test_getters_return_what_the_file_would_say(name):
    """A getter returns centimeters, with y up."""
    arguments, expected = GETTERS[name]
    found = getattr(OriginalObject(ready(dynamics=False).world, 'robot'), name)(*arguments)
    assert found == pytest.approx(expected, abs=1e-9) or found == expected


def test_vectors_may_be_given_as_one():
    """SIGVerse has both forms."""
    first, second = ready(dynamics=False), ready(dynamics=False)
    OriginalObject(first.world, 'robot').setPosition(1, 2, 3)
    OriginalObject(second.world, 'robot').setPosition((1, 2, 3))
    assert written(first) == written(second)


def test_relative_rotations_are_about_own_axes():
    """Direct is 1 for an absolute rotation; any other turns the present one."""
    first, second = ready(dynamics=False), ready(dynamics=False)
    thing = OriginalObject(first.world, 'robot')
    thing.setRotation(TURN)
    thing.setAxisAndAngle(0, 0, 1, 0.3, 0.0)
    ours = second['robot']
    ours.orientation = OUR_TURN
    ours.rotate((1.0, 0.0, 0.0), 0.3, relative=True)
    assert matches(written(first)[-1], written(second)[-1])
    thing.setAxisAndAngle(0, 1, 0, math.pi / 2, 1.0)
    assert thing.getRotation() == pytest.approx(TURN)


def test_attributes_are_functions():
    """They return a value, or set it, in the units and axes of the file."""
    stage = Stage(cup(dynamics=False))
    thing = OriginalObject(stage.world, 'cup')
    assert (thing.x(), thing.y(), thing.z()) == pytest.approx((0.0, 100.0, 100.0))
    thing.x(50.0)
    thing.price(7)
    thing.switch('on')
    assert stage['cup'].position.tolist() == pytest.approx([1.0, 0.5, 1.0])
    assert (thing.price(), thing.switch(), thing.getAttrValue('class')) == (7.0, 'on', 'cup')
    thing.setAttrValue('qy', 1.0)
    assert thing.qy() == pytest.approx(SQRT)
    with pytest.raises(AttributeError, match="no attribute 'prize'; there are price"):
        thing.getAttrValue('prize')
    with pytest.raises(AttributeError, match=r"no 'getPosition2'; .* getPosition"):
        thing.getPosition2()


def test_parts_have_their_names():
    """A part has its place, grasps and reports contacts."""
    stage = Stage(cup(pose=Pose((0.6, 0.0, 2.0)), dynamics=False), robot())
    own = OriginalObject(stage.world, 'robot')
    hand = own.getParts('arm')
    assert isinstance(hand, OriginalPart)
    assert own.getParts('nose') is None
    assert own.getMainParts().name() == 'body'
    assert hand.getPosition() == pytest.approx((0, 200, 20))
    assert hand.getRotation() == hand.getQuaternion() == pytest.approx((1, 0, 0, 0))
    assert hand.graspObj('nothing') is False
    assert hand.graspObj('cup') is True
    assert OriginalObject(stage.world, 'cup').getIsGrasped()
    hand.releaseObj()
    assert not stage['cup'].holder
    assert hand.getCollisionState() is False
    assert hand.getRad() == 0.0
    covered = {'name', 'getPosition', 'getRotation', 'getQuaternion', 'graspObj', 'releaseObj'}
    available = {name for name, row in PART_NAMES.items() if row.call is not None}
    assert available == covered | {'getCollisionState', 'getRad'}


def test_joint_forces_are_in_the_units_of_the_file():
    """A force of 1 N is 100 kg cm/s^2."""
    stage = ready(dynamics=True)
    stage.engine.step(0.01)
    stage.begin()
    ours = stage['robot'].joint_force('elbow')
    theirs = OriginalObject(stage.world, 'robot').getJointForce('elbow')
    for one, other in zip(ours, theirs, strict=True):
        x, y, z = one.force
        assert other.force == pytest.approx((100 * y, 100 * z, 100 * x))
        assert other.part == one.part


def test_arms_point_at_objects():
    """The joints that move the parts of SIGVerse's robots are found by the parts."""
    base, arm, lift, head = robot().parts
    named = (base, arm, *(_renamed(each) for each in (lift, head)))
    # From (0, 0, 2.3) to (0, 0.3, 2): to the left and downward.
    ahead = cup(pose=Pose((0.0, 1.3, 1.0)), dynamics=False)
    stage = Stage(ahead, cup(name='behind', pose=Pose((0.0, -3.0, 5.0))), robot(parts=named))
    own = OriginalObject(stage.world, 'robot')
    assert own.getPointedObject('robot', 0, 1) == own.getPointedObject('robot', 0, 1, 1) == ['cup']
    with pytest.raises(ValueError, match='must be 1'):
        own.getPointedObject('robot', 0, 1, 2)


def _renamed(part):
    """Return a part with the name that SIGVerse's robots have for the eye and for the hand."""
    name = {'lift': 'LARM_LINK7', 'head': 'LEYE_LINK'}[part.name]
    return Part(name, part.parent, part.pose, part.joint, part.shapes, part.mass)


class Talker(OriginalController):
    """Keeps what its handlers got."""

    def __init__(self):
        self.got = []

    def onInit(self, event):  # noqa: N802
        """Keep the time."""
        self.got.append(('init', event.time()))

    def onAction(self, event):  # noqa: N802
        """Keep the time, and ask for another call."""
        self.got.append(('action', event.time()))
        return 0.25

    def onRecvText(self, event):  # noqa: N802
        """Keep the text."""
        self.got.append((event.getCaller(), event.getText(), event.getEncode()))

    def onRecvSound(self, event):  # noqa: N802
        """Keep the sound."""
        self.got.append((event.getCaller(), event.getRawSound().samples))

    def onRecvMessage(self, event):  # noqa: N802
        """Keep the strings."""
        self.got.append((event.getSender(), event.getSize(), event.getString(1)))

    def onRecvMsg(self, event):  # noqa: N802
        """Keep the message."""
        self.got.append((event.getSender(), event.getMsg()))

    def onCollision(self, event):  # noqa: N802
        """Keep the parts."""
        self.got.append((event.getWith(), event.getWithParts(), event.getMyParts()))

    def on_end(self, event):
        """Keep the time; SIGVerse has no such handler."""
        self.got.append(('end', event.time))


def test_handlers_get_events_with_original_names():
    """Each event comes to the handler of its name, and returns what SIGVerse's returns."""
    talker, second = Talker(), 1_000_000_000
    talker.attach(Stage().world)
    sound = SoundEvent(0, 'Bob', Sound(b'\1\0'))
    calls = [InitEvent(0), ActionEvent(second), TextEvent(0, 'Ann', 'hello', 'utf-8'), sound]
    calls += [MessageEvent(0, 'Cid', ('a', 'b')), MessageEvent(0, 'Dan', ('go',))]
    calls += [CollisionEvent(0, (Collision('wall', 'body', 'arm'),)), EndEvent(second)]
    returned = [talker.handle(event) for event in calls]
    assert returned[1] == 0.25
    assert talker.got == [
        ('init', 0.0),
        ('action', 1.0),
        ('Ann', 'hello', 'utf-8'),
        ('Bob', b'\1\0'),
        ('Cid', 2, 'b'),
        ('Dan', 'go'),
        (['wall'], ['body'], ['arm']),
        ('end', 1.0),
    ]
    assert set(talker.handlers) == {*HANDLER_NAMES.values(), 'on_end'}
    assert OriginalController().handlers == ()
    assert set(EVENT_NAMES) >= {'time', 'getCaller', 'getText', 'getMsg', 'getMyParts'}


def talking(*entities):
    """Return a controller with SIGVerse's names and its world."""
    stage, talker = Stage(*entities), Talker()
    talker.attach(stage.world)
    return stage, talker


def test_controllers_send_as_ours():
    """Texts, sounds and messages go to one or to all; a radius is in centimeters."""
    stage, talker = talking()
    talker.sendText(0.0, 'cup', 'hello', 500.0)
    talker.sendText(0.0, None, 'all')
    talker.sendSound(0.0, 'cup', Sound(b'\1\0'))
    talker.sendMessage('cup', 2, ['a', 'b', 'c'])
    talker.broadcastMessage(1, ['a'])
    talker.sendMsg(['cup', 'robot'], 'go')
    talker.broadcastMsg('stop')
    assert stage.world.outgoing == (
        OutgoingText('robot', 'cup', 'hello', radius=5.0),
        OutgoingText('robot', '', 'all'),
        OutgoingSound('robot', 'cup', Sound(b'\1\0')),
        OutgoingMessage('robot', 'cup', ('a', 'b')),
        OutgoingMessage('robot', '', ('a',)),
        OutgoingMessage('robot', 'cup', ('go',)),
        OutgoingMessage('robot', 'robot', ('go',)),
        OutgoingMessage('robot', '', ('stop',)),
    )


def test_controllers_read_as_ours():
    """Objects, names, time, distances and random numbers."""
    stage, talker = talking(cup(pose=Pose((2.0, 0.0, 2.0)), dynamics=False), robot())
    assert talker.getObj('cup').getPosition() == pytest.approx((0, 200, 200))
    assert talker.getRobotObj('robot').mass() == pytest.approx(13.0)
    assert talker.getObj('nothing') is None
    assert talker.getAllEntities() == ['cup', 'robot']
    assert (talker.getSimulationTime(), talker.myname()) == (0.0, 'robot')
    assert 0.0 < talker.getRand() < 1.0
    # The cup begins 1.7 m ahead of the camera.
    assert talker.distanceSensor(0.0, 255.0) == 170
    assert talker.distanceSensor1D(0.0, 255.0)[0, 160] == 170
    assert talker.distanceSensor2D().shape == (240, 320)
    assert stage.world.distance() == pytest.approx(1.7)


def wheel(name, y):
    """Return a wheel of 10 cm radius."""
    rim = (Shape(Cylinder(0.1, 0.05)),)
    joint = robot().parts[1].joint
    return Part(
        name, 'body', Pose((0.0, y, 0.0)), type(joint)(f'{name}_joint', joint.kind), rim, 1
    )


def test_wheels_are_those_of_webots():
    """Velocities are limited, cut to their unit, slip, and drive the joints of the parts."""
    body = robot().parts[0]
    rolling = robot(parts=(body, wheel('left', 0.2), wheel('right', -0.2)), dynamics=True)
    stage, talker = talking(rolling)
    talker.setWheelProperty('left', 9, 5.0, 0.5, 0.0, 1, 1, 'right', 9, 5.0, 0.5, 0.2, 1, 1)
    wheels = stage['robot'].wheels
    assert (wheels.radius, wheels.joints) == (0.1, ('left_joint', 'right_joint'))
    assert wheels.separation == pytest.approx(0.4)
    assert talker.getAxleLength() == pytest.approx(40.0)
    assert talker.getLeftWheelRadius() == talker.getRightWheelRadius('robot') == 10.0
    talker.differentialWheelsSetSpeed(1.8, -9.0)
    left, right = stage.world.writes[-1].value
    assert left == 1.5
    assert -5.0 <= right < -4.0
    stage.end()
    assert {key[1] for key in stage.engine._targets.all} == {'left_joint', 'right_joint'}


def test_what_is_not_there_says_why():
    """A name of SIGVerse without a counterpart gives its reason, any other the names there are."""
    _, talker = talking()
    with pytest.raises(AttributeError, match='return the time until the next call instead'):
        talker.worldStep(0.1)
    with pytest.raises(AttributeError, match="Talker has no 'getObject'; there are getObj"):
        talker.getObject('cup')
    with pytest.raises(AttributeError, match='call setWheelProperty before'):
        talker.differentialWheelsSetSpeed(1.0, 1.0)
    missing = [row for row in CONTROLLER_NAMES.values() if row.call is None]
    assert all(len(row.ours) > 20 for row in missing)


def test_the_page_of_names_is_up_to_date():
    """The page in docs/reference is what the tool writes."""
    spec = importlib.util.spec_from_file_location('names', PROJECT / 'tools/controller_names.py')
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    page = PROJECT / 'docs/reference/controllers.md'
    assert page.read_text(encoding='utf-8') == tool.write_page()
