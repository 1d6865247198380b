# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Rigid transforms on tuples, which are faster than small numpy arrays."""

from __future__ import annotations

import math
from typing import NamedTuple

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class Rigid(NamedTuple):
    """
    A transform: first rotate, then translate.

    Parameters
    ----------
    translation
        x, y, z [m].
    rotation
        Unit quaternion x, y, z, w.

    """

    translation: Vector
    rotation: Quaternion

    def __mul__(self, other: Rigid) -> Rigid:  # type: ignore[override]
        """Return the transform that applies `other` first, and then this one."""
        x, y, z = rotate(self.rotation, other.translation)
        own = self.translation
        return Rigid((x + own[0], y + own[1], z + own[2]), multiply(self.rotation, other.rotation))

    def inverse(self) -> Rigid:
        """Return the inverse transform."""
        x, y, z, w = self.rotation
        rotation = (-x, -y, -z, w)
        back = rotate(rotation, self.translation)
        return Rigid((-back[0], -back[1], -back[2]), rotation)


IDENTITY = Rigid((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return Hamilton's product a b of two quaternions x, y, z, w."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotate(q: Quaternion, v: Vector) -> Vector:
    """Return a vector rotated by a unit quaternion: q v q*."""
    x, y, z, _ = multiply(multiply(q, (*v, 0.0)), (-q[0], -q[1], -q[2], q[3]))
    return x, y, z


def interpolate(a: Rigid, b: Rigid, ratio: float) -> Rigid:
    """Interpolate two transforms: translation linearly, rotation at a constant rate."""
    translation = tuple(
        p + ratio * (q - p) for p, q in zip(a.translation, b.translation, strict=True)
    )
    return Rigid(translation, slerp(a.rotation, b.rotation, ratio))  # type: ignore[arg-type]


def slerp(a: Quaternion, b: Quaternion, ratio: float) -> Quaternion:
    """
    Interpolate unit quaternions on the sphere, along the shorter arc.

    K. Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985.
    """
    cosine = math.fsum(p * q for p, q in zip(a, b, strict=True))
    sign = -1.0 if cosine < 0.0 else 1.0
    angle = math.acos(min(abs(cosine), 1.0))
    if angle == 0.0:
        return a
    first = math.sin((1.0 - ratio) * angle) / math.sin(angle)
    second = sign * math.sin(ratio * angle) / math.sin(angle)
    x, y, z, w = (first * p + second * q for p, q in zip(a, b, strict=True))
    return x, y, z, w
