# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A question in words, and all that it may mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from world_model_core.objects.language.descriptions import UnreadableError
from world_model_core.objects.language.english import parse_english
from world_model_core.objects.language.english_words import english_phrases, settle
from world_model_core.objects.language.japanese import parse_japanese
from world_model_core.objects.language.japanese_words import segment_japanese, settle_japanese
from world_model_core.objects.language.queries import build_queries
from world_model_core.objects.language.segmentation import segment
from world_model_core.objects.language.spelling import split_words
from world_model_core.objects.query import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.objects.language.lexicon import Lexicon
    from world_model_core.objects.language.segmentation import Segments, Word
    from world_model_core.objects.language.sentences import Sentence

Corrections: TypeAlias = tuple[tuple[str, str], ...]
# Hiragana, katakana (half-width as well) and Chinese characters.
_JAPANESE = re.compile('[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]')

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
        Any text at all, in English or Japanese.
    lexicon : Lexicon
        Of the map that it is put to.

    Returns
    -------
    Reading
        Without queries where it cannot be read: `missing` then says why.

    """
    if len(text) > _MOST_CHARACTERS:
        return _refuse(text, f'a shorter question: {len(text)} of {_MOST_CHARACTERS} characters')
    if _JAPANESE.search(text):
        segments = segment_japanese(text, lexicon)
        return _read(text, 'ja', segments, settle_japanese(segments.words), parse_japanese)
    words = split_words(text)
    if len(words) > _MOST_WORDS:
        return _refuse(text, f'a shorter question: {len(words)} of {_MOST_WORDS} words')
    segments = segment(words, english_phrases(), lexicon)
    return _read(text, 'en', segments, settle(segments.words), parse_english)


def _refuse(text: str, missing: str) -> Reading:
    start = text[:_MOST_CHARACTERS]
    return Reading(start, 'ja' if _JAPANESE.search(start) else 'en', (), missing=(missing,))


def _read(
    text: str,
    language: str,
    segments: Segments,
    settled: Sequence[Word],
    parse: Callable[[Sequence[Word]], tuple[Sentence, Corrections]],
) -> Reading:
    """Read words that are cut and settled, by the grammar of their language."""
    corrections = segments.corrections
    if segments.unknown:
        unknown = segments.unknown[:_MOST_MISSING]
        return Reading(text, language, (), _chunk(settled), unknown, corrections)
    try:
        sentence, simplified = parse(settled)
        queries = build_queries(sentence)
    except UnreadableError as error:
        understood = _chunk(settled[: error.place])
        return Reading(text, language, (), understood, (str(error),), corrections)
    return Reading(
        text, language, queries, _chunk(settled), corrections=(*corrections, *simplified)
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
