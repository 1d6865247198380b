# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A match that several senders claim to send: which one is used, counted and named."""

from dataclasses import replace

import pytest
from match_packets import MS, START, referee, tracker, vision
from samples import BALL, CAMERA, FIELD, FRAME, ROBOT

from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.match import Match
from world_model_core.match.senders.allowed_senders import AllowedSenders
from world_model_core.match.ssl.geometry_values import Geometry
from world_model_core.match.ssl.referee_values import Command
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND

VISION, TRACKER, REFEREE = Channel.VISION, Channel.TRACKER, Channel.REFEREE
HONEST, FORGER = SenderAddress('10.0.0.5', 4000), SenderAddress('10.0.0.9', 4000)
NEW_PORT = SenderAddress('10.0.0.5', 5000)
HOUR = 3600 * SECOND
BOTH = 'is sent by 10.0.0.5 and 10.0.0.9; 10.0.0.9 is ignored'


class Network:
    """A match and the datagrams that it receives, each with its sender, in steps of 10 ms."""

    def __init__(self, **parameters):
        self.match = Match(MatchParameters(**parameters))
        self.index = 0

    @property
    def now_ns(self):
        """Local time of the present step [ns]."""
        return START + self.index * 10 * MS + 5 * MS

    def send(self, channel, data, sender=HONEST):
        """Send a datagram now."""
        return self.match.receive(Datagram(channel, data, self.now_ns, sender))

    def run(self, steps, *each):
        """Call functions of the index in each step, and return the changes of all calls."""
        all_changes = []
        for _ in range(steps):
            self.index += 1
            all_changes += [one(self.index) for one in each]
        return all_changes

    def honest(self, index):
        """Send a frame with the ball at the center from the vision host."""
        return self.send(VISION, vision(index))

    @property
    def warnings(self):
        """The present warnings."""
        return self.match.warnings(self.now_ns)


@pytest.fixture
def network():
    """Make a match that has received vision for a second."""
    made = Network(team_name='Bears')
    made.run(100, made.honest)
    return made


def ball_x(all_changes):
    """Return the x coordinates of all published balls [m]."""
    return [changes.ball.position[0] for changes in all_changes if changes.ball is not None]


@pytest.mark.parametrize('ahead_ns', [0, HOUR, -500 * SECOND])
@pytest.mark.parametrize('camera_id', [0, 7])
@pytest.mark.parametrize(('forger', 'name'), [(FORGER, '10.0.0.9'), (NEW_PORT, '10.0.0.5:5000')])
def test_forged_vision_moves_nothing(network, ahead_ns, camera_id, forger, name):
    """Frames of another program must be counted and named, and change no ball and no clock."""

    def forged(index):
        data = vision(index, x=0.5, clock_ns=ahead_ns, camera_id=camera_id)
        return network.send(VISION, data, forger)

    offset_ns = network.match.clocks[VISION].offset_ns
    all_changes = network.run(300, network.honest, forged)
    assert max(map(abs, ball_x(all_changes))) < 1e-3
    assert network.match.clocks[VISION].offset_ns == offset_ns
    cause = 'other sender' if camera_id == 0 else 'camera on trial'
    assert network.match.counters[f'vision.{cause}'] == 300
    assert network.match.counters['vision.clock jumped'] == 0
    (warning,) = network.warnings
    assert f'{name} is ignored' in warning if camera_id == 0 else f'by {name}, which' in warning


def test_a_warning_ends_with_the_second_sender(network):
    """The second sender must not be named after it has been silent for two seconds."""
    network.run(1, lambda i: network.send(VISION, vision(i, x=0.5), FORGER))
    assert network.warnings == (f'camera 0 {BOTH}',)
    network.run(210, network.honest)
    assert network.warnings == ()


