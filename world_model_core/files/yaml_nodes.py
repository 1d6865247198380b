# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes of a YAML document, composed from the events of a parser within limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.nodes import ScalarNode
from yaml.reader import Reader
from yaml.resolver import Resolver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml.events import Event

# libyaml, if PyYAML was built with it, is ten times as fast: a megabyte takes less than 1 s.
_LOADER: type[Any] = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
_resolver: Any = Resolver()
_PREFIX = 'tag:yaml.org,2002:'


class YamlSyntaxError(Exception):
    """
    A document cannot be parsed; the reader converts this error to a finding.

    Attributes
    ----------
    code : str
        Code of a rule.
    line : int
    values : dict
        Values for the texts of the rule.

    """

    def __init__(self, code: str, line: int, **values: Any) -> None:
        super().__init__(code)
        self.code, self.line, self.values = code, line, values


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, its type in YAML 1.1 ('str', 'int', ...), and whether it has no quotes."""

    text: str
    kind: str
    is_plain: bool
    line: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """Items; `tag` is None unless the file has a tag that YAML does not define."""

    items: list[Node]
    tag: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """Pairs of keys and values; see Sequence for `tag`."""

    pairs: list[tuple[Node, Node]]
    tag: str | None
    line: int


Node: TypeAlias = 'Scalar | Sequence | Mapping'


def compose(text: str, deepest: int) -> Node:
    """
    Compose the only document of a text.

    Raises
    ------
    YamlSyntaxError
        The text is not YAML, is nested deeper than `deepest`, has an unknown alias, or has more
        than one document.

    """
    try:
        return _Composition(text, deepest).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (0, 0) if mark is None else (mark.line, mark.column)
        found = error.problem or error.context or 'YAML'
        # libyaml reports a token that is missing at the end on the line after the last one.
        line = min(line + 1, len(text.splitlines()))
        raise YamlSyntaxError('File.NotYaml', line, found=found, column=column + 1) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # Control characters; escapes of characters that do not exist raise errors of Python.
        found = str(getattr(error, 'reason', error))
        raise YamlSyntaxError(
            'File.NotYaml', _unprintable_line(text), found=found, column=1
        ) from error


def _unprintable_line(text: str) -> int:
    """Return the line of the first character that YAML does not allow."""
    first = Reader.NON_PRINTABLE.search(text)
    return 1 if first is None else text.count('\n', 0, first.start()) + 1


class _Composition:
    """Composes nodes from the events of a text."""

    def __init__(self, text: str, deepest: int) -> None:
        self._events: Iterator[Event] = yaml.parse(text, Loader=_LOADER)
        self._deepest = deepest
        self._anchors: dict[str, Node] = {}

    def document(self) -> Node:
        """Compose the document."""
        root: Node | None = None
        for event in self._events:
            if isinstance(event, DocumentStartEvent):
                if root is not None:
                    raise YamlSyntaxError('File.SeveralDocuments', _line(event))
                root = self._node(next(self._events), 0)
        # A file that has only comments is null in YAML.
        return Scalar('', 'null', is_plain=True, line=1) if root is None else root

    def _node(self, event: Event, depth: int) -> Node:
        line = _line(event)
        if depth > self._deepest:
            raise YamlSyntaxError('File.TooDeep', line, limit=self._deepest)
        if isinstance(event, AliasEvent):
            if event.anchor not in self._anchors:
                raise YamlSyntaxError('File.UnknownAlias', line, found=f'*{event.anchor}')
            return self._anchors[event.anchor]
        node: Node
        if isinstance(event, ScalarEvent):
            node = _scalar(event, line)
        elif isinstance(event, SequenceStartEvent):
            node = Sequence(list(self._items(depth)), _own_tag(event, 'seq'), line)
        else:
            node = Mapping(list(self._pairs(depth)), _own_tag(event, 'map'), line)
        # Registered last: an alias inside its own anchor would recurse without end.
        anchor: str | None = getattr(event, 'anchor', None)
        if anchor is not None:
            self._anchors[anchor] = node
        return node

    def _items(self, depth: int) -> Iterator[Node]:
        while not isinstance(event := next(self._events), SequenceEndEvent):
            yield self._node(event, depth + 1)

    def _pairs(self, depth: int) -> Iterator[tuple[Node, Node]]:
        while not isinstance(event := next(self._events), MappingEndEvent):
            key = self._node(event, depth + 1)
            yield key, self._node(next(self._events), depth + 1)


def _scalar(event: ScalarEvent, line: int) -> Scalar:
    is_plain = event.implicit[0] and event.tag is None
    if event.tag in {None, '!'}:
        tag = _resolver.resolve(ScalarNode, event.value, (is_plain, not is_plain))
    else:
        tag = event.tag
    return Scalar(event.value, str(tag).removeprefix(_PREFIX), is_plain, line)


def _own_tag(event: Event, kind: str) -> str | None:
    tag: str | None = getattr(event, 'tag', None)
    return None if tag in {None, '!', f'{_PREFIX}{kind}'} else tag


def _line(event: Event) -> int:
    return 1 if event.start_mark is None else event.start_mark.line + 1
