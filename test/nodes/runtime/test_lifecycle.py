# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Nodes that acquire something: their transitions, and how their processes end."""

from __future__ import annotations

import signal
import threading
import time
from dataclasses import dataclass, replace

import pytest
from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState
from rcl_interfaces.srv import SetParameters
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.parameter import Parameter
from samples import FRAME
from std_msgs.msg import Empty

from world_model_core.errors import ConfigurationError
from world_model_core.match.ssl.values import VisionPacket
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_nodes.runtime.lifecycle import AcquiringNode
from world_model_nodes.runtime.params import parameter

FAILURE = TransitionCallbackReturn.FAILURE


@dataclass(frozen=True)
class Config:
    """What the test node acquires."""

    thing: str = parameter('lamp', 'what to acquire; junk is refused')
    autostart: bool = parameter(True, 'configure and activate at once')


class Collector(AcquiringNode):
    """Notes what it is asked to do."""

    config_type = Config

    def __init__(self, **given):
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        super().__init__('collector', parameter_overrides=overrides)
        self.done = []

    def acquire(self):
        """Acquire."""
        if self.config.thing == 'junk':
            raise ConfigurationError("thing is 'junk'; it must be of use")
        if self.config.thing == 'bomb':
            raise OverflowError('too large')
        self.done.append(f'acquire {self.config.thing}')

    def start(self):
        """Start."""
        if self.config.thing == 'fuse':
            raise KeyError('no match')
        self.done.append('start')

    def stop(self):
        """Stop."""
        self.done.append('stop')

    def release(self):
        """Release."""
        self.done.append('release')


class Operator:
    """Works a node from outside, by its services."""

    def __init__(self, graph, node):
        self._graph = graph
        self.node = graph.add(node)

    def change(self, transition):
        """Ask for a transition; return whether it succeeded."""
        request = ChangeState.Request(transition=Transition(id=transition))
        return self._graph.call(ChangeState, 'collector/change_state', request).success

    @property
    def state(self):
        """Ask for the state."""
        request = GetState.Request()
        return self._graph.call(GetState, 'collector/get_state', request).current_state.id

    def set(self, name, value):
        """Ask for a parameter to change."""
        change = [Parameter(name, value=value).to_parameter_msg()]
        request = SetParameters.Request(parameters=change)
        (result,) = self._graph.call(SetParameters, 'collector/set_parameters', request).results
        return result


@pytest.fixture
def operate(graph):
    """Make a node and the operator who works it."""

    def make(**given):
        return Operator(graph, Collector(**given))

    return make


def test_autostart_configures_and_activates(operate):
    """With autostart the node acquires and starts at once."""
    operator = operate()
    assert operator.node.autostart()
    assert operator.node.done == ['acquire lamp', 'start']
    assert operator.state == State.PRIMARY_STATE_ACTIVE


@pytest.mark.parametrize(
    ('thing', 'said'), [('bomb', 'OverflowError: too large'), ('fuse', "KeyError: 'no match'")]
)
def test_a_fault_of_ours_is_told(operate, capfd, thing, said):
    """Whatever goes wrong in a transition is logged with its trace: the node does not start."""
    assert not operate(thing=thing).node.autostart()
    logged = capfd.readouterr().err
    assert '[FATAL]' in logged
    assert 'Traceback' in logged
    assert said in logged


def test_without_autostart_the_node_waits(operate):
    """Without it nothing is acquired until somebody asks."""
    operator = operate(autostart=False)
    assert operator.node.autostart()
    assert operator.node.done == []
    assert operator.state == State.PRIMARY_STATE_UNCONFIGURED


def test_transitions_from_outside_acquire_and_release_once(operate):
    """Each transition does its one thing, and what was acquired is released once."""
    operator = operate(autostart=False)
    node = operator.node
    for transition, done, state in (
        (Transition.TRANSITION_CONFIGURE, 'acquire lamp', State.PRIMARY_STATE_INACTIVE),
        (Transition.TRANSITION_ACTIVATE, 'start', State.PRIMARY_STATE_ACTIVE),
        (Transition.TRANSITION_DEACTIVATE, 'stop', State.PRIMARY_STATE_INACTIVE),
    ):
        assert operator.change(transition)
        assert node.done[-1] == done
        assert operator.state == state
    assert operator.change(Transition.TRANSITION_CLEANUP)
    assert operator.state == State.PRIMARY_STATE_UNCONFIGURED
    assert operator.change(Transition.TRANSITION_UNCONFIGURED_SHUTDOWN)
    assert operator.state == State.PRIMARY_STATE_FINALIZED
    assert node.done == ['acquire lamp', 'start', 'stop', 'release']


@pytest.mark.parametrize('active', [False, True])
def test_shutdown_releases(operate, active):
    """A node shut down from any state holds nothing, and destroying it releases nothing twice."""
    operator = operate(autostart=False)
    operator.change(Transition.TRANSITION_CONFIGURE)
    shutdown = Transition.TRANSITION_INACTIVE_SHUTDOWN
    if active:
        operator.change(Transition.TRANSITION_ACTIVATE)
        shutdown = Transition.TRANSITION_ACTIVE_SHUTDOWN
    assert operator.change(shutdown)
    assert operator.state == State.PRIMARY_STATE_FINALIZED
    operator.node.destroy_node()
    used = ['start', 'stop'] if active else []
    assert operator.node.done == ['acquire lamp', *used, 'release']


