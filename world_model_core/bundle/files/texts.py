# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""YAML and JSON as they are written: values that any reader of either takes for the same."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yaml.nodes import Node

STRING, MAPPING, SEQUENCE = (f'tag:yaml.org,2002:{kind}' for kind in ('str', 'map', 'seq'))
# Half a character, which JSON can spell and UTF-8 cannot.
SURROGATE = re.compile('[\ud800-\udfff]')
# Keys without quotes; those that some version of YAML takes for true, false or nothing have some.
PLAIN = re.compile(r'[a-z][a-z0-9_]*')
NO_KEYS = {'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'}


class _Dumper(yaml.SafeDumper):
    """Quotes every text, so that none is a number or a date, and writes rows in one line."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write twice what is there twice: readers may refuse aliases."""
        del data
        return True


def yaml_text(document: Mapping[str, Any]) -> str:
    """Write a document as YAML, its keys in the order in which they are."""
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6)


def json_text(document: Mapping[str, Any]) -> str:
    """
    Write a document as JSON, its keys in the order in which they are.

    Raises
    ------
    ValueError
        A number in it is not finite.

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
        if PLAIN.fullmatch(key.value) and key.value not in NO_KEYS:
            key.style = None
    return node


_Dumper.add_representer(str, _quoted)
_Dumper.add_representer(list, _row)
_Dumper.add_representer(tuple, _row)
_Dumper.add_representer(dict, _mapping)
