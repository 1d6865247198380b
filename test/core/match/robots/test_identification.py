# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Misread numbers: no robot starts, moves or is lost by them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.match.robots.robot_table import IDS, NEVER
from world_model_core.match.robots.tracker import RobotTracker, RobotTrackerParameters
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.match.ssl.vision_values import DetectionFrame, RobotDetection
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_core.uncertainty.label_confusion import NumberConfusion

FRAME_NS = SECOND // 70
BLUE_3, BLUE_5, YELLOW_5 = (
    RobotId(Team.BLUE, 3),
    RobotId(Team.BLUE, 5),
    RobotId(Team.YELLOW, 5),
)
# Two robots that touch [m].
TOUCHING = 0.18


def detection(x, name, *, y=0.0, confidence=0.9):
    """Make a detection of a robot."""
    return RobotDetection(name.team, name.number, x, y, 0.0, confidence, (0.0, 0.0))


def frame(index, *robots, camera=0):
    """Make a frame with these robots."""
    stamp = SECOND + index * FRAME_NS
    return DetectionFrame(index, camera, stamp, stamp + 8_000_000, (), robots)


def tracked(*robots):
    """Make a tracker that has seen robots in ten frames."""
    tracker = RobotTracker(RobotTrackerParameters())
    for index in range(10):
        tracker.update(frame(index, *robots))
    return tracker


@pytest.mark.parametrize('other', [BLUE_5, YELLOW_5])
def test_a_robot_misread_beside_another_does_not_move_it(other):
    """Of two touching robots, one read as the other must move neither, at any confidence."""
    tracker = tracked(detection(0.0, BLUE_3), detection(TOUCHING, other))
    before = tracker.table.mean.copy()
    shown = detection(0.0, BLUE_3, confidence=0.5), detection(TOUCHING, BLUE_3, confidence=1.0)
    assert tracker.update(frame(10, *shown)) == [BLUE_3.slot]
    assert tracker.update(frame(11, detection(TOUCHING, BLUE_3))) == []
    assert tracker.table.mean == pytest.approx(before, abs=1e-9)


def test_a_robot_that_is_not_there_does_not_start_by_misread_numbers():
    """A tracked robot read three times in a row as an absent one must start no track of it."""
    tracker = tracked(detection(1.0, BLUE_3))
    for index in range(10, 13):
        assert tracker.update(frame(index, detection(1.0, BLUE_5))) == []
    assert tracker.table.stamp_ns[BLUE_5.slot] == NEVER


def test_a_lost_robot_does_not_jump_to_one_that_is_misread():
    """A robot undetected for 0.1 s must stay when another, far away, has its number once."""
    tracker = tracked(detection(0.0, BLUE_3), detection(3.0, BLUE_5))
    for index in range(10, 17):
        tracker.update(frame(index, detection(3.0, BLUE_5)))
    assert tracker.update(frame(17, detection(3.0, BLUE_3))) == []
    assert tracker.table.mean[BLUE_3.slot, 0, 0] == pytest.approx(0.0, abs=1e-6)


def test_one_detection_starts_no_track():
    """A number that is read once, where nothing is tracked, must not become a robot."""
    tracker = RobotTracker(RobotTrackerParameters())
    tracker.update(frame(0, detection(0.0, BLUE_3), detection(1.0, BLUE_5)))
    rows = tracker.update(frame(1, detection(0.0, BLUE_3), detection(1.0, YELLOW_5)))
    assert rows == [BLUE_3.slot]
    tracker.update(frame(30, detection(0.0, BLUE_3), detection(1.0, BLUE_5)))  # 0.4 s later
    assert np.flatnonzero(tracker.table.stamp_ns != NEVER).tolist() == [BLUE_3.slot]


def test_two_distant_detections_start_no_track():
    """The same number at two places that no robot reaches in a frame must not be one robot."""
    tracker = RobotTracker(RobotTrackerParameters())
    for index in range(10):
        assert tracker.update(frame(index, detection(index % 2 * 0.5, BLUE_3))) == []


@pytest.mark.parametrize(('apart', 'starts'), [(0.2, True), (0.23, False)])
def test_a_robot_starts_where_it_can_have_driven(apart, starts):
    """Two detections in a frame's time must start a robot up to 8 m/s and 0.1 m of biases."""
    tracker = RobotTracker(RobotTrackerParameters())
    tracker.update(frame(0, detection(0.0, BLUE_3)))
    assert tracker.update(frame(1, detection(apart, BLUE_3))) == [BLUE_3.slot] * starts


