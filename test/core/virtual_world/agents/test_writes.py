# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What controllers write is checked, and the mode of an entity decides what can be written."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.agents.read_only_array import read_only
from world_model_core.virtual_world.agents.writes import (
    WRITABLE,
    Mode,
    check_mode,
    checked_values,
)
from world_model_core.virtual_world.engine.errors import (
    EngineError,
    InvalidStateError,
    UnknownPartError,
    WrongModeError,
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize('attribute', WRITABLE)
@pytest.mark.parametrize('dynamics', [False, True])
def test_the_mode_decides(attribute, dynamics):
    """A write in the wrong mode names object, attribute and what to do."""
    mode = WRITABLE[attribute].mode
    allowed = {Mode.ALWAYS: True, Mode.WITH_DYNAMICS: dynamics}.get(mode, not dynamics)
    if allowed:
        check_mode('cup', attribute, dynamics=dynamics)
        return
    with pytest.raises(WrongModeError, match=rf"{attribute} of 'cup'.*set dynamics = "):
        check_mode('cup', attribute, dynamics=dynamics)


@given(st.sampled_from(sorted(WRITABLE)), st.lists(ANYTHING, max_size=7))
def test_any_values_are_plain_or_refused(attribute, values):
    """Whatever a stranger sends becomes finite numbers, texts and flags, or an error."""
    try:
        checked = checked_values('cup', attribute, values)
    except EngineError:
        return
    assert len(checked) == len(WRITABLE[attribute].values)
    for each in checked:
        numbers = each if isinstance(each, tuple) else (each,)
        assert all(
            math.isfinite(number) if isinstance(number, float) else isinstance(number, str | int)
            for number in numbers
            if number is not None
        )


def test_numbers_of_numpy_are_numbers():
    """Arrays, numbers and flags of numpy are written as those of Python."""
    assert checked_values('cup', 'position', [np.array((1, 2, 3))]) == ((1.0, 2.0, 3.0),)
    assert checked_values('cup', 'mass', [np.float32(2.0)]) == (2.0,)
    assert checked_values('cup', 'dynamics', [np.bool_(True)]) == (True,)
    assert checked_values('cup', 'attribute', ['lit', True]) == ('lit', True)
    assert checked_values('cup', 'attribute', ['size', 3]) == ('size', 3.0)


def test_quaternions_have_length_one():
    """A quaternion of any length is scaled; zero is refused."""
    assert checked_values('cup', 'orientation', [(0, 0, 0, 2)]) == ((0.0, 0.0, 0.0, 1.0),)
    with pytest.raises(InvalidStateError, match='not all zero'):
        checked_values('cup', 'orientation', [(0, 0, 0, 0)])


@pytest.mark.parametrize(
    ('attribute', 'values', 'message'),
    [
        ('position', [(0.0, math.nan, 0.0)], 'three numbers'),
        ('position', [(0.0, 1e300, 0.0)], 'from -1e9 to 1e9'),
        ('position', [(0.0, 1.0)], 'three numbers'),
        ('mass', ['heavy'], "is 'heavy'; it must be a number from -1e9 to 1e9"),
        ('mass', [1.0, 2.0], 'has 2 values; it must have 1'),
        ('camera', [1.5, '', (0, 0, 0), (0, 0, 0, 1), 1.0, 1.0], 'a whole number'),
        ('state', ['switch', 3.0], 'a text'),
    ],
)
def test_errors_name_attribute_value_and_limit(attribute, values, message):
    """An error says which value of which attribute of which entity is wrong."""
    with pytest.raises(InvalidStateError, match=f"{attribute} of 'cup'") as caught:
        checked_values('cup', attribute, values)
    assert message in str(caught.value)


def test_an_unknown_attribute_is_refused():
    """There is a table of what can be written."""
    with pytest.raises(UnknownPartError, match="no attribute 'color'"):
        checked_values('cup', 'color', [1])


def test_elements_cannot_be_lost():
    """A value of an object can be added to and copied; an element says how to assign it."""
    array = read_only((1.0, 2.0, 3.0), 'cup.position')
    moved = array
    moved += (0.0, 0.5, 0.0)
    assert moved.tolist() == [1.0, 2.5, 3.0]
    assert array.tolist() == [1.0, 2.0, 3.0]
    for view in (array, array[:2]):
        with pytest.raises(TypeError, match=r'cup\.position = \.\.\.'):
            view[0] = 5.0
    copied = array.copy()
    copied[0] = 5.0
    assert copied.tolist() == [5.0, 2.0, 3.0]
    with pytest.raises(ValueError, match='read-only'):
        array.fill(0.0)
