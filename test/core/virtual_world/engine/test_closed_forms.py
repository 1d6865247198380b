# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Motions whose formulas are known, with the bound of each; steps of 10 ms."""

import math

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import arm, run, thing, world
from scipy.spatial.transform import Rotation

from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.values import (
    STANDARD_GRAVITY,
    Box,
    ContactParameters,
    Entity,
    EntityState,
    JointState,
    Part,
    Pose,
    Shape,
    Sphere,
)

# Of the rod of `arm` about its hinge: length 1 m, 1 kg, 2 cm thick [kg m^2].
ROD_INERTIA = (1.0 + 0.02**2) / 12.0 + 0.25
WEIGHTLESS = {'gravity': (0.0, 0.0, 0.0), 'ground': False}


def swing(engine, angle, seconds):
    """Let the arm go at an angle, and return its angles and velocities of all steps."""
    at = {'shoulder': JointState((angle,), (0.0,))}
    engine.set_state('arm', EntityState(engine.entity('arm').pose, joints=at))
    found = []
    for _ in range(round(seconds / 0.01)):
        engine.step(0.01)
        joint = engine.state_of('arm').joints['shoulder']
        found.append((joint.position[0], joint.velocity[0]))
    return np.array(found).T


def test_free_fall():
    """A thing falls by g t^2 / 2 and gets the speed g t: within 1 %."""
    engine = Engine(world(thing('ball', Sphere(0.1), (0.0, 0.0, 100.0))))
    run(engine, 2.0)
    state = engine.state_of('ball')
    assert 100.0 - state.pose.position[2] == pytest.approx(2.0 * STANDARD_GRAVITY, rel=0.01)
    assert state.linear_velocity[2] == pytest.approx(-2.0 * STANDARD_GRAVITY, rel=0.001)


@pytest.mark.parametrize('bounce', [0.5, 0.8])
def test_bounce(bounce):
    """A ball that falls from h rises to bounce^2 h: the bounce within 5 %."""
    # With a small ERP each ball bounces alike wherever its fall ends within a step.
    contact = ContactParameters(erp=0.02, bounce=bounce)
    drops = np.arange(1.0, 2.0, 0.1)
    balls = [thing(str(h), Sphere(0.05), (10 * h, 0.0, h + 0.05)) for h in drops]
    engine = Engine(world(*balls, contact=contact))
    heights = []
    for _ in range(150):
        engine.step(0.01)
        heights.append([state.pose.position[2] - 0.05 for state in engine.truth.entities.values()])
    for drop, height in zip(drops, np.array(heights).T, strict=True):
        hit = int(np.argmax(np.diff(height) > 0.0))
        top = hit + int(np.argmax(np.diff(height[hit:])[1:] < 0.0)) + 1
        assert math.sqrt(height[top] / drop) == pytest.approx(bounce, rel=0.05)


def test_default_bounce_on_average():
    """With ERP 0.2, bounces differ by where in a step a fall ends; their mean is right to 5 %."""
    drops = np.arange(1.0, 2.0, 0.02)
    balls = [thing(str(h), Sphere(0.05), (10 * h, 0.0, h + 0.05)) for h in drops]
    engine = Engine(world(*balls, contact=ContactParameters(erp=0.2, bounce=0.5)))
    speeds = []
    for _ in range(80):
        engine.step(0.01)
        speeds.append([state.linear_velocity[2] for state in engine.truth.entities.values()])
    rising = np.array(speeds).max(axis=0)
    assert np.mean(rising / np.sqrt(2.0 * STANDARD_GRAVITY * drops)) == pytest.approx(
        0.5, rel=0.05
    )


def test_pendulum_period():
    """A pendulum has the period 2 pi sqrt(I / (m g d)): within 1 %."""
    angles, _ = swing(Engine(world(arm())), 0.05, 20.0)
    before = np.flatnonzero((angles[:-1] < 0.0) & (angles[1:] >= 0.0))
    times = before - angles[before] / (angles[before + 1] - angles[before])
    expected = 2.0 * math.pi * math.sqrt(ROD_INERTIA / (STANDARD_GRAVITY * 0.5))
    assert 0.01 * np.diff(times).mean() == pytest.approx(expected, rel=0.01)


def test_energy_over_a_minute():
    """The energy of a pendulum stays within 5 % at all times, and on average within 1 %."""
    angles, velocities = swing(Engine(world(arm())), 1.0, 60.0)
    energy = 0.5 * ROD_INERTIA * velocities**2
    energy += STANDARD_GRAVITY * 0.5 * (1.0 - np.cos(angles))
    start = STANDARD_GRAVITY * 0.5 * (1.0 - math.cos(1.0))
    assert energy == pytest.approx(start, rel=0.05)
    assert energy[-500:].mean() == pytest.approx(start, rel=0.01)


def test_damped_joint():
    """A hinge without load slows down by exp(-c t / I): within 5 %."""
    engine = Engine(world(arm(damping=0.2), **WEIGHTLESS))
    spin = {'shoulder': JointState((0.0,), (2.0,))}
    engine.set_state('arm', EntityState(engine.entity('arm').pose, joints=spin))
    run(engine, 1.0)
    expected = 2.0 * math.exp(-0.2 / ROD_INERTIA)
    assert engine.state_of('arm').joints['shoulder'].velocity[0] == pytest.approx(
        expected, rel=0.05
    )


