# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contacts of a virtual world as arrows of their forces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.view.batches import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.values import PartContact

__all__ = ['contact_arrows']

# Length of an arrow by its force [m/N], and its limits [m].
LENGTH_OF_FORCE, SHORTEST, LONGEST = 0.005, 0.03, 0.6
# Of the head of an arrow, by the length of the arrow, and half its angle as a slope.
HEAD, SLOPE = 0.3, 0.4
# Orange of Okabe and Ito, which people with red-green weakness tell from the others.
COLOR = np.array([[230, 159, 0, 255]], np.uint8)
WIDTH = 3.0


def contact_arrows(contacts: Sequence[PartContact]) -> Lines:
    """
    Return an arrow for each contact: the force on the second body, of the ground on what stands.

    Parameters
    ----------
    contacts : sequence of PartContact

    Returns
    -------
    Lines
        Three lines a contact; the length is that of the force, within limits.

    """
    begins = np.array([each.position for each in contacts]).reshape(-1, 3)
    normals = np.array([_direction(each) for each in contacts]).reshape(-1, 3)
    forces = np.array([each.force for each in contacts])
    lengths = np.clip(LENGTH_OF_FORCE * np.abs(forces), SHORTEST, LONGEST)[:, None]
    ends = begins + lengths * normals
    back, side = ends - HEAD * lengths * normals, SLOPE * HEAD * lengths * _across(normals)
    lines = ((begins, ends), (ends, back + side), (ends, back - side))
    points = np.stack([np.stack(line, axis=1) for line in lines], axis=1)
    return Lines(points.reshape(-1, 2, 3), COLOR, WIDTH)


def _direction(contact: PartContact) -> tuple[float, float, float]:
    """Return the direction of the force on what is not the ground."""
    x, y, z = contact.normal
    return (-x, -y, -z) if contact.second == ('', '') else (x, y, z)


def _across(normals: Array) -> Array:
    """Return unit vectors at right angles to unit vectors, shape (n, 3)."""
    other = np.where(np.abs(normals[:, :1]) < 0.9, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    crossed: Array = np.cross(normals, other)
    lengths = np.linalg.norm(crossed, axis=1, keepdims=True)
    return crossed / np.where(lengths > 0.0, lengths, 1.0)
