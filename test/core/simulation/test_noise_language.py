# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One vocabulary of sensor errors in all simulators."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from itertools import takewhile
from operator import attrgetter

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chi2

from world_model_core.errors import ConfigurationError
from world_model_core.frames import Transform
from world_model_core.parameters import groups, leaves, read_parameters
from world_model_core.simulation.house.camera import HouseCamera
from world_model_core.simulation.house.detector import HouseDetector
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.simulation.house.values import Item, Room, SimulatedHouse
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters, SslSettings
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import ObservationParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.sensor_drift import drift_on
from world_model_core.uncertainty.sensor_noise import RangeNoise

SIMULATORS = (ObservationParameters, HouseParameters, SslSettings)
PERCEPTION = """
noise: {range_fraction: 0.05, range_std: 0.02, bearing_std: 0.03}
missed_detection: {probability: 0.25}
"""
# No other errors.
ELSE_NOTHING = {
    ObservationParameters: """
bias: {range_fraction: 0.0, bearing_std: 0.0}
""",
    HouseParameters: """
box_noise: {position_std: 0.0001}
clutter: {share: 0.0}
""",
}
# A correct simulation is outside once in 100,000; the seeds are fixed.
TAILS = (5e-6, 1.0 - 5e-6)
AHEAD, COUNT = 3.0, 4000


def read(kind, *texts):
    """Read parameters from YAML texts."""
    document = {}
    for text in texts:
        document |= yaml.safe_load(text)
    return read_parameters(kind, document)


def watch_as_robots(parameters):
    """Read range and bearing of a landmark ahead, shape (n, 2); NaN where it is missed."""
    draws, landmarks = Draws(3), [[AHEAD, 0.0]]
    observation = Observation(parameters)
    state = observation.begin(COUNT, landmarks, draws)
    frame = observation.observe(state, np.zeros((COUNT, 3)), landmarks, 0.1, draws)
    return frame.readings[:, 0]


def watch_in_a_house(parameters):
    """Read range and bearing of an object ahead, shape (n, 2); NaN where it is missed."""
    room = Room('hall', 'study', np.full(2, -6.0), np.full(2, 6.0))
    thing = Item('chair', np.array((AHEAD, 0.0, 1.0)), np.full(3, 0.4), 0.0, 'red')
    house = SimulatedHouse((room,), (), (), (thing,), (thing.to_map_object('0', 'hall'),))
    parameters, random = replace(parameters, scan_step=0.5), np.random.default_rng(3)
    detector = HouseDetector(house, HouseCamera(house, parameters, random), parameters, random)
    pose = Transform(np.eye(3), np.array((0.0, 0.0, 1.0)))
    readings = np.full((COUNT, 2), np.nan)
    for row in readings:
        found, _ = detector.detect(0, pose, np.zeros((0, 3)))
        if len(found):
            (x, y, _), *_ = found.positions
            row[:] = x, math.atan2(y, x)
    return readings


WATCH = {ObservationParameters: watch_as_robots, HouseParameters: watch_in_a_house}


def test_robots_and_houses_read_the_same_noise():
    """The same lines of YAML must give equal instances of the same classes."""
    robots, house = (read(kind, PERCEPTION) for kind in (ObservationParameters, HouseParameters))
    assert (robots.noise, robots.missed_detection) == (house.noise, house.missed_detection)
    assert (robots.noise.range_std, robots.missed_detection.probability) == (0.02, 0.25)


def test_a_match_has_its_own_sources():
    """Missed detections are declared in the same way; position cameras have no range noise."""
    document = yaml.safe_load(PERCEPTION)
    missed_detection = read_parameters(
        SslSettings, {'missed_detection': document['missed_detection']}
    ).missed_detection
    assert missed_detection == read_parameters(ObservationParameters, document).missed_detection
    said = 'noise.range_fraction is unknown; it can be position_std | heading_std'
    with pytest.raises(ConfigurationError) as caught:
        read_parameters(SslSettings, document)
    assert said in str(caught.value)


@pytest.mark.parametrize('kind', SIMULATORS)
def test_sources_are_classes_of_uncertainty(kind):
    """No simulator has a vocabulary of its own."""
    for item in fields(kind):
        if 'kind' in item.metadata:
            assert item.metadata['kind'].__module__.startswith('world_model_core.uncertainty.')


def test_a_name_has_the_same_unit_everywhere():
    """A field of a group has the same meaning in every simulator."""
    units = {}
    for kind in SIMULATORS:
        for leaf in leaves(kind):
            if '.' in leaf.name:
                units.setdefault(leaf.name.rsplit('.')[-1], set()).add(leaf.unit)
    assert {word for word, found in units.items() if len(found) > 1} == set()
    endings = {'_std': {'m', 'rad', ''}, '_fraction': {'m/m'}, '_time': {'s'}, 'probability': {''}}
    for word, (unit,) in units.items():
        for ending, allowed in endings.items():
            assert not word.endswith(ending) or unit in allowed, word


@pytest.mark.parametrize('kind', SIMULATORS)
@pytest.mark.parametrize('value', [-0.1, 1.1, math.nan, 'often', True])
def test_invalid_probabilities_are_rejected_alike(kind, value):
    """The error must have the YAML name, in every simulator."""
    said = f'missed_detection.probability is {value!r}; it must be from 0.0 to 1.0'
    with pytest.raises(ConfigurationError) as caught:
        read_parameters(kind, {'missed_detection': {'probability': value}})
    assert str(caught.value) == said


