# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kicks of a single ball under imperfect cameras, with known ground truth."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ssl.vision_packets import decode_vision, encode_vision
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.simulation.match.simulated_kicks import (
    EXACT,
    KickDeviations,
    KickPlan,
    SimulatedKicks,
    random_kicks,
)
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_bias import PlaceBias
from world_model_core.uncertainty.sensor_noise import PlaceNoise

SEEDS = st.integers(0, 2**63 - 1)
CLEAN = SslMatchParameters(
    noise=PlaceNoise(position_std=0.0),
    missed_detection=MissedDetection(probability=0.0),
    send_models=False,
)
CHIPS = KickPlan(kicks=1, chip_share=1.0)

some = settings(max_examples=15, deadline=None)


def frames(run):
    """Collect the frames, with the truth."""
    return [(sent.packet.detection, sent.truth) for sent in run.packets() if sent.truth]


@some
@given(SEEDS)
def test_same_seed_gives_the_same_bytes(seed):
    """Two runs of one seed are exactly equal, and decode."""
    runs = [[encode_vision(sent.packet) for sent in random_kicks(seed).packets()] for _ in 'ab']
    assert runs[0] == runs[1]
    assert sum(decode_vision(data).geometry is not None for data in runs[0]) >= 2


@some
@given(SEEDS)
def test_ball_stays_on_the_field(seed):
    """It is kicked back, or the run ends, before it leaves the field."""
    run = random_kicks(seed, deviations=EXACT, parameters=CLEAN)
    for stamp_ns in range(0, run.end_ns, SECOND // 20):
        x, y, z = run.course.advance(stamp_ns).position
        assert abs(x) <= 4.5
        assert abs(y) <= 3.0
        assert z >= 0.0
    assert len(run.course.kicks) == 3
    instants = {sent.truth.stamp_ns // (SECOND // 50) for sent in run.packets() if sent.truth}
    assert len(instants) >= run.end_ns // (SECOND // 50) - 1


@some
@given(SEEDS)
def test_detections_are_projections_of_the_truth(seed):
    """Without errors each camera detects the ball where its ray meets the carpet."""
    run = random_kicks(seed, CHIPS, EXACT, CLEAN)
    for frame, truth in frames(run):
        camera = run.vision.cameras[frame.camera_id]
        for ball in frame.balls:
            assert (ball.x, ball.y) == pytest.approx(
                camera.project_to_ground(truth.position), abs=1e-12
            )
        assert run.truth_at(frame.capture_ns) == truth


@some
@given(SEEDS)
def test_kicks_are_from_the_carpet_and_chips_land_on_the_field(seed):
    """No ball is kicked in the air, and each chip lands within the lines."""
    run = random_kicks(seed, replace(CHIPS, kicks=3))
    for kick, after in pairwise([*run.course.kicks, None]):
        assert kick.position[2] == pytest.approx(0.0, abs=1e-7)
        landing_ns = kick.stamp_ns + round(SECOND * kick.velocity[2] * 2.0 / 9.81)
        assert landing_ns <= (after.stamp_ns if after else run.end_ns) + 1
        x, y, z = run.course.advance(landing_ns).position
        assert abs(x) <= 4.5 + 1e-6
        assert abs(y) <= 3.0 + 1e-6
        assert z == pytest.approx(0.0, abs=1e-6)


def test_truth_at_a_capture_differs_from_the_frame_by_the_delay():
    """A late t_capture gives a later position of the ball than the detected one."""
    run = random_kicks(1, deviations=replace(EXACT, capture_delay=0.003))
    late_ns = run.vision.capture_error_ns
    assert abs(late_ns) > 10_000
    for frame, truth in frames(run):
        assert run.truth_at(frame.capture_ns).stamp_ns == truth.stamp_ns + late_ns


def test_clock_offset_is_taken_out_of_the_truth():
    """With an offset of vision's clock, the truth at a t_capture is that of the frame."""
    run = random_kicks(1, deviations=EXACT, parameters=replace(CLEAN, clock_offset=17.8))
    for frame, truth in frames(run):
        assert run.truth_at(frame.capture_ns) == truth


def test_chips_fly_and_have_the_specified_noise():
    """Each run of chips has at least one chip in the air, with 1.4 mm of noise."""
    noisy, errors = replace(CLEAN, noise=PlaceNoise(position_std=0.0014)), []
    for seed in range(20):
        run = random_kicks(seed, CHIPS, EXACT, noisy)
        detections = frames(run)
        assert max(truth.position[2] for _, truth in detections) > 0.05
        for frame, truth in detections:
            camera = run.vision.cameras[frame.camera_id]
            errors += [
                np.subtract((b.x, b.y), camera.project_to_ground(truth.position))
                for b in frame.balls
            ]
    assert np.std(errors) == pytest.approx(0.0014, rel=5.0 / math.sqrt(2 * np.size(errors)))


def test_constants_of_the_ball_have_the_specified_deviations():
    """Over the seeds slide, roll, switch and damping vary around their nominal values."""
    names = ('slide_acceleration', 'roll_acceleration', 'switch_ratio', 'damping_z')
    deviations, count = KickDeviations(), 300
    plan = KickPlan(kicks=0)
    balls = [random_kicks(seed, plan).parameters.ball for seed in range(count)]
    for name in names:
        values, deviation = [getattr(ball, name) for ball in balls], getattr(deviations, name)
        mean = getattr(BallParameters(), name)
        assert np.std(values) == pytest.approx(deviation, rel=5.0 / math.sqrt(2 * count))
        assert np.mean(values) == pytest.approx(mean, abs=5.0 * deviation / math.sqrt(count))


def test_extreme_constants_stay_within_their_limits():
    """However wide the deviations, the constants are valid."""
    wild = KickDeviations(switch_ratio=10.0, damping_z=10.0, roll_acceleration=50.0)
    for seed in range(20):
        ball = random_kicks(seed, KickPlan(kicks=0), wild).parameters.ball
        assert 0.0 <= ball.switch_ratio <= 1.0
        assert ball.roll_acceleration < 0.0


def test_runs_have_every_phase_and_several_cameras():
    """Some runs have balls that rest, slide, roll, fly and rest again, covered by two cameras."""
    phases, camera_counts = set(), []
    for seed in range(10):
        run = random_kicks(seed)
        for leg, end in pairwise([*run.course.legs, None]):
            end_ns = end.stamp_ns if end else run.end_ns
            phases |= {
                segment.motion.value
                for segment in leg.trajectory.segments
                if leg.stamp_ns + segment.start * SECOND < end_ns
            }
        camera_counts.append(len({frame.camera_id for frame, _ in frames(run) if frame.balls}))
    assert phases == {'stopped', 'sliding', 'rolling', 'flying'}
    assert camera_counts.count(2) > 3


def test_errors_of_cameras_are_those_of_the_deviations():
    """The cameras of a run have the drawn errors, and the ball's constants are not sent."""
    run = random_kicks(3)
    first = next(sent.packet.geometry for sent in run.packets())
    assert first.straight is None
    for errors in run.vision.errors:
        assert 0.0 < math.hypot(*errors.bias) < 0.1
    assert all(np.ravel(errors.slope).any() for errors in run.vision.errors)


def test_course_is_the_same_under_other_cameras():
    """Errors and cameras are drawn independently of the kicks."""
    one = random_kicks(5, deviations=EXACT)
    other = random_kicks(
        5,
        deviations=replace(EXACT, bias=PlaceBias(position_std=0.02)),
        parameters=replace(CLEAN, cameras=4),
    )
    assert one.course.kicks == other.course.kicks
    assert one.end_ns == other.end_ns


def test_packets_end_with_the_run():
    """The iterator ends after all captured frames."""
    run = random_kicks(1, deviations=EXACT, parameters=CLEAN)
    again = SimulatedKicks(run.course, CLEAN, 2.0)
    stamps = [truth.stamp_ns for _, truth in frames(again)]
    assert len(stamps) == pytest.approx(2 * 2.0 * 73.2, abs=2)
    assert max(stamps) < 2 * SECOND
