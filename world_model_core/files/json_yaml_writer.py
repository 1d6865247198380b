# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Writers of YAML and JSON whose files have the same values in every reader."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yaml.nodes import Node

__all__ = ['json_text', 'yaml_text']

STRING, MAPPING, SEQUENCE = (f'tag:yaml.org,2002:{kind}' for kind in ('str', 'map', 'seq'))
# Half of a surrogate pair: JSON can escape it, UTF-8 cannot encode it.
SURROGATE = re.compile('[\ud800-\udfff]')
# Keys written without quotes, except those that a version of YAML reads as true, false or null.
PLAIN = re.compile(r'[a-z][a-z0-9_]*')
QUOTED_KEYS = {'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'}


class _QuotingDumper(yaml.SafeDumper):
    """Quotes every text, so that none is read as a number or a date; writes rows in one line."""

    def ignore_aliases(self, data: Any) -> bool:
        """Repeat equal objects, as readers may reject aliases."""
        del data
        return True


def yaml_text(document: Mapping[str, Any]) -> str:
    """Convert a document to YAML; the order of its keys is kept."""
    return yaml.dump(
        document, Dumper=_QuotingDumper, sort_keys=False, allow_unicode=True, width=10**6
    )


def json_text(document: Mapping[str, Any]) -> str:
    """
    Convert a document to JSON; the order of its keys is kept.

    Raises
    ------
    ValueError
        A number is not finite.

    """
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    return SURROGATE.sub(lambda half: f'\\u{ord(half[0]):04x}', text) + '\n'


def _quoted(dumper: yaml.SafeDumper, text: str) -> Node:
    return dumper.represent_scalar(STRING, text, style='"')


def _row(dumper: yaml.SafeDumper, items: list[Any] | tuple[Any, ...]) -> Node:
    numbers = all(isinstance(each, int | float) for each in items)
    return dumper.represent_sequence(SEQUENCE, items, flow_style=numbers)


def _mapping(dumper: yaml.SafeDumper, items: Mapping[Any, Any]) -> Node:
    node = dumper.represent_mapping(MAPPING, list(items.items()), flow_style=False)
    for key, _ in node.value:
        if PLAIN.fullmatch(key.value) and key.value not in QUOTED_KEYS:
            key.style = None
    return node


_QuotingDumper.add_representer(str, _quoted)
_QuotingDumper.add_representer(list, _row)
_QuotingDumper.add_representer(tuple, _row)
_QuotingDumper.add_representer(dict, _mapping)
