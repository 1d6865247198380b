# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Extended regular expressions of POSIX, matched in a time that is linear in the name.

Python's `re` tries alternatives one after the other: some patterns of a few characters take years.
Here all alternatives advance together, character by character (K. Thompson, Regular Expression
Search Algorithm, CACM 11(6), 1968). The syntax is that of IEEE Std 1003.1-2024, 9.4, without
collating symbols; character classes contain ASCII characters only.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ['NamePattern', 'PatternError']

# Limits of a pattern: characters, nested groups, repetitions ({RE_DUP_MAX} of POSIX), and
# parts after repetitions have been written out.
LONGEST, DEEPEST, MOST_REPEATED, MOST_PARTS = 256, 32, 255, 2000
# Largest work of one search: instructions times characters of all names.
MOST_WORK = 5_000_000
CLASSES = {
    'alnum': string.ascii_letters + string.digits,
    'alpha': string.ascii_letters,
    'blank': ' \t',
    'digit': string.digits,
    'lower': string.ascii_lowercase,
    'punct': string.punctuation,
    'space': string.whitespace,
    'upper': string.ascii_uppercase,
    'xdigit': string.hexdigits,
}


class PatternError(WorldModelError):
    """A pattern is not a regular expression, or is too complex."""


@dataclass(frozen=True, slots=True)
class _Characters:
    """One character of ranges (first, last), or with `excluded` any other."""

    ranges: tuple[tuple[str, str], ...]
    excluded: bool = False

    def match(self, character: str) -> bool:
        """Return whether a character is among them."""
        within = any(first <= character <= last for first, last in self.ranges)
        return within is not self.excluded


@dataclass(frozen=True, slots=True)
class _Sequence:
    parts: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    branches: tuple[_Node, ...]


@dataclass(frozen=True, slots=True)
class _Repeated:
    """From `least` to `most` times; None: without an end."""

    part: _Node
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class _Edge:
    """The start or the end of a name."""

    at_end: bool

    def place(self, length: int) -> int:
        """Return its position in a name of a length."""
        return length if self.at_end else 0


_Node: TypeAlias = '_Characters | _Sequence | _Choice | _Repeated | _Edge'


@dataclass(frozen=True, slots=True)
class _Fork:
    """Go on at each of these instructions."""

    targets: tuple[int, ...]


_Instruction: TypeAlias = '_Characters | _Edge | _Fork | None'


class NamePattern:
    """
    An extended regular expression of POSIX.

    Parameters
    ----------
    pattern : str
        It matches a name if it matches any part of it, as by regexec(3); ^ and $ tie it to the
        start and the end.

    Raises
    ------
    PatternError
        The pattern is not valid, or is longer or more complex than the limits of this module.

    """

    def __init__(self, pattern: str) -> None:
        if len(pattern) > LONGEST:
            raise PatternError(
                f'the pattern has {len(pattern)} characters; the maximum is {LONGEST}'
            )
        # None is the end: the pattern has matched.
        self._program: list[_Instruction] = [*_Compiler().compile(_Parser(pattern).parse()), None]

    def select(self, names: Iterable[str]) -> list[str]:
        """
        Return the names that match, in their order.

        Raises
        ------
        PatternError
            The search would take too long.

        """
        given = list(names)
        work = len(self._program) * sum(len(name) + 1 for name in given)
        if work > MOST_WORK:
            raise PatternError(
                f'the pattern has {len(self._program)} instructions, too many for {len(given)} '
                f'names: instructions times characters are {work}, above {MOST_WORK}'
            )
        return [name for name in given if self._matches(name)]

    def _matches(self, name: str) -> bool:
        end, active = len(self._program) - 1, set[int]()
        for position in range(len(name) + 1):
            reached = self._follow({0} | active, position, len(name))
            if end in reached:
                return True
            if position < len(name):
                active = {index + 1 for index in reached if self._takes(index, name[position])}
        return False

    def _takes(self, index: int, character: str) -> bool:
        instruction = self._program[index]
        return isinstance(instruction, _Characters) and instruction.match(character)

    def _follow(self, starts: set[int], position: int, length: int) -> set[int]:
        """Return all instructions that are reached without a character."""
        reached, waiting = set[int](), list(starts)
        while waiting:
            index = waiting.pop()
            if index in reached:
                continue
            reached.add(index)
            instruction = self._program[index]
            if isinstance(instruction, _Fork):
                waiting += instruction.targets
            elif isinstance(instruction, _Edge) and position == instruction.place(length):
                waiting.append(index + 1)
        return reached


