# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The measurement queue processes messages by their stamps and rejects invalid ones."""

import math
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.localization.measurement_queue import (
    MAX_WAITING,
    MeasurementQueue,
    PoseFix,
    QueueLimits,
)
from world_model_core.localization.particle_filter import ParticleFilter
from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
from world_model_core.localization.pose_estimators import (
    CorrectionResult,
    KalmanEstimator,
    ParticleEstimator,
    PoseEstimate,
)
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.motion_parameters import LNPR as MOTION
from world_model_core.uncertainty.observation_parameters import LNPR as SENSOR
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.range_bearing import observe_exactly
from world_model_core.uncertainty.unicycle import move

LANDMARKS = np.array(((-4.0, 2.0), (2.0, -3.0), (3.0, 3.0)))
BEGINNING = PoseEstimate(np.array((1.0, 2.0, 0.5)), np.diag((0.01, 0.01, 0.01)))
COMMAND = np.array((0.2, 0.3))
START, STEP = 100 * SECOND, SECOND // 10
LIMITS = QueueLimits(max_delay=0.5, max_odometry_gap=2.0, max_speed=5.0, max_turn_rate=10.0)
NOTHING = np.full((3, 2), np.nan)
METRES = st.floats(-10.0, 10.0)
POSES = st.tuples(METRES, METRES, st.floats(-3.0, 3.0)).map(np.array)


class DeadReckoning:
    """A filter that follows the odometry, and records its calls."""

    def __init__(self):
        self.pose, self.noted, self.begun = np.zeros(3), [], 0

    @property
    def estimate(self):
        """Return the pose."""
        return PoseEstimate(self.pose, np.eye(3))

    def begin(self, beginning):
        """Return to the start."""
        self.pose, self.noted, self.begun = beginning.pose, [], self.begun + 1

    def predict(self, command, dt):
        """Move along an arc."""
        self.pose = move(self.pose[None], command[None], dt)[0]

    def correct(self, readings):
        """Record the readings."""
        self.noted.append(readings[0, 0])
        return CorrectionResult(np.zeros(3, dtype=bool), np.full(3, np.nan))


class Ride:
    """A robot that drives a circle, and its measurement queue."""

    def __init__(self, estimator=None, **given):
        self.filter, self.refused = estimator or DeadReckoning(), Counter()
        begin = partial(self.filter.begin, BEGINNING)
        self.follower = MeasurementQueue(self.filter, begin, LIMITS._replace(**given), self.refuse)

    def refuse(self, cause, detail):
        """Count dropped messages by cause."""
        assert isinstance(detail, str)
        self.refused[cause] += 1

    def drive(self, step):
        """Add odometry after a number of steps, which may be a fraction."""
        return self.follower.add_odometry(START + round(step * STEP), ridden(step))

    def look(self, step):
        """Add a set of missing readings."""
        readings = NOTHING.copy()
        readings[0, 0] = step
        return self.follower.add_readings(START + round(step * STEP), readings)


def ridden(step):
    """Return odometry after a number of steps."""
    return move(np.zeros((1, 3)), COMMAND[None], 0.1 * step)[0]


def expected(step):
    """Return the pose of the robot after a number of steps."""
    return move(BEGINNING.pose[None], COMMAND[None], 0.1 * step)[0]


@given(POSES, POSES)
def test_the_frame_of_odometry_makes_both_say_the_same(estimated, told):
    """Odometry, transformed by the published frame, must be the pose of the robot."""
    frame = PoseFix(0, PoseEstimate(estimated, np.eye(3)), told, None).odometry_frame
    turn = np.array(((math.cos(frame[2]), -math.sin(frame[2])),
                     (math.sin(frame[2]), math.cos(frame[2]))))  # fmt: skip
    assert np.allclose(frame[:2] + turn @ told[:2], estimated[:2])
    assert frame[2] + told[2] == pytest.approx(estimated[2])


@given(st.lists(st.floats(-4.5, 4.5), min_size=8, max_size=8), st.sets(st.integers(1, 7)))
def test_the_order_of_messages_makes_no_difference(delays, lost):
    """Readings may arrive before or after their odometry, which may be lost, within max_delay."""
    ride, steps = Ride(max_delay=1.5), range(1, 9)
    # Readings of one sensor arrive in order.
    comes = np.maximum.accumulate(np.array(steps) + delays)
    messages = [(when, step, ride.look) for when, step in zip(comes, steps, strict=True)]
    messages += [(step, step, ride.drive) for step in range(9) if step not in lost]
    messages.sort(key=lambda each: (each[1] != 0, each[0]))
    found = [fix for _, step, tell in messages for fix in tell(step)]
    assert [fix.stamp_ns for fix in found] == [START + step * STEP for step in steps]
    for step, fix in zip(steps, found, strict=True):
        assert np.allclose(fix.estimate.pose, expected(step))
        assert np.allclose(fix.odometry, ridden(step))
    assert ride.filter.noted == list(steps)
    assert not ride.refused


