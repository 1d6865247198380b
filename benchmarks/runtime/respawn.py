# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Kills of each respawned node of each scenario: time until it publishes again, and gap of the ball.

`world_model run` restarts the node after 1 s. The gap is measured at the publisher, so that a busy
listener does not count. Beside it is the longest one without a kill. ssl_receiver publishes the
ball itself, and so has a gap when it is killed. For comparison, a publisher of plain rclpy is
killed and started as often: the time from its first message to the first that is heard is that of
the discovery by DDS, which every node needs as well. Robots of the simulated match do not hide the
ball: a ball that no camera has seen for a second is lost, and not published.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile
from std_msgs.msg import String

from benchmarks.runtime.scenario_processes import isolate_ros, pid_of, running_scenario
from benchmarks.runtime.stops import record_vision
from world_model_nodes.scenarios.launch_arguments import parse_arguments
from world_model_nodes.scenarios.plan import locate_scenario, plan_scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from world_model_nodes.scenarios.plan import NodePlan

LIMIT = 3.0  # time to publish again [s]
GAP_LIMIT = 0.1  # between two balls [s]
START_UP = 60.0
# Observation of the ball without a kill, about as long as all kills take, and after a return [s].
CALM, AFTER = 15.0, 1.0
KILLS = 3
PLAIN = """
import time
import rclpy
from std_msgs.msg import String
rclpy.init()
publisher = rclpy.create_node('plain').create_publisher(String, 'plain', 10)
begun = str(time.time_ns())
while True:
    publisher.publish(String(data=begun))
    time.sleep(0.02)
"""
PLAIN_STARTS, RESPAWN_DELAY = 12, 1.0  # number, and as in launch files [s]
# A topic of each node on which it publishes regularly; of the others, /diagnostics.
OUTPUTS = {
    'ssl_receiver': ('ball', Odometry),
    'ball_predictor': ('ball/phase', String),
    'world_model_publisher': ('world_model', String),
    'object_map': ('object_map', String),
    'ekf_localizer': ('amcl_pose', PoseWithCovarianceStamped),
    'particle_localizer': ('amcl_pose', PoseWithCovarianceStamped),
}
ALWAYS_SEEN = 'ssl_simulator: {ros__parameters: {robots_hide_balls: false}}'
SCENARIOS = {
    'ssl_sim': ('vision_port:=28020', 'referee_port:=28003'),
    'ssl_replay': (
        'loop:=true',
        'vision_port:=28021',
        'tracker_port:=28010',
        'referee_port:=28004',
    ),
    'vla_sim': (),
    'bundle': (),
    'robots_localization': (),
}


def measure(scenarios: Sequence[str] = tuple(SCENARIOS), kills: int = KILLS) -> dict[str, Any]:
    """Kill every respawned node of the scenarios several times."""
    isolate_ros()
    rows = []
    with TemporaryDirectory() as folder:
        log, always_seen = Path(folder) / 'match.log', Path(folder) / 'always_seen.yaml'
        record_vision(log, 10_000_000_000)
        always_seen.write_text(ALWAYS_SEEN, encoding='utf-8')
        files = {
            'ssl_replay': (f'log:={log}',),
            'ssl_sim': (f'simulator_config:={always_seen}',),
        }
        for scenario in scenarios:
            given = (*SCENARIOS[scenario], *files.get(scenario, ()))
            rows += _measure_scenario(scenario, given, kills)
    return {
        'limit [s]': LIMIT,
        'limit of the gap of the ball [s]': GAP_LIMIT,
        'discovery of a plain publisher [s]': [round(each, 2) for each in _discover()],
        'nodes': rows,
    }


def _discover() -> list[float]:
    """Start a plain publisher again and again; return the time until it is heard [s]."""
    rclpy.init()
    node, executor = rclpy.create_node('plain_listener'), SingleThreadedExecutor()
    executor.add_node(node)
    heard: dict[int, float] = {}

    def receive(message: String, info: Any) -> None:
        begun_ns = int(message.data)
        heard.setdefault(begun_ns, (info['source_timestamp'] - begun_ns) / 1e9)

    node.create_subscription(String, 'plain', receive, 10)
    for start in range(PLAIN_STARTS):
        with subprocess.Popen((sys.executable, '-c', PLAIN)) as process:  # noqa: S603 (our own)
            while len(heard) <= start:
                executor.spin_once(timeout_sec=0.1)
            process.kill()
        restart = time.monotonic() + RESPAWN_DELAY
        while time.monotonic() < restart:
            executor.spin_once(timeout_sec=0.1)
    executor.shutdown()
    node.destroy_node()
    rclpy.try_shutdown()
    return list(heard.values())


