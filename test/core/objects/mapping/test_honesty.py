# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Accuracy and consistency of object maps on simulated rooms."""

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.evaluation.objects.baselines import Oracle
from world_model_core.evaluation.objects.mapping_run import run_mapper
from world_model_core.evaluation.objects.object_map_mapper import ObjectMapMapper
from world_model_core.evaluation.objects.scores import mean_bounds, summarize, tally
from world_model_core.gaussian import chi_square_gate, mahalanobis_squared
from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.simulation.house.house_generator import generate_room
from world_model_core.simulation.house.room_detector import RoomDetector

FRAMES, SEEDS = 40, range(500, 506)


def _scores(sigma, make):
    tallies = []
    for seed in SEEDS:
        house = generate_room(seed)
        random = np.random.default_rng(seed)
        measurements = list(RoomDetector(sigma).watch(house.objects, house.bounds, FRAMES, random))
        tallies.append(tally(run_mapper(house.objects, measurements, make(house.objects))))
    return summarize(tallies)


def test_accurate_detections_make_maps_without_duplicates():
    """At sigma 0.05 m: no duplicates, all counts, all objects, consistent covariances."""
    scores = _scores(0.05, lambda _: ObjectMapMapper())
    assert scores.duplicates <= 0.004
    assert scores.class_counts >= 0.995
    assert scores.recall >= 0.99
    assert 0.9 <= scores.anees <= 1.15


def test_vague_detections_make_maps_nearly_as_good_as_can_be():
    """At sigma 0.30 m: at most twice the wrong detections of an oracle, and counts that hold."""
    scores = _scores(0.30, lambda _: ObjectMapMapper())
    oracle = _scores(
        0.30, lambda truth: Oracle(truth, RoomDetector().label_confusion.label_probability)
    )
    assert scores.wrong_detections <= 2.0 * oracle.wrong_detections
    assert scores.class_counts >= 0.88
    assert scores.anees <= 1.8
    assert scores.duplicates <= 0.06
    assert scores.unpaired_duplicates <= 0.015


@pytest.mark.parametrize('sigma', [0.05, 0.3])
def test_errors_of_lone_objects_are_as_large_as_their_covariances_say(watch, sigma):
    """For objects without ambiguity, NEES and NIS are chi-square distributed."""
    random = np.random.default_rng(0)
    places = np.array([(10.0 * x, 10.0 * y, 0.0) for x in range(12) for y in range(12)])
    objects, nis = ObjectMap(), []
    for number in range(20):
        before = {each.id: each for each in objects.objects}
        noisy = places + random.normal(0.0, sigma, places.shape)
        updates = watch(objects, noisy, ['chair'] * len(places), 1, _Still(), sigma, start=number)
        for place, name in zip(noisy, updates[0].ids, strict=True):
            if name in before:
                spread = before[name].covariance + sigma**2 * np.eye(3)
                offset = place - before[name].position
                nis.append(offset @ np.linalg.solve(spread, offset))
    found = objects.objects
    assert len(found) == len(places)
    true = {tuple(place): place for place in places}
    nees = [_nees(each, true[tuple(np.round(each.position / 10.0) * 10.0)]) for each in found]
    for values in (nees, nis):
        low, high = mean_bounds(len(values))
        assert 0.95 * low <= np.mean(values) / 3.0 <= 1.05 * high
        beyond = np.mean(np.array(values) > chi_square_gate(3, 0.95))
        assert beyond == pytest.approx(0.05, abs=0.04)


def _nees(found, true):
    offset = found.position - true
    return offset @ np.linalg.solve(found.covariance, offset)


class _Still:
    """Random numbers without noise, with every object detected."""

    def random(self, count):
        """Return a draw below any probability."""
        return np.zeros(count)

    def normal(self, _mean, _deviation, shape):
        """Return no error."""
        return np.zeros(shape)


def test_what_frames_share_does_not_average_out(frame):
    """Fifty frames with a common pose error leave the map with the uncertainty of that error."""
    random = np.random.default_rng(8)
    pose_std, noise_std, squared = 0.05, 0.02, []
    shared = pose_std**2 * np.eye(3)[None]
    for _ in range(100):
        objects, error = ObjectMap(), random.normal(0.0, pose_std, 3)
        for number in range(30):
            seen = frame(number, error + random.normal(0.0, noise_std, (1, 3)))
            covariances = shared + noise_std**2 * np.eye(3)
            objects.observe(replace(seen, covariances=covariances, shared=shared))
        (found,) = objects.objects
        squared.append(float(mahalanobis_squared(found.position, found.covariance)))
    low, high = mean_bounds(len(squared))
    assert low <= np.mean(squared) / 3.0 <= high
