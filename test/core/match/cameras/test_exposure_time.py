# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimation of the true exposure times of frames."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.match.cameras.bias import MOST_CAMERAS
from world_model_core.match.cameras.exposure_time import LIMIT_NS, ExposureClock
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.robot_id import Team
from world_model_core.match.ssl.value_limits import SECONDS
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame, RobotDetection
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

START_NS = 1_700_000_000 * SECOND
PERIOD_NS = 13_644_000
# Of one position [m]; the match has 0.5 mm.
NOISE = 0.0005


def picture(number, exposure_ns, late_ns=0, *, speed=3.0, camera_id=0, rng=None):
    """Make a frame of a ball and two moving robots, at their positions during the exposure."""
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


def late_frames(count, seed=1, *, first=7, period_ns=PERIOD_NS, begin_ns=START_NS, speed=3.0):
    """Make frames at even intervals whose stamps are sometimes late, as in a real match."""
    rng = np.random.default_rng(seed)
    late = np.abs(rng.normal(0.0, 200_000, count)) + (rng.random(count) < 0.15) * (
        rng.exponential(2_500_000, count)
    )
    late = np.minimum(late, 6_000_000)
    return [
        picture(first + i, begin_ns + i * period_ns, late[i], speed=speed, rng=rng)
        for i in range(count)
    ]


LATE_FRAMES = late_frames(300)


def unevenness(frames, instants_ns):
    """Return the deviation of stamps or exposure times from even intervals [ms]."""
    numbers = np.array([frame.frame_number for frame in frames]) - frames[0].frame_number
    times = (np.array(instants_ns) - instants_ns[0]) / 1e6
    line = np.polyfit(numbers, times, 1)
    return (times - np.polyval(line, numbers)).std()


def improves(frames, exposures_ns):
    """Return whether the estimated times are clearly more even than the stamps."""
    return unevenness(frames, exposures_ns) < 0.5 * unevenness(
        frames, [frame.capture_ns for frame in frames]
    )


def observe_all(clock, frames):
    """Process all frames."""
    return [clock.observe(frame) for frame in frames]


def a_running_clock(count=300):
    """Make a clock that has estimated the delays of the stamps."""
    clock, frames = ExposureClock(), LATE_FRAMES[:count]
    exposures_ns = observe_all(clock, frames)
    assert all(exposures_ns[i] != frames[i].capture_ns for i in (-2, -1))
    return clock


def recorded(path):
    """Read the recorded vision frames."""
    packets = (
        decode_vision(message.data)
        for message in RecordingReader(path)
        if message.kind is MessageKind.VISION_2014
    )
    return [packet.detection for packet in packets if packet.detection]


@pytest.mark.parametrize('seed', range(5))
def test_late_stamps_of_even_exposures_are_corrected(seed):
    """After two seconds with moving objects the times must be at least twice as even."""
    frames = late_frames(450, seed)
    exposures_ns = observe_all(ExposureClock(), frames)
    assert improves(frames[150:], exposures_ns[150:])


@pytest.mark.parametrize('seed', range(5))
def test_exact_stamps_of_uneven_exposures_are_kept(seed):
    """The exact stamps of a simulator with uneven steps must be kept."""
    rng = np.random.default_rng(seed)
    instants_ns = START_NS + np.cumsum(rng.integers(14_500_000, 15_600_000, 600))
    frames = [picture(i, int(now_ns), rng=rng) for i, now_ns in enumerate(instants_ns)]
    exposures_ns = observe_all(ExposureClock(), frames)
    assert exposures_ns == [frame.capture_ns for frame in frames]


@pytest.mark.parametrize('late_ns', [0, 3_000_000])
def test_exact_stamps_of_even_exposures_are_kept(late_ns):
    """Where exposure times and stamps agree up to a constant delay, stamps must be kept."""
    rng = np.random.default_rng(2)
    frames = [picture(i, START_NS + i * PERIOD_NS, late_ns, rng=rng) for i in range(300)]
    exposures_ns = observe_all(ExposureClock(), frames)
    assert exposures_ns == [frame.capture_ns for frame in frames]


def test_without_moving_things_stamps_are_kept():
    """Without motion the better clock is unknown, and stamps must be kept."""
    frames = late_frames(300, speed=0.0)
    exposures_ns = observe_all(ExposureClock(), frames)
    assert exposures_ns == [frame.capture_ns for frame in frames]


def test_stamps_that_become_exact_are_kept_again():
    """An earlier estimate must not outlive contrary evidence from moving objects."""
    clock, rng = a_running_clock(), np.random.default_rng(3)
    begin_ns = START_NS + 300 * PERIOD_NS
    instants_ns = begin_ns + np.cumsum(rng.integers(10_000_000, 18_000_000, 1500))
    frames = [picture(307 + i, int(now_ns), rng=rng) for i, now_ns in enumerate(instants_ns)]
    exposures_ns = observe_all(clock, frames)
    assert exposures_ns[-100:] == [frame.capture_ns for frame in frames[-100:]]


