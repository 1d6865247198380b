# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Draws depend only on seed, source, robot, step and index."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.random_draws import (
    ChosenRobots,
    Draws,
    NamedDraws,
    open_interval,
)

MASK = 2**64 - 1
# Of seed 20, source pebbles, step 300, index 1.
RECORDED = [
    14029264393479814141,
    6602682813382666976,
    5254549364308360629,
    12069105277681648081,
    13669369843602894218,
]
RECORDED_UNIFORM = [
    '0x1.8563eb4572ccfp-1',
    '0x1.6e85c4252100ap-2',
    '0x1.23afa33a696aep-2',
    '0x1.4efc269c42039p-1',
    '0x1.7b66b6e60ec65p-1',
]
# Index 3 of the same draws.
RECORDED_FURTHER = [
    9915633349761029513,
    315831820762352276,
    12103479312611580487,
    4370220730935486996,
    17010903580108238965,
]
words = st.integers(0, MASK)
sizes = st.integers(0, 40)


def philox(counter, key):
    """Encrypt four words, as Salmon et al. (2011) define Philox4x64-10."""
    (a, b, c, d), (k, m) = counter, key
    for _ in range(10):
        first, second = a * 0xD2E7470EE14C6C93, c * 0xCA5A826395121157
        a, b, c, d = (second >> 64) ^ b ^ k, second & MASK, (first >> 64) ^ d ^ m, first & MASK
        k, m = (k + 0x9E3779B97F4A7C15) & MASK, (m + 0xBB67AE8584CAA73B) & MASK
    return a, b, c, d


def chosen_by(first):
    """Choose robots by their words."""
    return ChosenRobots(np.arange(len(first)), np.array(first, dtype=np.uint64))


