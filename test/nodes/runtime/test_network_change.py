# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of network addresses: which are followed, when, and how they are read."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from world_model_nodes.runtime.network_change import SETTLING_TIME, Address, NetworkChange
from world_model_nodes.runtime.network_watch import reaches_other_machines

WIFI = Address('wlan0', '10.0.0.5')
CABLE = Address('eth0', '10.1.0.5')
RENUMBERED = Address('eth0', '10.1.0.6')


def used(*addresses):
    """Return addresses whose interfaces have a carrier."""
    return dict.fromkeys(addresses, True)


def settled(before, now, *, follow_new=True):
    """Return the change from one set of addresses to another one that lasts."""
    change = NetworkChange(before, follow_new=follow_new)
    assert change.update(100.0, now) == ''
    return change.update(100.0 + SETTLING_TIME, now)


def test_addresses_that_appear_and_vanish_are_named():
    """The texts name address and interface, first what vanished."""
    assert settled(used(), used(CABLE)) == '10.1.0.5 (eth0) appeared'
    assert settled(used(CABLE), used()) == '10.1.0.5 (eth0) vanished'
    both = '10.1.0.5 (eth0) vanished, 10.1.0.6 (eth0) appeared'
    assert settled(used(CABLE, WIFI), used(WIFI, RENUMBERED)) == both


def test_a_vanished_address_counts_also_without_other_machines():
    """New nodes of the same machine could not reach this one; a new address has no effect."""
    assert settled(used(CABLE), used(WIFI), follow_new=False) == '10.1.0.5 (eth0) vanished'
    assert settled(used(CABLE), used(CABLE, WIFI), follow_new=False) == ''


def test_a_cut_is_no_change():
    """An interface that loses its carrier keeps its address."""
    assert settled(used(CABLE), {CABLE: False}) == ''


def test_an_address_is_new_with_its_carrier():
    """DDS does not use an address whose interface has no carrier when it starts."""
    assert settled({CABLE: False}, used(CABLE)) == '10.1.0.5 (eth0) appeared'


@pytest.mark.parametrize('name', ['docker0', 'br-1a2b3c', 'veth9', 'virbr0'])
def test_virtual_interfaces_do_not_count(name):
    """Containers and virtual machines that start and stop are no change."""
    virtual = Address(name, '172.17.0.1')
    assert settled(used(CABLE), used(CABLE, virtual)) == ''
    assert settled(used(CABLE, virtual), used(CABLE)) == ''


def test_a_change_counts_when_the_addresses_have_settled():
    """Every further change restarts the settling time; an address that returns is no change."""
    change = NetworkChange(used(CABLE), follow_new=True)
    assert change.update(0.0, used(CABLE)) == ''
    assert change.update(1.0, used()) == ''
    assert change.update(2.9, used(RENUMBERED)) == ''
    assert change.update(3.1, used(RENUMBERED)) == ''
    assert change.update(4.9, used(RENUMBERED)) != ''
    assert change.update(5.0, used(CABLE)) == ''
    assert change.update(9.0, used(CABLE)) == ''


@pytest.mark.parametrize(
    ('environment', 'expected'),
    [
        ({}, True),
        ({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}, True),
        ({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}, False),
        ({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'OFF'}, False),
        ({'ROS_LOCALHOST_ONLY': '1'}, False),
        ({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST', 'ROS_STATIC_PEERS': '10.0.0.7'}, True),
    ],
)
def test_the_discovery_range_is_that_of_ros(environment, expected):
    """Nodes of other machines are discovered by default, or as static peers."""
    assert reaches_other_machines(environment) is expected


READ = """
import json, subprocess
from world_model_nodes.runtime.network_watch import read_addresses

def ip(words):
    subprocess.run(['ip', *words.split()], check=True)

def read():
    return sorted([*address, carrier] for address, carrier in read_addresses().items())

ip('link set lo up')
ip('link add there type veth peer name eth0')
ip('addr add 10.0.0.5/24 dev eth0')
ip('addr add 10.0.0.6/24 dev eth0')
ip('link set eth0 up')
found = [read()]
ip('link set there up')
while not all(carrier for *_, carrier in found[-1]):
    found[1:] = [read()]
ip('addr flush dev eth0')
print(json.dumps([*found, read()]))
"""


@pytest.mark.usefixtures('ros_environment')
def test_addresses_are_read_from_the_kernel():
    """All addresses are found, with the carrier; loopback is left out."""
    ran = subprocess.run(  # noqa: S603 (our own words)
        ['unshare', '--net', '--map-root-user', sys.executable, '-c', READ],  # noqa: S607
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ,
    )
    if 'unshare:' in ran.stderr or 'CalledProcessError' in ran.stderr:
        pytest.skip(f'no network namespace with veth: {ran.stderr.splitlines()[-1]}')
    assert ran.returncode == 0, ran.stderr
    without, carried, flushed = json.loads(ran.stdout)
    assert without == [['eth0', '10.0.0.5', False], ['eth0', '10.0.0.6', False]]
    assert carried == [['eth0', '10.0.0.5', True], ['eth0', '10.0.0.6', True]]
    assert flushed == []
