# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Observations of many robots: samples, labels and rejected inputs."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.input_checks import InputError
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.observation_model import BLOCK, Observation
from world_model_core.uncertainty.observation_parameters import (
    LECTURE,
    LNPR,
    ErrorOrder,
    ObservationParameters,
)
from world_model_core.uncertainty.occlusion import LastingOcclusion, Occlusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

# LNPR's.
LANDMARKS = np.array([[-4.0, 2.0], [2.0, -3.0], [3.0, 3.0]])
# All sources are on, with high probabilities.
BUSY = ObservationParameters(
    drift=SensorDrift(range_std=0.1, range_time=3.0, bearing_std=0.1, bearing_time=2.0),
    clutter=Clutter(0.3),
    missed_detection=MissedDetection(0.2),
    occlusion=Occlusion(0.3),
    lasting_occlusion=LastingOcclusion(0.3, 1.0),
)
SOURCES = {
    'noise': RangeBearingNoise(0.0, 0.0, 0.0),
    'bias': SensorBias(0.0, 0.0),
    'drift': SensorDrift(),
    'clutter': Clutter(0.0),
    'missed_detection': MissedDetection(0.0),
    'occlusion': Occlusion(0.0),
    'lasting_occlusion': LastingOcclusion(0.0),
}
# Of BUSY, seed 7, after three steps: range and bearing of the first that were read.
RECORDED = [
    (5.894503124674115, 0.39401520686002867),
    (1.7619285786628534, 0.8594737763287341),
    (3.975791573592428, 0.4820543507339292),
    (5.046027748369923, 0.6759826739091435),
]


def scatter(count, seed=5):
    """Return random poses."""
    random = np.random.default_rng(seed)
    return np.column_stack((random.uniform(-5, 5, (count, 2)), random.uniform(-3, 3, count)))


def watch(parameters, poses, landmarks=LANDMARKS, steps=3, seed=7):
    """Observe a few times, and return the last observation."""
    observation, draws = Observation(parameters), Draws(seed)
    state = observation.begin(len(poses), landmarks, draws)
    for _ in range(steps):
        result = observation.observe(state, poses, landmarks, 0.5, draws)
        state = result.state
    return result


@pytest.mark.parametrize('order', list(ErrorOrder))
def test_more_robots_and_landmarks_leave_the_first_as_they_were(order):
    """A reading must be identical, bit by bit, whatever the other robots and landmarks."""
    parameters, poses = replace(BUSY, order=order), scatter(2 * BLOCK + 50)
    many = watch(parameters, poses, np.vstack((LANDMARKS, [[0.0, 0.0]])))
    for count in (1, 20, BLOCK + 7):
        few = watch(parameters, poses[:count], LANDMARKS[:2])
        assert np.array_equal(few.readings, many.readings[:count, :2], equal_nan=True)
        assert np.array_equal(few.labels, many.labels[:count, :2])


@pytest.mark.parametrize('order', list(ErrorOrder))
@pytest.mark.parametrize('off', list(SOURCES))
def test_a_source_that_is_off_leaves_the_others_as_they_were(order, off):
    """A source must not change the effect of the others where it had no effect itself."""
    poses = scatter(2000)
    parameters = replace(BUSY, order=order)
    every = watch(parameters, poses)
    fewer = watch(replace(parameters, **{off: SOURCES[off]}), poses)
    names = {
        'noise': ErrorCause.NOISE,
        'bias': ErrorCause.BIAS,
        'drift': ErrorCause.DRIFT,
        'clutter': ErrorCause.CLUTTER,
        'missed_detection': ErrorCause.MISSED_DETECTION,
        'occlusion': ErrorCause.OCCLUSION,
        'lasting_occlusion': ErrorCause.LASTING_OCCLUSION,
    }
    untouched = (every.labels & int(names[off])) == 0
    assert np.array_equal(every.labels[untouched], fewer.labels[untouched])
    assert np.array_equal(every.readings[untouched], fewer.readings[untouched], equal_nan=True)
    for name, memory in fewer.state.memories.items():
        assert np.array_equal(memory, every.state.memories[name], equal_nan=True)
    assert off not in fewer.state.memories
    assert not (fewer.labels & int(names[off])).any()


