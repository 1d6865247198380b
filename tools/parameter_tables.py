# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Writes docs/parameters.md from the nodes' own Config classes, so that it cannot go stale.

Run it with `python tools/parameter_tables.py > docs/parameters.md`.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from world_model_core.parameters import Leaf, leaves, word_of, words
from world_model_nodes.runtime.registry import config_class

if TYPE_CHECKING:
    from collections.abc import Iterator

ORDER = (
    'ssl_receiver',
    'ball_predictor',
    'world_model_publisher',
    'ssl_simulator',
    'ssl_replay',
    'object_map',
    'question_answerer',
    'house_simulator',
    'world_bundle',
    'robot_simulator',
    'ekf_localizer',
    'particle_localizer',
)
HEAD = """\
# Parameters

Made by `tools/parameter_tables.py` from the `Config` of each node; not to be edited.

A value outside its limits, or of another type, is refused: the node does not start, or keeps what
it has. A number with a decimal point is a float: in YAML and on a command line it is `1.0`, not
`1`. Parameters of `ssl_receiver`, `ssl_simulator`, `ssl_replay`, `house_simulator`,
`world_bundle`, `robot_simulator`, `ekf_localizer` and `particle_localizer` can change only before
they are configured (but for `speed` of ssl_replay, world_bundle and robot_simulator); `frame_id`
of object_map, and all that stand above it, cannot change. Every node has `use_sim_time` as well.
"""


def write_page() -> str:
    """Write the page, a table a node."""
    return '\n'.join([HEAD, *(line for node in ORDER for line in write_table(node))])


def write_table(node: str) -> Iterator[str]:
    """Write the table of one node, line by line."""
    yield f'## {node}\n'
    yield '| parameter | default | unit | limits | what it is |'
    yield '|---|---|---|---|---|'
    for leaf in leaves(config_class(node)):
        cells = (f'`{leaf.name}`', f'`{_value(leaf.default)}`', leaf.unit, _limits(leaf))
        yield f'| {" | ".join(cells)} | {leaf.description} |'
    yield ''


def _value(default: Any) -> str:
    """Write a default as YAML has it."""
    if isinstance(default, Enum):
        return word_of(default)
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return repr(list(default))
    return repr(default).replace("'", '"') if isinstance(default, str) else repr(default)


def _limits(leaf: Leaf) -> str:
    """Write the choices, or the lowest and the highest value."""
    if isinstance(leaf.default, Enum):
        return ', '.join(f'`{word}`' for word in words(type(leaf.default)))
    return '' if leaf.minimum is None else f'{leaf.minimum} to {leaf.maximum}'


if __name__ == '__main__':
    print(write_page(), end='')
