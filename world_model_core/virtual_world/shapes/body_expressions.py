# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Arithmetic in body files: numbers, parameters, + - * / and parentheses.

An expression is evaluated from left to right with two stacks (Dijkstra, Algol 60 translation,
1961), so that nesting needs no recursion and the work grows with the length of the text alone.
Parameters are numbers: they are evaluated where they are defined.
"""

from __future__ import annotations

import math
import operator
import re
from typing import TYPE_CHECKING

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ['ExpressionError', 'evaluate']

# Longer texts are rejected [characters].
LONGEST = 1000
_TOKEN = re.compile(
    r'\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)'
    r'|(?P<operator>[-+*/()]))',
    re.ASCII,
)
_OPERATIONS = {
    '+': operator.add,
    '-': operator.sub,
    '*': operator.mul,
    '/': operator.truediv,
}
# A sign before a number binds closer than any operator with two sides.
_PRECEDENCE = {'(': 0, '+': 1, '-': 1, '*': 2, '/': 2, 'minus': 3}


class ExpressionError(WorldModelError):
    """A text is not an expression, or its value is not a finite number."""


def evaluate(text: str, parameters: Mapping[str, float]) -> float:
    """
    Return the value of an expression.

    Parameters
    ----------
    text : str
    parameters : mapping of str to float
        Values of the names in it.

    Raises
    ------
    ExpressionError
        The text is too long or no expression, a name is unknown, or the value is not finite.

    """
    if len(text) > LONGEST:
        raise ExpressionError(f'it has {len(text)} characters; at most {LONGEST} are allowed')
    stacks = _Stacks()
    for kind, sign in _tokens(text):
        if kind == 'number':
            stacks.push(float(sign))
        elif kind == 'name':
            if sign not in parameters:
                raise ExpressionError(f'the parameter {sign} is not defined')
            stacks.push(parameters[sign])
        else:
            stacks.operate(sign)
    return stacks.result()


def _tokens(text: str) -> list[tuple[str, str]]:
    """Split an expression into tokens of a kind each."""
    found, start, end = [], 0, len(text.rstrip())
    while start < end:
        match = _TOKEN.match(text, start)
        if match is None:
            raise ExpressionError(f'{text[start:].strip()[:20]!r} is not expected')
        kind = match.lastgroup or ''
        found.append((kind, match[kind]))
        start = match.end()
    return found


class _Stacks:
    """Values and operators that wait for their right sides."""

    def __init__(self) -> None:
        self._values: list[float] = []
        self._operators: list[str] = []
        self._needs_value = True

    def push(self, value: float) -> None:
        if not self._needs_value:
            raise ExpressionError(f'there is no operator before {value:g}')
        if not math.isfinite(value):
            raise ExpressionError('a number in it is not finite')
        self._values.append(value)
        self._needs_value = False

    def operate(self, sign: str) -> None:
        if sign == ')':
            self._close()
        elif sign == '(' or (self._needs_value and sign in '+-'):
            self._open(sign)
        elif self._needs_value:
            raise ExpressionError(f'there is no value before {sign}')
        else:
            self._apply_down_to(_PRECEDENCE[sign])
            self._operators.append(sign)
            self._needs_value = True

    def result(self) -> float:
        if self._needs_value:
            raise ExpressionError('a value is missing at its end')
        self._apply_down_to(1)
        if self._operators:
            raise ExpressionError('a parenthesis is not closed')
        return self._values.pop()

    def _open(self, sign: str) -> None:
        """Take an opening parenthesis or a sign."""
        if not self._needs_value:
            raise ExpressionError('there is no operator before (')
        if sign != '+':
            self._operators.append('(' if sign == '(' else 'minus')

    def _close(self) -> None:
        if self._needs_value:
            raise ExpressionError('there is no value before )')
        self._apply_down_to(1)
        if not self._operators:
            raise ExpressionError('there is no ( before )')
        self._operators.pop()

    def _apply_down_to(self, least: int) -> None:
        """Apply the last operators while they bind at least as closely."""
        while self._operators and _PRECEDENCE[self._operators[-1]] >= least:
            self._apply(self._operators.pop())

    def _apply(self, sign: str) -> None:
        right = self._values.pop()
        try:
            value = -right if sign == 'minus' else _OPERATIONS[sign](self._values.pop(), right)
        except ZeroDivisionError:
            raise ExpressionError('it divides by zero') from None
        if not math.isfinite(value):
            raise ExpressionError('its value is not finite')
        self._values.append(value)
