# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Strict reader of YAML: the values of PyYAML's safe_load, and how each scalar is written.

PyYAML reads 1e-5 as a text, 2026_02_14 and 12:30 as numbers and no as false, and keeps the last of
two equal keys. Values here equal those of other programs that use PyYAML; the text of each scalar
is kept so that the schemas of fields can warn. Tags never create Python objects, and the number of
values that aliases produce is limited. `strict_yaml` raises an exception; `read_yaml` and
`parse_yaml` collect findings.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from yaml.constructor import SafeConstructor
from yaml.nodes import ScalarNode

from world_model_core.files.file_findings import FileFindings, file_catalog
from world_model_core.files.json_reader import DEEPEST, MOST_DIGITS
from world_model_core.files.parsed_document import (
    UNUSABLE,
    ParsedDocument,
    ScalarMark,
    escape,
    read_text,
)
from world_model_core.files.yaml_nodes import (
    Mapping,
    Scalar,
    Sequence,
    YamlSyntaxError,
    compose,
)
from world_model_core.findings import Findings, FindingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from world_model_core.files.yaml_nodes import Node

__all__ = ['LARGEST_YAML', 'YamlError', 'parse_yaml', 'read_yaml', 'strict_yaml']

# Small files of bundles and parameter files have less than 100 kB [bytes].
LARGEST_YAML = 2**20
# Values, counted at every place where an alias repeats them: ten times what 1 MB of numbers holds.
MOST_VALUES = 200_000

_scalars = SafeConstructor()
# Constructors of the types of YAML's core schema; dates remain texts.
_CONSTRUCTORS: dict[str, Callable[[ScalarNode], Any]] = {
    'null': _scalars.construct_yaml_null,
    'bool': _scalars.construct_yaml_bool,
    'int': _scalars.construct_yaml_int,
    'float': _scalars.construct_yaml_float,
}
_TEXTS = {'str', 'timestamp'}
# << and =, which PyYAML rejects as values.
_SIGNS = {'merge', 'value'}


class YamlError(FindingsError):
    """A file is not strict YAML; the message names the code, the place and the value."""


def strict_yaml(path: Path) -> Any:
    """
    Read a YAML file and raise an exception if it has an error.

    Returns
    -------
    value
        As PyYAML's safe_load returns it, except that dates are texts.

    Raises
    ------
    YamlError
        The file cannot be read, is not YAML or exceeds a limit; see `read_yaml`.

    """
    findings = Findings(file_catalog)
    document = read_yaml(path, str(path), findings)
    if document is None or findings.errors:
        raise YamlError(findings.errors)
    return document.value


def read_yaml(
    path: Path, file: str, findings: Findings, largest: int = LARGEST_YAML
) -> ParsedDocument | None:
    """
    Read a YAML file; parameters and result as for `read_json`.

    Findings are syntax errors, repeated keys, keys that are not texts, tags, unknown aliases,
    nesting deeper than `DEEPEST`, more than `MOST_VALUES` values, and files larger than `largest`
    bytes.
    """
    notes = FileFindings(file, findings)
    text = read_text(path, notes, largest)
    return None if text is None else parse_yaml(text, notes)


def parse_yaml(text: str, notes: FileFindings) -> ParsedDocument | None:
    """Parse YAML; see `read_yaml`."""
    try:
        node = compose(text, DEEPEST)
        construction = _Construction(notes)
        value = construction.value(node, '', 0)
    except YamlSyntaxError as error:
        notes.add(error.code, f'line {error.line}', **error.values)
        return None
    return ParsedDocument(value, notes, construction.marks)


class _Construction:
    """
    Converts nodes to values.

    Attributes
    ----------
    marks : dict of ScalarMark
        All scalars by JSON pointer.

    """

    def __init__(self, notes: FileFindings) -> None:
        self.marks: dict[str, ScalarMark] = {}
        self._notes = notes
        self._count = 0

    def value(self, node: Node, pointer: str, depth: int) -> Any:
        """Convert a node at a JSON pointer to its value."""
        self._count += 1
        if self._count > MOST_VALUES:
            raise YamlSyntaxError('File.TooManyValues', node.line, limit=MOST_VALUES)
        if depth > DEEPEST:
            raise YamlSyntaxError('File.TooDeep', node.line, limit=DEEPEST)
        if isinstance(node, Scalar):
            self.marks[pointer] = ScalarMark(node.line, node.text, node.kind, node.is_plain)
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
        """Return the pairs of a mapping, merged pairs (<<) first, so that its own pairs win."""
        if depth > DEEPEST:
            raise YamlSyntaxError('File.TooDeep', node.line, limit=DEEPEST)
        own: dict[str, Node] = {}
        merged: list[tuple[str, Node]] = []
        for key, item in node.pairs:
            self._count += 1
            if isinstance(key, Scalar) and key.kind == 'merge':
                if merged:
                    self._notes.add('File.DuplicateKey', pointer, found='<<', line=key.line)
                merged += self._merged_by_sign(item, pointer, depth)
            else:
                self._add_pair(own, key, item, pointer)
        pairs = dict(reversed(merged))
        yield from {**pairs, **own}.items()

    def _merged_by_sign(self, item: Node, pointer: str, depth: int) -> list[tuple[str, Node]]:
        """Return the pairs merged by <<; of several mappings the first one wins."""
        mappings = item.items if isinstance(item, Sequence) else [item]
        pairs: list[tuple[str, Node]] = []
        for each in mappings:
            if not isinstance(each, Mapping):
                raise YamlSyntaxError('File.NotYaml', item.line, found='<<', column=1)
            pairs += self._merged(each, pointer, depth + 1)
            if self._count + len(pairs) > MOST_VALUES:
                raise YamlSyntaxError('File.TooManyValues', item.line, limit=MOST_VALUES)
        return pairs

    def _add_pair(self, own: dict[str, Node], key: Node, item: Node, pointer: str) -> None:
        """Add a pair; report keys that are repeated or not texts."""
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
        """Convert a scalar to its value, as PyYAML does."""
        if node.kind in _TEXTS:
            return node.text
        code, found = 'File.BadScalar', node.text
        if node.kind in _CONSTRUCTORS and len(node.text) > MOST_DIGITS:
            code = 'File.NumberTooLarge'
        elif node.kind in _CONSTRUCTORS:
            # The text does not match the tag.
            with suppress(ValueError, KeyError, IndexError, OverflowError):
                return _CONSTRUCTORS[node.kind](ScalarNode(node.kind, node.text))
        elif node.kind not in _SIGNS:
            code, found = 'File.UnknownTag', node.kind
        self._notes.add(code, pointer, found=found, line=node.line)
        return UNUSABLE