def test_destroying_releases(graph, operate):
    """A node that is destroyed while active stops and releases, in this order."""
    operator = operate()
    operator.node.autostart()
    graph.remove(operator.node)
    assert operator.node.done == ['acquire lamp', 'start', 'stop', 'release']


def test_a_refused_configuration_fails_and_says_so(operate, capfd):
    """A bad value is logged as fatal, the transition fails, and nothing is held or released."""
    operator = operate(thing='junk', autostart=False)
    assert not operator.change(Transition.TRANSITION_CONFIGURE)
    assert operator.state == State.PRIMARY_STATE_UNCONFIGURED
    error = capfd.readouterr().err
    assert 'FATAL' in error
    assert "thing is 'junk'; it must be of use" in error
    assert operator.set('thing', 'lamp').successful
    assert operator.change(Transition.TRANSITION_CONFIGURE)
    assert operator.node.done == ['acquire lamp']


def test_autostart_tells_of_failure(operate):
    """With a bad value autostart says False."""
    operator = operate(thing='junk')
    assert not operator.node.autostart()
    assert operator.node.done == []


def test_parameters_are_read_only_once_configured(operate):
    """What was acquired stays as asked; after cleanup the node takes another value and uses it."""
    operator = operate(autostart=False)
    operator.change(Transition.TRANSITION_CONFIGURE)
    result = operator.set('thing', 'chair')
    assert not result.successful
    assert 'read-only' in result.reason
    assert operator.node.get_parameter('thing').value == 'lamp'
    operator.change(Transition.TRANSITION_CLEANUP)
    assert operator.set('thing', 'chair').successful
    operator.change(Transition.TRANSITION_CONFIGURE)
    assert operator.node.done == ['acquire lamp', 'release', 'acquire chair']


def test_rclpys_own_parameters_are_never_read_only(operate):
    """Simulated time can be switched on while the node is configured."""
    operator = operate()
    operator.node.autostart()
    assert operator.set('use_sim_time', value=True).successful


def receive_on(endpoint):
    """Give the arguments that keep a receiver to one group."""
    arguments = ['-p', 'interface:=lo']
    for number, channel in enumerate(('vision', 'tracker', 'referee')):
        arguments += ['-p', f'{channel}_group:={endpoint.group}']
        arguments += ['-p', f'{channel}_port:={endpoint.port + 300 * number}']
    return arguments


def wait_for_state(graph, name, state):
    """Wait until a node of another process is in a state."""
    request = GetState.Request()
    graph.wait_until(
        lambda: graph.call(GetState, f'{name}/get_state', request).current_state.id == state
    )


@pytest.mark.parametrize(
    ('executable', 'argument', 'said'),
    [
        ('ssl_receiver', 'ball_life:=0.01', 'ball_life'),
        ('ssl_receiver', 'ball_life:=2', '1.0, not 1'),
        ('ssl_receiver', 'source:=guess', 'auto | tracker | vision'),
        ('ssl_receiver', 'vision_group:=192.0.2.1', '224.0.0.0 to 239.255.255.255'),
        ('ball_predictor', 'rolling_model:=guess', 'two_phase | constant | exponential'),
        ('ball_predictor', 'stop_threshold:=1.0', 'speed_threshold'),
        ('world_model_publisher', 'rate:=0.0', 'rate'),
    ],
)
def test_a_process_with_a_bad_value_ends_with_1(running, executable, argument, said):
    """A configuration nobody could use is fatal by name, without a traceback, and exits 1."""
    with running(executable, '-p', argument) as process:
        _, error = process.communicate()
    assert process.returncode == 1
    assert 'FATAL' in error
    assert said in error
    assert 'Traceback' not in error


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_receiver_quietly(graph, running, endpoint, sender, number):
    """Ctrl-C and SIGTERM in the middle of traffic end with 0 and not a word on stderr."""
    over = threading.Event()

    def chatter():
        while not over.is_set():
            now = time.time_ns()
            frame = replace(FRAME, capture_ns=now, sent_ns=now)
            sender.send(endpoint, encode_vision(VisionPacket(frame, None)))

    talking = threading.Thread(target=chatter)
    with running('ssl_receiver', *receive_on(endpoint)) as process:
        wait_for_state(graph, 'ssl_receiver', State.PRIMARY_STATE_ACTIVE)
        talking.start()
        process.send_signal(number)
        _, error = process.communicate()
    over.set()
    talking.join()
    assert process.returncode == 0
    assert 'Traceback' not in error
    assert 'FATAL' not in error


