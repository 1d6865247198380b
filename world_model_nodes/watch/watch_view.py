# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A snapshot as people look at it: pages for a terminal, or a line for a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from world_model_core.view.health import LEVELS, worst_node
from world_model_nodes.bundle.watch_view import draw_scene, scene_line
from world_model_nodes.match.watch_view import draw_match, match_line
from world_model_nodes.objects.watch_view import draw_objects, objects_line
from world_model_nodes.uncertainty.watch_view import draw_fleet, fleet_line
from world_model_nodes.virtual_world.watch_view import draw_world, world_line
from world_model_nodes.watch.pages import paginate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console, RenderableType

    from world_model_core.view.health import NodeHealth
    from world_model_nodes.watch.snapshot import WatchSnapshot

# By the level of a diagnostic_msgs/DiagnosticStatus.
LEVEL_STYLES = ('green', 'yellow', 'bold red', 'bold red')
# Lines of a terminal without a part: two above the parts, and the one of the cursor.
UNUSED_LINES = 3


def draw_page(snapshot: WatchSnapshot, console: Console, number: int) -> RenderableType:
    """
    Draw a page of the parts of all scenarios that sent anything, and of the health of all nodes.

    Parameters
    ----------
    snapshot : WatchSnapshot
    console : Console
        The page fits into its width and height.
    number : int
        Number of the page from 0 on; after the last page follows the first.

    """
    pages = paginate(_parts(snapshot), console, max(console.height - UNUSED_LINES, 1))
    number %= len(pages)
    title = f'page {number + 1} of {len(pages)} (space, b) · ' if len(pages) > 1 else ''
    heads = (
        Text.assemble(
            ('world model', 'bold'), f' · {snapshot.elapsed:.1f} s · {title}Ctrl-C ends'
        ),
        _health_line(snapshot.health),
    )
    for head in heads:
        head.truncate(console.width, overflow='ellipsis')
    return Group(*heads, pages[number])


def _parts(snapshot: WatchSnapshot) -> list[RenderableType]:
    """Return what was received, part by part; a part fits into a small terminal."""
    parts: list[RenderableType] = []
    if snapshot.match:
        parts += draw_match(snapshot.match)
    if snapshot.scene is not None:
        parts.append(draw_scene(snapshot.scene))
    if snapshot.objects:
        parts.append(draw_objects(snapshot.objects))
    if snapshot.fleet:
        parts.append(draw_fleet(snapshot.fleet))
    if snapshot.world:
        parts.append(draw_world(snapshot.world))
    parts = parts or [Text('no data received yet', style='dim')]
    return [*parts, _health(snapshot.health)] if snapshot.health else parts


def draw_line(snapshot: WatchSnapshot) -> str:
    """Write the most important of every scenario that sent anything on one line, for a log."""
    parts = []
    if snapshot.match:
        parts.append(match_line(snapshot.match))
    if snapshot.objects:
        parts.append(objects_line(snapshot.objects))
    if snapshot.scene is not None:
        parts.append(scene_line(snapshot.scene))
    if snapshot.fleet:
        parts.append(fleet_line(snapshot.fleet))
    if snapshot.world:
        parts.append(world_line(snapshot.world))
    problems = [
        f'{node} {LEVELS[health.current.level]}: {health.current.message}'
        for node, health in snapshot.health.items()
        if health.current.level
    ]
    parts = parts or ['no data received yet']
    return ' | '.join([f'{snapshot.elapsed:6.1f} s', *parts, *problems])


def _health_line(health: Mapping[str, NodeHealth]) -> Text:
    """Return the number of nodes and the worst status on one line."""
    if not health:
        return Text('no node reports its health on /diagnostics', style='dim')
    count = f'{len(health)} node{"" if len(health) == 1 else "s"}'
    node, worst, wrong = worst_node(health)
    if not worst.level:
        return Text.assemble((LEVELS[0], LEVEL_STYLES[0]), f' {count}')
    level = (LEVELS[worst.level], LEVEL_STYLES[worst.level])
    message = ' '.join(worst.message.split())
    return Text.assemble(level, f' {wrong} of {count}: {node}: {message}')


def _health(health: Mapping[str, NodeHealth]) -> RenderableType:
    table = Table(box=None, padding=(0, 2), pad_edge=False, show_header=False)
    for node, reported in sorted(health.items()):
        now = reported.current
        level = Text(LEVELS[now.level], style=LEVEL_STYLES[now.level])
        table.add_row(level, Text(node), Text(now.message, style='dim' if not now.level else ''))
    return Panel(table, title='nodes', title_align='left', border_style='dim')
