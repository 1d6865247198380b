# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Appearance nodes -> materials with textures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.files.file_findings import FileFindings
from world_model_core.files.parsed_document import read_bytes
from world_model_core.findings import Findings
from world_model_core.virtual_world.pictures import read_picture
from world_model_core.virtual_world.values import Material, Texture

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.virtual_world.asset_folders import AssetFolders
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
    folders : AssetFolders
        Nothing outside of them is opened.

    """

    def __init__(self, folders: AssetFolders) -> None:
        self.folders = folders
        self.named: dict[tuple[str, Path, str], Texture | None] = {}
        self.pictures: dict[Path, Texture | None] = {}

    def texture(self, node: Node, file: Path, findings: FileFindings) -> Texture | None:
        """
        Return the picture of an ImageTexture.

        Parameters
        ----------
        node : Node
        file : Path
            The file that names the picture, beside which it is looked for.
        findings : FileFindings
            Receives why it cannot be used, once for each address.

        Returns
        -------
        Texture or None

        """
        for address in node.texts('url'):
            key = (findings.file, file.parent, address)
            if key not in self.named:
                self.named[key] = self._find(address, node, file, findings)
            if (texture := self.named[key]) is not None:
                return texture
        return None

    def _find(
        self, address: str, node: Node, file: Path, findings: FileFindings
    ) -> Texture | None:
        reasons = FileFindings('', Findings(findings.findings.catalog))
        path = self.folders.find(address, reasons, beside=(file.parent,))
        if path is not None and path not in self.pictures:
            self.pictures[path] = self._read(path, address, reasons)
        texture = None if path is None else self.pictures[path]
        if texture is None:
            reason = next((each.message() for each in reasons.findings.all), 'as before')
            place = f'line {node.line}'
            findings.add('Shapes.TextureMissing', place, found=address, reason=reason)
        return texture

    def _read(self, path: Path, address: str, reasons: FileFindings) -> Texture | None:
        content = read_bytes(path, reasons, LARGEST_PICTURE)
        data = None if content is None else read_picture(content, address, reasons)
        return None if data is None else Texture(self.folders.name_of(path), data)


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
