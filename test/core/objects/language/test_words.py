# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What single words mean in a map, and how they may be spelt."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.language import Lexicon, parse_question
from world_model_core.objects.language.inflections import number_forms
from world_model_core.objects.language.spelling import Speller


def target(text, labels, **known):
    """Read what a question is about."""
    return parse_question(text, Lexicon(labels, **known)).queries[0].target


@pytest.mark.parametrize('label', ['potted plant', 'Potted_Plant', 'POTTED PLANT', 'pottedplant'])
@pytest.mark.parametrize('asked', ['potted plants', 'Potted_Plant', 'pottedplant'])
def test_spaces_underscores_and_case_do_not_matter(label, asked):
    """However the map and the question spell it, the class is the map's."""
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
def test_nouns_are_read_in_both_numbers(one, several):
    """Whichever number the map's label has, the other must mean it as well."""
    forms = (tuple(one.split()), tuple(several.split()))
    assert number_forms(forms[0]) == number_forms(forms[1]) == forms
    for label in (one, several):
        assert target(f'the {one}', [label]).labels == (label,)
        assert target(f'how many {several} are there', [label]).labels == (label,)


def test_the_plural_means_more_than_one_but_for_labels_that_are_plural():
    """Take "the chairs" for several, "the stairs" for one thing where that is its label."""
    assert target('the chairs', ['chair']).plural
    assert not target('the chair', ['chair']).plural
    assert not target('the stairs', ['stairs']).plural


def test_furniture_is_anything_unless_it_is_a_label():
    """A detector's class "furniture" must be asked for by its name; "objects" are always all."""
    assert target('the furniture', ['furniture', 'chair']).labels == ('furniture',)
    assert target('the furniture', ['chair']).labels == ()
    assert target('how many objects are there', ['object', 'chair']).labels == ()


def test_the_longest_label_is_read():
    """A coffee table must be no table, though that is a label as well."""
    labels = ['table', 'coffee table', 'coffee']
    assert target('the coffee table', labels).labels == ('coffee table',)
    assert target('the table', labels).labels == ('table',)


def test_the_exact_label_goes_before_synonyms():
    """A map with sofas and couches must keep them apart."""
    assert target('the couch', ['sofa', 'couch']).labels == ('couch',)
    assert target('the couch', ['sofa']).labels == ('sofa',)


def test_a_bare_noun_means_the_labels_that_end_in_it():
    """The screen is the folding screen where nothing else is a screen."""
    assert target('the screen', ['folding screen', 'screen door']).labels == ('folding screen',)
    assert target('the screen', ['folding screen', 'screen']).labels == ('screen',)
    assert target('the bowls', ['bowl of apples', 'bowling ball']).labels == ('bowl of apples',)
    assert set(target('the table', ['dining table', 'side table']).labels) == {
        'dining table',
        'side table',
    }


def test_a_class_that_the_map_does_not_have_is_still_understood():
    """The answer must be able to say that there is no dining table, not guess another."""
    assert target('the dining tables', ['table']).labels == ('dining table',)


def test_objects_of_any_class_are_asked_for_by_general_words():
    """Things, objects, items and furniture must be of any class."""
    for word in ('object', 'thing', 'item', 'furniture', 'piece of furniture', 'one'):
        assert target(f'the {word} near the bed', ['bed', 'object']).labels == ()


def test_other_names_of_objects_are_labels_too():
    """An alias must be read as the name that it is."""
    assert target('the banister', ['handrail'], aliases=['banister']).labels == ('banister',)


def test_rooms_of_the_map_are_named_as_the_map_names_them():
    """A living room must be the map's livingroom."""
    assert target('the bed in the living room', ['bed'], regions=['livingroom']).region == (
        'livingroom'
    )


def test_labels_go_before_verbs_and_adjectives_of_the_same_name():
    """A stand, a step or an orange must be things where a thing is expected."""
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
def test_one_slip_of_the_finger_is_mended_and_told(typed, meant):
    """A letter left out, put in, changed or swapped must not matter, and must not be hidden."""
    reading = parse_question(f'find the {typed} near the bed', Lexicon([meant, 'bed']))
    assert reading.queries[0].target.labels == (meant,)
    assert reading.corrections == ((typed, meant),)


def test_short_or_ambiguous_words_are_not_mended():
    """What could be two words, or has under five letters, must be named instead."""
    lexicon = Lexicon(['bored', 'boarx', 'bed'])
    assert parse_question('the boarf', Lexicon(['boarx', 'boary'])).missing == ('boarf',)
    assert parse_question('the bxd', lexicon).missing == ('bxd',)


def test_known_words_are_never_mended():
    """Leave "neither" as it is, since "either" means something else."""
    assert parse_question(
        'the chair that is neither red nor blue', Lexicon(['chair'])
    ).missing == (
        'neither',
        'nor',
    )


words = st.text(string.ascii_lowercase, min_size=5, max_size=10)


@given(words, st.integers(0, 9), st.sampled_from(string.ascii_lowercase))
def test_every_single_slip_is_found(word, place, letter):
    """Each way to type a word wrong by one letter must lead back to it."""
    place %= len(word)
    before, after = word[:place], word[place:]
    slips = {before + letter + after, before + letter + after[1:]}
    slips.add(before + after[1:])
    slips.add(before + after[:2][::-1] + after[2:])
    speller = Speller([word])
    assert all(speller.near(slip) == {word} for slip in slips if len(slip) >= 5)


@given(words, words)
def test_slips_are_symmetric(one, other):
    """If one word may be meant by another, so may the other by it."""
    assert (other in Speller([other]).near(one)) == (one in Speller([one]).near(other))


@given(st.lists(st.text(max_size=12), max_size=8))
def test_any_labels_make_a_lexicon(labels):
    """Labels of any characters must be taken, and those that have words be found."""
    lexicon = Lexicon(labels, labels, labels)
    assert parse_question('how many chairs are there', lexicon).queries
