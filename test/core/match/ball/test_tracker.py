# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Ball tracking from raw vision."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.tracker import BallTracker, BallTrackerParameters
from world_model_core.match.cameras.bias import CameraBiases, CameraBiasParameters
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

FRAME_NS = SECOND // 70


def frame(stamp_ns, *places, camera=0):
    """Make a frame with balls at these positions."""
    balls = tuple(
        BallDetection(
            *(float(v) for v in place[:2]), place[2] if len(place) > 2 else None, 1.0, (0.0, 0.0)
        )
        for place in places
    )
    return DetectionFrame(stamp_ns // FRAME_NS, camera, stamp_ns, stamp_ns + 8_000_000, balls, ())


def state_after(tracker, shown):
    """Return the ball's state after a frame; None if the frame did not show it."""
    estimate = tracker.update(shown)
    return None if estimate is None else estimate.state


def feed(tracker, positions, start=0):
    """Send one position per frame; return the last estimate."""
    state = None
    for index, position in enumerate(positions, start):
        state = state_after(tracker, frame(SECOND + index * FRAME_NS, position))
    return state


def make_tracker():
    """Make a tracker with default parameters and unknown cameras."""
    biases = CameraBiases(CameraBiasParameters())
    return BallTracker(BallTrackerParameters(), BallParameters(), biases)


@pytest.fixture
def tracker():
    """Make a tracker for a test."""
    return make_tracker()


def straight(count, velocity=(2.0, -1.0), start=(0.0, 0.0)):
    """Return the positions of a ball in uniform motion, one row per frame."""
    times = np.arange(count) / 70.0
    return np.asarray(start) + times[:, None] * np.asarray(velocity)


def test_a_rolling_ball_is_followed_with_its_velocity(tracker):
    """After half a second position and velocity must be those of the ball."""
    state = feed(tracker, straight(35))
    assert state.position[:2] == pytest.approx(straight(35)[-1], abs=2e-3)
    assert state.velocity[:2] == pytest.approx((2.0, -1.0), abs=0.05)


def test_one_detection_is_not_a_ball_yet(tracker):
    """A ball must have been detected in three consistent frames."""
    assert feed(tracker, straight(2)) is None
    assert feed(tracker, straight(3)[2:], start=2) is not None


def test_a_false_ball_far_away_is_ignored(tracker):
    """A second ball in one frame must not move the estimate."""
    feed(tracker, straight(30))
    true_place = straight(31)[-1]
    state = state_after(tracker, frame(SECOND + 30 * FRAME_NS, (4.0, 4.0), true_place))
    assert state.position[:2] == pytest.approx(true_place, abs=5e-3)


def test_an_unreachable_detection_is_another_ball(tracker):
    """Even a new track with a large covariance must not jump by meters in a moment."""
    feed(tracker, np.zeros((4, 2)))
    state = state_after(tracker, frame(SECOND + 8 * FRAME_NS, (3.6, 0.0)))
    assert state is None


def test_a_ball_that_was_moved_is_confirmed_after_three_frames(tracker):
    """A ball that vanishes and is detected elsewhere three times must be there."""
    feed(tracker, straight(30, velocity=(0.0, 0.0)))
    elsewhere = np.tile((3.0, 2.0), (3, 1))
    assert feed(tracker, elsewhere[:2], start=31) is None
    state = feed(tracker, elsewhere[2:], start=33)
    assert state.position[:2] == pytest.approx((3.0, 2.0), abs=5e-3)


def test_a_kick_is_followed_at_once(tracker):
    """Three frames after a kick of 6 m/s the velocity must be nearly right."""
    feed(tracker, straight(30, velocity=(0.0, 0.0)))
    kicked = straight(4, velocity=(0.0, 6.0))[1:]
    state = feed(tracker, kicked, start=30)
    assert state.velocity[:2] == pytest.approx((0.0, 6.0), abs=0.6)


def test_a_frame_without_a_ball_gives_no_estimate(tracker):
    """Another camera's empty frame must give no estimate and change nothing."""
    feed(tracker, straight(30))
    assert tracker.update(frame(SECOND + 30 * FRAME_NS)) is None
    assert feed(tracker, straight(32)[31:], start=31) is not None


def test_a_late_frame_of_another_camera_is_brought_forward(tracker):
    """A frame captured before the last one must not pull a moving ball back."""
    feed(tracker, straight(35, velocity=(4.0, 0.0)))
    state = state_after(
        tracker,
        frame(
            SECOND + 34 * FRAME_NS - FRAME_NS // 2,
            straight(35, (4.0, 0.0))[-1] - (2.0 / 70.0, 0.0),
        ),
    )
    assert state.position[0] == pytest.approx(straight(35, (4.0, 0.0))[-1][0], abs=2e-3)


def test_a_bias_between_cameras_does_not_move_the_ball(tracker):
    """A resting ball that two cameras detect 40 mm apart must rest midway between them."""
    for index in range(70):
        tracker.update(frame(SECOND + index * FRAME_NS, (0.0, 0.0), camera=0))
        late = SECOND + index * FRAME_NS + FRAME_NS // 2
        state = state_after(tracker, frame(late, (0.04, 0.0), camera=1))
    assert state.position == pytest.approx((0.02, 0.0, 0.0), abs=1e-3)
    assert state.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-2)
    assert np.sqrt(state.covariance[0, 0]) > 0.01, 'what cameras have in common never shows'


