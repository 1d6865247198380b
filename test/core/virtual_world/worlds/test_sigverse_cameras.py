# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras of SIGVerse's entities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from world_model_core.frames import rotation_of

AGENT = '<define-class name="Agent" inherit="Agent.xml"/>'


def view_of(camera):
    """Return where a camera looks, and what is up in its picture."""
    rotation = rotation_of(camera.pose.orientation)
    return rotation @ (1.0, 0.0, 0.0), rotation @ (0.0, 0.0, 1.0)


def test_an_entity_has_no_camera(folder):
    """Cups do not see."""
    assert folder.cup()[0].cameras == ()


def test_an_agent_sees_with_one_camera(folder):
    """Its place and direction are attributes: vpx ... vvz, FOV and aspectRatio."""
    folder.write('Cup.xml', AGENT)
    agent, _ = folder.cup({'vpx': 10, 'vpy': 150, 'vpz': 20, 'FOV': 60, 'aspectRatio': 1.25})
    (camera,) = agent.cameras
    assert (camera.id, camera.part) == (1, '')
    assert camera.pose.position == (0.2, 0.1, 1.5)
    assert camera.vertical_fov == pytest.approx(math.radians(60))
    assert camera.aspect_ratio == 1.25
    assert np.allclose(view_of(camera), ((1, 0, 0), (0, 0, 1)))


@pytest.mark.parametrize(
    ('direction', 'forward', 'up'),
    [
        ('0 0 1', (1, 0, 0), (0, 0, 1)),
        ('0 0 -3', (-1, 0, 0), (0, 0, 1)),
        ('1 0 0', (0, 1, 0), (0, 0, 1)),
        ('0 1 0', (0, 0, 1), (-1, 0, 0)),
        ('0 -1 0', (0, 0, -1), (1, 0, 0)),
        ('0 -1 1', (0.7071068, 0, -0.7071068), (0.7071068, 0, 0.7071068)),
    ],
)
def test_cameras_look_along_their_direction(folder, direction, forward, up):
    """0 0 1 is forward; the picture is upright."""
    cup, found = folder.cup(inside=f'<camera id="3" direction="{direction}" position="1 2 3"/>')
    (camera,) = cup.cameras
    assert (camera.id, camera.vertical_fov, camera.aspect_ratio) == (3, math.radians(45), 1.5)
    assert camera.pose.position == pytest.approx((0.03, 0.01, 0.02))
    assert np.allclose(view_of(camera), (forward, up))
    assert found == []


def test_a_quaternion_turns_the_camera(folder):
    """It is w x y z in the axes of the file, and turns a camera that looks forward."""
    half = math.sqrt(0.5)
    cup, found = folder.cup(inside=f'<camera id="1" quaternion="{half} 0 {half} 0"/>')
    assert np.allclose(view_of(cup.cameras[0]), ((0, 1, 0), (0, 0, 1)))
    assert found == []


@pytest.mark.parametrize(
    ('attributes', 'code'),
    [
        ('direction="0 0 0"', 'BadDirection'),
        ('direction="1 0"', 'WrongCount'),
        ('direction="x y z"', 'WrongCount'),
        ('position="1e300 0 0"', 'WrongCount'),
        ('quaternion="0 0 0 0"', 'ZeroQuaternion'),
        ('quaternion="1 0 0 0" direction="1 0 0"', 'CameraTwice'),
        ('fov="0"', 'OutOfRange'),
        ('fov="180"', 'OutOfRange'),
        ('fov="wide"', 'WrongCount'),
        ('aspectRatio="-1"', 'OutOfRange'),
        ('link="tail"', 'UnknownPart'),
    ],
)
def test_wrong_values_are_replaced_by_defaults(folder, attributes, code):
    """Each gives one finding; the camera stays usable."""
    cup, found = folder.cup(inside=f'<camera id="2" {attributes}/>')
    (camera,) = cup.cameras
    assert found == [f'Sigverse.{code}']
    assert camera.pose.orientation == (0.0, 0.0, 0.0, 1.0)
    assert camera.pose.position == (0.0, 0.0, 0.0)
    assert (camera.part, camera.vertical_fov, camera.aspect_ratio) == ('', math.radians(45), 1.5)


@pytest.mark.parametrize('number', ['0', '10', '1.5', '', 'x', 'nan'])
def test_cameras_have_numbers_from_1_to_9(folder, number):
    """Others are left out."""
    cup, found = folder.cup(inside=f'<camera id="{number}"/><camera id="9"/>')
    assert [each.id for each in cup.cameras] == [9]
    assert found == ['Sigverse.BadCameraId']


def test_attributes_attach_cameras_to_parts(folder):
    """elnk1 and elnk2 name parts; "NoCam" is none."""
    folder.write('Cup.xml', '<define-class name="A" inherit="Agent.xml"><body filename="b.xml"/>'
                 '</define-class>')  # fmt: skip
    folder.write(
        'b.xml',
        '<body><joint name="top"><type>free</type><children><segment name="body"><children>'
        '<transform><shape><geometry type="box"><size>1 1 1</size></geometry></shape></transform>'
        '</children></segment><joint name="NECK"><type>hinge</type><children>'
        '<segment name="HEAD"/></children></joint></children></joint></body>',
    )
    agent, _ = folder.cup({'elnk1': 'HEAD', 'epz1': 10, 'elnk2': 'NoCam'})
    (camera,) = agent.cameras
    assert (camera.id, camera.part, camera.pose.position) == (1, 'HEAD', (0.1, 0.0, 0.0))
    agent, _ = folder.cup({'elnk2': 'HEAD'}, '<camera id="2" link="body"/><camera id="1"/>')
    assert [(each.id, each.part) for each in agent.cameras] == [(1, ''), (2, '')]
