# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""View of a virtual world in `world_model watch`: what is in it, and how often it is published."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

# Classes that are named on one line.
MOST_NAMED = 5
WITHOUT_CLASS = 'other'
# Keys of diagnostics, which begin those of the counts.
AGENTS, REFUSED = 'agents', 'controllers refused'


@dataclass(frozen=True, slots=True)
class WorldView:
    """
    A virtual world.

    Attributes
    ----------
    document : mapping, optional
        Document of topic `world`; None before the first.
    rate : float
        Of `objects/state` [Hz].
    agents : mapping of str to str
        Number of agents and counts by cause, see `agent_counts`.

    """

    document: Mapping[str, Any] | None = None
    rate: float = 0.0
    agents: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether there is anything to show."""
        return self.document is not None


def draw_world(view: WorldView) -> RenderableType:
    """Render the numbers of entities by class."""
    cells = [Text(f'{count} {kind}') for kind, count in sorted(_counts(view).items())]
    shown = Columns(cells, padding=(0, 3)) if cells else Text('no entities', style='dim')
    rate = Text(f'objects/state {view.rate:.0f} Hz', style='dim')
    agents = _agents(view)
    parts = Group(shown, *([Text(agents)] if agents else []), rate)
    return Panel(parts, title=f'world {_name(view)}', title_align='left')


def world_line(view: WorldView) -> str:
    """Summarize the world on one line."""
    counts = _counts(view)
    named = [f'{count} {kind}' for kind, count in counts.most_common(MOST_NAMED)]
    more = ', ...' if len(counts) > MOST_NAMED else ''
    listed = f': {", ".join(named)}{more}' if named else ''
    agents = _agents(view)
    acting = f'; {agents}' if agents else ''
    return f'world {_name(view)}, {sum(counts.values())} entities{listed}{acting}'


def agent_counts(values: Mapping[str, str]) -> dict[str, str]:
    """Return what the values of a diagnostic status say of agents, or nothing."""
    if AGENTS not in values:
        return {}
    return {key: value for key, value in values.items() if key.startswith((AGENTS, REFUSED))}


def _agents(view: WorldView) -> str:
    """Describe the agents; empty if none has come."""
    number = view.agents.get(AGENTS, '0')
    counts = ', '.join(
        f'{key.removeprefix(f"{AGENTS}.")} {value}'
        for key, value in view.agents.items()
        if key != AGENTS
    )
    if number == '0' and not counts:
        return ''
    return f'{number} agents' + (f' ({counts})' if counts else '')


def _name(view: WorldView) -> str:
    return '' if view.document is None else str(view.document['name'])


def _counts(view: WorldView) -> Counter[str]:
    """Count the entities by class."""
    entities = {} if view.document is None else view.document['entities']
    return Counter(each['category'] or WITHOUT_CLASS for each in entities.values())
