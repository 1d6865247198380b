# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Substitutions in launch files: $(var), $(env), $(not), $(find-pkg-share), $(dirname)."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from world_model_nodes.scenarios.launch_xml import Element


def expand(element: Element, text: str, values: Mapping[str, str]) -> str:
    """
    Replace each ``$(name word ...)``, inner ones first; a backslash escapes one character.

    Parameters
    ----------
    element : Element
        The element that contains the text.
    text : str
    values : mapping of str to str
        Values of ``$(var name)``.

    Returns
    -------
    str

    Raises
    ------
    LaunchFileError
        A substitution is unknown, incomplete or has no value.

    """
    # The words of each open substitution; the first list is the surrounding text.
    opened = [['']]
    for part in re.split(r'(\\.|\$\(|\))', text):
        if part == '$(':
            opened.append([''])
        elif part == ')' and len(opened) > 1:
            words = opened.pop()
            opened[-1][-1] += _substitute(element, words, values)
        elif part.startswith('\\') or len(opened) == 1:
            opened[-1][-1] += part.removeprefix('\\')
        else:
            first, *others = part.split(' ')
            opened[-1][-1] += first
            opened[-1].extend(others)
    if len(opened) > 1:
        raise element.error(f'a parenthesis is not closed in {text!r}')
    return opened[0][0]


def _substitute(element: Element, words: Sequence[str], values: Mapping[str, str]) -> str:
    match words:
        case ['var', name] if name in values:
            return values[name]
        case ['var', name]:
            raise element.error(f'unknown argument {name!r}; available: {listed(values)}')
        case ['env', name] if name in os.environ:
            return os.environ[name]
        case ['env', name]:
            raise element.error(f'environment variable {name!r} is not set')
        case ['env', name, default]:
            return os.environ.get(name, default)
        case ['not', word] if word.lower() in {'true', 'false'}:
            return 'false' if word.lower() == 'true' else 'true'
        case ['not', word]:
            raise element.error(f'$(not {word}): {word!r} must be true or false')
        case ['find-pkg-share', package]:
            return package_folder(element, package, get_package_share_directory)
        case ['dirname']:
            return str(element.path.parent)
    raise element.error(f'unknown substitution $({" ".join(words)})')


def package_folder(element: Element, package: str, lookup: Callable[[str], str]) -> str:
    """Return a folder of a package, found by a function of ament_index_python."""
    try:
        return lookup(package)
    except (PackageNotFoundError, ValueError) as error:
        raise element.error(f'package {package!r} is not in AMENT_PREFIX_PATH') from error


def listed(names: Iterable[str]) -> str:
    """Join names for a message."""
    return ', '.join(names) or 'none'


def expand_attribute(element: Element, key: str, values: Mapping[str, str]) -> str:
    """Return an attribute with its substitutions replaced."""
    return expand(element, element.attributes[key], values)
