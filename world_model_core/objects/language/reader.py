# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A question in words, and all that it may mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.language.descriptions import UnreadableError
from world_model_core.objects.language.english import parse_english
from world_model_core.objects.language.english_words import english_phrases, settle
from world_model_core.objects.language.queries import build_queries
from world_model_core.objects.language.segmentation import segment
from world_model_core.objects.language.spelling import split_words
from world_model_core.objects.query import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.language.lexicon import Lexicon
    from world_model_core.objects.language.segmentation import Word

# The longest of the challenge's 75 has 39 words; what is far longer is no question.
_MOST_WORDS = 150
_MOST_CHARACTERS = 1500
# So that an answer that names what is missing stays readable.
_MOST_MISSING = 10


def read(text: str, lexicon: Lexicon) -> Reading:
    """
    Read a question.

    Parameters
    ----------
    text : str
        Any text at all.
    lexicon : Lexicon
        Of the map that it is put to.

    Returns
    -------
    Reading
        Without queries where it cannot be read: `missing` then says why.

    """
    if len(text) > _MOST_CHARACTERS:
        return _refuse(text, f'a shorter question: {len(text)} of {_MOST_CHARACTERS} characters')
    words = split_words(text)
    if len(words) > _MOST_WORDS:
        return _refuse(text, f'a shorter question: {len(words)} of {_MOST_WORDS} words')
    return _read_english(text, words, lexicon)


def _refuse(text: str, missing: str) -> Reading:
    return Reading(text[:_MOST_CHARACTERS], 'en', (), missing=(missing,))


def _read_english(text: str, words: list[str], lexicon: Lexicon) -> Reading:
    segments = segment(words, english_phrases(), lexicon)
    settled = settle(segments.words)
    if segments.unknown:
        return Reading(
            text,
            'en',
            (),
            _chunk(settled),
            segments.unknown[:_MOST_MISSING],
            segments.corrections,
        )
    try:
        sentence, corrections = parse_english(settled)
        queries = build_queries(sentence)
    except UnreadableError as error:
        understood = _chunk(settled[: error.place])
        return Reading(text, 'en', (), understood, (str(error),), segments.corrections)
    return Reading(
        text, 'en', queries, _chunk(settled), corrections=(*segments.corrections, *corrections)
    )


def _chunk(words: Sequence[Word]) -> tuple[str, ...]:
    """Say what was read, phrase by phrase; each ends with its noun."""
    chunks: list[str] = []
    said: list[str] = []
    for word in words:
        said.append(word.text)
        if word.may_be({'NOUN', 'REGION'}):
            chunks.append(' '.join(said))
            said.clear()
    return (*chunks, ' '.join(said)) if said else tuple(chunks)
