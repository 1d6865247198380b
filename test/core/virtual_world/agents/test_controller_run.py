# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A turn calls the handlers of a controller, and what they did is the reply."""

from __future__ import annotations

import math

import pytest

from world_model_core.virtual_world.agents.controller import AgentWorld, Controller
from world_model_core.virtual_world.agents.controller_run import ControllerRun
from world_model_core.virtual_world.agents.events import (
    ActionEvent,
    EndEvent,
    InitEvent,
    TextEvent,
)
from world_model_core.virtual_world.agents.messages import OutgoingText
from world_model_core.virtual_world.agents.wire_values import Reply, Turn


class Parrot(Controller):
    """Repeats what it hears, and returns or raises what it was given."""

    def __init__(self):
        self.calls = []
        self.result = 0.5

    def on_init(self, event):
        """Record the call."""
        self.calls.append(('init', event.time))

    def on_action(self, event):
        """Return or raise."""
        self.calls.append(('action', event.time))
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result

    def on_recv_text(self, event):
        """Repeat."""
        self.world.send_text(event.text, to=event.caller)

    def on_end(self, event):
        """Record the call."""
        self.calls.append(('end', event.time))


@pytest.fixture
def parrot():
    """Return a controller."""
    return Parrot()


@pytest.fixture
def run(parrot):
    """Return its run."""
    return ControllerRun(parrot, AgentWorld('polly', None))


def test_handlers_are_called_in_order_and_their_effects_are_the_reply(run):
    """The time until the next call is that of on_action."""
    reply = run.take(Turn(3, 10**9, (InitEvent(10**9), TextEvent(10**9, 'ann', 'hi'))))
    assert reply == Reply(3, None, (), (OutgoingText('polly', 'ann', 'hi'),))
    assert run.take(Turn(4, 10**9, (ActionEvent(10**9),))) == Reply(4, 0.5)


def test_an_exception_is_part_of_the_reply(run, parrot):
    """The handlers of the other events are called."""
    parrot.result = ValueError('no')
    reply = run.take(Turn(1, 0, (ActionEvent(0), TextEvent(0, 'ann', 'hi'))))
    assert reply.seconds is None
    assert len(reply.outgoing) == 1
    assert reply.errors[0].endswith('ValueError: no\n')
    assert 'in on_action' in reply.errors[0]


@pytest.mark.parametrize('result', [None, 'soon', [1.0]])
def test_what_is_no_time_is_an_error(run, parrot, result):
    """It says what on_action must return."""
    parrot.result = result
    reply = run.take(Turn(1, 0, (ActionEvent(0),)))
    assert f'on_action returned {result!r}; it must return the time' in reply.errors[0]


def test_other_numbers_are_judged_by_the_world(run, parrot):
    """It counts what is invalid."""
    parrot.result = math.nan
    assert math.isnan(run.take(Turn(1, 0, (ActionEvent(0),))).seconds)


@pytest.mark.parametrize('result', [SystemExit(3), KeyboardInterrupt()])
def test_what_ends_a_program_ends_it(run, parrot, result):
    """sys.exit() in a handler, and Ctrl-C."""
    parrot.result = result
    with pytest.raises(type(result)):
        run.take(Turn(1, 0, (ActionEvent(0),)))


def test_the_controller_ends_once(run, parrot):
    """By the world or with the process, with the time of the last turn, if it has begun."""
    assert run.end() == ''
    assert parrot.calls == []
    run.take(Turn(1, 2 * 10**9, (InitEvent(2 * 10**9),)))
    run.end()
    run.end()
    assert parrot.calls == [('init', 2.0), ('end', 2.0)]
    run.take(Turn(2, 0, (InitEvent(0),)))
    run.take(Turn(3, 0, (EndEvent(0),)))
    run.end()
    assert parrot.calls[2:] == [('init', 0.0), ('end', 0.0)]


def test_long_traces_are_cut_at_their_start(run, parrot):
    """Their end says what happened."""
    parrot.result = ValueError('x' * 10_000 + 'end')
    (error,) = run.take(Turn(1, 0, (ActionEvent(0),))).errors
    assert len(error) < 5000
    assert error.endswith('end\n')
