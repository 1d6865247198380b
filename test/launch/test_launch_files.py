# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Every launch file of the project can be planned, and uses known parameters only."""

from __future__ import annotations

import dataclasses
import re
from importlib import metadata
from pathlib import Path

import pytest
import yaml

from world_model_nodes.commands.main import make_parser
from world_model_nodes.runtime.registry import config_class
from world_model_nodes.scenarios.launch_arguments import declared_arguments
from world_model_nodes.scenarios.launch_xml import read_launch_file
from world_model_nodes.scenarios.plan import Parameter, plan_scenario
from world_model_nodes.scenarios.respawn import Respawn

PROJECT = Path(__file__).resolve().parents[2]
LAUNCH_FILES = sorted((PROJECT / 'launch').rglob('*.launch.xml'))
# Values for the arguments that have no default.
SAMPLES = {'log': 'match.log.gz'}
# Scenarios whose data come from outside; each other one has a node that is its source.
LIVE = {'ssl_live.launch.xml', 'view.launch.xml', 'vla.launch.xml'}
# The scenarios of this package, which can all be shown on the page.
SHOWN = {
    'bundle.launch.xml', 'household.launch.xml', 'household_explore.launch.xml',
    'robots_localization.launch.xml', 'robots_sim.launch.xml', 'ssl_live.launch.xml',
    'ssl_replay.launch.xml', 'ssl_sim.launch.xml', 'view.launch.xml', 'vla.launch.xml',
    'vla_sim.launch.xml',
}  # fmt: skip
# Parameters that rclpy declares for every node.
OF_EVERY_NODE = {'use_sim_time'}

every_launch_file = pytest.mark.parametrize('path', LAUNCH_FILES, ids=lambda path: path.name)


def elements(element, tag):
    """Return all elements with this tag, at any depth."""
    below = [found for child in element.children for found in elements(child, tag)]
    return [child for child in element.children if child.tag == tag] + below


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    """Put the project's own launch and config folders and all executables in an ament index."""
    for node in [
        node for path in LAUNCH_FILES for node in elements(read_launch_file(path), 'node')
    ]:
        package, name = node.attributes['pkg'], node.attributes['exec']
        for folder in ('share/ament_index/resource_index/packages', f'lib/{package}'):
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / 'share/ament_index/resource_index/packages' / package).touch()
        (tmp_path / 'lib' / package / name).touch(mode=0o755)
    share = tmp_path / 'share/world_model'
    share.mkdir(parents=True)
    for folder in ('launch', 'config', 'worlds'):
        (share / folder).symlink_to(PROJECT / folder)
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))


def plans(path):
    """Plan a launch file with its defaults, and once with each other choice or truth value."""
    arguments = declared_arguments(path)
    required = {found.name: SAMPLES[found.name] for found in arguments if found.default is None}
    variants = [required]
    for argument in arguments:
        truths = ('true', 'false') if argument.default in ('true', 'false') else ()
        variants += [{**required, argument.name: value} for value in argument.choices + truths]
    return [plan_scenario(path, variant) for variant in variants]


def nodes_of(path):
    """Return the project's own nodes that a launch file starts in one variant or another."""
    return [node for node in processes_of(path) if node.executable.name != 'world_model']


def processes_of(path):
    """Return the project's own nodes, and the commands `world_model` that it starts."""
    return [
        node
        for plan in plans(path)
        for node in plan
        if node.executable.parent.name == 'world_model'
    ]


def sections(document, key=''):
    """Yield the pattern of node names and the parameters of each section of a parameter file."""
    for name, content in document.items():
        if name == 'ros__parameters':
            yield '/' + key.lstrip('/'), dict(flattened(content))
        else:
            yield from sections(content, f'{key}/{name.strip("/")}')


def flattened(parameters, prefix=''):
    """Yield names and values, nested names joined with dots."""
    for name, value in parameters.items():
        if isinstance(value, dict):
            yield from flattened(value, f'{prefix}{name}.')
        else:
            yield prefix + name, value


def applies(pattern, node):
    """Return whether a section applies to a node: * is one part of a name, ** any number."""
    expression = re.escape(pattern).replace(r'/\*\*/', '/(.*/)?')
    expression = expression.replace(r'\*\*', '.*').replace(r'\*', '[^/]*')
    return re.fullmatch(expression, '/' + node.label) is not None