def test_forged_stamps_of_a_tracker_and_a_referee_change_nothing(network):
    """An hour ahead, with the uuid and the identifier of the incumbents, they must be ignored."""
    network.run(
        100,
        network.honest,
        lambda i: network.send(TRACKER, tracker(i)),
        lambda i: network.send(REFEREE, referee(i)),
    )
    offsets = {channel: network.match.clocks[channel].offset_ns for channel in Channel}
    game = network.match.game
    forged = network.run(
        100,
        network.honest,
        lambda i: network.send(TRACKER, tracker(i)),
        lambda i: network.send(TRACKER, tracker(i, x=3.0, clock_ns=HOUR), FORGER),
        lambda i: network.send(
            REFEREE, referee(i + 10**6, command=Command.HALT, command_counter=9), FORGER
        ),
    )
    assert max(map(abs, ball_x(forged))) < 1e-3
    assert network.match.game is game
    assert {channel: network.match.clocks[channel].offset_ns for channel in Channel} == offsets
    assert network.match.counters['tracker.other sender'] == 100
    assert network.match.counters['referee.other sender'] == 100
    assert set(network.warnings) == {f"tracker 'TIGERs' {BOTH}", f'the referee {BOTH}'}


def test_vision_that_restarts_on_a_new_port_is_used_again(network):
    """It must be used within a second, whatever its clock, and leave no warning."""
    network.run(1, lambda i: network.send(VISION, vision(i, x=0.1), NEW_PORT))
    assert network.match.counters['vision.other sender'] == 1
    assert network.warnings == (
        'camera 0 is sent by 10.0.0.5:4000 and 10.0.0.5:5000; 10.0.0.5:5000 is ignored',
    )

    def restarted(index):
        return network.send(VISION, vision(index, x=0.1, clock_ns=-500 * SECOND), NEW_PORT)

    assert ball_x(network.run(100, restarted))[-1] == pytest.approx(0.1, abs=1e-3)
    network.run(200, restarted)
    assert network.warnings == ()


def test_another_host_takes_over_when_vision_is_silent(network):
    """After the timeout all cameras of another address must be used without a trial."""
    network.run(60)
    all_changes = network.run(40, lambda i: network.send(VISION, vision(i, x=0.1), FORGER))
    assert ball_x(all_changes)[-1] == pytest.approx(0.1, abs=1e-3)
    assert network.warnings == ()


def test_a_second_game_controller_takes_over(network):
    """It must be ignored while the first one sends, and used 2 s after its last packet."""
    second = {'source_identifier': 'second', 'command': Command.STOP, 'command_counter': 5}
    network.run(1, lambda _: network.send(REFEREE, referee(0)))
    network.run(1, lambda _: network.send(REFEREE, referee(1, **second)))
    first, other = "10.0.0.5:4000 as ''", "10.0.0.5:4000 as 'second'"
    assert network.warnings == (f'the referee is sent by {first} and {other}; {other} is ignored',)
    # Its clock may be behind that of the first one.
    changes = network.run(
        250, lambda i: network.send(REFEREE, referee(i - 1000, **second), NEW_PORT)
    )
    assert [c.game.command for c in changes if c.game is not None] == ['STOP']
    assert network.match.counters['referee.other sender'] < 202
    network.run(201)
    assert network.warnings == ()


@pytest.mark.parametrize('copy_first', [False, True])
def test_a_host_on_two_interfaces_is_used_once_and_not_named(copy_first):
    """Each datagram must be used once; when one path is cut, the other must be used at once."""
    network = Network()
    paths = (FORGER, HONEST) if copy_first else (HONEST, FORGER)
    network.run(1, network.honest)

    def both(index):
        return [network.send(VISION, vision(index), path).robots is not None for path in paths]

    assert {sum(used) for used in network.run(200, both)} == {1}
    assert network.warnings == ()
    network.run(60)
    second = network.run(40, lambda i: network.send(VISION, vision(i), FORGER))
    assert all(changes.robots is not None for changes in second)
    assert network.warnings == ()


def camera_frame(index, camera_id, balls=((0.0, 0.0),), robots=((1.0, 0.0),), shift=0.0):
    """Encode a frame of a camera with balls and with blue robots from number 3 on."""
    capture = START + index * 10 * MS
    frame = replace(
        FRAME,
        camera_id=camera_id,
        frame_number=index,
        capture_ns=capture,
        sent_ns=capture + 5 * MS,
        balls=tuple(replace(BALL, x=x + shift, y=y) for x, y in balls),
        robots=tuple(
            replace(ROBOT, number=number, x=x + shift, y=y)
            for number, (x, y) in enumerate(robots, 3)
        ),
    )
    return encode_vision(VisionPacket(frame, None))


