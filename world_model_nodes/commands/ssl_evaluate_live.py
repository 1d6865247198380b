# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ssl evaluate --live`: score the published match against the simulator's truth."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from nav_msgs.msg import Odometry
from rclpy.node import Node
from rich.console import Console
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.documents import write
from world_model_core.errors import MalformedPacketError
from world_model_core.evaluation.match.live_run import LiveRun
from world_model_nodes.commands.ros_session import ros_session
from world_model_nodes.commands.ssl_evaluate_tables import live_table
from world_model_nodes.match.convert import ball_of, robots_of
from world_model_nodes.runtime.qos import LISTEN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class LiveRunListener(Node):  # type: ignore[misc]
    """
    Collects the published and the true states of a match.

    Attributes
    ----------
    run : LiveRun
    errors : list of str
        Why messages could not be read.

    """

    def __init__(self) -> None:
        super().__init__(f'world_model_evaluate_{os.getpid()}')
        self.run = LiveRun()
        self.errors: list[str] = []
        run, take = self.run, self._take
        subscribe = partial(self.create_subscription, qos_profile=LISTEN)
        subscribe(Odometry, 'ball', partial(take, ball_of, run.balls))
        subscribe(Odometry, 'truth/ball', partial(take, ball_of, run.true_balls))
        subscribe(MultiDOFJointState, 'robots', partial(take, robots_of, run.robots))
        subscribe(MultiDOFJointState, 'truth/robots', partial(take, robots_of, run.true_robots))

    def _take(self, read: Callable[[Any], Any], states: list[Any], message: Any) -> None:
        try:
            states.append(read(message))
        except MalformedPacketError as error:
            self.errors.append(str(error))


def print_live_evaluation(seconds: float, ros_arguments: Sequence[str], *, as_json: bool) -> None:
    """
    Receive a simulated match for some time, and print the errors of ball and robots.

    Parameters
    ----------
    seconds : float
        Duration [s]; Ctrl-C ends it earlier.
    ros_arguments : sequence of str
        Remappings and parameters of the node.
    as_json : bool

    Raises
    ------
    ConfigurationError
        ROS rejects its arguments.
    TruthMissingError
        No true state was received.

    """
    with ros_session(ros_arguments) as session:
        listener = LiveRunListener()
        session.spin(listener, seconds)
    if listener.errors:
        count, last = len(listener.errors), listener.errors[-1]
        sys.stderr.write(f'{count} messages could not be read, the last because of {last}\n')
    evaluation = listener.run.evaluate()
    if as_json:
        sys.stdout.write(write(asdict(evaluation)) + '\n')
    else:
        Console(soft_wrap=True, markup=False).print(live_table(evaluation))