def test_after_a_reset_stamps_are_kept_at_first():
    """A clock that was reset must not use earlier frames."""
    clock = a_running_clock()
    clock.reset()
    frames = late_frames(12, seed=5)
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
def test_frame_numbers_may_jump(numbered):
    """Soon after a jump of the frame numbers the exposure times must be as good as before."""
    frames = late_frames(400, first=0)
    clock = ExposureClock()
    exposures_ns = [
        clock.observe(replace(f, frame_number=numbered(f.frame_number))) for f in frames
    ]
    assert improves(frames[250:], exposures_ns[250:])
    assert improves(frames[100:190], exposures_ns[100:190])


@pytest.mark.parametrize('number', [0, 7])
def test_constant_frame_numbers_are_not_used(number):
    """Without a frame counter the stamps must be kept."""
    clock = ExposureClock()
    for frame in late_frames(300):
        assert clock.observe(replace(frame, frame_number=number)) == frame.capture_ns


def test_lost_late_and_repeated_frames_do_no_harm():
    """With one frame in ten lost, one late and one repeated, the rest must improve."""
    rng = np.random.default_rng(4)
    frames = [frame for frame in late_frames(600) if rng.random() > 0.1]
    for i in range(0, len(frames) - 1, 10):
        frames[i], frames[i + 1] = frames[i + 1], frames[i]
    frames = list(
        itertools.chain.from_iterable([f] * (2 if rng.random() < 0.1 else 1) for f in frames)
    )
    exposures_ns = observe_all(ExposureClock(), frames)
    newest = np.maximum.accumulate([frame.frame_number for frame in frames])
    usual = [i for i in range(200, len(frames)) if frames[i].frame_number > newest[i - 1]]
    assert improves([frames[i] for i in usual], [exposures_ns[i] for i in usual])


def test_another_rate_is_followed():
    """After a change from 73 to 60 Hz the exposure times must be right within a second."""
    clock = a_running_clock(300)
    begin_ns = START_NS + 300 * PERIOD_NS
    frames = late_frames(300, seed=6, first=307, period_ns=16_667_000, begin_ns=begin_ns)
    exposures_ns = observe_all(clock, frames)
    assert improves(frames[60:], exposures_ns[60:])


def test_cameras_are_kept_apart():
    """A camera with exact stamps must be left alone next to one without."""
    clock, rng = ExposureClock(), np.random.default_rng(8)
    late = late_frames(300)
    exposures_ns = []
    for frame in late:
        exposures_ns.append(clock.observe(frame))
        exact_ns = START_NS + frame.frame_number * 15_000_000 + int(rng.integers(0, 600_000))
        exact = picture(frame.frame_number, exact_ns, camera_id=1, rng=rng)
        assert clock.observe(exact) == exact.capture_ns
    assert improves(late[150:], exposures_ns[150:])


def test_the_number_of_cameras_is_bounded():
    """The number of remembered cameras must be bounded, and every frame get a time."""
    clock = ExposureClock()
    for frame in late_frames(150):
        for camera_id in range(MOST_CAMERAS):
            clock.observe(replace(frame, camera_id=camera_id))
    for frame in late_frames(300):
        other = replace(frame, camera_id=MOST_CAMERAS)
        assert clock.observe(other) == frame.capture_ns


# So late were successive stamps of a real match [ms].
BURST = (3.6, 10.2, 11.8, 10.1, 6.5, 9.1, 6.1, 6.9, 8.2, 5.2, 2.3)


def errors_of(frames, truth_ns, clock=None):
    """Return the errors of all exposure times [ms], without their common delay."""
    exposures_ns = observe_all(clock or ExposureClock(), frames)
    errors = (np.array(exposures_ns) - np.array(truth_ns)) / 1e6
    return errors - np.median(errors)


@pytest.mark.parametrize('seed', range(3))
def test_bursts_do_not_move_the_clock(seed):
    """In bursts of late stamps, one after each second, exposure times must be right to 1 ms."""
    rng = np.random.default_rng(seed)
    count = 600
    late = rng.exponential(200_000, count)
    for first in range(150, count, 75):
        late[first : first + len(BURST)] += 1e6 * np.array(BURST)
    truth_ns = [START_NS + i * PERIOD_NS for i in range(count)]
    frames = [picture(i, truth_ns[i], late[i], rng=rng) for i in range(count)]
    assert max(abs(errors_of(frames, truth_ns)[150:])) < 1.0


def test_a_kick_in_a_late_frame_is_not_taken_for_its_time():
    """The exposure time must follow the robots where a kicked ball would suit a late stamp."""
    rng = np.random.default_rng(1)
    frames = late_frames(300)
    truth_ns = START_NS + 300 * PERIOD_NS
    late = picture(307, truth_ns, 11_800_000, rng=rng)
    further = picture(307, truth_ns + 11_800_000, rng=rng)
    clock = ExposureClock()
    observe_all(clock, frames)
    exposure_ns = clock.observe(replace(late, balls=further.balls))
    assert abs(exposure_ns - truth_ns) < 1_000_000


