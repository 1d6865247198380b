# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Faulty vision: the published state stays valid, and memory bounded."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from samples import FIELD
from vision_stream import (
    CAMERAS,
    GEOMETRY,
    LOCAL_START,
    MS,
    PERIOD,
    VisionStream,
    ball_at,
    height_of,
    pictures,
    robot_at,
    shadow,
    size,
    swing,
)

from world_model_core.match.ball.primary_track import MOST_TRACKS
from world_model_core.match.datagrams import Datagram
from world_model_core.match.ssl.geometry_values import ChipModel, Geometry, StraightModel
from world_model_core.match.ssl.robot_id import Team
from world_model_core.match.ssl.value_limits import POSITION
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.ssl.wire import WrapperPacket
from world_model_core.match.values import Channel, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

# Speed [m/s] and start [m] of a rolling ball.
SPEED, FROM = 0.5, -3.0
# Of all containers together: 64 datagrams, ten balls, four cameras' frames of 32 robots.
MOST_KEPT = 30_000


def roll(stream, first, last, **stamps):
    """Show a rolling ball and a robot next to it to both cameras."""
    for now, camera in pictures(first, last):
        x = FROM + SPEED * now / SECOND
        stream.send(now, camera, [ball_at(x)], [robot_at(x, 1.0)], **stamps)


def errors_of(stream, since=0):
    """Return the distances of the published balls from the true ones at their times [m]."""
    _, x, y, *_, stamp = stream.balls(since)
    return np.hypot(x - FROM - SPEED * stamp / SECOND, y)


def steps(stream, since=0):
    """Return the steps of the published ball from frame to frame [m]."""
    _, x, y, *_ = stream.balls(since)
    return np.hypot(np.diff(x), np.diff(y))


def test_a_camera_that_moves_moves_the_ball_once():
    """A new calibration of 0.3 m may move the ball once, without adding speed."""
    stream = VisionStream()
    for index in range(300):
        moved = 0.3 if index >= 150 else 0.0
        if index == 150:
            place = (-1.2, 0.0, 5.0)
            stream.learn(
                replace(GEOMETRY, cameras=(replace(CAMERAS[0], position=place), CAMERAS[1])),
                index * PERIOD,
            )
        now = index * PERIOD
        stream.send(now, 0, [ball_at(moved)], [robot_at(moved - 1.0)])
    jumps = steps(stream, 30 * PERIOD)
    assert np.count_nonzero(jumps > 0.01) == 1
    assert jumps.max() == pytest.approx(0.3, abs=0.01)
    assert np.hypot(*stream.balls(170 * PERIOD)[3:5]).max() < 0.1
    assert not [changes.kick for _, changes in stream.published if changes.kick]
    robots = np.array([changes.robots.poses[0, 0] for _, changes in stream.published[1:]])
    assert robots[169:] == pytest.approx(-0.7, abs=0.02)


