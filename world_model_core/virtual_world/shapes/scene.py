# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Nodes -> shapes: what a scene shows, in this package's axes and in meters.

The axes of shape files are x to the left, y up and z forward, as SIGVerse uses them: (x, y, z) of
a file is (z, x, y) here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.files.file_findings import FileFindings
from world_model_core.files.parsed_document import read_bytes
from world_model_core.virtual_world.shapes.appearance import Textures, material_of
from world_model_core.virtual_world.shapes.geometry import Geometries
from world_model_core.virtual_world.shapes.named_files import NamedFiles
from world_model_core.virtual_world.shapes.node_types import KNOWN
from world_model_core.virtual_world.shapes.transforms import TRANSFORMS, node_transform
from world_model_core.virtual_world.shapes.vrml import is_vrml, read_vrml
from world_model_core.virtual_world.shapes.x3d import read_x3d
from world_model_core.virtual_world.values import LineSet, Shape, ShapeUse, TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.findings import Findings
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.asset_folders import AssetFolders
    from world_model_core.virtual_world.shapes.nodes import Node
    from world_model_core.virtual_world.values import Texture

__all__ = ['ShapeLimits', 'read_shape_file', 'shapes_of', 'triangle_count']

# The largest original file has 1.7 MB [bytes].
LARGEST_FILE = 50_000_000
# Nodes that are visited for one call: USE of USE grows exponentially.
MOST_VISITS = 50_000
# Files that are open within each other.
MOST_INLINES = 10


@dataclass(frozen=True, slots=True)
class ShapeLimits:
    """
    Largest scene.

    Attributes
    ----------
    triangles_per_shape : int
        A shape with more is left out.
    triangles : int
        Of all shapes of a call; the world's limit less what it has already.
    shapes : int
        Of a call.

    """

    triangles_per_shape: int = 200_000
    triangles: int = 2_000_000
    shapes: int = 5_000


def read_shape_file(path: Path, folders: AssetFolders, findings: Findings) -> tuple[Node, ...]:
    """
    Read a VRML97 or X3D file; which of them, its content decides.

    Parameters
    ----------
    path : Path
        As `AssetFolders.find` returns it.
    folders : AssetFolders
    findings : Findings
        Receives what is wrong.

    Returns
    -------
    tuple of Node
        The nodes at the top; empty after an error.

    """
    name = folders.name_of(path)
    data = read_bytes(path, FileFindings(name, findings), LARGEST_FILE)
    if data is None:
        return ()
    return (read_vrml if is_vrml(data) else read_x3d)(data, name, findings)


def shapes_of(
    nodes: Sequence[Node],
    path: Path,
    folders: AssetFolders,
    findings: Findings,
    *,
    length_unit: float = 1.0,
    limits: ShapeLimits = ShapeLimits(),
) -> tuple[Shape, ...]:
    """
    Return the shapes of nodes and of all nodes below them.

    Transform, Group, Switch, Inline, Joint, Humanoid, Segment and sensors are followed with their
    transforms, so that a robot's nodes give the robot in its initial pose. For one part of a
    robot, give the children of its Segment: the shapes are then in the frame of its Joint.

    Parameters
    ----------
    nodes : sequence of Node
    path : Path
        The file of the nodes: pictures and inlined files are looked for in its folder.
    folders : AssetFolders
        Nothing outside of them is opened.
    findings : Findings
        Receives what is left out.
    length_unit : float
        Length of the file's unit [m].
    limits : ShapeLimits

    Returns
    -------
    tuple of Shape
        In the frame of the nodes, in the order of the file. Meshes have the identity as their
        pose. Boxes, cylinders and spheres stay these where their transform and texture allow it.

    """
    scene = _Scene(folders, findings, length_unit, limits)
    with np.errstate(all='ignore'):  # what overflows is found where geometries are placed
        scene.collect(nodes, path)
    return tuple(scene.shapes)


def triangle_count(shapes: Sequence[Shape]) -> int:
    """Return the number of triangles of all meshes."""
    meshes = [each.geometry for each in shapes if isinstance(each.geometry, TriangleMesh)]
    return sum(len(mesh.triangles) for mesh in meshes)


@dataclass(frozen=True, eq=False, slots=True)
class _Visit:
    """A node that waits, its transform to the frame of the scene, and the files around it."""

    node: Node
    transform: Array
    files: tuple[Path, ...]


