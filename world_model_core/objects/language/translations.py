# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""English names of Japanese nouns, colors and rooms: the built-in ones and those of users."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from world_model_core.errors import ConfigurationError
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.language.word_files import load_table

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ['TranslationError', 'Translations', 'builtin_translations', 'parse_translations']

_PARTS = ('labels', 'colors', 'regions')


class TranslationError(ConfigurationError):
    """A file of translations that does not have the form of japanese_nouns.yaml."""


class Translations(NamedTuple):
    """
    Translations of words to English.

    Attributes
    ----------
    labels : mapping
        From a word to the names that it may have in a map.
    colors, regions : mapping
        From a word to its English name.

    """

    labels: Mapping[str, tuple[str, ...]]
    colors: Mapping[str, str]
    regions: Mapping[str, str]

    def extend(self, other: Translations) -> Translations:
        """Add the translations of another file, which take precedence."""
        return Translations(
            {**self.labels, **other.labels},
            {**self.colors, **other.colors},
            {**self.regions, **other.regions},
        )


@lru_cache(maxsize=1)
def builtin_translations() -> Translations:
    """Load japanese_nouns.yaml."""
    return _check(load_table('japanese_nouns.yaml'))


def parse_translations(text: str) -> Translations:
    """
    Parse a user's file in the form of japanese_nouns.yaml.

    Parameters
    ----------
    text : str
        YAML; each of `labels`, `colors` and `regions` is optional.

    Raises
    ------
    TranslationError
        If the text is not YAML, or an entry does not have this form.

    """
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise TranslationError(f'translations: not YAML: {error}') from None
    return _check(document)


def _check(document: Any) -> Translations:
    if not isinstance(document, dict) or not set(document) <= set(_PARTS):
        raise TranslationError(
            f'translations: must be a mapping with the keys {", ".join(_PARTS)} only'
        )
    parts = {part: document.get(part) or {} for part in _PARTS}
    for part, words in parts.items():
        if not isinstance(words, dict):
            raise TranslationError(f'translations: {part} must be a mapping, not {words!r}')
        for word, names in words.items():
            _check_entry(part, word, names)
    return Translations(
        {_fold(word): tuple(names) for word, names in parts['labels'].items()},
        {_fold(word): name for word, name in parts['colors'].items()},
        {_fold(word): name for word, name in parts['regions'].items()},
    )


def _check_entry(part: str, word: Any, names: Any) -> None:
    listed = names if part == 'labels' else [names]
    named = isinstance(listed, list) and bool(listed)
    if not (named and all(isinstance(name, str) and name.strip() for name in (word, *listed))):
        form = 'a list of names' if part == 'labels' else 'a name'
        raise TranslationError(f'translations: {part}: {word!r} must map to {form}, not {names!r}')


def _fold(word: str) -> str:
    return normalize_label(word).replace(' ', '')
