# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimated poses as marks: bodies, ellipses, headings, errors and particles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.view.batches import Lines, Meshes, Points
from world_model_core.view.colors import ESTIMATE, MISSED, PARTICLE, array_of, faded
from world_model_core.view.ellipsoids import confidence_ellipses
from world_model_core.view.poses import heading_quaternions
from world_model_core.view.shapes import ROUND_ROBOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.gaussian import Array
    from world_model_core.localization.pose_estimators import PoseEstimate
    from world_model_core.view.batches import Batch

__all__ = ['estimate_marks', 'particle_marks']

# Opacity of bodies, and the least one of ellipses.
OPACITY, LEAST_SHADE = 0.6, 0.25
# The headings of an estimate are drawn at this many standard deviations, which contain 95 % as
# one coordinate, and this long [m].
HEADING_DEVIATIONS, HEADING_LENGTH = 2.0, 0.5
# More particles of a robot are drawn without their headings; length of these, size of points [m].
MOST_WITH_HEADING, PARTICLE_LENGTH, PARTICLE_SIZE = 2000, 0.12, 0.03
# Height of lines above the ground, so that ellipses do not hide them [m].
HEIGHT = 0.01


def estimate_marks(
    estimates: Mapping[str, PoseEstimate], truth: Mapping[str, Array]
) -> Iterator[tuple[str, Batch]]:
    """
    Yield estimates as faint robots with ellipses, their headings, and lines to the true poses.

    Parameters
    ----------
    estimates : mapping of str to PoseEstimate
        By robot.
    truth : mapping of str to array, shape (3,)
        True x, y [m], theta [rad], where they are known.

    """
    if not estimates:
        return
    names = tuple(estimates)
    poses = np.array([estimate.pose for estimate in estimates.values()]).reshape(-1, 3)
    covariances = np.array([estimate.covariance for estimate in estimates.values()])
    positions = np.zeros((len(names), 3))
    positions[:, :2] = poses[:, :2]
    quaternions = heading_quaternions(poses[:, 2])
    color = array_of(faded(ESTIMATE, OPACITY))
    scales = np.ones((1, 3))
    bodies = Meshes(ROUND_ROBOT, names, positions, quaternions, scales, color)
    yield 'robots/estimates/bodies', bodies
    # Many estimates may be at the same place, as odometry is at the start.
    shade = faded(ESTIMATE, max(1.0 / len(names), LEAST_SHADE))
    flat = confidence_ellipses(names, poses[:, :2], covariances[:, :2, :2], shade)
    yield 'robots/estimates/ellipses', flat
    spreads = HEADING_DEVIATIONS * np.sqrt(np.maximum(covariances[:, 2, 2], 0.0))
    edges = np.concatenate((poses, poses))
    edges[:, 2] += np.minimum(np.concatenate((spreads, -spreads)), np.pi)
    yield (
        'robots/estimates/headings',
        Lines(strokes(edges, HEADING_LENGTH), array_of(ESTIMATE), 2.0),
    )
    known = [(index, truth[name]) for index, name in enumerate(names) if name in truth]
    if known:
        ends = np.full((len(known), 2, 3), HEIGHT)
        ends[:, 0, :2] = poses[[index for index, _ in known], :2]
        ends[:, 1, :2] = [pose[:2] for _, pose in known]
        yield 'robots/estimates/errors', Lines(ends, array_of(MISSED), 1.5)


def particle_marks(particles: Mapping[str, Array]) -> Iterator[tuple[str, Batch]]:
    """Yield the particles of each robot: strokes along their headings, or points if many."""
    for name, poses in particles.items():
        path = f'robots/particles/{name}'
        if len(poses) > MOST_WITH_HEADING:
            places = np.full((len(poses), 3), HEIGHT)
            places[:, :2] = poses[:, :2]
            yield path, Points(places, array_of(PARTICLE), PARTICLE_SIZE)
        elif len(poses):
            yield path, Lines(strokes(poses, PARTICLE_LENGTH), array_of(PARTICLE), 1.5)


def strokes(poses: Array, lengths: float | Array) -> Array:
    """Return lines (n, 2, 3) from poses (n, 3) along their headings, just above the ground."""
    lines = np.full((len(poses), 2, 3), HEIGHT)
    lines[:, :, :2] = poses[:, None, :2]
    # A heading that is not finite makes a line that is left out.
    with np.errstate(invalid='ignore'):
        lines[:, 1, 0] += lengths * np.cos(poses[:, 2])
        lines[:, 1, 1] += lengths * np.sin(poses[:, 2])
    return lines