@pytest.mark.parametrize('order', list(ErrorOrder))
def test_labels_name_the_causes(order):
    """A missing reading has a reason; a reading has noise, bias and drift."""
    result = watch(replace(BUSY, order=order), scatter(3000))
    unread = np.isnan(result.readings).any(axis=-1)
    reasons = int(ErrorCause.OUT_OF_VIEW | ErrorCause.MISSED_DETECTION)
    assert np.array_equal((result.labels & reasons) != 0, unread)
    always = int(ErrorCause.NOISE | ErrorCause.BIAS | ErrorCause.DRIFT)
    assert ((result.labels[~unread] & always) == always).all()
    assert not (result.labels[unread] & always).any()
    both = int(ErrorCause.OUT_OF_VIEW | ErrorCause.MISSED_DETECTION)
    assert not ((result.labels & both) == both).any()
    assert np.array_equal(np.isnan(result.readings[..., 0]), np.isnan(result.readings[..., 1]))


def test_landmarks_in_view_are_read():
    """With only a field of view, landmarks in its sector are read, and no others."""
    view = PlanarFieldOfView(near=1.0, far=4.0, half_angle=0.7)
    parameters = replace(ObservationParameters(field_of_view=view), **SOURCES)
    poses = scatter(3000)
    readings = watch(parameters, poses).readings
    exact = observe_exactly(poses, LANDMARKS)
    distance, bearing = exact[..., 0], np.abs(exact[..., 1])
    inside = (distance >= 1.0) & (distance <= 4.0) & (bearing <= 0.7)
    assert np.array_equal(~np.isnan(readings[..., 0]), inside)
    assert readings[inside] == pytest.approx(exact[inside], abs=1e-12)


def test_a_hidden_near_landmark_may_be_in_view_in_one_order_only():
    """A hidden landmark is measured too far away: in LNPR's order before the view is tested."""
    poses, landmark = np.zeros((2000, 3)), [[0.3, 0.0]]
    for order, share in ((ErrorOrder.LECTURE, 0.0), (ErrorOrder.LNPR, 0.5 * 5.5 / 5.7)):
        parameters = replace(
            LNPR, occlusion=Occlusion(0.5), missed_detection=MissedDetection(0.0), order=order
        )
        readings = watch(parameters, poses, landmark).readings
        assert np.mean(~np.isnan(readings[..., 0])) == pytest.approx(share, abs=0.05)


def test_draws_are_as_recorded():
    """The same seed gives the same readings on every platform, within 1e-9."""
    result = watch(BUSY, scatter(50))
    read = result.readings[~np.isnan(result.readings[..., 0])]
    assert read[: len(RECORDED)] == pytest.approx(np.array(RECORDED), abs=1e-9)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(*[st.floats(-50.0, 50.0)] * 3), max_size=5),
    st.lists(st.tuples(*[st.floats(-50.0, 50.0)] * 2), max_size=5),
    st.sampled_from(list(ErrorOrder)),
)
def test_any_robots_and_landmarks_are_observed(poses, landmarks, order):
    """Also without landmarks, or at their position: arrays have the right shape, bearings wrap."""
    poses, landmarks = np.array(poses).reshape(-1, 3), np.array(landmarks).reshape(-1, 2)
    result = watch(replace(BUSY, order=order), poses, landmarks)
    assert result.readings.shape == (len(poses), len(landmarks), 2)
    assert result.labels.shape == (len(poses), len(landmarks))
    bearings = result.readings[..., 1]
    bearings = bearings[~np.isnan(bearings)]
    assert ((bearings >= -math.pi) & (bearings < math.pi)).all()


@pytest.mark.parametrize('preset', [LECTURE, LNPR])
def test_a_landmark_at_the_robot_itself_is_out_of_view(preset):
    """It is too near for the view; with a view from 0 it is read as 0 m straight ahead."""
    pose = [[2.0, -3.0, 1.0]]
    quiet = replace(preset, **SOURCES)
    assert np.isnan(watch(quiet, pose, LANDMARKS[1:2]).readings).all()
    readings = watch(
        replace(quiet, field_of_view=PlanarFieldOfView(near=0.0)), pose, LANDMARKS[1:2]
    ).readings
    assert readings.tolist() == [[[0.0, 0.0]]]


