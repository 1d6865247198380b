# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A match under all faults of a network and its clocks."""

from collections import Counter

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from match_packets import BLUE_3, MS, START, referee, tracker, vision

from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.datagrams import Datagram
from world_model_core.match.match import Match
from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker
from world_model_core.match.time_order import JUMP_BACK_NS
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

STEPS = st.sampled_from((0, 0, 0, MS, -40 * MS, 90 * MS, 300 * MS, -300 * MS, 5 * SECOND, -SECOND))
PLACES = st.floats(-6.0, 6.0)
# More than all causes of all channels together.
MOST_COUNTERS = 40


class MatchMachine(RuleBasedStateMachine):
    """Senders whose clocks are set, delayed and damaged packets, and replays that start over."""

    @initialize(mode=st.sampled_from(SourceMode))
    def begin(self, mode):
        """Make a match in any mode."""
        self.match = Match(MatchParameters(mode=mode, team_name='Bears', uuid='own'))
        self.now = START + 7 * SECOND
        self.index = 0
        self.clocks = Counter()
        self.last_ns = self.jumps = 0

    @rule(ms=st.integers(0, 300))
    def wait(self, ms):
        """Advance the time."""
        self._take(self.match.tick(self._later(ms)))

    @rule(back=st.sampled_from((JUMP_BACK_NS // 2, 2 * SECOND)))
    def go_back(self, back):
        """Set local time back: a little is no jump, a lot is a replay that starts over."""
        self.now -= back
        self._take(self.match.tick(self.now))

    @rule(channel=st.sampled_from(Channel), step=STEPS)
    def set_clock(self, channel, step):
        """Set the clock of a sender."""
        self.clocks[channel] += step

    @rule(
        frames=st.integers(1, 12),
        x=PLACES,
        ball=st.booleans(),
        camera=st.integers(0, 1),
        held_up=st.sampled_from((0, 0, 30 * MS, 400 * MS)),
    )
    def send_vision(self, frames, x, ball, camera, held_up):
        """Send frames with one ball or none, perhaps delayed."""
        for _ in range(frames):
            now = self._later(10)
            packet = vision(
                self.index, x, ball, self.clocks[Channel.VISION] - held_up, camera_id=camera
            )
            self._take(self.match.receive(Datagram(Channel.VISION, packet, now)))

    @rule(
        frames=st.integers(1, 12),
        x=PLACES,
        uuid=st.sampled_from('ab'),
        held_up=st.sampled_from((0, 0, 30 * MS, 400 * MS)),
    )
    def send_tracked(self, frames, x, uuid, held_up):
        """Send the frames of one of two trackers."""
        for _ in range(frames):
            now = self._later(10)
            clock = self.clocks[Channel.TRACKER] - held_up
            self._take(
                self.match.receive(
                    Datagram(Channel.TRACKER, tracker(self.index, x, uuid, clock_ns=clock), now)
                )
            )

    @rule(name=st.sampled_from(('Bears', 'Cats')))
    def referee(self, name):
        """Send referee packets, with our name or without."""
        packet = referee(self.index, status_message=name)
        self._take(self.match.receive(Datagram(Channel.REFEREE, packet, self._later(25))))

    @rule(channel=st.sampled_from(Channel), data=st.binary(max_size=40))
    def disturb(self, channel, data):
        """Send any bytes."""
        self._take(self.match.receive(Datagram(channel, data, self._later(1))))

    @rule(triggered=st.booleans(), speed=st.floats(-5.0, 5.0))
    def feed_back(self, triggered, speed):
        """Send the feedback of a robot."""
        now = self._later(1)
        self.match.receive_ball_sensor(BLUE_3, triggered, now)
        self.match.receive_odometry(BLUE_3, np.array((speed, 0.0, 0.0)), now)

    def _later(self, ms):
        self.index += 1
        self.now += ms * MS
        return self.now

    def _take(self, changes):
        """Check the changes."""
        if changes.tracked is not None:  # receivers must accept every packet
            decode_tracker(encode_tracker(changes.tracked))
        if changes.robots is None:
            return
        robots, ball = changes.robots, changes.ball
        if self.match.counters['clock.jumped back'] != self.jumps:
            self.last_ns, self.jumps = 0, self.match.counters['clock.jumped back']
        assert (ball is None) == (self.match.source is BallSource.NONE)
        assert self.last_ns <= robots.stamp_ns
        self.last_ns = robots.stamp_ns
        assert np.isfinite(robots.poses).all()
        assert (np.abs(robots.poses[:, :2]) < 50.0).all()
        assert (np.abs(robots.velocities[:, :2]) < 50.0).all()
        assert (np.linalg.eigvalsh(robots.covariances) > 0.0).all()
        if ball is not None:
            assert ball.stamp_ns == robots.stamp_ns
            assert np.isfinite(ball.position).all()
            assert np.linalg.norm(ball.velocity) < 50.0
            assert np.linalg.eigvalsh(ball.covariance).min() > 0.0

    @invariant()
    def stay_small(self):
        """Check that the memory is bounded."""
        assert len(self.match.counters) < MOST_COUNTERS


TestMatchMachine = MatchMachine.TestCase
TestMatchMachine.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
