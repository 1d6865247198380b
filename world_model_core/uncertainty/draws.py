# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Random draws that depend on nothing but what they are for.

A draw is a function of (seed, source, robot, step, index) and of nothing else: not of how many
robots there are, which other sources are on, or what was drawn before. To switch a source off, or
to add a robot or a landmark, thus leaves all other draws as they were.

They are made by Philox4x64-10, a bijection of a 256-bit counter under a 128-bit key (Salmon,
Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11, 2011). Key: BLAKE2b of
the seed and the source's name. Counter: block of four robots, index, step, 0. Words are the same
on every platform, and so are uniform draws, which take one exact operation each; normal and
exponential ones are as exact as the platform's logarithm.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from world_model_core.uncertainty.limits import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# One more does not fit into a word of the key or of the counter.
WORDS = 2**64
# Of a word's 64 bits: with 53, the middle of the last interval would round to 1.
BITS = 52
# Robots that share a block of the cipher.
LANES = 4
# Words that are drawn in a row in the time in which one is drawn by itself.
ALONE = 2500


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
        """Refuse a seed that is none."""
        _check('seed', self.seed)
        _check('first', self.first)
        if self.first % LANES:
            raise InputError(f'first is {self.first}; it must be a multiple of {LANES}')

    def beginning_with(self, first: int) -> Draws:
        """Give the same draws, but beginning with another robot, so many further on."""
        return Draws(self.seed, self.first + first)

    def words(self, source: str, step: int, index: int | range, count: int) -> NDArray[np.uint64]:
        """Draw words of 64 bits."""
        _check('step', step)
        _check('count', count)
        key = self._key(source)
        if isinstance(index, int):
            return self._encrypt(key, step, index, count)
        drawn = np.empty((len(index), count), dtype=np.uint64)
        for row, each in zip(drawn, index, strict=True):
            row[:] = self._encrypt(key, step, each, count)
        return drawn.T

    def uniform(self, source: str, step: int, index: int | range, count: int) -> Array:
        """Draw from the open interval (0, 1): the middles of 2^52 equal parts."""
        return open_interval(self.words(source, step, index, count))

    def normal(self, source: str, step: int, index: int | range, count: int) -> Array:
        """Draw from the standard normal law, by the inverse of its distribution."""
        drawn: Array = ndtri(self.uniform(source, step, index, count))
        return drawn

    def exponential(self, source: str, step: int, index: int | range, count: int) -> Array:
        """Draw from the exponential law of mean 1, by the inverse of its distribution."""
        return -np.log(self.uniform(source, step, index, count))

    def normal_of(self, source: str, step: int, index: int, robots: NDArray[np.intp]) -> Array:
        """Draw as `normal`, but only for some robots, given by number."""
        drawn: Array = ndtri(open_interval(self._words_of(source, step, index, robots)))
        return drawn

    def uniform_of(self, source: str, step: int, index: int, robots: NDArray[np.intp]) -> Array:
        """Draw as `uniform`, but only for some robots, given by number: shape (len(robots),)."""
        return open_interval(self._words_of(source, step, index, robots))

    def exponential_of(
        self, source: str, step: int, index: int, robots: NDArray[np.intp]
    ) -> Array:
        """Draw as `exponential`, but only for some robots, given by number."""
        return -np.log(open_interval(self._words_of(source, step, index, robots)))

    def short_exponential(
        self, source: str, step: int, index: int, count: int, longest: float
    ) -> tuple[NDArray[np.intp], Array]:
        """
        Draw as `exponential`, but keep only what is shorter than `longest`.

        Events are rare in a step: the others are told by their words, without a logarithm.

        Returns
        -------
        robots : array of int, shape (k,)
            Those whose draw is shorter, in order.
        drawn : array, shape (k,)

        """
        words = self.words(source, step, index, count)
        # A little less than the word at the limit, so that rounding loses none.
        least = np.uint64(math.exp(-longest) * (1.0 - 1e-9) * WORDS)
        robots = np.flatnonzero(words >= least)
        drawn = -np.log(open_interval(words[robots]))
        short = drawn < longest
        return robots[short], drawn[short]

    def _words_of(
        self, source: str, step: int, index: int, robots: NDArray[np.intp]
    ) -> NDArray[np.uint64]:
        """Draw the words of some robots: all up to the last of them, or each by itself if few."""
        last = int(robots.max(initial=-1)) + 1
        if len(robots) * ALONE >= last:
            return self.words(source, step, index, last)[robots]
        words = np.empty(len(robots), dtype=np.uint64)
        for place, robot in enumerate(robots.tolist()):
            lane = robot % LANES
            block = self.beginning_with(robot - lane).words(source, step, index, lane + 1)
            words[place] = block[lane]
        return words

    def _key(self, source: str) -> NDArray[np.uint64]:
        """Give each source its own stream, by its name and not by its place among others."""
        name = self.seed.to_bytes(8, 'little') + source.encode()
        digest = hashlib.blake2b(name, digest_size=16).digest()
        return np.frombuffer(digest, dtype='<u8').astype(np.uint64)

    def _encrypt(
        self, key: NDArray[np.uint64], step: int, index: int, count: int
    ) -> NDArray[np.uint64]:
        """Encrypt the counters of `count` robots."""
        _check('index', index)
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


def _check(name: str, value: int) -> None:
    """Refuse a number that is no word."""
    if not 0 <= value < WORDS:
        raise InputError(f'{name} is {value}; it must be from 0 to {WORDS - 1}')
