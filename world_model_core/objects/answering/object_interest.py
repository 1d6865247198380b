# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Classes of interest: which detections a map uses.

A name of interest covers the labels that it would mean in a question: "table" covers "dining
table", and "couch" covers "sofa".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.objects.answering.parse_score import query_phrases
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.language import Lexicon
from world_model_core.objects.language.spelling import split_words
from world_model_core.objects.query import InstructionQuery

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.objects.query import Parse

__all__ = ['MOST_LABELS', 'Interest', 'names_in_parse', 'read_names', 'write_names']

# Bounds the memory if a detector keeps inventing labels.
MOST_LABELS = 10_000


class Interest:
    """
    Names of interest and the labels that they cover.

    Parameters
    ----------
    names : iterable of str
        No names mean that all classes are of interest.

    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(map(normalize_label, names)) - {''}
        self._covered: dict[str, bool] = dict.fromkeys(self._names, True)

    @property
    def names(self) -> tuple[str, ...]:
        """Normalized names in alphabetical order."""
        return tuple(sorted(self._names))

    def covered_labels(self, labels: Iterable[str]) -> frozenset[str]:
        """
        Return the covered labels, normalized: those of `labels` and all found before.

        Empty if all classes are of interest.
        """
        if not self._names:
            return frozenset()
        for label in set(map(normalize_label, labels)) - self._covered.keys():
            if len(self._covered) < MOST_LABELS:
                self._covered[label] = self._covers(label)
        return frozenset(label for label, covered in self._covered.items() if covered)

    def _covers(self, label: str) -> bool:
        lexicon = Lexicon((label,))
        nouns = (lexicon.noun(tuple(split_words(name))) for name in self._names)
        return any(noun is not None and label in noun.labels for noun in nouns)


def names_in_parse(parse: Parse) -> frozenset[str]:
    """
    Return the names of all objects that the answer to a question depends on.

    Returns
    -------
    frozenset of str
        Words of the question and the labels that they mean. Empty if any object may matter: the
        question cannot be parsed or refers to objects of any class, or it asks for a route, where
        every object is an obstacle.

    """
    if any(isinstance(query, InstructionQuery) for query in parse.queries):
        return frozenset()
    phrases = [phrase for query in parse.queries for phrase in query_phrases(query)]
    if not all(phrase.labels for phrase in phrases):
        return frozenset()
    return frozenset(name for phrase in phrases for name in (phrase.noun, *phrase.labels))


def read_names(text: str, source: str = 'interest') -> frozenset[str]:
    """
    Parse names: "chair, potted plant", or a JSON list of strings.

    Parameters
    ----------
    text : str
    source : str
        Where the text is from, for errors.

    Raises
    ------
    ConfigurationError
        If the text starts with a bracket and is not a JSON list of strings.

    """
    words = _read_list(text, source) if text.lstrip().startswith('[') else text.split(',')
    return frozenset(word.strip() for word in words) - {''}


def write_names(names: Iterable[str]) -> str:
    """Write names as a JSON list, which `read_names` parses."""
    return json.dumps(sorted(names), ensure_ascii=False)


def _read_list(text: str, source: str) -> list[str]:
    try:
        words = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f'{source}: {text:.60} is not a JSON list: {error}') from error
    if not all(isinstance(word, str) for word in words):
        raise ConfigurationError(f'{source}: {text:.60} must be a list of strings')
    return list(words)