@pytest.mark.parametrize('shift', [0.01, 0.015, 0.02])
def test_a_camera_that_is_pushed_moves_the_ball_only_briefly(tracker, shift):
    """A resting ball must rest again soon after one of two cameras has moved a little."""
    speeds = []
    for index in range(280):
        moved = shift if index > 140 else 0.0
        tracker.update(frame(SECOND + index * FRAME_NS, (moved, 0.0), camera=0))
        late = SECOND + index * FRAME_NS + FRAME_NS // 2
        estimate = tracker.update(frame(late, (0.0, 0.0), camera=1))
        if estimate is not None:
            speeds.append((index, np.linalg.norm(estimate.state.velocity)))
    assert len(speeds) > 270
    assert max(speed for index, speed in speeds if index > 150) < 0.05


def test_another_camera_takes_over_without_changing_the_velocity(tracker):
    """A ball that passes to a camera with 40 mm offset must keep its velocity."""
    places = straight(60)
    feed(tracker, places[:30])
    states = [
        state_after(tracker, frame(SECOND + n * FRAME_NS, places[n] + (0.0, 0.04), camera=1))
        for n in range(30, 60)
    ]
    estimate = [state for state in states if state is not None]
    assert len(estimate) > 25
    for state in estimate:
        assert state.velocity[:2] == pytest.approx((2.0, -1.0), abs=0.1)


def test_a_hand_over_is_smooth_once_the_cameras_were_compared(tracker):
    """A ball that two cameras detected at once must pass between them without a jump."""
    places = straight(90, velocity=(1.0, 0.0))
    states = []
    for n, place in enumerate(places):
        if n < 60:
            states.append(state_after(tracker, frame(SECOND + n * FRAME_NS, place)))
        if n > 30:
            late = SECOND + n * FRAME_NS + FRAME_NS // 2
            shown = place + np.array((0.04 + 0.5 / 70.0, 0.0))
            states.append(state_after(tracker, frame(late, shown, camera=1)))
    known = [state for state in states[50:] if state is not None]
    jumps = [
        np.linalg.norm(later.position - state.position - state.velocity * dt)
        for state, later in pairwise(known)
        for dt in [(later.stamp_ns - state.stamp_ns) / SECOND]
    ]
    assert max(jumps) < 2e-3


