# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parser of English questions, by the grammar in english_grammar.lark."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lark import Token, Tree

from world_model_core.objects.language.description_builder import QuestionError
from world_model_core.objects.language.grammar_parser import parse_words
from world_model_core.objects.language.lexicon import Noun
from world_model_core.objects.language.phrase_chain import (
    Link,
    LinkRole,
    Marker,
    Phrase,
    PhraseChain,
)
from world_model_core.objects.language.sentence import (
    CountSentence,
    FindSentence,
    InstructionPart,
    InstructionSentence,
    Sentence,
)
from world_model_core.objects.query import Action, Determiner, RelationKind, Superlative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.language.segmentation import Word

__all__ = ['parse_english']

_GOALS = frozenset({Action.GO_TO, Action.GO_NEAR, Action.STOP_AT})
# Modifiers of a path that have no meaning for the robot.
_OF_PATHS = frozenset({'SIZE', 'SUPERLATIVE', 'ORDINAL', 'COLOR', 'CLOSEST'})
_ANYTHING = Phrase(Noun((), 'object'), Determiner.ANY)


def parse_english(words: Sequence[Word]) -> tuple[Sentence, tuple[tuple[str, str], ...]]:
    """
    Parse disambiguated words.

    Returns
    -------
    Sentence
    corrections : tuple of (str, str)
        Words that were replaced by simpler ones.

    Raises
    ------
    QuestionError
        If the words are not a sentence.

    """
    tree, values = parse_words('english_grammar.lark', words)
    reader = _TreeReader(values)
    return reader.read(tree), tuple(reader.corrections)


