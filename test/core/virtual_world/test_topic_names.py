# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of entities as tokens of topic names: legal, unique, and back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.topic_names import (
    NotEscapedError,
    escape_name,
    unescape_name,
)

# Any text, and text of the characters that escapes consist of.
NAMES = st.text(max_size=40) | st.text('_xX20A5F- 1a', max_size=12)


@pytest.mark.parametrize(
    ('name', 'token'),
    [
        ('cup_0', 'cup_0'),
        ('Kitchen Table1', 'Kitchen_x20_Table1'),
        ('Robot-nii', 'Robot_x2D_nii'),
        ('3D printer', 'x33_D_x20_printer'),
        ('机', 'x673A_'),
        ('_hidden', 'x5F_hidden'),
        ('a__b', 'a_x5Fx5F_b'),
        ('a/b', 'a_x2F_b'),
        ('', 'x_'),
        ('x_', 'x78x5F_'),
        ('x20_y', 'x78_20_y'),
        ('size_x20_y30', 'size_x5F_x20_y30'),
        ('size_x20-y30', 'size_x5F_x20_x2D_y30'),
        ('\U0001f600', 'x1F600_'),
    ],
)
def test_examples(name, token):
    """Legal names stay; other characters become their code points."""
    assert escape_name(name) == token
    assert unescape_name(token) == name


@given(NAMES)
def test_a_token_gives_its_name_back(name):
    """No name is lost, so that two names never have the same token."""
    assert unescape_name(escape_name(name)) == name


@given(NAMES)
def test_tokens_follow_the_rules_of_topic_names(name):
    """ASCII letters, digits and single underscores, with a letter first."""
    assert re.fullmatch('[A-Za-z](?:_?[A-Za-z0-9])*_?', escape_name(name))


@given(st.text('_xX20A5F- 1a', max_size=12))
def test_a_token_that_no_name_has_is_refused(token):
    """A text is the token of one name, or of none."""
    try:
        name = unescape_name(token)
    except NotEscapedError:
        return
    assert escape_name(name) == token


@pytest.mark.parametrize('token', ['', '_a', 'a__b', 'a-b', 'x41_', '1a', 'xFFFFFF_', 'a_x2d_b/'])
def test_illegal_tokens_are_refused(token):
    """Illegal tokens, escaped letters, and code points that do not exist."""
    with pytest.raises(NotEscapedError, match=re.escape(repr(token))):
        unescape_name(token)


@given(st.from_regex('[A-Za-z]([_]?[a-z0-9])*', fullmatch=True))
def test_usual_names_stay(name):
    """Only a name with a hexadecimal code between underscores is escaped without need."""
    if not re.search('(^|_)x[0-9A-F]{2}', name):
        assert escape_name(name) == name
