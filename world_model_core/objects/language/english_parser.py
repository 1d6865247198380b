# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""English questions: settled words in, a sentence out, by the grammar in english_grammar.lark."""

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

_GOALS = frozenset({Action.GO_TO, Action.GO_NEAR, Action.STOP_AT})
# What may be said of a path, but means nothing to the robot.
_OF_PATHS = frozenset({'SIZE', 'SUPERLATIVE', 'ORDINAL', 'COLOR', 'CLOSEST'})
_ANYTHING = Phrase(Noun((), 'object'), Determiner.ANY)


def parse_english(words: Sequence[Word]) -> tuple[Sentence, tuple[tuple[str, str], ...]]:
    """
    Parse settled words.

    Returns
    -------
    Sentence
    corrections : tuple of (str, str)
        Words that were taken for simpler ones.

    Raises
    ------
    UnreadableError
        If they are no sentence.

    """
    tree, values = parse_words('english_grammar.lark', words)
    reader = _TreeReader(values)
    return reader.read(tree), tuple(reader.corrections)


class _TreeReader:
    """
    Reads a tree from its leaves upwards; each method is a rule of the grammar.

    Parameters
    ----------
    values : sequence
        What each word says, by its place.

    Attributes
    ----------
    corrections : list of (str, str)
        What was taken for something simpler.

    """

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values
        self.corrections: list[tuple[str, str]] = []

    def read(self, tree: Tree) -> Any:
        """Read the branches of a tree, then what its rule makes of them."""
        children = [self.read(each) if isinstance(each, Tree) else each for each in tree.children]
        return getattr(self, tree.data)(children)

    def _said(self, children: Sequence[Any], kind: str) -> Any:
        """Find what the first word of a kind says; None where there is none."""
        return next((self._values[token.start_pos] for token in _tokens(children, kind)), None)

    def modifier(self, children: list[Any]) -> Any:
        """Read one word before a noun."""
        return children[0]

    def qualifier(self, children: list[Any]) -> Any:
        """Read one word before a link."""
        return children[0]

    def phrase(self, children: list[Any]) -> Phrase:
        """Read a noun with what stands before it."""
        region = self._said(children, 'REGION')
        nouns = _tokens(children, 'NOUN')
        if not nouns:
            return replace(self._modified(children, None), region=region, is_region=True)
        if children[-1].type == 'REGION':
            raise QuestionError(f'how a "{nouns[-1]}" is a "{children[-1]}"', 0)
        if len(nouns) > 1:
            self.corrections.append((' '.join(nouns), str(nouns[-1])))
        noun = self._values[nouns[-1].start_pos]
        phrase = replace(self._modified(children, noun), region=region)
        if phrase.number == 2 and not (noun.plural or noun.number_ambiguous):
            # "both the sofa and the table" are not two sofas.
            return replace(phrase, number=None)
        return phrase

    def _modified(self, children: Sequence[Any], noun: Noun | None) -> Phrase:
        """Make a phrase of a noun and what stands before it."""
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
        """Take "the tall lamp" for the tallest, and say so."""
        for word in _tokens(children, 'SUPERLATIVE'):
            meant = self._values[word.start_pos].lower()
            if word + 'est' == meant or word + 'st' == meant:
                self.corrections.append((str(word), meant))

    def chain(self, children: list[Any]) -> PhraseChain:
        """Read phrases that follow one another."""
        return PhraseChain(children[0], tuple(each for each in children[1:] if each is not None))

    def _link(self, role: LinkRole, children: Sequence[Any], phrase: Phrase, **said: Any) -> Link:
        """Make a link of what its qualifiers and its phrase say."""
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
        """Read "on the table", "between the sofa and"."""
        kind = self._said(children, 'RELATION')
        if kind is None:
            return self._link(LinkRole.BETWEEN, children, children[-1], kind=RelationKind.BETWEEN)
        return self._link(LinkRole.RELATION, children, children[-1], kind=RelationKind[kind])

    def picked(self, children: list[Any]) -> Link:
        """Read "second closest to the door"."""
        kind = RelationKind[self._said(children, 'CLOSEST_TO')]
        rank = self._said(children, 'ORDINAL') or 1
        return self._link(LinkRole.RELATION, children, children[-1], kind=kind, rank=rank)

    def predicate(self, children: list[Any]) -> Link:
        """Read "that is red", "which is the tallest", "on the left"."""
        side = self._said(children, 'SIDE')
        if side is not None:
            return self._link(
                LinkRole.PREDICATE, children, Phrase(None, superlative=Superlative[side])
            )
        return self._link(
            LinkRole.PREDICATE, children, self._modified(children, self._said(children, 'NOUN'))
        )

    def carrying(self, children: list[Any], negated: bool = False) -> Link:
        """Read "with a pillow on it", "on which there is a pillow"."""
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
        """Read "without a pillow on it"."""
        return self.carrying(children, negated=True)

    def anchored(self, children: list[Any]) -> Link:
        """Read the anchor of "the closest chair to the door"."""
        return self._link(LinkRole.ANCHOR, children, children[-1])

    def partitive(self, children: list[Any]) -> Link:
        """Read "of the chairs"."""
        return self._link(LinkRole.PARTITIVE, children, children[-1])

    def joined(self, children: list[Any]) -> Link:
        """Read "and the table"."""
        link = self._link(LinkRole.JOIN, children, children[-1])
        # What comes "then" is another goal.
        return replace(link, marker=Marker.IS) if self._said(children, 'JOIN') == 'then' else link

    def viewed(self, children: list[Any]) -> Link:
        """Read "seen from the door"."""
        return self._link(LinkRole.VIEW, children, children[-1])

    def filler(self, _: list[Any]) -> None:
        """Read "there", which adds nothing."""
        return

    def count(self, children: list[Any]) -> CountSentence:
        """Read "how many chairs are there"."""
        return CountSentence(next(each for each in children if isinstance(each, PhraseChain)))

    def count_anything(self, children: list[Any]) -> CountSentence:
        """Read "how many are on the table"."""
        return CountSentence(_chain_of_anything(children))

    def finding(self, children: list[Any]) -> PhraseChain:
        """Read "find the chair"."""
        chain: PhraseChain = children[-1]
        return chain

    def finding_anything(self, children: list[Any]) -> PhraseChain:
        """Read "what is on the table"."""
        return _chain_of_anything(children)

    def reference(self, children: list[Any]) -> FindSentence:
        """Read what is to be found, in one sentence or several."""
        return FindSentence(tuple(children))

    def _part(
        self, action: Action, children: Sequence[Any], *, between: bool = False
    ) -> InstructionPart:
        """Make a leg of its verbs and its chain."""
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
        """Read "go to the door"."""
        return self._part(Action.GO_TO, children)

    def go_near(self, children: list[Any]) -> InstructionPart:
        """Read "go near the door"."""
        self._simplify(children, 'near')
        return self._part(Action.GO_NEAR, children)

    def stop_at(self, children: list[Any]) -> InstructionPart:
        """Read "stop at the door"."""
        self._simplify(children, 'at')
        return self._part(Action.STOP_AT, children)

    def via_near(self, children: list[Any]) -> InstructionPart:
        """Read "pass by the door", "take the path near the door"."""
        self._simplify(children, 'near')
        return self._part(Action.VIA_NEAR, children)

    def via_between(self, children: list[Any]) -> InstructionPart:
        """Read "take the path between the door and the bed"."""
        return self._part(Action.VIA_BETWEEN, children, between=True)

    def avoid(self, children: list[Any]) -> InstructionPart:
        """Read "avoid the door"."""
        return self._part(Action.AVOID, children)

    def avoid_near(self, children: list[Any]) -> InstructionPart:
        """Read "avoid the path near the door"."""
        self._simplify(children, 'near')
        return self._part(Action.AVOID_NEAR, children)

    def avoid_between(self, children: list[Any]) -> InstructionPart:
        """Read "avoid the path between the door and the bed"."""
        return self._part(Action.AVOID_BETWEEN, children, between=True)

    def _simplify(self, children: Sequence[Any], meant: str) -> None:
        """Take "behind" or "left of" for near, since a step knows neither, and say so."""
        kind = self._said(children, 'RELATION')
        if kind not in {None, 'NEAR'}:
            self.corrections.append((str(_tokens(children, 'RELATION')[0]), meant))

    def clause(self, children: list[Any]) -> tuple[str, InstructionPart]:
        """Read a step in its turn."""
        return 'then', children[-1]

    def before(self, children: list[Any]) -> tuple[str, InstructionPart]:
        """Read "before going to the door"."""
        return 'before', _as_part(children[-1])

    def after(self, children: list[Any]) -> tuple[str, InstructionPart]:
        """Read "after going to the door"."""
        return 'after', _as_part(children[-1])

    def instruction(self, children: list[Any]) -> InstructionSentence:
        """Read steps, in the order in which they are to be taken."""
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
        """Read a whole text."""
        sentence: Sentence = children[0]
        return sentence


def _tokens(children: Sequence[Any], kind: str) -> list[Token]:
    return [each for each in children if isinstance(each, Token) and each.type == kind]


def _marker(children: Sequence[Any]) -> Marker:
    """Find how far a link may reach back."""
    kinds = {each.type for each in children if isinstance(each, Token)}
    if 'ALSO' in kinds:
        return Marker.ALSO
    if 'WHICH' in kinds:
        return Marker.WHICH
    return Marker.IS if kinds & {'IS', 'IT_IS'} else Marker.NONE


def _as_part(said: InstructionPart | PhraseChain) -> InstructionPart:
    """Take what is only named, or to be found, for a place to go to."""
    return said if isinstance(said, InstructionPart) else InstructionPart(Action.GO_TO, said)


def _chain_of_anything(children: Sequence[Any]) -> PhraseChain:
    """Make a chain of links alone: "what is on the table"."""
    return PhraseChain(_ANYTHING, tuple(each for each in children if isinstance(each, Link)))
