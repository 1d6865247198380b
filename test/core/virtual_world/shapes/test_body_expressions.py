# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Arithmetic in body files."""

from __future__ import annotations

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.shapes.body_expressions import ExpressionError, evaluate

PARAMETERS = {'a': 2.0, 'arm_2': 0.5}


@pytest.mark.parametrize(
    ('text', 'value'),
    [
        ('1', 1.0),
        ('.5', 0.5),
        ('2.', 2.0),
        ('1e2', 100.0),
        ('1+2*3', 7.0),
        ('(1+2)*3', 9.0),
        ('8/4/2', 1.0),
        ('8-4-2', 2.0),
        ('-2*-3', 6.0),
        ('--2', 2.0),
        ('+2', 2.0),
        ('3-(-2)', 5.0),
        ('-(1+1)', -2.0),
        ('a*arm_2', 1.0),
        (' a / ( arm_2 ) ', 4.0),
        ('((((1))))', 1.0),
    ],
)
def test_expressions_have_values(text, value):
    """Operators bind as usual."""
    assert evaluate(text, PARAMETERS) == value


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        ('', 'a value is missing'),
        ('1+', 'a value is missing'),
        ('*1', 'no value before'),
        ('1 2', 'no operator before 2'),
        ('2(3)', 'no operator before'),
        ('(1', 'not closed'),
        ('1)', 'no . before .'),
        ('()', 'no value before'),
        ('b', 'b is not defined'),
        ('1/0', 'divides by zero'),
        ('1/(1-1)', 'divides by zero'),
        ('1e308*10', 'not finite'),
        ('1e999', 'not finite'),
        ('2**3', 'no value before'),
        ('__import__("os")', 'not expected'),
        ('a.b', 'not expected'),
        ('1,2', 'not expected'),
        ('٣', 'not expected'),
        ('9' * 1001, '1001 characters'),
        ('*'.join(['9e99'] * 100), 'not finite'),
    ],
)
def test_other_texts_are_refused(text, reason):
    """The error has the reason."""
    with pytest.raises(ExpressionError, match=reason):
        evaluate(text, PARAMETERS)


@given(numbers=st.lists(st.integers(0, 99), min_size=1, max_size=30), data=st.data())
def test_sums_and_products_equal_those_of_python(numbers, data):
    """For any order of operators."""
    signs = data.draw(
        st.lists(st.sampled_from('+-*'), min_size=len(numbers), max_size=len(numbers))
    )
    text = ''.join(f'{number}{sign}' for number, sign in zip(numbers, signs, strict=True)) + '1'
    assert evaluate(text, {}) == pytest.approx(eval(text), rel=1e-12)  # noqa: S307 (our own text)


@given(st.text('0123456789.eE+-*/()a_ ', max_size=40))
def test_any_text_gives_a_finite_value_or_an_error(text):
    """Nothing else is raised."""
    with suppress(ExpressionError):
        assert math.isfinite(evaluate(text, PARAMETERS))
