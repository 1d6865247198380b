# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Writes the parameter table of each node page in docs/reference/nodes from the node's config class.

Run it with `python tools/parameter_tables.py` after a change of a parameter.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from world_model_core.parameters import Leaf, leaves, word_of, words
from world_model_nodes.nodes import NODES
from world_model_nodes.runtime.registry import config_class

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = Path(__file__).resolve().parents[1] / 'docs' / 'reference' / 'nodes'
BEGIN, END = '<!-- parameters: begin -->\n', '<!-- parameters: end -->\n'


def write_page(node: str) -> str:
    """Return the page of a node with its parameter table replaced by the present one."""
    page = (PAGES / f'{node}.md').read_text()
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    table = ''.join(f'{line}\n' for line in write_table(node))
    return f'{head}{BEGIN}\n{table}\n{END}{tail}'


def write_table(node: str) -> Iterator[str]:
    """Yield the lines of the parameter table of a node."""
    yield '| parameter | default | unit | limits | meaning |'
    yield '|---|---|---|---|---|'
    for leaf in leaves(config_class(node)):
        cells = (f'`{leaf.name}`', f'`{_value(leaf.default)}`', leaf.unit, _limits(leaf))
        yield f'| {" | ".join(cells)} | {leaf.description} |'


def _value(default: Any) -> str:
    """Format a default value as in YAML."""
    if isinstance(default, Enum):
        return word_of(default)
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return repr(list(default))
    return repr(default).replace("'", '"') if isinstance(default, str) else repr(default)


def _limits(leaf: Leaf) -> str:
    """Format the choices, or the minimum and the maximum."""
    if isinstance(leaf.default, Enum):
        return ', '.join(f'`{word}`' for word in words(type(leaf.default)))
    return '' if leaf.minimum is None else f'{leaf.minimum} to {leaf.maximum}'


if __name__ == '__main__':
    for name in NODES:
        (PAGES / f'{name}.md').write_text(write_page(name))
