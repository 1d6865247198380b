# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The truth of a simulated match obeys physics and the rules."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.simulation.match.simulated_play import SimulatedPlay
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

FRAME = SECOND // 100
LENGTH, WIDTH, BOUNDARY = 9.0, 6.0, 0.3
SEEDS = st.integers(0, 2**63 - 1)
PARAMETERS = SslMatchParameters()

few = settings(max_examples=4, deadline=None)


def play(seed, seconds, count=3):
    """Play a match and return its true state every 10 ms."""
    parameters = SslMatchParameters(seed=seed, robots_per_team=count)
    match = SimulatedPlay(parameters, np.random.default_rng(seed))
    return [match.advance(stamp) for stamp in range(0, int(seconds * SECOND), FRAME)]


@pytest.fixture(scope='module')
def truths():
    """Play a minute of six against six, with every kind of kick."""
    return play(3, 60.0, 6)


@few
@given(SEEDS)
def test_ball_stays_within_the_boards(seed):
    """The ball never leaves the carpet or sinks into it."""
    for truth in play(seed, 30.0):
        x, y, z = truth.position
        assert abs(x) <= LENGTH / 2 + BOUNDARY
        assert abs(y) <= WIDTH / 2 + BOUNDARY
        assert -1e-9 <= z <= 2.0


@few
@given(SEEDS)
def test_game_never_stalls(seed):
    """For any seed the ball is kicked at least every 20 s."""
    truths = play(seed, 60.0)
    stamps = sorted({truth.kick.stamp_ns for truth in truths if truth.kick})
    gaps = [after - before for before, after in pairwise([0, *stamps, truths[-1].stamp_ns])]
    assert max(gaps) < 20 * SECOND


@pytest.mark.parametrize('x', [-6.0, 6.0])
@pytest.mark.parametrize('y', [-4.0, 4.0])
def test_ball_comes_out_of_a_corner(x, y):
    """A ball in a corner of the boards is fetched, placed and kicked."""
    match = SimulatedPlay(PARAMETERS, np.random.default_rng(1))
    roll_into_corner(match, (x, y, 0.0))
    before = match.advance(0)
    assert abs(before.position[0]) > LENGTH / 2 + 0.2
    assert abs(before.position[1]) > WIDTH / 2 + 0.2
    after = match.advance(25 * SECOND)
    assert after.kick


def roll_into_corner(match, position):
    """Put the ball at the board nearest to a position outside of the field."""
    match.ball.trajectory = predict_ball(
        BallMotionState(position, (0.0, 0.0, 0.0)), PARAMETERS.ball
    )
    match.ball.drop(0)


def test_kicked_ball_follows_the_two_phase_model(truths):
    """Until something touches it, a kicked ball is where the model predicts it."""
    kicks = {truth.kick: predict_kick(truth.kick) for truth in truths if truth.kick}
    free = [t for t in truths if t.kick and t.holder is None and flies_freely(t)]
    assert len(free) > 20 * len(kicks) / 2
    for truth in free:
        elapsed = (truth.stamp_ns - truth.kick.stamp_ns) / SECOND
        state = kicks[truth.kick].state_at(elapsed)
        assert truth.position == pytest.approx(state.position, abs=1e-9)
        assert truth.velocity == pytest.approx(state.velocity, abs=1e-9)


def predict_kick(kick):
    """Predict a kick by the ball's model."""
    speed = math.hypot(*kick.velocity[:2])
    state = BallMotionState(kick.position, kick.velocity, kick_speed=speed)
    return predict_ball(state, PARAMETERS.ball)


def flies_freely(truth):
    """Return whether only the carpet has touched the ball since its kick."""
    return truth.touched_ns == truth.kick.stamp_ns


def test_match_has_straight_kicks_and_chips(truths):
    """There are kicks of every kind, within the rules' speed limit of 6.5 m/s."""
    kicks = {truth.kick for truth in truths if truth.kick}
    chips = [kick for kick in kicks if kick.velocity[2] > 0.0]
    assert len(chips) >= 3
    assert len(kicks) - len(chips) >= 10
    assert max(math.hypot(*kick.velocity) for kick in kicks) < 6.5
    assert max(truth.position[2] for truth in truths) > 0.2


