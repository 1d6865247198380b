# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Questions for unknown attributes, and for objects that nothing tells apart."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from world_model_core.objects.answer import Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.relations.color_fit import UNKNOWN_FIT
from world_model_core.objects.values import MapObject, Swatch


def chairs(count, *, colors=(), size=(0.5, 0.5, 1.0), confidence=1.0, region=None):
    """Build chairs in a row."""
    extent = None if size is None else np.array(size)
    return tuple(
        MapObject(
            f'{number}', 'chair', np.array((2.0 * number, 0.0, 0.5)), np.zeros((3, 3)), extent,
            0.0, colors, confidence=confidence, region=region,
        )
        for number in range(count)
    )  # fmt: skip


def ask(question, objects):
    """Answer a question about some objects."""
    return Answerer().answer(question, Scene(objects))


@pytest.mark.parametrize('colors', [(), (Swatch('unknown', 1.0),)])
@pytest.mark.parametrize('count', [1, 4, 8])
def test_a_count_of_unknown_colors_is_a_distribution(count, colors):
    """The answer names what is unknown; each object has the color with the usual share."""
    answer = ask('How many red chairs are there?', chairs(count, colors=colors))
    assert f'the color is unknown for {count} of {count} "chairs"' in answer.notes
    expected = binom.pmf(range(count + 1), count, UNKNOWN_FIT)
    found = [answer.distribution.get(number, 0.0) for number in range(count + 1)]
    np.testing.assert_allclose(found, expected, atol=0.05)
    assert sum(found) == pytest.approx(1.0)


def test_some_unknown_colors_are_counted_beside_known_ones():
    """One red chair is known; the note has the number of the others."""
    red = chairs(1, colors=(Swatch('red', 1.0),))
    blue = MapObject('b', 'chair', np.zeros(3), np.zeros((3, 3)), colors=(Swatch('blue', 1.0),))
    answer = ask('How many red chairs are there?', (*red, *chairs(4)[1:], blue))
    assert 'the color is unknown for 3 of 5 "chairs"' in answer.notes
    assert min(answer.distribution) == 1


def test_only_candidates_that_fit_otherwise_are_counted():
    """Of five chairs, two are near the door: the colors of the others do not matter."""
    door = MapObject('d', 'door', np.array((1.0, 0.5, 1.0)), np.zeros((3, 3)), np.ones(3), 0.0)
    answer = ask('How many red chairs are near the door?', (*chairs(5), door))
    assert 'the color is unknown for 2 of 2 "chairs [near the door]"' in answer.notes
    assert max(answer.distribution) == 2
    closest = ask('Find the red chair closest to the door.', (*chairs(5), door))
    assert 'the color is unknown for 5 of 5 "chair"' in closest.notes


def test_known_colors_make_no_note():
    """Nothing is unknown if each object has a color."""
    answer = ask('How many red chairs are there?', chairs(3, colors=(Swatch('red', 1.0),)))
    assert (answer.count, answer.probability, answer.notes) == (3, 1.0, ())


@pytest.mark.parametrize('count', [1, 2, 3, 7, 16])
@pytest.mark.parametrize(
    'question',
    [
        'Find the chair.', 'Find a chair.', 'Find the chairs.', 'Find the red chair.',
        'Find a red chair.', 'Find the red chairs.', 'Find the biggest chair.',
        '\u6905\u5b50\u306f\u3069\u308c', '\u8d64\u3044\u6905\u5b50\u306f\u3069\u308c',
    ],
)  # fmt: skip
def test_equal_candidates_share_the_probability(question, count):
    """Each of k objects that nothing tells apart is meant with probability 1/k."""
    answer = ask(question, chairs(count))
    found = (answer.probability, *(probability for _, probability in answer.alternatives))
    assert found == pytest.approx((1.0 / count,) * count)


@pytest.mark.parametrize('count', [2, 7])
def test_equal_goals_share_the_probability(count):
    """One of k equal chairs is the goal with probability 1/k."""
    one = ask('Go to the red chair.', chairs(count))
    assert one.probability == pytest.approx(1.0 / count)
    assert any(f'fits {count} objects equally' in note for note in one.notes)


@pytest.mark.parametrize('count', [2, 3, 7])
def test_equally_uncertain_candidates_are_equal(count):
    """Sampling does not distinguish objects that exist with the same probability."""
    answer = ask('Find the chair.', chairs(count, confidence=0.9))
    found = {answer.probability, *(probability for _, probability in answer.alternatives)}
    assert len(found) == 1
    assert answer.probability == pytest.approx(1.0 / count, rel=0.05)
    assert any(f'fits {count} objects equally' in note for note in answer.notes)


def test_different_candidates_stay_different():
    """The more certain object is the more probable one."""
    sure, unsure = chairs(1), chairs(2, confidence=0.8)[1:]
    answer = ask('Find the chair.', (*unsure, *sure))
    assert answer.object.id == sure[0].id
    assert answer.probability > answer.alternatives[0][1] + 0.1


def test_a_known_color_is_more_probable_than_an_unknown_one():
    """The red chair is meant rather than one of unknown color; a blue one is not."""
    red, unknown = chairs(1, colors=(Swatch('red', 1.0),)), chairs(3)[1:]
    answer = ask('Find the red chair.', (*red, *unknown))
    assert answer.object.id == red[0].id
    assert answer.probability > 0.8
    blue = chairs(1, colors=(Swatch('blue', 1.0),))
    assert ask('Find the red chair.', (*blue, *unknown)).probability == pytest.approx(0.5)


def test_unknown_sizes_and_rooms_are_named():
    """The usual size of a class stands in for an unknown one, which a note says."""
    named = (*chairs(1, region='kitchen'), *chairs(3, size=None)[1:])
    for question, attribute in (
        ('Find the biggest chair.', 'size'),
        ('Find the small chair.', 'size'),
        ('Find the chair near a chair.', 'size'),
        ('How many chairs are in the kitchen?', 'room'),
    ):
        notes = ask(question, named).notes
        assert any(f'the {attribute} is unknown for 2 of 3' in note for note in notes), question
