# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Colored points for display: visible splats, limited in number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
)
from world_model_core.bundle.splats.splats import FAINTEST, Splats, colored_points, even_share

LINEAR = ResolvedConventions(QuaternionOrder.XYZW, ScaleEncoding.LINEAR, OpacityEncoding.LINEAR)
LOGIT = replace(LINEAR, opacities=OpacityEncoding.LOGIT)


def splats(count, opacity=1.0):
    """Make gray splats whose x is their number."""
    positions = np.zeros((count, 3), np.float32)
    positions[:, 0] = np.arange(count)
    return Splats(
        positions=positions,
        scales=np.ones((count, 3), np.float32),
        rotations=np.tile(np.array((0, 0, 0, 1), np.float32), (count, 1)),
        opacities=np.full((count, 1), opacity, np.float32),
        sh_dc=np.zeros((count, 3), np.float32),
        sh_rest=np.zeros((count, 0, 3), np.float32),
        conventions=LINEAR,
    )


def test_fog_is_left_out():
    """A splat that is too faint to be visible gives no point."""
    made = splats(4)
    made.opacities[:, 0] = (1.0, 0.99 * FAINTEST, FAINTEST + 1e-6, 0.0)
    assert colored_points(made, 10).positions[:, 0].tolist() == [0.0, 2.0]


def test_fog_depends_on_the_convention():
    """A logit of 0 is half opaque; as an opacity it would be invisible."""
    logit = replace(splats(2, opacity=0.0), conventions=LOGIT)
    assert len(colored_points(logit, 10).positions) == 2
    assert len(colored_points(splats(2, opacity=0.0), 10).positions) == 0


def test_fog_alone_gives_no_points():
    """Without visible splats there are no points."""
    points = colored_points(splats(5, opacity=0.0), 10)
    assert points.positions.shape == points.colors.shape == (0, 3)


def test_colors_are_rounded_and_clipped():
    """Spherical harmonics may give values below black and above white."""
    made = splats(1)
    made.sh_dc[0] = (-3.0, 0.0, 4.0)
    assert colored_points(made, 1).colors.tolist() == [[0, 128, 255]]


@given(st.integers(0, 1000), st.integers(1, 1000))
def test_points_are_selected_evenly(count, most):
    """The number is as allowed, each splat appears once, in order, at even gaps."""
    share = even_share(count, most)
    assert len(share) == min(count, most)
    gaps = np.diff(share)
    assert (gaps >= 1).all()
    assert len(gaps) == 0 or gaps.max() - gaps.min() <= 1
    assert len(share) == 0 or (share[0] == 0 and share[-1] < count)