def test_looks_are_taken_in_at_their_instant():
    """Between two messages of odometry the robot is on the arc between them."""
    ride = Ride()
    ride.drive(0)
    assert not ride.look(0.25)
    (fix,) = ride.drive(1)
    assert np.allclose(fix.estimate.pose, expected(0.25))
    assert np.allclose(fix.odometry, ridden(0.25))
    (fix,) = ride.look(0.75)
    assert np.allclose(fix.estimate.pose, expected(0.75))


def test_looks_that_come_in_another_order_are_put_in_theirs():
    """While readings wait for odometry, they are sorted by their stamps."""
    ride = Ride()
    ride.drive(0)
    assert not [*ride.look(3), *ride.look(1), *ride.look(2)]
    assert [fix.stamp_ns for fix in ride.drive(3)] == [START + step * STEP for step in (1, 2, 3)]
    assert ride.filter.noted == [1.0, 2.0, 3.0]


def test_who_sees_nothing_is_followed_all_the_same():
    """Without readings, odometry is processed once no earlier reading can arrive."""
    ride = Ride()
    found = [fix for step in range(11) for fix in ride.drive(step)]
    assert [fix.stamp_ns for fix in found] == [START + step * STEP for step in range(1, 6)]
    assert np.allclose(found[-1].estimate.pose, expected(5))
    assert found[-1].correction is None
    assert not ride.look(5)
    assert ride.refused == {'landmarks.late': 1}


def test_a_look_at_the_first_odometry_counts():
    """Readings at the first odometry correct the initial estimate."""
    ride = Ride()
    ride.drive(0)
    (fix,) = ride.look(0)
    assert np.allclose(fix.estimate.pose, BEGINNING.pose)
    assert not ride.look(0)
    assert ride.refused == {'landmarks.repeated': 1}


def test_of_one_instant_one_look_is_taken_in():
    """A second set of the same instant, before or after its odometry, is counted."""
    ride = Ride()
    ride.drive(0)
    ride.drive(2)
    assert len(ride.look(1)) == 1
    assert not ride.look(1)
    assert not [*ride.look(3), *ride.look(3)]
    assert len(ride.drive(3)) == 1
    assert ride.refused == {'landmarks.repeated': 2}
    assert ride.filter.noted == [1.0, 3.0]


def test_looks_that_cannot_be_placed_are_refused():
    """Readings before any odometry, and far ahead of it, are dropped."""
    ride = Ride()
    ride.look(0)
    ride.drive(0)
    ride.look(6)
    assert ride.refused == {'landmarks.before odom': 1, 'landmarks.ahead of odom': 1}
    ride.look(3)
    ride.look(3)
    assert len(ride.drive(3)) == 1
    assert ride.refused['landmarks.repeated'] == 1


def test_looks_do_not_wait_without_end():
    """When too many readings wait, the oldest are dropped."""
    ride = Ride()
    ride.drive(0)
    for number in range(MAX_WAITING + 5):
        ride.look(1 + number / 100)
    assert ride.refused == {'landmarks.too many wait for odom': 5}
    assert len(ride.drive(5)) == MAX_WAITING


def test_odometry_that_cannot_be_used_is_refused():
    """Repeated or old messages change nothing, and the estimate goes on."""
    ride = Ride()
    for step in (0, 1, 2, 1.5, 2, 3, 2.5, 4):
        ride.drive(step)
    (fix,) = ride.look(4)
    assert np.allclose(fix.estimate.pose, expected(4))
    assert ride.refused == {'odom.out of order': 2}
    assert ride.filter.begun == 1


def test_all_begins_anew_when_time_goes_back():
    """As after a reset of a simulator: older waiting readings are dropped and counted."""
    ride = Ride()
    for step in (0, 1, 2):
        ride.drive(step)
    ride.look(4)
    for step in (-8, -7):
        ride.drive(step)
    assert ride.refused == {'clock.jumped back': 1, 'landmarks.given up': 1}
    assert ride.filter.begun == 2
    for step in (-8, -7):
        (fix,) = ride.look(step)
        assert np.allclose(fix.estimate.pose, expected(step + 8))


