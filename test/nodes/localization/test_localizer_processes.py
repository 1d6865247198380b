# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The processes of the localizers reject invalid parameters, and end at Ctrl-C."""

from __future__ import annotations

import signal

import pytest


@pytest.mark.parametrize(
    ('localizer', 'words'),
    [
        ('ekf_localizer', 'gate:=2.0'),
        ('ekf_localizer', 'preset:=mud'),
        ('ekf_localizer', 'landmarks:=[1.0]'),
        ('ekf_localizer', 'landmarks:=[.nan, 1.0]'),
        ('ekf_localizer', 'landmarks:=[1.0e13, 1.0]'),
        ('ekf_localizer', 'initial_stds:=[1.0]'),
        ('ekf_localizer', 'global_frame_id:=""'),
        ('ekf_localizer', 'max_speed:=0.0'),
        ('particle_localizer', 'particles:=5'),
        ('particle_localizer', 'seed:=-1'),
        ('particle_localizer', 'velocity_noise.nn:=-1.0'),
    ],
)
def test_an_invalid_parameter_stops_the_start(running, localizer, words):
    """A FATAL message names the parameter, and the process exits with 1."""
    with running(localizer, '-p', words) as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert words.split(':')[0] in errors


@pytest.mark.parametrize(
    ('localizer', 'topic'),
    [('ekf_localizer', 'amcl_pose'), ('particle_localizer', 'particle_cloud')],
)
def test_interrupt_ends_quietly(running, graph, localizer, topic):
    """Ctrl-C ends the process with exit code 0 and no traceback."""
    with running(localizer) as process:
        graph.wait_until(lambda: graph.probe.count_publishers(topic))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
