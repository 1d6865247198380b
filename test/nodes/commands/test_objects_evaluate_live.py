# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model objects evaluate --live`: the published map against the simulator's truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from std_msgs.msg import String
from vision_msgs.msg import Detection3DArray

from world_model_core.documents import parse, write
from world_model_core.objects.documents.object_map_document import ObjectMapDocument, map_document
from world_model_core.objects.values import MapObject, ObjectState
from world_model_nodes.commands.main import run_command
from world_model_nodes.objects.convert import objects_message
from world_model_nodes.runtime.qos import STATE

COMMAND = (
    'import sys; from world_model_nodes.commands.main import run_command; '
    'sys.exit(run_command({}))'
)
CHAIR = MapObject(
    'chair 1',
    'chair',
    np.array((1.0, 2.0, 0.4)),
    np.zeros((3, 3)),
    np.array((0.4, 0.5, 0.9)),
    0.5,
)


def command(*words):
    """Return code that runs the command."""
    return COMMAND.format(['objects', 'evaluate', *words])


@pytest.mark.parametrize('frame', ['world', 'odom'])
def test_the_published_map_is_scored(graph, running_code, frame):
    """An error of 3 cm is found; a map in another frame has no scores."""
    seen = replace(
        CHAIR,
        position=CHAIR.position + np.array((0.03, 0.0, 0.0)),
        covariance=9e-4 * np.eye(3),
        state=ObjectState.CONFIRMED,
    )
    document = map_document(ObjectMapDocument((seen,), frame_id=frame))
    truth = graph.probe.create_publisher(Detection3DArray, 'truth/objects', STATE)
    found = graph.probe.create_publisher(String, 'object_map', STATE)
    truth.publish(objects_message((CHAIR,), 1, 'world'))
    found.publish(String(data=write(document)))
    with running_code(command('--live', '3', '--json')) as process:
        graph.wait_until(lambda: process.poll() is not None)
        shown, errors = process.communicate()
    if frame == 'odom':
        assert process.returncode == 1
        assert "the map is in the frame 'odom', the truth in 'world'" in errors
        return
    assert process.returncode == 0, errors
    scores = parse(shown, 'live_objects_evaluation')
    assert (scores['objects'], scores['paired'], scores['class_counts']) == (1, 1, 1.0)
    assert scores['position_error'] == pytest.approx(0.03)
    assert scores['anees'] == pytest.approx(1.0 / 3.0)
    assert scores['iou'] == pytest.approx(0.37 / 0.43, abs=0.05)


@pytest.mark.usefixtures('ros_environment')
def test_a_run_without_map_and_truth_exits_with_1(running_code):
    """The missing topics are named."""
    with running_code(command('--live', '0.3')) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert 'no message was received on truth/objects and object_map' in errors


@pytest.mark.parametrize(
    'words', [['--plot', 'a.png'], ['--layouts', '2'], ['--sigma', '0.1'], ['--scenes', 'a']]
)
def test_options_of_simulated_rooms_exit_with_2(words, capsys):
    """They have no meaning for a running map."""
    assert run_command(['objects', 'evaluate', '--live', '1', *words]) == 2
    assert f'{words[0]} is for simulated rooms' in capsys.readouterr().err
