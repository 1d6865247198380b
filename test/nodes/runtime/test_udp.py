# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Multicast over real sockets: datagrams, counted losses, and networks that appear later."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from textwrap import dedent

import pytest

from world_model_core.errors import ConfigurationError
from world_model_core.match.datagram_queues import LENGTH, DatagramQueues
from world_model_core.match.values import Channel
from world_model_nodes.runtime.udp import (
    KERNEL_BUFFER_SIZE,
    TURN,
    Endpoint,
    MulticastReceiver,
    MulticastSender,
    SocketError,
    check_endpoint,
)

LARGEST = 65507  # bytes in a UDP datagram over IPv4
TIME_LIMIT = 60.0  # s
HOUR_NS = 3_600_000_000_000


class Owner:
    """Takes the received datagrams whenever it is notified, on its own thread."""

    def __init__(self, channels, interface='lo', queues=None):
        self.woken = threading.Event()
        self.taken = []
        if queues is None:
            queues = DatagramQueues(0, lambda _: None)
        self.receiver = MulticastReceiver(channels, interface, queues, self.woken.set)

    @property
    def status(self):
        """Return the state of every channel."""
        return self.receiver.status

    @property
    def data(self):
        """Return the taken datagrams."""
        return [taken.data for taken in self.taken]

    def take_until(self, condition):
        """Take until `condition` holds."""
        deadline = time.monotonic() + TIME_LIMIT
        while not condition():
            assert time.monotonic() < deadline, f'waited {TIME_LIMIT} s in vain: {self.status}'
            self.woken.wait(0.02)
            self.woken.clear()
            self.taken += self.receiver.take()


@contextmanager
def owner(channels, interface='lo', queues=None):
    """Make a receiver that is closed at the end."""
    made = Owner(channels, interface, queues)
    try:
        yield made
    finally:
        made.receiver.close()


