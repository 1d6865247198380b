# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Any text gives a parse or a reason why there is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.language import Lexicon, parse_question
from world_model_core.objects.language.english_disambiguation import english_phrases
from world_model_core.objects.language.japanese_segmentation import japanese_phrases
from world_model_core.objects.query import Parse

LABELS = ('bed', 'chair', 'folding screen', 'lamp', 'sofa', 'stand', 'table', 'window')
LEXICON = Lexicon(LABELS, regions=('kitchen',))
ENGLISH = sorted(english_phrases().words | {'bed', 'chairs', 'table', 'lamp', 'kitchen'})
JAPANESE = sorted([*japanese_phrases().senses, '椅子', '机', 'ソファ', '窓', '赤い', '台所'])


def assert_consistent(text):
    """Check that there are either queries or missing parts."""
    parse = parse_question(text, LEXICON)
    assert isinstance(parse, Parse)
    assert bool(parse.queries) != bool(parse.missing)
    assert len(parse.queries) <= 32
    assert len(parse.missing) <= 10
    assert len(set(parse.queries)) == len(parse.queries)


@given(st.text(st.characters(), max_size=200))
def test_any_characters_are_handled(text):
    """Control characters, surrogates and all scripts raise no error."""
    assert_consistent(text)


@given(st.binary(max_size=300))
def test_any_bytes_are_handled(data):
    """Bytes that are not text raise no error."""
    assert_consistent(data.decode('utf-8', 'surrogateescape'))


@given(st.lists(st.sampled_from(ENGLISH), max_size=40).map(' '.join))
def test_english_words_in_any_order_are_handled(text):
    """Known words that are not a sentence raise no error."""
    assert_consistent(text)


@given(st.lists(st.sampled_from(JAPANESE), max_size=40).map(''.join))
def test_japanese_words_in_any_order_are_handled(text):
    """Known words that are not a sentence raise no error."""
    assert_consistent(text)


phrases = st.sampled_from(['the chair', 'a red lamp', 'the two beds', 'all tables', 'the stands'])
relations = st.sampled_from(
    ['on', 'near', 'that is closest to', 'between', 'and', 'with', 'without', 'and above']
)
chains = st.lists(st.tuples(phrases, relations), max_size=9).map(
    lambda pairs: ' '.join(f'{phrase} {relation}' for phrase, relation in pairs) + ' the sofa'
)


@given(st.lists(st.tuples(st.sampled_from(['go to', 'avoid', 'stop at']), chains), max_size=4))
def test_long_sentences_have_a_bounded_number_of_parses(legs):
    """The work for long sentences is bounded."""
    assert_consistent(', then '.join(f'{verb} {chain}' for verb, chain in legs))


@pytest.mark.parametrize(
    'text',
    [
        'chair ' * 10_000,
        '椅子の上の' * 10_000,
        'the chair near ' * 49 + 'the table',
        '椅子の上の' * 200 + '本',
        'x' * 10_000,
        'x' * 1_400,
        '9' * 1_400,
        "a'" * 700,
        '?' * 1_400,
    ],
)
def test_overlong_questions_are_rejected(text):
    """Questions of thousands of words are rejected at once, with a reason."""
    parse = parse_question(text, LEXICON)
    assert not parse.queries
    assert parse.missing
    assert sum(map(len, parse.missing)) < 2_000


def test_overlong_labels_are_ignored():
    """Labels of 10 kB do not affect other labels."""
    lexicon = Lexicon(['x' * 10_000, 'あ' * 10_000, 'many words ' * 50, '', '_', 'chair'])
    assert lexicon.labels == {'chair'}
    assert parse_question('the chair', lexicon).queries
