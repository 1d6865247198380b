# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A simulated match while another host forges all of its packets; a short benchmark."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.match.forged_senders import DISTURBANCES, compare_forged, forge
from benchmarks.match.received_match import HOSTS, in_order, receive_match, send_match
from world_model_core.match.values import SourceMode
from world_model_core.simulation.match.parameters import SslMatchParameters

PARAMETERS = SslMatchParameters(seed=1, cameras=2)


@pytest.fixture(scope='module')
def datagrams():
    """Return the datagrams of three seconds."""
    return send_match(PARAMETERS, 3_000_000_000)


def test_forged_packets_change_nothing(datagrams):
    """Neither ball nor game may change, no clock jump, and the forger must be named."""
    found = compare_forged([(PARAMETERS, datagrams)], SourceMode.AUTO)
    assert found['forged packets'] > 1000
    assert found['largest change of the error [mm]'] < 1.0
    assert found['matches with another game'] == 0
    assert found['matches with resets, jumps or errors'] == 0
    assert '10.0.0.66 is ignored' in found['warnings'][0]


def test_the_same_packets_of_the_right_senders_would_change_the_ball(datagrams):
    """The forged packets must be harmful: otherwise the test above could not fail."""
    forged = [replace(each, sender=HOSTS[each.channel]) for each in forge(datagrams)]
    attacked = receive_match(in_order([*datagrams, *forged]), SourceMode.AUTO, PARAMETERS)
    assert np.nanmax(attacked.errors) > 0.4
    assert attacked.faults


@pytest.mark.parametrize('name', [name for name in DISTURBANCES if name != 'undisturbed'])
def test_a_disturbed_network_causes_no_fault(datagrams, name):
    """The ball must still be right most of the time, without a reset or a clock jump."""
    disturbed = in_order(DISTURBANCES[name](datagrams, np.random.default_rng(1)))
    found = receive_match(disturbed, SourceMode.VISION, PARAMETERS)
    assert not found.faults
    assert np.nanmedian(found.errors) < 0.005