@pytest.mark.parametrize('shift', [0.0, 0.03])
def test_a_camera_of_a_second_host_joins_after_a_second_of_agreement(network, shift):
    """It must be ignored for a second, then be used, and end the warning."""
    used = []

    def second(index):
        network.send(VISION, camera_frame(index, 1, shift=shift), FORGER)
        used.append(network.match.counters['vision.camera on trial'])

    network.run(310, network.honest, second)
    assert used[-1] == pytest.approx(100, abs=2)
    assert network.warnings == ()


@pytest.mark.parametrize(
    'seen',
    [
        {'shift': 0.2},
        {'balls': ((0.3, 0.0),)},
        {'robots': ((1.0, 0.3),)},
        {'balls': (), 'robots': ()},
    ],
    ids=str,
)
def test_a_camera_that_does_not_agree_never_joins(network, seen):
    """A shift of ball or robots must keep it out, and so must the lack of an overlap."""
    network.run(
        500,
        network.honest,
        lambda i: network.send(VISION, camera_frame(i, 1, **seen), FORGER),
    )
    assert network.match.counters['vision.camera on trial'] == 500
    assert 'listed in vision_senders' in network.warnings[0]


def test_a_listed_host_joins_without_an_overlap():
    """With an allow-list, a camera of a second host must be used at once."""
    network = Network(senders=AllowedSenders(vision='10.0.0.0/24'))
    network.run(100, network.honest)
    network.run(
        2, network.honest, lambda i: network.send(VISION, camera_frame(i, 1, (), ()), FORGER)
    )
    assert network.match.counters['vision.camera on trial'] == 0
    assert network.warnings == ()


def test_senders_that_are_not_listed_are_counted_only():
    """They must neither be used nor count as reception, also if nobody else sends."""
    allowed = AllowedSenders(vision='10.0.0.5', tracker='10.0.0.5', referee='10.0.0.5')
    network = Network(senders=allowed)
    packets = {VISION: vision, TRACKER: tracker, REFEREE: referee}
    for channel, packet in packets.items():
        network.run(100, lambda i, c=channel, p=packet: network.send(c, p(i), FORGER))
        assert network.match.counters[f'{channel.value}.sender not allowed'] == 100
    assert network.match.received_ns == {}
    assert network.match.source is BallSource.NONE
    assert network.match.game is None


def test_a_wrong_allow_list_is_refused():
    """A match must not start with a list that is not understood."""
    with pytest.raises(ConfigurationError, match='from 0 to 32'):
        Network(senders=AllowedSenders(vision='10.0.0.0/33'))


def geometry_of(*camera_ids, length=12.0):
    """Encode a geometry with some cameras."""
    cameras = tuple(replace(CAMERA, camera_id=each) for each in camera_ids)
    geometry = Geometry(replace(FIELD, length=length), cameras)
    return encode_vision(VisionPacket(None, geometry))


def test_a_different_geometry_is_ignored_until_the_first_is_silent(network):
    """The field must stay, and change 10 s after the last packet of the incumbent."""
    network.run(1, lambda _: network.send(VISION, geometry_of(0)))
    first = network.match.geometry
    network.run(
        1000, network.honest, lambda _: network.send(VISION, geometry_of(0, 5, length=9.0), FORGER)
    )
    assert network.match.geometry == first
    assert network.match.counters['vision.other geometry'] == 1000
    assert network.warnings == (f'geometry {BOTH}',)
    network.run(1, lambda _: network.send(VISION, geometry_of(0, length=9.0), FORGER))
    assert network.match.geometry.field.length == 9.0
    network.run(210, network.honest)
    assert network.warnings == ()


def test_the_geometries_of_two_hosts_are_joined(network):
    """Each host must define its own cameras, and nothing may alternate."""
    network.run(200, network.honest, lambda i: network.send(VISION, camera_frame(i, 1), FORGER))

    def both(_):
        network.send(VISION, geometry_of(0))
        network.send(VISION, geometry_of(1), FORGER)
        return network.match.geometry

    geometries = network.run(5, both)
    assert [camera.camera_id for camera in geometries[0].cameras] == [0, 1]
    assert all(geometry is geometries[0] for geometry in geometries)
    network.run(1, lambda _: network.send(VISION, geometry_of(0, 1, 2), FORGER))
    assert network.match.geometry is geometries[0]


def test_a_host_that_sends_the_geometry_alone_is_used(network):
    """Where the senders of the frames send no geometry, that of another host must be used."""
    network.run(5, network.honest, lambda _: network.send(VISION, geometry_of(0), FORGER))
    assert [camera.camera_id for camera in network.match.geometry.cameras] == [0]
    assert network.warnings == ()


