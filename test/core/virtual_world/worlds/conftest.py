# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Worlds of SIGVerse in a folder of a test."""

from __future__ import annotations

import pytest

from world_model_core.virtual_world.worlds.sigverse import read_sigverse_world

CUP = """<define-class name="Cup" inherit="Entity.xml">
  <x3d><filename>cup.wrl</filename></x3d>
</define-class>"""
# A box of 2 x 4 x 6 in units of the file.
BOX_WRL = '#VRML V2.0 utf8\nShape { geometry Box { size 2 4 6 } }\n'


class WorldFolder:
    """Writes the files of a world, and reads the world."""

    def __init__(self, path):
        self.path = path
        self.write('Cup.xml', CUP)
        self.write('cup.wrl', BOX_WRL)

    def write(self, name, text):
        """Write a file; return its path."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, content, attributes='name="test"', **options):
        """Read a world with some elements; return it and its findings."""
        path = self.write('world.xml', f'<world {attributes}>{content}</world>')
        return read_sigverse_world(path, **options)

    def cup(self, settings=None, inside='', **options):
        """Read a world with one cup; return the cup and the codes of the findings."""
        # A cup that moves would fall through the floor, as it does not collide.
        settings = {'name': 'cup', 'dynamics': 'false', **(settings or {})}
        values = ''.join(
            f'<set-attr-value name="{name}" value="{value}"/>' for name, value in settings.items()
        )
        world, findings = self.read(
            f'<instanciate class="Cup.xml">{values}{inside}</instanciate>', **options
        )
        return world.entities[0], self.codes(findings)

    @staticmethod
    def codes(findings):
        """Return the codes of findings, but that of the classes that no test writes."""
        codes = [each.rule.code for each in findings.all]
        return [code for code in codes if code != 'Sigverse.BuiltinClass']


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the class Cup."""
    return WorldFolder(tmp_path)