class _Compiler:
    """Writes out a pattern as instructions."""

    def __init__(self) -> None:
        self._program: list[_Instruction] = []
        # Parts that were written out: repetitions of nothing make no instructions.
        self._parts = 0

    def compile(self, node: _Node) -> list[_Instruction]:
        """Return the instructions of a pattern."""
        self._emit(node)
        return self._program

    def _emit(self, node: _Node) -> None:
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise PatternError(
                f'the pattern has more than {MOST_PARTS} parts when its repetitions are '
                'written out'
            )
        if isinstance(node, _Sequence):
            for part in node.parts:
                self._emit(part)
        elif isinstance(node, _Choice):
            self._emit_choice(node)
        elif isinstance(node, _Repeated):
            self._emit_repeated(node)
        else:
            self._program.append(node)

    def _emit_choice(self, node: _Choice) -> None:
        fork, ends, starts = self._reserve(), [], []
        for branch in node.branches:
            starts.append(len(self._program))
            self._emit(branch)
            ends.append(self._reserve())
        self._program[fork] = _Fork(tuple(starts))
        for end in ends:
            self._program[end] = _Fork((len(self._program),))

    def _emit_repeated(self, node: _Repeated) -> None:
        for _ in range(node.least):
            self._emit(node.part)
        if node.most is None:
            fork = self._reserve()
            self._emit(node.part)
            back = self._reserve()
            self._program[back] = _Fork((fork,))
            self._program[fork] = _Fork((fork + 1, back + 1))
            return
        forks = []
        for _ in range(node.most - node.least):
            forks.append(self._reserve())
            self._emit(node.part)
        for fork in forks:
            self._program[fork] = _Fork((fork + 1, len(self._program)))

    def _reserve(self) -> int:
        """Append an instruction that is set later; return its index."""
        self._program.append(_Fork(()))
        return len(self._program) - 1


class _Parser:
    """Parses a pattern."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at, self._depth = pattern, 0, 0

    def parse(self) -> _Node:
        """Return the parsed pattern."""
        found = self._choice()
        if self._next():
            raise self._error('an opening parenthesis is missing')
        return found

    def _next(self) -> str:
        """Return the next character; empty at the end."""
        return self._pattern[self._at : self._at + 1]

    def _take(self) -> str:
        taken = self._next()
        self._at += 1
        return taken

    def _error(self, reason: str) -> PatternError:
        return PatternError(f'pattern {self._pattern!r}, character {self._at}: {reason}')

    def _choice(self) -> _Node:
        branches = [self._branch()]
        while self._next() == '|':
            self._take()
            branches.append(self._branch())
        return branches[0] if len(branches) == 1 else _Choice(tuple(branches))

    def _branch(self) -> _Node:
        parts = []
        while self._next() not in {'', '|', ')'}:
            parts.append(self._piece())
        return _Sequence(tuple(parts))

    def _piece(self) -> _Node:
        node = self._atom()
        while self._next() and self._next() in '*+?{':
            least, most = self._repetition()
            node = _Repeated(node, least, most)
        return node

    def _repetition(self) -> tuple[int, int | None]:
        sign = self._take()
        if sign != '{':
            return {'*': (0, None), '+': (1, None), '?': (0, 1)}[sign]
        text, closed, rest = self._pattern[self._at :].partition('}')
        self._at = len(self._pattern) - len(rest)
        low, comma, high = text.partition(',')
        numbers = [low, *filter(None, [high])]
        if not closed or not all(each.isascii() and each.isdigit() for each in numbers):
            raise self._error('a repetition must be {m}, {m,} or {m,n}')
        least = int(low)
        most = int(high) if high else (None if comma else least)
        if max(least, most or 0) > MOST_REPEATED or (most is not None and most < least):
            raise self._error(f'a repetition must be from 0 to {MOST_REPEATED}, least first')
        return least, most

    def _atom(self) -> _Node:
        taken = self._take()
        if taken == '(':
            return self._group()
        if taken == '[':
            return self._bracket()
        if taken == '\\':
            taken = self._take()
            if not taken:
                raise self._error('nothing follows the backslash')
        elif taken in '*+?{':
            raise self._error('there is nothing to repeat')
        elif taken in '^$':
            return _Edge(at_end=taken == '$')
        elif taken == '.':
            return _Characters((), excluded=True)
        return _Characters(((taken, taken),))

    def _group(self) -> _Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error(f'groups are nested more than {DEEPEST} deep')
        inner = self._choice()
        if self._take() != ')':
            raise self._error('a closing parenthesis is missing')
        self._depth -= 1
        return inner

    def _bracket(self) -> _Node:
        excluded = self._next() == '^'
        self._at += excluded
        ranges = list(self._ranges())
        return _Characters(tuple(ranges), excluded)

    def _ranges(self) -> Iterator[tuple[str, str]]:
        """Yield the ranges up to the closing bracket, which may also be the first character."""
        first = True
        while first or self._next() != ']':
            first = False
            if self._pattern.startswith('[:', self._at):
                yield from ((each, each) for each in self._class())
                continue
            low = high = self._take()
            if self._next() == '-' and self._pattern[self._at + 1 : self._at + 2] not in {'', ']'}:
                self._take()
                high = self._take()
            if not low or high < low:
                raise self._error('a bracket is not closed, or its range is reversed')
            yield low, high
        self._take()

    def _class(self) -> str:
        name, closed, _ = self._pattern[self._at + 2 :].partition(':]')
        if not closed or name not in CLASSES:
            raise self._error(f'a character class must be one of {", ".join(CLASSES)}')
        self._at += len(name) + 4
        return CLASSES[name]
