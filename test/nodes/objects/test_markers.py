# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Markers of objects in RViz and Foxglove: boxes, ellipsoids and names."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chi2
from visualization_msgs.msg import Marker

from world_model_core.frames import rotation_of
from world_model_core.objects.values import MapObject, ObjectState, Swatch
from world_model_nodes.objects.markers import box_marker, object_markers
from world_model_nodes.runtime.convert import heading_of

CHAIR = MapObject(
    id='3',
    label='chair',
    position=np.array((1.0, 2.0, 0.5)),
    covariance=0.01 * np.eye(3),
    size=np.array((0.4, 0.5, 1.0)),
    heading=0.7,
    colors=(Swatch('red', 1.0, (255.0, 0.0, 51.0)),),
)


def drawn(*objects):
    """Return the markers of objects by namespace and number, without the first."""
    first, *others = object_markers(objects, 5, 'map').markers
    assert first.action == Marker.DELETEALL
    return {(marker.ns, marker.id): marker for marker in others}


@given(arrays(np.float64, (3, 3), elements=st.floats(-1.0, 1.0)))
def test_the_ellipsoid_holds_the_object_with_95_percent(root):
    """The outline is the 95 % quantile of the covariance in any orientation."""
    covariance = root @ root.T + 1e-4 * np.eye(3)
    ball = drawn(replace(CHAIR, covariance=covariance))['uncertainty', 0]
    turn = ball.pose.orientation
    axes = rotation_of((turn.x, turn.y, turn.z, turn.w))
    for axis, length in enumerate((ball.scale.x, ball.scale.y, ball.scale.z)):
        end = 0.5 * length * axes[:, axis]
        surprise = end @ np.linalg.solve(covariance, end)
        assert surprise == pytest.approx(chi2.ppf(0.95, 3), rel=1e-4)


def test_a_covariance_without_rank_is_drawn():
    """A marker without extent is an error in RViz."""
    ball = drawn(replace(CHAIR, covariance=np.zeros((3, 3))))['uncertainty', 0]
    assert min(ball.scale.x, ball.scale.y, ball.scale.z) > 0.0


def test_an_object_is_drawn_as_it_is():
    """Box, color and name are the object's own, in the frame of the map."""
    markers = drawn(CHAIR)
    box = markers['box', 0]
    assert (box.scale.x, box.scale.y, box.scale.z) == (0.4, 0.5, 1.0)
    assert heading_of(box.pose.orientation) == pytest.approx(0.7)
    assert (box.color.r, box.color.g, box.color.b) == pytest.approx((1.0, 0.0, 0.2))
    assert markers['name', 0].text == 'chair 3'
    assert markers['name', 0].pose.position.z > 1.0
    assert {marker.header.frame_id for marker in markers.values()} == {'map'}


def test_unconfirmed_objects_are_fainter():
    """Tentative and missing objects are fainter and labeled as such."""
    for state in (ObjectState.TENTATIVE, ObjectState.MISSING):
        markers = drawn(replace(CHAIR, state=state))
        assert markers['box', 0].color.a < drawn(CHAIR)['box', 0].color.a
        assert markers['name', 0].text == f'chair 3 ({state.value})'


def test_objects_without_size_or_color_are_drawn():
    """Without a size there is no box; a class without a known color has one of its own."""
    bare = replace(CHAIR, size=None, heading=None, colors=())
    other = replace(bare, label='lamp')
    markers = drawn(bare, other)
    assert {name for name, _ in markers} == {'uncertainty', 'name'}
    assert markers['uncertainty', 0].color != markers['uncertainty', 1].color


def test_an_answer_is_a_box_by_its_label():
    """The challenge expects a CUBE with a size in the map's frame, with the label in `ns`."""
    box = box_marker(CHAIR, 5, 'map')
    assert (box.type, box.ns, box.header.frame_id) == (Marker.CUBE, 'chair', 'map')
    assert (box.pose.position.x, box.pose.position.y, box.pose.position.z) == (1.0, 2.0, 0.5)
    flat = box_marker(replace(CHAIR, size=None, heading=None), 5, 'map')
    assert min(flat.scale.x, flat.scale.y, flat.scale.z) > 0.0
    assert not math.isnan(flat.pose.orientation.w)
