# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Names of entities, parts and joints as one token of a ROS topic name or frame id.

Legal names stay as they are. Characters that a token must not contain become `_x` and their code
points in hexadecimal digits and a closing `_`: "Robot-nii" is "Robot_x2D_nii", "Kitchen Table1"
is "Kitchen_x20_Table1". At the start of a name the first underscore is left out, since tokens that
start with one are hidden: "3D printer" is "x33_D_x20_printer". Every name has its own token.
"""

from __future__ import annotations

import re

from world_model_core.errors import WorldModelError

__all__ = ['NotEscapedError', 'escape_name', 'unescape_name']

_CODES = '(?:x[0-9A-F]{2,6})+'
# What is escaped. ROS 2's design document of topic names forbids repeated underscores; two escapes
# side by side would have them, so that a run of characters becomes one escape.
_ILLEGAL = re.compile(
    '|'.join(
        (
            '^[^A-Za-z][^A-Za-z0-9]*',  # a token starts with a letter
            '[^A-Za-z0-9]{2,}',
            '[^A-Za-z0-9_]',
            # Parts of a name that look like an escape.
            f'_(?={_CODES}[^A-Za-z0-9])',
            f'^x(?=[0-9A-F]{{2,6}}{_CODES.replace("+", "*")}[^A-Za-z0-9])',
        )
    )
)
_ESCAPED = re.compile(f'(?:^|_)({_CODES})_')
_EMPTY = 'x_'


class NotEscapedError(WorldModelError):
    """A token is not the escaped form of any name."""


def escape_name(name: str) -> str:
    """
    Return a name as a token of a topic name or frame id.

    Parameters
    ----------
    name : str
        Any text.

    Returns
    -------
    str
        ASCII letters, digits and single underscores; it starts with a letter. Up to eight
        characters for one character of the name: a topic name has at most 247 in all.

    """
    if name in {'', _EMPTY}:
        return _EMPTY if not name else 'x78x5F_'
    return _ILLEGAL.sub(_escape, name)


def unescape_name(token: str) -> str:
    """
    Return the name of which a token is the escaped form.

    Parameters
    ----------
    token : str
        As `escape_name` returns it.

    Returns
    -------
    str

    Raises
    ------
    NotEscapedError
        If `escape_name` returns this token for no name.

    """
    try:
        name = '' if token == _EMPTY else _ESCAPED.sub(_unescape, token)
    except ValueError:
        name = None
    if name is None or escape_name(name) != token:
        raise NotEscapedError(f'{token!r} is not an escaped name')
    return name


def _escape(illegal: re.Match[str]) -> str:
    codes = ''.join(f'x{ord(character):02X}' for character in illegal[0])
    return f'_{codes}_' if illegal.start() else f'{codes}_'


def _unescape(escaped: re.Match[str]) -> str:
    return ''.join(chr(int(code, 16)) for code in escaped[1].split('x')[1:])