NEVER_IDLE = """
from rclpy.node import Node
from std_msgs.msg import Empty
from world_model_nodes.runtime.lifecycle import run

class NeverIdle(Node):
    def __init__(self):
        super().__init__('never_idle')
        self.publisher = self.create_publisher(Empty, 'beat', 1)
        self.create_timer(0.01, self.beat)

    def beat(self):
        while True:
            self.publisher.publish(Empty())

run(NeverIdle)
"""


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_within_a_callback_is_a_quiet_end(graph, running_code, number):
    """The context goes down under a callback that publishes: that is no failure of the node."""
    beats = graph.listen(Empty, 'beat')
    with running_code(NEVER_IDLE) as process:
        graph.wait_until(lambda: beats)
        process.send_signal(number)
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


MADE_UNDER_A_SIGNAL = """
import os
from rclpy.node import Node
from world_model_nodes.runtime.lifecycle import run

def interrupted():
    os.kill(os.getpid(), {number})
    return Node('interrupted')

run(interrupted)
"""


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_node_is_made_is_a_quiet_end(running_code, number):
    """The context goes down before the node is there: that is no failure of the node either."""
    with running_code(MADE_UNDER_A_SIGNAL.format(number=int(number))) as process:
        _, error = process.communicate()
    assert process.returncode == 0
    assert 'Traceback' not in error


def test_a_failure_is_no_quiet_end(running_code):
    """Without a signal an error stays one: traceback and 1."""
    code = """
from world_model_nodes.runtime.lifecycle import run

def fail():
    raise RuntimeError('broken')

run(fail)
"""
    with running_code(code) as process:
        _, error = process.communicate()
    assert process.returncode == 1
    assert 'RuntimeError: broken' in error


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('executable', ['ball_predictor', 'world_model_publisher'])
def test_a_signal_ends_a_plain_node_quietly(graph, running, executable, number):
    """Nodes without a lifecycle end as quietly."""
    with running(executable) as process:
        graph.wait_until(lambda: (executable, '/') in graph.probe.get_node_names_and_namespaces())
        process.send_signal(number)
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


IMPORTED_UNDER_A_SIGNAL = """
import os, sys
from world_model_nodes.runtime import executables

class Interruption:
    def find_spec(self, name, *_):
        if name == 'world_model_core.match.ball':
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Interruption())
executables.{executable}()
"""


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('executable', ['ball_predictor', 'ssl_receiver'])
def test_a_signal_before_the_node_is_imported_is_a_quiet_end(running_code, executable, number):
    """A scenario that fails at once stops nodes that still import: they add no trace to it."""
    code = IMPORTED_UNDER_A_SIGNAL.format(number=int(number), executable=executable)
    with running_code(code) as process:
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


ACQUIRED_UNDER_A_SIGNAL = """
import os
import signal
from dataclasses import dataclass
from std_msgs.msg import Empty
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.params import parameter

@dataclass(frozen=True)
class Config:
    autostart: bool = parameter(True, '')

class Slow(AcquiringNode):
    config_type = Config

    def __init__(self):
        super().__init__('slow')

    def acquire(self):
        os.kill(os.getpid(), signal.{name})
        while self.context.ok():
            pass
        {then}

    def release(self):
        pass

run(Slow)
"""


@pytest.mark.parametrize('name', ['SIGINT', 'SIGTERM'])
@pytest.mark.parametrize('then', ['pass', "self.create_publisher(Empty, 'late', 1)"])
def test_a_signal_while_something_is_acquired_is_a_quiet_end(running_code, name, then):
    """A large file may take a second to load; who ends the node meanwhile sees no error."""
    with running_code(ACQUIRED_UNDER_A_SIGNAL.format(name=name, then=then)) as process:
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


@pytest.mark.parametrize('content', ['ssl_receiver: [', 'ssl_receiver: 1'])
def test_a_parameter_file_that_cannot_be_read_ends_with_1(running, tmp_path, content):
    """What is no parameter file is fatal by its name, without a traceback, and exits 1."""
    file = tmp_path / 'bad.yaml'
    file.write_text(content)
    with running('ssl_receiver', '--params-file', str(file)) as process:
        _, error = process.communicate()
    assert process.returncode == 1
    assert 'FATAL' in error
    assert str(file) in error
    assert 'Traceback' not in error


def test_a_second_ctrl_c_does_not_break_the_end(graph, running):
    """Under ros2 launch a terminal's Ctrl-C comes twice: the node ends with 0 all the same."""
    with running('ball_predictor') as process:
        graph.wait_until(
            lambda: ('ball_predictor', '/') in graph.probe.get_node_names_and_namespaces()
        )
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


def test_a_receiver_without_autostart_is_worked_from_outside(graph, running, endpoint):
    """A process waits unconfigured, and goes through its states when asked."""
    arguments = (*receive_on(endpoint), '-p', 'autostart:=false')
    with running('ssl_receiver', *arguments) as process:
        wait_for_state(graph, 'ssl_receiver', State.PRIMARY_STATE_UNCONFIGURED)
        for transition in (
            Transition.TRANSITION_CONFIGURE,
            Transition.TRANSITION_ACTIVATE,
            Transition.TRANSITION_DEACTIVATE,
            Transition.TRANSITION_CLEANUP,
        ):
            request = ChangeState.Request(transition=Transition(id=transition))
            assert graph.call(ChangeState, 'ssl_receiver/change_state', request).success
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
    assert (process.returncode, 'Traceback' in error) == (0, False)
