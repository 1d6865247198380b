# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Vision as it should not be: what a match tells all the while, and what it keeps of it."""

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
    flight,
    pictures,
    robot_at,
    shadow,
    size,
    swing,
)

from world_model_core.match.ball.primary_track import MOST_TRACKS
from world_model_core.match.ssl.value_limits import POSITION
from world_model_core.match.ssl.values import (
    ChipModel,
    Geometry,
    StraightModel,
    Team,
    VisionPacket,
)
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.wire import WrapperPacket
from world_model_core.match.values import Channel, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

# A ball that rolls by at this speed [m/s] from here [m].
SPEED, FROM = 0.5, -3.0
# Of all containers together: 64 datagrams, ten balls, four cameras' pictures of 32 robots.
MOST_KEPT = 30_000


def roll(stream, first, last, **stamps):
    """Show a ball that rolls by, and a robot beside it, to both cameras."""
    for now, camera in pictures(first, last):
        x = FROM + SPEED * now / SECOND
        stream.see(now, camera, [ball_at(x)], [robot_at(x, 1.0)], **stamps)


def off(stream, since=0):
    """Tell how far the balls told were from where the ball was at their instants [m]."""
    _, x, y, *_, stamp = stream.balls(since)
    return np.hypot(x - FROM - SPEED * stamp / SECOND, y)


def steps(stream, since=0):
    """Tell by how much the ball told moved from picture to picture [m]."""
    _, x, y, *_ = stream.balls(since)
    return np.hypot(np.diff(x), np.diff(y))


def test_a_camera_that_moves_shakes_the_ball_once():
    """With a new calibration of 0.3 m the ball may jump there, once, and has no speed by it."""
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
        stream.see(now, 0, [ball_at(moved)], [robot_at(moved - 1.0)])
    jumps = steps(stream, 30 * PERIOD)
    assert np.count_nonzero(jumps > 0.01) == 1
    assert jumps.max() == pytest.approx(0.3, abs=0.01)
    assert np.hypot(*stream.balls(170 * PERIOD)[3:5]).max() < 0.1
    assert not [changes.kick for _, changes in stream.told if changes.kick]
    robots = np.array([changes.robots.poses[0, 0] for _, changes in stream.told])
    assert robots[170:] == pytest.approx(-0.7, abs=0.02)


