# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Any text at all gives a reading or says what is missing."""

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


def assert_honest(text):
    """Hold that there are queries, or something missing, never both or neither."""
    reading = parse_question(text, LEXICON)
    assert isinstance(reading, Parse)
    assert bool(reading.queries) != bool(reading.missing)
    assert len(reading.queries) <= 32
    assert len(reading.missing) <= 10
    assert len(set(reading.queries)) == len(reading.queries)


@given(st.text(st.characters(), max_size=200))
def test_any_characters_are_read_or_refused(text):
    """Control characters, surrogates and every script must raise nothing."""
    assert_honest(text)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    """A message that is no text must raise nothing."""
    assert_honest(data.decode('utf-8', 'surrogateescape'))


@given(st.lists(st.sampled_from(ENGLISH), max_size=40).map(' '.join))
def test_english_words_in_any_order_are_read_or_refused(text):
    """What is known word by word but is no sentence must raise nothing."""
    assert_honest(text)


@given(st.lists(st.sampled_from(JAPANESE), max_size=40).map(''.join))
def test_japanese_words_in_any_order_are_read_or_refused(text):
    """What is known word by word but is no sentence must raise nothing."""
    assert_honest(text)


phrases = st.sampled_from(['the chair', 'a red lamp', 'the two beds', 'all tables', 'the stands'])
relations = st.sampled_from(
    ['on', 'near', 'that is closest to', 'between', 'and', 'with', 'without', 'and above']
)
chains = st.lists(st.tuples(phrases, relations), max_size=9).map(
    lambda pairs: ' '.join(f'{phrase} {relation}' for phrase, relation in pairs) + ' the sofa'
)


@given(st.lists(st.tuples(st.sampled_from(['go to', 'avoid', 'stop at']), chains), max_size=4))
def test_long_sentences_are_read_in_bounded_ways(legs):
    """However much is said, the readings must be few and the work bounded."""
    assert_honest(', then '.join(f'{verb} {chain}' for verb, chain in legs))


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
def test_endless_questions_are_refused(text):
    """Questions of thousands of words must be refused at once, and say why."""
    reading = parse_question(text, LEXICON)
    assert not reading.queries
    assert reading.missing
    assert sum(map(len, reading.missing)) < 2_000


def test_endless_labels_are_no_vocabulary():
    """Labels of 10 kB must not keep the others from being read."""
    lexicon = Lexicon(['x' * 10_000, 'あ' * 10_000, 'many words ' * 50, '', '_', 'chair'])
    assert lexicon.labels == {'chair'}
    assert parse_question('the chair', lexicon).queries