@pytest.mark.parametrize(
    ('make', 'said'),
    [
        (
            lambda: PlanarFieldOfView(near=-1.0),
            r'PlanarFieldOfView.near is -1.0; it must be from 0.0',
        ),
        (lambda: PlanarFieldOfView(far=math.inf), 'PlanarFieldOfView.far is inf'),
        (
            lambda: PlanarFieldOfView(near=3.0, far=3.0),
            'PlanarFieldOfView.near is 3.0 m; it must be below 3.0 m',
        ),
        (lambda: PlanarFieldOfView(half_angle=0.0), 'PlanarFieldOfView.half_angle is 0.0'),
        (
            lambda: RangeBearingNoise(range_fraction=-0.1),
            'RangeBearingNoise.range_fraction is -0.1',
        ),
        (lambda: RangeBearingNoise(bearing_std=math.nan), 'RangeBearingNoise.bearing_std is nan'),
        (lambda: SensorBias(range_fraction=math.inf), 'SensorBias.range_fraction is inf'),
        (lambda: SensorDrift(range_time=0.0), 'SensorDrift.range_time is 0.0'),
        (lambda: SensorDrift(bearing_std=-1.0), 'SensorDrift.bearing_std is -1.0'),
        (lambda: Clutter(probability=1.1), 'Clutter.probability is 1.1'),
        (lambda: Clutter(x_low=-math.inf), 'Clutter.x_low is -inf'),
        (lambda: Clutter(y_low=5.0), r'Clutter.y_low is 5.0 m; it must be below y_high, 5.0 m'),
        (lambda: MissedDetection(probability=-0.1), 'MissedDetection.probability is -0.1'),
        (lambda: Occlusion(probability=2.0), 'Occlusion.probability is 2.0'),
        (lambda: LastingOcclusion(mean_duration=0.0), 'LastingOcclusion.mean_duration is 0.0'),
        (lambda: LastingOcclusion(share=1.0), 'LastingOcclusion.share is 1.0'),
    ],
)
def test_parameters_outside_their_limits_are_refused(make, said):
    """The message names the field, the value and the limit."""
    with pytest.raises(ConfigurationError, match=said):
        make()


@pytest.mark.parametrize(
    ('change', 'said'),
    [
        ({'dt': 0.0}, 'dt is 0.0 s'),
        ({'dt': math.nan}, 'dt is nan s'),
        ({'dt': 1e9}, r'dt is 1000000000.0 s; it must be above 0 and at most'),
        ({'poses': [[0.0, math.nan, 0.0]]}, r'poses\[0\] are'),
        ({'poses': np.zeros((2, 3))}, r'poses have shape \(2, 3\); it must be \(1, 3\)'),
        ({'landmarks': LANDMARKS[:2]}, r'landmarks have shape \(2, 2\); it must be \(3, 2\)'),
        ({'landmarks': LANDMARKS * math.inf}, r'landmarks\[0\] are'),
    ],
)
def test_invalid_input_is_rejected(change, said):
    """Endless steps, invalid poses and other numbers than at the start are rejected."""
    observation, draws = Observation(LNPR), Draws(1)
    state = observation.begin(1, LANDMARKS, draws)
    given_values = {'poses': np.zeros((1, 3)), 'landmarks': LANDMARKS, 'dt': 0.1} | change
    with pytest.raises(InputError, match=said):
        observation.observe(state, draws=draws, **given_values)


@pytest.mark.parametrize('robots', [-1, 2.5])
def test_an_invalid_number_of_robots_is_rejected(robots):
    """A number of robots other than 0, 1, 2 and so on must be rejected."""
    with pytest.raises(
        InputError, match=rf'robots is {robots}; it must be an integer of at least 0'
    ):
        Observation(LNPR).begin(robots, LANDMARKS, Draws(1))


def test_presets_differ():
    """Presets differ only in the values of the lecture's figures and in the order."""
    same = [f.name for f in fields(LNPR) if getattr(LNPR, f.name) == getattr(LECTURE, f.name)]
    assert set(same) == {
        'field_of_view',
        'noise',
        'bias',
        'drift',
        'missed_detection',
        'lasting_occlusion',
    }
