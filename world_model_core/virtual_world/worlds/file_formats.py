# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Formats of world files, recognized by their content."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.files.file_findings import FileFindings

__all__ = ['FileFormat', 'recognize']


class FileFormat(Enum):
    """Format of a world file."""

    SIGVERSE = 'sigverse'
    MJCF = 'mjcf'
    URDF = 'urdf'


# By the name of the root element, in lower case.
ROOTS = {
    'mujoco': FileFormat.MJCF,
    'robot': FileFormat.URDF,
    'world': FileFormat.SIGVERSE,
    'define-class': FileFormat.SIGVERSE,
}
# Formats of others, by the root element or the first bytes: glTF 2.0, 4.4.2; USD's crate files.
UNSUPPORTED_ROOTS = {'collada': 'COLLADA', 'sdf': 'SDF', 'x3d': 'X3D'}
UNSUPPORTED_STARTS = {
    b'#usda': 'USD',
    b'PXR-USDC': 'USD',
    b'PK\x03\x04': 'USDZ',
    b'glTF': 'glTF',
    b'#VRML': 'VRML',
}
# The first element after declarations and comments; files of SIGVerse are often not well formed.
_ROOT = re.compile(
    rb'(?:<\?.*?\?>|<!--.*?-->|<![^>\[]*(?:\[[^\]]*\])?\s*>|[^<])*<([\w.:-]+)', re.DOTALL
)
# Characters of a file in which its root must begin.
SEARCHED = 10_000
# Characters of an unknown file in its finding.
SHOWN = 20


def recognize(data: bytes, notes: FileFindings) -> FileFormat | None:
    """Return the format of a file, or None and a finding if it is unknown or not supported."""
    start = data[:SEARCHED].removeprefix(b'\xef\xbb\xbf')
    name = next(
        (UNSUPPORTED_STARTS[each] for each in UNSUPPORTED_STARTS if start.startswith(each)), None
    )
    found = None if name else _ROOT.match(start)
    root = found[1].decode('latin-1').rpartition(':')[2].lower() if found else ''
    if root in ROOTS:
        return ROOTS[root]
    name = name or UNSUPPORTED_ROOTS.get(root)
    if name is None:
        notes.add('Model.FormatUnknown', found=root or start.decode(errors='replace')[:SHOWN])
    else:
        notes.add('Model.FormatUnsupported', found=name)
    return None
