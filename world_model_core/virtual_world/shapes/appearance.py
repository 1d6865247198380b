# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Appearance nodes -> materials with textures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.files.file_findings import FileFindings
from world_model_core.files.parsed_document import read_bytes
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.pictures import read_picture
from world_model_core.virtual_world.values import Material, Texture

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.virtual_world.shapes.named_files import NamedFiles
    from world_model_core.virtual_world.shapes.nodes import Node

__all__ = ['Textures', 'material_of']

LARGEST_PICTURE = 100_000_000  # [bytes]
WHITE = (1.0, 1.0, 1.0)
BLACK = (0.0, 0.0, 0.0)


class Textures:
    """
    Reads pictures, each file once.

    Parameters
    ----------
    files : NamedFiles

    """

    def __init__(self, files: NamedFiles) -> None:
        self.files = files
        self.named: dict[tuple[Path, str], Texture | None] = {}
        self.pictures: dict[Path, tuple[Texture | None, str]] = {}

    def texture(self, node: Node, file: Path, findings: FileFindings) -> Texture | None:
        """
        Return the picture of an ImageTexture.

        Parameters
        ----------
        node : Node
        file : Path
            The file that names the picture, which is looked for in its folder.
        findings : FileFindings
            Receives why it cannot be used, once for each address.

        Returns
        -------
        Texture or None
            The first of its addresses that can be used.

        """
        for address in node.texts('url'):
            if (file, address) not in self.named:
                texture, reason = self._read(address, file)
                self.named[file, address] = texture
                if texture is None:
                    place = f'line {node.line}'
                    findings.add('Shapes.TextureMissing', place, found=address, reason=reason)
            if (texture := self.named[file, address]) is not None:
                return texture
        return None

    def _read(self, address: str, file: Path) -> tuple[Texture | None, str]:
        """Return a picture; without one, the reason."""
        path, reason = self.files.find(address, file)
        if path is None:
            return None, reason
        if path not in self.pictures:
            reasons = FileFindings(address, world_findings())
            content = read_bytes(path, reasons, LARGEST_PICTURE)
            data = None if content is None else read_picture(content, address, reasons)
            name = self.files.folders.name_of(path)
            self.pictures[path] = (
                (None, reasons.findings.all[0].message())
                if data is None
                else (Texture(name, data), '')
            )
        return self.pictures[path]


def material_of(node: Node | None, texture: Texture | None) -> Material:
    """
    Return the material of an Appearance.

    Parameters
    ----------
    node : Node, optional
        None: the shape has no appearance.
    texture : Texture, optional
        None: it has no texture, or one that cannot be read.

    """
    material = None if node is None else node.node('material')
    if material is None or material.type != 'Material':  # unlit white (VRML97, 4.14.4)
        return Material(color=(*WHITE, 1.0), texture=texture)
    color = _color(material, 'diffuseColor')
    wants_texture = node is not None and node.node('texture') is not None
    if texture is not None:  # replaces the color (VRML97, 4.14.4)
        color = WHITE
    elif wants_texture and color == BLACK:  # of exporters that leave the color to the texture
        color = Material().color[:3]
    opacity = 1.0 - material.number('transparency')
    return Material(
        color=(*color, float(np.clip(opacity, 0.0, 1.0))),
        emission=_color(material, 'emissiveColor'),
        specular=_color(material, 'specularColor'),
        shininess=float(np.clip(material.number('shininess'), 0.0, 1.0)),
        texture=texture,
    )


def _color(node: Node, field: str) -> tuple[float, float, float]:
    red, green, blue = np.clip(node.vector(field), 0.0, 1.0).tolist()
    return (red, green, blue)