def test_hosts_that_know_their_own_cameras_only_reset_nothing():
    """Two hosts that send their geometry in turns must be told once, and biases be kept."""
    hosts = [
        Geometry(FIELD, (CAMERAS[0],), straight=StraightModel(-3.0, -0.3, 0.6)),
        Geometry(FIELD, (CAMERAS[1],)),
    ]
    stream, told, offsets = VisionStream(None), [], []
    for now, camera in pictures(0, 600):
        if now % (50 * PERIOD) == 0:
            told.append(stream.learn(hosts[now // (50 * PERIOD) % 2], now).geometry)
            offsets.append(stream.match.vision.biases.offset(0)[0])
        stream.see(now, camera, [ball_at(0.02 * (camera == 0))])
    assert [geometry is not None for geometry in told] == [True, True] + [False] * 10
    assert told[1].cameras == CAMERAS
    assert told[1].straight == hosts[0].straight
    assert min(offsets[4:]) > 0.005


@pytest.mark.parametrize('more', [0.03, 0.08])
def test_a_camera_that_comes_back_off_by_more_shakes_nothing_for_long(more):
    """Silent for 10 s, then off by so much: the ball may jump by that, and run off nowhere."""
    stream = VisionStream()
    for now, camera in pictures(0, 2500):
        (x, _), seconds = swing(now), now / SECOND
        silent = camera == 0 and 10.0 < seconds < 20.0
        if silent or (x > 0.5 if camera == 0 else x < -0.5):
            continue
        shift = more if camera == 0 and seconds >= 20.0 else 0.0
        stream.see(now, camera, [ball_at(x + shift)])
    now, x, _, vx, _, stamp = stream.balls(20 * SECOND)
    truth, speed = np.array([swing(instant) for instant in stamp]).T
    assert abs(x - truth).max() < 0.25
    assert np.quantile(abs(vx - speed), 0.95) < 0.1
    assert np.diff(now).max() < SECOND // 5


@pytest.mark.parametrize('both', [False, True])
@pytest.mark.parametrize('back', [MS, 100 * MS, 400 * MS, SECOND, 10 * SECOND])
def test_one_capture_time_that_goes_back_is_not_seen(back, both):
    """One wrong stamp must neither move the ball nor cost more than its own picture."""
    stream = VisionStream()
    roll(stream, 0, 200)
    now = 200 * PERIOD
    x = FROM + SPEED * now / SECOND
    stream.see(now, 0, [ball_at(x)], [robot_at(x, 1.0)], capture=-back, sent=-back * both)
    roll(stream, 201, 300)
    assert off(stream, 30 * PERIOD).max() < 0.02
    now, *_, stamp = stream.balls(30 * PERIOD)
    assert np.diff(now).max() <= 2 * PERIOD
    assert np.diff(stamp).min() >= 0


@pytest.mark.parametrize('both', [False, True])
@pytest.mark.parametrize('back', [MS, 100 * MS, 400 * MS, SECOND, 10 * SECOND])
def test_capture_times_that_go_back_for_good_are_followed(back, both):
    """Within a second and a half the ball must be where the pictures say that it is."""
    stream = VisionStream()
    roll(stream, 0, 150)
    roll(stream, 150, 400, capture=-back, sent=-back * both)
    now, *_, stamp = stream.balls(30 * PERIOD)
    assert np.diff(now).max() < SECOND // 2
    assert np.diff(stamp).min() >= 0
    # A capture that is stamped late by up to half a second is one: the ball was there then.
    believed = 0 if both or back > SECOND // 2 else back
    late = SPEED * believed / SECOND
    assert off(stream, 270 * PERIOD) == pytest.approx(late, abs=0.02)
    robots = stream.told[-1][1].robots
    assert robots.velocities[0, 0] == pytest.approx(SPEED, abs=0.05)


def test_a_capture_time_of_the_future_is_left_out():
    """A picture cannot have been sent before it was taken: it must not carry the filters off."""
    stream = VisionStream()
    roll(stream, 0, 200)
    now = 200 * PERIOD
    x = FROM + SPEED * now / SECOND
    stream.see(now, 0, [ball_at(x)], [robot_at(x, 1.0)], capture=400 * MS)
    roll(stream, 201, 300)
    assert off(stream, 30 * PERIOD).max() < 0.02
    assert stream.match.counters['vision.stamp far off'] == 1


def test_capture_times_that_contradict_the_sent_ones_for_good_cost_no_ball():
    """A sender that never sets t_sent must be followed by its captures alone."""
    stream = VisionStream()
    for now, camera in pictures(0, 300):
        x = FROM + SPEED * now / SECOND
        stream.see(now, camera, [ball_at(x)], sent=-now - 500 * SECOND)
    assert off(stream, 30 * PERIOD).max() < 0.02
    assert np.diff(stream.balls()[0]).max() <= PERIOD


def test_capture_times_that_stand_still_do_no_harm():
    """Pictures of a clock that stands still must give a place, if any, and no speed."""
    stream = VisionStream()
    for index in range(300):
        now = index * PERIOD
        stream.see(now, 0, [ball_at(0.5)], [robot_at(1.0)], capture=-now)
    x, _, vx, vy = stream.balls(30 * PERIOD)[1:5]
    assert x == pytest.approx(0.5, abs=0.01)
    assert np.hypot(vx, vy).max() < 0.2


def test_pictures_with_equal_capture_times_do_no_harm():
    """Every second picture with the stamp of the one before must only blur the ball."""
    stream = VisionStream()
    for index in range(300):
        now = index * PERIOD
        early = -PERIOD if index % 2 else 0
        stream.see(now, 0, [ball_at(FROM + SPEED * now / SECOND)], capture=early)
    assert off(stream, 60 * PERIOD).max() < 0.03
    assert stream.balls(60 * PERIOD)[3] == pytest.approx(SPEED, abs=0.3)


@pytest.mark.parametrize('behind', [20 * MS, 300 * MS, 2 * SECOND, 100 * SECOND])
def test_two_senders_of_one_camera_with_other_clocks_do_no_harm(behind):
    """The ball must go on, by either clock."""
    stream = VisionStream()
    for now, sender in pictures(0, 400):
        x, late = FROM + SPEED * now / SECOND, -behind * sender
        stream.see(now, 0, [ball_at(x)], [robot_at(x, 1.0)], capture=late, sent=late)
    now, *_, vx, _, stamp = stream.balls(60 * PERIOD)
    assert np.diff(now).max() <= 2 * PERIOD
    assert np.diff(stamp).min() >= 0
    assert off(stream, 60 * PERIOD).max() < 0.2
    assert abs(vx - SPEED).max() < 0.6


@pytest.mark.parametrize('lie', [True, False])
def test_fifty_balls_do_not_carry_the_ball_off_nor_grow(lie):
    """The ball that was there first must be followed; the others be counted, and no more kept."""
    stream, others = VisionStream(), np.random.default_rng(3)
    places = others.uniform((-6.0, 0.5), (6.0, 4.5), (49, 2))
    sizes = []
    for now, camera in pictures(0, 700):
        if not lie:
            places = others.uniform((-6.0, 0.5), (6.0, 4.5), (49, 2))
        balls = [ball_at(swing(now)[0])]
        balls += [ball_at(*place) for place in places] if now > SECOND else []
        stream.see(now, camera, balls)
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


def test_what_the_filters_leave_out_is_counted_through_resets():
    """A clock that jumps must take no counts back."""
    stream = VisionStream()
    crowd = [ball_at(0.5 * n - 6.0, 2.0) for n in range(24)]
    for now, camera in pictures(0, 60):
        stream.see(now, camera, crowd)
    before = stream.match.counters['vision.balls.too many']
    assert before > 0
    for now, camera in pictures(60, 120):
        stream.see(now, camera, crowd, capture=9 * SECOND, sent=9 * SECOND)
    assert stream.match.counters['vision.clock jumped'] == 1
    assert stream.match.counters['vision.balls.too many'] > 1.5 * before


def test_sixty_four_robots_with_doubles_and_without_numbers_are_borne():
    """Each number must be told once, where it was first; what has no number is nobody."""
    stream = VisionStream()
    robots = [
        robot_at(0.5 * number - 4.0 + aside, 1.0 if team is Team.BLUE else -1.0, number, team=team)
        for team in Team
        for number in range(16)
        for aside in (0.0, 0.2)
    ]
    for now, camera in pictures(0, 100):
        stream.see(now, camera, robots=robots[::2] if now < 20 * PERIOD else robots)
    told = stream.told[-1][1].robots
    assert len(told) == 32
    assert told.poses[:16, 0] == pytest.approx(0.5 * np.arange(16) - 4.0, abs=0.01)
    nobody = [replace(robot, number=None) for robot in robots]
    for now, camera in pictures(100, 300):
        stream.see(now, camera, robots=nobody)
    assert len(stream.told[-1][1].robots) == 0


def test_at_the_edge_of_what_is_told_nothing_is_sent_that_receivers_refuse():
    """A ball and a robot that leave the last metre must be told to the end, and then no more."""
    stream = VisionStream()
    for now, camera in pictures(0, 200):
        x = min(POSITION - 1.0 + 0.9 * now / SECOND, POSITION - 0.01)
        sides = [robot_at(x, -POSITION + 0.01, heading=1000.0)]
        stream.see(now, camera, [ball_at(x, -POSITION + 0.01, 19.9)], sides)
    for now, camera in pictures(200, 220):
        stream.see(now, camera)
    _, changes = stream.told[100]
    assert changes.tracked.frame.balls
    assert changes.tracked.frame.robots


def test_a_field_of_size_zero_is_refused_and_named():
    """What comes with no field must be told why, and pictures after it be taken."""
    stream = VisionStream(None)
    told = stream.learn(Geometry(replace(FIELD, length=0.0, width=0.0), CAMERAS))
    assert 'field_length' in told.error
    smallest = replace(FIELD, length=0.1, width=0.1, goal_width=0.0)
    assert stream.learn(Geometry(smallest, CAMERAS)).geometry is not None
    roll(stream, 0, 60)
    assert off(stream, 30 * PERIOD).max() < 0.02


@pytest.mark.parametrize('number', [64, 2**31 - 1, 2**31, 2**32 - 1])
def test_a_camera_that_no_field_has_is_refused_and_named(number):
    """Ids beyond all cameras must not get a place of their own anywhere."""
    stream = VisionStream()
    message = WrapperPacket()
    message.ParseFromString(encode_vision(VisionPacket(None, GEOMETRY)))
    message.geometry.calib[0].camera_id = number
    told = stream.match.receive(Channel.VISION, message.SerializeToString(), LOCAL_START)
    assert str(number) in told.error


@pytest.mark.parametrize('place', [None, (0.0, 0.0, 0.0), (1.5, 0.0, -1.0), (1.5, 0.0, 0.05)])
def test_a_chip_is_followed_beside_a_camera_that_hangs_nowhere(place):
    """Uncalibrated cameras must neither break a flight that others see nor end it."""
    cameras = (CAMERAS[0], replace(CAMERAS[1], position=place))
    stream = VisionStream(Geometry(FIELD, cameras))
    heights = []
    for now, camera in pictures(0, 260):
        since = now / SECOND - 2.0
        truth = (-2.0 + max(2.0 * since, 0.0), 0.3, flight(since))
        seen = shadow(truth, CAMERAS[0].position)
        balls = [ball_at(*seen)] if camera == 0 else [ball_at(seen[0] + 1.0, seen[1])]
        changes = stream.see(now, camera, balls, [robot_at(-2.1, 0.3)])
        if camera == 0 and 0.3 < since < 0.7 and changes.ball is not None:
            heights.append(changes.ball.position[2] - truth[2])
    assert len(heights) > 20
    assert np.abs(heights).max() < 0.15


def test_a_ball_exactly_under_a_camera_is_followed_up_and_down():
    """A ball chipped straight up under a camera does not move in its picture; it must stay."""
    stream = VisionStream()
    for now, camera in pictures(0, 260):
        height = flight(now / SECOND - 2.0)
        x, y = shadow((-1.5, 0.0, height), CAMERAS[camera].position)
        stream.see(now, camera, [ball_at(x, y)], [robot_at(-1.6, 0.0)])
    now, x, y, *_ = stream.balls(30 * PERIOD)
    assert np.hypot(x + 1.5, y).max() < 1.0
    assert np.hypot(x + 1.5, y)[now > 3.2 * SECOND].max() < 0.05


@pytest.mark.parametrize(
    'heights',
    [(-1.0,), (10.0,), (10.0, 0.0), (0.5, None), (20.0, 0.03), (20.0, 0.03, None, -1.0)],
)
def test_heights_that_no_ball_has_do_not_throw_it(heights):
    """Whatever is measured, no ball may be told to fly faster than one can be kicked."""
    stream = VisionStream()
    for count, (now, camera) in enumerate(pictures(0, 300)):
        x = FROM + SPEED * now / SECOND
        changes = stream.see(now, camera, [ball_at(x, 0.0, heights[count % len(heights)])])
        if changes.ball is not None:
            assert abs(changes.ball.velocity[2]) < 15.0
            assert -1.0 <= changes.ball.position[2] <= 20.0
    assert off(stream, 60 * PERIOD).max() < 0.1


def test_a_chip_whose_height_is_measured_is_never_lost():
    """A simulator that tells the ball's own place must be followed all the way."""
    stream, errors = VisionStream(), []
    for now, camera in pictures(0, 260):
        since = now / SECOND - 2.0
        x, z = -2.0 + max(2.0 * since, 0.0), flight(since)
        changes = stream.see(now, camera, [ball_at(x, 0.3, z)], [robot_at(-2.1, 0.3)])
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
def test_constants_that_change_in_flight_do_not_lose_the_ball(straight, chip):
    """With new constants from the middle of a chip on, the ball must be told all the way."""
    stream = VisionStream()
    for now, camera in pictures(0, 300):
        since = now / SECOND - 2.0
        if 0.3 < since < 0.5:
            other = StraightModel(-3.0, -0.3, 0.6) if camera else straight
            stream.learn(replace(GEOMETRY, straight=other, chip=chip), now)
        place = (-2.0 + max(2.0 * since, 0.0), 0.3, flight(since))
        balls = [ball_at(*shadow(place, CAMERAS[camera].position))]
        stream.see(now, camera, balls, [robot_at(-2.1, 0.3)])
    now, x, *_ = stream.balls(30 * PERIOD)
    assert np.diff(now).max() < SECOND // 5
    assert x[-1] == pytest.approx(-2.0 + 2.0 * (now[-1] / SECOND - 2.0), abs=0.1)


@pytest.mark.parametrize('apart', [0.3, 1.0, 5.0])
def test_a_ball_that_is_here_and_there_in_turns_is_in_one_of_the_places(apart):
    """Neither may the ball jump to and fro, nor run from one place to the other."""
    stream = VisionStream()
    for index in range(300):
        stream.see(index * PERIOD, 0, [ball_at(apart * (index % 2))])
    assert steps(stream, 60 * PERIOD).max() < 0.02
    assert np.hypot(*stream.balls(60 * PERIOD)[3:5]).max() < 0.2


@pytest.mark.parametrize('gap', [0.0, 0.02, 0.05])
def test_two_balls_that_cross_stay_themselves(gap):
    """The ball that is played with must roll on, whatever comes towards it."""
    stream = VisionStream()
    for now, camera in pictures(0, 300):
        x = -1.5 + now / SECOND
        others = [ball_at(-x, gap)] if now > SECOND // 4 else []
        stream.see(now, camera, [ball_at(x), *others])
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
# Steps of time between pictures [ns]: none, a microsecond, frames, gaps.
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
    """Sights at one place, and at once some metres on, make no ball of 230 m/s."""
    stream = VisionStream(None, SourceMode.AUTO)
    stream.see(0, 0, [ball_at(0.0, 0.0, None)])
    for now in (0, 0, 1000, 13 * MS):
        stream.see(now, 1, [ball_at(0.0, 0.0, None)])
    stream.see(26 * MS, 0, [ball_at(0.0, 1.0, None), ball_at(0.0, 1.0, None)])
    for now in (0, 0, 1000, 13 * MS):
        changes = stream.see(26 * MS + now, 1, [ball_at(3.0, 0.0, None)])
        if changes.ball is not None:
            assert np.hypot(*changes.ball.velocity[:2]) <= 15.0


class VisionMachine(RuleBasedStateMachine):
    """Cameras that see anything at any time."""

    @initialize(geometry=st.booleans(), mode=st.sampled_from(SourceMode))
    def begin(self, geometry, mode):
        """Begin with cameras or without."""
        self.stream = VisionStream(GEOMETRY if geometry else None, mode)
        self.now = self.last_ns = 0
        self.place, self.speed = (0.0, 0.0), (0.0, 0.0)

    @rule(gap=GAPS, camera=st.integers(0, 3), balls=st.lists(BALLS, max_size=6), shift=SHIFTS)
    def see_balls(self, gap, camera, balls, shift):
        """Show balls anywhere, perhaps with wrong stamps."""
        self._see(gap, camera, balls, (), shift, 0)

    @rule(
        gap=GAPS,
        camera=st.integers(0, 3),
        robots=st.lists(ROBOTS, max_size=8),
        capture=SHIFTS,
        sent=SHIFTS,
    )
    def see_robots(self, gap, camera, robots, capture, sent):
        """Show robots anywhere, twice or nameless."""
        self._see(gap, camera, (), robots, capture, sent)

    @rule(
        frames=st.integers(1, 40),
        velocity=st.tuples(st.floats(-8.0, 8.0), st.floats(-8.0, 8.0)),
        climb=st.sampled_from((0.0, 0.0, 3.0, 6.0)),
        cameras=st.sampled_from(((0,), (0, 1), (0, 1, 2, 3))),
        shift=SHIFTS,
    )
    def kick(self, frames, velocity, climb, cameras, shift):
        """Let a ball go on from where it was, on the carpet or through the air."""
        for frame in range(frames):
            camera = cameras[frame % len(cameras)]
            since = frame * 7 * MS / SECOND
            x, y = (p + since * v for p, v in zip(self.place, velocity, strict=True))
            hung = CAMERAS[camera % 2].position
            shown = shadow((x, y, flight(since, climb)), hung)
            if max(map(abs, shown)) < POSITION:
                self._see(7 * MS, camera, [ball_at(*shown)], [robot_at(*self.place)], shift, shift)
        self.place = (x, y) if max(abs(x), abs(y)) < 6.0 else (0.0, 0.0)

    @rule(camera=st.integers(0, 3), balls=st.lists(BALLS, max_size=3))
    def repeat(self, camera, balls):
        """Send the same picture again, with other stamps and the same."""
        for gap in (0, 0, 1000, 13 * MS):
            self._see(gap, camera, balls, (), 0, 0)

    @rule(
        cameras=st.lists(st.integers(0, 3), max_size=4, unique=True),
        position=POSITIONS,
        straight=MODELS,
        chip=CHIPS,
    )
    def learn(self, cameras, position, straight, chip):
        """Hang cameras elsewhere, and take another ball."""
        told = tuple([replace(CAMERAS[0], camera_id=n, position=position) for n in cameras])
        self.stream.learn(Geometry(FIELD, told, straight, chip), self.now)

    @rule(gap=GAPS)
    def tick(self, gap):
        """Let time pass without a picture."""
        self.now += gap
        self._hold(self.stream.match.tick(LOCAL_START + self.now))

    def _see(self, gap, camera, balls, robots, capture, sent):  # noqa: PLR0917
        self.now += gap
        self._hold(self.stream.see(self.now, camera, balls, robots, capture=capture, sent=sent))

    def _hold(self, changes):
        """Check what was told beside what the stream checks."""
        self.stream.told.clear()
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
        """Whatever came, what is kept must be bounded."""
        if hasattr(self, 'stream'):
            assert len(self.stream.match.vision.balls.balls()) <= MOST_TRACKS
            assert size(self.stream.match) < MOST_KEPT


TestVisionMachine = VisionMachine.TestCase
TestVisionMachine.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