@given(st.permutations(range(1, 11)))
def test_no_order_of_odometry_takes_a_robot_elsewhere(order):
    """Odometry out of order by less than max_delay is dropped without an effect on the result."""
    ride, newest = Ride(max_delay=1.5), 0
    ride.drive(0)
    for step in order:
        ride.drive(step)
        newest = max(newest, step)
        for fix in ride.look(newest):
            assert np.allclose(fix.estimate.pose, expected(newest))
            assert np.allclose(fix.odometry, ridden(newest))
    ride.drive(11)
    (fix,) = ride.look(11)
    assert np.allclose(fix.estimate.pose, expected(11))
    assert ride.filter.begun == 1
    assert set(ride.refused) <= {'odom.out of order', 'landmarks.repeated'}


@given(st.floats(0.001, 0.99), st.integers(1, 30), st.floats(0.0, 4.5))
def test_a_clock_that_is_set_back_takes_nobody_elsewhere(back, after, speed):
    """By less than max_delay: after the newest stamp the estimate goes on as before."""
    ride, stamps = Ride(max_delay=1.0, max_speed=10.0), []
    for number in range(after + 60):
        late = round(back * SECOND) if number >= after else 0
        stamp_ns = START + number * SECOND // 50 - late
        pose = np.array((0.02 * speed * number, 0.0, 0.0))
        found = [
            *ride.follower.add_odometry(stamp_ns, pose),
            *ride.follower.add_readings(stamp_ns, NOTHING),
        ]
        stamps += [fix.stamp_ns for fix in found]
        last = found[-1].estimate.pose if found else None
    moved = math.hypot(*(last - BEGINNING.pose)[:2])
    assert moved == pytest.approx(0.02 * speed * (after + 59), abs=1e-9)
    assert stamps == sorted(set(stamps))
    assert not {'clock.jumped back', 'odom.jumped'} & set(ride.refused)
    assert ride.filter.begun == 1


def test_a_simulator_that_is_reset_at_once_is_followed():
    """Within max_delay odometry goes back as time does, and then repeats its path."""
    ride = Ride()
    for step in (0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5):
        ride.drive(step)
    (fix,) = ride.look(5)
    assert np.allclose(fix.estimate.pose, expected(5))
    assert ride.refused == {'odom.out of order': 4}


def test_a_repeated_stamp_is_no_time_that_goes_back():
    """Repeated odometry means no motion; another pose of the same instant is rejected."""
    ride = Ride()
    for step in (0, 1, 1, 1):
        ride.drive(step)
    assert not ride.refused
    ride.follower.add_odometry(START + STEP, ridden(2))
    ride.follower.add_odometry(START + STEP, ridden(3))
    assert ride.refused == {'odom.contradicting': 2}
    assert ride.filter.begun == 1
    (fix,) = ride.look(1)
    assert np.allclose(fix.estimate.pose, expected(1))


def test_gaps_are_told_and_bridged():
    """After a gap the robot is moved by one arc to the end of its odometry."""
    ride = Ride()
    ride.drive(0)
    ride.drive(25)
    (fix,) = ride.look(25)
    assert np.allclose(fix.estimate.pose, expected(25))
    assert ride.refused == {'odom.gap': 1}


def test_a_day_without_odometry_is_another_time():
    """A clock that jumps far ahead restarts the queue."""
    ride = Ride()
    ride.drive(0)
    ride.drive(900_000)
    assert ride.refused == {'clock.jumped ahead': 1}
    assert ride.filter.begun == 2


@pytest.mark.parametrize('far', [(0.3, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, 1.0)])
def test_odometry_that_was_set_moves_nobody(far):
    """Odometry above the largest speed or turn rate is a jump, from which the estimate goes on."""
    ride = Ride(max_speed=2.0, max_turn_rate=5.0)
    ride.drive(0)
    far = np.array(far)
    ride.follower.add_odometry(START + STEP, far)
    after = move(far[None], COMMAND[None], 0.1)[0]
    ride.follower.add_odometry(START + 2 * STEP, after)
    (fix,) = ride.look(2)
    assert np.allclose(fix.estimate.pose, expected(1))
    assert ride.refused == {'odom.jumped': 1}


