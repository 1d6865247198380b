# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Classes as one text: "chair, potted plant", or a JSON list where names have commas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.objects.labels import normalize_label

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_classes(text: str) -> frozenset[str]:
    """
    Read the names of classes, normalised; none of them stand for all.

    Raises
    ------
    ConfigurationError
        It begins as a JSON list and is none of words.

    """
    words = _read_list(text) if text.lstrip().startswith('[') else text.split(',')
    return frozenset(normalize_label(word) for word in words) - {''}


def write_classes(classes: Iterable[str]) -> str:
    """Write names of classes so that they can be read again, whatever is in them."""
    return json.dumps(sorted(classes), ensure_ascii=False)


def _read_list(text: str) -> list[str]:
    try:
        words = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f'interest is {text:.60}; it is no JSON list: {error}') from error
    if not all(isinstance(word, str) for word in words):
        raise ConfigurationError(f'interest is {text:.60}; it must be a list of words')
    return list(words)
