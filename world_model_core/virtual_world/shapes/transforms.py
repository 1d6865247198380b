# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Transforms of nodes, as homogeneous matrices in the units and axes of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.shapes.node_types import KNOWN

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.shapes.nodes import Node

__all__ = ['TRANSFORMS', 'node_transform', 'rotation_matrix', 'texture_transform']


# Types of nodes that move what is below them: Transform, Joint, Humanoid, Site, sensors.
TRANSFORMS = frozenset(
    name
    for name, fields in KNOWN.items()
    if {'rotation', 'translation'} <= fields.keys()
    and {'children', 'humanoidBody'} & fields.keys()
)


def node_transform(node: Node) -> Array:
    """
    Return the transform from the frame of a node's children to that of the node.

    Parameters
    ----------
    node : Node
        Of a type in `TRANSFORMS`.

    Returns
    -------
    array, shape (4, 4)
        Translation, center, rotation, scale along the axes of scaleOrientation, in the order of
        VRML97, 6.52; the length unit is that of the file.

    """
    matrix = np.eye(4)
    rotation = rotation_matrix(node.vector('rotation'))
    center = np.zeros(3)
    linear = rotation
    if 'scale' in KNOWN[node.type]:
        center = node.vector('center')
        axes = rotation_matrix(node.vector('scaleOrientation'))
        linear = rotation @ (axes * node.vector('scale')) @ axes.T
    matrix[:3, :3] = linear
    matrix[:3, 3] = node.vector('translation') + center - linear @ center
    return matrix


def rotation_matrix(rotation: Array) -> Array:
    """
    Convert an axis of any length and an angle [rad], shape (4,), to a matrix, shape (3, 3).

    An axis of zero is no rotation, as browsers treat it; exporters write it.
    """
    axis, angle = rotation[:3], float(rotation[3])
    largest = float(np.abs(axis).max())
    if largest == 0.0:
        return np.eye(3)
    x, y, z = (axis / largest / np.linalg.norm(axis / largest)).tolist()
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    # Rodrigues' formula
    turned: Array = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    return turned


def texture_transform(node: Node) -> Array:
    """
    Return the transform of texture coordinates of a TextureTransform.

    Returns
    -------
    array, shape (3, 3)
        -C S R C T of VRML97, 6.49, for columns (s, t, 1).

    """
    angle = node.number('rotation')
    cosine, sine = np.cos(angle), np.sin(angle)
    linear = np.diag(node.vector('scale')) @ np.array(((cosine, -sine), (sine, cosine)))
    center = node.vector('center')
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = linear @ (center + node.vector('translation')) - center
    return matrix
