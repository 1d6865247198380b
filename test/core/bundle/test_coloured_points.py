# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Splats to look at: the visible ones, no more than wanted, in their colours."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.coloured_points import FAINTEST, coloured_points, even_share


def splats(count, opacity=1.0):
    """Make splats whose x is their number."""
    positions = np.zeros((count, 3), np.float32)
    positions[:, 0] = np.arange(count)
    return positions, np.zeros((count, 3), np.float32), np.full(count, opacity, np.float32)


def test_fog_is_left_out():
    """A splat too faint to be seen is no point."""
    positions, rgb, opacities = splats(4)
    opacities[:] = (1.0, 0.99 * FAINTEST, FAINTEST + 1e-6, 0.0)
    assert coloured_points(positions, rgb, opacities, 10).positions[:, 0].tolist() == [0.0, 2.0]


def test_fog_alone_is_nothing():
    """Where no splat can be seen there are no points."""
    points = coloured_points(*splats(5, opacity=0.0), 10)
    assert points.positions.shape == points.colours.shape == (0, 3)


def test_colours_are_rounded_and_clipped():
    """Spherical harmonics reach below black and above white."""
    positions, rgb, opacities = splats(1)
    rgb[0] = (-0.3, 0.5, 1.7)
    assert coloured_points(positions, rgb, opacities, 1).colours.tolist() == [[0, 128, 255]]


@given(st.integers(0, 1000), st.integers(1, 1000))
def test_shares_are_even(count, most):
    """As many as allowed, each once, in order, no gap much wider than another."""
    share = even_share(count, most)
    assert len(share) == min(count, most)
    gaps = np.diff(share)
    assert (gaps >= 1).all()
    assert len(gaps) == 0 or gaps.max() - gaps.min() <= 1
    assert len(share) == 0 or (share[0] == 0 and share[-1] < count)
