# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parser of questions: text in, all its possible meanings out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from world_model_core.objects.language.description_builder import QuestionError
from world_model_core.objects.language.english_disambiguation import disambiguate, english_phrases
from world_model_core.objects.language.english_parser import parse_english
from world_model_core.objects.language.japanese_parser import parse_japanese
from world_model_core.objects.language.japanese_segmentation import (
    join_particles,
    segment_japanese,
)
from world_model_core.objects.language.query_builder import build_queries
from world_model_core.objects.language.segmentation import segment
from world_model_core.objects.language.spelling import split_words
from world_model_core.objects.query import Parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.objects.language.lexicon import Lexicon
    from world_model_core.objects.language.segmentation import Segments, Word
    from world_model_core.objects.language.sentence import Sentence

__all__ = ['parse_question']

Corrections: TypeAlias = tuple[tuple[str, str], ...]
# Hiragana, katakana (half-width as well) and Chinese characters.
_JAPANESE = re.compile('[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]')

# The longest of the challenge's 75 questions has 39 words.
_MOST_WORDS = 150
_MOST_CHARACTERS = 1500
# Keeps answers that list missing words readable.
_MOST_MISSING = 10


def parse_question(text: str, lexicon: Lexicon) -> Parse:
    """
    Parse a question.

    Parameters
    ----------
    text : str
        Any text, in English or Japanese.
    lexicon : Lexicon
        Vocabulary of the map.

    Returns
    -------
    Parse
        Without queries if the text cannot be parsed: `missing` then gives the reason.

    """
    if len(text) > _MOST_CHARACTERS:
        return _reject(
            text, f'a shorter question: {len(text)} characters exceed {_MOST_CHARACTERS}'
        )
    if _JAPANESE.search(text):
        segments = segment_japanese(text, lexicon)
        return _parse(text, 'ja', segments, join_particles(segments.words), parse_japanese)
    words = split_words(text)
    if len(words) > _MOST_WORDS:
        return _reject(text, f'a shorter question: {len(words)} words exceed {_MOST_WORDS}')
    segments = segment(words, english_phrases(), lexicon)
    return _parse(text, 'en', segments, disambiguate(segments.words), parse_english)


def _reject(text: str, missing: str) -> Parse:
    start = text[:_MOST_CHARACTERS]
    return Parse(start, 'ja' if _JAPANESE.search(start) else 'en', (), missing=(missing,))


def _parse(
    text: str,
    language: str,
    segments: Segments,
    settled: Sequence[Word],
    parse: Callable[[Sequence[Word]], tuple[Sentence, Corrections]],
) -> Parse:
    """Parse segmented words by the grammar of their language."""
    corrections = segments.corrections
    if segments.unknown:
        unknown = segments.unknown[:_MOST_MISSING]
        return Parse(text, language, (), _chunk(settled), unknown, corrections)
    try:
        sentence, simplified = parse(settled)
        queries = build_queries(sentence)
    except QuestionError as error:
        understood = _chunk(settled[: error.place])
        return Parse(text, language, (), understood, (str(error),), corrections)
    return Parse(text, language, queries, _chunk(settled), corrections=(*corrections, *simplified))


def _chunk(words: Sequence[Word]) -> tuple[str, ...]:
    """Return the parsed phrases; each ends with its noun."""
    chunks: list[str] = []
    said: list[str] = []
    for word in words:
        said.append(word.text)
        if word.may_be({'NOUN', 'REGION'}):
            chunks.append(' '.join(said))
            said.clear()
    return (*chunks, ' '.join(said)) if said else tuple(chunks)
