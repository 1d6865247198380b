# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Every word of the window is there in English and Japanese."""

import ast
import re
from pathlib import Path

import pytest

from world_model_core.findings import LANGUAGES
from world_model_core.view.words import read_words, words_by_key

PROJECT = Path(__file__).resolve().parents[3]
SOURCES = [
    path
    for folder in ('world_model_core/view', 'world_model_nodes/viewer')
    for path in sorted((PROJECT / folder).glob('*.py'))
]
JAPANESE = re.compile(r'[\u3040-\u30ff\u4e00-\u9fff]')


def used_keys(path):
    """Return the keys that a module uses as constants: `Row('key', ...)` and `words['key']`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, 'id', '') == 'Row':
            named = node.args[0]
        elif isinstance(node, ast.Subscript) and 'words' in ast.unparse(node.value):
            named = node.slice
        else:
            continue
        if isinstance(named, ast.Constant) and isinstance(named.value, str):
            yield named.value


def named_in(path):
    """Return the texts and the names of arguments of a module, and starts of names: `state_`."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    made = [each.values[0] for each in nodes if isinstance(each, ast.JoinedStr) and each.values]
    starts = {getattr(each, 'value', '') for each in made}
    texts = {each.value for each in nodes if isinstance(each, ast.Constant)}
    texts |= {each.arg for each in nodes if isinstance(each, ast.keyword)}
    return texts, {start for start in starts if str(start).endswith('_')}


@pytest.mark.parametrize(('key', 'texts'), words_by_key().items())
def test_every_word_is_there_in_both_languages(key, texts):
    """A key is one word of code; a text is one line."""
    assert key.isidentifier()
    assert tuple(texts) == LANGUAGES
    assert all(text and text.isprintable() for text in texts.values())


def test_japanese_words_are_japanese():
    """What was forgotten must not stay English."""
    words = words_by_key()
    assert [key for key in words if not JAPANESE.search(words[key]['ja'])] == []
    assert [key for key in words if JAPANESE.search(words[key]['en'])] == []


@pytest.mark.parametrize('path', SOURCES, ids=lambda path: path.name)
def test_every_key_that_is_used_exists(path):
    """A missing word would end the window."""
    assert set(used_keys(path)) - set(words_by_key()) == set()


def test_words_are_read_in_a_language():
    """A key that does not exist is an error of the program."""
    assert read_words('en')['pause'] == 'Pause'
    assert read_words('ja')['pause'] == '一時停止'
    with pytest.raises(KeyError):
        read_words('en')['nonsense']


def test_every_word_is_used():
    """Words that nothing shows would be translated in vain."""
    texts, starts = (set().union(*each) for each in zip(*map(named_in, SOURCES), strict=True))
    unused = [key for key in words_by_key() if key not in texts]
    assert [key for key in unused if not key.startswith(tuple(starts))] == []
