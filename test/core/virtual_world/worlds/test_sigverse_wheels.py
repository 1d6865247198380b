# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Wheels that classes of robots declare."""

import pytest

from world_model_core.virtual_world.values import Attribute, Joint, JointKind, Part, Wheels
from world_model_core.virtual_world.worlds.sigverse_wheels import read_wheels

CENTIMETER = 0.01
PARTS = (
    Part('base'),
    Part('left', 'base', joint=Joint('left', JointKind.HINGE)),
    Part('right', 'base', joint=Joint('right', JointKind.HINGE)),
    Part('caster', 'base', joint=Joint('caster', JointKind.BALL)),
)
LENGTHS = {'wheelRadius': 10.0, 'wheelDistance': 40.0}


def read(**values):
    """Read wheels; return them and the codes of the findings."""
    attributes = {name: Attribute(value) for name, value in values.items()}
    found = []
    wheels = read_wheels(attributes, PARTS, CENTIMETER, lambda code, **_: found.append(code))
    return wheels, found


def test_most_entities_have_no_wheels():
    """Without a radius there are none, and nothing is found."""
    assert read(wheelDistance=40.0) == (None, [])


def test_lengths_are_converted_and_hinges_are_named():
    """Centimeters become meters."""
    wheels, found = read(**LENGTHS, leftWheelJoint='left', rightWheelJoint='right')
    assert (wheels, found) == (Wheels(0.1, 0.4, ('left', 'right')), [])


def test_without_hinges_the_base_is_moved():
    """The original's robots have wheels that do not turn."""
    assert read(**LENGTHS) == (Wheels(0.1, 0.4), [])


@pytest.mark.parametrize('name', ['', 'none', 'caster'])
def test_a_wheel_needs_a_hinge(name):
    """Another name gives a finding, and the base is moved."""
    wheels, found = read(**LENGTHS, leftWheelJoint='left', rightWheelJoint=name)
    assert (wheels, found) == (Wheels(0.1, 0.4), ['Sigverse.UnknownHinge'])


@pytest.mark.parametrize('length', [0.0, -1.0, 1e9, 'wide'])
def test_lengths_have_limits(length):
    """A robot with wheels of no size cannot drive."""
    wheels, found = read(wheelRadius=10.0, wheelDistance=length)
    assert (wheels, found) == (None, ['Sigverse.OutOfRange'])
