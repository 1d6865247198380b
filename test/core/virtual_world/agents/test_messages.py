# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Texts, sounds and messages reach those who are near enough, one step later, in a fixed order."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.virtual_world.agents.events import MessageEvent, Sound, SoundEvent, TextEvent
from world_model_core.virtual_world.agents.messages import (
    MOST_BYTES,
    MOST_MESSAGES,
    MOST_STRINGS,
    Mail,
    OutgoingMessage,
    OutgoingSound,
    OutgoingText,
    RefusedMessageError,
)

STEP = 10_000_000
PLACES = {'ann': (0.0, 0.0, 0.0), 'bob': (3.0, 0.0, 0.0), 'cid': (0.0, 4.0, 0.0)}


def heard(*outgoing, places=PLACES, agents=tuple(PLACES)):
    """Return what all agents hear one step after it was said."""
    mail = Mail()
    for each in outgoing:
        mail.post(each, 0)
    return mail.deliver(STEP, places, agents)


def test_a_text_to_all_reaches_all_others():
    """The sender must not hear itself."""
    event = TextEvent(STEP, 'ann', 'hello')
    assert heard(OutgoingText('ann', '', 'hello')) == {'bob': (event,), 'cid': (event,)}


def test_a_text_to_one_reaches_that_one():
    """A name must choose one hearer, who may be the sender."""
    assert list(heard(OutgoingText('ann', 'bob', 'hello'))) == ['bob']
    assert list(heard(OutgoingText('ann', 'ann', 'note'))) == ['ann']
    assert heard(OutgoingText('ann', 'dan', 'hello')) == {}


def test_sounds_and_messages_arrive_as_they_were_sent():
    """Samples, rates and strings must be kept."""
    sound = Sound(b'\0\1', 8000)
    both = heard(OutgoingSound('ann', 'bob', sound), OutgoingMessage('ann', 'bob', ('a', 'b')))
    assert both == {'bob': (SoundEvent(STEP, 'ann', sound), MessageEvent(STEP, 'ann', ('a', 'b')))}


@given(radius=st.floats(-5.0, 10.0), x=st.floats(-10.0, 10.0))
def test_a_radius_ends_below_the_distance(radius, x):
    """Below 0 it reaches all; else those at a distance above 0 and below it."""
    places = {**PLACES, 'bob': (x, 0.0, 0.0)}
    reached = 'bob' in heard(OutgoingText('ann', '', 'hello', radius=radius), places=places)
    assert reached == (radius < 0.0 or 0.0 < abs(x) < radius)


def test_who_is_outside_of_the_world_reaches_all():
    """A sender without a position has no distance."""
    said = OutgoingText('operator', '', 'hello', radius=0.1)
    assert set(heard(said)) == set(PLACES)


@given(st.permutations(['ann 0', 'ann 1', 'bob 0', 'cid 0']))
def test_the_order_is_that_of_the_senders_names(texts):
    """Between senders the order of posting must not matter; within one it must."""
    first, second = sorted((each for each in texts if each.startswith('ann')), key=texts.index)
    found = heard(*(OutgoingText(each[:3], 'cid', each) for each in texts))
    assert [event.text for event in found['cid']] == [first, second, 'bob 0', 'cid 0']


def test_nothing_is_delivered_in_the_step_in_which_it_is_said():
    """Two agents that answer each other at once must not hang the world."""
    mail = Mail()
    mail.post(OutgoingText('ann', 'bob', 'hello'), STEP)
    assert mail.deliver(STEP, PLACES, PLACES) == {}
    assert list(mail.deliver(2 * STEP, PLACES, PLACES)) == ['bob']
    assert not mail.waits


def test_floods_are_refused_until_the_next_step():
    """One sender may send 1,000 messages a step; others are not affected."""
    mail = Mail()
    for _ in range(MOST_MESSAGES):
        mail.post(OutgoingText('ann', 'bob', ''), 0)
    with pytest.raises(RefusedMessageError, match='1000') as refused:
        mail.post(OutgoingText('ann', 'bob', ''), 0)
    assert refused.value.cause == 'too many messages'
    mail.post(OutgoingText('cid', 'bob', ''), 0)
    assert len(mail.deliver(STEP, PLACES, PLACES)['bob']) == MOST_MESSAGES + 1
    mail.post(OutgoingText('ann', 'bob', ''), STEP)


@pytest.mark.parametrize(
    'outgoing',
    [
        OutgoingText('ann', '', 'é' * (MOST_BYTES // 2 + 1)),
        OutgoingText('ann', '', '\ud800' * MOST_BYTES),
        OutgoingSound('ann', '', Sound(bytes(MOST_BYTES + 2))),
        OutgoingMessage('ann', '', ('x' * (MOST_BYTES // 2 + 1),) * 2),
    ],
    ids=['text', 'not Unicode', 'sound', 'message'],
)
def test_what_is_longer_than_a_megabyte_is_refused(outgoing):
    """The limit counts bytes of all strings."""
    with pytest.raises(RefusedMessageError, match='limit is 1000000'):
        Mail().post(outgoing, 0)


@pytest.mark.parametrize(
    'outgoing',
    [
        OutgoingText('ann', '', '', radius=math.nan),
        OutgoingText('ann', '', '', radius=math.inf),
        OutgoingText('ann', '', '', encoding='x' * 101),
        OutgoingMessage('ann', '', ('',) * (MOST_STRINGS + 1)),
        OutgoingSound('ann', '', Sound(b'\0')),
        OutgoingSound('ann', '', Sound(b'\0\0', 0)),
        OutgoingSound('ann', '', Sound(b'\0\0', 16_000, 2)),
        OutgoingSound('ann', '', Sound(b'\0\0', 16_000, -1)),
    ],
)
def test_invalid_messages_are_refused(outgoing):
    """Radii must be finite, messages short, and sounds have whole samples at rates above 0."""
    with pytest.raises(RefusedMessageError):
        Mail().post(outgoing, 0)
