# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lifecycle nodes: transitions, failures, and the exit of their processes."""

from __future__ import annotations

import os
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
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_nodes.runtime.lifecycle import AcquiringNode
from world_model_nodes.runtime.params import parameter

FAILURE = TransitionCallbackReturn.FAILURE


@dataclass(frozen=True)
class CollectorConfig:
    """Parameters of the test node."""

    thing: str = parameter('lamp', 'what to acquire; junk is refused')
    autostart: bool = parameter(True, 'configure and activate at once')


class Collector(AcquiringNode):
    """Records the calls of its lifecycle methods."""

    config_type = CollectorConfig

    def __init__(self, **given):
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        super().__init__('collector', parameter_overrides=overrides)
        self.done = []

    def acquire(self):
        """Record the call, or fail on request."""
        if self.config.thing == 'junk':
            raise ConfigurationError("thing is 'junk'; it must be of use")
        if self.config.thing == 'bomb':
            raise OverflowError('too large')
        self.done.append(f'acquire {self.config.thing}')

    def start(self):
        """Record the call, or fail on request."""
        if self.config.thing == 'fuse':
            raise KeyError('no match')
        self.done.append('start')

    def stop(self):
        """Record the call."""
        self.done.append('stop')

    def release(self):
        """Record the call."""
        self.done.append('release')


class Operator:
    """Controls a node through its services."""

    def __init__(self, graph, node):
        self._graph = graph
        self.node = graph.add(node)

    def change(self, transition):
        """Request a transition; return whether it succeeded."""
        request = ChangeState.Request(transition=Transition(id=transition))
        return self._graph.call(ChangeState, 'collector/change_state', request).success

    @property
    def state(self):
        """Return the state of the node."""
        request = GetState.Request()
        return self._graph.call(GetState, 'collector/get_state', request).current_state.id

    def set(self, name, value):
        """Set a parameter; return the result."""
        change = [Parameter(name, value=value).to_parameter_msg()]
        request = SetParameters.Request(parameters=change)
        (result,) = self._graph.call(SetParameters, 'collector/set_parameters', request).results
        return result


@pytest.fixture
def operate(graph):
    """Return a function that makes a node and its operator."""

    def make(**given):
        return Operator(graph, Collector(**given))

    return make


def test_autostart_configures_and_activates(operate):
    """With autostart the node acquires its resources and starts at once."""
    operator = operate()
    assert operator.node.autostart()
    assert operator.node.done == ['acquire lamp', 'start']
    assert operator.state == State.PRIMARY_STATE_ACTIVE


@pytest.mark.parametrize(
    ('thing', 'expected'), [('bomb', 'OverflowError: too large'), ('fuse', "KeyError: 'no match'")]
)
def test_an_unexpected_error_is_logged(operate, capfd, thing, expected):
    """An error in a transition is logged with its traceback, and the node does not start."""
    assert not operate(thing=thing).node.autostart()
    logged = capfd.readouterr().err
    assert '[FATAL]' in logged
    assert 'Traceback' in logged
    assert expected in logged


def test_without_autostart_the_node_waits(operate):
    """Without autostart nothing is acquired until a transition is requested."""
    operator = operate(autostart=False)
    assert operator.node.autostart()
    assert operator.node.done == []
    assert operator.state == State.PRIMARY_STATE_UNCONFIGURED


def test_transitions_from_outside_acquire_and_release_once(operate):
    """Each transition calls its one method, and resources are released once."""
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
    """Shutdown from any state releases all resources, and destroying the node none twice."""
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
    """A node that is destroyed while active stops and then releases its resources."""
    operator = operate()
    operator.node.autostart()
    graph.remove(operator.node)
    assert operator.node.done == ['acquire lamp', 'start', 'stop', 'release']


def test_an_invalid_configuration_fails(operate, capfd):
    """An invalid value is FATAL, the transition fails, and nothing is acquired or released."""
    operator = operate(thing='junk', autostart=False)
    assert not operator.change(Transition.TRANSITION_CONFIGURE)
    assert operator.state == State.PRIMARY_STATE_UNCONFIGURED
    error = capfd.readouterr().err
    assert 'FATAL' in error
    assert "thing is 'junk'; it must be of use" in error
    assert operator.set('thing', 'lamp').successful
    assert operator.change(Transition.TRANSITION_CONFIGURE)
    assert operator.node.done == ['acquire lamp']


def test_autostart_returns_false_on_failure(operate):
    """With an invalid value autostart returns False."""
    operator = operate(thing='junk')
    assert not operator.node.autostart()
    assert operator.node.done == []


def test_parameters_are_read_only_once_configured(operate):
    """Parameters of a configured node are read-only; after cleanup they can be changed."""
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
    """Simulated time can be enabled while the node is configured."""
    operator = operate()
    operator.node.autostart()
    assert operator.set('use_sim_time', value=True).successful


def receive_on(endpoint):
    """Return the arguments that limit a receiver to one group."""
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
    ('executable', 'argument', 'expected'),
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
def test_a_process_with_an_invalid_value_exits_with_1(running, executable, argument, expected):
    """The parameter is named in a FATAL message, without a traceback."""
    with running(executable, '-p', argument) as process:
        _, error = process.communicate()
    assert process.returncode == 1
    assert 'FATAL' in error
    assert expected in error
    assert 'Traceback' not in error


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_receiver_quietly(graph, running, endpoint, sender, number):
    """SIGINT and SIGTERM during traffic give exit code 0 and no output on stderr."""
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


