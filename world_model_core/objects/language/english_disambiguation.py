# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Disambiguation of English words by their neighbors."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from world_model_core.objects.language.segmentation import Phrases, Word, index_phrases
from world_model_core.objects.language.word_files import load_table

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ['disambiguate', 'english_phrases']

_VERBS = frozenset({'MOVE', 'STOP', 'PASS', 'TAKE'})
_CONNECTORS = frozenset({'AND', 'COMMA', 'PERIOD', 'THEN'})
_ADJECTIVES = frozenset(
    {'COLOR', 'SIZE', 'NUMBER', 'ORDINAL', 'SUPERLATIVE', 'CLOSEST', 'COLORED'}
)
_NOMINAL = _ADJECTIVES | {'NOUN', 'REGION'}
_PHRASE = _NOMINAL | {'DETERMINER'}
# A noun follows these terminals: "the stand" is not a verb.
_BEFORE_NOUN = _PHRASE | {
    'RELATION', 'BETWEEN', 'CLOSEST_TO', 'COUNT', 'WITH', 'WITHOUT', 'OF', 'ANCHOR', 'VIEW',
    'JOIN', 'TO', 'FIND',
}  # fmt: skip

_PREAMBLES = frozenset({'VIEW', 'OF', 'RELATION', 'BETWEEN'})


@lru_cache(maxsize=1)
def english_phrases() -> Phrases:
    """Load the phrases that stand for terminals of the grammar."""
    return index_phrases(load_table('english_words.yaml'))


def disambiguate(words: Sequence[Word]) -> list[Word]:
    """
    Remove words without meaning, and resolve ambiguities that the grammar cannot resolve.

    The grammar looks one word ahead; what an "and" joins is only clear one or two words later.

    Parameters
    ----------
    words : sequence of Word
        In order; modified.

    Returns
    -------
    list of Word

    """
    return _Disambiguator(_remove_noise(words)).run()


def _remove_noise(words: Sequence[Word]) -> list[Word]:
    """Remove phrases like "in the room", with the "are" before them."""
    kept: list[Word] = []
    for word, following in zip_longest(words, words[1:]):
        if set(word.senses) != {'NOISE'}:
            kept.append(word)
        elif following is None or following.may_be({'COMMA', 'PERIOD'}):
            for kind in ('IS', 'WHICH'):
                if len(kept) > 1 and kept[-1].may_be({kind}):
                    kept.pop()
    return kept


