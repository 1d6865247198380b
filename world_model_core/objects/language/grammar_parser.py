# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parser for the grammars of this package: disambiguated words in, a syntax tree out."""

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

__all__ = ['parse_words']


class _TokenFeed(Lexer):
    """Lexer for lark that passes tokens through: the words are already segmented."""

    def __init__(self, configuration: Any) -> None:
        """Ignore lark's configuration."""

    def lex(self, tokens: Sequence[Token]) -> Iterator[Token]:
        """Return the tokens unchanged."""
        return iter(tokens)


@lru_cache(maxsize=2)
def _grammar(name: str) -> Lark:
    text = resources.files(__package__).joinpath(name).read_text(encoding='utf-8')
    return Lark(text, parser='lalr', lexer=_TokenFeed, maybe_placeholders=False)


def parse_words(name: str, words: Sequence[Word]) -> tuple[Any, list[Any]]:
    """
    Parse disambiguated words.

    A word with several senses is used in its first sense that the grammar accepts at its position.

    Parameters
    ----------
    name : str
        Name of the grammar file.
    words : sequence of Word

    Returns
    -------
    tree : lark.Tree
        Its tokens have the index of their word as `start_pos`.
    values : list
        Value of each word in the sense in which it was used.

    Raises
    ------
    QuestionError
        If the grammar does not accept a word, or the text is incomplete; `place` is the number of
        words parsed.

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
    """Feed a token to the parser; return the tree for the last one."""
    try:
        return parser.feed_token(token)
    except UnexpectedInput:
        place = token.start_pos
        raise QuestionError(_missing_text(words, place), place) from None


def _missing_text(words: Sequence[Word], place: int) -> str:
    before = f' after "{words[place - 1].text}"' if place else ''
    if place == len(words):
        return f'the words{before}' if place else 'a question'
    return f'the meaning of "{words[place].text}"{before}'
