# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reader of world.yaml, the manifest of a bundle."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.bundle_paths import WORLD, Version, find_file
from world_model_core.bundle.values import Manifest
from world_model_core.files.mapping_schemas import MappingSchema, optional, read_mapping
from world_model_core.files.value_schemas import ListOf, Text
from world_model_core.files.yaml_reader import read_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.files.parsed_document import ValueLocation
    from world_model_core.findings import Findings

# Valid endings of file names, by kind of file and by place in world.yaml.
SUFFIXES = {
    'metadata': ('.json',),
    'gaussians/background': ('.ply', '.npz'),
    'gaussians/render_config': ('.json',),
    'geometry/heightmap': ('.bin',),
    'geometry/heightmap_meta': ('.yaml', '.yml'),
    'geometry/drivable': ('.geojson', '.json'),
    'geometry/static_mesh': ('.glb',),
    'sensors/calibration': ('.yaml', '.yml'),
    'sensors/tf_static': ('.json',),
    'sim/timebase': ('.yaml', '.yml'),
    'preview/overview': ('.png',),
}
# Names of folders that the contract reserves.
EXTENSIONS = ('actors', 'hdmap', 'traffic', 'scenarios')
# Names that are valid for folders, frames and parts of topics.
PLAIN_NAME = re.compile(r'[A-Za-z0-9][A-Za-z0-9_.-]*')


def read_manifest(folder: Path, findings: Findings) -> Manifest | None:
    """
    Read world.yaml.

    Parameters
    ----------
    folder : Path
        The bundle.
    findings : Findings
        Receives the findings.

    Returns
    -------
    Manifest or None
        None if there is an error. Its paths are not checked; see `BundlePaths`.

    """
    if not folder.is_dir():
        findings.add('Bundle.NotAFolder', '', found=folder)
        return None
    path = find_file(folder, WORLD, findings, missing='Bundle.WorldMissing', file='')
    if path is None:
        return None
    manifest: Manifest | None = read_mapping(read_yaml(path, WORLD, findings), _WORLD)
    return manifest


def _make(fields: dict[str, Any], location: ValueLocation) -> Manifest:
    preview = fields['preview'] or {}
    sections = {name: fields[name] for name in ('gaussians', 'geometry', 'sensors', 'sim')} | {
        'preview': preview
    }
    paths = {'metadata': fields['metadata']} | {
        f'{section}/{name}': path
        for section, members in sections.items()
        for name, path in members.items()
        if name not in {'extra', 'cameras'} and path is not None
    }
    _check_paths(paths, location)
    if PLAIN_NAME.fullmatch(fields['scene_id']) is None:
        location.member('scene_id').report('World.SceneIdUnusual', found=fields['scene_id'])
    cameras = preview.get('cameras') or ()
    return Manifest(fields['version'], fields['scene_id'], paths, tuple(cameras), fields['extra'])


def _check_paths(paths: dict[str, str], location: ValueLocation) -> None:
    """Report files that are named twice, and names with the ending of another kind of file."""
    places: dict[str, str] = {}
    for place, path in paths.items():
        here = _at(location, place)
        suffix = PurePosixPath(path).suffix.lower()
        if suffix not in SUFFIXES[place]:
            here.report('World.UnusualSuffix', found=path, suffixes=', '.join(SUFFIXES[place]))
        other = places.setdefault(normpath(path), place)
        if other != place:
            here.report('World.PathTwice', found=path, other=f'/{other}')


def _at(location: ValueLocation, place: str) -> ValueLocation:
    for key in place.split('/'):
        location = location.member(key)
    return location


_GAUSSIANS = MappingSchema({'background': Text(), 'render_config': Text()})
_GEOMETRY = MappingSchema(
    {
        'heightmap': Text(),
        'heightmap_meta': Text(),
        'drivable': Text(),
        'static_mesh': optional(Text()),
    }
)
_SENSORS = MappingSchema({'calibration': Text(), 'tf_static': Text()})
_SIM = MappingSchema({'timebase': Text()})
_PREVIEW = MappingSchema({'overview': optional(Text()), 'cameras': optional(ListOf(Text()))})
_WORLD = MappingSchema(
    {
        'version': Version(),
        'scene_id': Text(),
        'metadata': Text(),
        'gaussians': _GAUSSIANS,
        'geometry': _GEOMETRY,
        'sensors': _SENSORS,
        'sim': _SIM,
        'preview': optional(_PREVIEW),
    },
    _make,
    dict.fromkeys(EXTENSIONS, 'World.Extension'),
)