class _TreeReader:
    """
    Converts a syntax tree to a sentence; each method converts one rule of the grammar.

    Parameters
    ----------
    values : sequence
        Value of each word, by its index.

    Attributes
    ----------
    corrections : list of (str, str)
        Words that were replaced by simpler ones.

    """

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values
        self.corrections: list[tuple[str, str]] = []

    def read(self, tree: Tree) -> Any:
        """Convert the branches of a tree, then the tree."""
        children = [self.read(each) if isinstance(each, Tree) else each for each in tree.children]
        return getattr(self, tree.data)(children)

    def _said(self, children: Sequence[Any], kind: str) -> Any:
        """Return the value of the first word of a kind; None if there is none."""
        return next((self._values[token.start_pos] for token in _tokens(children, kind)), None)

    def modifier(self, children: list[Any]) -> Any:
        """Convert one word before a noun."""
        return children[0]

    def qualifier(self, children: list[Any]) -> Any:
        """Convert one word before a link."""
        return children[0]

    def phrase(self, children: list[Any]) -> Phrase:
        """Convert a noun with everything before it."""
        region = self._said(children, 'REGION')
        nouns = _tokens(children, 'NOUN')
        if not nouns:
            return replace(self._modified(children, None), region=region, is_region=True)
        if children[-1].type == 'REGION':
            raise QuestionError(
                f'an object: "{nouns[-1]}" is followed by the room "{children[-1]}"', 0
            )
        if len(nouns) > 1:
            self.corrections.append((' '.join(nouns), str(nouns[-1])))
        noun = self._values[nouns[-1].start_pos]
        phrase = replace(self._modified(children, noun), region=region)
        if phrase.number == 2 and not (noun.plural or noun.number_ambiguous):
            # "both the sofa and the table" does not mean two sofas.
            return replace(phrase, number=None)
        return phrase

    def _modified(self, children: Sequence[Any], noun: Noun | None) -> Phrase:
        """Build a phrase of a noun and its modifiers."""
        counted = children
        determiner = self._said(children, 'DETERMINER')
        closest = self._said(children, 'CLOSEST')
        superlative = self._said(children, 'SUPERLATIVE')
        ordinal = self._said(children, 'ORDINAL')
        self._note_comparatives(children)
        if determiner is None and any(
            each.startswith('both') for each in _tokens(counted, 'NUMBER')
        ):
            determiner = 'the'
        ranks = closest is not None or superlative is not None
        if noun is not None and (of := _tokens(children, 'OF')):
            # "the bigger of the two chairs" is one chair.
            noun = noun._replace(plural=False)
            counted = children[: children.index(of[0])]
        return Phrase(
            noun,
            determiner=Determiner(determiner) if determiner else None,
            number=self._said(counted, 'NUMBER'),
            ordinal=None if ranks else ordinal,
            colors=tuple(str(each) for each in _tokens(children, 'COLOR')),
            size=self._said(children, 'SIZE'),
            superlative=Superlative[superlative] if superlative else None,
            closest=RelationKind[closest] if closest else None,
            rank=ordinal if ranks else None,
        )

    def _note_comparatives(self, children: Sequence[Any]) -> None:
        """Note that "the tall lamp" is read as the tallest."""
        for word in _tokens(children, 'SUPERLATIVE'):
            meant = self._values[word.start_pos].lower()
            if word + 'est' == meant or word + 'st' == meant:
                self.corrections.append((str(word), meant))

    def chain(self, children: list[Any]) -> PhraseChain:
        """Convert a sequence of phrases."""
        return PhraseChain(children[0], tuple(each for each in children[1:] if each is not None))

    def _link(self, role: LinkRole, children: Sequence[Any], phrase: Phrase, **said: Any) -> Link:
        """Build a link from its qualifiers and its phrase."""
        numbers = {self._said(children, 'WHICH'), self._said(children, 'IS')} & {'one', 'many'}
        return Link(
            role,
            phrase,
            negated=bool(_tokens(children, 'NOT')) or said.pop('negated', False),
            marker=_marker(children),
            plural_verb='many' in numbers if len(numbers) == 1 else None,
            **said,
        )

    def related(self, children: list[Any]) -> Link:
        """Convert "on the table", "between the sofa and"."""
        kind = self._said(children, 'RELATION')
        if kind is None:
            return self._link(LinkRole.BETWEEN, children, children[-1], kind=RelationKind.BETWEEN)
        return self._link(LinkRole.RELATION, children, children[-1], kind=RelationKind[kind])

    def picked(self, children: list[Any]) -> Link:
        """Convert "second closest to the door"."""
        kind = RelationKind[self._said(children, 'CLOSEST_TO')]
        rank = self._said(children, 'ORDINAL') or 1
        return self._link(LinkRole.RELATION, children, children[-1], kind=kind, rank=rank)

    def predicate(self, children: list[Any]) -> Link:
        """Convert "that is red", "which is the tallest", "on the left"."""
        side = self._said(children, 'SIDE')
        if side is not None:
            return self._link(
                LinkRole.PREDICATE, children, Phrase(None, superlative=Superlative[side])
            )
        return self._link(
            LinkRole.PREDICATE, children, self._modified(children, self._said(children, 'NOUN'))
        )

    def carrying(self, children: list[Any], negated: bool = False) -> Link:
        """Convert "with a pillow on it", "on which there is a pillow"."""
        kind = self._said(children, 'RELATION_IT') or self._said(children, 'RELATION_WHICH')
        phrase = next((each for each in children if isinstance(each, Phrase)), _ANYTHING)
        if negated and phrase.determiner is None:
            phrase = replace(phrase, determiner=Determiner.ANY)
        closed = bool(_tokens(children, 'RELATION_IT'))
        return self._link(
            LinkRole.CARRYING, children, phrase, kind=RelationKind[kind or 'ON'], closed=closed,
            negated=negated,
        )  # fmt: skip

    def lacking(self, children: list[Any]) -> Link:
        """Convert "without a pillow on it"."""
        return self.carrying(children, negated=True)

    def anchored(self, children: list[Any]) -> Link:
        """Convert the anchor of "the closest chair to the door"."""
        return self._link(LinkRole.ANCHOR, children, children[-1])

    def partitive(self, children: list[Any]) -> Link:
        """Convert "of the chairs"."""
        return self._link(LinkRole.PARTITIVE, children, children[-1])

    def joined(self, children: list[Any]) -> Link:
        """Convert "and the table"."""
        link = self._link(LinkRole.JOIN, children, children[-1])
        # "then" starts another goal.
        return replace(link, marker=Marker.IS) if self._said(children, 'JOIN') == 'then' else link

    def viewed(self, children: list[Any]) -> Link:
        """Convert "seen from the door"."""
        return self._link(LinkRole.VIEW, children, children[-1])

    def filler(self, _: list[Any]) -> None:
        """Convert "there", which adds nothing."""
        return

    def count(self, children: list[Any]) -> CountSentence:
        """Convert "how many chairs are there"."""
        return CountSentence(next(each for each in children if isinstance(each, PhraseChain)))

    def count_anything(self, children: list[Any]) -> CountSentence:
        """Convert "how many are on the table"."""
        return CountSentence(_chain_of_anything(children))

    def finding(self, children: list[Any]) -> PhraseChain:
        """Convert "find the chair"."""
        chain: PhraseChain = children[-1]
        return chain

    def finding_anything(self, children: list[Any]) -> PhraseChain:
        """Convert "what is on the table"."""
        return _chain_of_anything(children)

    def reference(self, children: list[Any]) -> FindSentence:
        """Convert one or several sentences that describe an object to find."""
        return FindSentence(tuple(children))

    def _part(
        self, action: Action, children: Sequence[Any], *, between: bool = False
    ) -> InstructionPart:
        """Build a part of an instruction from its verbs and its chain."""
        self.corrections += [
            (f'{word} path', 'path') for word in children[:-1] if word.type in _OF_PATHS
        ]
        after_goal = {self._said(children, 'PASS'), self._said(children, 'TAKE')}
        chain = replace(children[-1], between=between)
        passes = action in {Action.VIA_NEAR, Action.VIA_BETWEEN}
        return InstructionPart(
            action, chain, passes and not after_goal.isdisjoint({'passing', 'taking'})
        )

    def go_to(self, children: list[Any]) -> InstructionPart:
        """Convert "go to the door"."""
        return self._part(Action.GO_TO, children)

    def go_near(self, children: list[Any]) -> InstructionPart:
        """Convert "go near the door"."""
        self._simplify(children, 'near')
        return self._part(Action.GO_NEAR, children)

    def stop_at(self, children: list[Any]) -> InstructionPart:
        """Convert "stop at the door"."""
        self._simplify(children, 'at')
        return self._part(Action.STOP_AT, children)

    def via_near(self, children: list[Any]) -> InstructionPart:
        """Convert "pass by the door", "take the path near the door"."""
        self._simplify(children, 'near')
        return self._part(Action.VIA_NEAR, children)

    def via_between(self, children: list[Any]) -> InstructionPart:
        """Convert "take the path between the door and the bed"."""
        return self._part(Action.VIA_BETWEEN, children, between=True)

    def avoid(self, children: list[Any]) -> InstructionPart:
        """Convert "avoid the door"."""
        return self._part(Action.AVOID, children)

    def avoid_near(self, children: list[Any]) -> InstructionPart:
        """Convert "avoid the path near the door"."""
        self._simplify(children, 'near')
        return self._part(Action.AVOID_NEAR, children)

    def avoid_between(self, children: list[Any]) -> InstructionPart:
        """Convert "avoid the path between the door and the bed"."""
        return self._part(Action.AVOID_BETWEEN, children, between=True)

    def _simplify(self, children: Sequence[Any], meant: str) -> None:
        """Replace "behind" or "left of" by "near", because steps have no other relations."""
        kind = self._said(children, 'RELATION')
        if kind not in {None, 'NEAR'}:
            self.corrections.append((str(_tokens(children, 'RELATION')[0]), meant))

    def clause(self, children: list[Any]) -> tuple[str, InstructionPart]:
        """Convert a step in its order."""
        return 'then', children[-1]

    def before(self, children: list[Any]) -> tuple[str, InstructionPart]:
        """Convert "before going to the door"."""
        return 'before', _as_part(children[-1])

    def after(self, children: list[Any]) -> tuple[str, InstructionPart]:
        """Convert "after going to the door"."""
        return 'after', _as_part(children[-1])

    def instruction(self, children: list[Any]) -> InstructionSentence:
        """Sort steps into the order in which they are to be performed."""
        parts: list[InstructionPart] = []
        postponed: list[InstructionPart] = []
        for child in children:
            order, part = child if isinstance(child, tuple) else ('then', _as_part(child))
            if order == 'before' and not parts:
                postponed.append(part)
            elif parts and parts[-1].action in _GOALS and (part.after_goal or order == 'after'):
                parts.insert(len(parts) - 1, part)
            else:
                parts.append(part)
        return InstructionSentence((*parts, *postponed))

    def start(self, children: list[Any]) -> Sentence:
        """Convert a whole text."""
        sentence: Sentence = children[0]
        return sentence


def _tokens(children: Sequence[Any], kind: str) -> list[Token]:
    return [each for each in children if isinstance(each, Token) and each.type == kind]


def _marker(children: Sequence[Any]) -> Marker:
    """Return the marker that determines how far a link may reach back."""
    kinds = {each.type for each in children if isinstance(each, Token)}
    if 'ALSO' in kinds:
        return Marker.ALSO
    if 'WHICH' in kinds:
        return Marker.WHICH
    return Marker.IS if kinds & {'IS', 'IT_IS'} else Marker.NONE


def _as_part(said: InstructionPart | PhraseChain) -> InstructionPart:
    """Use an object that is only named or to be found as a goal."""
    return said if isinstance(said, InstructionPart) else InstructionPart(Action.GO_TO, said)


def _chain_of_anything(children: Sequence[Any]) -> PhraseChain:
    """Build a chain of links alone: "what is on the table"."""
    return PhraseChain(_ANYTHING, tuple(each for each in children if isinstance(each, Link)))
