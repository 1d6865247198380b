# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lexicon: the nouns that a question may use, and the labels that they mean in a map."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.objects.labels import normalize_label
from world_model_core.objects.language.inflections import (
    compound_of,
    head_of,
    number_forms,
    pluralize,
    singularize,
)
from world_model_core.objects.language.spelling import Speller, split_words
from world_model_core.objects.language.translations import builtin_translations
from world_model_core.objects.language.word_files import load_table
from world_model_core.objects.query import Sense

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.objects.language.translations import Translations

__all__ = ['MOST_WORDS', 'Lexicon', 'Noun', 'join']

# Longer labels are not indexed, to limit the cost of matching.
MOST_WORDS = 6
_LONGEST_LABEL = 80
# Labels of unrecognized objects; a question for "objects" asks for all objects.
_ANYTHING_AT_ALL = frozenset({'object', 'thing', 'item'})
# Probability that a noun includes compounds and synonyms, though the map has its exact label: one
# of 66 sentences of people does (30 scenes of Nr3D: Achlioptas et al., ECCV 2020). The same for
# the other number, "door" and "doors", of which those scenes have no example: an assumption.
WIDER, OTHER_NUMBER = 0.015, 0.25
# Probability that a noun without an exact label means a compound or synonym: 32 of 33 there.
INEXACT = 0.95


class Noun(NamedTuple):
    """
    A noun of a question.

    Attributes
    ----------
    labels : tuple of str
        Normalized classes of the map that it may mean; the noun itself if the map has none; empty
        if it means any object.
    text : str
    plural : bool
        The noun is in the plural, and not a label of the map in this form.
    number_ambiguous : bool
        Singular and plural have the same form: "clothes", or "stairs" if that is a label.
    senses : tuple of Sense
        Wider senses: other labels that it may mean, most probable first.
    probability : float
        Probability that it means `labels`: below 1 if no label has its name.

    """

    labels: tuple[str, ...]
    text: str
    plural: bool = False
    number_ambiguous: bool = False
    senses: tuple[Sense, ...] = ()
    probability: float = 1.0


