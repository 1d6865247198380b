# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the filters of raw vision take from geometry, and what they keep of pictures."""

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
from world_model_core.match.ssl.values import ChipModel, Geometry, StraightModel
from world_model_core.match.values import MatchParameters
from world_model_core.match.vision_filters import VisionFilters

STRAIGHT, CHIP = StraightModel(-3.0, -0.3, 0.6), ChipModel(0.5, 0.9, 0.6)
HEIGHTS = st.one_of(st.none(), st.floats(-20.0, 20.0))


@pytest.fixture
def filters():
    """Make filters that know both cameras."""
    made = VisionFilters(MatchParameters())
    made.update_geometry(GEOMETRY)
    return made


def compare(filters, aside=0.02):
    """Show the filters a ball through two cameras that see it beside each other."""
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


def test_a_geometry_that_says_nothing_new_leaves_the_biases(filters):
    """Neither the same again nor one host's part of it may forget what cameras are off by."""
    compare(filters)
    before = filters.biases.offset(1)
    assert before[0] > 0.005
    for geometry in (GEOMETRY, replace(GEOMETRY, cameras=CAMERAS[1:]), Geometry(FIELD, ())):
        filters.update_geometry(geometry)
        assert filters.biases.offset(1) == before


def test_a_new_calibration_forgets_the_biases_but_not_the_ball(filters):
    """What a camera was off by is nothing after it was calibrated; the ball lies where it lay."""
    compare(filters)
    (ball, _), *_ = filters.balls.balls()
    filters.update_geometry(replace(GEOMETRY, cameras=(replace(CAMERAS[0], distortion=0.1),)))
    assert filters.biases.offset(1) == (0.0, 0.0)
    (after, _), *_ = filters.balls.balls()
    assert after.position == pytest.approx(ball.position, abs=0.02)


@given(heights=st.lists(HEIGHTS, max_size=4))
def test_only_cameras_above_the_field_have_a_place(heights):
    """Those without one, and those on the carpet or below it, must not be looked through."""
    filters = VisionFilters(MatchParameters())
    places = [None if height is None else (1.0, 2.0, height) for height in heights]
    cameras = [replace(CAMERA, camera_id=n, position=place) for n, place in enumerate(places)]
    filters.update_geometry(Geometry(FIELD, tuple(cameras)))
    assert filters.cameras == {
        number: place for number, place in enumerate(places) if place and place[2] >= 0.5
    }


def test_the_geometries_of_hosts_are_joined():
    """Cameras must be gathered by id, the last word on each, and constants kept."""
    one = Geometry(FIELD, CAMERAS[:1], straight=STRAIGHT)
    moved = replace(CAMERAS[0], position=(0.0, 0.0, 4.0))
    two = Geometry(replace(FIELD, length=9.0), (CAMERAS[1], moved), chip=CHIP)
    assert merge_geometry(None, one) is one
    both = merge_geometry(one, two)
    assert both == Geometry(two.field, (moved, CAMERAS[1]), STRAIGHT, CHIP)
    assert merge_geometry(both, two) == both


def test_what_is_kept_does_not_grow():
    """After twice the pictures there must be as much as after half of them."""
    stream, sizes = VisionStream(), []
    for now, camera in pictures(0, 400):
        robots = [robot_at(0.5 * number, 1.0, number) for number in range(6)]
        stream.see(now, camera, [ball_at(0.0), ball_at(1.0, 2.0)], robots)
        if now in {200 * PERIOD, 399 * PERIOD}:
            stream.told.clear()
            sizes.append(size(stream.match))
    assert sizes[1] <= sizes[0]
