# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A scene, as people look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType


def draw_scene(scene: Mapping[str, Any]) -> RenderableType:
    """Show what is in a scene, a line a part."""
    table = Table(box=None, padding=(0, 2), pad_edge=False, show_header=False)
    for name, text in _parts(scene).items():
        table.add_row(Text(name, style='dim'), Text(text))
    return Panel(table, title=f'scene {scene["scene_id"]}', title_align='left')


def scene_line(scene: Mapping[str, Any]) -> str:
    """Show the most important on one line."""
    parts = _parts(scene)
    return f'scene {scene["scene_id"]}: ' + ', '.join(parts[name] for name in ('splats', 'ground'))


def _parts(scene: Mapping[str, Any]) -> dict[str, str]:
    ground, mesh, warnings = scene['heightmap'], scene['mesh'], scene['findings']['warning']
    size = ' x '.join(f'{ground[side] * ground["resolution"]:.0f}' for side in ('width', 'height'))
    sensors = [f'{name} {sensor["rate"]:g} Hz' for name, sensor in _sensors(scene)]
    return {
        'splats': f'{scene["splats"]["count"]:,} splats',
        'ground': f'{size} m of ground, a node every {ground["resolution"]:g} m',
        'drivable': f'{scene["drivable"]["area"]:.0f} m² to drive on',
        'mesh': 'the ground' if mesh is None else f'{mesh["triangles"]:,} triangles',
        'sensors': ', '.join(sensors) or 'none',
        'warnings': ', '.join(f'{count} {code}' for code, count in warnings.items()) or 'none',
    }


def _sensors(scene: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    return [*scene['cameras'].items(), *scene['lidars'].items()]
