# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reading of shapes that tests write as text."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.shapes.scene import read_shape_file, shapes_of


class ShapeFolder:
    """A folder of shape files, and the findings about them."""

    def __init__(self, folder):
        self.folder = folder
        self.folders = AssetFolders(folder)
        self.findings = world_findings()

    def write(self, name, text):
        """Write a file."""
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def nodes(self, text, name='it.wrl'):
        """Return the nodes of a text."""
        return read_shape_file(self.write(name, text), self.folders, self.findings)

    def vrml(self, body, **options):
        """Return the shapes of VRML97 without its first line."""
        return self.shapes(f'#VRML V2.0 utf8\n{body}', 'it.wrl', **options)

    def x3d(self, body, **options):
        """Return the shapes of the inside of X3D's Scene."""
        return self.shapes(f'<X3D><Scene>{body}</Scene></X3D>', 'it.x3d', **options)

    def shapes(self, text, name, **options):
        """Return the shapes of a whole file."""
        nodes = self.nodes(text, name)
        return shapes_of(nodes, self.folder / name, self.folders, self.findings, **options)

    @property
    def codes(self):
        """Codes of the findings, each once, sorted."""
        return sorted({each.rule.code for each in self.findings.all})


@pytest.fixture
def files(tmp_path):
    """Return a folder of shape files."""
    return ShapeFolder(tmp_path)
