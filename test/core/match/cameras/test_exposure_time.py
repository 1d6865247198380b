# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""When pictures were really taken."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.exposure_time import LIMIT_NS, ExposureClock
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.values import BallDetection, DetectionFrame, RobotDetection, Team
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

START_NS = 1_700_000_000 * SECOND
PERIOD_NS = 13_644_000
# Of one place [m]; the match has 0.5 mm.
NOISE = 0.0005


def picture(number, exposure_ns, late_ns=0, *, speed=3.0, camera_id=0, rng=None):
    """See a ball and two robots that run and turn, where they are when the shutter opens."""
    t = (exposure_ns - START_NS) / SECOND
    dx, dy = (0.0, 0.0) if rng is None else rng.normal(0.0, NOISE, 2)
    x, y = np.sin(speed * t) + dx, np.cos(speed * t) + dy
    capture_ns = exposure_ns + int(late_ns)
    return DetectionFrame(
        number,
        camera_id,
        capture_ns,
        capture_ns + 10_000_000,
        (BallDetection(x, y, None, 1.0, (0.0, 0.0)),),
        tuple(
            RobotDetection(team, 3, x + place, y, 0.0, 1.0, (0.0, 0.0))
            for team, place in ((Team.BLUE, 1.0), (Team.YELLOW, 2.0))
        ),
    )


def late_pictures(count, seed=1, *, first=7, period_ns=PERIOD_NS, begin_ns=START_NS, speed=3.0):
    """Take pictures at even intervals whose stamps are late at times, as in a real match."""
    rng = np.random.default_rng(seed)
    late = np.abs(rng.normal(0.0, 200_000, count)) + (rng.random(count) < 0.15) * (
        rng.exponential(2_500_000, count)
    )
    late = np.minimum(late, 6_000_000)
    return [
        picture(first + i, begin_ns + i * period_ns, late[i], speed=speed, rng=rng)
        for i in range(count)
    ]


LATE_PICTURES = late_pictures(300)


def unevenness(frames, instants_ns):
    """Tell how far stamps or exposures are from even intervals, whatever these are [ms]."""
    numbers = np.array([frame.frame_number for frame in frames]) - frames[0].frame_number
    times = (np.array(instants_ns) - instants_ns[0]) / 1e6
    line = np.polyfit(numbers, times, 1)
    return (times - np.polyval(line, numbers)).std()


def improves(frames, told_ns):
    """Tell whether what was told is clearly more even than what was stamped."""
    return unevenness(frames, told_ns) < 0.5 * unevenness(
        frames, [frame.capture_ns for frame in frames]
    )


def observe_all(clock, frames):
    """Show all frames."""
    return [clock.observe(frame) for frame in frames]


def a_running_clock(count=300):
    """Make a clock that has found out how late stamps are, by what was seen."""
    clock, frames = ExposureClock(), LATE_PICTURES[:count]
    told_ns = observe_all(clock, frames)
    assert all(told_ns[i] != frames[i].capture_ns for i in (-2, -1))
    return clock


def recorded(path):
    """Read what vision saw."""
    packets = (
        decode_vision(message.data)
        for message in RecordingReader(path)
        if message.kind is MessageKind.VISION_2014
    )
    return [packet.detection for packet in packets if packet.detection]


@pytest.mark.parametrize('seed', range(5))
def test_late_stamps_of_even_exposures_are_seen_through(seed):
    """After two seconds with moving things the instants must be twice as good at least."""
    frames = late_pictures(450, seed)
    told_ns = observe_all(ExposureClock(), frames)
    assert improves(frames[150:], told_ns[150:])


@pytest.mark.parametrize('seed', range(5))
def test_exact_stamps_of_uneven_exposures_are_kept(seed):
    """A simulator that works unevenly and stamps exactly must be believed, always."""
    rng = np.random.default_rng(seed)
    instants_ns = START_NS + np.cumsum(rng.integers(14_500_000, 15_600_000, 600))
    frames = [picture(i, int(now_ns), rng=rng) for i, now_ns in enumerate(instants_ns)]
    told_ns = observe_all(ExposureClock(), frames)
    assert told_ns == [frame.capture_ns for frame in frames]


@pytest.mark.parametrize('late_ns', [0, 3_000_000])
def test_exact_stamps_of_even_exposures_are_kept(late_ns):
    """Where both clocks agree, also about a steady delay, stamps must stay as they are."""
    rng = np.random.default_rng(2)
    frames = [picture(i, START_NS + i * PERIOD_NS, late_ns, rng=rng) for i in range(300)]
    told_ns = observe_all(ExposureClock(), frames)
    assert told_ns == [frame.capture_ns for frame in frames]


def test_without_moving_things_stamps_are_kept():
    """Nothing tells which clock is the better one while all stand: stamps must count."""
    frames = late_pictures(300, speed=0.0)
    told_ns = observe_all(ExposureClock(), frames)
    assert told_ns == [frame.capture_ns for frame in frames]


def test_a_camera_whose_stamps_become_exact_is_believed_again():
    """What was found out once must not outlive what the things that move show now."""
    clock, rng = a_running_clock(), np.random.default_rng(3)
    begin_ns = START_NS + 300 * PERIOD_NS
    instants_ns = begin_ns + np.cumsum(rng.integers(10_000_000, 18_000_000, 1500))
    frames = [picture(307 + i, int(now_ns), rng=rng) for i, now_ns in enumerate(instants_ns)]
    told_ns = observe_all(clock, frames)
    assert told_ns[-100:] == [frame.capture_ns for frame in frames[-100:]]