MADE_UNDER_A_SIGNAL = """
import os
import signal
from rclpy.node import Node
from world_model_nodes.runtime.lifecycle import run

signal.pthread_sigmask(signal.SIG_BLOCK, ({number},))  # as when a process restarts

def interrupted():
    os.kill(os.getpid(), {number})
    return Node('interrupted')

run(interrupted)
"""


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_node_is_made_ends_quietly(running_code, number):
    """
    A context shut down before the node exists is not an error of the node.

    A process that another one has started with blocked signals gets them, too.
    """
    with running_code(MADE_UNDER_A_SIGNAL.format(number=int(number))) as process:
        _, error = process.communicate()
    assert process.returncode == 0
    assert 'Traceback' not in error


def test_an_error_without_a_signal_is_shown(running_code):
    """Without a signal an error gives a traceback and exit code 1."""
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
    """Nodes without a lifecycle end quietly, too."""
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


FAULT = """
from world_model_nodes.match import ball_predictor
from world_model_nodes.runtime import executables

def fail():
    raise ZeroDivisionError('a fault of the program')

ball_predictor.main = fail
executables.ball_predictor()
"""


def test_a_fault_of_the_program_is_not_taken_for_an_invalid_value(running_code):
    """`world_model run` starts the node again, which it does not after exit code 1."""
    with running_code(FAULT) as process:
        _, error = process.communicate()
    assert process.returncode == os.EX_SOFTWARE
    assert 'ZeroDivisionError: a fault of the program' in error


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('executable', ['ball_predictor', 'ssl_receiver'])
def test_a_signal_before_the_node_is_imported_ends_quietly(running_code, executable, number):
    """A scenario that fails at once stops nodes during their imports, without a traceback."""
    code = IMPORTED_UNDER_A_SIGNAL.format(number=int(number), executable=executable)
    with running_code(code) as process:
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


@pytest.mark.parametrize(
    ('moment', 'number'), [(0.0, signal.SIGINT), (0.3, signal.SIGTERM), (1.5, signal.SIGINT)]
)
def test_a_signal_at_any_moment_ends_quietly(running, moment, number):
    """
    From the first moment on, if the process starts with the signals blocked, no signal is lost.

    benchmarks/runtime/stops.py measures how long it takes.
    """
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    with running('ball_predictor') as process:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
        time.sleep(moment)
        process.send_signal(number)
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


TOLD_TO_ANOTHER_THREAD = """
import signal
import time
from threading import Thread
from rclpy.node import Node
from std_msgs.msg import Empty
from world_model_nodes.runtime.lifecycle import run

Thread(target=time.sleep, args=(1000.0,), daemon=True).start()

class Waiting(Node):
    def __init__(self):
        super().__init__('waiting')
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        self.publisher = self.create_publisher(Empty, 'beat', 1)
        self.create_timer(0.1, lambda: self.publisher.publish(Empty()))

run(Waiting)
"""


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    'code', [NEVER_IDLE, TOLD_TO_ANOTHER_THREAD], ids=['within a callback', 'another thread']
)
def test_a_signal_of_a_running_node_ends_it_quietly(graph, running_code, code, number):
    """
    The signal ends the node without an error.

    It may come while a callback publishes, and the kernel may choose any thread for it while the
    main thread waits in ROS.
    """
    beats = graph.listen(Empty, 'beat')
    with running_code(code) as process:
        graph.wait_until(lambda: beats)
        process.send_signal(number)
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
class CollectorConfig:
    autostart: bool = parameter(True, '')

class Slow(AcquiringNode):
    config_type = CollectorConfig

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
def test_a_signal_while_resources_are_acquired_ends_quietly(running_code, name, then):
    """A signal while a large file is loaded gives no error."""
    with running_code(ACQUIRED_UNDER_A_SIGNAL.format(name=name, then=then)) as process:
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


MADE_FOREVER = """
import os
import signal
import time
from world_model_nodes.runtime.lifecycle import run

def load():
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        time.sleep(1000.0)

run(load)
"""


def test_a_signal_ends_a_node_that_loads_forever(running_code):
    """A large file that is being loaded does not delay the end for long."""
    with running_code(MADE_FOREVER) as process:
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


@pytest.mark.parametrize('content', ['ssl_receiver: [', 'ssl_receiver: 1'])
def test_an_invalid_parameter_file_exits_with_1(running, tmp_path, content):
    """The file is named in a FATAL message, without a traceback."""
    file = tmp_path / 'bad.yaml'
    file.write_text(content)
    with running('ssl_receiver', '--params-file', str(file)) as process:
        _, error = process.communicate()
    assert process.returncode == 1
    assert 'FATAL' in error
    assert str(file) in error
    assert 'Traceback' not in error


def test_a_second_ctrl_c_ends_quietly(graph, running):
    """Under ros2 launch Ctrl-C arrives twice, and the node still exits with 0."""
    with running('ball_predictor') as process:
        graph.wait_until(
            lambda: ('ball_predictor', '/') in graph.probe.get_node_names_and_namespaces()
        )
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()
    assert (process.returncode, error) == (0, '')


def test_a_receiver_without_autostart_is_controlled_by_services(graph, running, endpoint):
    """A process waits unconfigured, and changes its state on request."""
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
