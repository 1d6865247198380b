# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fit of color words and sizes to objects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.objects.query import Superlative
from world_model_core.objects.relations.boxes import Boxes
from world_model_core.objects.relations.color_fit import (
    UNKNOWN_FIT,
    color_fit,
)
from world_model_core.objects.relations.color_names import (
    COLOR_WORDS,
    PROTOTYPES,
    color_name,
    lab_of,
)
from world_model_core.objects.relations.superlatives import extremeness, largest_faces, size_fit
from world_model_core.objects.values import MapObject, Swatch

DARK, MIDDLE, LIGHT = (47, 79, 79), (169, 169, 169), (255, 255, 255)
swatches = st.builds(
    Swatch,
    st.sampled_from(('red', 'gray', 'maroon', 'Navy', 'unknown', 'plaid')),
    st.floats(0.0, 1.0),
    st.none() | st.tuples(*3 * [st.floats(0.0, 255.0)]),
)


def colored(*colors):
    """Build an object with colors, each a name or (name, share, rgb)."""
    named = [Swatch(color, 1.0) if isinstance(color, str) else Swatch(*color) for color in colors]
    return MapObject('1', 'pillow', np.zeros(3), np.zeros((3, 3)), colors=tuple(named))


def test_lab_values_are_those_of_the_standard():
    """White, black and the primaries have their published coordinates."""
    found = lab_of(np.array(((255, 255, 255), (0, 0, 0), (255, 0, 0), (0, 0, 255)), float))
    expected = ((100.0, 0.0, 0.0), (0.0, 0.0, 0.0), (53.24, 80.09, 67.20), (32.30, 79.19, -107.86))
    assert found == pytest.approx(np.array(expected), abs=0.02)


@pytest.mark.parametrize(
    ('word', 'name'),
    [
        ('grey', 'gray'),
        ('Crimson', 'red'),
        ('navy_blue', 'navy'),
        ('dark green', 'green'),
        ('pale pink', 'pink'),
        ('plaid', 'plaid'),
    ],
)
def test_synonyms_mean_one_name(word, name):
    """Synonyms map to one name; unknown words are unchanged."""
    assert color_name(word) == name


def test_every_color_word_means_a_basic_name():
    """No synonym maps to another synonym."""
    assert all(color_name(color_name(word)) == color_name(word) for word in COLOR_WORDS)


@pytest.mark.parametrize(
    ('rgb', 'name'),
    [
        ((250, 5, 8), 'red'),
        ((47, 79, 79), 'gray'),
        ((105, 105, 105), 'gray'),
        ((139, 69, 19), 'brown'),
        ((10, 10, 12), 'black'),
        ((30, 40, 200), 'blue'),
        ((252, 252, 250), 'white'),
    ],
)
def test_values_have_their_everyday_names(rgb, name):
    """The nearest typical color of an sRGB value has the expected name."""
    lab = lab_of(np.array(rgb, float))
    distances = {
        each: np.linalg.norm(prototypes - lab, axis=-1).min()
        for each, prototypes in PROTOTYPES.items()
    }
    assert min(distances, key=distances.get) == name


def test_a_word_fits_colors_of_that_name():
    """The exact name fits, in any spelling; similar names fit less, others not."""
    objects = (colored('blue'), colored('navy'), colored('red'), colored())
    fits = color_fit('BLUE', objects)
    assert fits[0] == 1.0
    assert fits[1] < 0.5
    assert fits[2] == 0.0
    assert fits[3] == color_fit('blue', (colored('unknown'),))[0] == UNKNOWN_FIT


def test_a_second_color_counts_by_its_share():
    """A third of an object can name it, a tenth cannot; the main color fits best."""
    main, third, tenth = (
        colored(('red', 1.0, None)),
        colored(('gray', 0.6, None), ('red', 0.33, None)),
        colored(('gray', 0.8, None), ('red', 0.1, None)),
    )
    fits = color_fit('red', (main, third, tenth))
    assert fits[0] > fits[1] > 0.5 > fits[2]


