# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The simulator that runs is found and controlled by its services, whatever it answers."""

from __future__ import annotations

import pytest
import rclpy
from rclpy.parameter import Parameter
from rclpy.task import Future
from std_srvs.srv import SetBool

from world_model_core.view.scene import Row
from world_model_core.view.simulators import SimulatorAction
from world_model_core.virtual_world.simulation_state import SimulationState
from world_model_nodes.runtime.health_listener import HealthListener
from world_model_nodes.runtime.time_services import Outcome, TimeServices
from world_model_nodes.uncertainty.robot_simulator import RobotSimulator
from world_model_nodes.viewer.simulation_controls import SimulationControls

PLAY, PAUSE, STEP, RESET, QUIT = SimulatorAction
STOPPED, PLAYING, PAUSED = (
    SimulationState.STOPPED,
    SimulationState.PLAYING,
    SimulationState.PAUSED,
)
WORLD = '<mujoco><worldbody><geom type="plane" size="5 5 0.1"/></worldbody></mujoco>'


class Desk:
    """The controls in a graph, looked at until something holds."""

    def __init__(self, graph):
        self.graph = graph
        self.controls = SimulationControls(graph.probe, HealthListener(graph.probe).health)

    def wait(self, condition):
        """Wait until a condition of the status holds; return the status."""

        def check():
            status = self.controls.status()
            return condition(status) and status

        return self.graph.wait_until(check)

    def act(self, action):
        """Request an action as soon as it is possible; return its outcome."""
        before = self.wait(lambda status: action in status.allowed).message
        self.controls.act(action)
        return self.wait(lambda status: status.message not in {None, before}).message


@pytest.fixture
def desk(graph, often, monkeypatch):  # noqa: ARG001 (before nodes are made)
    """Make controls that look often."""
    monkeypatch.setattr('world_model_nodes.viewer.simulation_controls.PERIOD', 0.05)
    return Desk(graph)


@pytest.fixture
def robots(graph):
    """Run robot_simulator, which has pause, step and reset."""
    node = graph.add(RobotSimulator(parameter_overrides=[Parameter('robots', value=1)]))
    assert node.autostart()
    return node


def test_without_a_simulator_nothing_is_possible(desk):
    """The names are empty, and a request is nothing."""
    desk.controls.refresh()
    for action in SimulatorAction:
        desk.controls.act(action)
    desk.controls.change_speed(2.0)
    status = desk.controls.status()
    assert (status.names, status.name, status.allowed) == ((), '', frozenset())
    assert status.message is None


def test_a_simulator_is_paused_stepped_played_and_reset(desk, robots):
    """Its answers are shown, and its state is known from /diagnostics before the first."""
    found = desk.wait(lambda status: status.state is PLAYING and PAUSE in status.allowed)
    assert found.names == ('/robot_simulator',)
    assert STEP not in found.allowed
    assert QUIT not in found.allowed
    assert desk.act(PAUSE).text.startswith('paused at')
    assert desk.controls.status().state is PAUSED
    assert desk.act(STEP).text.startswith('stepped to')
    assert desk.act(PLAY).text == 'runs'
    assert desk.controls.status().state is PLAYING
    assert desk.act(RESET).word == 'message'
    robots._simulated.pause(paused=True)
    desk.wait(lambda status: status.state is PAUSED)


def test_the_speed_is_read_and_changed(desk, robots):
    """A value beyond its limits is refused in the words of the simulator."""
    assert desk.wait(lambda status: status.speed is not None).speed == pytest.approx(1.0)
    desk.controls.change_speed(4.0)
    desk.wait(lambda status: status.speed == pytest.approx(4.0))
    assert robots.get_parameter('speed').value == pytest.approx(4.0)
    desk.controls.change_speed(1e9)
    refused = desk.wait(lambda status: status.message).message
    assert refused.word == 'refused'
    assert 'speed' in refused.text


def test_a_simulator_of_the_standard_is_played_and_ended(desk, graph, tmp_path):
    """States are those of the standard; a refusal has the simulator's own words."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    pytest.importorskip('simulation_interfaces', reason='the services need their messages')
    from world_model_nodes.virtual_world.virtual_world import VirtualWorld  # noqa: PLC0415

    (tmp_path / 'hall.xml').write_text(WORLD)
    values = {'world': str(tmp_path / 'hall.xml'), 'start': 'paused'}
    overrides = [Parameter(name, value=value) for name, value in values.items()]
    node = graph.add(VirtualWorld(parameter_overrides=overrides))
    assert node.autostart()
    assert desk.wait(lambda status: QUIT in status.allowed).state is STOPPED
    desk.controls.act(STEP)
    desk.wait(lambda status: status.state is PAUSED and PLAY in status.allowed)
    desk.controls.act(PLAY)
    playing = desk.wait(lambda status: status.state is PLAYING)
    assert playing.allowed >= {PAUSE, RESET, QUIT}
    assert STEP not in playing.allowed
    # It was paused by another one a moment ago.
    node._world.clock.pause(paused=True)
    node._world.unload()
    desk.controls.act(RESET)
    refused = desk.wait(lambda status: status.message and status.message.word == 'refused')
    assert 'no world is loaded' in refused.message.text


def test_a_refusal_is_shown_in_the_words_of_the_simulator(desk, graph):
    """They are text, whatever is in them."""
    words = '<script>alert(1)</script> \u202e no'
    TimeServices(
        graph.probe, pause=lambda _: Outcome(success=False, message=words), step=None, reset=None
    )
    assert desk.act(PAUSE) == Row('refused', words)
    assert desk.controls.status().state is None


def test_a_simulator_that_does_not_answer_is_named(desk, graph, monkeypatch):
    """Nothing waits for longer than the limit, and no second request is sent meanwhile."""
    monkeypatch.setattr('world_model_nodes.viewer.service_calls.LIMIT', 0.2)
    requests = []

    async def never(request, response):
        requests.append(request)
        await Future()
        return response

    # Callbacks of the same node would wait too.
    graph.add(rclpy.create_node('simulator')).create_service(SetBool, '~/pause', never)
    desk.wait(lambda status: PAUSE in status.allowed)
    desk.controls.act(PAUSE)
    assert PAUSE not in desk.controls.status().allowed
    desk.controls.act(PAUSE)
    assert desk.wait(lambda status: status.message).message == Row('no_answer', '/simulator/pause')
    assert len(requests) == 1
    assert PAUSE in desk.controls.status().allowed


def test_one_of_several_simulators_is_chosen(desk, graph):
    """The choice stays while it runs; then another one is controlled."""
    offered = {
        name: TimeServices(
            graph.add(rclpy.create_node(name)), pause=lambda _: Outcome(success=True, message='')
        )
        for name in ('a', 'b')
    }
    desk.wait(lambda status: status.names == ('/a', '/b'))
    desk.controls.choose('/b')
    desk.controls.choose('/nonsense')
    desk.controls.refresh()
    assert desk.controls.status().name == '/b'
    offered['b'].close()
    desk.wait(lambda status: status.name == '/a')
    desk.controls.close()
    assert desk.controls.status().name == ''
