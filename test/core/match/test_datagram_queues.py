# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The queues of received datagrams: bounded, fair, in order, and with every drop counted."""

from hypothesis import given
from hypothesis import strategies as st
from match_packets import MS, START, referee, tracker, vision

from world_model_core.match.datagram_queues import (
    CHANNEL_LENGTH,
    LENGTH,
    MOST_FLOODS,
    DatagramQueues,
)
from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.values import Channel
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

MAX_AGE = 50 * MS
OURS, FLOOD = SenderAddress('10.0.0.1', 1000), SenderAddress('10.0.0.9', 9000)


def frame(index, camera=0, sender=OURS, received_ns=None):
    """Return the datagram of a frame, by default received 1 ms after the previous one."""
    stamp_ns = START + index * MS if received_ns is None else received_ns
    return Datagram(Channel.VISION, vision(index, camera_id=camera), stamp_ns, sender)


def add_all(queues, datagrams):
    """Add datagrams."""
    for datagram in datagrams:
        queues.add(datagram)


def take_all(queues, now_ns=START):
    """Take all datagrams."""
    return list(iter(lambda: queues.take(now_ns), None))


def test_datagrams_of_all_channels_are_taken_in_the_order_of_their_reception():
    """The order in which a thread has read the sockets must not matter."""
    queues = DatagramQueues(MAX_AGE)
    datagrams = [
        Datagram(channel, packet(index), START + index * MS, OURS)
        for channel, packet in zip(Channel, (vision, tracker, referee), strict=True)
        for index in range(10)
    ]
    add_all(queues, datagrams)
    assert len(queues) == 30
    stamps = [datagram.received_ns for datagram in take_all(queues)]
    assert stamps == sorted(stamps)
    assert len(stamps) == 30


def test_a_full_queue_drops_the_oldest():
    """The newest frames of a camera must be kept, and another camera must lose none."""
    queues = DatagramQueues(SECOND)
    add_all(queues, [frame(0, camera=1, received_ns=START - MS)])
    add_all(queues, [frame(index) for index in range(LENGTH + 10)])
    taken = take_all(queues)
    assert [datagram.received_ns for datagram in taken[1:]] == [
        START + index * MS for index in range(10, LENGTH + 10)
    ]
    assert taken[0].received_ns == START - MS
    assert queues.counters == {'vision.queue full': 10}


def test_a_flood_of_any_cameras_takes_no_place_from_others():
    """Frames of a sender must all be taken, although another one floods the channel."""
    queues = DatagramQueues(SECOND)
    for index in range(2000):
        queues.add(frame(index, camera=index % 64, sender=FLOOD))
        if index % 500 == 0:
            queues.add(frame(index, camera=index % 64))
        assert len(queues) <= CHANNEL_LENGTH
    taken = take_all(queues)
    assert sum(datagram.sender == OURS for datagram in taken) == 4
    assert len(taken) + queues.counters['vision.queue full'] == 2004


def test_a_flood_waits_until_no_other_sender_has_a_frame():
    """A frame that arrives after many of a flood must be taken before them."""
    queues = DatagramQueues(SECOND)
    add_all(queues, [frame(index, index % 64, FLOOD) for index in range(2 * CHANNEL_LENGTH)])
    queues.add(frame(3 * CHANNEL_LENGTH))
    taken = take_all(queues)
    assert [datagram.sender for datagram in taken[:2]] == [OURS, FLOOD]
    stamps = [datagram.received_ns for datagram in taken[1:]]
    assert stamps == sorted(stamps)


def test_any_number_of_flooding_addresses_is_bounded():
    """Senders with ever new ports must not fill the memory."""
    queues = DatagramQueues(SECOND)
    for index in range(5 * MOST_FLOODS):
        queues.add(frame(index, sender=SenderAddress('10.0.0.9', index + 1)))
    assert len(queues) == CHANNEL_LENGTH
    assert len(queues._floods) <= MOST_FLOODS


def test_a_flood_of_one_channel_does_not_touch_another():
    """A referee packet must wait while any number of vision frames and trackers arrive."""
    queues = DatagramQueues(SECOND)
    queues.add(Datagram(Channel.REFEREE, referee(0), START, OURS))
    for index in range(500):
        queues.add(frame(index, sender=FLOOD))
        queues.add(Datagram(Channel.TRACKER, tracker(index), START + index * MS, FLOOD))
    assert take_all(queues)[0].channel is Channel.REFEREE
    assert not any('referee' in cause for cause in queues.counters)


def test_random_camera_numbers_make_no_queues():
    """Cameras that cannot exist must be rejected and counted as invalid."""
    queues = DatagramQueues(SECOND)
    for camera in range(64, 1064):
        assert not queues.add(frame(0, camera=camera))
    assert not queues
    rejected = queues.counters['vision.ImplausibleValueError']
    assert rejected == queues.counters['vision.received'] == 1000
    assert '1063' in queues.errors[Channel.VISION]


def test_frames_that_waited_too_long_are_dropped():
    """Old frames must be counted, not taken; packets of other channels must be taken."""
    queues = DatagramQueues(MAX_AGE)
    add_all(queues, [frame(index) for index in range(10)])
    queues.add(Datagram(Channel.TRACKER, tracker(0), START, OURS))
    taken = take_all(queues, START + 6 * MS + MAX_AGE)
    assert [datagram.channel for datagram in taken] == [Channel.TRACKER, *[Channel.VISION] * 4]
    assert queues.counters == {'vision.too old': 6}


def test_without_a_maximum_age_nothing_is_lost():
    """A replay that must not lose anything must get all frames after any time."""
    queues = DatagramQueues(0)
    add_all(queues, [frame(index) for index in range(1000)])
    assert len(take_all(queues, START + 3600 * SECOND)) == 1000
    assert not queues.counters


def test_datagrams_from_before_a_jump_back_are_taken_first():
    """They are older, although their stamps are larger."""
    queues = DatagramQueues(MAX_AGE)
    add_all(queues, [frame(index, received_ns=START + index * MS) for index in range(3)])
    add_all(queues, [frame(index, received_ns=START - SECOND + index) for index in range(3)])
    taken = take_all(queues, START - SECOND + MS)
    stamps = [datagram.received_ns - START for datagram in taken]
    assert stamps == [0, MS, 2 * MS, -SECOND, 1 - SECOND, 2 - SECOND]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(Channel),
            st.sampled_from((OURS, FLOOD)),
            st.integers(0, 70),
            st.integers(0, 5),
        )
    ),
    st.integers(0, 60),
)
def test_every_datagram_is_taken_or_counted(arrivals, takes):
    """Datagrams added must be those taken, those that wait and those counted, exactly."""
    queues, now_ns, taken = DatagramQueues(20 * MS), START, 0
    packets = {Channel.VISION: vision, Channel.TRACKER: tracker, Channel.REFEREE: referee}
    for number, (channel, sender, camera, step) in enumerate(arrivals * 5):
        now_ns += step * MS
        extra = {'camera_id': camera} if channel is Channel.VISION else {}
        data = packets[channel](0, **extra)
        queues.add(Datagram(channel, data, now_ns, sender))
        if number * 60 % 61 < takes:
            taken += queues.take(now_ns) is not None
    causes = ('queue full', 'too old', 'received')
    dropped = sum(queues.counters[f'{channel.value}.{c}'] for channel in Channel for c in causes)
    assert taken + len(queues) + dropped == 5 * len(arrivals)
