# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Random draws that depend on nothing but what they are for.

A draw is a function of (seed, source, robot, step, index) and of nothing else: not of how many
robots there are, which other sources are on, or what was drawn before. To switch a source off, or
to add a robot or a landmark, thus leaves all other draws as they were.

They are made by Philox4x64-10, a bijection of a 256-bit counter under a 128-bit key (Salmon,
Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11, 2011). Key: BLAKE2b of
the seed and the name of the source. Counter: block of four robots, index, step, 0. Robots chosen
by an event derive further draws from their first word: see `ChosenRobots`. Words and uniform draws
are the same on every platform; normal and exponential draws are as exact as the logarithm of the
platform.
"""

from __future__ import annotations

import hashlib
import math
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

import numpy as np
from scipy.special import ndtri

from world_model_core.uncertainty.input_checks import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['ChosenRobots', 'Draws', 'open_interval']

# One more does not fit into a word of the key or of the counter.
WORDS = 2**64
# Of a word's 64 bits: with 53, the middle of the last interval would round to 1.
BITS = 52
# Robots that share a block of the cipher.
LANES = 4
# Of SplitMix64: the golden ratio's stride, and its shifts and factors ("variant 13").
STRIDE = 0x9E3779B97F4A7C15
MIXING = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
LAST_SHIFT = np.uint64(31)


class ChosenRobots(NamedTuple):
    """
    Robots that a word of their own told from all others, and what they draw from then on.

    Events befall few robots in a step, and what an event does takes more draws. Philox makes
    words in a row: to cipher those of scattered robots costs as much as to cipher all. So each of
    these robots seeds SplitMix64 with its word (Steele, Lea and Flood, Fast splittable
    pseudorandom number generators, OOPSLA 2014): draw `index`, from 1 on, is the index-th of that
    generator, a function of the word and the index, and so of nothing but (seed, source, robot,
    step, index) either.
    """

    robots: NDArray[np.intp]
    """By number, in order, shape (k,)."""
    words: NDArray[np.uint64]
    """By which they were chosen, shape (k,)."""

    def keep(self, where: NDArray[np.bool_]) -> ChosenRobots:
        """Choose some of them, by a mask of shape (k,)."""
        return ChosenRobots(self.robots[where], self.words[where])

    def further(self, index: int) -> NDArray[np.uint64]:
        """Draw further words of 64 bits, shape (k,)."""
        mixed = self.words + np.uint64(index * STRIDE % WORDS)
        for shift, factor in MIXING:
            mixed ^= mixed >> shift
            mixed *= factor
        mixed ^= mixed >> LAST_SHIFT
        return mixed

    def uniform(self, index: int) -> Array:
        """Draw from the open interval (0, 1), shape (k,)."""
        return open_interval(self.further(index))

    def normal(self, index: int) -> Array:
        """Draw from the standard normal distribution, shape (k,)."""
        drawn: Array = ndtri(self.uniform(index))
        return drawn

    def exponential(self, index: int) -> Array:
        """Draw from the exponential distribution of mean 1, shape (k,)."""
        return -np.log(self.uniform(index))


@dataclass(frozen=True, slots=True)
class Draws:
    """
    All random draws of a run.

    Each method takes the name of the `source`, the `step`, an `index` and a `count`, and gives
    one draw for each of the first `count` robots: an array of shape (count,). With a range of
    indices, say one for each landmark, it has shape (count, len(index)), and column j is what
    index[j] alone would give.

    Parameters
    ----------
    seed : int
        From 0 to 2^64 - 1. Another seed, another run.
    first : int, optional
        The robot that draws begin with, a multiple of 4.

    Raises
    ------
    InputError
        The seed, a step, an index or a count is negative or too large, or the first robot is not
        a multiple of 4.

    """

    seed: int
    first: int = 0

    def __post_init__(self) -> None:
        """Reject a seed that is none."""
        object.__setattr__(self, 'seed', _word('seed', self.seed))
        object.__setattr__(self, 'first', _word('first', self.first))
        if self.first % LANES:
            raise InputError(f'first is {self.first}; it must be a multiple of {LANES}')

    def beginning_with(self, first: int) -> Draws:
        """Return the same draws, but beginning with another robot, so many further on."""
        return Draws(self.seed, self.first + first)

    def words(self, source: str, step: int, index: int | range, count: int) -> NDArray[np.uint64]:
        """Draw words of 64 bits."""
        step, count = _word('step', step), _word('count', count)
        key = self._key(source)
        if not isinstance(index, range):
            return self._encrypt(key, step, _word('index', index), count)
        drawn = np.empty((len(index), count), dtype=np.uint64)
        for row, each in zip(drawn, index, strict=True):
            row[:] = self._encrypt(key, step, each, count)
        return drawn.T

    def uniform(self, source: str, step: int, index: int | range, count: int) -> Array:
        """Draw from the open interval (0, 1): the middles of 2^52 equal parts."""
        return open_interval(self.words(source, step, index, count))

    def normal(self, source: str, step: int, index: int | range, count: int) -> Array:
        """Draw from the standard normal distribution, by the inverse of its distribution."""
        drawn: Array = ndtri(self.uniform(source, step, index, count))
        return drawn

    def exponential(self, source: str, step: int, index: int | range, count: int) -> Array:
        """Draw from the exponential distribution of mean 1, by the inverse of its distribution."""
        return -np.log(self.uniform(source, step, index, count))

    def short_exponential(
        self, source: str, step: int, index: int, count: int, longest: float
    ) -> tuple[ChosenRobots, Array]:
        """
        Draw as `exponential`, but keep only what is shorter than `longest`.

        Events are rare in a step: the others are told by their words, without a logarithm.

        Returns
        -------
        chosen : ChosenRobots
            The robots whose draw is shorter.
        drawn : array, shape (k,)
            What they drew.

        """
        words = self.words(source, step, index, count)
        # A little less than the word at the limit, so that rounding loses none.
        least = np.uint64(math.exp(-longest) * (1.0 - 1e-9) * WORDS)
        robots = np.flatnonzero(words >= least)
        chosen = ChosenRobots(robots, words[robots])
        drawn = -np.log(open_interval(chosen.words))
        short = drawn < longest
        return chosen.keep(short), drawn[short]

    def _key(self, source: str) -> NDArray[np.uint64]:
        """Return each source its own stream, by its name and not by its place among others."""
        name = self.seed.to_bytes(8, 'little') + source.encode()
        digest = hashlib.blake2b(name, digest_size=16).digest()
        return np.frombuffer(digest, dtype='<u8').astype(np.uint64)

    def _encrypt(
        self, key: NDArray[np.uint64], step: int, index: int, count: int
    ) -> NDArray[np.uint64]:
        """Encrypt the counters of `count` robots."""
        counter = np.array((self.first // LANES, index, step, 0), dtype=np.uint64)
        philox = np.random.Philox(key=key, counter=counter)
        drawn: NDArray[np.uint64] = philox.random_raw(count)
        return drawn


def open_interval(words: NDArray[np.uint64]) -> Array:
    """Map words onto the middles of 2^52 equal parts of (0, 1), exactly."""
    parts = (words >> np.uint64(64 - BITS)).astype(np.float64)
    parts += 0.5
    parts *= 2.0**-BITS
    return parts


def _word(name: str, value: SupportsIndex) -> int:
    """Reject what is no word, and take whole numbers of any type."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < WORDS:
        raise InputError(f'{name} is {value!r}; it must be a whole number from 0 to {WORDS - 1}')
    return number
