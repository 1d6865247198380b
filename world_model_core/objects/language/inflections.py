# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Singular and plural forms of English nouns."""

from __future__ import annotations

from functools import lru_cache

import inflection

__all__ = ['compound_of', 'head_of', 'number_forms', 'pluralize', 'singularize']

# Exceptions from the rules of `inflection`, for objects in houses.
_IRREGULAR = {
    'leaf': 'leaves',
    'loaf': 'loaves',
    'scarf': 'scarves',
    'roof': 'roofs',
    'chef': 'chefs',
    'cactus': 'cactuses',
    'canvas': 'canvases',
    'gas': 'gases',
    'lens': 'lenses',
    'foot': 'feet',
    'tooth': 'teeth',
    'goose': 'geese',
    'clothes': 'clothes',
    'scissors': 'scissors',
    'trousers': 'trousers',
    'pants': 'pants',
    'jeans': 'jeans',
    'shorts': 'shorts',
    'headphones': 'headphones',
    'olive': 'olives',
}
# Nouns in "-ves" with a singular in "-f" or "-fe"; all others drop the "s": "stoves",
# "microwaves".
_ENDS_IN_F = ('calves', 'elves', 'halves', 'kerchieves', 'knives', 'lives', 'wives', 'wolves')
_SINGULARS = {plural: singular for singular, plural in _IRREGULAR.items()}


@lru_cache(maxsize=4096)
def pluralize(word: str) -> str:
    """Return the plural of a single word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _SINGULARS:
        return word
    return inflection.pluralize(word)


@lru_cache(maxsize=4096)
def singularize(word: str) -> str:
    """Return the singular of a single word; words that only look plural ("glass", "bus") stay."""
    if word in _SINGULARS:
        return _SINGULARS[word]
    if word in _IRREGULAR or word.endswith(('ss', 'us', 'is')) or len(word) < 3:
        return word
    if word.endswith('ves') and not word.endswith(_ENDS_IN_F):
        return word[:-1]
    return inflection.singularize(word) if len(word) > 3 else _shorten(word)


def _shorten(word: str) -> str:
    """Remove the "s" from abbreviations: "tvs"."""
    return word[:-1] if word[-1] == 's' and word[-2] not in 'aeious' else word


def head_of(words: tuple[str, ...]) -> int:
    """Return the index of the head noun: the last word, or the one before "of"."""
    return words.index('of') - 1 if 'of' in words[1:] else len(words) - 1


def compound_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the compound that a noun means: ("bowl", "of", "apples") is ("apple", "bowl")."""
    head = head_of(words)
    ordered = (*words[head + 2 :], *words[: head + 1]) if 'of' in words[1:] else words
    return tuple(singularize(word) for word in ordered)


def number_forms(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """
    Inflect the head of a noun of one or several words.

    Returns
    -------
    singular, plural : tuple of str
        Equal for words without a plural of their own; empty without words.

    """
    if not words:  # of a label without letters
        return (), ()
    head = head_of(words)
    before, word, after = words[:head], words[head], words[head + 1 :]
    singular = singularize(word)
    return (*before, singular, *after), (*before, pluralize(singular), *after)
