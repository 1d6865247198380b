# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes of the entities of a virtual world, placed by the poses of their parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.view.poses import NO_POSES, compose_poses
from world_model_core.view.virtual_pieces import group_of, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.view.batches import Batch
    from world_model_core.view.virtual_pieces import MeshMarks, Piece, PieceGroup
    from world_model_core.virtual_world.values import Entity, Pose

__all__ = ['BodyPoses', 'WorldShapes']

# Things that rest tremble by less: smaller changes of a pose are not shown [m; of a quaternion].
SMALLEST_MOTION = 1e-4
UNKNOWN = np.full((1, 7), np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class BodyPoses:
    """
    Poses of bodies by their names.

    Attributes
    ----------
    names : tuple of str
        The same object as long as the bodies are the same.
    poses : array, shape (n, 7)
        x, y, z [m] and quaternion xyzw in the frame `world`.

    """

    names: tuple[str, ...] = ()
    poses: Array = field(default_factory=lambda: NO_POSES)


class WorldShapes:
    """
    Places the visible shapes of entities; batches that have not moved are the same objects.

    Parameters
    ----------
    entities : sequence of Entity
        In their present states.
    meshes : mapping of TriangleMesh to tuple of ColoredMesh
        How each mesh is shown.

    Attributes
    ----------
    tops : dict of str to float
        Height of each entity that is shown above its frame, with all joints at 0 [m].

    """

    def __init__(self, entities: Sequence[Entity], meshes: MeshMarks) -> None:
        self._entities = tuple(each.name for each in entities)
        parts = [(index, part) for index, each in enumerate(entities) for part in each.parts]
        self._part_names = tuple(f'{self._entities[index]}/{part.name}' for index, part in parts)
        self._entity_of = np.array([index for index, _ in parts], dtype=np.intp)
        self._rest = np.concatenate([NO_POSES, *map(_rest_poses, entities)])
        self._sort(entities, meshes)
        self.tops = self._tops()
        self._shown = np.full((len(self._poses), 7), np.nan)
        self._batches: dict[str, Batch] = {}
        self._orders: dict[str, tuple[tuple[str, ...], NDArray[np.intp]]] = {}

    def draw(self, bodies: BodyPoses, parts: BodyPoses) -> dict[str, Batch]:
        """
        Return the shapes where they are; what has no pose is left out of its batch.

        Parameters
        ----------
        bodies : BodyPoses
            Of entities.
        parts : BodyPoses
            Of parts that joints move, by `ENTITY/PART`; others are where their entity is.

        Returns
        -------
        dict of str to Batch
            By `GROUP/KIND`.

        """
        placed = compose_poses(self._frames(bodies, parts)[self._part_of], self._poses)
        moved = ~(np.abs(placed - self._shown) <= SMALLEST_MOTION).all(axis=1)
        self._shown = np.where(moved[:, None], placed, self._shown)
        for name, group in self._groups.items():
            rows = self._rows[name]
            if name not in self._batches or moved[rows].any():
                self._batches[name] = group.batch(self._shown[rows])
        return dict(self._batches)

    def _frames(self, bodies: BodyPoses, parts: BodyPoses) -> Array:
        """Return the poses of all parts in the frame `world`; unknown ones are not finite."""
        order = self._order('entities', self._entities, bodies.names)
        entities = np.concatenate((bodies.poses, UNKNOWN))[order]
        frames = compose_poses(entities[self._entity_of], self._rest)
        order = self._order('parts', self._part_names, parts.names)
        jointed = order >= 0
        frames[jointed] = parts.poses[order[jointed]]
        return frames

    def _order(self, kind: str, wanted: Sequence[str], names: tuple[str, ...]) -> NDArray[np.intp]:
        """Return where each wanted body is in `names`; -1: nowhere."""
        if kind not in self._orders or self._orders[kind][0] is not names:
            places = {name: index for index, name in enumerate(names)}
            order = np.array([places.get(name, -1) for name in wanted], dtype=np.intp)
            self._orders[kind] = names, order
        return self._orders[kind][1]

    def _sort(self, entities: Sequence[Entity], meshes: MeshMarks) -> None:
        """Sort the pieces of all visible shapes by their batches."""
        found: dict[str, list[tuple[str, int, Piece]]] = {}
        for group, entity, part, piece in _pieces(entities, meshes):
            found.setdefault(f'{group}/{piece.batch}', []).append((entity, part, piece))
        self._groups: dict[str, PieceGroup] = {}
        self._rows: dict[str, slice] = {}
        ordered: list[tuple[str, int, Piece]] = []
        for name, pieces in found.items():
            self._groups[name] = group_of([(entity, piece) for entity, _, piece in pieces])
            self._rows[name] = slice(len(ordered), len(ordered) + len(pieces))
            ordered += pieces
        self._part_of = np.array([part for _, part, _ in ordered], dtype=np.intp)
        self._poses = np.array([_row(piece.pose) for _, _, piece in ordered]).reshape(-1, 7)

    def _tops(self) -> dict[str, float]:
        """Return how high each entity reaches above its frame."""
        tops: dict[str, float] = {}
        poses = compose_poses(self._rest[self._part_of], self._poses)
        for key, group in self._groups.items():
            heights = group.heights(poses[self._rows[key]])
            for name, height in zip(group.ids, heights.tolist(), strict=True):
                tops[name] = max(height, tops.get(name, height))
        return tops


def _pieces(
    entities: Sequence[Entity], meshes: MeshMarks
) -> Iterator[tuple[str, str, int, Piece]]:
    """Yield the pieces of all visible shapes with group, name of entity and number of part."""
    number = 0
    for entity in entities:
        for part in entity.parts:
            for shape in filter(entity.shows, part.shapes):
                for piece in pieces_of(shape, meshes):
                    yield _group_of(entity), entity.name, number, piece
            number += 1


def _group_of(entity: Entity) -> str:
    """Return what moves at the same time: a batch is sent whole when any of it moves."""
    if not entity.movable:
        return 'fixed'
    return 'jointed' if any(part.joint for part in entity.parts) else 'things'


def _rest_poses(entity: Entity) -> Array:
    """Return the poses of parts in the frame of their entity with all joints at 0, (n, 7)."""
    poses: dict[str, Array] = {}
    for part in entity.parts:
        pose = np.array([_row(part.pose)])
        parent = poses.get(part.parent)
        poses[part.name] = pose if parent is None else compose_poses(parent, pose)
    return np.concatenate([NO_POSES, *poses.values()])


def _row(pose: Pose) -> tuple[float, ...]:
    return (*pose.position, *pose.orientation)