@dataclass(slots=True)
class _Scene:
    """Collects shapes; nesting is a list of visits, not recursion."""

    folders: AssetFolders
    findings: Findings
    length_unit: float
    limits: ShapeLimits
    shapes: list[Shape] = field(default_factory=list)
    triangles: int = 0
    reports: dict[Path, FileFindings] = field(default_factory=dict)
    inlined: dict[Path, tuple[Node, ...]] = field(default_factory=dict)
    files: NamedFiles = field(init=False)
    textures: Textures = field(init=False)
    geometries: Geometries = field(init=False)

    def __post_init__(self) -> None:
        self.files = NamedFiles(self.folders)
        self.textures = Textures(self.files)
        self.geometries = Geometries(self.length_unit, self.limits.triangles_per_shape)

    def collect(self, nodes: Sequence[Node], path: Path) -> None:
        """Visit nodes and those below, in the order of the file."""
        waiting = [_Visit(node, np.eye(4), (path,)) for node in reversed(nodes)]
        visits = 0
        while waiting:
            visit = waiting.pop()
            visits += 1
            if visits > MOST_VISITS or len(self.shapes) >= self.limits.shapes:
                limit = MOST_VISITS if visits > MOST_VISITS else self.limits.shapes
                self._add('Shapes.TooManyNodes', visit, limit=limit)
                return
            if visit.node.type == 'Shape':
                self._show(visit)
            if self.triangles > self.limits.triangles:
                self._add('Shapes.TooManyTriangles', visit, limit=self.limits.triangles)
                self.shapes.pop()
                return
            waiting += reversed(self._below(visit))

    def _add(self, code: str, visit: _Visit, **values: object) -> None:
        self._report(visit.files[-1]).add(code, f'line {visit.node.line}', **values)

    def _report(self, path: Path) -> FileFindings:
        if path not in self.reports:
            self.reports[path] = FileFindings(self.folders.name_of(path), self.findings)
        return self.reports[path]

    def _below(self, visit: _Visit) -> list[_Visit]:
        """Return the nodes below a node that are shown."""
        node, transform = visit.node, visit.transform
        if node.type in TRANSFORMS:
            transform = transform @ node_transform(node)
        if node.type == 'Inline':
            return self._inline(visit)
        fields = KNOWN.get(node.type, {})
        children = [
            child
            for name in ('children', 'humanoidBody')
            if name in fields
            for child in node.nodes(name)
        ]
        if node.type == 'Switch':
            choice = int(np.clip(node.number('whichChoice'), -1, len(children)))
            children = children[choice : choice + 1] if choice >= 0 else []
        return [_Visit(child, transform, visit.files) for child in children]

    def _inline(self, visit: _Visit) -> list[_Visit]:
        """Return the nodes of another file: the first of its addresses that can be used."""
        path = self._find_inlined(visit)
        if path is None:
            return []
        if path not in self.inlined:
            self.inlined[path] = read_shape_file(path, self.folders, self.findings)
        files = (*visit.files, path)
        return [_Visit(node, visit.transform, files) for node in self.inlined[path]]

    def _find_inlined(self, visit: _Visit) -> Path | None:
        here = visit.files[-1]
        for address in visit.node.texts('url'):
            path, reason = self.files.find(address, here)
            if path is None:
                self._add('Shapes.InlineMissing', visit, found=address, reason=reason)
            elif path in visit.files or len(visit.files) > MOST_INLINES:
                self._add('Shapes.InlineLoop', visit, found=address, limit=MOST_INLINES)
            else:
                return path
        return None

    def _show(self, visit: _Visit) -> None:
        """Add the shape of a Shape node."""
        node = visit.node.node('geometry')
        if node is None:
            return
        appearance = _node_of(visit.node, 'appearance', 'Appearance')
        texture = self._texture(appearance, visit)
        made = self.geometries.placed(
            node,
            visit.transform,
            self._report(visit.files[-1]),
            textured=texture is not None,
            placing=_node_of(appearance, 'textureTransform', 'TextureTransform'),
        )
        if made is not None:
            geometry, pose = made
            use = ShapeUse.VISUAL if isinstance(geometry, LineSet) else ShapeUse.BOTH
            self.shapes.append(Shape(geometry, pose, use, material_of(appearance, texture)))
            self.triangles += triangle_count(self.shapes[-1:])

    def _texture(self, appearance: Node | None, visit: _Visit) -> Texture | None:
        file = visit.files[-1]
        picture = _node_of(appearance, 'texture', 'ImageTexture')
        return (
            None if picture is None else self.textures.texture(picture, file, self._report(file))
        )


def _node_of(node: Node | None, field_: str, type_: str) -> Node | None:
    """Return the node of a field if it is of a type."""
    found = None if node is None else node.node(field_)
    return found if found is not None and found.type == type_ else None
