# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A node virtual_world with a small world of our own."""

from __future__ import annotations

import pytest
from rclpy.action import ActionClient
from rclpy.parameter import Parameter

from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.virtual_world import standard_messages as standard
from world_model_nodes.virtual_world.simulation_services import type_of
from world_model_nodes.virtual_world.virtual_world import VirtualWorld

WORLD = """
<mujoco model="hall">
  <option timestep="0.01"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="Red Cup" pos="0 0 0.5"><freejoint/><geom size="0.05" mass="0.2"/></body>
    <body name="arm" pos="2 0 1">
      <geom type="box" size="0.05 0.05 0.05"/>
      <body name="hand">
        <joint name="elbow" axis="0 1 0" range="-90 90" damping="1"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
BALL = """
<mujoco model="ball">
  <worldbody><body name="ball"><freejoint/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
LAMP = """
<robot name="lamp">
  <link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
</robot>
"""
MS = 1_000_000  # [ns]


class StepRecorder:
    """A StepListener that wishes for given times [ms], and records all calls."""

    def __init__(self, *wishes_ms, log=None, name=''):
        self._all = self._wishes = [wish * MS for wish in wishes_ms]
        self.log = [] if log is None else log
        self._name = name

    @property
    def next_due_ns(self):
        """Return the first wish that is left."""
        return self._wishes[0] if self._wishes else None

    def on_instant(self, engine, stamp_ns):
        """Drop the wishes that are met."""
        self.log.append((self._name, engine.time_ns // MS, stamp_ns // MS))
        self._wishes = [wish for wish in self._wishes if wish > engine.time_ns]

    def reset(self):
        """Wish for all again."""
        self._wishes = self._all
        self.log.append((self._name, 'reset'))

    def replaced(self, engine):
        """Record the entities."""
        self.log.append((self._name, None if engine is None else tuple(engine.names)))

    def close(self):
        """Record the end."""
        self.log.append((self._name, 'close'))

    def report(self):
        """Report the number of calls."""
        return Report(values={f'calls of {self._name}': len(self.log)})


class Hall:
    """Run the node in a graph, and call its services."""

    def __init__(self, graph, folder, **given):
        self.graph = graph
        self.folder = folder
        for name, text in (('hall.xml', WORLD), ('ball.xml', BALL), ('lamp.urdf', LAMP)):
            (folder / name).write_text(text)
        values = {'world': str(folder / 'hall.xml'), 'start': 'paused', **given}
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        self.node = graph.add(VirtualWorld(parameter_overrides=overrides))
        self._clients = {}

    def start(self):
        """Load the world and start."""
        assert self.node.autostart()
        return self

    @property
    def world(self):
        """Return what the node runs."""
        return self.node._world

    def send(self, name, /, **fields):
        """Call a service; return the future."""
        kind = type_of(name)
        if name not in self._clients:
            self._clients[name] = self.graph.probe.create_client(kind, f'virtual_world/{name}')
            self.graph.wait_until(self._clients[name].service_is_ready)
        return self._clients[name].call_async(kind.Request(**fields))

    def call(self, name, /, **fields):
        """Call a service and return its response."""
        future = self.send(name, **fields)
        self.graph.wait_until(future.done)
        return future.result()

    def simulate(self, steps, **given):
        """Send a goal to the action; return its handle."""
        action = standard.action.SimulateSteps
        client = ActionClient(self.graph.probe, action, 'virtual_world/simulate_steps')
        self.graph.wait_until(client.server_is_ready)
        sent = client.send_goal_async(action.Goal(steps=steps), **given)
        self.graph.wait_until(sent.done)
        return sent.result()


@pytest.fixture
def hall(graph, often, tmp_path):  # noqa: ARG001 (before the node is made)
    """Return a function that makes the node."""
    pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')
    pytest.importorskip('simulation_interfaces', reason='the services need their messages')
    return lambda **given: Hall(graph, tmp_path, **given)


@pytest.fixture
def step_recorder():
    """Return the class of a listener that records its calls."""
    return StepRecorder
