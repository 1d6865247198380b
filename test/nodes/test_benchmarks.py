# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmarks run and have complete results; their times are not tested."""

import numpy as np

from benchmarks.bundle import bundle_node
from benchmarks.match import latency, match_throughput, simulated_throughput, tracker_quality
from benchmarks.match.cameras_plot import save_plot
from benchmarks.match.latency_nodes import PATHS, number_at, place_of
from benchmarks.match.recording import simulate_match
from benchmarks.match.tracking_plot import save_plot as save_tracking
from world_model_core.match.values import Channel, SourceMode
from world_model_core.simulation.match.parameters import SslMatchParameters

TENTH_NS = 100_000_000


def test_a_simulated_match_replaces_a_missing_recording():
    """It has vision and referee packets, and balls to predict."""
    datagrams = simulate_match(TENTH_NS)
    assert {datagram.channel for datagram in datagrams} == {Channel.VISION, Channel.REFEREE}
    assert match_throughput.replay(SourceMode.VISION, datagrams) > 0


def test_throughput_is_measured_in_every_mode_with_packets():
    """Each mode has predicted balls."""
    modes = match_throughput.measure(rounds=1, most=2_000)['modes']
    assert modes
    assert all(mode['balls predicted'] > 0 for mode in modes.values())


def test_simulated_matches_are_measured_and_drawn(tmp_path):
    """Matches of every size have predicted balls, and the cost per camera is plotted."""
    measured = simulated_throughput.measure(rounds=1, duration_ns=TENTH_NS)
    assert all(size['balls predicted'] > 0 for size in measured['sizes'].values())
    save_plot(measured['cameras'], tmp_path / 'cameras.png')
    assert (tmp_path / 'cameras.png').read_bytes().startswith(b'\x89PNG')


def test_numbers_are_encoded_as_positions():
    """A number encoded as a position in float32 is decoded."""
    for number in (1, 999, 1000, 12345):
        x, y = np.float32(place_of(number)).tolist()
        assert number_at(x, y) == number


def test_every_path_delivers():
    """Nearly all datagrams of a short run arrive on each path."""
    paths = latency.measure(turns=1)['paths']
    assert set(paths) == set(PATHS)
    assert all(path['lost'] < path['sent'] / 2 for path in paths.values())


def test_tracking_is_evaluated_and_drawn(tmp_path):
    """The only kick, a chip, is found and drawn; no robot is confused with another one."""
    conditions = {'clean': SslMatchParameters()}
    measured = tracker_quality.measure((5,), 40 * TENTH_NS, conditions)['conditions']
    kicks, ball = measured['clean']['kicks'], measured['clean']['ball']
    assert kicks['kicks'] == kicks['chips'] == kicks['found'] == 1
    aloft = ball['by state']['in the air']
    assert aloft['place [mm]']['median'] < aloft['baseline']['place [mm]']['median']
    assert measured['clean']['robots']['taken for another'] == 0.0
    save_tracking(measured, tmp_path / 'tracking.png')
    assert (tmp_path / 'tracking.png').read_bytes().startswith(b'\x89PNG')


def test_a_scene_is_timed_on_each_topic(ros_environment):  # noqa: ARG001 (set before the context)
    """All topics of a small scene have a time."""
    measured = bundle_node.measure(splats=1000, nodes=50)
    assert set(measured['from activate to a message [s]']) == set(bundle_node.TOPICS)