def test_black_fits_the_darkest_object_if_none_is_black():
    """Dark slate fits "black" among lighter objects."""
    objects = [colored(('gray', 0.9, rgb)) for rgb in (DARK, MIDDLE, LIGHT)]
    fits = color_fit('black', objects)
    assert fits[0] > 0.5
    assert (fits[1:] < 0.05).all()


def test_an_exact_name_excludes_similar_colors():
    """If one object is black, a dark gray one is not."""
    fits = color_fit('black', [colored(('gray', 0.9, DARK)), colored(('black', 0.9, (0, 0, 0)))])
    assert fits.tolist() == [0.0, 1.0]


def test_nothing_fits_a_distant_color():
    """The phrase "red" does not fit gray and white objects."""
    assert color_fit('red', [colored(('gray', 1.0, rgb)) for rgb in (DARK, LIGHT)]).max() == 0.0


def test_without_contrast_a_similar_color_is_uncertain():
    """None of several equally dark objects is clearly black."""
    fits = color_fit('black', [colored(('gray', 1.0, DARK))] * 3)
    assert 0.0 < fits[0] < 0.5


def test_a_similar_name_fits_if_no_exact_one_exists():
    """The phrase "red" fits a maroon object if none is red, also without its RGB value."""
    fits = color_fit('red', [colored('maroon'), colored('white')])
    assert fits[0] > 0.5
    assert fits[1] == 0.0


@given(st.lists(st.lists(swatches, max_size=3), max_size=5), st.sampled_from(sorted(COLOR_WORDS)))
def test_fits_are_probabilities(objects, word):
    """All fits are within [0, 1], for any colors."""
    made = [
        MapObject('1', 'pillow', np.zeros(3), np.zeros((3, 3)), colors=tuple(colors))
        for colors in objects
    ]
    fits = color_fit(word, made)
    assert fits.shape == (len(made),)
    assert ((fits >= 0.0) & (fits <= 1.0)).all()


def sized(*sizes):
    """Build boxes of some sizes."""
    return Boxes(np.zeros((len(sizes), 3)), np.array(sizes, float), np.zeros(len(sizes)))


def test_big_objects_exceed_the_others():
    """A clearly larger face is big with near certainty, and not small."""
    boxes = sized((1, 1, 1), (1, 1, 0.5), (0.5, 0.5, 0.5), (0.5, 0.4, 0.5))
    big, small = size_fit('big', boxes), size_fit('small', boxes)
    assert big.argmax() == 0
    assert small.argmax() in (2, 3)
    assert big + small == pytest.approx(np.ones(4))
    assert size_fit('big', sized((1, 1, 1), (1.2, 1, 1)))[1] == pytest.approx(0.9)
    assert size_fit('big', sized((1, 1, 1))).tolist() == [1.0]


@given(st.lists(st.tuples(*3 * [st.floats(0.01, 5.0)]), min_size=2, max_size=6))
def test_sizes_compare_the_largest_faces(sizes):
    """A larger face never fits "big" worse, and all fits are probabilities."""
    boxes = sized(*sizes)
    fits, faces = size_fit('big', boxes), largest_faces(boxes)
    order = np.argsort(faces)
    assert (np.diff(fits[order]) >= -1e-9).all()
    assert ((fits >= 0.0) & (fits <= 1.0)).all()


@pytest.mark.parametrize(
    ('superlative', 'row'),
    [
        (Superlative.BIGGEST, 0),
        (Superlative.SMALLEST, 2),
        (Superlative.TALLEST, 1),
        (Superlative.SHORTEST, 2),
        (Superlative.LONGEST, 0),
        (Superlative.WIDEST, 0),
        (Superlative.HIGHEST, 2),
        (Superlative.LOWEST, 0),
        (Superlative.LEFTMOST, 0),
        (Superlative.RIGHTMOST, 2),
    ],
)
def test_superlatives_select_by_their_measure(superlative, row):
    """Each measure is greatest for the expected object."""
    boxes = Boxes(
        np.array(((5.0, 2.0, 0.1), (5.0, 0.0, 1.0), (5.0, -2.0, 2.0))),
        np.array(((2.0, 1.0, 0.3), (0.5, 0.5, 1.5), (0.2, 0.2, 0.2))),
        np.zeros(3),
    )
    assert extremeness(superlative, boxes).argmax() == row
