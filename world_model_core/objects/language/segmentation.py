# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Segmentation of English text into known phrases, each with all its possible meanings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from world_model_core.objects.language.lexicon import MOST_WORDS, join
from world_model_core.objects.language.spelling import split_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from world_model_core.objects.language.lexicon import Lexicon

__all__ = ['Phrases', 'Segments', 'Word', 'index_phrases', 'segment']


@dataclass(slots=True)
class Word:
    """
    One or several words of a text that form a unit.

    Attributes
    ----------
    text : str
    senses : dict
        Value of each terminal of the grammar that the word may stand for.

    """

    text: str
    senses: dict[str, Any] = field(default_factory=dict)

    def may_be(self, terminals: Iterable[str]) -> bool:
        """Check whether any of these terminals is among the senses."""
        return not self.senses.keys().isdisjoint(terminals)

    def keep(self, terminals: Iterable[str]) -> None:
        """Keep only these senses."""
        wanted = set(terminals)
        self.senses = {kind: value for kind, value in self.senses.items() if kind in wanted}

    def drop(self, terminals: Iterable[str]) -> None:
        """Remove these senses."""
        self.keep(self.senses.keys() - set(terminals))


class Phrases(NamedTuple):
    """Phrases of a grammar: senses by joined words, single words, length of the longest phrase."""

    senses: Mapping[str, Mapping[str, Any]]
    words: frozenset[str]
    longest: int


class Segments(NamedTuple):
    """A segmented text: words, unknown words, and misspelled words with their corrections."""

    words: list[Word]
    unknown: tuple[str, ...]
    corrections: tuple[tuple[str, str], ...]


def index_phrases(
    document: Mapping[str, Any], split: Callable[[str], list[str]] = split_words
) -> Phrases:
    """Index a vocabulary file: terminal -> phrases, or terminal -> value -> phrases."""
    senses: dict[str, dict[str, Any]] = {}
    words: set[str] = set()
    longest = 1
    for terminal, content in document.items():
        by_value = content if isinstance(content, dict) else {None: content}
        for value, phrases in by_value.items():
            for phrase in phrases:
                parts = split(phrase)
                senses.setdefault(join(parts), {}).setdefault(terminal, value)
                words.update(parts)
                longest = max(longest, len(parts))
    return Phrases(senses, frozenset(words), longest)


def segment(words: list[str], phrases: Phrases, lexicon: Lexicon) -> Segments:
    """
    Segment words into the longest known phrases, from the left.

    An unknown word is replaced by a known word at distance 1, if there is exactly one.
    """
    words, corrections = _correct(words, phrases, lexicon)
    found: list[Word] = []
    unknown: list[str] = []
    place = 0
    while place < len(words):
        word, length = _longest(words, place, phrases, lexicon)
        if word is None or set(word.senses) == {'UNSUPPORTED'}:
            unknown.append(' '.join(words[place : place + length]))
        else:
            found.append(word)
        place += length
    return Segments(found, tuple(dict.fromkeys(unknown)), corrections)


def _correct(
    words: list[str], phrases: Phrases, lexicon: Lexicon
) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """Correct each unknown word that is at distance 1 of exactly one known word."""
    mended = list(words)
    for place, word in enumerate(words):
        known = word in phrases.words or word in phrases.senses or lexicon.contains(word)
        mended[place] = word if known else lexicon.correct(word, phrases.words) or word
    pairs = ((word, meant) for word, meant in zip(words, mended, strict=True) if word != meant)
    return mended, tuple(dict.fromkeys(pairs))


def _longest(
    words: list[str], place: int, phrases: Phrases, lexicon: Lexicon
) -> tuple[Word | None, int]:
    """Return the longest phrase that starts at a position, and its number of words."""
    most = min(max(phrases.longest, MOST_WORDS), len(words) - place)
    for length in range(most, 0, -1):
        part = tuple(words[place : place + length])
        senses = dict(phrases.senses.get(join(part), {}))
        if length <= MOST_WORDS:
            senses.update(_nominal(part, lexicon))
        if senses:
            return Word(' '.join(part), senses), length
    return None, 1


def _nominal(part: tuple[str, ...], lexicon: Lexicon) -> dict[str, Any]:
    """Return the senses of words as a noun, a room or a number in digits."""
    noun = lexicon.noun(part)
    if noun is not None:
        return {'NOUN': noun}
    region = lexicon.region(part)
    if region is not None:
        return {'REGION': region}
    if len(part) == 1 and part[0].isdecimal() and len(part[0]) <= 4:
        return {'NUMBER': int(part[0])}
    return {}