def test_after_a_reset_stamps_are_kept_at_first():
    """A clock that was reset must have forgotten the cameras."""
    clock = a_running_clock()
    clock.reset()
    frames = late_pictures(12, seed=5)
    assert observe_all(clock, frames) == [frame.capture_ns for frame in frames]


@pytest.mark.parametrize(
    'numbered',
    [
        lambda i: i if i < 200 else i + 1_000,
        lambda i: i if i < 200 else i - 200,
        lambda i: (2**32 - 200 + i) % 2**32,
        lambda i: i if i < 200 else i + 5,
    ],
    ids=['jump', 'restart', 'overflow', 'small jump'],
)
def test_frame_numbers_may_begin_anew(numbered):
    """Shortly after numbers leapt the exposures must be known as well as before."""
    frames = late_pictures(400, first=0)
    clock = ExposureClock()
    told_ns = [clock.observe(replace(f, frame_number=numbered(f.frame_number))) for f in frames]
    assert improves(frames[250:], told_ns[250:])
    assert improves(frames[100:190], told_ns[100:190])


@pytest.mark.parametrize('number', [0, 7])
def test_frame_numbers_that_stand_still_tell_nothing(number):
    """A sender that does not count must be believed about its stamps."""
    clock = ExposureClock()
    for frame in late_pictures(300):
        assert clock.observe(replace(frame, frame_number=number)) == frame.capture_ns


def test_lost_late_and_repeated_pictures_do_no_harm():
    """One in ten lost, one in ten after its follower, one in ten twice: the rest must be told."""
    rng = np.random.default_rng(4)
    frames = [frame for frame in late_pictures(600) if rng.random() > 0.1]
    for i in range(0, len(frames) - 1, 10):
        frames[i], frames[i + 1] = frames[i + 1], frames[i]
    frames = list(
        itertools.chain.from_iterable([f] * (2 if rng.random() < 0.1 else 1) for f in frames)
    )
    told_ns = observe_all(ExposureClock(), frames)
    newest = np.maximum.accumulate([frame.frame_number for frame in frames])
    usual = [i for i in range(200, len(frames)) if frames[i].frame_number > newest[i - 1]]
    assert improves([frames[i] for i in usual], [told_ns[i] for i in usual])


def test_another_rate_is_followed():
    """A camera that is set from 73 to 60 Hz must be known again within a second."""
    clock = a_running_clock(300)
    begin_ns = START_NS + 300 * PERIOD_NS
    frames = late_pictures(300, seed=6, first=307, period_ns=16_667_000, begin_ns=begin_ns)
    told_ns = observe_all(clock, frames)
    assert improves(frames[60:], told_ns[60:])


def test_cameras_are_told_apart():
    """A camera that stamps exactly must be left alone beside one that does not."""
    clock, rng = ExposureClock(), np.random.default_rng(8)
    late = late_pictures(300)
    told_ns = []
    for frame in late:
        told_ns.append(clock.observe(frame))
        exact_ns = START_NS + frame.frame_number * 15_000_000 + int(rng.integers(0, 600_000))
        exact = picture(frame.frame_number, exact_ns, camera_id=1, rng=rng)
        assert clock.observe(exact) == exact.capture_ns
    assert improves(late[150:], told_ns[150:])


def test_cameras_without_end_are_left_alone():
    """No more cameras than a field has may be remembered, and all must be answered."""
    clock = ExposureClock()
    for frame in late_pictures(150):
        for camera_id in range(MOST_CAMERAS):
            clock.observe(replace(frame, camera_id=camera_id))
    for frame in late_pictures(300):
        other = replace(frame, camera_id=MOST_CAMERAS)
        assert clock.observe(other) == frame.capture_ns


@given(
    st.lists(
        st.tuples(
            st.one_of(st.just(1), st.integers(0, 12), st.integers(-(2**32), 2**32)),
            st.one_of(
                st.integers(PERIOD_NS - LIMIT_NS, PERIOD_NS + LIMIT_NS),
                st.just(0),
                st.integers(-SECOND, SECOND),
                st.integers(-(2**62), 2**62),
            ),
        ),
        max_size=60,
    )
)
def test_whatever_comes_exposures_stay_near_their_stamps(steps):
    """Any numbers and stamps must give instants near the stamps that go back only with them."""
    clock = a_running_clock(60)
    number, now_ns, last_ns = 66, START_NS + 59 * PERIOD_NS, 0
    for more, elapsed_ns in steps:
        number, now_ns = (number + more) % 2**32, now_ns + elapsed_ns
        frame = replace(LATE_PICTURES[59], frame_number=number, capture_ns=now_ns)
        told_ns = clock.observe(frame)
        assert abs(told_ns - now_ns) <= LIMIT_NS
        assert told_ns >= last_ns or elapsed_ns < 0
        last_ns = told_ns


def test_a_real_match_is_seen_through(shared_data):
    """Once it is known, both cameras' exposures must be even to half of what stamps are."""
    frames = recorded(shared_data('ssl/match_2022_part1.log.gz'))
    clock = ExposureClock()
    told = [(frame, clock.observe(frame)) for frame in frames]
    for camera_id in (0, 1):
        mine = [each for each in told if each[0].camera_id == camera_id][60:]
        seen, told_ns = zip(*mine, strict=True)
        assert improves(seen, told_ns)


@pytest.mark.parametrize(
    'name',
    ['straight_noisefree', 'chip_noisefree', 'straight_realistic', 'chip_realistic'],
)
def test_a_simulator_is_believed(shared_data, name):
    """Its stamps are exact, though not even: not one may be changed."""
    clock = ExposureClock()
    for frame in recorded(shared_data(f'ssl/sim_{name}.log.gz')):
        assert clock.observe(frame) == frame.capture_ns
