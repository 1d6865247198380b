# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world info`: entities of a virtual world, and findings about its files."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from world_model_core.bundle.checking.bundle_report import by_severity
from world_model_core.findings import printable
from world_model_core.virtual_world.finding_catalog import WorldFileError
from world_model_core.virtual_world.values import TriangleMesh
from world_model_nodes.commands.bundle_validate import STYLES
from world_model_nodes.commands.world_source import load_named_world

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.findings import Finding
    from world_model_core.virtual_world.values import Entity, World

# What is counted of each entity; models of MuJoCo are not looked into.
COUNTED = ('parts', 'joints', 'shapes', 'triangles')


def print_world(path: Path, assets: Sequence[Path], language: str, *, as_json: bool) -> bool:
    """
    Read a world, and print its contents and findings as a table or JSON.

    Returns
    -------
    bool
        Whether the world can be used; if not, the findings say why.

    """
    try:
        world, loaded = load_named_world(path, assets)
        contents, findings = _contents(world), by_severity(loaded.all)
    except WorldFileError as error:
        contents, findings = {}, error.findings
    if as_json:
        document = {**contents, 'findings': [each.document(language) for each in findings]}
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + '\n')
        return bool(contents)
    # Names from files may look like markup.
    console = Console(soft_wrap=True, markup=False, highlight=False)
    if contents:
        console.print(_entity_table(contents))
    _print_findings(findings, language, console)
    return bool(contents)


def _contents(world: World) -> dict[str, Any]:
    return {
        'world': world.name,
        'gravity': world.gravity,
        'step': world.step,
        'entities': [_entity(each) for each in world.entities],
    }


def _entity(entity: Entity) -> dict[str, Any]:
    shapes = [shape for part in entity.parts for shape in part.shapes]
    meshes = [each.geometry for each in shapes if isinstance(each.geometry, TriangleMesh)]
    counts = (
        len(entity.parts),
        sum(part.joint is not None for part in entity.parts),
        len(shapes),
        sum(len(mesh.triangles) for mesh in meshes),
    )
    return {
        'name': entity.name,
        'category': entity.category,
        'format': 'parts' if entity.model is None else entity.model.format.value,
        'mode': _mode(entity),
        **dict(zip(COUNTED, counts if entity.model is None else (None,) * 4, strict=True)),
    }


def _mode(entity: Entity) -> str:
    """Return how an entity moves."""
    if not entity.movable:
        return 'fixed'
    return 'dynamics' if entity.dynamics else 'held'


def _entity_table(contents: dict[str, Any]) -> Table:
    entities = contents['entities']
    x, y, z = contents['gravity']
    title = f'{contents["world"]}: {len(entities)} entities, gravity {x:g} {y:g} {z:g} m/s2'
    table = Table(title=printable(title), title_justify='left', box=None)
    for name in ('entity', 'class', 'mode'):
        table.add_column(name)
    for name in COUNTED:
        table.add_column(name, justify='right')
    for each in entities:
        words = (each['name'], each['category'], each['mode'])
        table.add_row(*map(printable, words), *(_count(each[name]) for name in COUNTED))
    totals = (sum(each[name] or 0 for each in entities) for name in COUNTED)
    table.add_row('total', '', '', *map(str, totals), style='bold')
    return table


def _count(number: int | None) -> str:
    return '-' if number is None else str(number)


def _print_findings(findings: Sequence[Finding], language: str, console: Console) -> None:
    """Print a line for each finding."""
    for each in findings:
        severity = each.rule.severity
        place = ' '.join(filter(None, (each.file, each.where)))
        text = f'{severity.value}: {place}: {each.rule.code}: {each.message(language)}'
        console.print(Text(printable(text), STYLES[severity]))
    if not findings:
        console.print('no findings')
