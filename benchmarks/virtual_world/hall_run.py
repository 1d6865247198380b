# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The node virtual_world with the hall of `lived_in`, its controllers and a listener.

The node runs in this process. Controllers and the listener, which only subscribes, are processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter

from benchmarks.timing import cpu_time_of
from benchmarks.virtual_world.lived_in import AGENTS, CONTROLLER, lived_in_hall, robot_names
from world_model_core.time import to_seconds
from world_model_nodes.virtual_world.agents import Agents
from world_model_nodes.virtual_world.virtual_world import VirtualWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_nodes.virtual_world.step_listeners import StepListener

# More than any machine can do.
SPEED = 1000.0
# Time limit of conditions [s].
LIMIT = 120.0


class HallRun:
    """
    A run of the hall; a context.

    Parameters
    ----------
    topics : mapping of str to str
        Types of the topics of each agent that are listened to, such as
        {'detections': 'vision_msgs/msg/Detection3DArray'}.
    agents : int
    parameters
        Of the node.

    """

    def __init__(self, topics: dict[str, str], agents: int = AGENTS, **parameters: Any) -> None:
        self._topics, self._agents = topics, agents
        self._parameters = {'world': 'house', 'speed': SPEED, 'start': 'paused', **parameters}
        self._folder = TemporaryDirectory()
        self.controllers: dict[str, subprocess.Popen[bytes]] = {}
        self._listener: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> HallRun:  # noqa: PYI034 (typing.Self is of Python 3.11)
        """Start the node, which is paused, and wait for all controllers and subscriptions."""
        os.environ['XDG_RUNTIME_DIR'] = self._folder.name
        rclpy.init()
        overrides = [Parameter(name, value=each) for name, each in self._parameters.items()]
        self.node = VirtualWorld(parameter_overrides=overrides)
        self.node.trigger_configure()
        self.world = self.node._world  # noqa: SLF001 (its scene has no file)
        self.world.load(lived_in_hall(agents=self._agents))
        self.node.trigger_activate()
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        for name in robot_names(self._agents):
            self.start_controller(name)
        self._listen()
        self.spin_until(self._is_complete)
        return self

    def __exit__(self, *_: object) -> None:
        """End all."""
        processes = [*self.controllers.values(), *filter(None, (self._listener,))]
        for process in processes:
            process.terminate()
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown()
        for process in processes:
            process.wait()
        self._folder.cleanup()

    @property
    def engine(self) -> Engine:
        """The engine of the world."""
        return self.world.engine

    @property
    def turns(self) -> Any:
        """The turns of the agents."""
        listeners = self.world._listeners._listeners  # noqa: SLF001 (their counts)
        return next(each for each in listeners if isinstance(each, Agents)).turns

    def check_images(self) -> None:
        """
        Check that the cameras see.

        Raises
        ------
        RuntimeError
            There is no graphics driver: the figures would be too good.

        """
        warnings = self.world.report().warnings
        if blind := [each for each in warnings if 'no images' in each or 'no detections' in each]:
            raise RuntimeError(blind[0])

    def start_controller(self, name: str) -> None:
        """Start the controller of an agent."""
        command = (sys.executable, '-m', 'world_model_nodes.commands', 'controller')
        arguments = (f'{CONTROLLER}:Patrol', '--agent', name)
        self.controllers[name] = subprocess.Popen((*command, *arguments))  # noqa: S603 (ours)

    def replace_controller(self, name: str) -> None:
        """Kill a controller, and start it again."""
        process = self.controllers[name]
        process.kill()
        process.wait()
        self.spin_until(lambda: name not in self.turns.agents)
        self.start_controller(name)
        self.spin_until(lambda: name in self.turns.agents)

    def add_listener(self, listener: StepListener) -> None:
        """Call a listener after all others."""
        listeners = self.world._listeners  # noqa: SLF001 (those of the node are fixed)
        listeners._listeners = (*listeners._listeners, listener)  # noqa: SLF001

    def add_node(self, node: Node) -> None:
        """Spin another node, too."""
        self._executor.add_node(node)

    def run(self, duration: float) -> None:
        """Run for some simulated time [s]."""
        end_ns = self.engine.time_ns + round(duration * 1e9)
        self.world.clock.pause(False)
        self.spin_until(lambda: self.engine.time_ns >= end_ns, limit=float('inf'))
        self.world.clock.pause(True)

    def spin_until(self, condition: Callable[[], bool], limit: float = LIMIT) -> None:
        """Run the node until a condition holds."""
        end = time.monotonic() + limit
        while not condition():
            self._executor.spin_once(timeout_sec=0.02)
            if time.monotonic() > end:
                raise TimeoutError(f'waited {limit} s in vain')

    def controllers_time(self) -> float:
        """Return the CPU time of all controllers that run [s]."""
        return sum(cpu_time_of(each.pid) for each in self.controllers.values())

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return to_seconds(self.engine.time_ns)

    def _listen(self) -> None:
        """Start a process that subscribes to topics, on all processors."""
        words = [
            f'{name}/{topic}={kind}'
            for name in robot_names(self._agents)
            for topic, kind in self._topics.items()
        ]
        command: Sequence[str] = (sys.executable, '-m', 'benchmarks.virtual_world.listening')
        self._listener = subprocess.Popen((*command, *words))  # noqa: S603 (ours)

    def _is_complete(self) -> bool:
        names = robot_names(self._agents)
        heard = all(
            self.node.count_subscribers(f'{name}/{topic}')
            for name in names
            for topic in self._topics
        )
        return heard and len(self.turns.agents) == len(names)
