# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
YAML, read strictly: the same values as PyYAML's safe_load, and how each is written.

PyYAML reads 1e-5 as a text, 2026_02_14 and 12:30 as numbers, no as false, and keeps the last of
two equal keys. Files are read here as programs that use PyYAML will read them; since it is kept
how each scalar is written, the readers of fields can tell what was meant. Nothing here makes
Python objects of tags, and aliases cannot multiply without end.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from yaml.constructor import SafeConstructor
from yaml.nodes import ScalarNode

from world_model_core.bundle.files.json_syntax import DEEPEST, MOST_DIGITS
from world_model_core.bundle.files.syntax import UNUSABLE, Document, Mark, Notes, escape
from world_model_core.bundle.files.text_file import read_text
from world_model_core.bundle.files.yaml_nodes import Mapping, Scalar, Sequence, Trouble, compose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from world_model_core.bundle.files.yaml_nodes import Node
    from world_model_core.bundle.findings import Findings

# The contract expects less than 1 MB of every small file [bytes].
LARGEST = 2**20
# Values, counted wherever an alias puts them: ten times what 1 MB of numbers holds is an attack.
MOST_VALUES = 200_000

_scalars = SafeConstructor()
# What the tags of YAML's core schema stand for; dates are kept as they are written.
_CONSTRUCTORS: dict[str, Callable[[ScalarNode], Any]] = {
    'null': _scalars.construct_yaml_null,
    'bool': _scalars.construct_yaml_bool,
    'int': _scalars.construct_yaml_int,
    'float': _scalars.construct_yaml_float,
}
_TEXTS = {'str', 'timestamp'}
# << and =, which PyYAML refuses as values.
_SIGNS = {'merge', 'value'}


def read_yaml(
    path: Path, file: str, findings: Findings, largest: int = LARGEST
) -> Document | None:
    """
    Read a YAML file.

    Parameters
    ----------
    path : Path
    file : str
        How the findings name it.
    findings : Findings
        Are added to: what is not YAML, repeated keys, keys that are no texts, tags, aliases of
        nothing, and what is deeper than `DEEPEST`, has more than `MOST_VALUES` values or is larger
        than `largest` bytes.

    Returns
    -------
    Document or None
        None if it cannot be parsed at all.

    """
    notes = Notes(file, findings)
    text = read_text(path, notes, largest)
    return None if text is None else parse_yaml(text, notes)


def parse_yaml(text: str, notes: Notes) -> Document | None:
    """Parse YAML, as `read_yaml` says."""
    try:
        node = compose(text, DEEPEST)
        construction = _Construction(notes)
        value = construction.value(node, '', 0)
    except Trouble as trouble:
        notes.add(trouble.code, f'line {trouble.line}', **trouble.values)
        return None
    return Document(value, notes, construction.marks)


class _Construction:
    """
    Makes values of nodes.

    Attributes
    ----------
    marks : dict of Mark
        By JSON pointer, of all scalars.

    """

    def __init__(self, notes: Notes) -> None:
        self.marks: dict[str, Mark] = {}
        self._notes = notes
        self._count = 0

    def value(self, node: Node, pointer: str, depth: int) -> Any:
        """Make the value of a node that stands at a pointer."""
        self._count += 1
        if self._count > MOST_VALUES:
            raise Trouble('File.TooManyValues', node.line, limit=MOST_VALUES)
        if depth > DEEPEST:
            raise Trouble('File.TooDeep', node.line, limit=DEEPEST)
        if isinstance(node, Scalar):
            self.marks[pointer] = Mark(node.line, node.text, node.kind, node.is_plain)
            return self._scalar(node, pointer)
        if node.tag is not None:
            self._notes.add('File.UnknownTag', pointer, found=node.tag, line=node.line)
            return UNUSABLE
        if isinstance(node, Sequence):
            below = enumerate(node.items)
            return [self.value(item, f'{pointer}/{key}', depth + 1) for key, item in below]
        return self._mapping(node, pointer, depth)

    def _mapping(self, node: Mapping, pointer: str, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for key, item in self._merged(node, pointer, 0):
            members[key] = self.value(item, f'{pointer}/{escape(key)}', depth + 1)
        return members

    def _merged(self, node: Mapping, pointer: str, depth: int) -> Iterator[tuple[str, Node]]:
        """Go through the pairs of a mapping: first those that << brings, so that its own win."""
        if depth > DEEPEST:
            raise Trouble('File.TooDeep', node.line, limit=DEEPEST)
        own: dict[str, Node] = {}
        brought: list[tuple[str, Node]] = []
        for key, item in node.pairs:
            self._count += 1
            if isinstance(key, Scalar) and key.kind == 'merge':
                if brought:
                    self._notes.add('File.DuplicateKey', pointer, found='<<', line=key.line)
                brought += self._brought(item, pointer, depth)
            else:
                self._take(own, key, item, pointer)
        pairs = dict(reversed(brought))
        yield from {**pairs, **own}.items()

    def _brought(self, item: Node, pointer: str, depth: int) -> list[tuple[str, Node]]:
        """Take what << brings, of several mappings the first above the others."""
        mappings = item.items if isinstance(item, Sequence) else [item]
        pairs: list[tuple[str, Node]] = []
        for each in mappings:
            if not isinstance(each, Mapping):
                raise Trouble('File.NotYaml', item.line, found='<<', column=1)
            pairs += self._merged(each, pointer, depth + 1)
            if self._count + len(pairs) > MOST_VALUES:
                raise Trouble('File.TooManyValues', item.line, limit=MOST_VALUES)
        return pairs

    def _take(self, own: dict[str, Node], key: Node, item: Node, pointer: str) -> None:
        """Take a pair whose key is to be a text that does not stand there yet."""
        if not isinstance(key, Scalar):
            self._notes.add('File.KeyNotScalar', pointer, line=key.line)
            return
        where = f'{pointer}/{escape(key.text)}'
        if key.kind != 'str':
            self._notes.add('File.KeyNotText', where, found=key.text, line=key.line)
        if key.text in own:
            self._notes.add('File.DuplicateKey', where, found=key.text, line=key.line)
        own[key.text] = item

    def _scalar(self, node: Scalar, pointer: str) -> Any:
        """Make the value of a scalar, as PyYAML would."""
        if node.kind in _TEXTS:
            return node.text
        code, found = 'File.BadScalar', node.text
        if node.kind in _CONSTRUCTORS and len(node.text) > MOST_DIGITS:
            code = 'File.NumberTooLarge'
        elif node.kind in _CONSTRUCTORS:
            # Of what the tag says it is, but the text does not.
            with suppress(ValueError, KeyError, IndexError, OverflowError):
                return _CONSTRUCTORS[node.kind](ScalarNode(node.kind, node.text))
        elif node.kind not in _SIGNS:
            code, found = 'File.UnknownTag', node.kind
        self._notes.add(code, pointer, found=found, line=node.line)
        return UNUSABLE
