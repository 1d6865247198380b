# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Several senders of one match, over UDP: which is used, and what /diagnostics says."""

import json
import os

import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.match.datagrams import SenderAddress
from world_model_core.match.senders.incumbents import REFEREE, Identity, Incumbents
from world_model_core.match.ssl.referee_values import Command
from world_model_core.match.values import Channel
from world_model_nodes.match import ssl_receiver
from world_model_nodes.match.incumbent_file import IncumbentFile
from world_model_nodes.runtime.ros_home import own_home
from world_model_nodes.runtime.udp import MulticastSender


@pytest.fixture
def second():
    """Make a sender with another address of this machine."""
    made = MulticastSender()
    made._socket.bind(('127.0.0.2', 0))
    yield made
    made.close()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return the folder of this package in an own ROS_HOME."""
    monkeypatch.setenv('ROS_HOME', str(tmp_path))
    return own_home()


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


def test_the_last_senders_come_first_in_a_new_process(stadium, second, monkeypatch):
    """A second sender that is heard first must wait for the incumbent of the last process."""
    monkeypatch.setattr(ssl_receiver, 'SENDERS_PERIOD', 0.02)
    first, again = stadium(), stadium(started=False)

    def file_of(receiver):
        return own_home() / f'senders/vision_{receiver.endpoints[Channel.VISION].port}.json'

    def is_kept():
        return file_of(first).exists() and 'camera' in file_of(first).read_text()

    first.until(is_kept, lambda: first.send_detections(x=1.0))
    file_of(first).rename(file_of(again))
    again.start()
    send_from(again, second, lambda: again.send_detections(x=-1.0))
    again.until(lambda: again.counted('vision.other sender'), lambda: None)
    again.until(lambda: again.balls, lambda: again.send_detections(x=1.0))
    assert min(ball.pose.pose.position.x for ball in again.balls) > 0.9


def test_a_file_of_senders_that_is_old_or_damaged_is_ignored(home):
    """Another match has other senders; what cannot be read is logged once."""
    warnings = []
    kept = IncumbentFile(10006, warnings.append)
    path = home / 'senders/vision_10006.json'
    incumbents = Incumbents()
    incumbents.accepts(REFEREE, Identity(SenderAddress('10.0.0.5', 4000)), 0)
    kept.write(incumbents)
    assert list(kept.read())
    os.utime(path, (0, 0))
    assert not list(kept.read())
    kept.write(incumbents)
    assert list(kept.read())
    path.write_bytes(b'\xff{')
    assert not list(kept.read())
    assert len(warnings) == 1
    path.unlink()
    assert not list(kept.read())


def test_senders_that_cannot_be_kept_are_reported_once(home):
    """A file where a folder is expected must not end the node, nor fill the log."""
    warnings = []
    home.mkdir()
    (home / 'senders').write_text('')
    kept = IncumbentFile(10006, warnings.append)
    for _ in range(2):
        kept.write(Incumbents())
    assert len(warnings) == 1