class Lexicon:
    """
    Vocabulary of one map.

    A noun means, in this order of priority: labels and aliases with exactly that name; with that
    name in the other number ("doors" for "door"); compounds and synonyms: labels that end in the
    noun ("screen" means "folding screen"), the same words in another order ("cup of coffee" means
    "coffee cup"), and labels with the same meaning (english_nouns.yaml); a class that the map does
    not contain.

    Parameters
    ----------
    labels : iterable of str
        Classes of the objects of the map, as spelled there.
    aliases : iterable of str
        Other names of objects.
    regions : iterable of str
        Names of rooms.
    translations : Translations, optional
        Japanese nouns in addition to the built-in ones.

    Attributes
    ----------
    labels : frozenset of str
        All labels and aliases of the map, normalized.
    noun : callable
        Returns the `Noun` for a tuple of words, or None.

    """

    def __init__(
        self,
        labels: Iterable[str],
        aliases: Iterable[str] = (),
        regions: Iterable[str] = (),
        translations: Translations | None = None,
    ) -> None:
        shared = _shared_nouns()
        self._labels: dict[str, list[str]] = {}
        self._ending: dict[str, list[str]] = {}
        self._compounds: dict[str, list[str]] = {}
        self._words: set[str] = set()
        for label in dict.fromkeys((*labels, *aliases)):
            self._add_label(normalize_label(label[: _LONGEST_LABEL + 1]))
        self.labels = frozenset(label for known in self._labels.values() for label in known)
        self._regions = dict(shared.regions)
        for region in regions:
            self._add_region(region)
        # Bounded, because questions may contain any words.
        self.noun = lru_cache(maxsize=4096)(self._resolve)
        self._speller: Speller | None = None
        shipped = builtin_translations()
        self.translations = shipped.extend(translations) if translations else shipped

    def labels_named(self, key: str) -> tuple[str, ...]:
        """Return the labels of the map whose joined name is `key`."""
        return tuple(self._labels.get(key, ()))

    def labels_ending(self, key: str) -> tuple[str, ...]:
        """Return the longer labels of the map that end in a word without spaces, as Japanese."""
        named = (
            label
            for key_, labels in self._labels.items()
            for label in labels
            if key_ != key and not key_.isascii() and key_.endswith(key)
        )
        return tuple(named)

    def _add_label(self, label: str) -> None:
        words = tuple(split_words(label))
        if not words or len(words) > MOST_WORDS or len(label) > _LONGEST_LABEL:
            return
        singular, _ = number_forms(words)
        known = self._labels.setdefault(join(singular), [])
        if label not in known:
            known.append(label)
        self._words.update(words)
        self._compounds.setdefault(join(compound_of(words)), []).append(label)
        head = head_of(singular)
        # "table" occurs in "table lamp", but a table lamp is not a table.
        for start in range(1 if head == len(words) - 1 else 0, head + 1):
            self._ending.setdefault(join(singular[start : head + 1]), []).append(label)

    def _add_region(self, region: str) -> None:
        words = split_words(normalize_label(region[:_LONGEST_LABEL]))
        if words:
            self._regions[join(words)] = ' '.join(words)
            self._words.update(words)

    def region(self, words: tuple[str, ...]) -> str | None:
        """Return the room that words name."""
        return self._regions.get(join(words))

    def contains(self, word: str) -> bool:
        """Check whether a word is part of a noun, in singular or plural."""
        one, many = _both_numbers(word)
        forms = {word, one, many}
        known = not forms.isdisjoint(self._words) or not forms.isdisjoint(_shared_nouns().words)
        return known or self.noun((word,)) is not None

    def _resolve(self, words: tuple[str, ...]) -> Noun | None:
        """Return the noun that words form, in singular or plural; None if they do not."""
        if not words:  # a label of punctuation alone
            return None
        shared = _shared_nouns()
        text, key = ' '.join(words), join(words)
        one, many = number_forms(words)
        singular, plural = join(one), join(many)
        is_plural = key == plural != singular
        number_ambiguous = singular == plural
        labels_named = self._labels.get(singular) or self._labels.get(key)
        if singular in shared.anything and (not labels_named or singular in _ANYTHING_AT_ALL):
            return Noun((), text, is_plural)
        kin = self._find_kin(one, singular)
        if labels_named:
            same = [label for label in labels_named if join(split_words(label)) == key]
            exact = same or labels_named
            others = tuple(label for label in labels_named if label not in exact)
            wider = tuple(label for label in kin if label not in labels_named)
            senses = (Sense(others, OTHER_NUMBER), Sense(wider, WIDER))
            # "The stairs" are one object if that is a label.
            plural_label = is_plural and bool(same)
            return Noun(
                tuple(exact),
                text,
                is_plural and not plural_label,
                number_ambiguous or plural_label,
                tuple(sense for sense in senses if sense.labels),
            )
        if kin:
            return Noun(kin, text, is_plural, number_ambiguous, probability=INEXACT)
        if singular in shared.nouns or join(compound_of(words)) in shared.nouns:
            return Noun((' '.join(one),), text, is_plural, number_ambiguous)
        return None

    def _find_kin(self, words: tuple[str, ...], key: str) -> tuple[str, ...]:
        """Return the labels that are compounds and synonyms of a noun in the singular."""
        synonyms = _shared_nouns().synonyms
        head = head_of(words)
        before, after = join(words[:head]), join(words[head + 1 :])
        alike = (before + other + after for other in synonyms.get(words[head], ()))
        found = list(self._compounds.get(join(compound_of(words)), ()))
        for name in (key, *synonyms.get(key, ()), *alike):
            found += (*self._labels.get(name, ()), *self._ending.get(name, ()))
        return tuple(dict.fromkeys(found))

    def correct(self, word: str, others: frozenset[str]) -> str | None:
        """
        Return the known word that an unknown word was meant to be.

        Parameters
        ----------
        word : str
        others : frozenset of str
            Words of the grammar, known in addition to the nouns.

        Returns
        -------
        str, optional
            The only word at distance 1; words of the map take precedence. None if there is none or
            several.

        """
        if self._speller is None:
            self._speller = Speller(self._words | set(map(pluralize, self._words)))
        for speller in (self._speller, _shared_speller(others)):
            found = speller.near(word)
            if found:
                # "windoww" may mean "window" or "windows"; either is fine.
                return min(found, key=len) if len(set(map(singularize, found))) == 1 else None
        return None


class _SharedNouns(NamedTuple):
    """Contents of english_nouns.yaml; each key is the joined singular of a noun."""

    nouns: frozenset[str]
    synonyms: dict[str, tuple[str, ...]]
    anything: frozenset[str]
    regions: dict[str, str]
    words: frozenset[str]


def join(words: Iterable[str]) -> str:
    """Join words into a key without spaces: "night stand" equals "nightstand"."""
    return ''.join(words)


@lru_cache(maxsize=1)
def _shared_nouns() -> _SharedNouns:
    """Load the English nouns that are known for all maps."""
    document = load_table('english_nouns.yaml')
    groups = [[_singular(name) for name in group] for group in document['synonyms']]
    synonyms: dict[str, tuple[str, ...]] = {}
    for group in groups:
        for key, _ in group:
            others = tuple(other for other, _ in group if other != key)
            synonyms[key] = synonyms.get(key, ()) + others
    plain = [_singular(name) for name in document['nouns']]
    anything = [_singular(name) for name in document['anything']]
    regions = {join(split_words(name)): name for name in document['regions']}
    named = [name for group in (*groups, plain, anything) for _, name in group]
    return _SharedNouns(
        frozenset(key for group in (*groups, plain) for key, _ in group),
        synonyms,
        frozenset(key for key, _ in anything),
        regions,
        frozenset(word for name in (*named, *regions.values()) for word in split_words(name)),
    )


def _singular(name: str) -> tuple[str, str]:
    return join(number_forms(tuple(split_words(name)))[0]), name


def _both_numbers(word: str) -> tuple[str, ...]:
    return tuple(form for (form,) in number_forms((word,)))


@lru_cache(maxsize=2)
def _shared_speller(others: frozenset[str]) -> Speller:
    words = _shared_nouns().words
    return Speller(others | words | set(map(pluralize, words)))
