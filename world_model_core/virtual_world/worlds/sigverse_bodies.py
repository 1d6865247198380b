# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Bodies of SIGVerse's classes: body files, shape files and simple shapes -> parts.

The first shape file of a class gives the parts and what collides; further files are other looks,
one for each value of a state. A shape file with a Humanoid replaces the body file.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from world_model_core.virtual_world.shapes.body_xml import ROOT, read_body
from world_model_core.virtual_world.shapes.fitting import fit_shape, with_simple_contacts
from world_model_core.virtual_world.shapes.humanoid import HumanoidFile, read_humanoid
from world_model_core.virtual_world.shapes.nodes import Node
from world_model_core.virtual_world.shapes.scene import read_shape_file, shapes_of
from world_model_core.virtual_world.values import (
    Part,
    Shape,
    ShapeUse,
)
from world_model_core.virtual_world.worlds.sigverse_simple_shapes import SimpleShapes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from world_model_core.virtual_world.shapes.nodes import Value
    from world_model_core.virtual_world.values import Vector
    from world_model_core.virtual_world.worlds.sigverse_classes import EntityClass, WorldFiles
    from world_model_core.virtual_world.worlds.sigverse_documents import (
        ShapeReference,
        WrittenAt,
    )

__all__ = ['Body', 'BodyLibrary']

ROUNDING = 1e-9
# Files of shapes, scale, and the files of the class: what a body depends on.
_Key: TypeAlias = 'tuple[tuple[ShapeReference, ...], Vector, tuple[int, ...]]'


@dataclass(frozen=True, slots=True)
class Body:
    """
    Parts of all entities of a class with the same scale.

    Attributes
    ----------
    parts : tuple of Part
    states : mapping of str to tuple of str
        Values of each state that have shapes of their own.
    has_default : bool
        Whether there are shapes for all other values.

    """

    parts: tuple[Part, ...]
    states: Mapping[str, tuple[str, ...]]
    has_default: bool


@dataclass(slots=True)
class BodyLibrary:
    """
    Makes bodies, and keeps them for the next entity of the class.

    Attributes
    ----------
    files : WorldFiles
    unit : float
        Length of the files' unit [m].

    """

    files: WorldFiles
    unit: float
    _bodies: dict[_Key, Body] = field(default_factory=dict)
    _nodes: dict[Path, tuple[Node, ...]] = field(default_factory=dict)
    _body_files: dict[Path, tuple[Part, ...]] = field(default_factory=dict)

    def read(self, kind: EntityClass, shapes: tuple[ShapeReference, ...], scale: Vector) -> Body:
        """
        Return the body of the entities of a class.

        Parameters
        ----------
        kind : EntityClass
        shapes : tuple of ShapeReference
            Shape files of the class or the entity.
        scale : tuple of float
            Along x, y and z of the files.

        """
        key = (shapes, scale, tuple(id(each) for each in kind.documents))
        if key not in self._bodies:
            paths = {
                each: self.files.find(each.file, each.at, 'Sigverse.ShapeMissing')
                for each in shapes
            }
            self._bodies[key] = _BodyMaker(self, kind, shapes, scale, paths).body()
        return self._bodies[key]

    def nodes(self, path: Path) -> tuple[Node, ...]:
        """Return the nodes of a shape file."""
        if path not in self._nodes:
            files = self.files
            self._nodes[path] = read_shape_file(path, files.folders, files.findings)
        return self._nodes[path]

    def body_file(self, path: Path, file: str) -> tuple[Part, ...]:
        """Return the parts of a body file."""
        if path not in self._body_files:
            self._body_files[path] = read_body(path, self.files.notes(file), self.unit)
        return self._body_files[path]


