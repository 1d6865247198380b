# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Several senders of one match, over UDP: which is used, and what /diagnostics says."""

import json

import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.match.ssl.referee_values import Command
from world_model_nodes.runtime.udp import MulticastSender


@pytest.fixture
def second():
    """Make a sender with another address of this machine."""
    made = MulticastSender()
    made._socket.bind(('127.0.0.2', 0))
    yield made
    made.close()


def send_from(receiver, sender, send):
    """Send a packet from another sender."""
    first, receiver._sender = receiver._sender, sender
    send()
    receiver._sender = first


def test_a_second_sender_is_named_until_it_takes_over(stadium, second):
    """Its ball is ignored while the first one sends; then it is used, and the WARN ends."""
    receiver = stadium()

    def other():
        send_from(receiver, second, lambda: receiver.send_detections(x=-1.0))

    def both():
        receiver.send_detections(x=1.0)
        other()

    receiver.until(
        lambda: receiver.balls and receiver.status, lambda: receiver.send_detections(x=1.0)
    )
    text = 'and 127.0.0.2; 127.0.0.2 is ignored'
    receiver.until(lambda: text in receiver.status.message, both)
    assert 'camera 0 is sent by ' in receiver.status.message
    assert receiver.counted('vision.other sender')
    assert min(ball.pose.pose.position.x for ball in receiver.balls) > 0.9
    assert '127.0.0.2' not in receiver.value('senders')
    receiver.until(
        lambda: receiver.balls[-1].pose.pose.position.x == pytest.approx(-1.0, abs=0.01), other
    )
    receiver.until(lambda: 'ignored' not in receiver.status.message, other)
    assert receiver.value('senders').startswith('127.0.0.2:')


def test_a_game_controller_that_restarts_is_used_again(stadium):
    """With a new port and identifier it is used when the old one has been silent for 2 s."""
    receiver = stadium()
    receiver.until(lambda: receiver.games, lambda: receiver.send_referee(source_identifier='a'))
    restarted = MulticastSender()

    def send():
        receiver.send_detections()
        send_from(
            receiver,
            restarted,
            lambda: receiver.send_referee(Command.FORCE_START, 2, source_identifier='b'),
        )

    receiver.until(lambda: len(receiver.games) > 1, send)
    restarted.close()
    assert json.loads(receiver.games[-1].data)['command'] == 'FORCE_START'
    assert receiver.node._match.counters['referee.other sender'] > 0


def test_only_listed_senders_are_used(stadium, second):
    """A sender that is not in `vision_senders` is counted; no packet of it counts as vision."""
    receiver = stadium(vision_senders='127.0.0.2')
    receiver.until(lambda: receiver.counted('vision.sender not allowed'), receiver.send_detections)
    assert 'no vision packets' in receiver.status.message
    receiver.until(
        lambda: receiver.balls,
        lambda: send_from(receiver, second, lambda: receiver.send_detections(x=1.0)),
    )


def test_a_wrong_mask_is_refused(stadium):
    """The node does not start; the error names parameter, value and limits."""
    with pytest.raises(ConfigurationError, match=r"vision_senders .*/33'.* from 0 to 32"):
        stadium(started=False, vision_senders='10.0.0.0/33')
