# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The nouns that a question may use, and what they mean in the map at hand."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from world_model_core.objects.labels import normalize_label
from world_model_core.objects.language.inflections import (
    head_of,
    number_forms,
    pluralize,
    singularize,
)
from world_model_core.objects.language.spelling import Speller, split_words
from world_model_core.objects.language.translations import builtin_translations
from world_model_core.objects.language.word_files import load_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.objects.language.translations import Translations

# Longer names cannot be asked for: no one says them, and matching them costs time.
MOST_WORDS = 6
_LONGEST_LABEL = 80
# Labels of what a detector could not name: who asks for objects asks for all of them.
_ANYTHING_AT_ALL = frozenset({'object', 'thing', 'item'})


class Noun(NamedTuple):
    """
    A noun as it was read.

    Attributes
    ----------
    labels : tuple of str
        Classes of the map that it may mean, normalised; the noun itself where the map has none;
        empty when any object answers to it.
    text : str
    plural : bool
        Its form is that of several, and not the very label of the map.
    either : bool
        Its form serves for one and for several: "clothes", "stairs" where that is a label.

    """

    labels: tuple[str, ...]
    text: str
    plural: bool = False
    number_ambiguous: bool = False


class Lexicon:
    """
    The vocabulary of one map.

    A noun means, in this order: the labels and aliases of that very name, in either number; the
    labels of the same meaning (english_nouns.yaml) together with those that end in it ("screen"
    means "folding screen"); itself, a class that the map does not have.

    Parameters
    ----------
    labels : iterable of str
        Classes of the objects of the map, as spelt there.
    aliases : iterable of str
        Other names under which objects may be asked for.
    regions : iterable of str
        Names of rooms.
    translations : Translations, optional
        Japanese words of one's own, beside the shipped ones.

    Attributes
    ----------
    labels : frozenset of str
        Every label and alias of the map, normalised.
    noun : callable
        From words to the `Noun` that they are, None when they are none.

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
        self._words: set[str] = set()
        for label in dict.fromkeys((*labels, *aliases)):
            self._add_label(normalize_label(label[: _LONGEST_LABEL + 1]))
        self.labels = frozenset(label for known in self._labels.values() for label in known)
        self._regions = dict(shared.regions)
        for region in regions:
            self._add_region(region)
        # Bounded, since questions may say anything.
        self.noun = lru_cache(maxsize=4096)(self._resolve)
        self._speller: Speller | None = None
        shipped = builtin_translations()
        self.translations = shipped.extend(translations) if translations else shipped

    def labels_named(self, key: str) -> tuple[str, ...]:
        """Find the labels of the map whose joined name is `key`."""
        return tuple(self._labels.get(key, ()))

    def _add_label(self, label: str) -> None:
        words = tuple(split_words(label))
        if not words or len(words) > MOST_WORDS or len(label) > _LONGEST_LABEL:
            return
        singular, _ = number_forms(words)
        known = self._labels.setdefault(join(singular), [])
        if label not in known:
            known.append(label)
        self._words.update(words)
        head = head_of(singular)
        # "table" is a word of "table lamp" as well, but no lamp is a table.
        for start in range(1 if head == len(words) - 1 else 0, head + 1):
            self._ending.setdefault(join(singular[start : head + 1]), []).append(label)

    def _add_region(self, region: str) -> None:
        words = split_words(normalize_label(region[:_LONGEST_LABEL]))
        if words:
            self._regions[join(words)] = ' '.join(words)
            self._words.update(words)

    def region(self, words: tuple[str, ...]) -> str | None:
        """Find the room that words name."""
        return self._regions.get(join(words))

    def contains(self, word: str) -> bool:
        """Tell whether a word is part of a noun, in singular or plural."""
        one, many = _both_numbers(word)
        forms = {word, one, many}
        known = not forms.isdisjoint(self._words) or not forms.isdisjoint(_shared_nouns().words)
        return known or self.noun((word,)) is not None

    def _resolve(self, words: tuple[str, ...]) -> Noun | None:
        """Find what words mean as a noun, in singular or plural; None when they are none."""
        shared = _shared_nouns()
        text, key = ' '.join(words), join(words)
        one, many = number_forms(words)
        singular, plural = join(one), join(many)
        plural_verb = key == plural != singular
        number_ambiguous = singular == plural
        labels_named = self._labels.get(singular) or self._labels.get(key)
        if singular in shared.anything and (not labels_named or singular in _ANYTHING_AT_ALL):
            return Noun((), text, plural_verb)
        if labels_named:
            same = [label for label in labels_named if join(split_words(label)) == key]
            if same and not plural_verb:
                return Noun(tuple(same), text, plural=False, number_ambiguous=number_ambiguous)
            return Noun(
                tuple(labels_named), text, plural_verb and not same, number_ambiguous or bool(same)
            )
        kin = [
            label
            for synonym in (singular, *shared.synonyms.get(singular, ()))
            for label in (*self._labels.get(synonym, ()), *self._ending.get(synonym, ()))
        ]
        if kin:
            return Noun(tuple(dict.fromkeys(kin)), text, plural_verb, number_ambiguous)
        if singular in shared.nouns:
            return Noun((' '.join(one),), text, plural_verb, number_ambiguous)
        return None

    def correct(self, word: str, others: frozenset[str]) -> str | None:
        """
        Find what a word was meant to be that is in no vocabulary.

        Parameters
        ----------
        word : str
        others : frozenset of str
            Words of the grammar, known beside the nouns.

        Returns
        -------
        str, optional
            The one word one slip away; one of the map's own goes before others. None when there
            is none, or several.

        """
        if self._speller is None:
            self._speller = Speller(self._words | set(map(pluralize, self._words)))
        for speller in (self._speller, _shared_speller(others)):
            found = speller.near(word)
            if found:
                # "windoww" may be a window or windows, which is no matter.
                return min(found, key=len) if len(set(map(singularize, found))) == 1 else None
        return None


class _SharedNouns(NamedTuple):
    """The file english_nouns.yaml: each key is the joined singular of a noun."""

    nouns: frozenset[str]
    synonyms: dict[str, tuple[str, ...]]
    anything: frozenset[str]
    regions: dict[str, str]
    words: frozenset[str]


def join(words: Iterable[str]) -> str:
    """Make the key of a phrase: spaces do not matter ("night stand" is "nightstand")."""
    return ''.join(words)


@lru_cache(maxsize=1)
def _shared_nouns() -> _SharedNouns:
    """Read what is known of English nouns whatever the map."""
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
