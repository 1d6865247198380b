# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Writing of YAML and JSON."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.files.json_yaml_writer import json_text, yaml_text

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
# JSON can contain half a character (a lone surrogate); YAML in UTF-8 too, but not as a key.
WORDS = st.text(st.characters(exclude_categories=['Cs']))
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(WORDS, VALUES, max_size=5)


@given(DOCUMENTS)
def test_yaml_survives_a_round_trip(document):
    """Every text, number and nesting must be read back, with its type."""
    found = yaml.safe_load(yaml_text(document))
    assert found == document
    assert repr(found) == repr(document)


@given(DOCUMENTS)
def test_json_survives_a_round_trip(document):
    """Every text, number and nesting must be read back, with its type."""
    assert repr(json.loads(json_text(document))) == repr(document)


@pytest.mark.parametrize('word', ['no', 'y', '1e-5', '2026-02-14', '0x1f', 'null', '1_000', '~'])
def test_ambiguous_words_are_quoted(word):
    """A text must be one in every version of YAML, as a value and as a key."""
    assert yaml_text({'name': word}) == f'name: "{word}"\n'
    assert yaml_text({word: 1}) == f'"{word}": 1\n'


def test_numbers_are_in_one_line():
    """Vectors must be as easy to read as in the contract."""
    assert yaml_text({'translation': [2.0, 0.0, 1e-5]}) == 'translation: [2.0, 0.0, 1.0e-05]\n'


def test_half_a_character_can_be_written():
    """Half a character, possible in JSON but not in UTF-8, must be escaped."""
    text = json_text({'name': '\ud83d'})
    assert text.encode('utf-8')
    assert json.loads(text) == {'name': '\ud83d'}


def test_numbers_that_are_not_finite_are_rejected():
    """JSON cannot express them: they must be rejected, not written as NaN."""
    with pytest.raises(ValueError, match='not JSON compliant'):
        json_text({'height': float('nan')})
