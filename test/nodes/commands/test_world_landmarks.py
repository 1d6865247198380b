# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world landmarks`: the map that localizers read."""

import json
from pathlib import Path

import pytest
import yaml

from world_model_nodes.commands.main import run_command

KITCHEN = str(Path(__file__).parents[3] / 'worlds/kitchen/kitchen.xml')
COUNTER = {'name': 'counter', 'x': 0.5, 'y': 1.7}


def test_the_fixed_furniture_of_the_kitchen_is_its_map(capsys):
    """As parameters of all nodes, and as JSON with names; floor and walls are too large."""
    pytest.importorskip('mujoco', reason='the sizes of entities need MuJoCo')
    assert run_command(['world', 'landmarks', KITCHEN]) == 0
    parameters = yaml.safe_load(capsys.readouterr().out)['/**']['ros__parameters']
    assert len(parameters['landmarks']) == 6
    assert run_command(['world', 'landmarks', '--json', KITCHEN]) == 0
    listed = json.loads(capsys.readouterr().out)['landmarks']
    assert [each['name'] for each in listed] == ['counter', 'fridge', 'cupboard']
    assert listed[0] == pytest.approx(COUNTER, abs=0.02)
    assert [value for each in listed for value in (each['x'], each['y'])] == parameters[
        'landmarks'
    ]
