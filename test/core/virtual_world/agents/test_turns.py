# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Agents are called when something happens to them, and only their replies change the world."""

from __future__ import annotations

import hashlib
import math
import random

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import thing, world

from world_model_core.virtual_world.agents.agent_calls import AttachError
from world_model_core.virtual_world.agents.attached_agent import LateReply
from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.events import (
    ActionEvent,
    Collision,
    CollisionEvent,
    EndEvent,
    InitEvent,
    TextEvent,
)
from world_model_core.virtual_world.agents.messages import (
    MOST_MESSAGES,
    OutgoingText,
    RefusedMessageError,
)
from world_model_core.virtual_world.agents.turns import AgentTurns
from world_model_core.virtual_world.agents.wire_values import Late, Reply
from world_model_core.virtual_world.agents.writes import Write
from world_model_core.virtual_world.engine.engine import Engine

STEP = 10_000_000
ALL = ('on_init', 'on_action', 'on_recv_text', 'on_recv_sound', 'on_recv_message', 'on_end')


class Play:
    """An engine, the turns of its agents, and steps from one instant to the next."""

    def __init__(self, *agents, lockstep=True, handlers=ALL):
        self.engine = Engine(world(*(thing(name, position=(i, 0.0, 3.0), dynamics=False)
                                     for i, name in enumerate(agents))))  # fmt: skip
        self.turns = AgentTurns(apply, lockstep=lockstep)
        for name in agents:
            self.turns.attach(name, handlers)

    def begin(self):
        """Return the turns of the present instant."""
        return self.turns.begin(self.engine)

    def finish(self):
        """End the instant, and step."""
        self.turns.finish(self.engine)
        self.engine.step(STEP * 1e-9)

    def instant(self, **replies):
        """Play one instant, with the fields of the replies of agents; return the turns."""
        begun = self.begin()
        for name, turn in begun.items():
            self.turns.accept(name, Reply(turn.number, **replies.get(name, {})))
        self.finish()
        return begun


def events(begun):
    """Return the events of all turns without their times, and with the fields that they have."""
    return {name: [type(each).__name__ for each in turn.events] for name, turn in begun.items()}


def test_an_agent_is_initialized_and_acts_from_the_next_step_on():
    """A negative time means each step; the order is that of the names."""
    play = Play('b', 'a')
    assert play.turns.next_due_ns == 0
    assert list(events(play.instant()).items()) == [('a', ['InitEvent']), ('b', ['InitEvent'])]
    for _ in range(3):
        assert set(events(play.instant(a={'seconds': -1.0}))) == {'a', 'b'}


