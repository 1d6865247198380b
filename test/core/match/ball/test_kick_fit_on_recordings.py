# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Launches solved from what cameras saw in a match and in simulated recordings."""

from __future__ import annotations

import json

import numpy as np
import pytest

from world_model_core.match.ball.kick_fit import DEFAULT_UNCERTAINTY, CameraUncertainty, KickFit
from world_model_core.match.ball.measurement import BallMeasurement
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

NOISE = 0.0014
EXACT = CameraUncertainty(offset_std=1e-3, camera_std=1e-3)
# The simulator kicks so long after the command [s], without and with realistic delays.
DELAYS = {'noisefree': 0.032, 'realistic': 0.0265}


def _read(path):
    """Read all measurements of balls in order, and the geometry."""
    seen, geometry = [], None
    for message in RecordingReader(path):
        if message.kind is MessageKind.VISION_2014:
            packet = decode_vision(message.data)
            geometry = packet.geometry or geometry
            if packet.detection:
                stamp, camera = packet.detection.capture_ns, packet.detection.camera_id
                seen.extend((stamp, camera, ball.x, ball.y) for ball in packet.detection.balls)
    places = {camera.camera_id: camera.position for camera in geometry.cameras}
    measurements = [
        BallMeasurement(stamp, camera, x, y, None, NOISE**2, places.get(camera))
        for stamp, camera, x, y in sorted(seen)
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


def _launches(shared_data, kind, calibration):
    """Solve each kick of a recording again with each measurement: [(kick, [(age, launch)])]."""
    measurements, parameters = _read(shared_data(f'ssl/sim_{kind}.log.gz'))
    kicks = json.loads(shared_data(f'ssl/sim_{kind}.kicks.json').read_text())
    for kick in kicks:
        start, before, chosen = _kicked(measurements, kick, DELAYS[kind.split('_')[1]])
        fit, launches = KickFit(parameters, before, chosen[0].stamp_ns, None, calibration), []
        for measurement in chosen:
            fit.add(measurement)
            launch = fit.solve()
            if launch is not None:
                launches.append(((measurement.stamp_ns - start) / SECOND, launch))
        yield kick, launches


def _landing_error(kick, launches, age):
    """Measure how far off the landing is that the first launch after an age [s] tells."""
    launch = next(launch for later, launch in launches if later > age)
    flight = 2.0 * kick['vz'] / 9.81
    truth = (kick['x'] + flight * kick['vx'], kick['y'] + flight * kick['vy'])
    return float(np.hypot(*(launch.touchdown().position - truth)))


@pytest.mark.parametrize('kind', ['straight_noisefree', 'straight_realistic'])
def test_a_straight_kick_never_flies(shared_data, kind):
    """No straight kick is classified as a chip, even with unknown camera offsets."""
    for _, launches in _launches(shared_data, kind, DEFAULT_UNCERTAINTY):
        assert len(launches) > 15
        assert max(launch.chip_probability for _, launch in launches) < 0.1


@pytest.mark.parametrize(
    ('kind', 'calibration'), [('chip_noisefree', EXACT), ('chip_realistic', DEFAULT_UNCERTAINTY)]
)
def test_a_chip_flies_within_150_milliseconds(shared_data, kind, calibration):
    """Each chip is called one by then, and never again a straight kick in its flight."""
    for kick, launches in _launches(shared_data, kind, calibration):
        flight = 2.0 * kick['vz'] / 9.81
        called = [launch.chip_probability > 0.5 for age, launch in launches if age < flight]
        first = next(age for age, launch in launches if launch.chip_probability > 0.5)
        assert first < 0.15
        assert all(called[called.index(True) :])


def test_noise_free_landings(shared_data):
    """Of flights over 0.3 s the median landing error is 40 mm after 0.25 s, 30 mm after 0.4 s."""
    flights = [
        (kick, launches)
        for kick, launches in _launches(shared_data, 'chip_noisefree', EXACT)
        if 2.0 * kick['vz'] / 9.81 > 0.3
    ]
    assert len(flights) == 5
    for age, limit in ((0.25, 0.04), (0.4, 0.03)):
        assert np.median([_landing_error(*flight, age) for flight in flights]) < limit


def test_realistic_landings(shared_data):
    """With cameras 40 mm and 100 mm off a landing told after 0.4 s is right to 150 mm."""
    for kick, launches in _launches(shared_data, 'chip_realistic', DEFAULT_UNCERTAINTY):
        assert _landing_error(kick, launches, 0.4) < 0.15


@pytest.mark.parametrize('camera', [None, (3.0, 0.0, 5.5), (0.0, 0.0, 6.0), (-3.0, 2.0, 4.0)])
@pytest.mark.parametrize('begin', [0.58, 1.17, 2.77])
def test_no_kick_or_contact_of_a_match_is_a_chip(shared_data, begin, camera):
    """A real ball that is kicked, curves and hits robots never flies, wherever seen from."""
    measurements, parameters = _read(shared_data('ssl/match_2022_part1.log.gz'))
    start = measurements[0].stamp_ns + round(begin * SECOND)
    seen = [
        s._replace(camera=camera) for s in measurements if s.stamp_ns > start and s.camera_id == 1
    ]
    fit = KickFit(parameters, start, seen[0].stamp_ns, None)
    for measurement in seen:
        fit.add(measurement)
        launch = fit.solve()
        assert launch is None or launch.chip_probability < 0.1


def test_the_kick_of_a_match_fits_until_its_first_contact(shared_data):
    """From the kick to the contact at 1.17 s it fits, and 90 ms later no longer."""
    measurements, parameters = _read(shared_data('ssl/match_2022_part1.log.gz'))
    first = measurements[0].stamp_ns
    seen = [s for s in measurements if s.camera_id == 1 and s.stamp_ns > first + 0.58 * SECOND]
    fit = KickFit(parameters, seen[0].stamp_ns - SECOND // 70, seen[0].stamp_ns, None)
    for measurement in seen:
        fit.add(measurement)
        launch, age = fit.solve(), (measurement.stamp_ns - first) / SECOND
        if launch is not None and (age < 1.17 or 1.26 < age < 1.5):
            assert launch.fits is (age < 1.17)
