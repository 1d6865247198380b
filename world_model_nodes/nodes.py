# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Every node, by the room that its module is in.

The only list of nodes: executables, parameter tables and tests are derived from it. It imports
nothing, so that setup.py can read it.
"""

NODES = {
    'ball_predictor': 'match',
    'ekf_localizer': 'localization',
    'house_simulator': 'objects',
    'object_map': 'objects',
    'particle_localizer': 'localization',
    'question_answerer': 'objects',
    'robot_simulator': 'uncertainty',
    'ssl_receiver': 'match',
    'ssl_replay': 'match',
    'ssl_simulator': 'match',
    'viewer': 'viewer',
    'virtual_world': 'virtual_world',
    'world_bundle': 'bundle',
    'world_model_publisher': 'world_model',
}
