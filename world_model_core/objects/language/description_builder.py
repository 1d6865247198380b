# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptions of objects, built from phrases whose attachment is decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError
from world_model_core.objects.language.phrase_chain import LinkRole
from world_model_core.objects.query import Description, Determiner, Relation, RelationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.language.phrase_chain import Link, Phrase, PhraseChain

__all__ = ['QuestionError', 'describe']


class QuestionError(WorldModelError):
    """
    A question whose words are known but do not form a query; the message names what is missing.

    Attributes
    ----------
    place : int, optional
        Index of the first word that cannot be parsed.

    """

    def __init__(self, message: str, place: int | None = None) -> None:
        super().__init__(message)
        self.place = place


def describe(chain: PhraseChain, heads: Sequence[int]) -> tuple[Description, ...]:
    """
    Build the descriptions of the first phrase of a chain, and of phrases joined to it.

    Parameters
    ----------
    chain : PhraseChain
    heads : sequence of int
        For each link, the phrase to which it is attached; -1 for a new first phrase.

    Raises
    ------
    QuestionError
        If the phrases contradict each other or lack an anchor.

    """
    tree = _Tree(chain, heads)
    firsts = [0, *(node for node, head in enumerate(heads, 1) if head == -1)]
    if chain.between:
        firsts = [0, *(node for node, link in tree.joined(0))]
    return tuple(tree.describe(node) for node in firsts)


class _Tree:
    """
    Phrases with the links attached to each.

    Parameters
    ----------
    chain : PhraseChain
    heads : sequence of int

    """

    def __init__(self, chain: PhraseChain, heads: Sequence[int]) -> None:
        self._phrases, self._links = chain.phrases, chain.links
        self._children: dict[int, list[tuple[int, Link]]] = {}
        for node, (head, link) in enumerate(zip(heads, chain.links, strict=True), 1):
            self._children.setdefault(head, []).append((node, link))

    def joined(self, node: int) -> list[tuple[int, Link]]:
        """Return the phrases that "and" joins to a phrase."""
        return [each for each in self._children.get(node, ()) if each[1].role is LinkRole.JOIN]

    def describe(self, node: int) -> Description:
        phrase = self._phrases[node]
        if phrase.is_region:
            raise QuestionError(f'an object: "{phrase.region}" is a room')
        description = _describe_alone(phrase)
        anchored = False
        for child, link in self._children.get(node, ()):
            if link.role is LinkRole.JOIN or link.role is LinkRole.VIEW:
                continue
            anchored |= link.role is LinkRole.ANCHOR
            description = self._extend(description, phrase, child, link)
        if phrase.closest is not None and not anchored:
            raise QuestionError(f'what the {description.noun} is {phrase.closest.value}')
        return description

    def _extend(
        self, description: Description, phrase: Phrase, node: int, link: Link
    ) -> Description:
        """Add a link to a description."""
        if link.role is LinkRole.PREDICATE:
            return _merge(description, link)
        if link.role is LinkRole.PARTITIVE:
            return _take_noun(description, self.describe(node))
        if link.phrase.is_region:
            return _put_in_room(description, link)
        relations = (*description.relations, *self._relations(phrase, node, link))
        if link.role is LinkRole.ANCHOR:
            # "the third chair from the window" is the third closest chair.
            description = replace(description, ordinal=None)
        return replace(description, relations=relations)

    def _relations(self, phrase: Phrase, node: int, link: Link) -> list[Relation]:
        """Build the relations of a link: several for "near the sofa and the table"."""
        anchors = [self.describe(node), *(self.describe(each) for each, _ in self.joined(node))]
        viewpoint = next(
            (self.describe(each) for each, view in self._children.get(node, ())
             if view.role is LinkRole.VIEW),
            None,
        )  # fmt: skip
        kind, rank = _kind_and_rank(phrase, link)
        relation = Relation(
            kind, (), rank=rank, inverse=link.role is LinkRole.CARRYING, negated=link.negated,
            viewpoint=viewpoint,
        )  # fmt: skip
        if kind is RelationKind.BETWEEN:
            if len(anchors) == 1 and not anchors[0].plural:
                anchors = [replace(anchors[0], plural=True)]
            return [replace(relation, anchors=tuple(anchors))]
        return [replace(relation, anchors=(anchor,)) for anchor in anchors]


def _kind_and_rank(phrase: Phrase, link: Link) -> tuple[RelationKind, int]:
    """Return the relation of a link; for an anchor it is stated before the noun."""
    if link.role is not LinkRole.ANCHOR:
        return link.kind or RelationKind.NEAR, link.rank
    if phrase.closest is not None:
        return phrase.closest, phrase.rank or 1
    if phrase.ordinal == -1:
        return RelationKind.FARTHEST, 1
    return RelationKind.CLOSEST, phrase.ordinal or 1


def _describe_alone(phrase: Phrase) -> Description:
    """Describe a phrase without its links."""
    noun = phrase.noun
    plural = phrase.plural
    determiner = phrase.determiner
    if determiner is None:
        determiner = Determiner.ANY if plural else Determiner.THE
    return Description(
        labels=noun.labels if noun else (),
        noun=noun.text if noun else 'object',
        determiner=determiner,
        plural=plural,
        number=phrase.number,
        colors=phrase.colors,
        size=phrase.size,
        superlative=phrase.superlative,
        rank=(phrase.rank or 1) if phrase.superlative else 1,
        ordinal=phrase.ordinal,
        region=phrase.region,
        senses=noun.senses if noun else (),
        probability=noun.probability if noun else 1.0,
    )


def _merge(description: Description, link: Link) -> Description:
    """Add a predicate to a description: "that is red", "which is the tallest"."""
    phrase = link.phrase
    if link.negated:
        raise QuestionError('negation is supported only for locations')
    if phrase.closest is not None:
        raise QuestionError(f'what the {description.noun} is {phrase.closest.value}')
    if phrase.noun is not None and phrase.noun.labels:
        description = _take_noun(description, _describe_alone(phrase))
    rank, ordinal = phrase.rank or description.rank, phrase.ordinal or description.ordinal
    if phrase.superlative is not None and ordinal is not None:
        # "the third chair from the left" counts from the left.
        rank, ordinal = ordinal, None
    return replace(
        description,
        colors=tuple(dict.fromkeys((*description.colors, *phrase.colors))),
        size=phrase.size or description.size,
        superlative=phrase.superlative or description.superlative,
        rank=rank,
        ordinal=ordinal,
        region=phrase.region or description.region,
    )


def _take_noun(description: Description, named: Description) -> Description:
    """Replace "the one" by a noun; raise an error if an object has two different classes."""
    if not description.labels:
        return replace(
            description,
            labels=named.labels,
            noun=named.noun,
            senses=named.senses,
            probability=named.probability,
            colors=tuple(dict.fromkeys((*description.colors, *named.colors))),
            size=description.size or named.size,
            relations=(*description.relations, *named.relations),
        )
    if set(description.all_labels) & set(named.all_labels):
        return description
    raise QuestionError(f'an object that is both "{description.noun}" and "{named.noun}"')


def _put_in_room(description: Description, link: Link) -> Description:
    if link.kind is not RelationKind.IN or link.negated or link.role is not LinkRole.RELATION:
        raise QuestionError(f'an object: "{link.phrase.region}" is a room')
    return replace(description, region=link.phrase.region)