class _Disambiguator:
    """
    One pass over the words from left to right.

    Parameters
    ----------
    words : list of Word

    """

    def __init__(self, words: list[Word]) -> None:
        self._words = words
        self._result: list[Word] = []
        self._place = 0
        # Terminals of an expected anchor: "the CLOSEST chair on the rug TO the door".
        self._anchor_terminals: frozenset[str] = frozenset()
        self._inside_with = False
        # Index of the start of the present sentence.
        self._sentence_start = 1
        # Phrases before the main clause: "seen from the door, ...", "of the two chairs, ...".
        self._preamble: list[Word] = []

    def run(self) -> list[Word]:
        while self._place < len(self._words):
            word = self._words[self._place]
            self._place += 1
            if self._connects(word):
                self._connect(word)
            else:
                self._choose_senses(word)
        return self._result + self._preamble

    def _peek(self, ahead: int = 0) -> Word | None:
        place = self._place + ahead
        return self._words[place] if place < len(self._words) else None

    def _next(self, terminals: frozenset[str] | set[str], ahead: int = 0) -> bool:
        word = self._peek(ahead)
        return word is not None and word.may_be(terminals)

    def _last(self, terminals: frozenset[str] | set[str]) -> bool:
        return bool(self._result) and self._result[-1].may_be(terminals)

    def _connects(self, word: Word, ahead: int = 0) -> bool:
        """Check whether a word connects steps; "first" may also be an ordinal."""
        if not word.may_be({'ORDINAL', 'RELATION', 'DETERMINER', 'NUMBER'}):
            return word.may_be(_CONNECTORS)
        follows = self._next(_VERBS | {'COMMA', 'AVOID', 'DETERMINER'}, ahead)
        return follows and word.may_be({'THEN'}) and not self._last({'DETERMINER'})

    def _connect(self, word: Word) -> None:
        """Process "and", commas and similar words, together with those that follow."""
        marks = set(word.senses)
        while (following := self._peek()) is not None and self._connects(following, 1):
            marks |= set(following.senses)
            self._place += 1
        following = self._peek()
        if following is None or not self._result:
            return
        if 'COMMA' in marks and self._result[0].may_be(_PREAMBLES) and not self._preamble:
            self._postpone()
            return
        if 'PERIOD' in marks and following.may_be({'FIND'}) and not self._has_verb():
            self._sentence_start = self._place + 1
            return
        if self._begins_step(following) or following.may_be({'IT_IS'}):
            return
        if self._last(_ADJECTIVES) and following.may_be(_NOMINAL):
            return
        if following.may_be(_PHRASE) and not following.may_be({'WHICH', 'CLOSEST_TO'}):
            if not self._is_apposition():
                said = 'then' if 'THEN' in marks else 'and'
                self._result.append(Word(said, {'JOIN': said}))
        else:
            kind = 'PERIOD' if 'PERIOD' in marks else 'ALSO'
            self._result.append(Word(word.text, {kind: None}))

    def _has_verb(self) -> bool:
        """Check whether an action was mentioned, so that "find" is one more step."""
        return any(word.may_be(_VERBS | {'AVOID'}) for word in self._result)

    def _postpone(self) -> None:
        """Move an introductory phrase behind the object that it describes."""
        verb = [] if self._result[0].may_be({'OF', 'VIEW'}) else [Word('', {'IS': None})]
        self._preamble = verb + self._result
        self._result = []
        self._sentence_start = self._place + 1

    def _is_apposition(self) -> bool:
        """Check whether ", the one ..." follows, which describes the last object."""
        return self._next({'DETERMINER'}) and (
            (following := self._peek(1)) is not None and following.text in {'one', 'ones'}
        )

    def _begins_step(self, word: Word) -> bool:
        ahead = self._next(_VERBS, 1)
        if word.may_be({'AVOID'}):
            return ahead or not word.may_be({'NOT', 'WITHOUT', 'CLOSEST_TO'})
        if word.may_be({'BEFORE', 'AFTER'}):
            return ahead or not word.may_be({'WITH', 'RELATION'})
        return word.may_be(_VERBS | {'TO', 'PATH'}) and not word.may_be({'NOUN', 'CLOSEST_TO'})

    def _choose_senses(self, word: Word) -> None:
        """Select among the senses of a word."""
        if self._is_redundant(word):
            return
        self._choose_noun(word)
        self._choose_step(word)
        if word.may_be({'RELATION'}) and self._take_pronoun(word):
            return
        if word.may_be({'CLOSEST'}):
            self._choose_closest(word)
        if word.may_be({'ORDINAL'}):
            self._anchor_terminals |= {'FROM'}
        if word.may_be({'TO', 'FROM'}) and not word.may_be({'RELATION'}):
            self._choose_anchor(word)
        if word.may_be({'WITH', 'WITHOUT'}):
            self._inside_with = True
        if word.senses:
            self._result.append(word)

    def _is_redundant(self, word: Word) -> bool:
        """Check for "to" in "to reach the bed", and "stop" that refers to the goal before."""
        if word.may_be({'TO'}):
            return self._next(_VERBS) and not self._next({'NOUN'})
        following = self._peek()
        ends = following is None or following.may_be({'COMMA', 'PERIOD', 'AND'})
        return word.may_be({'STOP'}) and bool(self._result) and ends

    def _choose_noun(self, word: Word) -> None:
        """Distinguish nouns from verbs and adjectives by their neighbors."""
        if len(word.senses) == 1:
            return
        word.drop({'NOISE'})
        if word.may_be({'NOUN', 'REGION'}):
            others = set(word.senses) - {'NOUN', 'REGION'}
            if others & _ADJECTIVES:
                noun = not self._next(_NOMINAL | {'OF'})
            else:
                noun = self._last(_BEFORE_NOUN) or not self._result
            word.keep({'NOUN', 'REGION'} if noun else others)
        elif word.may_be({'PATH'}) and not self._next({'BETWEEN', 'RELATION', 'WHICH', 'IS'}):
            word.drop({'PATH'})
        if word.may_be({'FIND'}):
            # "which is" is a question at the start of a sentence, and a relative clause elsewhere.
            begins = (
                not self._result or self._last({'FIND'}) or self._sentence_start == self._place
            )
            word.keep({'FIND'} if begins else set(word.senses) - {'FIND'})
        if word.may_be({'DETERMINER'}) and word.may_be({'WHICH', 'FIND', 'IS'}):
            word.drop({'WHICH', 'FIND', 'IS'} if self._next(_NOMINAL) else {'DETERMINER'})

    def _choose_step(self, word: Word) -> None:
        """Distinguish steps, before a verb, from descriptions of objects."""
        ahead = self._next(_VERBS)
        for step, others in (
            ('AVOID', {'NOT', 'WITHOUT'}),
            ('BEFORE', {'RELATION'}),
            ('AFTER', {'WITH', 'RELATION'}),
        ):
            if word.may_be({step}) and word.may_be(others):
                word.drop(others if ahead else {step})
        if word.may_be({'TAKE'}) and word.may_be({'RELATION'}):
            path = self._next({'PATH'}) or (self._next({'DETERMINER'}) and self._next({'PATH'}, 1))
            word.drop({'RELATION'} if path else {'TAKE'})
        if word.may_be(_VERBS | {'AVOID'}):
            self._anchor_terminals = frozenset()

    def _take_pronoun(self, word: Word) -> bool:
        """Combine "on it" and "on which" into one word."""
        if self._next({'IT'}):
            self._place += 1
            self._close_with(word)
            return True
        if self._next({'WHICH'}) and self._last({'NOUN'}):
            self._place += 2 if self._next({'THERE'}, 1) else 1
            self._result.append(Word(word.text, {'RELATION_WHICH': word.senses['RELATION']}))
            return True
        if self._inside_with and not self._next(_PHRASE):
            self._close_with(word)
            return True
        return False

    def _close_with(self, word: Word) -> None:
        """Close "with a lamp on it"; "with a lamp and a book on it" applies to both."""
        borne = Word(word.text, {'RELATION_IT': word.senses['RELATION']})
        for place in range(len(self._result) - 1, 0, -1):
            if self._result[place].may_be({'RELATION_IT', 'BETWEEN', *_VERBS}):
                break
            if self._result[place].may_be({'WITH', 'WITHOUT'}):
                self._repeat(place, borne)
                break
        self._result.append(borne)

    def _repeat(self, place: int, borne: Word) -> None:
        """Replace each "and" after a "with" by another "with"."""
        repeated: list[Word] = []
        for word in self._result[place + 1 :]:
            joins = word.may_be({'JOIN'})
            repeated += [borne, Word('', {'ALSO': None}), self._result[place]] if joins else [word]
        self._result[place + 1 :] = repeated

    def _choose_closest(self, word: Word) -> None:
        """Decide whether "closest" precedes its noun or its anchor ("nearest the door")."""
        after = self._last({'NOUN', 'REGION'}) and self._next(_PHRASE)
        if after or (self._last({'WHICH', 'IS', 'ALSO', 'NOT'}) and self._next({'DETERMINER'})):
            word.senses = {'CLOSEST_TO': word.senses['CLOSEST']}
        else:
            self._anchor_terminals |= {'TO', 'FROM'}

    def _choose_anchor(self, word: Word) -> None:
        """Distinguish the "to" or "from" of an expected anchor from that of a route."""
        if word.may_be(self._anchor_terminals):
            word.senses = {'ANCHOR': None}
            self._anchor_terminals = frozenset()
        else:
            word.senses = {'TO': None}