def _measure_scenario(
    scenario: str, arguments: tuple[str, ...], kills: int
) -> list[dict[str, Any]]:
    plan = plan_scenario(locate_scenario(scenario), parse_arguments(arguments))
    with running_scenario(scenario, arguments) as runner, _listening(plan) as listener:
        for node in plan:
            listener.await_output(node, 0, START_UP)
        return [
            _measure_node(scenario, node, listener, runner, kills)
            for node in plan
            if node.respawn is not None
        ]


class _Listener:
    """Times at which balls were published, and at which nodes have published at last [ns]."""

    def __init__(self, plan: Sequence[NodePlan]) -> None:
        self.node = rclpy.create_node('listener')
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.balls: list[int] = []
        self.outputs: dict[str, int] = {}
        subscribe = partial(self.node.create_subscription, qos_profile=QoSProfile(depth=1000))
        subscribe(Odometry, 'ball', self._receive_ball)
        subscribe(DiagnosticArray, '/diagnostics', self._receive_report)
        for node in plan:
            if node.executable.name in OUTPUTS:
                topic, kind = OUTPUTS[node.executable.name]
                subscribe(kind, f'{node.namespace or ""}/{topic}', self._note(f'/{node.label}'))

    def _receive_ball(self, _message: Odometry, info: Any) -> None:
        self.balls.append(info['source_timestamp'])

    def _receive_report(self, message: DiagnosticArray, info: Any) -> None:
        for status in message.status:
            self.outputs[status.name] = info['source_timestamp']

    def _note(self, name: str) -> Callable[[Any, Any], None]:
        def receive(_message: Any, info: Any) -> None:
            self.outputs[name] = info['source_timestamp']

        return receive

    def spin_until(self, condition: Callable[[], bool], limit: float) -> None:
        """Receive messages until a condition holds, at most for a time [s]."""
        end = time.monotonic() + limit
        while not condition() and time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.1)

    def await_output(self, node: NodePlan, since_ns: int, limit: float) -> float:
        """Wait for a message after a time; return its delay [s], infinite if none comes."""
        name = f'/{node.label}'
        self.spin_until(lambda: self.outputs.get(name, 0) > since_ns, limit)
        published_ns = self.outputs.get(name, 0)
        return (published_ns - since_ns) / 1e9 if published_ns > since_ns else math.inf

    def gap(self, since_ns: int) -> float | None:
        """Return the longest time between two balls that ends after a time, if any [s]."""
        gaps = [late - early for early, late in pairwise(self.balls) if late >= since_ns]
        return max(gaps) / 1e9 if gaps else None


@contextmanager
def _listening(plan: Sequence[NodePlan]) -> Iterator[_Listener]:
    rclpy.init()
    listener = _Listener(plan)
    yield listener
    listener.executor.shutdown()
    listener.node.destroy_node()
    rclpy.try_shutdown()


def _measure_node(
    scenario: str,
    node: NodePlan,
    listener: _Listener,
    runner: subprocess.Popen[bytes],
    kills: int,
) -> dict[str, Any]:
    begun_ns = time.time_ns()
    listener.spin_until(lambda: False, CALM)
    calm = listener.gap(begun_ns)
    results = [_kill(node, listener, runner) for _ in range(kills)]
    gaps = [gap for _, gap in results if gap is not None]
    return {
        'scenario': scenario,
        'node': node.label,
        'publishes again after [s]': [round(back, 2) for back, _ in results],
        'gap of the ball [s]': round(max(gaps), 3) if gaps else None,
        'without a kill [s]': None if calm is None else round(calm, 3),
    }


def _kill(
    node: NodePlan, listener: _Listener, runner: subprocess.Popen[bytes]
) -> tuple[float, float | None]:
    """Kill a node; return the time until it is back and the gap of the ball [s]."""
    pid = pid_of(node, runner)
    begun_ns = time.time_ns()
    os.kill(pid, signal.SIGKILL)
    while Path(f'/proc/{pid}').exists():
        time.sleep(0.001)
    back = listener.await_output(node, time.time_ns(), START_UP)
    listener.spin_until(lambda: False, AFTER)
    return back, listener.gap(begun_ns)
