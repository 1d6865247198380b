# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""View of a house in `world_model watch`: objects, question and answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.columns import Columns
from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from world_model_core.objects.values import MapObject, ObjectState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

# Number of classes named on one line.
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class ObjectsView:
    """
    Objects and the current question.

    `counts` are the numbers of confirmed objects by class. `answer` is the document of topic
    `answer`, None without a question.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    answer: Mapping[str, Any] | None = None

    def __bool__(self) -> bool:
        """Return whether there is anything to show."""
        return bool(self.counts) or self.answer is not None


def count_objects(objects: tuple[MapObject, ...]) -> dict[str, int]:
    """Count the confirmed objects by class, most frequent first."""
    confirmed = (thing.label for thing in objects if thing.state is ObjectState.CONFIRMED)
    return dict(Counter(confirmed).most_common())


def draw_objects(view: ObjectsView) -> RenderableType:
    """Render the numbers of objects by class, and the state of the question."""
    title = f'{sum(view.counts.values())} objects'
    cells = [Text(f'{count} {label}') for label, count in sorted(view.counts.items())]
    shown = Columns(cells, padding=(0, 3)) if cells else Text('no objects yet', style='dim')
    parts: list[RenderableType] = [Panel(shown, title=title, title_align='left')]
    if view.answer is not None:
        lines = [Text(str(view.answer['question']), style='bold'), Text(_answer_line(view.answer))]
        parts.append(Panel(Group(*lines), title='question', title_align='left'))
    return Group(*parts)


def objects_line(view: ObjectsView) -> str:
    """Summarize the view on one line."""
    named = [f'{count} {label}' for label, count in list(view.counts.items())[:MOST_NAMED]]
    more = ', ...' if len(view.counts) > MOST_NAMED else ''
    line = f'{sum(view.counts.values())} objects' + (
        f': {", ".join(named)}{more}' if named else ''
    )
    return line if view.answer is None else f'{line} | {_answer_line(view.answer)}'


def _answer_line(document: Mapping[str, Any]) -> str:
    """Summarize the document of an answer on one line."""
    answer = document['answer']
    if answer is None:
        return str(document['decision'])
    line = {
        'numerical': '{count}',
        'reference': '{object[class]} {object[id]}',
        'instruction': 'route',
        'none': 'no answer: {missing}',
    }[answer['type']].format_map({**answer, 'missing': _missing(answer)})
    sure = f' (probability {answer["probability"]:.0%})' if 'probability' in answer else ''
    return f'{line}{sure}, {document["decision"]}, {document["elapsed"]:.0f} s'


def _missing(answer: Mapping[str, Any]) -> str:
    """Return the words and objects that an answer lacks."""
    return ', '.join(answer.get('missing', ())) or 'nothing found'
