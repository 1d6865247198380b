# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Regular expressions of POSIX, matched in linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.name_patterns import NamePattern, PatternError

NAMES = ['cup', 'cup_0', 'cup_12', 'Kitchen Table1', 'robot', '机', '']

# Patterns that mean the same to Python, which is exact for them.
ATOMS = st.sampled_from(['a', 'b', '.', '[ab]', '[^a]', '^', '$'])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(''.join),
        st.tuples(inner, inner).map('({0[0]}|{0[1]})'.format),
        st.tuples(inner, st.sampled_from(['*', '+', '?', '{2}', '{0,2}', '{1,}'])).map(
            '({0[0]}){0[1]}'.format
        ),
    ),
    max_leaves=6,
)


def select(pattern, names=NAMES):
    """Return the names that a pattern matches."""
    return NamePattern(pattern).select(names)


@pytest.mark.parametrize(
    ('pattern', 'found'),
    [
        ('cup', ['cup', 'cup_0', 'cup_12']),
        ('^cup$', ['cup']),
        ('^cup_[0-9]+$', ['cup_0', 'cup_12']),
        ('cup_[[:digit:]]{2}', ['cup_12']),
        ('(Table|rob)', ['Kitchen Table1', 'robot']),
        ('^.$', ['机']),
        ('^$', ['']),
        ('[]_]', ['cup_0', 'cup_12']),
        ('[^a-z_0-9]', ['Kitchen Table1', '机']),
        ('o\\.|c\\|', []),
        ('', NAMES),
        ('cup|', NAMES),
        ('n T', ['Kitchen Table1']),
        ('[[:upper:][:space:]-]', ['Kitchen Table1']),
    ],
)
def test_examples(pattern, found):
    """A pattern matches any part of a name."""
    assert select(pattern) == found


@given(PATTERNS, st.lists(st.text('ab', max_size=6), max_size=5))
def test_patterns_match_as_those_of_python(pattern, names):
    """Where both have the same syntax, they find the same names."""
    expected = [name for name in names if re.search(pattern, name)]
    # Python's $ also matches before a line feed, which these names do not have.
    assert select(pattern, names) == expected


@pytest.mark.parametrize(
    'pattern', ['^(a+)+$', '^(a|a)*$', '(a*)*b', '^(a|aa)+$', '(.*)(.*)(.*)x']
)
def test_patterns_that_take_python_years_are_matched(pattern):
    """Two tests a character and instruction, whatever the pattern."""
    assert select(pattern, ['a' * 100 + '!']) == []


@pytest.mark.parametrize(
    'pattern',
    [
        'a' * 257, '(' * 33 + ')' * 33, 'a{256}', '((a{255}){255}){255}', '(((){255}){255}){255}',
        '(' * 20 + ')', '(a', 'a)', '[a', '[', '[z-a]', '[[:nonsense:]]', '*a', '+', 'a{', 'a{,3}',
        'a{3,2}', 'a{x}', '\\', 'a{²}',
    ],
)  # fmt: skip
def test_bad_patterns_are_refused(pattern):
    """Neither wrong nor excessive patterns are used."""
    with pytest.raises(PatternError):
        NamePattern(pattern)


@given(st.text('ab()[]{}*+?|^$\\.,-:0129', max_size=30))
def test_any_pattern_is_a_value_or_a_typed_error(pattern):
    """No text ends in another error, a recursion or a long search."""
    try:
        select(pattern)
    except PatternError:
        return


def test_a_search_that_would_take_too_long_is_refused():
    """The work is bounded by instructions times characters."""
    with pytest.raises(PatternError, match='too many for 20000 names'):
        NamePattern('a{255}').select(['a' * 50] * 20_000)
