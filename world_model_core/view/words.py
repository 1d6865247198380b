# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Words of the window in English and Japanese, all from words.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ['Words', 'read_words', 'words_by_key']


@dataclass(frozen=True, slots=True)
class Words:
    """
    Words in one language.

    Attributes
    ----------
    language : str
        'en' or 'ja'.
    texts : mapping of str to str
        Texts by their keys.

    """

    language: str
    texts: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        """Return the text of a key."""
        return self.texts[key]


def read_words(language: str) -> Words:
    """Read the words of a language, 'en' or 'ja'."""
    return Words(language, {key: texts[language] for key, texts in words_by_key().items()})


def words_by_key() -> Mapping[str, Mapping[str, str]]:
    """Read the texts of each key by language."""
    table = resources.files('world_model_core.view').joinpath('words.yaml')
    words: Mapping[str, Mapping[str, str]] = yaml.safe_load(table.read_text(encoding='utf-8'))
    return words