@dataclass(frozen=True, slots=True)
class _BodyMaker:
    """Makes one body."""

    library: BodyLibrary
    kind: EntityClass
    shapes: tuple[ShapeReference, ...]
    scale: Vector
    paths: Mapping[ShapeReference, Path | None]

    def body(self) -> Body:
        """Join body file, shape files and simple shapes."""
        looks = [each for each in self.shapes if not each.part]
        main = next((each for each in looks if not each.state), None) or next(iter(looks), None)
        parts = self._humanoid(main)
        if parts:
            looks = self._looks_of_humanoid(looks, main)
        else:
            parts = self._body_file() or (Part(ROOT),)
            parts = (self._root_with_looks(parts, looks, main), *parts[1:])
        of_parts = [each for each in self.shapes if each.part]
        for reference in of_parts:
            parts = self._with_look_of_part(parts, reference)
        has_default = any(not each.state for each in looks)
        simple = SimpleShapes(self.library.files, self.library.unit)
        return Body(simple.replace(parts, self.kind), _states([*looks, *of_parts]), has_default)

    def _humanoid(self, main: ShapeReference | None) -> tuple[Part, ...]:
        """Return the parts of the first Humanoid in a shape file, if there is one."""
        path = None if main is None else self.paths[main]
        if path is None or main is None:
            return ()
        humanoid = _first_humanoid(self.library.nodes(path))
        if humanoid is None:
            return ()
        mean = math.prod(self.scale) ** (1.0 / 3.0)
        if not self._is_uniform():
            self._report('Sigverse.ScaleNotUniform', main.at, found=self.scale, mean=f'{mean:g}')
        files = self.library.files
        unit = self.library.unit * (self.scale[0] if self._is_uniform() else mean)
        notes = files.notes(files.folders.name_of(path))
        return read_humanoid(humanoid, HumanoidFile(path, files.folders, notes, unit))

    def _looks_of_humanoid(
        self, looks: Sequence[ShapeReference], main: ShapeReference | None
    ) -> list[ShapeReference]:
        """Return the first look alone: SIGVerse shows no states of humanoids."""
        for each in looks:
            if each is not main:
                self._report('Sigverse.LookOfHumanoid', each.at, found=each.file)
        return []

    def _body_file(self) -> tuple[Part, ...]:
        """Return the parts of the body file of the last class that has one."""
        for document in reversed(self.kind.documents):
            if document.body:
                files = self.library.files
                path = files.find(document.body, document.at, 'Sigverse.BodyMissing')
                return () if path is None else self.library.body_file(path, document.body)
        return ()

    def _root_with_looks(
        self,
        parts: Sequence[Part],
        looks: Sequence[ShapeReference],
        main: ShapeReference | None,
    ) -> Part:
        """Return the root with the shapes of all looks; they collide unless the body does."""
        collides = any(part.shapes for part in parts)
        shapes: list[Shape] = []
        for look in looks:
            found = self._scene(look)
            if look is main and not collides:
                found = with_simple_contacts(found, fit_shape)
            else:
                found = tuple(replace(each, use=ShapeUse.VISUAL) for each in found)
            shapes += _in_state(found, _token(look, looks))
        own = parts[0].shapes
        if shapes:
            own = tuple(replace(each, use=ShapeUse.COLLISION) for each in own)
        return replace(parts[0], shapes=(*own, *shapes))

    def _with_look_of_part(
        self, parts: Sequence[Part], reference: ShapeReference
    ) -> tuple[Part, ...]:
        """Show one part by a shape file of its own."""
        if reference.part not in {part.name for part in parts}:
            self._report('Sigverse.UnknownPart', reference.at, found=reference.part)
            return tuple(parts)
        found = [replace(each, use=ShapeUse.VISUAL) for each in self._scene(reference)]
        if not found:
            return tuple(parts)
        shown = _in_state(found, _token(reference, ()))
        return tuple(
            replace(part, shapes=(*_without_look(part, keep=bool(reference.state)), *shown))
            if part.name == reference.part
            else part
            for part in parts
        )

    def _scene(self, reference: ShapeReference) -> tuple[Shape, ...]:
        """Return the shapes of a file, scaled."""
        path = self.paths[reference]
        if path is None:
            return ()
        files, nodes = self.library.files, self.library.nodes(path)
        unit = self.library.unit
        if self._is_uniform():
            unit *= self.scale[0]
        else:
            fields: dict[str, Value] = {'scale': np.array(self.scale), 'children': nodes}
            nodes = (Node('Transform', '', 0, fields),)
        return shapes_of(nodes, path, files.folders, files.findings, length_unit=unit)

    def _is_uniform(self) -> bool:
        return max(self.scale) - min(self.scale) <= ROUNDING * max(self.scale)

    def _report(self, code: str, at: WrittenAt, **values: object) -> None:
        self.library.files.notes(at.file).add(code, at.where, **values)


def _first_humanoid(nodes: Sequence[Node]) -> Node | None:
    """Return the first Humanoid of a file."""
    waiting = list(reversed(nodes))
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node.type == 'Humanoid':
            return node
        if id(node) not in seen:
            seen.add(id(node))
            waiting += reversed(node.children)
    return None


def _states(looks: Sequence[ShapeReference]) -> dict[str, tuple[str, ...]]:
    """Return the values of each state for which there are looks."""
    values: dict[str, list[str]] = {}
    for look in looks:
        if look.state:
            values.setdefault(look.state, []).append(look.value)
    return {name: tuple(dict.fromkeys(each)) for name, each in values.items()}


def _token(look: ShapeReference, looks: Sequence[ShapeReference]) -> str:
    """Return the state in which a look is shown; one without shows all values without a look."""
    if look.state:
        return f'{look.state}:{look.value}'
    others = (each.state for each in looks if each.state)
    state = next(others, '')
    return f'{state}:' if state else ''


def _in_state(shapes: Sequence[Shape], token: str) -> list[Shape]:
    """Show shapes in a state only; what collides does so in all states."""
    if not token:
        return list(shapes)
    shown = []
    for each in shapes:
        if each.use is not ShapeUse.COLLISION:
            shown.append(replace(each, use=ShapeUse.VISUAL, state=token))
        if each.use is not ShapeUse.VISUAL:
            shown.append(replace(each, use=ShapeUse.COLLISION))
    return shown


def _without_look(part: Part, *, keep: bool) -> list[Shape]:
    """Return the shapes of a part that collide, and those that are looked at if they are kept."""
    if keep:
        return list(part.shapes)
    colliding = (each for each in part.shapes if each.use is not ShapeUse.VISUAL)
    return [replace(each, use=ShapeUse.COLLISION) for each in colliding]