def test_several_balls_are_reported_in_order_of_rank(tracker):
    """The primary ball must stay the first, and others must follow it."""
    for n in range(60):
        shown = [(0.0, 0.0)] if n < 20 else [(2.0, 2.0), (0.0, 0.0), (-1.0, 1.0)]
        tracker.update(frame(SECOND + n * FRAME_NS, *shown))
    places = [tuple(state.position[:2].round(3)) for state, _ in tracker.balls()]
    assert places[0] == (0.0, 0.0)
    assert set(places[1:]) == {(2.0, 2.0), (-1.0, 1.0)}


def test_fifty_balls_in_a_frame_do_no_harm(tracker):
    """Balls beyond the limit must be counted, and the primary one must be kept."""
    feed(tracker, np.zeros((10, 2)))
    crowd = [(0.2 * n, 3.0) for n in range(49)]
    for n in range(10, 30):
        state = state_after(tracker, frame(SECOND + n * FRAME_NS, *crowd, (0.0, 0.0)))
    assert state.position[:2] == pytest.approx((0.0, 0.0), abs=1e-3)
    assert len(tracker.balls()) <= 10
    assert tracker.dropped['too many'] > 0


@pytest.mark.parametrize('back_s', [0.05, 0.3])
def test_a_capture_time_that_goes_back_does_no_harm(tracker, back_s):
    """Frames with an earlier capture time must not make a resting ball move."""
    for n in range(60):
        stamp_ns = SECOND + n * FRAME_NS - (round(back_s * SECOND) if 30 <= n < 40 else 0)
        state = state_after(tracker, frame(stamp_ns, (1.0, 1.0)))
    assert state.position[:2] == pytest.approx((1.0, 1.0), abs=1e-3)
    assert np.linalg.norm(state.velocity) < 0.02


@given(st.lists(st.booleans(), min_size=60, max_size=60))
def test_late_frames_are_no_kicks(held_up):
    """Frames that arrive 400 ms late must not accelerate a rolling ball."""
    tracker = make_tracker()
    places = straight(90)
    arrivals = [(n + 28 * (n >= 30 and held_up[n - 30]), n) for n in range(90)]
    for _, index in sorted(arrivals):
        state = state_after(tracker, frame(SECOND + index * FRAME_NS, places[index]))
        assert state is None or np.linalg.norm(state.velocity) < 4.0


def test_a_track_ends_with_its_lifetime(tracker):
    """A ball detected again after its lifetime must be confirmed again."""
    feed(tracker, straight(30))
    assert feed(tracker, straight(1), start=30 + 75) is None


def test_a_measured_height_is_used(tracker):
    """Where a simulator measures z, the estimate must use it."""
    times = np.arange(30) / 70.0
    flight = np.column_stack((3 * times, 0 * times, 3 * times - 4.905 * times**2))
    state = feed(tracker, [tuple(map(float, place)) for place in flight])
    assert state.position[2] == pytest.approx(flight[-1][2], abs=0.02)


@given(st.integers(0, 2**32 - 1), st.integers(0, 60))
def test_covariances_are_covariances(seed, count):
    """After any detections the covariance must be symmetric and positive semi-definite."""
    rng = np.random.default_rng(seed)
    tracker = make_tracker()
    for index in range(count):
        places = rng.uniform(-5, 5, size=(rng.integers(0, 3), 2))
        state = state_after(tracker, frame(SECOND + index * FRAME_NS, *places, camera=index % 2))
        if state is not None:
            assert np.allclose(state.covariance, state.covariance.T, rtol=1e-9, atol=1e-15)
            assert np.linalg.eigvalsh(state.covariance).min() > 0.0


def test_the_order_of_detections_in_a_frame_does_not_matter():
    """The estimate must be the same whichever ball of a frame comes first."""
    places = [(0.0, 0.0), (2.0, 2.0)]
    estimates = []
    for order in (places, places[::-1]):
        tracker = make_tracker()
        feed(tracker, np.zeros((10, 2)))
        estimates.append(state_after(tracker, frame(SECOND + 10 * FRAME_NS, *order)).position)
    assert (estimates[0] == estimates[1]).all()
