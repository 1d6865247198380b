# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Batches of datagrams from real sockets: their bytes, senders, stamps and errors."""

import os
import socket
import struct
import time

import pytest

from world_model_core.match.values import Channel
from world_model_nodes.runtime.kernel_socket import enable_stamps
from world_model_nodes.runtime.receive_batch import BATCH, ReceiveBatch

LARGEST = 65507  # bytes in a UDP datagram over IPv4
TIME_LIMIT = 60.0  # s


@pytest.fixture
def opened():
    """Open a socket whose datagrams are stamped."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind(('127.0.0.1', 0))
        enable_stamps(made)
        yield made


@pytest.fixture
def senders():
    """Open sockets of three addresses that send."""
    made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
    for number, sender in enumerate(made, 1):
        sender.bind((f'127.0.0.{number}', 0))
    yield made
    for sender in made:
        sender.close()


def wait_for(condition):
    """Wait for the kernel."""
    deadline = time.monotonic() + TIME_LIMIT
    while not condition():
        assert time.monotonic() < deadline, f'waited {TIME_LIMIT} s in vain'


def queued(opened):
    """Return the memory of the datagrams that wait in a socket, by SO_MEMINFO [bytes]."""
    return struct.unpack('=9I', opened.getsockopt(socket.SOL_SOCKET, 55, 36))[0]


def send(sender, data, opened):
    """Send a datagram and wait until it has arrived: a busy kernel delivers it later."""
    before = queued(opened)
    sender.sendto(data, opened.getsockname())
    wait_for(lambda: queued(opened) > before)


def received(batch, opened):
    """Return the bytes of a batch."""
    return [datagram.data for datagram in batch.receive(Channel.VISION, opened)]


def test_a_batch_has_the_datagrams_of_all_senders_in_order(opened, senders):
    """Each datagram has its channel, bytes, sender and the time at which it arrived."""
    times = [time.time_ns()]
    for number, sender in enumerate(3 * senders):
        send(sender, bytes([number]), opened)
        times.append(time.time_ns())
    batch = ReceiveBatch().receive(Channel.REFEREE, opened)
    assert [datagram.data for datagram in batch] == [bytes([number]) for number in range(9)]
    assert [datagram.sender for datagram in batch] == [each.getsockname() for each in 3 * senders]
    assert {datagram.channel for datagram in batch} == {Channel.REFEREE}
    for datagram, before, after in zip(batch, times[:-1], times[1:], strict=True):
        assert before <= datagram.received_ns <= after


def test_datagrams_of_any_size_are_received_whole(opened, senders):
    """A short datagram has nothing of a longer one that was in its place before."""
    sent = [os.urandom(size) for size in (LARGEST, 1, 0)]
    batch, kept = ReceiveBatch(), []
    for data in sent:
        send(senders[0], data, opened)
        kept += received(batch, opened)
    assert kept == sent


def test_more_datagrams_than_a_batch_are_left_for_the_next(opened, senders):
    """The oldest are received first; an empty batch means that none waits."""
    sent = [bytes([number]) for number in range(BATCH + 3)]
    for data in sent:
        send(senders[0], data, opened)
    batch = ReceiveBatch()
    assert received(batch, opened) == sent[:BATCH]
    assert received(batch, opened) == sent[BATCH:]
    assert received(batch, opened) == []


def test_a_datagram_without_a_stamp_arrived_now(senders):
    """A stamp of an earlier datagram is not used again."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        opened.bind(('127.0.0.1', 0))
        batch = ReceiveBatch()
        for enable in (enable_stamps, lambda made: made.setsockopt(socket.SOL_SOCKET, 35, 0)):
            enable(opened)
            send(senders[0], b'data', opened)
            before = time.time_ns()
            (datagram,) = batch.receive(Channel.VISION, opened)
        assert before <= datagram.received_ns <= time.time_ns()


def test_an_error_of_the_network_is_raised_once(opened, senders):
    """What arrives after an ICMP error is received."""
    opened.connect(senders[0].getsockname())
    senders[0].close()
    opened.send(b'to a closed port')
    batch = ReceiveBatch()
    with pytest.raises(ConnectionRefusedError):
        wait_for(lambda: batch.receive(Channel.VISION, opened))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as returned:
        returned.bind(opened.getpeername())
        send(returned, b'here again', opened)
        assert received(batch, opened) == [b'here again']


def test_a_closed_socket_is_an_error(opened):
    """The error is that of the system call."""
    opened.close()
    with pytest.raises(OSError, match='Bad file descriptor'):
        ReceiveBatch().receive(Channel.VISION, opened)
