# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Filters of raw vision: effect of the geometry, and memory."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import BALL, CAMERA, FIELD, FRAME
from vision_stream import (
    CAMERAS,
    GEOMETRY,
    MS,
    PERIOD,
    START,
    VisionStream,
    ball_at,
    pictures,
    robot_at,
    size,
)

from world_model_core.match.ssl.geometry_packets import merge_geometry
from world_model_core.match.ssl.geometry_values import ChipModel, Geometry, StraightModel
from world_model_core.match.values import MatchParameters
from world_model_core.match.vision_tracking import VisionTracking

STRAIGHT, CHIP = StraightModel(-3.0, -0.3, 0.6), ChipModel(0.5, 0.9, 0.6)
HEIGHTS = st.one_of(st.none(), st.floats(-20.0, 20.0))


@pytest.fixture
def filters():
    """Make filters with the geometry of both cameras."""
    made = VisionTracking(MatchParameters())
    made.update_geometry(GEOMETRY)
    return made


def compare(filters, aside=0.02):
    """Let two cameras detect a ball at different positions."""
    for number in range(200):
        capture = START + number * PERIOD // 2
        ball = replace(BALL, x=aside * (number % 2))
        filters.update(
            replace(
                FRAME,
                camera_id=number % 2,
                capture_ns=capture,
                sent_ns=capture + 5 * MS,
                balls=(ball,),
            )
        )


def test_a_geometry_without_changes_keeps_the_biases(filters):
    """A repeated geometry, or one host's part of it, must keep the biases."""
    compare(filters)
    before = filters.biases.offset(1)
    assert before[0] > 0.005
    for geometry in (GEOMETRY, replace(GEOMETRY, cameras=CAMERAS[1:]), Geometry(FIELD, ())):
        filters.update_geometry(geometry)
        assert filters.biases.offset(1) == before


def test_a_new_calibration_resets_the_biases_but_not_the_ball(filters):
    """A new calibration must reset the biases and keep the ball."""
    compare(filters)
    (ball, _), *_ = filters.balls.balls()
    filters.update_geometry(replace(GEOMETRY, cameras=(replace(CAMERAS[0], distortion=0.1),)))
    assert filters.biases.offset(1) == (0.0, 0.0)
    (after, _), *_ = filters.balls.balls()
    assert after.position == pytest.approx(ball.position, abs=0.02)


@given(heights=st.lists(HEIGHTS, max_size=4))
def test_only_cameras_above_the_field_have_a_position(heights):
    """Cameras without a position, or not above the carpet, must not be used for projection."""
    filters = VisionTracking(MatchParameters())
    places = [None if height is None else (1.0, 2.0, height) for height in heights]
    cameras = [replace(CAMERA, camera_id=n, position=place) for n, place in enumerate(places)]
    filters.update_geometry(Geometry(FIELD, tuple(cameras)))
    assert filters.cameras == {
        number: place for number, place in enumerate(places) if place and place[2] >= 0.5
    }


def test_the_geometries_of_hosts_are_joined():
    """Cameras must be merged by id, the latest value of each, and constants kept."""
    one = Geometry(FIELD, CAMERAS[:1], straight=STRAIGHT)
    moved = replace(CAMERAS[0], position=(0.0, 0.0, 4.0))
    two = Geometry(replace(FIELD, length=9.0), (CAMERAS[1], moved), chip=CHIP)
    assert merge_geometry(None, one) is one
    both = merge_geometry(one, two)
    assert both == Geometry(two.field, (moved, CAMERAS[1]), STRAIGHT, CHIP)
    assert merge_geometry(both, two) == both


def test_memory_does_not_grow():
    """The memory after all frames must equal that after half of them."""
    stream, sizes = VisionStream(), []
    for now, camera in pictures(0, 400):
        robots = [robot_at(0.5 * number, 1.0, number) for number in range(6)]
        stream.send(now, camera, [ball_at(0.0), ball_at(1.0, 2.0)], robots)
        if now in {200 * PERIOD, 399 * PERIOD}:
            stream.published.clear()
            sizes.append(size(stream.match))
    assert sizes[1] <= sizes[0]
