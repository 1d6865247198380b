# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Counter-based random draws that depend only on their purpose.

A draw is a function of (seed, source, robot, step, index) alone. It does not depend on the number
of robots, on which other sources are on, or on earlier draws. Switching a source off, or adding a
robot or a landmark, therefore leaves all other draws unchanged.

The generator is Philox4x64-10, a bijection of a 256-bit counter under a 128-bit key (Salmon,
Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11, 2011). Key: BLAKE2b of
the seed and the name of the source. Counter: block of four robots, index, step, 0. Robots chosen
by an event derive further draws from their first word: see `ChosenRobots`. Words and uniform draws
are the same on every platform; normal and exponential draws are as exact as the platform's
logarithm.
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
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['ChosenRobots', 'Draws', 'NamedDraws', 'open_interval']

# Number of values of a word of the key and of the counter.
WORDS = 2**64
# Bits of a word that a uniform draw uses: with 53, the middle of the last interval rounds to 1.
BITS = 52
# Robots that share a block of Philox.
LANES = 4
# Constants of SplitMix64: the stride (golden ratio), the shifts and the factors ("variant 13").
STRIDE = 0x9E3779B97F4A7C15
MIXING = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
LAST_SHIFT = np.uint64(31)


class ChosenRobots(NamedTuple):
    """
    Robots that an event affects, with generators for the further draws that the event needs.

    An event affects few robots in a step, and its effect needs more draws. Philox generates words
    of consecutive robots: generating them for scattered robots costs as much as for all. Instead,
    each of these robots seeds SplitMix64 with its first word (Steele, Lea and Flood, Fast
    splittable pseudorandom number generators, OOPSLA 2014). Draw `index`, from 1 on, is the
    index-th number of that generator. It is a function of the word and the index, and therefore
    still of (seed, source, robot, step, index) alone.
    """

    robots: NDArray[np.intp]
    """Robot numbers in ascending order, shape (k,)."""
    words: NDArray[np.uint64]
    """First word of each robot, by which it was chosen, shape (k,)."""

    def keep(self, where: NDArray[np.bool_]) -> ChosenRobots:
        """Select robots by a mask of shape (k,)."""
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

    Each method takes the name of the `source`, the `step`, an `index` and a `count`, and returns
    one draw for each of the first `count` robots: an array of shape (count,). With a range of
    indices, for example one for each landmark, it has shape (count, len(index)), and column j
    equals the draws of index[j] alone.

    Parameters
    ----------
    seed : int
        From 0 to 2^64 - 1.
    first : int, optional
        Number of the first robot, a multiple of 4.

    Raises
    ------
    InputError
        The seed, a step, an index or a count is negative or too large, or the first robot is not
        a multiple of 4.

    """

    seed: int
    first: int = 0

    def __post_init__(self) -> None:
        """Validate the seed and the first robot."""
        object.__setattr__(self, 'seed', _word('seed', self.seed))
        object.__setattr__(self, 'first', _word('first', self.first))
        if self.first % LANES:
            raise InputError(f'first is {self.first}; it must be a multiple of {LANES}')

    def beginning_with(self, first: int) -> Draws:
        """Return the same draws with the first robot shifted by `first`."""
        return Draws(self.seed, self.first + first)

    def named(self, name: str) -> Draws:
        """Return the draws of one of many things by its name: a robot, a sensor."""
        return Draws(int(self._key(f'name/{name}')[0]))

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
        """Draw from the standard normal distribution, by its inverse distribution function."""
        drawn: Array = ndtri(self.uniform(source, step, index, count))
        return drawn

    def exponential(self, source: str, step: int, index: int | range, count: int) -> Array:
        """Draw from the exponential distribution of mean 1, by its inverse distribution."""
        return -np.log(self.uniform(source, step, index, count))

    def short_exponential(
        self, source: str, step: int, index: int, count: int, longest: float
    ) -> tuple[ChosenRobots, Array]:
        """
        Draw as `exponential`, but keep only the values below `longest`.

        Events are rare in a step: most robots are excluded by their word, without a logarithm.

        Returns
        -------
        chosen : ChosenRobots
            The robots whose value is below `longest`.
        drawn : array, shape (k,)
            Their values.

        """
        words = self.words(source, step, index, count)
        # Slightly below the word at the limit, so that rounding excludes no robot.
        least = np.uint64(math.exp(-longest) * (1.0 - 1e-9) * WORDS)
        robots = np.flatnonzero(words >= least)
        chosen = ChosenRobots(robots, words[robots])
        drawn = -np.log(open_interval(chosen.words))
        short = drawn < longest
        return chosen.keep(short), drawn[short]

    def generator(self, source: str, step: int) -> np.random.Generator:
        """
        Return a generator for a step whose number of draws is not known before.

        Its draws are no others of the same source: the last word of the counter is 1.
        """
        counter = np.array((0, 0, _word('step', step), 1), dtype=np.uint64)
        return np.random.Generator(np.random.Philox(key=self._key(source), counter=counter))

    def _key(self, source: str) -> NDArray[np.uint64]:
        """Return the key of a source, which depends on its name and the seed alone."""
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


class NamedDraws(Draws):
    """
    Draws of robots by their names, as of `Draws.named`.

    They depend neither on the order of the robots nor on which others there are.

    Parameters
    ----------
    draws : Draws
    names : sequence of str
        Of all robots; each method is called with their number as `count`.

    """

    __slots__ = ('_own',)

    _own: tuple[Draws, ...]

    def __init__(self, draws: Draws, names: Sequence[str]) -> None:
        super().__init__(draws.seed)
        object.__setattr__(self, '_own', tuple(draws.named(name) for name in names))

    def beginning_with(self, first: int) -> Draws:
        """Return the draws of the robots from number `first` on."""
        rest = NamedDraws(self, ())
        object.__setattr__(rest, '_own', self._own[first:])
        return rest

    def words(self, source: str, step: int, index: int | range, count: int) -> NDArray[np.uint64]:
        """Draw words of 64 bits."""
        each = [own.words(source, step, index, 1) for own in self._own[:count]]
        return np.concatenate(each) if each else Draws.words(self, source, step, index, 0)


def open_interval(words: NDArray[np.uint64]) -> Array:
    """Map words exactly to the middles of 2^52 equal parts of (0, 1)."""
    parts = (words >> np.uint64(64 - BITS)).astype(np.float64)
    parts += 0.5
    parts *= 2.0**-BITS
    return parts


def _word(name: str, value: SupportsIndex) -> int:
    """Convert a whole number of any type, and check that it fits into a word."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < WORDS:
        raise InputError(f'{name} is {value!r}; it must be a whole number from 0 to {WORDS - 1}')
    return number
