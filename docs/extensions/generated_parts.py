# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Parts of the pages that Sphinx writes while it builds: topic index, command reference, Python API.

A page marks the place with a comment: `<!-- generated: NAME -->`, or with an argument after NAME.
The parts come from the node pages, the parser of the command and `__all__`, so that a new node,
subcommand or public name needs no edit here.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).resolve().parents[1]
MARK = re.compile(r'^<!-- generated: ([a-z-]+) ?(\S*) -->$', re.MULTILINE)


def setup(app: Any) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    app.connect('source-read', _insert_parts)
    return {'parallel_read_safe': True}


def _insert_parts(app: Any, name: str, source: list[str]) -> None:
    del app, name
    source[0] = MARK.sub(lambda mark: PARTS[mark[1]](mark[2]), source[0])


def write_topic_index(_: str) -> str:
    """Write a table of all topics with the nodes that publish and subscribe to them."""
    topics: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for page in sorted((DOCS / 'reference/nodes').glob('*.md')):
        node = 'all nodes' if page.stem == 'index' else page.stem
        link = f'[{node}](nodes/{page.name})'
        for heading in ('Published topics', 'Subscribed topics'):
            for name, kind, qos, *_ in table_rows(page.read_text(), heading):
                entry = topics[name]
                entry['type'].add(kind.partition(',')[0])
                entry['QoS'] |= {qos} if heading[0] == 'P' else set()
                entry[heading].add(link)
    lines = ['| topic | type | QoS | published by | subscribed by |', '|---|---|---|---|---|']
    for name, entry in sorted(topics.items()):
        columns = ('type', 'QoS', 'Published topics', 'Subscribed topics')
        cells = (', '.join(sorted(entry[column])) for column in columns)
        lines.append(f'| {name} | {" | ".join(cells)} |')
    return '\n'.join(lines)


def table_rows(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table below a heading; no row if there is no such heading."""
    found = re.search(
        rf'^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)', text, re.DOTALL | re.MULTILINE
    )
    lines = found[1].splitlines() if found else []
    rows = [line for line in lines if line.startswith('| `')]
    return [[cell.strip() for cell in row.strip('|').split(' | ')] for row in rows]


def write_command_reference(_: str) -> str:
    """Write the help of each subcommand."""
    from world_model_nodes.commands.main import make_parser  # noqa: PLC0415 (imports the commands)

    parts = []
    for parser in _leaves(make_parser()):
        # The subclass appends the list of installed scenarios, which a page must not contain.
        text = argparse.ArgumentParser.format_help(parser)
        parts.append(f'## {parser.prog}\n\n```text\n{text.rstrip()}\n```\n')
    return '\n'.join(parts)


def _leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers that have no subcommands."""
    groups = [
        action
        for action in parser._actions  # noqa: SLF001 (argparse has no public access)
        if isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
    ]
    if not groups:
        yield parser
    for group in groups:
        for child in group.choices.values():
            yield from _leaves(child)


def write_public_api(package: str) -> str:
    """Write an autodoc directive for each public name of a module."""
    module = importlib.import_module(package)
    parts = []
    for name in getattr(module, '__all__', ()):
        kind = _directive(getattr(module, name))
        parts.append(f'### {name}\n\n```{{eval-rst}}\n.. {kind}:: {package}.{name}\n```\n')
    return '\n'.join(parts)


def _directive(thing: object) -> str:
    if inspect.isclass(thing):
        return 'autoexception' if issubclass(thing, BaseException) else 'autoclass'
    return 'autofunction' if callable(thing) else 'autodata'


PARTS = {
    'topic-index': write_topic_index,
    'command-reference': write_command_reference,
    'public-api': write_public_api,
}