@pytest.mark.parametrize('kind', SIMULATORS)
def test_null_switches_any_source_off(kind):
    """Each class has its own value for this: no error, or the smallest allowed."""
    names = set(groups(kind)) - {'field_of_view'}
    silent = read_parameters(kind, dict.fromkeys(names))
    for leaf in leaves(kind):
        group, _, part = leaf.name.partition('.')
        if group in names and part.endswith(('_std', '_fraction', 'probability', 'share', 'rate')):
            assert attrgetter(leaf.name)(silent) == leaf.minimum, leaf.name
    assert [name for name in names if getattr(getattr(silent, name), 'is_on', bool)()] == []


def test_a_field_of_view_is_never_off():
    """A sensor always has a field of view."""
    with pytest.raises(
        ConfigurationError, match='field_of_view is null, but cannot be off; it must be a'
    ):
        read_parameters(ObservationParameters, {'field_of_view': None})


@pytest.mark.parametrize('kind', list(WATCH))
def test_sensors_without_errors_report_the_truth(kind):
    """Everything in the field of view, at its true position."""
    readings = WATCH[kind](
        read_parameters(kind, dict.fromkeys(set(groups(kind)) - {'field_of_view'}))
    )
    assert np.allclose(readings, (AHEAD, 0.0), atol=1e-3)


@pytest.mark.parametrize('kind', list(WATCH))
def test_the_fraction_of_missed_detections(kind):
    """Robots, and a robot in a house, must miss the specified fraction of objects in view."""
    readings = WATCH[kind](read(kind, PERCEPTION, ELSE_NOTHING[kind]))
    low, high = binom.ppf(TAILS, COUNT, 0.25)
    assert low <= np.isnan(readings[:, 0]).sum() <= high


def test_the_fraction_of_missed_robots_of_a_match():
    """All robots in view of a camera, or of both, are counted."""
    parameters = read_parameters(SslSettings, {'missed_detection': {'probability': 0.25}})
    chosen = {item.name: getattr(parameters, item.name) for item in fields(SslSettings)}
    settings = SslMatchParameters(**chosen)
    counts = {}
    for probability in (0.0, 0.25):
        missed_detection = replace(settings.missed_detection, probability=probability)
        packets = SslMatch(replace(settings, missed_detection=missed_detection), 0).packets()
        frames = takewhile(lambda sent: sent.sent_ns < 3_000_000_000, packets)
        frame = [sent.packet.detection.robots for sent in frames if sent.truth]
        counts[probability] = sum(map(len, frame))
    low, high = binom.ppf(TAILS, counts[0.0], 0.75)
    assert low <= counts[0.25] <= high


@pytest.mark.parametrize('kind', list(WATCH))
def test_errors_of_ranges_and_bearings(kind):
    """(fraction l)^2 + std^2 along the ray, the bearing's deviation across, in each simulator."""
    readings = WATCH[kind](read(kind, PERCEPTION, ELSE_NOTHING[kind]))
    errors = readings[~np.isnan(readings[:, 0])] - (AHEAD, 0.0)
    deviations = np.hypot(0.05 * AHEAD, 0.02), 0.03
    for error, deviation in zip(errors.T, deviations, strict=True):
        low, high = chi2.ppf(TAILS, len(error))
        # A position error across a ray is an angle in first order only.
        assert 0.99 * low <= (error**2).sum() / deviation**2 <= 1.01 * high


def test_errors_of_the_ranges_of_a_scan():
    """The same model as for objects: (fraction l)^2 + std^2."""
    room = Room('hall', 'study', np.full(2, -6.0), np.full(2, 6.0))
    chair = Item('chair', np.array((AHEAD, 0.0, 1.0)), np.full(3, 2.0), 0.0, 'red')
    house = SimulatedHouse((room,), (), (), (chair,), (chair.to_map_object('0', 'hall'),))
    noisy = read(HouseParameters, 'scan_noise: {range_fraction: 0.01, range_std: 0.02}')
    exact = replace(noisy, scan_noise=RangeNoise(range_fraction=0.0))
    pose = Transform(np.eye(3), np.array((0.0, 0.0, 1.0)))
    true, measured = (
        np.linalg.norm(HouseCamera(house, each, np.random.default_rng(3)).scan(pose), axis=1)
        for each in (exact, noisy)
    )
    low, high = chi2.ppf(TAILS, len(true))
    assert len(true) > 1000
    assert low <= np.sum((measured - true) ** 2 / ((0.01 * true) ** 2 + 0.02**2)) <= high


@given(st.floats(0.0, 30.0), st.floats(0.0, 30.0), st.floats(1e-2, 1e4), st.floats(1e-6, 1.0))
def test_biases_drift_alike_in_one_step_and_in_two(first, second, time, deviation):
    """The decay of a bias and its added variance do not depend on the step."""

    def drift(dt, bias, fresh):
        arrays = (np.array([each]) for each in (deviation, time, fresh))
        return float(drift_on(np.array([bias]), dt, *arrays)[0])

    kept = drift(second, drift(first, 1.0, 0.0), 0.0)
    assert kept == pytest.approx(drift(first + second, 1.0, 0.0), rel=1e-9)
    added = drift(second, drift(first, 0.0, 1.0), 0.0) ** 2 + drift(second, 0.0, 1.0) ** 2
    assert added == pytest.approx(drift(first + second, 0.0, 1.0) ** 2, rel=1e-9, abs=1e-300)
