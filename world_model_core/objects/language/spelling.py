# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Splitting of text into words, and correction of misspelled words."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ['Speller', 'split_words']

# Letters and digits, with apostrophes inside; punctuation that separates phrases; all else is a
# space.
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[,.;?!&]")
# Shorter words have too many neighbors: "bed" is one letter from "bad", "red" and "bet".
_LEAST_LETTERS = 5
# Bounds the size of the index.
_MOST_LETTERS = 24


def split_words(text: str) -> list[str]:
    """Split a text into words and punctuation, case-folded and normalized (NFKC)."""
    folded = unicodedata.normalize('NFKC', text).casefold().replace('\u2019', "'")
    return _WORD.findall(folded)


class Speller:
    """
    Finds known words at Damerau-Levenshtein distance 1 (optimal string alignment).

    Each known word is indexed under itself and under each way to delete one letter: two words are
    at distance 1 or less only if they share such a key (symmetric deletion).

    Parameters
    ----------
    words : iterable of str

    """

    def __init__(self, words: Iterable[str]) -> None:
        self._by_key: dict[str, set[str]] = {}
        for word in words:
            if _LEAST_LETTERS - 1 <= len(word) <= _MOST_LETTERS:
                for key in _keys(word):
                    self._by_key.setdefault(key, set()).add(word)

    def near(self, word: str) -> set[str]:
        """Return all known words at distance 1; none for words under five letters."""
        if not _LEAST_LETTERS <= len(word) <= _MOST_LETTERS or not word.isalpha():
            return set()
        found = set().union(*(self._by_key.get(key, ()) for key in _keys(word)))
        return {each for each in found if _one_slip(word, each)}


def _keys(word: str) -> set[str]:
    return {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}


def _one_slip(one: str, other: str) -> bool:
    """Check whether two words differ by one deletion, insertion, change or swap of neighbors."""
    if len(one) > len(other):
        one, other = other, one
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) != len(other):
        return len(other) == len(one) + 1 and one[start:] == other[start + 1 :]
    swapped = one[start : start + 2][::-1] == other[start : start + 2]
    return one[start + 1 :] == other[start + 1 :] or (
        swapped and one[start + 2 :] == other[start + 2 :]
    )
