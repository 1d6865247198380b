# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Snapshots of a running world as bytes.

    line      "world_model snapshot FORMAT mujoco VERSION"
    8 bytes   length of the document
    8 bytes   number of blobs, then 8 bytes for the length of each
    the document: JSON of the values, see value_codec
    the blobs: arrays, textures and files of models
    32 bytes  SHA-256 of all before

All numbers are little-endian. Nothing in it is executed, and no length is believed.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.files.json_reader import JsonError, strict_json
from world_model_core.virtual_world.engine.errors import (
    EngineError,
    SnapshotError,
    SnapshotVersionError,
)
from world_model_core.virtual_world.engine.joint_targets import JointTarget  # noqa: TC001
from world_model_core.virtual_world.engine.stored_entities import check_geometries, check_models
from world_model_core.virtual_world.engine.value_codec import Blobs, decode, encode
from world_model_core.virtual_world.engine.welds import Weld  # noqa: TC001
from world_model_core.virtual_world.values import Entity, World  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.physics import Physics

__all__ = [
    'FORMAT',
    'LiveSnapshot',
    'Snapshot',
    'StoredTarget',
    'StoredWrench',
    'check_references',
    'read_snapshot',
    'write_snapshot',
]

# Of the bytes and of the values in them; changes with `virtual_world/values.py`.
FORMAT = 2
HEAD = re.compile(rb'world_model snapshot (\d{1,9}) mujoco ([\w.+-]{1,40})\n')
LONGEST_HEAD = 80
CHECKSUM = hashlib.sha256().digest_size
LENGTH = struct.Struct('<Q')
# A world of 10,000 entities has a document of 20 MB [bytes].
LARGEST_DOCUMENT = 2**28
# Ten times what worlds of files may have; MuJoCo needs hours and gigabytes for more.
MOST_PARTS = 100_000


# The codec reads the annotations of these classes: their types are imported at run time.
@dataclass(frozen=True, slots=True)
class StoredTarget:
    """Target of a joint of an entity."""

    entity: str
    joint: str
    target: JointTarget


@dataclass(frozen=True, slots=True)
class StoredWrench:
    """Force [N] and torque [N m] on a part in the next step, frame `world`."""

    entity: str
    part: str
    wrench: tuple[float, float, float, float, float, float]


@dataclass(frozen=True, eq=False, slots=True)
class Snapshot:
    """
    Everything on which the further run of a world depends.

    Attributes
    ----------
    start : World
        At time 0.
    entities : tuple of Entity
        Present ones, with their present modes, attributes and states.
    initial : tuple of Entity
        The same as they were at the start, or when they were spawned.
    spawned : tuple of str
        Names of those that are not of the start.
    original_limits : bool
    seed, steps, warnings : int
    masses : mapping of str to float
        Masses that were set for whole entities [kg].
    targets : tuple of StoredTarget
    wrenches : tuple of StoredWrench
    velocities : mapping of str to tuple of float
        Of bases that are moved: linear [m/s] and angular [rad/s].
    welds : tuple of Weld or None
        The slots of the pool.
    state : array, shape (n,)
        MuJoCo's mjSTATE_INTEGRATION.

    """

    start: World
    entities: tuple[Entity, ...]
    initial: tuple[Entity, ...]
    spawned: tuple[str, ...]
    original_limits: bool
    seed: int
    steps: int
    warnings: int
    masses: Mapping[str, float]
    targets: tuple[StoredTarget, ...]
    wrenches: tuple[StoredWrench, ...]
    velocities: Mapping[str, tuple[float, float]]
    welds: tuple[Weld | None, ...]
    state: Array

    def is_of(self, other: Snapshot) -> bool:
        """Return whether both are of the same compiled model."""
        return (
            self.start == other.start
            and self.entities == other.entities
            and self.original_limits == other.original_limits
            and len(self.welds) == len(other.welds)
        )


@dataclass(frozen=True, eq=False, slots=True)
class LiveSnapshot:
    """A snapshot for this process: the values, and a copy of MuJoCo's data."""

    values: Snapshot
    data: Any


def write_snapshot(snapshot: Snapshot) -> bytes:
    """
    Convert a snapshot to bytes; equal snapshots give equal bytes.

    Raises
    ------
    SnapshotError
        A value cannot be stored, such as NaN.

    """
    blobs: Blobs = {}
    document = json.dumps(encode(snapshot, blobs), ensure_ascii=False, separators=(',', ':'))
    text = document.encode()
    head = f'world_model snapshot {FORMAT} mujoco {mujoco.__version__}\n'.encode()
    lengths = [len(text), len(blobs), *map(len, blobs)]
    content = b''.join([head, *map(LENGTH.pack, lengths), text, *blobs])
    return content + hashlib.sha256(content).digest()


