# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ssl evaluate --live`: the published match against the simulator's truth."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from sensor_msgs.msg import MultiDOFJointState

from world_model_core.documents import parse
from world_model_core.match.ball.estimate import BallState
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.commands.main import run_command
from world_model_nodes.match.convert import ball_message
from world_model_nodes.runtime.qos import STREAM

COMMAND = (
    'import sys; from world_model_nodes.commands.main import run_command; '
    'sys.exit(run_command({}))'
)
START_NS = 1_700_000_000 * SECOND


def command(*words):
    """Return code that runs the command."""
    return COMMAND.format(['ssl', 'evaluate', *words])


def moving_ball(stamp_ns, off):
    """Return a ball at 1 m/s with an error along y [m]."""
    position = np.array(((stamp_ns - START_NS) / SECOND, off, 0.0))
    velocity = np.array((1.0, 0.0, 0.0))
    return ball_message(BallState(stamp_ns, position, velocity, 1e-4 * np.eye(6)), 'field')


def test_the_published_ball_is_scored(graph, running_code):
    """An error of 2 cm is found; a message that cannot be read is reported, and no end."""
    topics = (Odometry, 'truth/ball'), (Odometry, 'ball'), (MultiDOFJointState, 'robots')
    true, ours, robots = (graph.probe.create_publisher(*topic, STREAM) for topic in topics)
    stamps = count(START_NS, SECOND // 100)

    def publish():
        stamp_ns = next(stamps)
        true.publish(moving_ball(stamp_ns, 0.0))
        ours.publish(moving_ball(stamp_ns, 0.02))
        robots.publish(MultiDOFJointState(joint_names=['blue/1']))

    graph.probe.create_timer(0.01, publish)
    with running_code(command('--live', '3', '--json')) as process:
        graph.wait_until(lambda: process.poll() is not None)
        shown, errors = process.communicate()
    assert process.returncode == 0, errors
    found = parse(shown, 'live_evaluation')
    assert found['ball']['position']['median'] == pytest.approx(0.02)
    assert found['ball']['position_nees'] == pytest.approx(2.0)
    assert found['robots'] is None
    assert (
        'messages could not be read, the last because of transforms and twist: 0 and 0' in errors
    )


@pytest.mark.usefixtures('ros_environment')
def test_a_run_without_truth_exits_with_1(running_code):
    """The missing topic is named."""
    with running_code(command('--live', '0.3')) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert errors == (
        'world_model: error: no message was received on truth/ball; is ssl_simulator running?\n'
    )


@pytest.mark.parametrize(
    'words',
    [['--plot', 'a.png'], ['--truth', 'k.json'], ['--compare', 'a.log'], ['--horizons', '1']],
)
def test_options_of_recordings_exit_with_2(words, capsys):
    """They have no meaning for a live match."""
    assert run_command(['ssl', 'evaluate', '--live', '1', *words]) == 2
    assert f'{words[0]} is for recordings' in capsys.readouterr().err


@pytest.mark.parametrize('words', [[], ['--live', '3', 'match.log'], ['--live', '0']])
def test_either_a_recording_or_a_live_match_is_needed(words):
    """Both, or neither, is wrong use."""
    with pytest.raises(SystemExit) as end:
        run_command(['ssl', 'evaluate', *words])
    assert end.value.code == 2