def test_a_period_counts_from_the_turn():
    """An agent that returns 0.03 s acts in every third step, and the world is told when."""
    play = Play('a')
    play.instant()
    acted = []
    for _ in range(9):
        begun = play.instant(a={'seconds': 0.03})
        acted += [turn.time_ns // STEP for turn in begun.values()]
    assert acted == [1, 4, 7]
    assert play.turns.next_due_ns == 10 * STEP


def test_only_events_with_a_handler_are_sent():
    """An agent that only hears is never called to act, and not at its beginning."""
    play = Play('a', 'b', handlers=('on_recv_text',))
    assert play.instant() == {}
    assert play.turns.next_due_ns is None
    play.turns.say(OutgoingText('operator', 'b', 'hello'))
    assert play.turns.next_due_ns <= play.engine.time_ns
    (turn,) = play.instant().values()
    assert turn.events == (TextEvent(STEP, 'operator', 'hello'),)


def test_the_world_waits_for_all_who_were_called():
    """Replies may come in any order; one to no turn counts and changes nothing."""
    play = Play('a', 'b')
    begun = play.begin()
    assert play.turns.waiting == ('a', 'b')
    play.turns.accept('b', Reply(begun['b'].number))
    play.turns.accept('b', Reply(begun['b'].number))
    play.turns.accept('c', Reply(1))
    assert play.turns.waiting == ('a',)
    assert play.turns.counts['reply to no turn'] == 2


def test_a_text_arrives_one_step_later():
    """Agents that answer each text must neither hang the world nor miss a step."""
    play = Play('a', 'b')
    said = {name: {'seconds': 9.0, 'outgoing': (OutgoingText(name, other, 'ping'),)}
            for name, other in (('a', 'b'), ('b', 'a'))}  # fmt: skip
    play.instant(**said)
    for number in range(1, 5):
        begun = play.instant(**said)
        (text, *_) = begun['a'].events
        assert text == TextEvent(number * STEP, 'b', 'ping')


@pytest.mark.parametrize(
    ('outgoing', 'cause', 'reason'),
    [
        (OutgoingText('b', '', 'I am b'), 'sender is another', "in the name of 'b'"),
        (OutgoingText('a', 'dan', 'hi'), 'unknown recipient', "name 'dan'"),
        (OutgoingText('a', 'b', 'x' * 1_000_001), 'message too long', '1000001 bytes'),
        (OutgoingText('a', 'b', 'hi', radius=math.nan), 'invalid message', 'nan m'),
    ],
)
def test_refused_messages_are_counted_and_reported(outgoing, cause, reason):
    """The rest of the reply is used, and the agent is told in its next turn."""
    play = Play('a', 'b')
    play.instant(a={'outgoing': (outgoing, OutgoingText('a', 'b', 'fine'))})
    assert play.turns.counts[cause] == 1
    begun = play.instant()
    assert reason in begun['a'].errors[0]
    assert [event.text for event in begun['b'].events[:1]] == ['fine']
    assert play.instant()['a'].errors == ()


def test_floods_are_cut_and_counted():
    """1,000 messages a step are delivered; reports to the agent are few."""
    play = Play('a', 'b')
    flood = tuple(OutgoingText('a', 'b', str(number)) for number in range(MOST_MESSAGES + 500))
    play.instant(a={'outgoing': flood})
    begun = play.instant()
    assert len(begun['b'].events) == MOST_MESSAGES + 1
    assert play.turns.counts['too many messages'] == 500
    assert len(begun['a'].errors) == 20


def test_writes_are_applied_and_refused_one_by_one():
    """An invalid write must not prevent the others, and never ends anything."""
    play = Play('a', 'b')
    writes = (
        Write('a', 'position', ((1.0, 2.0, 3.0),)),
        Write('b', 'position', ((math.nan, 0.0, 0.0),)),
        Write('dan', 'position', ((0.0, 0.0, 0.0),)),
        Write('b', 'teleport', ()),
        Write('b', 'wrench', ('', (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), None)),
        Write('b', 'mass', ({'a': b'x'},)),
        Write('b', 'mass', (2.5,)),
    )
    play.instant(a={'writes': writes})
    assert play.turns.counts['write refused'] == 5
    assert play.engine.state_of('a').pose.position == (1.0, 2.0, 3.0)
    assert play.engine.state_arrays.masses()[1] == pytest.approx(2.5)
    assert len(play.instant()['a'].errors) == 5


def test_the_last_in_the_order_of_names_wins():
    """It must not matter who replied first."""
    play = Play('a', 'b')
    begun = play.begin()
    for name, x in (('b', 2.0), ('a', 1.0)):
        write = Write('a', 'position', ((x, 0.0, 5.0),))
        play.turns.accept(name, Reply(begun[name].number, writes=(write,)))
    play.finish()
    assert play.engine.state_of('a').pose.position == (2.0, 0.0, 5.0)


@pytest.mark.parametrize('seconds', [math.nan, math.inf, 86_401.0])
def test_invalid_times_leave_the_last_period(seconds):
    """The agent must be told, and called after its last period."""
    play = Play('a')
    play.instant()
    play.instant(a={'seconds': 0.02})
    play.instant()
    play.instant(a={'seconds': seconds})
    assert play.turns.next_due_ns == 5 * STEP
    play.instant()
    (turn,) = play.instant().values()
    assert '86400 s' in turn.errors[0]
    assert play.turns.counts['invalid reply'] == 1


def test_handlers_that_raise_are_called_again_nine_times():
    """The tenth failure in a row leaves the agent alone, until it is attached again."""
    play = Play('a')
    play.instant()
    for _ in range(9):
        assert play.instant(a={'errors': ('Traceback',)})
    assert play.instant(a={'seconds': -1.0})
    for _ in range(10):
        assert play.instant(a={'errors': ('Traceback',)})
    assert play.instant() == {}
    assert play.turns.left_alone == ('a',)
    assert play.turns.next_due_ns is None
    assert play.turns.end(0) == {}
    assert play.turns.counts['handler raised'] == 19
    play.turns.detach('a')
    play.turns.attach('a', ALL)
    assert events(play.instant()) == {'a': ['InitEvent']}


def test_a_late_agent_is_told_and_called_at_the_next_step():
    """Its reply still counts when it comes, and is recorded as an input."""
    play = Play('a', 'b')
    play.instant()
    begun = play.begin()
    play.turns.accept('b', Reply(begun['b'].number, 1.0))
    assert play.turns.mark_late() == {'a': Late(2)}
    assert play.turns.waiting == ()
    assert play.turns.counts['late'] == 1
    play.finish()
    begun = play.begin()
    assert events(begun) == {'a': ['ActionEvent']}
    write = Write('a', 'position', ((7.0, 0.0, 5.0),))
    play.turns.accept('a', Reply(2, 1.0, (write,)))
    assert play.turns.waiting == ('a',)
    play.turns.accept('a', Reply(3, 1.0))
    play.finish()
    assert play.engine.state_of('a').pose.position == (7.0, 0.0, 5.0)
    assert list(play.turns.late_replies) == [LateReply('a', 2, 2 * STEP)]
    assert play.turns.next_due_ns == 101 * STEP


def test_the_world_does_not_wait_for_an_agent_that_hangs():
    """Three turns in a row without a reply; when it has replied to all, it is called again."""
    play = Play('a')
    for number in range(3):
        assert play.turns.unresponsive == ()
        assert len(play.begin()) == 1
        assert set(play.turns.mark_late()) == {'a'}, number
        play.finish()
    assert play.turns.unresponsive == ('a',)
    assert play.turns.next_due_ns is None
    assert play.instant() == {}
    play.turns.accept('a', Reply(1))
    play.turns.accept('a', Reply(2, 1.0))
    assert play.instant() == {}
    play.turns.accept('a', Reply(3, -1.0))
    play.finish()
    assert play.turns.unresponsive == ()
    assert events(play.instant()) == {'a': ['ActionEvent']}
    play.turns.detach('a')
    assert play.turns.agents == ()


def test_a_late_reply_is_no_reply_in_time():
    """An agent that replies to the last turn but one each time is late each time."""
    play = Play('a')
    play.begin()
    for number in range(1, 3):
        assert play.turns.mark_late()
        play.finish()
        play.begin()
        play.turns.accept('a', Reply(number, -1.0))
        assert play.turns.unresponsive == ()
    play.turns.mark_late()
    assert play.turns.unresponsive == ('a',)


def test_what_is_no_reply_ends_the_turn():
    """The world must not wait for an agent that has sent something invalid."""
    play = Play('a')
    play.begin()
    play.turns.refuse('a', 'frame has 3 bytes')
    play.turns.refuse('a', 'frame has 4 bytes')
    play.turns.refuse('dan', 'frame has 5 bytes')
    assert play.turns.waiting == ()
    play.finish()
    assert play.instant()['a'].errors == ('frame has 3 bytes', 'frame has 4 bytes')
    assert play.turns.counts['invalid message'] == 3


def test_who_is_free_is_not_waited_for():
    """What is due while it is busy is dropped, but what it hears waits for it."""
    play = Play('a', lockstep=False)
    play.instant()
    (turn,) = play.begin().values()
    assert play.turns.waiting == ()
    play.finish()
    play.turns.say(OutgoingText('operator', 'a', 'hello'))
    for _ in range(3):
        assert play.begin() == {}
        play.finish()
    play.turns.accept('a', Reply(turn.number, 0.02))
    assert play.turns.next_due_ns <= play.engine.time_ns
    assert events(play.begin()) == {'a': ['TextEvent', 'ActionEvent']}


def test_the_period_of_who_is_free_counts_from_the_reply():
    """An agent that thinks for 3 steps and asks for 2 more acts 5 steps later."""
    play = Play('a', lockstep=False)
    play.instant()
    (turn,) = play.begin().values()
    for _ in range(3):
        play.finish()
        play.begin()
    play.turns.accept('a', Reply(turn.number, 0.02))
    play.finish()
    assert play.turns.next_due_ns == turn.time_ns + 5 * STEP
    assert play.turns.late_replies.maxlen
    assert not play.turns.late_replies


def test_a_busy_agent_hears_a_bounded_number_of_texts():
    """The oldest are dropped and counted."""
    play = Play('a', lockstep=False)
    (turn,) = play.begin().values()
    play.finish()
    for number in range(3):
        for index in range(500):
            play.turns.say(OutgoingText('operator', 'a', f'{number} {index}'))
        play.begin()
        play.finish()
    play.turns.accept('a', Reply(turn.number))
    (turn,) = play.begin().values()
    heard = [each.text for each in turn.events if isinstance(each, TextEvent)]
    assert (heard[0], heard[-1], len(heard)) == ('1 0', '2 499', 1000)
    assert play.turns.counts['heard too much'] == 500


def test_a_turn_fits_into_a_frame():
    """Long texts of several agents must not make a turn that cannot be sent."""
    play = Play('a', 'b', 'c')
    long = tuple(OutgoingText(name, 'c', 'x' * 990_000) for name in 'ab' for _ in range(20))
    play.instant(a={'outgoing': long[:20]}, b={'outgoing': long[20:]})
    heard = [each for each in play.begin()['c'].events if isinstance(each, TextEvent)]
    assert [each.caller for each in heard] == ['a'] * 12 + ['b'] * 20
    assert play.turns.counts['heard too much'] == 8


def test_a_reset_begins_again():
    """Open turns and what was said are forgotten; replies to them change nothing."""
    play = Play('a', 'b')
    play.instant(b={'outgoing': (OutgoingText('b', 'a', 'old'),)})
    old = play.begin()
    play.turns.reset()
    play.engine.reset()
    assert play.turns.next_due_ns == 0
    play.turns.accept('a', Reply(old['a'].number))
    assert play.turns.counts['reply to no turn'] == 1
    begun = play.instant()
    assert events(begun) == {'a': ['InitEvent'], 'b': ['InitEvent']}
    assert begun['a'].number > old['a'].number


def test_the_end_is_an_event_of_its_own():
    """The world waits for the replies to it."""
    play = Play('a')
    play.instant()
    (turn,) = play.turns.end(STEP).values()
    assert turn.events == (EndEvent(STEP),)
    assert play.turns.waiting == ('a',)


def test_collisions_are_reported_in_each_step_of_the_contact():
    """Each pair of parts once, with the names of both; the ground does not count."""
    engine = Engine(world(thing('a', position=(0.0, 0.0, 0.1)), thing('b', position=(0, 0, 0.29))))
    turns = AgentTurns(apply)
    turns.attach('a', ('on_collision',))
    for number in range(3):
        assert turns.next_due_ns <= engine.time_ns
        begun = turns.begin(engine)
        assert len(begun) == (number > 0)
        for turn in begun.values():
            contact = Collision('b', 'body', 'body')
            assert turn.events == (CollisionEvent(engine.time_ns, (contact,)),)
            turns.accept('a', Reply(turn.number))
        turns.finish(engine)
        engine.step(0.01)


def test_what_touches_is_what_has_contacts():
    """Each pair of parts must be listed once, and the ground not at all."""
    stack = [thing(f'box {number}', position=(0, 0, 0.1 + 0.2 * number)) for number in range(4)]
    engine = Engine(world(*stack, thing('alone', position=(2.0, 0.0, 0.1))))
    engine.step(0.1)
    pairs = {frozenset((each.first[0], each.second[0])) for each in engine.contacts}
    assert frozenset(('', 'alone')) in pairs
    assert [{first[0], second[0]} for first, second in engine.touching] == [
        {f'box {number}', f'box {number + 1}'} for number in range(3)
    ]
    assert {pair for pair in pairs if '' not in pair} == {
        frozenset((first[0], second[0])) for first, second in engine.touching
    }


def test_an_agent_without_an_entity_is_not_called():
    """It begins when there is one, and goes on when it comes back."""
    play = Play('a')
    play.turns.attach('ghost', ALL)
    assert list(play.instant()) == ['a']
    play.engine.spawn([thing('ghost', dynamics=False)])
    assert events(play.instant())['ghost'] == ['InitEvent']
    play.engine.delete(['ghost'])
    assert 'ghost' not in play.instant()


def test_an_agent_has_one_controller():
    """A second one must be refused."""
    play = Play('a')
    with pytest.raises(AttachError, match="'a' has a controller already"):
        play.turns.attach('a', ())


def test_listeners_hear_without_a_controller():
    """Nodes can publish what an entity hears."""
    play = Play('a')
    play.engine.spawn([thing('b', dynamics=False)])
    play.turns.listeners = ('b', 'nobody')
    play.instant(a={'outgoing': (OutgoingText('a', '', 'hello'),)})
    assert [each.text for each in play.turns.said] == ['hello']
    play.begin()
    assert set(play.turns.heard) == {'b'}
    with pytest.raises(RefusedMessageError):
        play.turns.say(OutgoingText('operator', '', '', radius=math.inf))


def play_shuffled(seed):
    """Play 100 agents whose replies arrive in a random order; return a digest of all they see."""
    shuffled, digest = random.Random(seed), hashlib.sha256()  # noqa: S311 (not for cryptography)
    names = [f'agent {number}' for number in range(20)]
    engine = Engine(
        world(*(thing(name, position=(number, 0.0, 1.0)) for number, name in enumerate(names)))
    )
    turns = AgentTurns(apply)
    for name in shuffled.sample(names, len(names)):
        turns.attach(name, ALL)
    for _ in range(40):
        begun = turns.begin(engine)
        digest.update(repr(begun).encode())
        replies = []
        for number, (name, turn) in enumerate(begun.items()):
            heard = [each for each in turn.events if isinstance(each, TextEvent)]
            push = (0.5 * len(heard) + number, 1.0, 0.0), (0.0, 0.0, 0.1 * number)
            writes = (
                Write(name, 'wrench', ('', *push, None)),
                Write(names[0], 'mass', (1.0 + number,)),
            )
            said = (OutgoingText(name, '', f'{turn.number}', radius=2.5),)
            replies.append((name, Reply(turn.number, 0.01 * (number % 3), writes, said)))
        for name, reply in shuffled.sample(replies, len(replies)):
            turns.accept(name, reply)
        turns.finish(engine)
        engine.step(0.01)
    digest.update(engine.snapshot())
    return digest.hexdigest()


def test_the_order_of_arrival_does_not_change_a_bit():
    """Turns, texts and the state of the world must be equal, however replies are shuffled."""
    assert play_shuffled(1) == play_shuffled(2)


def test_all_first_and_last_events_have_the_time_of_the_instant():
    """Events carry the simulated time at which they are handled."""
    play = Play('a')
    (turn,) = play.instant().values()
    assert turn.events == (InitEvent(0),)
    (turn,) = play.instant().values()
    assert turn.events == (ActionEvent(STEP),)
    assert turn.events[0].time == 0.01
