# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Which detections a map attends to, told by the names of things.

A name covers the labels that it would mean in a question: "table" covers "dining table", and
"couch" covers "sofa", whichever of them a detector turns out to say.
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

# A detector that invents new labels without end must not fill the memory.
MOST_LABELS = 10_000


class Interest:
    """
    Names of interest, and the labels that they were found to cover.

    Parameters
    ----------
    names : iterable of str
        None of them stand for all things.

    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._names = frozenset(map(normalize_label, names)) - {''}
        self._covered: dict[str, bool] = dict.fromkeys(self._names, True)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, normalised, in order."""
        return tuple(sorted(self._names))

    def covered_labels(self, labels: Iterable[str]) -> frozenset[str]:
        """
        Tell which labels are covered, normalised: these, and all found before.

        Empty where all things are of interest.
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
    Name the things on which the answer to a question rests.

    Returns
    -------
    frozenset of str
        The words of the question and what they mean in its map. Empty when anything may matter:
        the question could not be read or speaks of any object, or it asks for a way, and whatever
        stands there is in the way.

    """
    if any(isinstance(query, InstructionQuery) for query in parse.queries):
        return frozenset()
    phrases = [phrase for query in parse.queries for phrase in query_phrases(query)]
    if not all(phrase.labels for phrase in phrases):
        return frozenset()
    return frozenset(name for phrase in phrases for name in (phrase.noun, *phrase.labels))


def read_names(text: str) -> frozenset[str]:
    """
    Read names: "chair, potted plant", or a JSON list of them.

    Raises
    ------
    ConfigurationError
        It begins as a list and is none of words.

    """
    words = _read_list(text) if text.lstrip().startswith('[') else text.split(',')
    return frozenset(word.strip() for word in words) - {''}


def write_names(names: Iterable[str]) -> str:
    """Write names so that `read_names` reads them, whatever is in them."""
    return json.dumps(sorted(names), ensure_ascii=False)


def _read_list(text: str) -> list[str]:
    try:
        words = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f'interest is {text:.60}; it is no JSON list: {error}') from error
    if not all(isinstance(word, str) for word in words):
        raise ConfigurationError(f'interest is {text:.60}; it must be a list of words')
    return list(words)
