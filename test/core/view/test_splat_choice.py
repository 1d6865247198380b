# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which splats are shown, and how many."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
)
from world_model_core.bundle.splats.splats import SH_BAND_0, Splats
from world_model_core.frames import rotation_of
from world_model_core.view.splat_choice import (
    LONGEST_FRAME,
    MOST_TRIALS,
    OrderedSplats,
    SplatTrial,
    cover,
)

LINEAR = ResolvedConventions(QuaternionOrder.XYZW, ScaleEncoding.LINEAR, OpacityEncoding.LINEAR)
LOG = ResolvedConventions(QuaternionOrder.XYZW, ScaleEncoding.LOG, OpacityEncoding.LOGIT)


def splats(count, conventions=LINEAR, seed=1):
    """Draw splats."""
    rng = np.random.default_rng(seed)
    scales, alphas = rng.uniform(0.01, 0.5, (count, 3)), rng.uniform(0.05, 0.95, (count, 1))
    if conventions is LOG:
        scales, alphas = np.log(scales), np.log(alphas / (1.0 - alphas))
    arrays = (
        rng.normal(0.0, 5.0, (count, 3)),
        scales,
        rng.normal(0.0, 1.0, (count, 4)),
        alphas,
        rng.normal(0.0, 1.0, (count, 3)),
        np.zeros((count, 0, 3)),
    )
    return Splats(*(each.astype(np.float32) for each in arrays), conventions)


@pytest.mark.parametrize('conventions', [LINEAR, LOG])
def test_the_order_is_that_of_opacity_times_area(conventions):
    """Against a direct computation, one splat after the other."""
    given_splats = splats(300, conventions)
    direct = []
    for number in range(300):
        one, two, three = (float(size) for size in given_splats.sizes[number])
        areas = (one * two, one * three, two * three)
        direct.append((float(given_splats.alphas[number]) * max(areas), number))
    np.testing.assert_allclose(cover(given_splats), [each for each, _ in direct], rtol=1e-6)
    order = [number for _, number in sorted(direct, reverse=True)]
    shown = OrderedSplats(given_splats).first(300)
    np.testing.assert_array_equal(shown.positions, given_splats.positions[order])


def test_covariances_colors_and_opacities_are_those_of_the_file():
    """R S S R^T; colors without the parts that depend on the direction."""
    given_splats = splats(20)
    shown = OrderedSplats(given_splats).first(20)
    first = int(np.argmax(cover(given_splats)))
    rotation = rotation_of(given_splats.rotations[first].astype(np.float64))
    squared = np.diag(given_splats.scales[first].astype(np.float64) ** 2)
    np.testing.assert_allclose(shown.covariances[0], rotation @ squared @ rotation.T, rtol=1e-5)
    plain = np.clip(0.5 + SH_BAND_0 * given_splats.sh_dc[first], 0.0, 1.0)
    np.testing.assert_allclose(shown.colors[0], 255.0 * plain, atol=0.51)
    assert shown.opacities[0] == pytest.approx(given_splats.opacities[first, 0])


def test_fewer_splats_are_the_first_of_more():
    """The same number must be the same object."""
    ordered = OrderedSplats(splats(100))
    many, few = ordered.first(80), ordered.first(30)
    np.testing.assert_array_equal(few.positions, many.positions[:30])
    assert ordered.first(30) is few
    assert len(ordered.first(1000)) == 100
    assert ordered.total == 100


def test_splats_that_cannot_be_shown_are_left_out():
    """Scales that overflow, and positions that are not finite."""
    broken = splats(10, LOG)
    scales, positions = broken.scales.copy(), broken.positions.copy()
    scales[2], positions[3] = 200.0, math.nan
    broken = Splats(
        positions, scales, broken.rotations, broken.opacities, broken.sh_dc, broken.sh_rest, LOG
    )
    shown = OrderedSplats(broken).first(10)
    assert (len(shown), shown.left_out) == (8, 2)


def measured(total, frame_time):
    """Run trials on a page with a frame time by the number of splats; return the last one."""
    trial = SplatTrial()
    while not trial.is_final:
        trial = trial.next(frame_time(trial.count), total)
    return trial


@pytest.mark.parametrize('capacity', [700, 12_000, 150_000])
@pytest.mark.parametrize('base', [0.0, 0.016, 0.05])
def test_as_many_splats_are_shown_as_keep_ten_frames_per_second(capacity, base):
    """The number must be within a few percent if the time of frames grows in proportion to it."""
    per_splat = (LONGEST_FRAME - base) / capacity
    trial = measured(1_000_000, lambda count: base + per_splat * count)
    assert 0.95 * capacity <= trial.count <= capacity


def test_splats_take_as_long_as_the_rest_of_a_slow_page():
    """A page that is too slow without splats, or far away, must show splats nevertheless."""
    trial = measured(1_000_000, lambda count: 0.3 + 1e-5 * count)
    assert trial.count == pytest.approx(30_000, rel=0.05)


@pytest.mark.parametrize('total', [1, 300, 5_000, 123_456])
def test_all_splats_are_shown_if_the_page_can(total):
    """A fast page shows all of them."""
    assert measured(total, lambda _: 0.016).count == total


@given(st.integers(1, 2_000_000), st.lists(st.floats(0.0, 10.0), min_size=1, max_size=12))
def test_trials_end(total, times):
    """Whatever is measured, there is an end, with a number of splats that exists."""
    trial, count = SplatTrial(), 0
    while not trial.is_final:
        trial = trial.next(times[count % len(times)], total)
        count += 1
        assert 1 <= trial.count <= total
    assert count <= MOST_TRIALS