@pytest.fixture
def blocker(endpoint):
    """Bind the port of the test's endpoint without sharing it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as held:
        held.bind(('', endpoint.port))
        yield held


def wait_for(condition):
    """Wait for another thread without taking datagrams."""
    deadline = time.monotonic() + TIME_LIMIT
    while not condition():
        assert time.monotonic() < deadline, f'waited {TIME_LIMIT} s in vain'
        threading.Event().wait(0.001)


def test_a_datagram_arrives_whole_with_its_channel_and_time(endpoint, sender):
    """The bytes arrive on their channel, with a stamp between sending and taking."""
    with owner({Channel.VISION: endpoint}) as receiving:
        before = time.time_ns()
        sender.send(endpoint, b'one')
        receiving.take_until(lambda: receiving.taken)
        (taken,) = receiving.taken
        assert (taken.channel, taken.data) == (Channel.VISION, b'one')
        assert before <= taken.received_ns <= time.time_ns()
        assert taken.sender.port == sender._socket.getsockname()[1]
        assert receiving.status[Channel.VISION].error == ''
        assert receiving.status[Channel.VISION].interfaces == ('lo',)


@pytest.mark.parametrize('size', [0, 1, LARGEST])
def test_datagrams_of_any_size_arrive_whole(endpoint, sender, size):
    """Every byte arrives, from empty datagrams to the maximum of UDP."""
    sent = os.urandom(size)
    with owner({Channel.VISION: endpoint}) as receiving:
        sender.send(endpoint, sent)
        receiving.take_until(lambda: receiving.taken)
        assert receiving.data == [sent]


def test_too_large_a_datagram_is_rejected(endpoint, sender):
    """A datagram above the maximum of UDP is an error that names the endpoint."""
    with pytest.raises(SocketError, match=str(endpoint)):
        sender.send(endpoint, bytes(LARGEST + 1))


def test_channels_are_kept_apart(endpoints, sender):
    """Each of several groups on one thread delivers on its own channel, in order."""
    channels = {channel: next(endpoints) for channel in Channel}
    with owner(channels) as receiving:
        for number in range(10):
            for channel, endpoint in channels.items():
                sender.send(endpoint, f'{channel.value} {number}'.encode())
        receiving.take_until(lambda: len(receiving.taken) == 30)
    for channel in channels:
        received = [taken.data for taken in receiving.taken if taken.channel is channel]
        assert received == [f'{channel.value} {number}'.encode() for number in range(10)]


def test_two_receivers_share_a_port(endpoint, sender):
    """Two programs on one port both receive all datagrams."""
    with owner({Channel.VISION: endpoint}) as first, owner({Channel.VISION: endpoint}) as second:
        for number in range(20):
            sender.send(endpoint, bytes([number]))
        for receiving in (first, second):
            receiving.take_until(lambda one=receiving: len(one.taken) == 20)
            assert receiving.data == [bytes([number]) for number in range(20)]


def test_another_group_on_the_same_port_is_not_received(endpoints, sender):
    """Groups that only another program of this machine has joined are not received."""
    ours, other = next(endpoints), next(endpoints)
    other = Endpoint(other.group, ours.port)
    with owner({Channel.VISION: ours}) as receiving, owner({Channel.VISION: other}) as stranger:
        sender.send(other, b'not for us')
        sender.send(ours, b'for us')
        stranger.take_until(lambda: stranger.taken)
        receiving.take_until(lambda: receiving.taken)
        assert receiving.data == [b'for us']
        assert stranger.data == [b'not for us']


def test_a_port_in_use_is_reported_and_retried(endpoint, sender, blocker):
    """A port that a program does not share is an error until it is free."""
    with owner({Channel.VISION: endpoint}) as receiving:
        assert str(endpoint) in receiving.status[Channel.VISION].error
        assert 'in use' in receiving.status[Channel.VISION].error
        assert receiving.status[Channel.VISION].interfaces == ()
        blocker.close()
        receiving.take_until(lambda: receiving.status[Channel.VISION].error == '')
        sender.send(endpoint, b'at last')
        receiving.take_until(lambda: receiving.taken)


@pytest.mark.usefixtures('blocker')
def test_one_port_in_use_leaves_the_others_alone(endpoint, endpoints, sender):
    """A channel whose port is in use does not affect another channel."""
    with owner({Channel.VISION: endpoint, Channel.REFEREE: next(endpoints)}) as receiving:
        assert receiving.status[Channel.VISION].error
        sender.send(receiving.status[Channel.REFEREE].endpoint, b'here')
        receiving.take_until(lambda: receiving.taken)
        assert receiving.taken[0].channel is Channel.REFEREE


def test_a_missing_interface_is_reported_with_the_available_ones(endpoint):
    """The error names the requested interface and the available ones."""
    with owner({Channel.VISION: endpoint}, 'nonesuch0') as receiving:
        error = receiving.status[Channel.VISION].error
        assert "'nonesuch0'" in error
        assert "'lo'" in error


def hold_up(receiving):
    """Keep the receiving thread from adding datagrams while the context is entered."""
    return receiving.receiver._lock


def test_datagrams_dropped_by_the_kernel_are_counted(endpoint, sender):
    """All datagrams sent while the thread is held up are received or counted, at once."""
    # The kernel accounts for each datagram with more than its size: far more than it can hold.
    count = 4 * KERNEL_BUFFER_SIZE // 8192
    with owner({Channel.VISION: endpoint}) as receiving:
        with hold_up(receiving):
            for _ in range(count):
                sender.send(endpoint, bytes(8192))

        def drops():
            return receiving.status[Channel.VISION].kernel_drops

        receiving.take_until(lambda: len(receiving.taken) + drops() == count)
        assert drops() > 0


def test_kernel_drops_are_kept_when_a_socket_is_reopened(endpoint, sender):
    """The count includes the drops of sockets that were closed since."""
    count = 4 * KERNEL_BUFFER_SIZE // 8192
    with owner({Channel.VISION: endpoint}) as receiving:
        with hold_up(receiving):
            for _ in range(count):
                sender.send(endpoint, bytes(8192))
        wait_for(lambda: receiving.status[Channel.VISION].kernel_drops > 0)
        dropped = receiving.status[Channel.VISION].kernel_drops
        receiving.take_until(lambda: len(receiving.taken) + dropped == count)
    assert receiving.status[Channel.VISION].kernel_drops == dropped > 0


def test_a_slow_owner_loses_the_oldest_datagrams(endpoint, sender):
    """The newest datagrams are kept; those that are dropped are counted."""
    count = 10 * LENGTH
    with owner({Channel.VISION: endpoint}, queues=DatagramQueues(HOUR_NS, lambda _: 0)) as slow:
        for number in range(count):
            sender.send(endpoint, number.to_bytes(4, 'big'))
        full = 'vision.queue full'
        wait_for(
            lambda: (
                slow.receiver.dropped[full] + slow.status[Channel.VISION].kernel_drops
                == count - LENGTH
            )
        )
        slow.take_until(lambda: slow.receiver.is_empty)
        numbers = [int.from_bytes(data, 'big') for data in slow.data]
        assert numbers == list(range(count - LENGTH, count))


def test_a_turn_of_taking_ends_while_more_arrives(endpoint, sender):
    """An owner that is slower than its senders gets to its other work, and is woken again."""
    with owner({Channel.VISION: endpoint}) as receiving:
        for number in range(2 * TURN):
            sender.send(endpoint, bytes([number]))
        wait_for(lambda: len(receiving.receiver._queues) == 2 * TURN)
        receiving.woken.clear()
        assert [taken.data[0] for taken in receiving.receiver.take()] == list(range(TURN))
        assert receiving.woken.is_set()
        assert len(list(receiving.receiver.take())) == TURN


def test_an_idle_receiver_confirms_that_nothing_has_arrived(endpoint, sender):
    """The time until which all was read advances, and never passes a datagram that is missing."""
    with owner({Channel.VISION: endpoint}) as receiving:
        receiver = receiving.receiver
        before = time.time_ns()
        wait_for(lambda: receiver.read_until_ns > before)
        with hold_up(receiving):
            sender.send(endpoint, b'late')
            sent = time.time_ns()
            threading.Event().wait(0.05)  # the thread, if it ran, would confirm later times
            assert receiver.read_until_ns < sent
        receiving.take_until(lambda: receiving.taken)
        assert receiving.taken[0].received_ns < sent
        wait_for(lambda: receiver.read_until_ns > sent)


def test_closing_ends_thread_and_sockets(endpoint, sender):
    """After close the thread has ended, the port is free, and no datagrams are taken."""
    before = threading.active_count()
    receiving = Owner({Channel.VISION: endpoint})
    assert threading.active_count() == before + 1
    receiving.receiver.close()
    assert threading.active_count() == before
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(('', endpoint.port))
    sender.send(endpoint, b'too late')
    assert list(receiving.receiver.take()) == []


@pytest.mark.parametrize(
    ('group', 'port', 'said'),
    [
        ('192.0.2.1', 10006, '192.0.2.1'),
        ('240.0.0.1', 10006, '240.0.0.1'),
        ('224.1', 10006, '224.1'),
        ('vision', 10006, 'vision'),
        ('', 10006, "''"),
        ('224.5.23.2 ', 10006, '224.5.23.2 '),
        ('224.5.23.2', 0, 'port is 0'),
        ('224.5.23.2', 65536, 'port is 65536'),
    ],
)
def test_an_invalid_multicast_endpoint_is_rejected(group, port, said):
    """An address outside 224/4 or a port outside 1 to 65535 is named and rejected."""
    with pytest.raises(ConfigurationError, match=said):
        check_endpoint(Endpoint(group, port))
    with pytest.raises(ConfigurationError, match=said):
        MulticastReceiver({Channel.VISION: Endpoint(group, port)}, 'lo', DatagramQueues(0), bool)


def test_a_missing_interface_is_an_error_of_sending(endpoint):
    """The error names the requested interface and the available ones."""
    sender = MulticastSender('nonesuch0')
    with pytest.raises(SocketError, match=r"'nonesuch0'.*'lo'"):
        sender.send(endpoint, b'lost')
    sender.close()


NETWORK = """
    import json, subprocess, sys, time
    from world_model_core.match.datagram_queues import DatagramQueues
    from world_model_core.match.values import Channel
    from world_model_nodes.runtime.udp import (
        Endpoint, MulticastReceiver, MulticastSender, SocketError)

    ENDPOINT = Endpoint('239.255.0.1', 20001)

    def ip(words):
        subprocess.run(['ip', *words.split()], check=True)

    def wait_until(condition):
        deadline = time.monotonic() + 60.0
        while not condition():
            assert time.monotonic() < deadline, ('in vain', receiver.status)
            time.sleep(0.01)

    def hear(sender, text):
        received = set()
        def has_received():
            try:
                sender.send(ENDPOINT, text)
            except SocketError:
                pass
            received.update(taken.data for taken in receiver.take())
            return text in received
        wait_until(has_received)
        return received

    def receive(interface):
        queues = DatagramQueues(0, lambda _: None)
        return MulticastReceiver({Channel.VISION: ENDPOINT}, interface, queues, bool)
