# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
VRML97 -> nodes.

The syntax is that of ISO/IEC 14772-1:1997, annex A, and the statements of X3D's classic encoding
at the top of files (PROFILE and so on), which exporters write. A token may be a whole bracket of
numbers, which makes the reader 5 times as fast as one that takes number by number; the kind of a
value follows from its tokens.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, cast

import numpy as np

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.shapes.node_builder import NodeBuilder, Prototype
from world_model_core.virtual_world.shapes.node_types import field_type
from world_model_core.virtual_world.shapes.nodes import Node, Reference

if TYPE_CHECKING:
    from world_model_core.findings import Findings
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.shapes.nodes import Value

__all__ = ['is_vrml', 'read_vrml']

HEADERS = (b'#VRML V2.0', b'#X3D')
# Names of types and fields; those after DEF and USE may contain more, as exporters write them.
_WORD = r"""[^\x00-\x20"#',.\[\]\\{}\x7f0-9+-][^\x00-\x20"#',.\[\]\\{}\x7f]*"""
_NAME = r"""[^\x00-\x20"#,\[\]{}]+"""
_GAP = r'(?:[\x00-\x20,]|\#[^\n\r]*[\n\r])*'
_SPACE = rf'[\x00-\x20,]{_GAP}'
_NUMBER = r'[-+.0-9][-+.0-9a-fA-FxX]*'
TOKEN = re.compile(
    rf"""
    (?P<space>[\x00-\x20,]+|\#[^\n\r]*
      |(?:PROFILE|COMPONENT){_SPACE}{_NAME}|ROUTE{_SPACE}{_NAME}{_SPACE}TO{_SPACE}{_NAME}
      |META(?={_SPACE}"))
    |\[(?P<numbers>[-+.0-9eE\x00-\x20,]*)\]
    |(?P<number>{_NUMBER}(?:[ \t,]+{_NUMBER}){{0,15}})
    |"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)(?P<quote>"?)
    |USE{_SPACE}(?P<use>{_NAME})
    |IS{_SPACE}(?P<reference>{_WORD})
    |(?P<prototype>(?:EXTERN)?PROTO){_SPACE}(?P<prototype_name>{_WORD}){_GAP}\[
    |(?:DEF{_SPACE}(?P<name>{_NAME}){_SPACE})?(?P<type>{_WORD}){_GAP}\{{
    |(?P<word>{_WORD})
    |(?P<mark>[\[\]{{}}])
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
ACCESS = {
    'eventIn', 'eventOut', 'exposedField', 'field', 'initializeOnly', 'inputOnly', 'inputOutput',
    'outputOnly',
}  # fmt: skip
FLAGS = {'TRUE': True, 'FALSE': False}
# After so many tokens that do not fit, the rest of a file is left out.
UNEXPECTED = 'Vrml.Unexpected'
MOST_UNEXPECTED = 1_000


def is_vrml(data: bytes) -> bool:
    """Return whether a file begins as VRML97 or X3D's classic encoding."""
    return data.removeprefix(codecs.BOM_UTF8).startswith(HEADERS)


def read_vrml(data: bytes, file: str, findings: Findings) -> tuple[Node, ...]:
    """
    Read a VRML97 file.

    Parameters
    ----------
    data : bytes
    file : str
        Path relative to the folder of the world, for findings.
    findings : Findings
        Receives what is wrong; with an error, the nodes must not be used.

    Returns
    -------
    tuple of Node
        The nodes at the top of the file, in its units and axes; empty after an error.

    """
    report = FileFindings(file, findings)
    if not is_vrml(data):
        report.add('Vrml.Header', 'line 1', found=data[:40].decode(errors='replace'))
        return ()
    nodes = _TokenReader(_text(data, report), report).read()
    return () if report.errors else nodes


def _text(data: bytes, findings: FileFindings) -> str:
    """Decode a file: in UTF-8, or as older files of Japan."""
    try:
        return data.decode('utf-8-sig')
    except UnicodeDecodeError as error:
        findings.add('Vrml.NotUtf8', f'byte {error.start}')
        # Read as UTF-8, the second byte of a character could be a backslash before a quote.
        return data.decode('cp932', errors='replace')


class _Kind(Enum):
    """What a frame is of."""

    FILE = 'the file'
    NODE = 'a node'
    INTERFACE = 'the interface of a prototype'
    BODY = 'the body of a prototype'


@dataclass(slots=True)
class _OpenPart:
    """
    What is open.

    Attributes
    ----------
    kind : _Kind
    line : int
        At which it begins.
    type, name : str
        Of a node, or the word PROTO or EXTERNPROTO and the name of the prototype.
    fields : dict of str to list
        Values by the name of the field.
    values : list, optional
        Of the present field; None: a name must come next.
    bracket : bool
        Whether the values are in a bracket that is open.
    words : list of str
        Of a declaration in an interface: access, type, name.
    prototype : Prototype

    """

    kind: _Kind
    line: int
    type: str = ''
    name: str = ''
    fields: dict[str, list[object]] = field(default_factory=dict)
    values: list[object] | None = None
    bracket: bool = False
    words: list[str] = field(default_factory=list)
    prototype: Prototype = field(default_factory=Prototype)


class _TokenReader:
    """Reads the tokens of a text into nodes; nesting is a list of frames, not recursion."""

    def __init__(self, text: str, findings: FileFindings) -> None:
        self.text, self.findings = text, findings
        self.builder = NodeBuilder(findings)
        self.top: list[object] = []
        self.frames = [_OpenPart(_Kind.FILE, 1, values=self.top)]
        self.line, self.position = 1, 0

    def read(self) -> tuple[Node, ...]:
        """Read all tokens and return the nodes at the top."""
        steps = {
            'numbers': self._add_numbers,
            'number': self._add_numbers,
            'quote': self._add_text,
            'use': self._use,
            'reference': lambda match: self._add(match, Reference(match['reference'])),
            'prototype_name': self._open_prototype,
            'type': self._open_node,
            'word': self._take_word,
            'mark': self._take_mark,
            'other': self._reject,
        }
        for match in TOKEN.finditer(self.text):
            kind = match.lastgroup
            if kind is not None and kind != 'space':
                steps[kind](match)
                if self._has_enough():
                    break
        self._close_all()
        return _nodes(self.top)

    def _has_enough(self) -> bool:
        """Return whether the rest of the file is to be left out."""
        if self.findings.counts[UNEXPECTED] >= MOST_UNEXPECTED:
            self.findings.add('Vrml.TooManyUnexpected', f'line {self.line}', limit=MOST_UNEXPECTED)
            return True
        return self.builder.is_full(self.line)

    def _line_of(self, match: re.Match[str]) -> int:
        """Return the line of a token; tokens come in their order."""
        self.line += self.text.count('\n', self.position, match.start())
        self.position = match.start()
        return self.line

    def _reject(self, match: re.Match[str]) -> None:
        place = f'line {self._line_of(match)}'
        self.findings.add(UNEXPECTED, place, found=match[0][:40])

    def _add(self, match: re.Match[str], value: object) -> None:
        """Add a value to the present field."""
        values = self.frames[-1].values
        if values is None:
            self._reject(match)
        else:
            values.append(value)

    def _add_numbers(self, match: re.Match[str]) -> None:
        text = match['numbers'] if match['number'] is None else match['number']
        try:
            self._add(match, _numbers(text))
        except ValueError as error:
            place = f'line {self._line_of(match)}'
            self.findings.add('Vrml.Number', place, found=error)

    def _add_text(self, match: re.Match[str]) -> None:
        self._add(match, re.sub(r'\\(.)', r'\1', match['text'], flags=re.DOTALL))
        if not match['quote']:
            place = f'line {self._line_of(match)}'
            self.findings.add('Vrml.Unclosed', place, found='a text')

    def _use(self, match: re.Match[str]) -> None:
        node = self.builder.use(match['use'], self._line_of(match))
        if node is not None:
            self._add(match, node)

    def _open_node(self, match: re.Match[str]) -> None:
        line = self._line_of(match)
        self.frames.append(_OpenPart(_Kind.NODE, line, match['type'], match['name'] or ''))

    def _open_prototype(self, match: re.Match[str]) -> None:
        line, name = self._line_of(match), match['prototype_name']
        self.frames.append(_OpenPart(_Kind.INTERFACE, line, match['prototype'], name))

    def _take_word(self, match: re.Match[str]) -> None:
        """Take the name of a field, a part of a declaration, or a flag."""
        frame, word = self.frames[-1], match['word']
        if word in FLAGS and frame.values is not None:
            frame.values.append(FLAGS[word])
        elif frame.kind is _Kind.INTERFACE and (word in ACCESS or frame.words):
            self._declare(frame, word)
        elif frame.kind is _Kind.NODE and not frame.bracket and word != 'NULL':
            frame.values = frame.fields[word] = []
        elif word != 'NULL':
            self._reject(match)

    def _declare(self, frame: _OpenPart, word: str) -> None:
        """Take a word of a declaration in the interface of a prototype."""
        if word in ACCESS:
            frame.words, frame.values = [], None
        frame.words.append(word)
        if len(frame.words) == 3:
            _, type_, name = frame.words
            frame.words = []
            frame.values = frame.fields[name] = []
            known = field_type(type_)
            if known is not None:
                frame.prototype.types[name] = known

    def _take_mark(self, match: re.Match[str]) -> None:
        frame, mark = self.frames[-1], match['mark']
        if mark == '[' and frame.values is not None and not frame.bracket:
            frame.bracket = True
        elif mark == ']' and frame.bracket:
            frame.bracket = False
        elif mark == ']' and frame.kind is _Kind.INTERFACE:
            self._close_interface(frame)
        elif mark == '{' and frame.kind is _Kind.BODY and frame.values is None:
            frame.values = []
        elif mark == '}' and frame.kind in {_Kind.NODE, _Kind.BODY}:
            self._close(match)
        else:
            self._reject(match)

    def _close_interface(self, frame: _OpenPart) -> None:
        """Finish the interface of a prototype; its body follows, or addresses of other files."""
        if frame.type == 'EXTERNPROTO':
            self.builder.refuse_external(frame.name, frame.line)
            self.frames.pop()
            return
        given = {name: _value(values) for name, values in frame.fields.items() if values}
        frame.prototype.defaults = given
        frame.kind, frame.values = _Kind.BODY, None
        self.builder.open_prototype()

    def _close(self, match: re.Match[str]) -> None:
        """Close a node, or a prototype and its body."""
        frame = self.frames.pop()
        if frame.bracket:
            place = f'line {self._line_of(match)}'
            self.findings.add('Vrml.Unclosed', place, found='a bracket')
        if frame.kind is _Kind.BODY:
            body = _nodes(frame.values or [])
            self.builder.close_prototype(frame.name, frame.prototype, body)
            return
        fields = {name: _value(values) for name, values in frame.fields.items()}
        node = self.builder.node(frame.type, frame.name, frame.line, fields)
        self._add(match, node)

    def _close_all(self) -> None:
        """Close what is open at the end of the file."""
        end = TOKEN.match(self.text + '}', len(self.text))
        if len(self.frames) > 1:
            first = self.frames[1]
            self.findings.add('Vrml.Unclosed', f'line {first.line}', found=first.kind.value)
        while len(self.frames) > 1 and end is not None:
            if self.frames[-1].kind is _Kind.INTERFACE:
                self.frames.pop()
            else:
                self._close(end)


def _numbers(text: str) -> Array:
    """Convert numbers; hexadecimal ones are those of pictures."""
    words = text.replace(',', ' ').split()
    try:
        return np.array(list(map(float, words)), dtype=np.float64)
    except ValueError:
        return np.array([int(word, 16) if 'x' in word else float(word) for word in words], float)


def _value(values: list[object]) -> Value | Reference:
    """Return the value of a field."""
    if len(values) == 1 and isinstance(values[0], Reference):
        return values[0]
    arrays = [each for each in values if isinstance(each, np.ndarray)]
    if arrays and len(arrays) == len(values):
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)
    # The builder refuses values of several kinds.
    return cast('Value', tuple(values))


def _nodes(values: list[object]) -> tuple[Node, ...]:
    return tuple(each for each in values if isinstance(each, Node))
