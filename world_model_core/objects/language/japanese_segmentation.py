# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Segmentation of Japanese text into words, with particles joined to their words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from world_model_core.objects.language.lexicon import INEXACT, WIDER, Lexicon, Noun
from world_model_core.objects.language.segmentation import Phrases, Segments, Word, index_phrases
from world_model_core.objects.language.spelling import split_words
from world_model_core.objects.language.word_files import load_table
from world_model_core.objects.query import Sense

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ['fold', 'japanese_phrases', 'join_particles', 'segment_japanese']

_LONGEST = 24
_VERBS = frozenset({'GO', 'STOP', 'THROUGH', 'AVOID'})
_AHEAD_OF_NOUN = frozenset({'NOUN', 'COLOR', 'SIZE', 'NUMBER', 'SUPERLATIVE'})
_SIZES = {'big': 'BIGGEST', 'small': 'SMALLEST'}


@lru_cache(maxsize=1)
def japanese_phrases() -> Phrases:
    """Load the phrases that stand for terminals of the grammar."""
    return index_phrases(load_table('japanese_words.yaml'), fold)


def fold(text: str) -> list[str]:
    """Split a text into its characters, normalized (NFKC) and without spaces."""
    folded = unicodedata.normalize('NFKC', text).casefold().replace('_', ' ')
    return [character for character in folded if not character.isspace()]


def segment_japanese(text: str, lexicon: Lexicon) -> Segments:
    """Segment a text into the longest known words, from the left."""
    characters = ''.join(fold(text))
    found: list[Word] = []
    unknown: list[str] = []
    place = last = 0
    while place < len(characters):
        word = _longest(characters[place : place + _LONGEST], lexicon)
        if word is not None:
            found.append(word)
            place += len(word.text)
            continue
        if unknown and last == place:
            unknown[-1] += characters[place]
        else:
            unknown.append(characters[place])
        place += 1
        last = place
    return Segments(found, tuple(dict.fromkeys(unknown)), ())


def _longest(ahead: str, lexicon: Lexicon) -> Word | None:
    phrases = japanese_phrases().senses
    for length in range(len(ahead), 0, -1):
        part = ahead[:length]
        senses = {**phrases.get(part, {}), **_nominal(part, lexicon)}
        if senses:
            return Word(part, senses)
    return None


def _nominal(part: str, lexicon: Lexicon) -> dict[str, Any]:
    """Return the senses of a word as a noun, a color or a room."""
    translations = lexicon.translations
    if part in translations.colors:
        return {'COLOR': translations.colors[part]}
    if part in translations.regions:
        name = translations.regions[part]
        return {'REGION': lexicon.region(tuple(split_words(name))) or name}
    noun = _noun(part, lexicon)
    if noun is None and 'の' in part[1:-1]:
        # "コーヒーのカップ" is a "コーヒーカップ", if the map has one.
        compound = _noun(part.replace('の', ''), lexicon)
        labels = () if compound is None else compound.labels
        if compound is not None and labels and lexicon.labels.issuperset(labels):
            noun = compound._replace(text=part, senses=(), probability=INEXACT)
    if noun is not None:
        return {'NOUN': noun}
    if part.isascii() and part.isalpha():
        noun = lexicon.noun((part,))
        return {} if noun is None else {'NOUN': noun._replace(plural=False, number_ambiguous=True)}
    return {}


def _noun(part: str, lexicon: Lexicon) -> Noun | None:
    """Return the noun that a word names by a Japanese label or by a translation."""
    own, names = lexicon.labels_named(part), lexicon.translations.labels.get(part, ())
    if not own and not names:
        return None
    translated = _translate(part, names, lexicon)
    wider = lexicon.labels_ending(part)
    if own:
        others = (*wider, *(label for label in translated.labels if label in lexicon.labels))
        senses = (Sense(others, WIDER),) if others else ()
        return Noun(own, part, number_ambiguous=True, senses=senses)
    if not wider or not translated.labels:
        return translated
    if translated.probability == 1.0 and lexicon.labels.issuperset(translated.labels):
        return translated._replace(senses=(*translated.senses, Sense(wider, WIDER)))
    known = tuple(label for label in translated.labels if label in lexicon.labels)
    return Noun((*known, *wider), part, number_ambiguous=True, probability=INEXACT)


