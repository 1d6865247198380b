# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kick fits on recordings of a match and of a simulator."""

from __future__ import annotations

import json

import numpy as np
import pytest

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.kick_fit import DEFAULT_UNCERTAINTY, CameraUncertainty, KickFit
from world_model_core.match.ball.measurement import BallMeasurement
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

NOISE = 0.0014
EXACT = CameraUncertainty(offset_std=1e-3, camera_std=1e-3)
# Delay between command and kick of the simulator [s], without and with realistic delays.
DELAYS = {'noisefree': 0.032, 'realistic': 0.0265}


def _read(path):
    """Read all measurements of balls in order, and the geometry."""
    chosen, geometry = [], None
    for message in RecordingReader(path):
        if message.kind is MessageKind.VISION_2014:
            packet = decode_vision(message.data)
            geometry = packet.geometry or geometry
            if packet.detection:
                stamp, camera = packet.detection.capture_ns, packet.detection.camera_id
                chosen.extend((stamp, camera, ball.x, ball.y) for ball in packet.detection.balls)
    places = {camera.camera_id: camera.position for camera in geometry.cameras}
    measurements = [
        BallMeasurement(stamp, camera, x, y, None, NOISE**2, places.get(camera))
        for stamp, camera, x, y in sorted(chosen)
    ]
    return measurements, BallParameters().with_models(geometry.straight, geometry.chip)


def _kicked(measurements, kick, delay):
    """Return the measurements of a kicked ball, the kick time and the last measurement before."""
    start = round((kick['sent_unix'] + delay) * SECOND)
    before = max(
        measurement.stamp_ns for measurement in measurements if measurement.stamp_ns < start
    )
    chosen = []
    for measurement in measurements:
        age = (measurement.stamp_ns - start) / SECOND
        if 0.0 <= age < 1.0:
            height = max(kick['vz'] * age - 4.905 * age * age, 0.0)
            factor = measurement.camera[2] / (measurement.camera[2] - height)
            shadow = [
                center + (kick[axis] + age * kick['v' + axis] - center) * factor
                for center, axis in zip(measurement.camera, 'xy', strict=False)
            ]
            if np.hypot(measurement.x - shadow[0], measurement.y - shadow[1]) < 0.15 + age:
                chosen.append(measurement)
    return start, before, chosen


def _estimates(shared_data, kind, calibration):
    """Solve each kick of a recording after each measurement: [(kick, [(age, estimate)])]."""
    measurements, parameters = _read(shared_data(f'ssl/sim_{kind}.log.gz'))
    kicks = json.loads(shared_data(f'ssl/sim_{kind}.kicks.json').read_text())
    for kick in kicks:
        start, before, chosen = _kicked(measurements, kick, DELAYS[kind.split('_')[1]])
        fit, estimates = KickFit(parameters, before, chosen[0].stamp_ns, None, calibration), []
        for measurement in chosen:
            fit.add(measurement)
            estimate = fit.solve()
            if estimate is not None:
                estimates.append(((measurement.stamp_ns - start) / SECOND, estimate))
        yield kick, estimates


def _landing_error(kick, estimates, age):
    """Return the landing error of the first estimate after an age [s]."""
    estimate = next(estimate for later, estimate in estimates if later > age)
    flight = 2.0 * kick['vz'] / 9.81
    truth = (kick['x'] + flight * kick['vx'], kick['y'] + flight * kick['vy'])
    return float(np.hypot(*(estimate.touchdown().position - truth)))


@pytest.mark.parametrize('kind', ['straight_noisefree', 'straight_realistic'])
def test_a_straight_kick_is_never_a_chip(shared_data, kind):
    """No straight kick is classified as a chip, even with unknown camera offsets."""
    for _, estimates in _estimates(shared_data, kind, DEFAULT_UNCERTAINTY):
        assert len(estimates) > 15
        assert max(estimate.chip_probability for _, estimate in estimates) <= 0.5
        assert estimates[-1][1].chip_probability < 0.1


@pytest.mark.parametrize(
    ('kind', 'calibration'), [('chip_noisefree', EXACT), ('chip_realistic', DEFAULT_UNCERTAINTY)]
)
def test_a_chip_is_classified_within_150_milliseconds(shared_data, kind, calibration):
    """Each chip is classified as one by then, and stays one until it lands."""
    for kick, estimates in _estimates(shared_data, kind, calibration):
        flight = 2.0 * kick['vz'] / 9.81
        called = [estimate.chip_probability > 0.5 for age, estimate in estimates if age < flight]
        first = next(age for age, estimate in estimates if estimate.chip_probability > 0.5)
        assert first < 0.15
        assert all(called[called.index(True) :])


def test_noise_free_landings(shared_data):
    """For chips over 0.3 s the median landing error is 40 mm after 0.25 s, 30 mm after 0.4 s."""
    chips = [
        (kick, estimates)
        for kick, estimates in _estimates(shared_data, 'chip_noisefree', EXACT)
        if 2.0 * kick['vz'] / 9.81 > 0.3
    ]
    assert len(chips) == 5
    for age, limit in ((0.25, 0.04), (0.4, 0.03)):
        assert np.median([_landing_error(*flight, age) for flight in chips]) < limit


def test_realistic_landings(shared_data):
    """With camera offsets of 40 mm and 100 mm the landing after 0.4 s is within 150 mm."""
    for kick, estimates in _estimates(shared_data, 'chip_realistic', DEFAULT_UNCERTAINTY):
        assert _landing_error(kick, estimates, 0.4) < 0.15


@pytest.mark.parametrize('camera', [None, (3.0, 0.0, 5.5), (0.0, 0.0, 6.0), (-3.0, 2.0, 4.0)])
@pytest.mark.parametrize('begin', [0.58, 1.17, 2.77])
def test_no_kick_or_contact_of_a_match_is_a_chip(shared_data, begin, camera):
    """A real ball that is kicked, curves and hits robots is never a chip, from any camera."""
    measurements, parameters = _read(shared_data('ssl/match_2022_part1.log.gz'))
    start = measurements[0].stamp_ns + round(begin * SECOND)
    chosen = [
        s._replace(camera=camera) for s in measurements if s.stamp_ns > start and s.camera_id == 1
    ]
    fit = KickFit(parameters, start, chosen[0].stamp_ns, None)
    for measurement in chosen:
        fit.add(measurement)
        estimate = fit.solve()
        assert estimate is None or estimate.chip_probability <= 0.5


def test_the_kick_of_a_match_fits_until_its_first_contact(shared_data):
    """It fits from the kick to the contact at 1.17 s, and not from 90 ms after the contact."""
    measurements, parameters = _read(shared_data('ssl/match_2022_part1.log.gz'))
    first = measurements[0].stamp_ns
    chosen = [s for s in measurements if s.camera_id == 1 and s.stamp_ns > first + 0.58 * SECOND]
    fit = KickFit(parameters, chosen[0].stamp_ns - SECOND // 70, chosen[0].stamp_ns, None)
    for measurement in chosen:
        fit.add(measurement)
        estimate, age = fit.solve(), (measurement.stamp_ns - first) / SECOND
        if estimate is not None and (age < 1.17 or 1.26 < age < 1.5):
            assert estimate.fits is (age < 1.17)