@pytest.mark.parametrize('lost', [1, 2])
def test_exposures_that_were_lost_without_a_gap_are_noticed(lost):
    """The next frame is as late as it seems, because everything moved for longer."""
    rng = np.random.default_rng(2)
    truth_ns = [START_NS + (i + lost * (i >= 300)) * PERIOD_NS for i in range(400)]
    late = rng.exponential(200_000, 400)
    frames = [picture(i, truth_ns[i], late[i], rng=rng) for i in range(400)]
    assert max(abs(errors_of(frames, truth_ns)[150:])) < 1.0


def test_exposures_lost_while_nothing_moves_are_noticed_soon():
    """Stamps that stay late by a period for longer than a burst must set the clock."""
    clock, rng = a_running_clock(), np.random.default_rng(5)
    place_ns = START_NS + 300 * PERIOD_NS
    exposures_ns = []
    for i in range(300, 340):
        still = picture(7 + i, place_ns, rng=rng)
        capture_ns = START_NS + (i + (i >= 310)) * PERIOD_NS + int(rng.exponential(200_000))
        exposures_ns.append(clock.observe(replace(still, capture_ns=capture_ns)))
    truth_ns = START_NS + np.arange(331, 341) * PERIOD_NS
    assert max(abs(np.array(exposures_ns[-10:]) - truth_ns)) < 1_000_000


def test_lost_frames_with_a_gap_in_the_numbers_keep_the_clock():
    """After half a second without frames, the first exposure times must be right to 1 ms."""
    rng = np.random.default_rng(3)
    numbers = [i for i in range(400) if not 250 <= i < 287]
    truth_ns = [START_NS + i * PERIOD_NS for i in numbers]
    late = rng.exponential(200_000, len(numbers))
    late[250:261] += 1e6 * np.array(BURST)
    frames = [
        picture(i, now_ns, delay, rng=rng)
        for i, now_ns, delay in zip(numbers, truth_ns, late, strict=True)
    ]
    assert max(abs(errors_of(frames, truth_ns)[150:])) < 1.0


def test_overtaken_frames_have_their_own_exposure_time():
    """A frame that arrives after a later one must have the time by its number."""
    clock, rng = a_running_clock(), np.random.default_rng(6)
    truth_ns = [START_NS + i * PERIOD_NS for i in (301, 300)]
    frames = [
        picture(7 + i, now_ns, 2_000_000, rng=rng)
        for i, now_ns in zip((301, 300), truth_ns, strict=True)
    ]
    errors_ns = np.array(observe_all(clock, frames)) - truth_ns
    assert max(abs(errors_ns)) < 1_000_000


def test_a_stamp_in_doubt_is_judged_by_what_moves():
    """A camera with exact stamps must not become late by its first late one."""
    rng = np.random.default_rng(7)
    truth_ns = [START_NS + i * PERIOD_NS for i in range(200)]
    late = np.zeros(200)
    late[150:161] = 1e6 * np.array(BURST)
    frames = [picture(i, truth_ns[i], late[i], rng=rng) for i in range(200)]
    assert max(abs(errors_of(frames, truth_ns))) < 1.0


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
def test_exposures_stay_near_any_stamps(steps):
    """For any numbers and stamps the times must be near the stamps and never decrease alone."""
    clock = a_running_clock(60)
    number, now_ns, last_ns = 66, START_NS + 59 * PERIOD_NS, 0
    for more, elapsed_ns in steps:
        number = (number + more) % 2**32
        # Decoders accept no later stamp.
        now_ns = min(now_ns + elapsed_ns, SECONDS * SECOND)
        frame = replace(LATE_FRAMES[59], frame_number=number, capture_ns=now_ns)
        exposures_ns = clock.observe(frame)
        assert abs(exposures_ns - now_ns) <= LIMIT_NS
        assert exposures_ns >= last_ns or elapsed_ns < 0
        last_ns = exposures_ns


def test_the_stamps_of_a_real_match_are_corrected(shared_data):
    """After the start the exposure times of both cameras must be twice as even as the stamps."""
    frames = recorded(shared_data('ssl/match_2022_part1.log.gz'))
    clock = ExposureClock()
    pairs = [(frame, clock.observe(frame)) for frame in frames]
    for camera_id in (0, 1):
        own = [each for each in pairs if each[0].camera_id == camera_id][60:]
        chosen, exposures_ns = zip(*own, strict=True)
        assert improves(chosen, exposures_ns)


@pytest.mark.parametrize(
    'name',
    ['straight_noisefree', 'chip_noisefree', 'straight_realistic', 'chip_realistic'],
)
def test_the_stamps_of_a_simulator_are_kept(shared_data, name):
    """The exact but uneven stamps of a simulator must all be kept."""
    clock = ExposureClock()
    for frame in recorded(shared_data(f'ssl/sim_{name}.log.gz')):
        assert clock.observe(frame) == frame.capture_ns
