# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reader of XML launch files: a tree of checked elements with line numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Mapping


class LaunchFileError(WorldModelError):
    """A launch file, or a file or package named in it, cannot be used."""


@dataclass(frozen=True)
class Element:
    """
    One element of a launch file.

    Attributes
    ----------
    tag : str
    attributes : mapping of str to str
        As written, with substitutions not yet replaced.
    children : tuple of Element
        In the order of the file.
    path : Path
        Absolute path of the file.
    line : int
        First line of the element, counted from 1.

    """

    tag: str
    attributes: Mapping[str, str]
    children: tuple[Element, ...]
    path: Path
    line: int

    def named(self, tag: str) -> tuple[Element, ...]:
        """Return the children with this tag."""
        return tuple(child for child in self.children if child.tag == tag)

    def error(self, reason: str) -> LaunchFileError:
        """Make an error that names file, line, element and reason."""
        return LaunchFileError(f'{self.path}:{self.line}: <{self.tag}>: {reason}')


@dataclass(frozen=True)
class _Rule:
    """Required attributes, optional attributes and permitted children of an element."""

    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    children: frozenset[str] = frozenset()


def _rule(required: str = '', optional: str = '', children: str = '') -> _Rule:
    return _Rule(*(frozenset(names.split()) for names in (required, optional, children)))


# Attributes of launch_xml 3.7 and launch_ros 0.28, without those that no scenario uses.
# An <arg> in an <include> passes a value; elsewhere it declares an argument.
_RULES = {
    'launch': _rule(children='arg node include group'),
    'arg': _rule('name', 'default description', 'choice'),
    'choice': _rule('value'),
    'node': _rule(
        'pkg exec',
        'name namespace args output on_exit respawn respawn_delay respawn_max_retries if unless',
        'param remap',
    ),
    'param': _rule(optional='name value type from'),
    'remap': _rule('from to'),
    'include': _rule('file', 'if unless', 'arg'),
    'include/arg': _rule('name value'),
    'group': _rule(optional='scoped if unless', children='arg node include group'),
}


def read_launch_file(path: Path) -> Element:
    """
    Read an XML launch file and check its elements and attributes.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Element
        The root element, ``<launch>``.

    Raises
    ------
    LaunchFileError
        The file cannot be read, is not XML, or has an element or attribute that is unknown,
        missing or contradictory.

    """
    root = _parse(Path(os.path.abspath(path)))  # noqa: PTH100 - keeps symbolic links, as launch does
    if root.tag != 'launch':
        raise root.error('the root element must be <launch>')
    _check(root, _RULES['launch'])
    return root


def _parse(path: Path) -> Element:
    """Parse with expat, because ElementTree does not keep line numbers."""
    opened: list[tuple[dict[str, str], int, list[Element]]] = [({}, 0, [])]
    parser = expat.ParserCreate()

    def start(_tag: str, attributes: dict[str, str]) -> None:
        opened.append((attributes, parser.CurrentLineNumber, []))

    def end(tag: str) -> None:
        attributes, line, children = opened.pop()
        opened[-1][-1].append(Element(tag, attributes, tuple(children), path, line))

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(path.read_bytes(), True)
    except OSError as error:
        raise LaunchFileError(f'{path}: {error.strerror}') from error
    except expat.ExpatError as error:
        raise LaunchFileError(f'{path}:{error.lineno}: not XML: {error}') from error
    return opened[0][-1][0]


def _check(element: Element, rule: _Rule) -> None:
    names = set(element.attributes)
    if unknown := sorted(names - rule.required - rule.optional):
        raise element.error(f'unknown attribute {unknown[0]!r}')
    if missing := sorted(rule.required - names):
        raise element.error(f'attribute {missing[0]!r} is missing')
    if {'if', 'unless'} <= names:
        raise element.error("'if' and 'unless' exclude each other")
    for child in element.children:
        if child.tag not in rule.children:
            raise child.error(f'unknown element in <{element.tag}>')
        _check(child, _RULES.get(f'{element.tag}/{child.tag}', _RULES[child.tag]))
