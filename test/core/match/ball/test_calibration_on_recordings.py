# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ball constants of a simulator and of a real carpet, estimated from vision recordings."""

from __future__ import annotations

from contextlib import suppress

import pytest

from world_model_core.errors import LegacyPacketError
from world_model_core.match.ball.calibration.constant_estimation import estimate_constants
from world_model_core.match.ball.calibration.kick_fitting import find_kicks, fit_kicks
from world_model_core.match.ball.calibration.values import CHIP, STRAIGHT, KickKind
from world_model_core.match.ball.calibration.vision_log import VisionLog
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision

# The values that the simulator publishes, used only for this comparison.
WIRE = {'damping_xy_first_hop': 0.715, 'damping_xy_other_hops': 1.0, 'damping_z': 0.566}
# Range of fits of the noise-free straight kicks, each with its commanded kick.
FITS = {
    'slide_acceleration': (-4.07, -3.95),
    'roll_acceleration': (-0.35, -0.35),
    'switch_ratio': (0.687, 0.687),
}


@pytest.fixture(scope='module')
def calibrated(shared_data):
    """Calibrate recordings by name, each once."""
    known = {}

    def calibrate(name):
        if name not in known:
            log = VisionLog()
            for message in RecordingReader(shared_data(f'ssl/{name}.log.gz')):
                if message.kind in (MessageKind.VISION_2010, MessageKind.VISION_2014):
                    with suppress(LegacyPacketError):
                        log.add(decode_vision(message.data))
            assert log.models_set_aside
            ways = find_kicks(log.record())
            known[name] = estimate_constants(
                [kick for kick in fit_kicks(ways) if kick is not None]
            )
        return known[name]

    return calibrate


@pytest.mark.parametrize('name', STRAIGHT)
def test_noise_free_straight_kicks_give_their_constants(calibrated, name):
    """Slide, roll and switch are within 5 % of every fit, and so is the interval."""
    estimate = calibrated('sim_straight_noisefree').estimates[name]
    assert estimate.kicks >= 6
    for fitted in FITS[name]:
        assert estimate.value == pytest.approx(fitted, rel=0.05)
    assert estimate.high - estimate.low < 0.05 * abs(estimate.value)


@pytest.mark.parametrize('name', STRAIGHT)
def test_realistic_straight_kicks_give_their_constants(calibrated, name):
    """With noise, biased cameras and false balls the interval contains the simulator's value."""
    estimate = calibrated('sim_straight_realistic').estimates[name]
    noise_free = calibrated('sim_straight_noisefree').estimates[name]
    assert estimate.low < noise_free.value < estimate.high
    assert estimate.value == pytest.approx(noise_free.value, rel=0.05)


@pytest.mark.parametrize('recording', ['sim_chip_noisefree', 'sim_chip_realistic'])
@pytest.mark.parametrize('name', CHIP)
def test_chips_give_their_losses(calibrated, recording, name):
    """The interval contains the simulator's bounce loss, and the value is within 5 %."""
    estimate = calibrated(recording).estimates[name]
    assert estimate.low <= WIRE[name] <= estimate.high
    assert estimate.value == pytest.approx(WIRE[name], rel=0.05)


@pytest.mark.parametrize(('recording', 'chips'), [('noisefree', 6), ('realistic', 3)])
def test_chips_are_chips_and_straight_kicks_are_straight(calibrated, recording, chips):
    """Every chip of a recording is fitted as a chip, and no straight kick is."""
    kicks = calibrated(f'sim_chip_{recording}').kicks
    assert sum(kick.kind is KickKind.CHIP and not kick.reason for kick in kicks) == chips
    kicks = calibrated(f'sim_straight_{recording}').kicks
    assert {kick.kind for kick in kicks} == {KickKind.STRAIGHT}


def test_recordings_give_no_constants_without_data(calibrated):
    """Straight kicks give no bounce loss, chips give neither slide nor switch."""
    assert set(calibrated('sim_straight_noisefree').not_estimated) == set(CHIP)
    not_estimated = set(calibrated('sim_chip_noisefree').not_estimated)
    assert not_estimated == {'slide_acceleration', 'switch_ratio'}


def test_a_real_match_gives_only_the_roll(calibrated):
    """Three seconds with one curving kick give the roll, within 10 % of the field's constant."""
    calibration = calibrated('match_2022_part1')
    assert set(calibration.estimates) == {'roll_acceleration'}
    estimate = calibration.estimates['roll_acceleration']
    assert estimate.low < -0.33 < estimate.high
    assert estimate.value == pytest.approx(-0.33, rel=0.1)
    assert ' mm off a ' in calibration.not_estimated['slide_acceleration']