"""


def isolated(*command):
    """Run a command in a new network namespace."""
    return subprocess.run(  # noqa: S603 (constant words)
        ['unshare', '--net', '--map-root-user', *command],  # noqa: S607 (found on the PATH)
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def run_isolated(script):
    """Run a script in a new network namespace, and return its output."""
    if isolated('ip', 'link').returncode:
        pytest.skip('this machine permits no network namespace (unshare --net), or has no ip')
    ran = isolated(sys.executable, '-c', dedent(NETWORK) + dedent(script))
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def veth():
    """Skip where the kernel has no virtual Ethernet pairs."""
    if isolated('ip', 'link', 'add', 'there', 'type', 'veth', 'peer', 'name', 'here').returncode:
        pytest.skip('this kernel makes no virtual Ethernet pairs in a namespace (ip link, veth)')


@pytest.mark.usefixtures('ros_environment')
def test_an_interface_that_comes_up_later_is_used():
    """A receiver that was started before the network receives as soon as it is up."""
    answer = run_isolated("""
        receiver = receive('')
        ip('link set lo up')
        hear(MulticastSender(), b'up')
        print(json.dumps(receiver.status[Channel.VISION].interfaces))
        receiver.close()
    """)
    assert answer == ['lo']


@pytest.mark.usefixtures('ros_environment', 'veth')
@pytest.mark.parametrize('interface', ['', 'here'])
def test_an_interface_that_is_created_later_is_joined(interface):
    """A receiver joins the group on an interface that did not exist at first."""
    first, later = run_isolated(f"""
        receiver = receive({interface!r})
        first = receiver.status[Channel.VISION].error
        ip('link add there type veth peer name here')
        ip('link set there up')
        ip('link set here up')
        wait_until(lambda: 'here' in receiver.status[Channel.VISION].interfaces)
        hear(MulticastSender('here'), b'here')
        print(json.dumps([first, receiver.status[Channel.VISION].error]))
        receiver.close()
    """)
    assert later == ''
    if interface:
        assert "'here'" in first


@pytest.mark.usefixtures('ros_environment', 'veth')
def test_an_interface_that_is_removed_and_created_is_joined_every_time():
    """An interface may disappear more often than the kernel has memberships (20)."""
    answer = run_isolated("""
        from world_model_nodes.runtime import udp
        udp.RETRY_PERIOD = 0.02
        receiver = receive('here')
        for _ in range(25):
            ip('link add there type veth peer name here')
            wait_until(lambda: receiver.status[Channel.VISION].interfaces == ('here',))
            ip('link delete here')
            wait_until(lambda: receiver.status[Channel.VISION].interfaces == ())
        print(json.dumps(receiver.status[Channel.VISION].error))
        receiver.close()
    """)
    assert "'here' does not exist" in answer


@pytest.mark.usefixtures('ros_environment', 'veth')
def test_a_sender_uses_an_interface_that_returns():
    """A sender uses an interface that appears after it, also when it is made again."""
    assert run_isolated("""
        sender, receiver = MulticastSender('here'), receive('here')
        for _ in range(2):
            ip('link add there type veth peer name here')
            for name in ('there', 'here'):
                ip(f'link set {name} up')
            hear(sender, b'here')
            ip('link delete here')
        print(json.dumps(True))
        receiver.close()
    """)


@pytest.mark.usefixtures('ros_environment', 'veth')
def test_an_interface_that_was_renamed_is_left():
    """A receiver on a named interface leaves one that no longer has this name."""
    answer = run_isolated("""
        ip('link set lo up')
        ip('link add there type veth peer name here')
        for name in ('there', 'here'):
            ip(f'link set {name} up')
        receiver = receive('here')
        sender = MulticastSender('here')
        hear(sender, b'by name')
        ip('link set here down')
        ip('link set here name other')
        ip('link set other up')
        wait_until(lambda: not receiver.status[Channel.VISION].interfaces)
        stranger = receive('other')
        sender = MulticastSender('other')
        list(receiver.take())
        def other_receives():
            sender.send(ENDPOINT, b'by another name')
            return list(stranger.take())
        wait_until(other_receives)
        print(json.dumps(len(list(receiver.take()))))
        receiver.close()
        stranger.close()
    """)
    assert answer == 0


@pytest.mark.usefixtures('ros_environment', 'veth')
def test_another_interface_is_not_received():
    """A receiver on one interface does not receive the same group on another one."""
    on_lo, on_here = run_isolated("""
        ip('link set lo up')
        ip('link add there type veth peer name here')
        for name in ('there', 'here'):
            ip(f'link set {name} up')
        stranger, receiver = receive('lo'), receive('here')
        MulticastSender('lo').send(ENDPOINT, b'on lo')
        here = hear(MulticastSender('here'), b'on here')
        lo = {taken.data for taken in stranger.take()}
        print(json.dumps([[data.decode() for data in sorted(each)] for each in (lo, here)]))
        receiver.close()
        stranger.close()
    """)
    assert (on_lo, on_here) == (['on lo'], ['on here'])
