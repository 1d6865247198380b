# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Messages of very many robots as the bytes that they become.

To make and to write 100,000 poses as objects takes seconds, and a hundredth of one as an array.
Every message on the wire is in CDR: little or big endian, as four bytes in front say, and each
number aligned to its size, counted from behind these (OMG, DDS Interoperability Wire Protocol,
version 2.2, 10.2).
"""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array

ENCAPSULATION = bytes((0, sys.byteorder == 'little', 0, 0))


def pose_array(poses: Array, stamp_ns: int, frame_id: str) -> bytes:
    """Write a geometry_msgs/PoseArray of poses (n, 3): x, y [m], theta [rad]."""
    writer = _Writer()
    writer.header(stamp_ns, frame_id)
    writer.rows(_spatial(poses))
    return writer.data


def joint_states(
    names: bytes, poses: Array, velocities: Array, stamp_ns: int, frame_id: str
) -> bytes:
    """
    Write a sensor_msgs/MultiDOFJointState of robots as joints.

    Parameters
    ----------
    names : bytes
        As `texts` writes them.
    poses : array, shape (n, 3)
        x, y [m], theta [rad] in `frame_id`.
    velocities : array, shape (n, 2)
        nu [m/s], omega [rad/s], each in its own frame.
    stamp_ns : int
    frame_id : str

    """
    twists = np.zeros((len(velocities), 6))
    twists[:, 0], twists[:, 5] = velocities.T
    writer = _Writer()
    writer.header(stamp_ns, frame_id)
    writer.block(names)
    writer.rows(_spatial(poses))
    writer.rows(twists)
    writer.integer(0)  # no wrenches
    return writer.data


def texts(words: Sequence[str]) -> bytes:
    """Write a sequence of texts, to stand where a number of four bytes may."""
    writer = _Writer()
    writer.integer(len(words))
    for word in words:
        writer.text(word)
    return writer.data[len(ENCAPSULATION) :]


def put_rows(data: bytes, row: bytes, rows: Array) -> bytes:
    """
    Put rows in place of the only one of a sequence.

    Parameters
    ----------
    data : bytes
        A message.
    row : bytes
        What there is to be found in it, once: of a size that eight divides, and begun right
        behind the count of the sequence.
    rows : array, shape (n, k)
        As many bytes each.

    """
    begin = data.index(row)
    return b''.join(
        (
            data[: begin - 4],
            struct.pack('=I', len(rows)),
            np.ascontiguousarray(rows).tobytes(),
            data[begin + len(row) :],
        )
    )


def _spatial(poses: Array) -> Array:
    """Make x, y, z and a quaternion of planar poses (n, 3)."""
    spatial = np.zeros((len(poses), 7))
    spatial[:, :2] = poses[:, :2]
    spatial[:, 5], spatial[:, 6] = np.sin(0.5 * poses[:, 2]), np.cos(0.5 * poses[:, 2])
    return spatial


class _Writer:
    """Writes one field behind another."""

    def __init__(self) -> None:
        self._written = bytearray(ENCAPSULATION)

    @property
    def data(self) -> bytes:
        """What was written."""
        return bytes(self._written)

    def header(self, stamp_ns: int, frame_id: str) -> None:
        """Write a std_msgs/Header."""
        self._written += struct.pack('=iI', *divmod(stamp_ns, NANOSECONDS_PER_SECOND))
        self.text(frame_id)

    def integer(self, value: int) -> None:
        """Write a whole number of four bytes."""
        self._align(4)
        self._written += struct.pack('=I', value)

    def text(self, word: str) -> None:
        """Write a text: its length with the zero at its end, and both."""
        coded = word.encode() + b'\0'
        self.integer(len(coded))
        self._written += coded

    def block(self, data: bytes) -> None:
        """Write what was written elsewhere, beginning with a whole number."""
        self._align(4)
        self._written += data

    def rows(self, rows: Array) -> None:
        """Write a sequence of values, each of which is a row of floats."""
        self.integer(len(rows))
        if len(rows):
            self._align(8)
            self._written += rows.tobytes()

    def _align(self, size: int) -> None:
        self._written += bytes(-(len(self._written) - len(ENCAPSULATION)) % size)
