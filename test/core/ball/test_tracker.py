# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The ball's Kalman filter on raw vision."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from world_model_core.ball.estimate import SECOND
from world_model_core.ball.tracker import BallTracker, BallTrackerParameters
from world_model_core.ssl.values import BallDetection, DetectionFrame

FRAME_NS = SECOND // 70


def frame(stamp_ns, *places, camera=0):
    """Make a frame in which balls are seen at these places."""
    balls = tuple(
        BallDetection(
            *(float(v) for v in place[:2]), place[2] if len(place) > 2 else None, 1.0, (0.0, 0.0)
        )
        for place in places
    )
    return DetectionFrame(stamp_ns // FRAME_NS, camera, stamp_ns, stamp_ns + 8_000_000, balls, ())


def feed(tracker, positions, start=0):
    """Send one place a frame; return what the tracker said last."""
    state = None
    for index, position in enumerate(positions, start):
        state = tracker.update(frame(SECOND + index * FRAME_NS, position))
    return state


@pytest.fixture
def tracker():
    """Make a tracker with default parameters."""
    return BallTracker(BallTrackerParameters())


def straight(count, velocity=(2.0, -1.0), start=(0.0, 0.0)):
    """Place a ball that moves uniformly, a row a frame."""
    times = np.arange(count) / 70.0
    return np.asarray(start) + times[:, None] * np.asarray(velocity)


def test_a_rolling_ball_is_followed_with_its_velocity(tracker):
    """After half a second position and velocity must be those of the ball."""
    state = feed(tracker, straight(35))
    assert state.position[:2] == pytest.approx(straight(35)[-1], abs=1e-3)
    assert state.velocity[:2] == pytest.approx((2.0, -1.0), abs=0.05)


def test_one_detection_is_no_ball_yet(tracker):
    """A ball must have been seen in three consistent frames."""
    assert feed(tracker, straight(2)) is None
    assert feed(tracker, straight(3)[2:], start=2) is not None


def test_a_false_ball_far_away_is_ignored(tracker):
    """A second ball for a frame must not pull the estimate."""
    feed(tracker, straight(30))
    true_place = straight(31)[-1]
    state = tracker.update(frame(SECOND + 30 * FRAME_NS, (4.0, 4.0), true_place))
    assert state.position[:2] == pytest.approx(true_place, abs=5e-3)


def test_what_no_ball_could_reach_is_another_ball(tracker):
    """Even a track just begun must not jump metres in a moment, however unsure it is."""
    feed(tracker, np.zeros((4, 2)))
    state = tracker.update(frame(SECOND + 8 * FRAME_NS, (3.6, 0.0)))
    assert state is None


def test_a_ball_that_was_moved_is_believed_after_three_frames(tracker):
    """A ball that vanishes here and is seen there three times must be there."""
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


def test_a_frame_without_a_ball_says_nothing(tracker):
    """Another camera's empty frame must give no estimate and do no harm."""
    feed(tracker, straight(30))
    assert tracker.update(frame(SECOND + 30 * FRAME_NS)) is None
    assert feed(tracker, straight(32)[31:], start=31) is not None


def test_a_late_frame_of_another_camera_is_brought_forward(tracker):
    """A frame captured before the last one must not pull a moving ball back."""
    feed(tracker, straight(35, velocity=(4.0, 0.0)))
    state = tracker.update(
        frame(
            SECOND + 34 * FRAME_NS - FRAME_NS // 2,
            straight(35, (4.0, 0.0))[-1] - (2.0 / 70.0, 0.0),
        )
    )
    assert state.position[0] == pytest.approx(straight(35, (4.0, 0.0))[-1][0], abs=2e-3)


def test_two_cameras_that_disagree_do_not_shake_the_ball(tracker):
    """A resting ball that two cameras see 40 mm apart must rest, seen by one of them."""
    for index in range(70):
        tracker.update(frame(SECOND + index * FRAME_NS, (0.0, 0.0), camera=0))
        late = SECOND + index * FRAME_NS + FRAME_NS // 2
        assert tracker.update(frame(late, (0.04, 0.0), camera=1)) is None
    state = tracker.update(frame(SECOND + 70 * FRAME_NS, (0.0, 0.0), camera=0))
    assert state.position == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
    assert state.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-2)