@given(words, st.text(), words, words, st.integers(0, 9))
def test_words_are_those_of_philox(seed, source, step, index, robot):
    """Another implementation of the cipher must give the same words, whatever the platform."""
    digest = hashlib.blake2b(seed.to_bytes(8, 'little') + source.encode(), digest_size=16).digest()
    key = int.from_bytes(digest[:8], 'little'), int.from_bytes(digest[8:], 'little')
    expected = philox((robot // 4 + 1, index, step, 0), key)[robot % 4]
    assert int(Draws(seed).words(source, step, index, robot + 1)[robot]) == expected


def test_words_are_those_recorded():
    """Runs must be repeatable: these words were drawn once and may not change."""
    drawn = Draws(20).words('pebbles', 300, 1, 5).tolist()
    assert drawn == RECORDED


def test_uniform_draws_are_those_recorded():
    """Uniform draws must be the same bits on every platform."""
    drawn = [number.hex() for number in Draws(20).uniform('pebbles', 300, 1, 5).tolist()]
    assert drawn == RECORDED_UNIFORM


@given(words, words, words, sizes, sizes)
def test_more_robots_leave_the_draws_of_the_first_ones(seed, step, index, few, more):
    """A robot's draws must not depend on the number of robots."""
    draws = Draws(seed)
    first = draws.normal('noise', step, index, few)
    assert np.array_equal(first, draws.normal('noise', step, index, few + more)[:few])


@given(words, st.integers(0, 10), sizes)
def test_draws_can_begin_with_any_fourth_robot(seed, block, count):
    """Draws of a block of robots must equal those of its robots among all."""
    whole = Draws(seed).words('noise', 1, 2, 4 * block + count)
    part = Draws(seed).beginning_with(4 * block).words('noise', 1, 2, count)
    assert np.array_equal(part, whole[4 * block :])
    with pytest.raises(InputError, match='first is 5; it must be a multiple of 4'):
        Draws(seed).beginning_with(5)


@given(words, st.integers(0, 2**20))
def test_further_words_are_those_of_splitmix64(word, index):
    """Another implementation of the generator must give the same words, whatever the platform."""
    z = (word + index * 0x9E3779B97F4A7C15) & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    assert int(chosen_by([word]).further(index)[0]) == z ^ (z >> 31)


def test_further_words_are_those_recorded():
    """Runs must be repeatable: these words were drawn once and may not change."""
    assert chosen_by(RECORDED).further(3).tolist() == RECORDED_FURTHER


@given(st.lists(words, max_size=20), st.data())
def test_a_subset_of_the_chosen_has_the_same_draws(first, data):
    """Draws of a chosen robot must depend on its own word and the index alone."""
    chosen = chosen_by(first)
    some = np.array(data.draw(st.lists(st.booleans(), min_size=len(first), max_size=len(first))))
    some = some.astype(np.bool_)
    kept = chosen.keep(some)
    assert np.array_equal(kept.robots, chosen.robots[some])
    for whole, part in [
        (chosen.uniform, kept.uniform),
        (chosen.normal, kept.normal),
        (chosen.exponential, kept.exponential),
    ]:
        assert np.array_equal(part(2), whole(2)[some])


@pytest.mark.parametrize('longest', [1e-3, 0.1, 50.0])
def test_draws_of_chosen_robots_have_their_distribution_and_are_independent(longest):
    """However rare the event, further draws of chosen robots must be independent of it."""
    chosen, drawn = Draws(4).short_exponential('noise', 5, 6, int(5000 / longest + 5000), longest)
    further = [chosen.normal(index) for index in range(1, 5)]
    for sample in further:
        assert stats.kstest(sample, stats.norm.cdf).pvalue > 1e-4
    assert stats.kstest(chosen.uniform(5), stats.uniform.cdf).pvalue > 1e-4
    assert stats.kstest(chosen.exponential(6), stats.expon.cdf).pvalue > 1e-4
    # Of magnitudes as well: dependent values need not be correlated.
    for columns in ([drawn, *further], [drawn, *np.abs(further)]):
        matrix = stats.spearmanr(np.stack(columns, axis=-1)).statistic
        assert np.all(np.abs(matrix - np.eye(5)) < 4.5 / np.sqrt(len(drawn)))


@pytest.mark.parametrize('longest', [0.0, 1e-3, 0.7, 50.0])
def test_short_exponential_draws_are_those_that_are_short(longest):
    """Draws below a limit must be exactly those of the full array that are below it."""
    drawn = Draws(3).exponential('noise', 5, 6, 5000)
    chosen, short = Draws(3).short_exponential('noise', 5, 6, 5000, longest)
    assert np.array_equal(chosen.robots, np.flatnonzero(drawn < longest))
    assert np.array_equal(short, drawn[chosen.robots])
    assert np.array_equal(chosen.words, Draws(3).words('noise', 5, 6, 5000)[chosen.robots])


@given(words, words, sizes, sizes, sizes)
def test_more_landmarks_leave_the_draws_of_the_first_ones(seed, step, count, few, more):
    """A column of draws must equal the draws of its index alone."""
    draws = Draws(seed)
    drawn = draws.uniform('noise', step, range(few + more), count)
    assert drawn.shape == (count, few + more)
    assert np.array_equal(draws.uniform('noise', step, range(few), count), drawn[:, :few])
    for index in range(few + more):
        assert np.array_equal(draws.uniform('noise', step, index, count), drawn[:, index])


@given(words, words, words)
def test_each_seed_source_step_and_index_has_its_own_words(seed, step, index):
    """A change of any argument must change every draw."""
    own = Draws(seed).words('stuck', step, index, 8)
    others = [
        Draws(seed ^ 1).words('stuck', step, index, 8),
        Draws(seed).words('stuck at', step, index, 8),
        Draws(seed).words('stuck', step ^ 1, index, 8),
        Draws(seed).words('stuck', step, index ^ 1, 8),
    ]
    assert len({int(word) for drawn in (own, *others) for word in drawn}) == 40


def test_uniform_draws_never_reach_the_ends():
    """The least and the largest word must map into the open interval, symmetrically."""
    low, high = open_interval(np.array((0, MASK), dtype=np.uint64)).tolist()
    assert low == 2.0**-53
    assert high == 1.0 - 2.0**-53


@pytest.mark.parametrize(
    ('distribution', 'drawn'),
    [
        (stats.uniform, Draws(1).uniform),
        (stats.norm, Draws(1).normal),
        (stats.expon, Draws(1).exponential),
    ],
)
@pytest.mark.parametrize('across', ['robots', 'steps', 'indices'])
def test_draws_have_their_distribution_across_robots_steps_and_indices(
    distribution, drawn, across
):
    """Draws must have their distribution along every axis."""
    if across == 'robots':
        sample = drawn('law', 7, 7, 20_000)
    elif across == 'steps':
        sample = np.concatenate([drawn('law', step, 7, 1) for step in range(5000)])
    else:
        sample = drawn('law', 7, range(5000), 1)[0]
    assert stats.kstest(sample, distribution.cdf).pvalue > 1e-4


def test_neighbors_are_not_correlated():
    """Draws of neighboring robots, steps, indices, seeds and sources must be independent."""
    count = 50_000
    own = Draws(5).normal('noise', 3, 2, count + 1)
    others = [
        own[1:],
        Draws(5).normal('noise', 4, 2, count),
        Draws(5).normal('noise', 3, 3, count),
        Draws(6).normal('noise', 3, 2, count),
        Draws(5).normal('noisf', 3, 2, count),
    ]
    for other in others:
        assert abs(np.corrcoef(own[:count], other)[0, 1]) < 4.5 / np.sqrt(count)


@pytest.mark.parametrize('wrong', [-1, 2**64])
def test_invalid_numbers_are_rejected(wrong):
    """An invalid seed, step, index or count must be rejected by name."""
    draws = Draws(0)
    for name, draw in [
        ('seed', lambda: Draws(wrong)),
        ('step', lambda: draws.words('noise', wrong, 0, 1)),
        ('index', lambda: draws.words('noise', 0, wrong, 1)),
        ('count', lambda: draws.words('noise', 0, 0, wrong)),
    ]:
        said = f'{name} is {wrong}; it must be a whole number from 0'
        with pytest.raises(InputError, match=said):
            draw()


def test_things_of_other_names_have_other_draws():
    """The same name has the same draws, whatever others there are."""
    draws = Draws(20)
    assert draws.named('a').seed == Draws(20).named('a').seed
    seeds = {
        each.seed for each in (draws, draws.named('a'), draws.named('b'), Draws(21).named('a'))
    }
    assert len(seeds) == 4


def test_draws_of_several_names_are_those_of_each():
    """Each robot has the draws of its name, alone or among others, from any number on."""
    draws = Draws(20)
    joined = NamedDraws(draws, ('a', 'b', 'c'))
    drawn = joined.normal('pebbles', 3, range(2), 3)
    for row, name in zip(drawn, 'abc', strict=True):
        assert np.array_equal(row, draws.named(name).normal('pebbles', 3, range(2), 1)[0])
    rest = joined.beginning_with(1).uniform('pebbles', 3, 0, 2)
    assert np.array_equal(rest, joined.uniform('pebbles', 3, 0, 3)[1:])
    assert NamedDraws(draws, ()).words('pebbles', 3, range(2), 0).shape == (0, 2)


def test_generators_depend_on_seed_source_and_step_alone():
    """The same three give the same numbers, and another one of them gives others."""
    first = Draws(20).generator('pebbles', 300).random(5)
    assert (Draws(20).generator('pebbles', 300).random(5) == first).all()
    for draws, source, step in ((21, 'pebbles', 300), (20, 'stones', 300), (20, 'pebbles', 301)):
        assert (Draws(draws).generator(source, step).random(5) != first).all()
    with pytest.raises(InputError):
        Draws(20).generator('pebbles', -1)


def test_generators_have_their_own_words():
    """They share no word with the other draws of their source."""
    draws = Draws(20)
    own = set(draws.generator('pebbles', 300).bit_generator.random_raw(40).tolist())
    others = {
        word for index in range(12) for word in draws.words('pebbles', 300, index, 8).tolist()
    }
    assert own.isdisjoint(others)
