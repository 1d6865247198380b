# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of interest cover what a question would mean by them, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.objects.answering.object_interest import (
    MOST_LABELS,
    Interest,
    names_in_parse,
    read_names,
    write_names,
)
from world_model_core.objects.language import Lexicon, parse_question

WORDS = st.text(min_size=1, max_size=20).map(str.strip).filter(bool)


@pytest.mark.parametrize(
    ('name', 'label', 'covered'),
    [
        ('table', 'table', True),
        ('table', 'dining table', True),
        ('tables', 'Coffee_Table', True),
        ('couch', 'sofa', True),
        ('Potted_Plant', 'potted plant', True),
        ('椅子', '椅子', True),
        ('table', 'table lamp', False),
        ('dining table', 'table', False),
        ('chair', 'sofa', False),
    ],
)
def test_a_name_covers_what_it_means(name, label, covered):
    """A kind of table is a table, a lamp on one is none; spelling does not matter."""
    labels = Interest((name,)).covered_labels((label,))
    assert (label.casefold().replace('_', ' ') in labels) == covered


def test_what_was_covered_once_stays():
    """A label that no frame shows any more is still one of interest."""
    interest = Interest(('table',))
    assert interest.covered_labels(('dining table', 'lamp')) == {'table', 'dining table'}
    assert interest.covered_labels(()) == {'table', 'dining table'}
    assert interest.names == ('table',)


def test_no_names_are_all_things():
    """Nothing is left out where nobody says what matters."""
    assert Interest().covered_labels(('chair',)) == frozenset()
    assert Interest(('', ' ')).covered_labels(('chair',)) == frozenset()


def test_labels_without_end_are_borne():
    """A detector that invents labels fills no memory."""
    interest = Interest(('chair',))
    interest.covered_labels(f'x{number}' for number in range(MOST_LABELS + 100))
    assert len(interest._covered) <= MOST_LABELS


@pytest.mark.parametrize(
    ('question', 'names'),
    [
        ('How many chairs are near the table?', {'chairs', 'chair', 'table', 'dining table'}),
        ('Find the object on the table.', set()),
        ('Go to the table.', set()),
        ('Sing a song.', set()),
    ],
)
def test_a_question_names_what_it_rests_on(question, names):
    """Its words, and what they mean in the map; nothing where anything may matter."""
    found = names_in_parse(parse_question(question, Lexicon(('chair', 'dining table'))))
    assert bool(found) == bool(names)
    assert found <= names


@given(st.sets(WORDS))
def test_names_come_back(names):
    """However strange they are."""
    assert read_names(write_names(names)) == names


def test_names_are_written_as_people_write_lists():
    """With commas, and blanks that do not matter."""
    assert read_names(' chair, potted plant ,,') == {'chair', 'potted plant'}
    assert read_names('') == frozenset()


@pytest.mark.parametrize('text', ['["chair"', '[1]', '[["chair"]]', '[' * 100_000])
def test_what_is_no_list_is_refused(text):
    """The error says so, and does not repeat all of it."""
    with pytest.raises(ConfigurationError, match='interest: ') as caught:
        read_names(text)
    assert len(str(caught.value)) < 300