def read_snapshot(data: bytes) -> Snapshot:
    """
    Convert bytes to a snapshot.

    Raises
    ------
    SnapshotVersionError
        The format, or the version of MuJoCo, is another.
    SnapshotError
        The bytes are not a snapshot, are cut off or damaged, or a value in them is invalid.

    """
    place = _check_head(data)
    content = memoryview(data)[:-CHECKSUM]
    if hashlib.sha256(content).digest() != data[-CHECKSUM:]:
        raise SnapshotError('snapshot is cut off or damaged: its checksum is wrong')
    text, blobs = _split(content[place:])
    snapshot: Snapshot = decode(Snapshot, _parse(text), blobs)
    _check_values(snapshot)
    return snapshot


def check_references(snapshot: Snapshot, physics: Physics) -> None:
    """
    Check that the values of a snapshot are about its entities.

    Raises
    ------
    SnapshotError

    """
    if snapshot.state.shape != physics.state().shape:
        raise SnapshotError(
            f'state of the snapshot has the shape {snapshot.state.shape}; its world needs '
            f'{physics.state().shape}'
        )
    try:
        for target in snapshot.targets:
            physics.joint(target.entity, target.joint)
        for wrench in snapshot.wrenches:
            physics.body(wrench.entity, wrench.part)
        for weld in filter(None, snapshot.welds):
            physics.body(*weld.first)
            physics.body(*weld.second)
        free = all(physics.handle(name).free for name in snapshot.velocities)
        massive = all(
            physics.handle(name).root and mass > 0.0 for name, mass in snapshot.masses.items()
        )
    except EngineError as error:
        raise SnapshotError(f'snapshot: {error}') from error
    if not free or not massive:
        raise SnapshotError(
            'snapshot moves a base that is fixed, or has a mass that is not above 0'
        )


def _check_head(data: bytes) -> int:
    """Check format and version, and return the length of the head."""
    if (head := HEAD.match(data[:LONGEST_HEAD])) is None:
        raise SnapshotError('bytes are not a snapshot of a world')
    found, version = int(head[1]), head[2].decode('ascii', 'replace')
    if found != FORMAT:
        raise SnapshotVersionError(f'snapshot has format {found}; this version reads {FORMAT}')
    if version != mujoco.__version__:
        raise SnapshotVersionError(
            f'snapshot is of MuJoCo {version}; this is MuJoCo {mujoco.__version__}'
        )
    return head.end()


def _split(content: memoryview) -> tuple[bytes, list[bytes]]:
    """Return the document and the blobs."""
    lengths = np.frombuffer(content[: len(content) // 8 * 8], dtype='<u8')
    if len(lengths) < 2 or int(lengths[1]) > len(lengths) - 2:
        raise SnapshotError('snapshot has no lengths of its blobs')
    sizes = [int(length) for length in (lengths[0], *lengths[2 : 2 + int(lengths[1])])]
    place = 8 * (len(sizes) + 1)
    if place + sum(sizes) != len(content) or sizes[0] > LARGEST_DOCUMENT:
        raise SnapshotError(f'snapshot has {len(content)} bytes; its lengths need {sum(sizes)}')
    pieces = []
    for size in sizes:
        pieces.append(bytes(content[place : place + size]))
        place += size
    return pieces[0], pieces[1:]


def _parse(text: bytes) -> Any:
    try:
        return strict_json(text.decode(), 'snapshot')
    except (UnicodeDecodeError, JsonError) as error:
        raise SnapshotError(f'document of the snapshot: {error}') from error


def _check_values(snapshot: Snapshot) -> None:
    """
    Check what annotations do not say.

    Raises
    ------
    SnapshotError

    """
    if not np.isfinite(snapshot.state).all():
        raise SnapshotError('state of the snapshot has values that are not finite')
    for name in ('seed', 'steps', 'warnings'):
        if not 0 <= (value := getattr(snapshot, name)) < 2**64:
            raise SnapshotError(f'{name} of the snapshot is {value}; it must be from 0 to 2^64-1')
    names = [entity.name for entity in snapshot.entities]
    if names != [entity.name for entity in snapshot.initial]:
        raise SnapshotError('present and initial entities of the snapshot differ')
    if not set(snapshot.spawned) <= set(names):
        raise SnapshotError('an entity that was spawned is not in the snapshot')
    for what, count in (
        ('welds', len(snapshot.welds)),
        ('parts', sum(len(entity.parts) for entity in snapshot.entities)),
        ('parts at the start', sum(len(entity.parts) for entity in snapshot.start.entities)),
    ):
        if count > MOST_PARTS:
            raise SnapshotError(f'snapshot has {count} {what}; there are at most {MOST_PARTS}')
    for entity in (*snapshot.start.entities, *snapshot.initial, *snapshot.entities):
        check_geometries(entity)
        check_models(entity)
