# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""English questions: words in, a sentence out, by the grammar in english.lark."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from lark import Lark, Token
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

from world_model_core.objects.language.descriptions import UnreadableError
from world_model_core.objects.language.english_tree import EnglishTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.objects.language.segmentation import Word
    from world_model_core.objects.language.sentences import Sentence


class _Feed(Lexer):
    """Stands where lark wants a lexer: words are cut by the lexicon, and fed one by one."""

    def __init__(self, configuration: Any) -> None:
        """Need nothing of lark's configuration."""

    def lex(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """Hand on what is there."""
        return iter(tokens)


@lru_cache(maxsize=1)
def _grammar() -> Lark:
    text = resources.files(__package__).joinpath('english.lark').read_text(encoding='utf-8')
    return Lark(text, parser='lalr', lexer=_Feed, maybe_placeholders=False)


def parse_english(words: Sequence[Word]) -> tuple[Sentence, tuple[tuple[str, str], ...]]:
    """
    Parse settled words.

    A word with several senses is taken for the first that the grammar has a use for there.

    Returns
    -------
    Sentence
    corrections : tuple of (str, str)
        Words that were taken for simpler ones.

    Raises
    ------
    UnreadableError
        If the grammar has no place for a word, or ends too early; its `place` is the number of
        words read.

    """
    parser = _grammar().parse_interactive('')
    values = []
    for place, word in enumerate(words):
        choices = parser.choices()
        kind = next((kind for kind in word.senses if kind in choices), None)
        if kind is None:
            raise UnreadableError(_complain(words, place), place)
        values.append(word.senses[kind])
        _feed(parser, Token(kind, word.text, place), words, place)
    tree = _feed(parser, Token('$END', '', len(words)), words, len(words))
    reader = EnglishTree(values)
    return reader.read(tree), tuple(reader.corrections)


def _feed(parser: Any, token: Token, words: Sequence[Word], place: int) -> Any:
    try:
        return parser.feed_token(token)
    except UnexpectedInput:
        raise UnreadableError(_complain(words, place), place) from None


def _complain(words: Sequence[Word], place: int) -> str:
    before = f' after "{words[place - 1].text}"' if place else ''
    if place == len(words):
        return f'what comes{before}' if place else 'a question'
    return f'what "{words[place].text}" means{before}'