def test_the_last_senders_come_first_after_a_jump_back(network):
    """When a replay starts over, a second sender that is faster must not take the office."""
    network.index = 0
    all_changes = network.run(
        1, lambda i: network.send(VISION, vision(i, x=0.5), FORGER), network.honest
    )
    assert network.match.counters['clock.jumped back'] == 1
    assert [changes.robots is not None for changes in all_changes] == [False, True]
    assert network.match.counters['vision.other sender'] == 1


def test_the_last_senders_come_first_in_the_next_match(network):
    """When the node is configured again, its senders must keep their offices."""
    following = Network()
    following.match = Match(MatchParameters(), network.match.senders.incumbents)
    following.index = network.index + 10**6
    forged, right = following.run(
        1, lambda i: following.send(VISION, vision(i, x=0.5), FORGER), following.honest
    )
    assert (forged.robots, following.match.counters['vision.other sender']) == (None, 1)
    assert right.robots is not None


def test_a_tracker_is_kept_through_a_short_silence(network):
    """Vision must bridge a silence of 0.2 s, and another tracker must not take over in it."""
    network.run(50, network.honest, lambda i: network.send(TRACKER, tracker(i)))
    other = network.run(
        20, network.honest, lambda i: network.send(TRACKER, tracker(i, 3.0, 'uuid-2'), FORGER)
    )
    assert max(map(abs, ball_x(other))) < 0.1
    assert network.match.source is BallSource.VISION
    assert network.match.counters['tracker.other tracker'] == 20
    assert network.warnings == ()
    network.run(1, lambda i: network.send(TRACKER, tracker(i)))
    assert network.match.source is BallSource.TRACKER


def evil(network, x=0.5):
    """Return a function that sends the packets of a tracker that is wrong by `x` [m]."""
    return lambda i: network.send(TRACKER, tracker(i, x, 'uuid-2', 'EVIL'), FORGER)


def test_a_tracker_that_disagrees_with_vision_loses_its_office(network):
    """After half a second it must be ignored and named, and another one may be selected."""
    wrong = ball_x(network.run(49, network.honest, evil(network)))
    assert wrong[-1] == pytest.approx(0.5, abs=0.05)
    network.run(5, network.honest, evil(network))
    right = network.run(100, network.honest, evil(network))
    assert max(map(abs, ball_x(right))) < 1e-3
    assert network.match.source is BallSource.VISION
    assert network.match.counters['tracker.disagrees with vision'] > 100
    assert network.warnings == ("tracker 'EVIL' of 10.0.0.9 disagrees with vision and is ignored",)
    network.run(1, network.honest, lambda i: network.send(TRACKER, tracker(i)), evil(network))
    assert network.match.source is BallSource.TRACKER
    assert network.match.tracker_selector.name == 'TIGERs'


def test_a_tracker_regains_its_office_after_10_s_of_agreement(network):
    """It must not be used after 9 s, but after 10 s; its warning must end."""
    network.run(100, network.honest, evil(network))
    network.run(900, network.honest, evil(network, 0.0))
    assert network.match.source is BallSource.VISION
    network.run(150, network.honest, evil(network, 0.0))
    assert network.match.source is BallSource.TRACKER
    assert network.warnings == ()


def test_a_tracker_is_compared_in_mode_auto_only():
    """A tracker that was chosen with `source: tracker` must be used in any case."""
    network = Network(mode=SourceMode.TRACKER)
    network.run(100, network.honest)
    all_changes = network.run(200, network.honest, evil(network))
    assert ball_x(all_changes)[-1] == pytest.approx(0.5, abs=0.05)


def test_a_tracker_of_a_ball_that_no_camera_measures_is_used(network):
    """Where vision has no ball, a tracker cannot disagree."""
    network.run(200, lambda i: network.send(VISION, vision(i, ball=False)), evil(network))
    assert network.match.source is BallSource.TRACKER


def test_trackers_with_any_number_of_names_are_stored_in_bounded_memory(network):
    """An attacker that changes its uuid must not fill the memory."""
    network.run(300, network.honest, lambda i: network.send(TRACKER, tracker(i, 1.0, f'{i}')))
    assert len(network.match._agreement._records) <= 16
