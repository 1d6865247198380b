# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parser of Japanese questions, by the grammar in japanese_grammar.lark."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lark import Tree

from world_model_core.objects.language.grammar_parser import parse_words
from world_model_core.objects.language.phrase_chain import Link, LinkRole, Phrase, PhraseChain
from world_model_core.objects.language.sentence import (
    CountSentence,
    FindSentence,
    InstructionPart,
    InstructionSentence,
    Sentence,
)
from world_model_core.objects.query import (
    BETWEEN_ACTIONS,
    Action,
    Determiner,
    RelationKind,
    Superlative,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.language.segmentation import Word

__all__ = ['parse_japanese']

_ACTIONS = {
    'go_to': Action.GO_TO,
    'go_near': Action.GO_NEAR,
    'stop_at': Action.STOP_AT,
    'via_near': Action.VIA_NEAR,
    'via_between': Action.VIA_BETWEEN,
    'avoid': Action.AVOID,
    'avoid_near': Action.AVOID_NEAR,
    'avoid_between': Action.AVOID_BETWEEN,
}


def parse_japanese(words: Sequence[Word]) -> tuple[Sentence, tuple[tuple[str, str], ...]]:
    """
    Parse segmented words.

    Returns
    -------
    Sentence
    corrections : tuple of (str, str)
        Always empty: nothing is replaced by simpler words.

    Raises
    ------
    QuestionError
        If the words are not a sentence.

    """
    tree, values = parse_words('japanese_grammar.lark', words)
    return _read_sentence(tree, values), ()


def _read_sentence(tree: Any, values: Sequence[Any]) -> Sentence:
    sentence = tree.children[0]
    parts = [each for each in sentence.children if isinstance(each, Tree)]
    if sentence.data == 'count':
        return CountSentence(_read_chain(parts[0], values))
    if sentence.data == 'reference':
        return FindSentence((_read_chain(parts[0], values),))
    return InstructionSentence(tuple(_read_part(part, values) for part in parts))


def _read_part(tree: Any, values: Sequence[Any]) -> InstructionPart:
    action = _ACTIONS[tree.data]
    chain = _read_chain(tree.children[0], values)
    return InstructionPart(action, replace(chain, between=action in BETWEEN_ACTIONS))


def _read_chain(tree: Any, values: Sequence[Any]) -> PhraseChain:
    """Convert a chain from its end, because Japanese modifiers precede their noun."""
    *others, last = tree.children
    pairs = list(zip(others[::2], others[1::2], strict=True))
    links = tuple(
        _read_link(link, values, _read_phrase(phrase, values)) for phrase, link in reversed(pairs)
    )
    return PhraseChain(_read_phrase(last, values), links)


def _read_link(tree: Any, values: Sequence[Any], phrase: Phrase) -> Link:
    said = values[tree.children[0].start_pos]
    if tree.data == 'picked':
        kind, rank = said
        return Link(LinkRole.RELATION, phrase, kind=RelationKind[kind], rank=rank)
    if tree.data == 'between':
        return Link(LinkRole.BETWEEN, phrase, kind=RelationKind.BETWEEN)
    if tree.data == 'joined':
        return Link(LinkRole.JOIN, phrase)
    if tree.data == 'carrying':
        # Japanese has no articles: "a bed with a pillow" has any pillow.
        borne = replace(phrase, determiner=Determiner.ANY)
        return Link(LinkRole.CARRYING, borne, kind=RelationKind[said])
    return Link(LinkRole.RELATION, phrase, kind=RelationKind[said])


def _read_phrase(tree: Any, values: Sequence[Any]) -> Phrase:
    """Convert a noun with everything before it."""
    tokens = [_leaf(each) for each in tree.children]
    said = {token.type: values[token.start_pos] for token in tokens}
    superlative = said.get('SUPERLATIVE')
    return Phrase(
        said.get('NOUN'),
        number=said.get('NUMBER'),
        ordinal=None if superlative else said.get('ORDINAL'),
        colors=tuple(values[token.start_pos] for token in tokens if token.type == 'COLOR'),
        size=said.get('SIZE'),
        superlative=Superlative[superlative] if superlative else None,
        rank=said.get('ORDINAL') if superlative else None,
        region=said.get('REGION'),
        is_region='NOUN' not in said,
    )


def _leaf(node: Any) -> Any:
    """Return the token of a modifier or noun."""
    return node.children[0] if isinstance(node, Tree) else node
