# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Simple shapes that classes of SIGVerse give for contacts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from world_model_core.virtual_world.shapes.file_axes import point_from_file
from world_model_core.virtual_world.values import Box, Cylinder, Pose, Shape, ShapeUse, Sphere
from world_model_core.virtual_world.worlds.sigverse_attributes import number_of
from world_model_core.virtual_world.worlds.sigverse_class_files import read_simple_shapes
from world_model_core.virtual_world.worlds.sigverse_world_files import POSITION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.virtual_world.values import Geometry, Part
    from world_model_core.virtual_world.worlds.sigverse_classes import EntityClass, WorldFiles
    from world_model_core.virtual_world.worlds.sigverse_documents import SimpleShape, WrittenAt

__all__ = ['SimpleShapes']

# Numbers in the sizes of simple shapes.
SIZES = {'box': ('sx', 'sy', 'sz'), 'cylinder': ('r', 'h'), 'sphere': ('r',)}
# Larger numbers, in units of the file, are rejected.
LARGEST = 1e7


@dataclass(frozen=True, slots=True)
class SimpleShapes:
    """
    Replaces what collides.

    Attributes
    ----------
    files : WorldFiles
    unit : float
        Length of the files' unit [m]; SIGVerse does not scale simple shapes.

    """

    files: WorldFiles
    unit: float

    def replace(self, parts: Sequence[Part], kind: EntityClass) -> tuple[Part, ...]:
        """Let parts collide by the simple shapes of a class, where it has any."""
        written = self._written(kind)
        for name in sorted(written.keys() - {part.name for part in parts}):
            self._report('Sigverse.UnknownPart', written[name].at, found=name)
        made = {name: self._shape(each) for name, each in written.items()}
        return tuple(
            part
            if (shape := made.get(part.name)) is None
            else replace(part, shapes=(*_looks(part), shape))
            for part in parts
        )

    def _written(self, kind: EntityClass) -> dict[str, SimpleShape]:
        """Return the simple shapes of all classes by their parts."""
        found: dict[str, SimpleShape] = {}
        for document in kind.documents:
            file = document.simple_shape_file
            path = self.files.find(file, document.at, 'Sigverse.ShapeMissing') if file else None
            if path is not None:
                found |= read_simple_shapes(path, self.files.notes(file))
            found |= document.simple_shapes
        return found

    def _shape(self, simple: SimpleShape) -> Shape | None:
        """Return a simple shape; None, with a finding, if a number is wrong."""
        sizes = [number_of(simple.size.get(name, '')) or 0.0 for name in SIZES[simple.kind]]
        center = [number_of(simple.position.get(name, '0')) for name in POSITION]
        known = [each for each in center if each is not None and abs(each) <= LARGEST]
        if not all(0.0 < each <= LARGEST for each in sizes) or len(known) != len(center):
            found = {**simple.position, **simple.size}
            self._report('Sigverse.BadSize', simple.at, found=found, kind=simple.kind)
            return None
        position = point_from_file(known, self.unit)
        return Shape(self._geometry(simple.kind, sizes), Pose(position), ShapeUse.COLLISION)

    def _geometry(self, kind: str, sizes: Sequence[float]) -> Geometry:
        """Return a geometry; cylinders stand upright."""
        if kind == 'box':
            return Box(point_from_file(sizes, self.unit))
        if kind == 'sphere':
            return Sphere(sizes[0] * self.unit)
        return Cylinder(sizes[0] * self.unit, sizes[1] * self.unit)

    def _report(self, code: str, at: WrittenAt, **values: object) -> None:
        self.files.notes(at.file).add(code, at.where, **values)


def _looks(part: Part) -> list[Shape]:
    """Return the shapes of a part that are looked at."""
    seen = (each for each in part.shapes if each.use is not ShapeUse.COLLISION)
    return [replace(each, use=ShapeUse.VISUAL) for each in seen]
