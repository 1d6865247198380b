# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of interest cover the labels that they mean in questions."""

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
    """A dining table is a table, a table lamp is not; spelling does not matter."""
    labels = Interest((name,)).covered_labels((label,))
    assert (label.casefold().replace('_', ' ') in labels) == covered


def test_covered_labels_are_kept():
    """A label stays covered when no frame contains it any more."""
    interest = Interest(('table',))
    assert interest.covered_labels(('dining table', 'lamp')) == {'table', 'dining table'}
    assert interest.covered_labels(()) == {'table', 'dining table'}
    assert interest.names == ('table',)


def test_no_names_mean_all_classes():
    """Without names no label is excluded."""
    assert Interest().covered_labels(('chair',)) == frozenset()
    assert Interest(('', ' ')).covered_labels(('chair',)) == frozenset()


def test_number_of_labels_is_bounded():
    """A detector that keeps inventing labels does not fill the memory."""
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
def test_names_in_a_parse_are_those_the_answer_depends_on(question, names):
    """Words and labels of all phrases; empty if any object may matter."""
    found = names_in_parse(parse_question(question, Lexicon(('chair', 'dining table'))))
    assert bool(found) == bool(names)
    assert found <= names


@given(st.sets(WORDS))
def test_names_survive_writing_and_reading(names):
    """For any names."""
    assert read_names(write_names(names)) == names


def test_names_may_be_separated_by_commas():
    """Spaces around commas are ignored."""
    assert read_names(' chair, potted plant ,,') == {'chair', 'potted plant'}
    assert read_names('') == frozenset()


@pytest.mark.parametrize('text', ['["chair"', '[1]', '[["chair"]]', '[' * 100_000])
def test_invalid_lists_are_rejected(text):
    """The message names the problem and does not repeat long input."""
    with pytest.raises(ConfigurationError, match='interest: ') as caught:
        read_names(text)
    assert len(str(caught.value)) < 300
