# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Values of others in messages are one short line that any terminal can show."""

import pytest

from world_model_core.findings import printable, shorten


@pytest.mark.parametrize(
    ('value', 'text'),
    [
        (1.5, '1.5'),
        ('two\n lines\t', 'two lines'),
        ('\x1b[31mred\x00', '\ufffd[31mred\ufffd'),
        ('\ud800', '\ufffd'),
        ('ばけつ', 'ばけつ'),
        ('x' * 1_000_000, 'x' * 119 + '…'),
    ],
)
def test_values_are_shortened_to_a_printable_line(value, text):
    """Control characters and halves of characters are replaced."""
    assert shorten(value) == text


def test_texts_of_others_cannot_control_what_shows_them():
    """Escape sequences, marks of direction and invisible characters are replaced."""
    assert printable('a\x1b[2Jb\nc') == 'a\ufffd[2Jb\ufffdc'
    assert printable('exe.\u202egpj') == 'exe.\ufffdgpj'
    assert printable('\u200fabc\u200b\ud800') == '\ufffdabc\ufffd\ufffd'
    assert printable('ばけつ <b>') == 'ばけつ <b>'
