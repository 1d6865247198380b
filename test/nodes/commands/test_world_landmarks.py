# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world landmarks`: the map that localizers read."""

import json
from pathlib import Path

import pytest
import yaml

from world_model_nodes.commands.main import run_command

KITCHEN = str(Path(__file__).parents[3] / 'worlds/kitchen/kitchen.xml')
CONFIG = Path(__file__).parents[3] / 'config/virtual_world'
COUNTER = {'name': 'counter', 'x': 0.5, 'y': 1.7}


def test_the_fixed_furniture_of_the_kitchen_is_its_map(capsys):
    """As parameters, and as JSON with names; floor and walls are too large."""
    pytest.importorskip('mujoco', reason='the sizes of entities need MuJoCo')
    assert run_command(['world', 'landmarks', KITCHEN]) == 0
    document = yaml.safe_load(capsys.readouterr().out)
    parameters = document['/**']['ros__parameters']
    assert len(parameters['landmarks']) == 6
    assert document['/**/robot/*']['ros__parameters']['initial_pose'] == [0.85, -0.9, 2.618]
    assert yaml.safe_load((CONFIG / 'kitchen_localization.yaml').read_text()) == document
    assert run_command(['world', 'landmarks', '--json', KITCHEN]) == 0
    shown = json.loads(capsys.readouterr().out)
    listed = shown['landmarks']
    assert shown['robots'] == {'robot': {'x': 0.85, 'y': -0.9, 'heading': 2.618}}
    assert [each['name'] for each in listed] == ['counter', 'fridge', 'cupboard']
    assert listed[0] == pytest.approx(COUNTER, abs=0.02)
    assert [value for each in listed for value in (each['x'], each['y'])] == parameters[
        'landmarks'
    ]


def test_a_house_has_a_map_for_each_seed(capsys):
    """A house is generated as virtual_world does."""
    pytest.importorskip('mujoco', reason='the sizes of entities need MuJoCo')
    maps = []
    for seed in ('1', '2'):
        assert run_command(['world', 'landmarks', '--seed', seed, 'house']) == 0
        maps.append(yaml.safe_load(capsys.readouterr().out))
    first, second = (each['/**']['ros__parameters']['landmarks'] for each in maps)
    assert len(first) > 10
    assert first != second