def test_odometry_that_restarts_at_zero_is_followed_from_there():
    """A jump by five meters back is not motion; motion after it is."""
    ride = Ride()
    for number in range(50):
        ride.follower.add_odometry(START + number * STEP, np.array((0.1 * number, 0.0, 0.0)))
    for number in range(50, 55):
        odometry = np.array((0.1 * (number - 50), 0.0, 0.0))
        ride.follower.add_odometry(START + number * STEP, odometry)
    (fix,) = ride.follower.add_readings(START + 54 * STEP, NOTHING)
    along = 5.3 * np.array((math.cos(0.5), math.sin(0.5)))
    assert np.allclose(fix.estimate.pose[:2], BEGINNING.pose[:2] + along)
    assert ride.refused == {'odom.jumped': 1}


def test_stamps_may_jitter():
    """Motion between two messages of nearly the same stamp is kept."""
    ride = Ride()
    ride.drive(0)
    ride.follower.add_odometry(START + 1, ridden(1))
    ride.follower.add_odometry(START + 2 * STEP, ridden(2))
    (fix,) = ride.look(2)
    assert np.allclose(fix.estimate.pose, expected(2))
    assert not ride.refused


def test_a_belief_can_be_given():
    """A pose holds at the newest odometry, or at the first one; also after a reset."""
    ride, given_pose = Ride(), PoseEstimate(np.array((5.0, 5.0, 0.0)), np.eye(3))
    ride.follower.begin(given_pose)
    ride.drive(0)
    (fix,) = ride.look(0)
    assert np.allclose(fix.estimate.pose, given_pose.pose)
    ride.drive(1)
    ride.drive(2)
    ride.look(2.5)
    newer = PoseEstimate(np.array((6.0, 7.0, 1.0)), np.eye(3))
    ride.follower.begin(newer)
    (fix,) = ride.look(2)
    assert np.allclose(fix.estimate.pose, newer.pose)
    ride.drive(-10)
    (fix,) = ride.look(-10)
    assert np.allclose(fix.estimate.pose, newer.pose)
    assert ride.refused == {'landmarks.given up': 1, 'clock.jumped back': 1}


PLACES = st.floats(-1e6, 1e6)
READINGS = st.tuples(st.just(math.nan) | st.floats(0.0, 1e6), st.floats(-math.pi, math.pi))
MESSAGES = st.one_of(
    st.tuples(st.just('add_odometry'), st.tuples(PLACES, PLACES, st.floats(-4.0, 4.0))),
    st.tuples(st.just('add_readings'), st.lists(READINGS, min_size=3, max_size=3)),
)


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(-(10**11), 10**11) | st.integers(0, 10**9), MESSAGES)),
    st.booleans(),
)
def test_any_messages_leave_a_pose(messages, by_particles):
    """Whatever the order of messages, no filter fails, and the estimates are finite."""
    estimator = KalmanEstimator(ExtendedKalmanFilter(MOTION, SENSOR), LANDMARKS)
    if by_particles:
        pose_filter = ParticleFilter(VelocityNoiseParameters(), KidnapParameters(), SENSOR, 20)
        estimator = ParticleEstimator(pose_filter, LANDMARKS, Draws(1), KidnapParameters())
    ride = Ride(estimator)
    for stamp_ns, (kind, values) in messages:
        for fix in getattr(ride.follower, kind)(START + stamp_ns, np.array(values)):
            assert np.isfinite(fix.estimate.pose).all()
            assert np.isfinite(fix.estimate.covariance).all()
            assert np.isfinite(fix.odometry_frame).all()


def test_a_filter_followed_is_the_filter_itself():
    """With messages a Kalman filter must give the same result as with direct calls."""
    pose_filter = ExtendedKalmanFilter(MOTION, SENSOR)
    ride = Ride(KalmanEstimator(pose_filter, LANDMARKS))
    state = pose_filter.begin(BEGINNING.pose[None], BEGINNING.covariance)
    ride.drive(0)
    for step in range(1, 20):
        readings = observe_exactly(expected(step)[None], LANDMARKS)
        state = pose_filter.predict(state, COMMAND[None], 0.1)
        state, used, nis = pose_filter.correct(state, readings, LANDMARKS)
        ride.drive(step)
        (fix,) = ride.follower.add_readings(START + step * STEP, readings[0])
    assert np.allclose(fix.estimate.pose, state.poses[0])
    assert np.allclose(fix.estimate.covariance, state.pose_covariances[0])
    assert (fix.correction.used == used[0]).all()
    assert np.allclose(fix.correction.nis, nis[0])
