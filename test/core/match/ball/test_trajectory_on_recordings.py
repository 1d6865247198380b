# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Predictions compared with recorded balls of a match and of a simulator."""

from __future__ import annotations

import json

import numpy as np
import pytest

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.tracker_packets import decode_tracker
from world_model_core.match.ssl.vision_packets import decode_vision

# Seconds from the first frame of the match: the kick, contacts with robots, the end.
KICK, CONTACTS = 0.59, (1.17, 2.77, 3.3)


def _read_vision(path):
    """Read the ball detections: times (n,) [s], positions (n, 3) [x, y, camera], geometry."""
    times, places, geometry = [], [], None
    for message in RecordingReader(path):
        if message.kind is MessageKind.VISION_2014:
            packet = decode_vision(message.data)
            geometry = packet.geometry or geometry
            for ball in packet.detection.balls if packet.detection else ():
                times.append(packet.detection.capture_ns / 1e9)
                places.append((ball.x, ball.y, packet.detection.camera_id))
    return np.array(times), np.array(places), geometry


def _read_kicks(path):
    """Read the commands to the simulator: unix times [s] and states with their kick speeds."""
    for kick in json.loads(path.read_text()):
        velocity = (kick['vx'], kick['vy'], kick['vz'])
        position = (kick['x'], kick['y'], kick['z'])
        yield (
            kick['sent_unix'],
            BallMotionState(position, velocity, float(np.hypot(*velocity[:2]))),
        )


@pytest.fixture(scope='module')
def match(shared_data):
    """Vision and tracker frames of a RoboCup 2022 match, from its first frame on."""
    path = shared_data('ssl/match_2022_part1.log.gz')
    times, places, geometry = _read_vision(path)
    frames = [
        decode_tracker(message.data).frame
        for message in RecordingReader(path)
        if message.kind is MessageKind.VISION_TRACKER_2020
    ]
    parameters = BallParameters().with_models(geometry.straight, geometry.chip)
    return times - times[0], places, [(f.stamp_ns / 1e9 - times[0], f) for f in frames], parameters


def _errors(match, horizon):
    """Predict each moving ball of the tracker that no robot touches; errors in meters."""
    times, places, frames, parameters = match
    for time, frame in frames:
        ball, later = frame.balls[0], time + horizon
        contact = min((c for c in CONTACTS if c > time), default=0.0)
        if time < KICK + 0.02 or later > contact or np.hypot(*ball.velocity[:2]) < 0.1:
            continue
        kick = frame.kicked_ball
        speed = None if kick is None else float(np.linalg.norm(kick.velocity))
        state = BallMotionState(ball.position, ball.velocity, speed)
        (predicted,) = predict_ball(state, parameters).at([later - time])[0]
        detected = [np.interp(later, times, places[:, axis]) for axis in (0, 1)]
        yield np.hypot(*(predicted[:2] - detected))


@pytest.mark.parametrize(('horizon', 'limit'), [(0.25, 0.015), (0.5, 0.025)])
def test_a_real_match_is_predicted(match, horizon, limit):
    """From a tracker's state the median error is about 12 mm after 0.25 s, 22 mm after 0.5 s."""
    errors = list(_errors(match, horizon))
    assert len(errors) > 80
    assert np.median(errors) < limit


@pytest.mark.parametrize('number', range(6))
def test_a_simulated_kick_is_predicted_to_millimeters(shared_data, number):
    """From the kick on, the two-phase model with the simulator's constants fits 2 s to 2 mm."""
    times, places, _ = _read_vision(shared_data('ssl/sim_straight_noisefree.log.gz'))
    kicks = _read_kicks(shared_data('ssl/sim_straight_noisefree.kicks.json'))
    sent, state = list(kicks)[number]
    chosen = (times > sent + 0.035) & (times < sent + 2.0)
    times, places = times[chosen], places[chosen, :2]
    medians = []
    # The simulator's slide acceleration differs a little from kick to kick.
    for acceleration in np.arange(-4.07, -3.94, 0.01):
        parameters = BallParameters(
            slide_acceleration=acceleration, roll_acceleration=-0.35, switch_ratio=0.687
        )
        trajectory = predict_ball(state, parameters)
        first = trajectory.time_for_distance(np.hypot(*(places[0] - state.position[:2])))
        positions, _ = trajectory.at(times - times[0] + first)
        medians.append(np.median(np.hypot(*(positions[:, :2] - places).T)))
    assert min(medians) < 0.002


def _project(points, cameras):
    """Move points (n, 3) along the rays from their cameras (n, 3) down to the carpet."""
    height = cameras[:, 2]
    return cameras + (points - cameras) * (height / (height - points[:, 2]))[:, None]


@pytest.mark.parametrize('number', range(6))
def test_a_simulated_chip_is_predicted_through_its_bounces(shared_data, number):
    """From the kick on, the first arc fits to 8 mm, and 2 s with all bounces to 5 cm."""
    times, places, geometry = _read_vision(shared_data('ssl/sim_chip_noisefree.log.gz'))
    kicks = _read_kicks(shared_data('ssl/sim_chip_noisefree.kicks.json'))
    sent, state = list(kicks)[number]
    chosen = (times > sent + 0.035) & (times < sent + 2.0)
    # The simulator kicks 32 ms after the command.
    ages, places = times[chosen] - sent - 0.032, places[chosen]
    parameters = BallParameters().with_models(geometry.straight, geometry.chip)
    trajectory = predict_ball(state, parameters)
    positions = {camera.camera_id: camera.position for camera in geometry.cameras}
    cameras = np.array([positions[int(camera)] for camera in places[:, 2]])
    shadows = _project(trajectory.at(ages)[0], cameras)
    errors = np.hypot(*(shadows[:, :2] - places[:, :2]).T)
    assert np.median(errors[ages < trajectory.segments[0].duration]) < 0.008
    assert np.median(errors) < 0.05
