# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots of recordings: consistency of the filter's covariances."""

import numpy as np
import pytest

from world_model_core.match.cameras.bias import CameraBiases, CameraBiasParameters
from world_model_core.match.robots.tracker import RobotTracker, RobotTrackerParameters
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

# Time in which the cameras' noise is estimated [ns].
BEGINNING_NS = SECOND


def play(path):
    """Track the robots of a recording; yield the tracker, its biases and each frame."""
    biases = CameraBiases(CameraBiasParameters())
    tracker = RobotTracker(RobotTrackerParameters(), biases)
    for message in RecordingReader(path):
        if message.kind is MessageKind.VISION_2014:
            frame = decode_vision(message.data).detection
            if frame is not None:
                tracker.update(frame)
                yield tracker, biases, frame


@pytest.mark.parametrize(
    'name', ['match_2022_part1', 'sim_straight_realistic', 'sim_chip_realistic']
)
def test_innovations_are_as_large_as_stated(shared_data, name):
    """NIS per degree of freedom must be between 0.7 and 1.4, in a match and in a simulator."""
    first, nis = None, []
    for tracker, _, frame in play(shared_data(f'ssl/{name}.log.gz')):
        first = first or frame.capture_ns
        if frame.capture_ns > first + BEGINNING_NS:
            nis.append(tracker.nis)
    x, y, heading = np.concatenate(nis, axis=1).mean(axis=1)
    assert 0.7 < 0.5 * (x + y) < 1.4
    assert 0.7 < heading < 1.4


def test_the_cameras_of_a_match_are_compared_by_two_robots(shared_data):
    """Both cameras detect blue 1 and 3 some centimeters apart: opposite offsets."""
    *_, (tracker, biases, _) = play(shared_data('ssl/match_2022_part1.log.gz'))
    one, other = np.array(biases.offset(0)), np.array(biases.offset(1))
    assert one == pytest.approx(-other)
    assert one - other == pytest.approx((-0.017, -0.029), abs=0.006)
    for camera in (0, 1):
        assert 0.0003 < tracker.noise.places.variance(camera) ** 0.5 < 0.0012


def test_noise_differs_from_venue_to_venue(shared_data):
    """1.3 mm and 10 mrad in the simulator with realistic noise, the floor in that without."""
    *_, (tracker, _, _) = play(shared_data('ssl/sim_straight_realistic.log.gz'))
    assert tracker.noise.places.variance(0) ** 0.5 == pytest.approx(0.0013, rel=0.1)
    assert tracker.noise.headings.variance(0) ** 0.5 == pytest.approx(0.010, rel=0.1)
    *_, (tracker, _, _) = play(shared_data('ssl/sim_straight_noisefree.log.gz'))
    assert tracker.noise.places.variance(0) ** 0.5 == pytest.approx(0.0003)
