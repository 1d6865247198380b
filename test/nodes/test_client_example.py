# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The example of docs/tutorials/first-node.md runs as printed."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String

from world_model_core.match.ball.estimate import BallState
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_nodes.match.convert import ball_message, robots_message
from world_model_nodes.runtime.qos import STATE, STREAM

PAGE = Path(__file__).resolve().parents[2] / 'docs/tutorials/first-node.md'
BALL = BallState(10**18, np.array((1.0, 0.0, 0.0)), np.zeros(3), np.eye(6))
ROBOTS = Robots(
    10**18,
    (RobotId(Team.BLUE, 3), RobotId(Team.YELLOW, 1)),
    np.array(((1.15, 0.0, 0.0), (-1.0, 0.0, 0.0))),
    np.zeros((2, 3)),
    np.zeros((2, 3, 2, 2)),
    np.ones(2),
)
SENTENCE = (
    'TRACKER: the ball is STOPPED at (1.00, 0.00) m; blue/3 can meet it in 0.3 s at '
    '(1.00, 0.00) m; owner: blue/3'
)


@pytest.fixture
def example(ros_environment, tmp_path):  # noqa: ARG001 (the process inherits it)
    """Run the example, with its output in a file."""
    code = re.search(r'```python\n(.*?)```', PAGE.read_text(), re.DOTALL)[1]
    output = tmp_path / 'output'
    with (
        output.open('w') as stream,
        subprocess.Popen(  # noqa: S603 (this very interpreter)
            (sys.executable, '-c', code), stdout=stream, stderr=stream
        ) as process,
    ):
        yield process, output
        process.kill()


def test_the_example_prints_what_its_page_shows(example, graph):
    """It prints ball, robots, interceptions and the owner, and exits with 0."""
    process, output = example
    source = graph.publisher(String, 'ball/source', STATE)
    ball = graph.publisher(Odometry, 'ball', STREAM)
    robots = graph.publisher(MultiDOFJointState, 'robots', STREAM)

    def publish():
        source.publish(String(data='TRACKER'))
        ball.publish(ball_message(BALL, 'field'))
        robots.publish(robots_message(ROBOTS, 'field'))
        return SENTENCE in output.read_text()

    graph.wait_until(publish)
    # A SIGINT while rclpy takes a message is an error in rclpy: send it when all are taken.
    last = output.read_text().count(SENTENCE) + 2
    graph.wait_until(lambda: output.read_text().count(SENTENCE) >= last)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60.0) == 0