def test_ball_and_robots_never_jump(truths):
    """Nothing moves faster from frame to frame than physically possible."""
    for before, after in pairwise(truths):
        assert math.dist(before.position, after.position) < 6.5 * 0.01 + 0.035
        for old, new in zip(before.robots, after.robots, strict=True):
            assert math.dist(old.position, new.position) < 3.0 * 0.01
            turn = math.remainder(new.heading - old.heading, 2.0 * math.pi)
            assert abs(turn) < 8.1 * 0.01


def test_robots_do_not_overlap(truths):
    """Two robots of 0.18 m diameter never overlap."""
    for truth in truths:
        for one, other in combinations(truth.robots, 2):
            assert math.dist(one.position, other.position) > 0.18


def test_held_ball_moves_with_its_holder(truths):
    """A held ball is at the front of its robot, within the reach of the dribbler."""
    held = [truth for truth in truths if truth.holder]
    assert held
    for truth in held:
        holder = next(robot for robot in truth.robots if robot.id == truth.holder)
        assert 0.04 < math.dist(holder.position, truth.position[:2]) < 0.115


def test_truth_does_not_depend_on_how_often_it_is_queried():
    """A match that is queried rarely proceeds like one that is queried all the time."""
    match = SimulatedPlay(SslMatchParameters(seed=1, robots_per_team=3), np.random.default_rng(1))
    match.advance(123_456_789)
    assert match.advance(1990 * SECOND // 100) == play(1, 20.0)[1990]


def test_balls_bounce_off_robots():
    """The ball sometimes changes direction at a robot that does not catch it."""
    bounces = 0
    for before, after in pairwise(play(1, 60.0, 11)):
        if after.holder or before.holder or after.touched_ns == before.touched_ns:
            continue
        if after.kick == before.kick and math.hypot(*after.velocity[:2]) > 0.05:
            place = before.position[:2]
            bounces += min(math.dist(place, robot.position) for robot in before.robots) < 0.2
    assert bounces >= 3


@pytest.mark.parametrize('count', [11, 16])
def test_many_robots_play_without_touching(count):
    """The largest number of robots that rules and patterns allow never touch."""
    for truth in play(1, 10.0, count)[::10]:
        assert len(truth.robots) == 2 * count
        for one, other in combinations(truth.robots, 2):
            assert math.dist(one.position, other.position) > 0.18


def test_loose_balls_stay_within_the_boards():
    """The other balls are kicked along at times, and come to rest."""
    parameters = SslMatchParameters(robots_per_team=3, balls=6)
    match = SimulatedPlay(parameters, np.random.default_rng(1))
    truths = [match.advance(stamp) for stamp in range(0, 30 * SECOND, FRAME)]
    for index in range(1, 6):
        balls = [truth.balls[index] for truth in truths]
        speeds = [math.hypot(*ball.velocity[:2]) for ball in balls]
        assert max(speeds) > 0.3
        assert all(abs(b.position[0]) < LENGTH / 2 + BOUNDARY for b in balls)
        assert all(abs(b.position[1]) < WIDTH / 2 + BOUNDARY for b in balls)
    assert any(truth.balls[1].velocity == (0.0, 0.0, 0.0) for truth in truths)
    assert any(ball.position[2] > 0.1 for truth in truths for ball in truth.others)


def test_loose_balls_do_not_change_the_match():
    """The same match is played, whatever other balls there are."""
    parameters = SslMatchParameters(robots_per_team=3)
    alone, among = (
        SimulatedPlay(replace(parameters, balls=balls), np.random.default_rng(1))
        for balls in (1, 6)
    )
    for stamp in range(0, 20 * SECOND, SECOND):
        assert replace(among.advance(stamp), others=()) == alone.advance(stamp)
