# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""View of a virtual world in `world_model watch`: what is in it, and how often it is published."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
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

    """

    document: Mapping[str, Any] | None = None
    rate: float = 0.0

    def __bool__(self) -> bool:
        """Return whether there is anything to show."""
        return self.document is not None


def draw_world(view: WorldView) -> RenderableType:
    """Render the numbers of entities by class."""
    cells = [Text(f'{count} {kind}') for kind, count in sorted(_counts(view).items())]
    shown = Columns(cells, padding=(0, 3)) if cells else Text('no entities', style='dim')
    parts = Group(shown, Text(f'objects/state {view.rate:.0f} Hz', style='dim'))
    return Panel(parts, title=f'world {_name(view)}', title_align='left')


def world_line(view: WorldView) -> str:
    """Summarize the world on one line."""
    counts = _counts(view)
    named = [f'{count} {kind}' for kind, count in counts.most_common(MOST_NAMED)]
    more = ', ...' if len(counts) > MOST_NAMED else ''
    listed = f': {", ".join(named)}{more}' if named else ''
    return f'world {_name(view)}, {sum(counts.values())} entities{listed}'


def _name(view: WorldView) -> str:
    return '' if view.document is None else str(view.document['name'])


def _counts(view: WorldView) -> Counter[str]:
    """Count the entities by class."""
    entities = {} if view.document is None else view.document['entities']
    return Counter(each['category'] or WITHOUT_CLASS for each in entities.values())
