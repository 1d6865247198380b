# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes on three hosts come back after faults of their network (benchmarks measure how soon)."""

from __future__ import annotations

import pytest

from benchmarks.runtime.two_hosts import DOCUMENTS, PREDICTION, Listener, Match, wait_until
from benchmarks.runtime.virtual_hosts import HostError, VirtualNetwork


@pytest.fixture
def match(ros_environment, monkeypatch):  # noqa: ARG001 (its domain and paths)
    """Start a simulator, a receiver and a predictor on hosts without addresses."""
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'SUBNET')
    try:
        network = VirtualNetwork(3)
    except HostError as error:
        pytest.skip(f'needs root and network namespaces with veth and bridge: {error}')
    with network:
        made = Match(network)
        wait_until(lambda: all(host.has_ros() for host in made.hosts))
        yield made


def test_hosts_resume(match):
    """Predictions resume after a late link, a cut and new addresses; a late joiner hears all."""
    match.connect(*match.hosts)
    match.listener.wait_for(PREDICTION)

    match.receiver.cut()
    match.listener.wait_for_silence()
    match.receiver.heal()
    match.listener.wait_for(PREDICTION)

    match.connect(*match.hosts)
    joiner = Listener(match.predictor)
    joiner.wait_for(PREDICTION, *DOCUMENTS)