def names_given_to(node):
    """Return the names of the parameters that a node gets from launch and parameter files."""
    names = set()
    for parameter in node.parameters:
        if isinstance(parameter, Parameter):
            names.add(parameter.name)
            continue
        for pattern, parameters in sections(yaml.safe_load(parameter.read_text())):
            if applies(pattern, node):
                names |= set(parameters)
    return names


def test_there_are_launch_files():
    """The parametrized tests of this module have launch files."""
    assert LAUNCH_FILES


@every_launch_file
def test_a_launch_file_can_be_planned(path):
    """Each variant of a scenario uses known elements and existing files, and starts a node."""
    assert all(plans(path))


@every_launch_file
def test_executables_are_installed(path):
    """A node's executable is an entry point of the installed package, and starts that node."""
    try:
        found = metadata.distribution('world_model').entry_points
    except metadata.PackageNotFoundError:
        pytest.skip('world_model is not installed: there are no entry points to compare with')
    targets = {entry.name: entry.value for entry in found if entry.group == 'console_scripts'}
    for node in nodes_of(path):
        name = node.executable.name
        assert targets[name] == f'world_model_nodes.runtime.executables:{name}'


@every_launch_file
def test_commands_are_valid(path):
    """What is no node is a command that `world_model` knows, and is restarted like a node."""
    for process in processes_of(path):
        if process.executable.name == 'world_model':
            assert make_parser().parse_args((*process.arguments, '--ros-args', '-r', '__node:=a'))
            assert process.respawn == Respawn(1.0, 20)


@every_launch_file
def test_every_node_is_restarted_but_the_source(path):
    """A scenario goes on without a node that died, and ends with its source."""
    nodes = nodes_of(path)
    sources = {node.executable.name for node in nodes if node.respawn is None}
    assert len(sources) == (path.name not in LIVE)
    assert {node.respawn for node in nodes} <= {None, Respawn(1.0, 20)}
    for element in elements(read_launch_file(path), 'node'):
        assert ('on_exit' in element.attributes) is ('respawn' not in element.attributes)


@every_launch_file
def test_a_scenario_may_be_shown_on_one_page(path):
    """With `view:=true` one viewer is started, and without it none."""
    declared = declared_names(path)
    if 'view' not in declared and path.name not in SHOWN:
        pytest.skip('a scenario of others, without the argument view')
    required = {name: SAMPLES[name] for name in SAMPLES if name in declared}
    started = {
        view: [
            node.name for node in plan_scenario(path, {**required, **view_argument(path, view)})
        ].count('viewer')
        for view in ('true', 'false')
    }
    assert started == {'true': 1, 'false': int(path.name == 'view.launch.xml')}


def view_argument(path, view):
    """Return the argument of the page; the launch file of the page itself has none."""
    return {} if path.name == 'view.launch.xml' else {'view': view}


def declared_names(path):
    """Return the names of the arguments of a launch file."""
    return {argument.name for argument in declared_arguments(path)}


@every_launch_file
def test_every_parameter_is_declared(path):
    """A node declares each parameter set by launch and parameter files."""
    for node in nodes_of(path):
        name = node.executable.name
        declared = {field.name for field in dataclasses.fields(config_class(name))} | OF_EVERY_NODE
        assert not names_given_to(node) - declared, node.label


@every_launch_file
def test_every_section_of_a_parameter_file_is_for_a_node(path):
    """Without this test a section under a mistyped node name would be ignored silently."""
    nodes = nodes_of(path)
    for file in {found for node in nodes for found in node.parameters if isinstance(found, Path)}:
        for pattern, _ in sections(yaml.safe_load(file.read_text())):
            readers = [node for node in nodes if file in node.parameters]
            assert any(applies(pattern, node) for node in readers), f'{file.name}: {pattern}'


@every_launch_file
def test_a_parameter_from_an_argument_states_its_type(path):
    """Without a type `speed:=2` would be an integer, which the node rejects."""
    for parameter in elements(read_launch_file(path), 'param'):
        if '$(' in parameter.attributes.get('value', ''):
            assert 'type' in parameter.attributes, parameter.line
