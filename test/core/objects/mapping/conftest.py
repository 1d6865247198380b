# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Frames of detections for tests of the object map, and views of a camera."""

import numpy as np
import pytest

from world_model_core.objects.values import UNKNOWN, CameraView, Detections

PERIOD_NS = 200_000_000


def _frame(  # noqa: PLR0917
    number, places, labels=None, sigma=0.05, colors=None, sizes=None, headings=None
):
    """Build a frame of detections at some places."""
    positions = np.asarray(places, dtype=np.float64).reshape(-1, 3)
    count = len(positions)
    return Detections(
        stamp_ns=number * PERIOD_NS,
        labels=tuple(labels) if labels is not None else ('chair',) * count,
        positions=positions,
        covariances=np.tile(sigma**2 * np.eye(3), (count, 1, 1)),
        scores=np.ones(count),
        colors=tuple(colors) if colors is not None else (UNKNOWN,) * count,
        sizes=np.full((count, 3), np.nan) if sizes is None else np.asarray(sizes, dtype=float),
        headings=np.full(count, np.nan) if headings is None else np.asarray(headings, dtype=float),
    )


def _watch(  # noqa: PLR0917
    objects, places, labels, frames, random, sigma=0.05, detected=1.0, start=0, view=None
):
    """Update a map with noisy detections of objects; return its updates."""
    places, labels = np.asarray(places, dtype=np.float64), np.asarray(labels)
    updates = []
    for number in range(start, start + frames):
        seen = np.flatnonzero(random.random(len(places)) < detected)
        noisy = places[seen] + random.normal(0.0, sigma, (len(seen), 3))
        updates.append(objects.observe(_frame(number, noisy, labels[seen], sigma), view))
    return updates


def _view_along_x(position=(0.0, 0.0, 0.0), points=None, horizontal=1.2, far=5.0):
    """Build the view of a camera that looks along x."""
    return CameraView(
        position=np.array(position, dtype=np.float64),
        rotation=np.eye(3),
        horizontal=horizontal,
        vertical=1.0,
        near=0.2,
        far=far,
        points=points,
    )


@pytest.fixture(scope='session')
def frame():
    """Build a frame of detections at some places."""
    return _frame


@pytest.fixture(scope='session')
def watch():
    """Update a map with noisy detections of objects; return its updates."""
    return _watch


@pytest.fixture(scope='session')
def view_along_x():
    """Build the view of a camera that looks along x."""
    return _view_along_x
