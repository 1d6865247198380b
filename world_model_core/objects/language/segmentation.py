# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A text cut into phrases that a vocabulary knows, each with all that it may stand for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from world_model_core.objects.language.lexicon import MOST_WORDS, join
from world_model_core.objects.language.spelling import split_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from world_model_core.objects.language.lexicon import Lexicon


@dataclass(slots=True)
class Word:
    """
    One or several words of a text that belong together.

    Attributes
    ----------
    text : str
    senses : dict
        From each terminal of the grammar that it may be to what it says there.

    """

    text: str
    senses: dict[str, Any] = field(default_factory=dict)

    def may_be(self, terminals: Iterable[str]) -> bool:
        """Tell whether any of these is among its senses."""
        return not self.senses.keys().isdisjoint(terminals)

    def keep(self, terminals: Iterable[str]) -> None:
        """Leave only these senses."""
        wanted = set(terminals)
        self.senses = {kind: value for kind, value in self.senses.items() if kind in wanted}

    def drop(self, terminals: Iterable[str]) -> None:
        """Leave these senses out."""
        self.keep(self.senses.keys() - set(terminals))


class Phrases(NamedTuple):
    """The phrases of a grammar: senses by joined words, its single words, the longest phrase."""

    senses: Mapping[str, Mapping[str, Any]]
    words: frozenset[str]
    longest: int


class Segments(NamedTuple):
    """A text cut up: its words, those that nothing knows, and misspelt ones with the right."""

    words: list[Word]
    unknown: tuple[str, ...]
    corrections: tuple[tuple[str, str], ...]


def index_phrases(
    document: Mapping[str, Any], split: Callable[[str], list[str]] = split_words
) -> Phrases:
    """Index a file of phrases: terminal -> phrases, or terminal -> value -> phrases."""
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
    Cut words into the longest phrases known, from the left.

    A word that begins none is taken for the one that it is a slip away from, or is unknown.
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
    """Mend each word that is in no vocabulary and one slip away from one word that is."""
    mended = list(words)
    for place, word in enumerate(words):
        known = word in phrases.words or word in phrases.senses or lexicon.contains(word)
        mended[place] = word if known else lexicon.correct(word, phrases.words) or word
    pairs = ((word, meant) for word, meant in zip(words, mended, strict=True) if word != meant)
    return mended, tuple(dict.fromkeys(pairs))


def _longest(
    words: list[str], place: int, phrases: Phrases, lexicon: Lexicon
) -> tuple[Word | None, int]:
    """Find the longest phrase that begins at a place, and how many words it has."""
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
    """Find what words say as a noun, a room or a number in digits."""
    noun = lexicon.noun(part)
    if noun is not None:
        return {'NOUN': noun}
    region = lexicon.region(part)
    if region is not None:
        return {'REGION': region}
    if len(part) == 1 and part[0].isdecimal() and len(part[0]) <= 4:
        return {'NUMBER': int(part[0])}
    return {}