def test_another_camera_takes_over_without_changing_the_velocity(tracker):
    """A ball that leaves one camera's view must go on in another's, 40 mm aside, as fast."""
    places = straight(60)
    feed(tracker, places[:30])
    told = [
        tracker.update(frame(SECOND + n * FRAME_NS, places[n] + (0.0, 0.04), camera=1))
        for n in range(30, 60)
    ]
    seen = [state for state in told if state is not None]
    assert len(seen) > 25
    assert seen[0].position[:2] == pytest.approx(places[60 - len(seen)] + (0.0, 0.04), abs=2e-3)
    for state in seen:
        assert state.velocity[:2] == pytest.approx((2.0, -1.0), abs=0.1)


@given(st.lists(st.booleans(), min_size=60, max_size=60))
def test_late_frames_are_no_kicks(held_up):
    """Frames that come 400 ms after their turn must not make a rolling ball race."""
    tracker = BallTracker(BallTrackerParameters())
    places = straight(90)
    arrivals = [(n + 28 * (n >= 30 and held_up[n - 30]), n) for n in range(90)]
    for _, index in sorted(arrivals):
        state = tracker.update(frame(SECOND + index * FRAME_NS, places[index]))
        assert state is None or np.linalg.norm(state.velocity) < 4.0


def test_a_track_ends_with_its_life(tracker):
    """A ball seen again after more than its life must be confirmed anew."""
    feed(tracker, straight(30))
    assert feed(tracker, straight(1), start=30 + 75) is None


def test_a_measured_height_is_used(tracker):
    """Where a simulator measures z, the estimate must have it."""
    times = np.arange(30) / 70.0
    flight = np.column_stack((3 * times, 0 * times, 3 * times - 4.905 * times**2))
    state = feed(tracker, [tuple(map(float, place)) for place in flight])
    assert state.position[2] == pytest.approx(flight[-1][2], abs=0.02)


@given(st.integers(0, 2**32 - 1), st.integers(0, 60))
def test_covariances_are_covariances(seed, count):
    """Whatever is seen, the covariance must be symmetric and positive semi-definite."""
    rng = np.random.default_rng(seed)
    tracker = BallTracker(BallTrackerParameters())
    for index in range(count):
        places = rng.uniform(-5, 5, size=(rng.integers(0, 3), 2))
        state = tracker.update(frame(SECOND + index * FRAME_NS, *places, camera=index % 2))
        if state is not None:
            assert np.allclose(state.covariance, state.covariance.T, rtol=1e-9, atol=1e-15)
            assert np.linalg.eigvalsh(state.covariance).min() > 0.0


def test_the_order_of_detections_in_a_frame_does_not_matter():
    """The estimate must be the same whichever ball of a frame comes first."""
    places = [(0.0, 0.0), (2.0, 2.0)]
    estimates = []
    for order in (places, places[::-1]):
        tracker = BallTracker(BallTrackerParameters())
        feed(tracker, np.zeros((10, 2)))
        estimates.append(tracker.update(frame(SECOND + 10 * FRAME_NS, *order)).position)
    assert (estimates[0] == estimates[1]).all()


def test_the_filter_is_as_sure_as_it_is_right():
    """NEES of balls that move as the filter assumes must be chi-square distributed."""
    parameters = BallTrackerParameters()
    rng = np.random.default_rng(11)
    runs, frames, errors = 60, 60, []
    root = np.linalg.cholesky(_step_noise(parameters.acceleration_density))
    for _ in range(runs):
        tracker = BallTracker(parameters)
        truth = np.column_stack((rng.uniform(-1, 1, 2), rng.uniform(-1, 1, 2)))
        for index in range(frames):
            truth[:, 0] += truth[:, 1] * FRAME_NS / SECOND
            truth += (root @ rng.normal(size=(2, 2))).T
            seen = truth[:, 0] + rng.normal(0.0, parameters.position_std, 2)
            state = tracker.update(frame(SECOND + index * FRAME_NS, seen))
        error = np.concatenate(
            (truth[:, 0] - state.position[:2], truth[:, 1] - state.velocity[:2])
        )
        chosen = np.ix_([0, 1, 3, 4], [0, 1, 3, 4])
        errors.append(error @ np.linalg.solve(state.covariance[chosen], error))
    low, high = chi2.ppf((0.005, 0.995), 4 * runs) / runs
    assert low < np.mean(errors) < high


def _step_noise(density):
    dt = FRAME_NS / SECOND
    return density * np.array(((dt**3 / 3, dt**2 / 2), (dt**2 / 2, dt)))