def _translate(word: str, names: Sequence[str], lexicon: Lexicon) -> Noun:
    """Return the labels of all translations that the map contains, or the first translation."""
    found = [lexicon.noun(tuple(split_words(name))) or Noun((name,), name) for name in names]
    if any(not noun.labels for noun in found) or not found:
        return Noun((), word, number_ambiguous=True)
    present = [noun for noun in found if lexicon.labels.issuperset(noun.labels)]
    exact = [noun for noun in present if noun.probability == 1.0]
    labels = dict.fromkeys(label for noun in exact or present for label in noun.labels)
    if not labels:
        return Noun(found[0].labels, word, number_ambiguous=True)
    others = [Sense(noun.labels, WIDER) for noun in present if exact and noun not in exact]
    senses = (*(sense for noun in exact for sense in noun.senses), *others)
    return Noun(
        tuple(labels),
        word,
        number_ambiguous=True,
        senses=tuple(_without(labels, senses)),
        probability=1.0 if exact else INEXACT,
    )


def _without(labels: Iterable[str], senses: Iterable[Sense]) -> Iterator[Sense]:
    """Remove labels that an earlier sense includes, most probable first."""
    known = set(labels)
    for sense in sorted(senses, key=lambda each: -each.probability):
        added = tuple(label for label in sense.labels if label not in known)
        known.update(added)
        if added:
            yield Sense(added, sense.probability)


def join_particles(words: Sequence[Word]) -> list[Word]:
    """
    Join particles to the words that they belong to, and remove words without meaning.

    Returns
    -------
    list of Word
        With terminals of japanese_grammar.lark.

    """
    joiner = _ParticleJoiner([word for word in words if set(word.senses) != {'NOISE'}])
    return joiner.run()


class _ParticleJoiner:
    """
    One pass over the words from left to right.

    Parameters
    ----------
    words : list of Word

    """

    def __init__(self, words: list[Word]) -> None:
        self._words = words
        self._result: list[Word] = []

    def run(self) -> list[Word]:
        for place, word in enumerate(self._words):
            following = self._words[place + 1] if place + 1 < len(self._words) else Word('')
            self._join(word, following)
        return self._result

    def _last(self, kind: str) -> Word | None:
        """Return the last word if it has a sense."""
        if self._result and kind in self._result[-1].senses:
            return self._result[-1]
        return None

    def _join(self, word: Word, following: Word) -> None:
        if word.may_be({'NOISE'}) and not following.may_be({'CLOSE'}):
            return
        if word.may_be({'PARTICLE'}):
            self._join_particle(word, following)
        elif word.may_be({'CLOSE'}):
            self._join_close(word)
        elif word.may_be({'SIZE', 'HEIGHT', 'SIDE'}):
            self._join_size(word)
        elif word.may_be(_VERBS):
            self._join_verb(word)
        elif not (word.may_be({'COUNT', 'FIND'}) and (self._last('COUNT') or self._last('FIND'))):
            self._result.append(word)

    def _join_particle(self, word: Word, following: Word) -> None:
        """Keep a goal particle without a verb, and "of" between nouns."""
        known = _VERBS | {'FIND', 'COUNT', 'CLOSE', 'MOST', 'ORDINAL'}
        if word.may_be({'GOAL'}) and self._result and not following.may_be(known):
            self._join_verb(Word(word.text, {'GO': None}))
        elif word.text == 'の' and self._last('NOUN') and following.may_be(_AHEAD_OF_NOUN):
            self._result.append(Word(word.text, {'OF': None}))

    def _join_close(self, word: Word) -> None:
        """Join "second" and "most" to "close"; "close" alone is near, "far" alone is farthest."""
        kind, rank = word.senses['CLOSE'], None
        if most := self._last('MOST') or self._last('ORDINAL'):
            rank = most.senses.get('ORDINAL', 1)
            self._result.pop()
        text = f'{most.text}{word.text}' if most else word.text
        if rank is None and kind == 'CLOSEST':
            self._result.append(Word(text, {'RELATION': 'NEAR'}))
        else:
            self._result.append(Word(text, {'CLOSEST_TO': (kind, rank or 1)}))

    def _join_size(self, word: Word) -> None:
        """Join "most" or "second" to a size; "the second" is not joined."""
        kind = next(iter(word.senses))
        value = word.senses[kind]
        most, ordinal = self._last('MOST'), self._last('ORDINAL')
        if most is not None:
            self._result.pop()
        elif kind == 'SIZE' and not (ordinal and ordinal.text.endswith('に')):
            self._result.append(word)
            return
        text = f'{most.text}{word.text}' if most else word.text
        self._result.append(Word(text, {'SUPERLATIVE': _SIZES.get(value, value)}))

    def _join_verb(self, word: Word) -> None:
        """Join a verb to the "near" or "between" before it."""
        verb = next(kind for kind in word.senses if kind in _VERBS)
        for kind, ending in (('RELATION', '_NEAR'), ('BETWEEN', '_BETWEEN')):
            place = self._last(kind)
            if place is not None:
                self._result[-1] = Word(f'{place.text}{word.text}', {f'{verb}{ending}': None})
                return
        self._result.append(Word(word.text, {verb: None}))