def test_hosts_with_their_own_cameras_only_reset_nothing():
    """Two hosts that send their geometry in turn must be published once, and biases be kept."""
    hosts = [
        Geometry(FIELD, (CAMERAS[0],), straight=StraightModel(-3.0, -0.3, 0.6)),
        Geometry(FIELD, (CAMERAS[1],)),
    ]
    stream, published, offsets = VisionStream(None), [], []
    for now, camera in pictures(0, 600):
        if now % (50 * PERIOD) == 0:
            published.append(stream.learn(hosts[now // (50 * PERIOD) % 2], now).geometry)
            offsets.append(stream.match.vision.biases.offset(0)[0])
        stream.send(now, camera, [ball_at(0.02 * (camera == 0))])
    assert [geometry is not None for geometry in published] == [True, True] + [False] * 10
    assert published[1].cameras == CAMERAS
    assert published[1].straight == hosts[0].straight
    assert min(offsets[4:]) > 0.005


@pytest.mark.parametrize('more', [0.03, 0.08])
def test_a_camera_that_returns_with_an_offset_moves_the_ball_only_briefly(more):
    """After 10 s without frames an offset may move the ball by as much, and no further."""
    stream = VisionStream()
    for now, camera in pictures(0, 2500):
        (x, _), seconds = swing(now), now / SECOND
        silent = camera == 0 and 10.0 < seconds < 20.0
        if silent or (x > 0.5 if camera == 0 else x < -0.5):
            continue
        shift = more if camera == 0 and seconds >= 20.0 else 0.0
        stream.send(now, camera, [ball_at(x + shift)])
    now, x, _, vx, _, stamp = stream.balls(20 * SECOND)
    truth, speed = np.array([swing(instant) for instant in stamp]).T
    assert abs(x - truth).max() < 0.25
    assert np.quantile(abs(vx - speed), 0.95) < 0.1
    assert np.diff(now).max() < SECOND // 5


@pytest.mark.parametrize('both', [False, True])
@pytest.mark.parametrize('back', [MS, 100 * MS, 400 * MS, SECOND, 10 * SECOND])
def test_one_capture_time_that_goes_back_has_no_effect(back, both):
    """One wrong stamp must not move the ball nor cost more than its own frame."""
    stream = VisionStream()
    roll(stream, 0, 200)
    now = 200 * PERIOD
    x = FROM + SPEED * now / SECOND
    stream.send(now, 0, [ball_at(x)], [robot_at(x, 1.0)], capture=-back, sent=-back * both)
    roll(stream, 201, 300)
    assert errors_of(stream, 30 * PERIOD).max() < 0.02
    now, *_, stamp = stream.balls(30 * PERIOD)
    assert np.diff(now).max() <= 2 * PERIOD
    assert np.diff(stamp).min() >= 0


@pytest.mark.parametrize('both', [False, True])
@pytest.mark.parametrize('back', [MS, 100 * MS, 400 * MS, SECOND, 10 * SECOND])
def test_capture_times_that_go_back_for_good_are_followed(back, both):
    """Within 1.5 s the ball must be where the frames show it."""
    stream = VisionStream()
    roll(stream, 0, 150)
    roll(stream, 150, 400, capture=-back, sent=-back * both)
    now, *_, stamp = stream.balls(30 * PERIOD)
    assert np.diff(now).max() < SECOND // 2
    assert np.diff(stamp).min() >= 0
    # A capture stamped up to half a second late counts: the ball was there then.
    accepted = 0 if both or back > SECOND // 2 else back
    late = SPEED * accepted / SECOND
    assert errors_of(stream, 270 * PERIOD) == pytest.approx(late, abs=0.02)
    robots = stream.published[-1][1].robots
    assert robots.velocities[0, 0] == pytest.approx(SPEED, abs=0.05)


def test_a_capture_time_of_the_future_is_left_out():
    """A capture time after the time of sending must not affect the filters."""
    stream = VisionStream()
    roll(stream, 0, 200)
    now = 200 * PERIOD
    x = FROM + SPEED * now / SECOND
    stream.send(now, 0, [ball_at(x)], [robot_at(x, 1.0)], capture=400 * MS)
    roll(stream, 201, 300)
    assert errors_of(stream, 30 * PERIOD).max() < 0.02
    assert stream.match.counters['vision.stamp far off'] == 1


def test_capture_times_that_always_contradict_the_sent_ones_lose_no_ball():
    """A sender that never sets t_sent must be followed by its capture times alone."""
    stream = VisionStream()
    for now, camera in pictures(0, 300):
        x = FROM + SPEED * now / SECOND
        stream.send(now, camera, [ball_at(x)], sent=-now - 500 * SECOND)
    assert errors_of(stream, 30 * PERIOD).max() < 0.02
    assert np.diff(stream.balls()[0]).max() <= PERIOD


def test_capture_times_that_stand_still_do_no_harm():
    """Frames of a stopped clock may give a position, but no speed."""
    stream = VisionStream()
    for index in range(300):
        now = index * PERIOD
        stream.send(now, 0, [ball_at(0.5)], [robot_at(1.0)], capture=-now)
    x, _, vx, vy = stream.balls(30 * PERIOD)[1:5]
    assert x == pytest.approx(0.5, abs=0.01)
    assert np.hypot(vx, vy).max() < 0.2


def test_pictures_with_equal_capture_times_do_no_harm():
    """If every second frame has the stamp of the last one, the ball may only get less exact."""
    stream = VisionStream()
    for index in range(300):
        now = index * PERIOD
        early = -PERIOD if index % 2 else 0
        stream.send(now, 0, [ball_at(FROM + SPEED * now / SECOND)], capture=early)
    assert errors_of(stream, 60 * PERIOD).max() < 0.03
    assert stream.balls(60 * PERIOD)[3] == pytest.approx(SPEED, abs=0.3)


@pytest.mark.parametrize('behind', [20 * MS, 300 * MS, 2 * SECOND, 100 * SECOND])
def test_two_senders_of_one_camera_with_other_clocks_do_no_harm(behind):
    """The ball must be followed, by either clock."""
    stream = VisionStream()
    for now, sender in pictures(0, 400):
        x, late = FROM + SPEED * now / SECOND, -behind * sender
        stream.send(now, 0, [ball_at(x)], [robot_at(x, 1.0)], capture=late, sent=late)
    now, *_, vx, _, stamp = stream.balls(60 * PERIOD)
    assert np.diff(now).max() <= 2 * PERIOD
    assert np.diff(stamp).min() >= 0
    assert errors_of(stream, 60 * PERIOD).max() < 0.2
    assert abs(vx - SPEED).max() < 0.6


@pytest.mark.parametrize('lie', [True, False])
def test_fifty_balls_do_not_carry_the_ball_off_nor_grow(lie):
    """The first ball must be followed; others must be counted, and the number is bounded."""
    stream, others = VisionStream(), np.random.default_rng(3)
    places = others.uniform((-6.0, 0.5), (6.0, 4.5), (49, 2))
    sizes = []
    for now, camera in pictures(0, 700):
        if not lie:
            places = others.uniform((-6.0, 0.5), (6.0, 4.5), (49, 2))
        balls = [ball_at(swing(now)[0])]
        balls += [ball_at(*place) for place in places] if now > SECOND else []
        stream.send(now, camera, balls)
        if now > 4 * SECOND and now % (10 * PERIOD) == 0:
            sizes.append(size(stream.match))
    x, *_, stamp = stream.balls(SECOND)[1:]
    truth = np.array([swing(instant)[0] for instant in stamp])
    assert abs(x - truth).max() < 0.05
    assert len(stream.match.vision.balls.balls()) <= MOST_TRACKS
    assert stream.match.counters['vision.balls.too many'] > 1000
    assert max(sizes) < MOST_KEPT
    if lie:
        assert sizes[-1] <= sizes[0]


def test_counters_of_the_filters_survive_resets():
    """A clock that jumps must not reset the counters."""
    stream = VisionStream()
    crowd = [ball_at(0.5 * n - 6.0, 2.0) for n in range(24)]
    for now, camera in pictures(0, 60):
        stream.send(now, camera, crowd)
    before = stream.match.counters['vision.balls.too many']
    assert before > 0
    for now, camera in pictures(60, 120):
        stream.send(now, camera, crowd, capture=9 * SECOND, sent=9 * SECOND)
    assert stream.match.counters['vision.clock jumped'] == 1
    assert stream.match.counters['vision.balls.too many'] > 1.5 * before


def test_sixty_four_robots_with_duplicates_and_without_numbers():
    """Each number must be published once, at its first position; robots without one never."""
    stream = VisionStream()
    robots = [
        robot_at(0.5 * number - 4.0 + aside, 1.0 if team is Team.BLUE else -1.0, number, team=team)
        for team in Team
        for number in range(16)
        for aside in (0.0, 0.2)
    ]
    for now, camera in pictures(0, 100):
        stream.send(now, camera, robots=robots[::2] if now < 20 * PERIOD else robots)
    published = stream.published[-1][1].robots
    assert len(published) == 32
    assert published.poses[:16, 0] == pytest.approx(0.5 * np.arange(16) - 4.0, abs=0.01)
    without_number = [replace(robot, number=None) for robot in robots]
    for now, camera in pictures(100, 300):
        stream.send(now, camera, robots=without_number)
    assert len(stream.published[-1][1].robots) == 0


def test_at_the_limits_only_valid_packets_are_sent():
    """A ball and a robot that leave the last meter must be published up to the limit only."""
    stream = VisionStream()
    for now, camera in pictures(0, 200):
        x = min(POSITION - 1.0 + 0.9 * now / SECOND, POSITION - 0.01)
        sides = [robot_at(x, -POSITION + 0.01, heading=1000.0)]
        stream.send(now, camera, [ball_at(x, -POSITION + 0.01, 19.9)], sides)
    for now, camera in pictures(200, 220):
        stream.send(now, camera)
    _, changes = stream.published[100]
    assert changes.tracked.frame.balls
    assert changes.tracked.frame.robots


def test_a_field_of_size_zero_is_rejected_and_named():
    """A field size of zero must be reported, and later frames be processed."""
    stream = VisionStream(None)
    published = stream.learn(Geometry(replace(FIELD, length=0.0, width=0.0), CAMERAS))
    assert 'field_length' in published.error
    smallest = replace(FIELD, length=0.1, width=0.1, goal_width=0.0)
    assert stream.learn(Geometry(smallest, CAMERAS)).geometry is not None
    roll(stream, 0, 60)
    assert errors_of(stream, 30 * PERIOD).max() < 0.02


@pytest.mark.parametrize('number', [64, 2**31 - 1, 2**31, 2**32 - 1])
def test_an_impossible_camera_id_is_rejected_and_named(number):
    """Camera ids beyond the limit must not be stored anywhere."""
    stream = VisionStream()
    message = WrapperPacket()
    message.ParseFromString(encode_vision(VisionPacket(None, GEOMETRY)))
    message.geometry.calib[0].camera_id = number
    published = stream.match.receive(
        Datagram(Channel.VISION, message.SerializeToString(), LOCAL_START)
    )
    assert str(number) in published.error


@pytest.mark.parametrize('place', [None, (0.0, 0.0, 0.0), (1.5, 0.0, -1.0), (1.5, 0.0, 0.05)])
def test_a_chip_is_followed_despite_an_uncalibrated_camera(place):
    """Uncalibrated cameras must neither disturb nor end a chip that other cameras detect."""
    cameras = (CAMERAS[0], replace(CAMERAS[1], position=place))
    stream = VisionStream(Geometry(FIELD, cameras))
    heights = []
    for now, camera in pictures(0, 260):
        since = now / SECOND - 2.0
        truth = (-2.0 + max(2.0 * since, 0.0), 0.3, height_of(since))
        shown = shadow(truth, CAMERAS[0].position)
        balls = [ball_at(*shown)] if camera == 0 else [ball_at(shown[0] + 1.0, shown[1])]
        changes = stream.send(now, camera, balls, [robot_at(-2.1, 0.3)])
        if camera == 0 and 0.3 < since < 0.7 and changes.ball is not None:
            heights.append(changes.ball.position[2] - truth[2])
    assert len(heights) > 20
    assert np.abs(heights).max() < 0.15


def test_a_ball_exactly_under_a_camera_is_followed_up_and_down():
    """A ball chipped straight up under a camera does not move in its image; it must be kept."""
    stream = VisionStream()
    for now, camera in pictures(0, 260):
        height = height_of(now / SECOND - 2.0)
        x, y = shadow((-1.5, 0.0, height), CAMERAS[camera].position)
        stream.send(now, camera, [ball_at(x, y)], [robot_at(-1.6, 0.0)])
    now, x, y, *_ = stream.balls(30 * PERIOD)
    assert np.hypot(x + 1.5, y).max() < 1.0
    assert np.hypot(x + 1.5, y)[now > 3.2 * SECOND].max() < 0.05


@pytest.mark.parametrize(
    'heights',
    [(-1.0,), (10.0,), (10.0, 0.0), (0.5, None), (20.0, 0.03), (20.0, 0.03, None, -1.0)],
)
def test_heights_that_no_ball_has_do_not_throw_it(heights):
    """For any measured height the ball must not be faster than a kick."""
    stream = VisionStream()
    for count, (now, camera) in enumerate(pictures(0, 300)):
        x = FROM + SPEED * now / SECOND
        changes = stream.send(now, camera, [ball_at(x, 0.0, heights[count % len(heights)])])
        if changes.ball is not None:
            assert abs(changes.ball.velocity[2]) < 15.0
            assert -1.0 <= changes.ball.position[2] <= 20.0
    assert errors_of(stream, 60 * PERIOD).max() < 0.1


def test_a_chip_whose_height_is_measured_is_never_lost():
    """A chip with measured heights must be followed all the time."""
    stream, errors = VisionStream(), []
    for now, camera in pictures(0, 260):
        since = now / SECOND - 2.0
        x, z = -2.0 + max(2.0 * since, 0.0), height_of(since)
        changes = stream.send(now, camera, [ball_at(x, 0.3, z)], [robot_at(-2.1, 0.3)])
        if 0.1 < since < 0.8 and changes.ball is not None:
            errors.append(np.hypot(changes.ball.position[0] - x, changes.ball.position[2] - z))
    assert len(errors) > 90
    assert max(errors) < 0.1


@pytest.mark.parametrize(
    ('straight', 'chip'),
    [
        (StraightModel(-100.0, -100.0, 0.0), ChipModel(1.0, 1.0, 1.0)),
        (StraightModel(-1e-3, -20.0, 1.0), ChipModel(0.0, 0.0, 0.0)),
        (StraightModel(-4.0, -0.5, 0.5), ChipModel(0.3, 0.7, 0.4)),
    ],
)
def test_constants_that_change_during_a_chip_do_not_lose_the_ball(straight, chip):
    """With new constants during a chip the ball must be published all the time."""
    stream = VisionStream()
    for now, camera in pictures(0, 300):
        since = now / SECOND - 2.0
        if 0.3 < since < 0.5:
            other = StraightModel(-3.0, -0.3, 0.6) if camera else straight
            stream.learn(replace(GEOMETRY, straight=other, chip=chip), now)
        place = (-2.0 + max(2.0 * since, 0.0), 0.3, height_of(since))
        balls = [ball_at(*shadow(place, CAMERAS[camera].position))]
        stream.send(now, camera, balls, [robot_at(-2.1, 0.3)])
    now, x, *_ = stream.balls(30 * PERIOD)
    assert np.diff(now).max() < SECOND // 5
    assert x[-1] == pytest.approx(-2.0 + 2.0 * (now[-1] / SECOND - 2.0), abs=0.1)


@pytest.mark.parametrize('apart', [0.3, 1.0, 5.0])
def test_a_ball_that_alternates_between_two_positions_is_at_one_of_them(apart):
    """The ball must neither jump between the positions nor run from one to the other."""
    stream = VisionStream()
    for index in range(300):
        stream.send(index * PERIOD, 0, [ball_at(apart * (index % 2))])
    assert steps(stream, 60 * PERIOD).max() < 0.02
    assert np.hypot(*stream.balls(60 * PERIOD)[3:5]).max() < 0.2


@pytest.mark.parametrize('gap', [0.0, 0.02, 0.05])
def test_two_balls_that_cross_stay_themselves(gap):
    """The primary ball must roll on, whatever crosses its path."""
    stream = VisionStream()
    for now, camera in pictures(0, 300):
        x = -1.5 + now / SECOND
        others = [ball_at(-x, gap)] if now > SECOND // 4 else []
        stream.send(now, camera, [ball_at(x), *others])
    x, _, vx, _, stamp = stream.balls(60 * PERIOD)[1:]
    assert abs(x + 1.5 - stamp / SECOND).max() < 0.03
    assert abs(vx - 1.0).max() < 0.2


PLACES = st.one_of(st.floats(-6.0, 6.0), st.sampled_from((0.0, 0.02, -49.99, 49.99)))
HEIGHTS = st.one_of(st.none(), st.none(), st.floats(-1.0, 20.0))
BALLS = st.builds(ball_at, PLACES, PLACES, HEIGHTS)
ROBOTS = st.builds(
    robot_at,
    PLACES,
    PLACES,
    st.one_of(st.none(), st.integers(0, 15)),
    team=st.sampled_from(Team),
    heading=st.one_of(st.none(), st.floats(-1000.0, 1000.0)),
    confidence=st.floats(0.0, 1.0),
)
# Times between frames [ns]: none, a microsecond, frames, gaps.
GAPS = st.sampled_from((0, 1000, 5 * MS, 13 * MS, 13 * MS, 13 * MS, 60 * MS, 700 * MS, 3 * SECOND))
SHIFTS = st.sampled_from((0, 0, 0, 0, -MS, -100 * MS, -SECOND, -10 * SECOND, 90 * MS, 400 * MS))
COORDINATES = st.floats(-20.0, 20.0)
POSITIONS = st.one_of(st.none(), st.tuples(COORDINATES, COORDINATES, COORDINATES))
MODELS = st.one_of(
    st.none(),
    st.builds(
        StraightModel, st.floats(-100.0, -1e-3), st.floats(-100.0, -1e-3), st.floats(0.0, 1.0)
    ),
)
PARTS = st.floats(0.0, 1.0)
CHIPS = st.one_of(st.none(), st.builds(ChipModel, PARTS, PARTS, PARTS))


def test_no_ball_is_faster_than_any_can_be():
    """Detections at one position and then meters away must not give a ball of 230 m/s."""
    stream = VisionStream(None, SourceMode.AUTO)
    stream.send(0, 0, [ball_at(0.0, 0.0, None)])
    for now in (0, 0, 1000, 13 * MS):
        stream.send(now, 1, [ball_at(0.0, 0.0, None)])
    stream.send(26 * MS, 0, [ball_at(0.0, 1.0, None), ball_at(0.0, 1.0, None)])
    for now in (0, 0, 1000, 13 * MS):
        changes = stream.send(26 * MS + now, 1, [ball_at(3.0, 0.0, None)])
        if changes.ball is not None:
            assert np.hypot(*changes.ball.velocity[:2]) <= 15.0


class VisionMachine(RuleBasedStateMachine):
    """Cameras that detect anything at any time."""

    @initialize(geometry=st.booleans(), mode=st.sampled_from(SourceMode))
    def start(self, geometry, mode):
        """Start with cameras or without."""
        self.stream = VisionStream(GEOMETRY if geometry else None, mode)
        self.now = self.last_ns = 0
        self.place, self.speed = (0.0, 0.0), (0.0, 0.0)

    @rule(gap=GAPS, camera=st.integers(0, 3), balls=st.lists(BALLS, max_size=6), shift=SHIFTS)
    def show_balls(self, gap, camera, balls, shift):
        """Show balls anywhere, perhaps with wrong stamps."""
        self._show(gap, camera, balls, (), shift, 0)

    @rule(
        gap=GAPS,
        camera=st.integers(0, 3),
        robots=st.lists(ROBOTS, max_size=8),
        capture=SHIFTS,
        sent=SHIFTS,
    )
    def show_robots(self, gap, camera, robots, capture, sent):
        """Show robots anywhere, repeated or without a number."""
        self._show(gap, camera, (), robots, capture, sent)

    @rule(
        frames=st.integers(1, 40),
        velocity=st.tuples(st.floats(-8.0, 8.0), st.floats(-8.0, 8.0)),
        climb=st.sampled_from((0.0, 0.0, 3.0, 6.0)),
        cameras=st.sampled_from(((0,), (0, 1), (0, 1, 2, 3))),
        shift=SHIFTS,
    )
    def kick(self, frames, velocity, climb, cameras, shift):
        """Move the ball from its last position, on the carpet or through the air."""
        for frame in range(frames):
            camera = cameras[frame % len(cameras)]
            since = frame * 7 * MS / SECOND
            x, y = (p + since * v for p, v in zip(self.place, velocity, strict=True))
            hung = CAMERAS[camera % 2].position
            shown = shadow((x, y, height_of(since, climb)), hung)
            if max(map(abs, shown)) < POSITION:
                self._show(
                    7 * MS, camera, [ball_at(*shown)], [robot_at(*self.place)], shift, shift
                )
        self.place = (x, y) if max(abs(x), abs(y)) < 6.0 else (0.0, 0.0)

    @rule(camera=st.integers(0, 3), balls=st.lists(BALLS, max_size=3))
    def repeat(self, camera, balls):
        """Send the same frame again, with other stamps and the same."""
        for gap in (0, 0, 1000, 13 * MS):
            self._show(gap, camera, balls, (), 0, 0)

    @rule(
        cameras=st.lists(st.integers(0, 3), max_size=4, unique=True),
        position=POSITIONS,
        straight=MODELS,
        chip=CHIPS,
    )
    def learn(self, cameras, position, straight, chip):
        """Move cameras, and change the constants of the ball."""
        published = tuple([replace(CAMERAS[0], camera_id=n, position=position) for n in cameras])
        self.stream.learn(Geometry(FIELD, published, straight, chip), self.now)

    @rule(gap=GAPS)
    def tick(self, gap):
        """Advance the time without a frame."""
        self.now += gap
        self._check(self.stream.match.tick(LOCAL_START + self.now))

    def _show(self, gap, camera, balls, robots, capture, sent):  # noqa: PLR0917
        self.now += gap
        self._check(self.stream.send(self.now, camera, balls, robots, capture=capture, sent=sent))

    def _check(self, changes):
        """Check the published changes beyond the checks of the stream."""
        self.stream.published.clear()
        if changes.robots is None:
            return
        assert self.last_ns <= changes.robots.stamp_ns
        self.last_ns = changes.robots.stamp_ns
        assert (abs(changes.robots.poses[:, :2]) < 2.0 * POSITION).all()
        if changes.ball is not None:
            assert changes.ball.stamp_ns == changes.robots.stamp_ns
            assert abs(changes.ball.position).max() < 2.0 * POSITION
            assert abs(changes.ball.velocity).max() < 100.0

    @invariant()
    def stay_small(self):
        """Check that the memory is bounded."""
        if hasattr(self, 'stream'):
            assert len(self.stream.match.vision.balls.balls()) <= MOST_TRACKS
            assert size(self.stream.match) < MOST_KEPT


TestVisionMachine = VisionMachine.TestCase
TestVisionMachine.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
