# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Grammars of this package: settled words in, a tree out."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from lark import Lark, Token
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

from world_model_core.objects.language.description_builder import QuestionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.objects.language.segmentation import Word


class _TokenFeed(Lexer):
    """Stands where lark wants a lexer: words are cut by the lexicon, and fed one by one."""

    def __init__(self, configuration: Any) -> None:
        """Need nothing of lark's configuration."""

    def lex(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """Hand on what is there."""
        return iter(tokens)


@lru_cache(maxsize=2)
def _grammar(name: str) -> Lark:
    text = resources.files(__package__).joinpath(name).read_text(encoding='utf-8')
    return Lark(text, parser='lalr', lexer=_TokenFeed, maybe_placeholders=False)


def parse_words(name: str, words: Sequence[Word]) -> tuple[Any, list[Any]]:
    """
    Parse settled words.

    A word with several senses is taken for the first that the grammar has a use for there.

    Parameters
    ----------
    name : str
        Of the grammar's file.
    words : sequence of Word

    Returns
    -------
    tree : lark.Tree
        Of tokens whose `start_pos` is the place of their word.
    values : list
        What each word says in the sense that it was taken in.

    Raises
    ------
    UnreadableError
        If the grammar has no use for a word, or ends too early; its `place` is the number of
        words read.

    """
    parser = _grammar(name).parse_interactive('')
    values = []
    for place, word in enumerate(words):
        choices = parser.choices()
        kind = next((kind for kind in word.senses if kind in choices), None)
        if kind is None:
            raise QuestionError(_missing_text(words, place), place)
        values.append(word.senses[kind])
        _feed(parser, Token(kind, word.text, place), words)
    return _feed(parser, Token('$END', '', len(words)), words), values


def _feed(parser: Any, token: Token, words: Sequence[Word]) -> Any:
    """Hand a token to the parser; the tree comes back for the last one."""
    try:
        return parser.feed_token(token)
    except UnexpectedInput:
        place = token.start_pos
        raise QuestionError(_missing_text(words, place), place) from None


def _missing_text(words: Sequence[Word], place: int) -> str:
    before = f' after "{words[place - 1].text}"' if place else ''
    if place == len(words):
        return f'what comes{before}' if place else 'a question'
    return f'what "{words[place].text}" means{before}'