@pytest.mark.parametrize(('frames', 'misread'), [(7, True), (9, False)])
def test_a_moving_robot_is_expected_ahead_for_a_tenth_of_a_second(frames, misread):
    """At 3 m/s a robot must explain another number where it is by now, but not for longer."""
    tracker = RobotTracker(RobotTrackerParameters())
    for index in range(30):
        tracker.update(frame(index, detection(3.0 * index / 70.0, BLUE_3)))
    for index in (28 + frames, 29 + frames):
        rows = tracker.update(frame(index, detection(3.0 * index / 70.0, BLUE_5)))
    assert rows == ([] if misread else [BLUE_5.slot])


def test_a_number_beside_a_robot_that_is_shown_is_its_own():
    """A new robot that cameras show too near to another must start if both are detected."""
    tracker = tracked(detection(0.0, BLUE_3))
    for index in range(10, 12):
        rows = tracker.update(frame(index, detection(0.0, BLUE_3), detection(0.08, BLUE_5)))
    assert sorted(rows) == [BLUE_3.slot, BLUE_5.slot]


def test_robots_whose_patterns_are_exchanged_are_followed():
    """Two robots that swap their patterns for good must swap places within 0.2 s."""
    tracker = tracked(detection(0.0, BLUE_3), detection(2.0, BLUE_5))
    for index in range(10, 24):
        tracker.update(frame(index, detection(2.0, BLUE_3), detection(0.0, BLUE_5)))
    places = tracker.table.mean[[BLUE_3.slot, BLUE_5.slot], 0, 0]
    assert places == pytest.approx((2.0, 0.0), abs=1e-3)


def test_a_robot_that_two_cameras_detect_far_apart_is_not_misread():
    """With 80 mm between two cameras, a robot beside an undetected one must be corrected."""
    tracker = tracked(detection(0.0, BLUE_3), detection(TOUCHING, BLUE_5))
    for index in range(10, 60):
        tracker.update(frame(index, detection(0.0, BLUE_3), detection(TOUCHING, BLUE_5)))
        rows = tracker.update(frame(index, detection(0.08, BLUE_3), camera=1))
    assert rows == [BLUE_3.slot]


def test_a_match_with_misread_numbers_has_its_own_robots_only():
    """With 5 % misread and missed detections, tracks must be the robots, at their places."""
    confusion = NumberConfusion(number_probability=0.05)
    parameters = SslMatchParameters(robots_per_team=8, label_confusion=confusion, seed=3)
    tracker = RobotTracker(RobotTrackerParameters())
    for sent in SslMatch(parameters, SECOND).packets():
        if sent.sent_ns > 3 * SECOND:
            break
        if sent.truth is None or sent.packet.detection is None:
            continue
        rows = tracker.update(sent.packet.detection)
        truth = {each.id: each for each in sent.truth.robots}
        assert {IDS[row] for row in rows} <= truth.keys()
        true = np.array([truth[IDS[row]].position for row in rows]).reshape(-1, 2)
        assert abs(tracker.table.mean[rows, :2, 0] - true).max(initial=0.0) < 0.05
    assert len(truth) == np.count_nonzero(tracker.table.stamp_ns != NEVER)


def test_the_simulated_share_of_numbers_is_misread():
    """A simulated share of robots must have another number, each as often as any other."""
    parameters = SslMatchParameters(robots_per_team=3, cameras=1)
    plain, misread = (
        [
            sent.packet.detection.robots
            for sent, _ in zip(SslMatch(each, 0).packets(), range(3000), strict=False)
            if sent.truth
        ]
        for each in (
            parameters,
            replace(parameters, label_confusion=NumberConfusion(number_probability=0.2)),
        )
    )
    pairs = [
        (one, other)
        for robots, others in zip(plain, misread, strict=True)
        for one, other in zip(robots, others, strict=True)
    ]
    assert all(replace(other, number=one.number) == one for one, other in pairs)
    wrong = [other.number for one, other in pairs if other.number != one.number]
    assert len(wrong) / len(pairs) == pytest.approx(0.2, abs=0.02)
    counts = np.bincount(wrong, minlength=16)
    assert len(counts) == 16
    assert counts[3:].min() > 0.7 * counts[3:].mean()
