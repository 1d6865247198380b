# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Meanings and spellings of single words."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.language import Lexicon, parse_question
from world_model_core.objects.language.inflections import number_forms
from world_model_core.objects.language.spelling import Speller


def target(text, labels, **known):
    """Parse a question and return its target."""
    return parse_question(text, Lexicon(labels, **known)).queries[0].target


@pytest.mark.parametrize('label', ['potted plant', 'Potted_Plant', 'POTTED PLANT', 'pottedplant'])
@pytest.mark.parametrize('asked', ['potted plants', 'Potted_Plant', 'pottedplant'])
def test_spaces_underscores_and_case_do_not_matter(label, asked):
    """The result is the map's label, however map and question spell it."""
    expected = label.lower().replace('_', ' ')
    assert target(f'find the {asked}', [label]).labels == (expected,)


@pytest.mark.parametrize(
    ('one', 'several'),
    [
        ('shelf', 'shelves'), ('knife', 'knives'), ('box', 'boxes'), ('bench', 'benches'),
        ('glass', 'glasses'), ('bookshelf', 'bookshelves'), ('mouse', 'mice'), ('roof', 'roofs'),
        ('bowl of apples', 'bowls of apples'), ('cactus', 'cactuses'), ('leaf', 'leaves'),
        ('dish', 'dishes'), ('photo', 'photos'), ('couch', 'couches'), ('toy', 'toys'),
        ('clothes', 'clothes'), ('scissors', 'scissors'), ('stove', 'stoves'), ('bus', 'buses'),
        ('canvas', 'canvases'), ('lens', 'lenses'), ('tissue box', 'tissue boxes'),
        ('microwave', 'microwaves'), ('tv', 'tvs'), ('olive', 'olives'), ('sofa', 'sofas'),
    ],
)  # fmt: skip
def test_nouns_are_recognized_in_singular_and_plural(one, several):
    """Both forms mean the label, whichever form the label has."""
    forms = (tuple(one.split()), tuple(several.split()))
    assert number_forms(forms[0]) == number_forms(forms[1]) == forms
    for label in (one, several):
        assert target(f'the {one}', [label]).labels == (label,)
        assert target(f'how many {several} are there', [label]).labels == (label,)


def test_plural_means_several_except_for_plural_labels():
    """The phrase "the chairs" means several, "the stairs" one object if that is a label."""
    assert target('the chairs', ['chair']).plural
    assert not target('the chair', ['chair']).plural
    assert not target('the stairs', ['stairs']).plural


def test_furniture_is_anything_unless_it_is_a_label():
    """A label "furniture" is requested by name; "objects" always mean all objects."""
    assert target('the furniture', ['furniture', 'chair']).labels == ('furniture',)
    assert target('the furniture', ['chair']).labels == ()
    assert target('how many objects are there', ['object', 'chair']).labels == ()


def test_the_longest_label_is_used():
    """A coffee table is not a table, although that is a label, too."""
    labels = ['table', 'coffee table', 'coffee']
    assert target('the coffee table', labels).labels == ('coffee table',)
    assert target('the table', labels).labels == ('table',)


def test_the_exact_label_takes_precedence_over_synonyms():
    """A map with sofas and couches distinguishes them."""
    assert target('the couch', ['sofa', 'couch']).labels == ('couch',)
    assert target('the couch', ['sofa']).labels == ('sofa',)


def test_a_bare_noun_means_the_labels_that_end_in_it():
    """The phrase "screen" means the folding screen if there is no other screen."""
    assert target('the screen', ['folding screen', 'screen door']).labels == ('folding screen',)
    assert target('the screen', ['folding screen', 'screen']).labels == ('screen',)
    assert target('the bowls', ['bowl of apples', 'bowling ball']).labels == ('bowl of apples',)
    assert set(target('the table', ['dining table', 'side table']).labels) == {
        'dining table',
        'side table',
    }


def test_absent_classes_are_understood():
    """The answer can report that there is no dining table."""
    assert target('the dining tables', ['table']).labels == ('dining table',)


def test_general_words_mean_any_class():
    """Things, objects, items and furniture may be of any class."""
    for word in ('object', 'thing', 'item', 'furniture', 'piece of furniture', 'one'):
        assert target(f'the {word} near the bed', ['bed', 'object']).labels == ()


def test_aliases_are_labels():
    """An alias is recognized like a label."""
    assert target('the banister', ['handrail'], aliases=['banister']).labels == ('banister',)


def test_rooms_have_the_names_of_the_map():
    """The phrase "living room" means the map's "livingroom"."""
    assert target('the bed in the living room', ['bed'], regions=['livingroom']).region == (
        'livingroom'
    )


def test_labels_take_precedence_over_other_parts_of_speech():
    """A stand, a step or an orange are objects where a noun is expected."""
    labels = ['stand', 'step', 'orange', 'light', 'walk in closet']
    for label in labels:
        assert target(f'the {label} near the {label}', labels).labels == (label,)
    assert target('the orange stand', labels).colors == ('orange',)


@pytest.mark.parametrize(
    ('typed', 'meant'),
    [
        ('refridgerator', 'refrigerator'), ('chiar', 'chair'), ('tabel', 'table'),
        ('pilow', 'pillow'), ('windoww', 'window'), ('curtein', 'curtain'),
    ],
)  # fmt: skip
def test_single_typing_errors_are_corrected_and_reported(typed, meant):
    """A letter may be missing, inserted, changed or swapped."""
    parse = parse_question(f'find the {typed} near the bed', Lexicon([meant, 'bed']))
    assert parse.queries[0].target.labels == (meant,)
    assert parse.corrections == ((typed, meant),)


def test_short_or_ambiguous_words_are_not_corrected():
    """They are reported as missing instead."""
    lexicon = Lexicon(['bored', 'boarx', 'bed'])
    assert parse_question('the boarf', Lexicon(['boarx', 'boary'])).missing == ('boarf',)
    assert parse_question('the bxd', lexicon).missing == ('bxd',)


def test_known_words_are_never_corrected():
    """The phrase "neither" is not corrected to "either", which means something else."""
    assert parse_question(
        'the chair that is neither red nor blue', Lexicon(['chair'])
    ).missing == (
        'neither',
        'nor',
    )


words = st.text(string.ascii_lowercase, min_size=5, max_size=10)


@given(words, st.integers(0, 9), st.sampled_from(string.ascii_lowercase))
def test_every_single_typing_error_is_found(word, place, letter):
    """Each word at distance 1 leads back to the known word."""
    place %= len(word)
    before, after = word[:place], word[place:]
    slips = {before + letter + after, before + letter + after[1:]}
    slips.add(before + after[1:])
    slips.add(before + after[:2][::-1] + after[2:])
    speller = Speller([word])
    assert all(speller.near(slip) == {word} for slip in slips if len(slip) >= 5)


@given(words, words)
def test_corrections_are_symmetric(one, other):
    """If one word may be corrected to another, so may the other to the first."""
    assert (other in Speller([other]).near(one)) == (one in Speller([one]).near(other))


@given(st.lists(st.text(max_size=12), max_size=8))
def test_any_labels_make_a_lexicon(labels):
    """Labels of any characters are accepted, and those that contain words are found."""
    lexicon = Lexicon(labels, labels, labels)
    assert parse_question('how many chairs are there', lexicon).queries


def test_punctuation_is_no_noun():
    """Names of classes come from messages, and may have no words at all."""
    lexicon = Lexicon(('chair', '_', '"'))
    assert lexicon.noun(()) is None
