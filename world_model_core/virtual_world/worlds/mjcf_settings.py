# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Settings of MJCF files: the compiler's, which models keep, and the options of the world."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from world_model_core.virtual_world.worlds.model_numbers import numbers
from world_model_core.virtual_world.xml_files import attributes_of, place

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from world_model_core.files.file_findings import FileFindings
    from world_model_core.virtual_world.values import Vector

__all__ = [
    'CompilerSettings',
    'WorldOption',
    'check_memory',
    'read_compiler',
    'read_option',
]

# Attributes of the compiler that models keep. Others name folders, or change all bodies at once.
KEPT = {
    'alignfree', 'angle', 'autolimits', 'balanceinertia', 'boundinertia', 'boundmass', 'eulerseq',
    'fitaabb', 'inertiafromgeom', 'inertiagrouprange',
}  # fmt: skip
# Factors of the suffixes of `<size memory>`.
_FACTORS = {'k': 2**10, 'm': 2**20, 'g': 2**30, 't': 2**40, 'p': 2**50, 'e': 2**60}
# MuJoCo's defaults of `<option>` [m/s^2, s], and the longest step that is of any use [s].
GRAVITY, STEP, LONGEST_STEP = (0.0, 0.0, -9.81), 0.002, 0.1


@dataclass(slots=True)
class CompilerSettings:
    """
    Settings of the compiler.

    Attributes
    ----------
    kept : dict of str to str
        Attributes that models keep.
    mesh_folder, texture_folder : str
        Folders of files, as written.
    strip_path : bool
        Whether the folders in names of files are ignored.

    """

    kept: dict[str, str] = field(default_factory=dict)
    mesh_folder: str = ''
    texture_folder: str = ''
    strip_path: bool = False

    @property
    def angle_unit(self) -> float:
        """The unit of angles [rad]."""
        return 1.0 if self.kept.get('angle') == 'radian' else math.pi / 180.0

    def file(self, named: str, folder: str) -> str:
        """Return the path of a file, relative to the main file."""
        if '://' in named:
            return named
        if self.strip_path:
            named = PurePosixPath(named).name
        return f'{folder.rstrip("/")}/{named}' if folder and named[:1] != '/' else named


@dataclass(frozen=True, slots=True)
class WorldOption:
    """Gravity [m/s^2] and duration of a physics step [s]."""

    gravity: Vector = GRAVITY
    step: float = STEP


def read_compiler(root: Element) -> CompilerSettings:
    """Read all `compiler` elements; the last value of an attribute counts."""
    settings = CompilerSettings()
    for element in root.iter('compiler'):
        for name, value in attributes_of(element).items():
            if name in KEPT:
                settings.kept[name] = value
            if name in {'assetdir', 'meshdir'}:
                settings.mesh_folder = value
            if name in {'assetdir', 'texturedir'}:
                settings.texture_folder = value
            if name == 'strippath':
                settings.strip_path = value == 'true'
    return settings


def read_option(root: Element, notes: FileFindings) -> WorldOption:
    """Read all `option` elements; the last value of an attribute counts."""
    gravity, step = GRAVITY, STEP
    for element in root.iterfind('option'):
        x, y, z = numbers(element, 'gravity', gravity, notes)
        gravity = (x, y, z)
        (step,) = numbers(element, 'timestep', (step,), notes)
        if not 0.0 < step <= LONGEST_STEP:
            notes.add('Model.NumberInvalid', place(element), name='timestep', found=step)
            step = STEP
        for flag in element.iterfind('flag'):
            gravity = (0.0, 0.0, 0.0) if flag.get('gravity') == 'disable' else gravity
    return WorldOption(gravity, step)


def check_memory(root: Element, limit: int, notes: FileFindings) -> None:
    """Report memory above a limit [bytes]; the physics chooses it by itself otherwise."""
    for element in root.iterfind('size'):
        text = element.get('memory', '-1').strip().lower()
        factor = _FACTORS.get(text[-1:], 1)
        digits = text[:-1] if factor > 1 else text
        if not digits.lstrip('-').isdecimal():
            notes.add('Model.NumberInvalid', place(element), name='memory', found=text)
        elif int(digits[:20]) * factor > limit:
            notes.add('Mjcf.MemoryTooLarge', place(element), found=text, limit=limit)