@pytest.mark.parametrize('azimuth', [0.0, 45.0])
@pytest.mark.parametrize('mu', [0.3, 0.8])
def test_slope(mu, azimuth):
    """A box holds on a slope whose tangent is 5 % below mu, and slides if it is 5 % above."""

    def speed(tangent):
        slope, along = math.atan(tangent), math.radians(azimuth)
        down = STANDARD_GRAVITY * math.sin(slope)
        gravity = (
            down * math.cos(along),
            down * math.sin(along),
            -STANDARD_GRAVITY * math.cos(slope),
        )
        box = thing('box', Box((0.4, 0.4, 0.05)), (0.0, 0.0, 0.025))
        engine = Engine(
            world(box, gravity=gravity, contact=ContactParameters(mu=mu, mu2=mu, bounce=0.0))
        )
        run(engine, 2.0)
        return np.linalg.norm(engine.state_of('box').linear_velocity[:2])

    assert speed(0.95 * mu) < 1e-3
    assert speed(1.05 * mu) > 0.1


def test_sliding_stops():
    """A box that slides comes to rest after v^2 / (2 mu g): within 5 %."""
    box = thing('box', Box((0.4, 0.4, 0.05)), (0.0, 0.0, 0.025), linear_velocity=(0.5, 0.0, 0.0))
    engine = Engine(world(box, contact=ContactParameters(mu=0.2, mu2=0.2)))
    run(engine, 2.0)
    state = engine.state_of('box')
    assert np.linalg.norm(state.linear_velocity) < 1e-6
    expected = 0.5**2 / (2.0 * 0.2 * STANDARD_GRAVITY)
    assert state.pose.position[0] == pytest.approx(expected, rel=0.05)


def top(angular_velocity, offset=0.0):
    """Return a flat box that turns freely, and its inertia along its axes."""
    size = np.array([0.2, 0.2, 0.05])
    mass = 1000.0 * size.prod()
    moments = mass / 12.0 * ((size**2).sum() - size**2)
    shape = Shape(Box(tuple(size)), Pose((offset, 0.0, 0.0)))
    # At rest is the center of mass.
    velocity = -np.cross(angular_velocity, (offset, 0.0, 0.0))
    entity = Entity(
        'top',
        parts=(Part('body', shapes=(shape,)),),
        linear_velocity=tuple(velocity),
        angular_velocity=angular_velocity,
    )
    return Engine(world(entity, **WEIGHTLESS)), moments


def motion(engine, moments):
    """Return the angular momentum [N m s], the energy [J] and the axis of the top."""
    state = engine.state_of('top')
    rotation = Rotation.from_quat(state.pose.orientation)
    local = rotation.inv().apply(state.angular_velocity)
    return rotation.apply(moments * local), 0.5 * moments @ local**2, rotation.apply((0, 0, 1.0))


@pytest.mark.parametrize(('speed', 'offset'), [(5.0, 0.5), (15.0, 0.0)])
def test_torque_free_top(speed, offset):
    """
    Its energy stays within 1 % for 30 s, and its momentum within 5 %.

    Its frame may be away from its center of mass, which stays within 1 mm.
    """
    engine, moments = top((0.1 * speed, 0.0, speed), offset)
    momentum, energy, _ = motion(engine, moments)
    for _ in range(6):
        run(engine, 5.0)
        present, left, _ = motion(engine, moments)
        assert np.linalg.norm(present - momentum) < 0.05 * np.linalg.norm(momentum)
        assert left == pytest.approx(energy, rel=0.01)
        pose = engine.state_of('top').pose
        center = Rotation.from_quat(pose.orientation).apply((offset, 0.0, 0.0)) + pose.position
        assert center == pytest.approx((offset, 0.0, 0.0), abs=1e-3)


def test_precession_of_a_torque_free_top():
    """The axis of a symmetric top turns about its momentum at L / I1: within 5 %."""
    engine, moments = top((0.5, 0.0, 5.0))
    momentum, _, start = motion(engine, moments)
    rate = np.linalg.norm(momentum) / moments[0]
    period = 2.0 * math.pi / rate
    along = momentum / np.linalg.norm(momentum)
    angles = []
    for _ in range(round(2.0 * period / 0.01)):
        engine.step(0.01)
        axis = motion(engine, moments)[2]
        side, from_side = axis - along * (along @ axis), start - along * (along @ start)
        angles.append(math.atan2(along @ np.cross(from_side, side), from_side @ side))
    turned = np.unwrap(angles)
    assert turned[-1] == pytest.approx(rate * 0.01 * len(angles), rel=0.05)


def test_masses_of_shapes():
    """Water has 1,000 kg/m^3; inertias of boxes and spheres are those of the formulas."""
    engine = Engine(
        world(thing('box', Box((0.1, 0.2, 0.3))), thing('ball', Sphere(0.1), (5.0, 0.0, 1.0)))
    )
    model = engine.physics.model
    box, ball = (engine.physics.body(name, 'body') for name in ('box', 'ball'))
    assert model.body_mass[box] == pytest.approx(6.0)
    assert sorted(model.body_inertia[box]) == pytest.approx([0.025, 0.05, 0.065])
    assert model.body_mass[ball] == pytest.approx(4000.0 / 3.0 * math.pi * 0.1**3)
    assert model.body_inertia[ball] == pytest.approx(0.4 * model.body_mass[ball] * 0.01)


def test_all_masses_sink_equally_far():
    """Resting contacts give way by CFM g h / ERP, that is 0.05 mm: within 5 %."""
    boxes = [thing(str(mass), position=(mass, 0.0, 0.1), mass=mass) for mass in (0.2, 2.0, 20.0)]
    engine = Engine(world(*boxes))
    run(engine, 3.0)
    for name in engine.names:
        depth = 0.1 - engine.state_of(name).pose.position[2]
        # Four contacts share the weight.
        assert 0.25 * 4.9e-5 * 0.95 < depth < 4.9e-5 * 1.05
