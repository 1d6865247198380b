# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Every `ros2` command of the documentation is valid: its nodes, files, types and YAML.

They are parsed as the verbs of ros2cli parse them, which is not installed everywhere.
"""

from __future__ import annotations

import importlib
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from rosidl_parser.definition import AbstractNestedType, NamespacedType

from world_model_core.parameters import leaves
from world_model_nodes.nodes import NODES
from world_model_nodes.runtime.registry import config_class
from world_model_nodes.scenarios.launch_arguments import declared_arguments, parse_arguments

PROJECT = Path(__file__).resolve().parents[1]
PAGES = [PROJECT / 'README.md', *sorted((PROJECT / 'docs').rglob('*.md'))]
NODE_PAGES = '\n'.join(
    path.read_text() for path in (PROJECT / 'docs/reference/nodes').glob('*.md')
)
PLACEHOLDER = 'NAME.launch.xml'
# Topics of other nodes, and a file that its page shows.
OTHER_TOPICS = {'/diagnostics', '/clock'}
OWN_LAUNCH_FILE = './match.launch.xml'
# Executables of other packages that the pages run.
OTHER_NODES = {('tf2_ros', 'tf2_echo'), ('foxglove_bridge', 'foxglove_bridge'),
               ('rmw_zenoh_cpp', 'rmw_zenohd')}  # fmt: skip
# Options with a value.
VALUED = {'--rate', '-r', '--field', '-k', '-p', '--params-file'}


def found_commands(text):
    """Return the `ros2` commands of a page: of its shell blocks, and whole ones of its text."""
    fenced = re.findall(r'^ *```bash\n(.*?)^ *```$', text, re.DOTALL | re.MULTILINE)
    lines = '\n'.join(fenced).replace('\\\n', ' ').splitlines()
    spans = re.findall(
        r'`([^`\n]+)`', re.sub(r'^ *```.*?^ *```$', '', text, flags=re.DOTALL | re.MULTILINE)
    )
    nested = re.findall(r'\$\((ros2 [^)]+)\)', text)
    for line in (*lines, *spans, *nested):
        plain = re.sub(r'\$\([^)]*\)', 'SUBSTITUTED', line)
        if re.search(r'(^|\s)ros2 \w+ [\w.]', plain) and PLACEHOLDER not in plain:
            words = shlex.split(plain, comments=True)
            if 'ros2' in words:
                yield words[words.index('ros2') + 1 :]


def positional(words):
    """Return the words that are no options, without the options' values."""
    kept, skipped = [], False
    for word in words:
        if not skipped and not word.startswith('-'):
            kept.append(word)
        skipped = word in VALUED
    return kept


def interface(name):
    """Import std_msgs/msg/String."""
    package, kind, type_name = name.split('/')
    return getattr(importlib.import_module(f'{package}.{kind}'), type_name)


def check_fields(kind, value):
    """Check that a YAML mapping has only fields of a message class, with values of their type."""
    assert isinstance(value, dict), f'{value!r} is no mapping of the fields of {kind.__name__}'
    types = dict(zip(kind.get_fields_and_field_types(), kind.SLOT_TYPES, strict=True))
    message = kind()
    for name, field in value.items():
        assert name in types, f'{kind.__name__} has no field {name}'
        inner, is_list = types[name], isinstance(types[name], AbstractNestedType)
        element = inner.value_type if is_list else inner
        if not isinstance(element, NamespacedType):
            default = getattr(message, name)
            kinds = (int, float) if isinstance(default, float) else type(default)
            assert isinstance(field, list if is_list else kinds), f'{name}: {field!r}'
            continue
        assert isinstance(field, list) == is_list, f'{name}: {field!r}'
        nested = interface('/'.join((*element.namespaces, element.name)))
        for each in field if is_list else (field,):
            check_fields(nested, each)


def check_topic(verb, words):
    """Check the topic, and a message that is published."""
    topic, *rest = positional(words)
    assert topic in OTHER_TOPICS or f'`{topic}`' in NODE_PAGES, topic
    if verb == 'pub':
        check_fields(interface(rest[0]), yaml.safe_load(rest[1]))
    else:
        assert verb in {'echo', 'hz', 'delay', 'info'}
        assert not rest


def check_service(verb, words):
    """Check that the service is documented with this type, and its request."""
    assert verb == 'call'
    service, kind, *request = positional(words)
    assert service.split('/')[1] in NODES
    names = f'`~/{service.split("/")[2]}`', f'`{service.removeprefix("/")}`'
    documented = '/'.join(part for part in kind.split('/') if part != 'srv')
    assert any(f'| {name} | {documented} |' in NODE_PAGES for name in names), service
    check_fields(interface(kind).Request, yaml.safe_load(request[0]) if request else {})


def check_run(package, words):
    """Check that the node and the parameters given to it exist."""
    node, *options = words
    if package != 'world_model':
        assert (package, node) in OTHER_NODES
        return
    assert node in NODES
    known = {leaf.name: leaf.default for leaf in leaves(config_class(node))}
    for flag, value in pairwise(options):
        if flag == '-p':
            name, given = value.split(':=')
            assert name == 'use_sim_time' or name in known
            assert yaml.safe_load(given) is not None


def check_launch(package, words):
    """Check that the launch file and the arguments given to it exist."""
    if package == OWN_LAUNCH_FILE:
        return
    assert package == 'world_model'
    (path,) = (PROJECT / 'launch').rglob(words[0])
    known = {argument.name for argument in declared_arguments(path)}
    assert set(parse_arguments(words[1:])) <= known


def check_lifecycle(verb, words):
    """Check the node and the transition."""
    node, transition = words
    assert (verb, node.rpartition('/')[2] in NODES) == ('set', True)
    assert transition in {'configure', 'activate', 'deactivate', 'cleanup', 'shutdown'}


def check_parameter(verb, words):
    """Check that the node has the parameter, and that its value is YAML of its type."""
    node, name, *value = words
    known = {leaf.name: leaf.default for leaf in leaves(config_class(node.rpartition('/')[2]))}
    assert (verb, len(value)) in {('get', 0), ('set', 1)}
    assert name in known
    assert not value or isinstance(yaml.safe_load(value[0]), type(known[name]))


def check_package(verb, words):
    """Check that the folder of this package is asked for."""
    assert (verb, positional(words)) == ('prefix', ['world_model'])


def check_security(verb, words):
    """Check the verb; the policy that it names has a test of its own."""
    assert words
    assert verb in {'create_keystore', 'generate_artifacts'}


def check_other(verb, words):
    """Check the verbs of `ros2 daemon` and `ros2 multicast`."""
    assert verb in {'stop', 'start', 'status', 'send', 'receive'}
    assert not words


CHECKS = {
    'topic': check_topic,
    'service': check_service,
    'run': check_run,
    'launch': check_launch,
    'lifecycle': check_lifecycle,
    'param': check_parameter,
    'pkg': check_package,
    'security': check_security,
    'daemon': check_other,
    'multicast': check_other,
}


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)
def test_ros2_commands_are_valid(page):
    """Each `ros2` command of a page names what exists, and its YAML has the fields of its type."""
    for command, verb, *words in found_commands(page.read_text()):
        CHECKS[command](verb, words)


def test_ros2_commands_are_found():
    """The commands of blocks, of texts and of substitutions must all be found."""
    found = [words for page in PAGES for words in found_commands(page.read_text())]
    assert {words[0] for words in found} >= {'topic', 'service', 'run', 'launch', 'pkg'}
    assert len(found) > 35


@pytest.mark.parametrize(
    'command',
    [
        "topic pub challenge_question std_msgs/msg/String '{data: How many chairs are there?}'",
        "topic pub challenge_question std_msgs/msg/String '{text: chairs}'",
        "topic pub challenge_question std_msgs/msg/Strings '{data: chairs}'",
        "topic pub challenge_question std_msgs/msg/String '{data: 3}'",
        "topic pub questions std_msgs/msg/String '{data: chairs}'",
        "service call /world_bundle/pause std_srvs/srv/SetBool '{value: false}'",
        'service call /world_bundle/save std_srvs/srv/Trigger',
        'run world_model ball_tracker',
        'run world_model ssl_simulator --ros-args -p time_to_live:=1',
        'launch world_model ssl.launch.xml',
        'launch world_model ssl_sim.launch.xml sed:=7',
        'lifecycle set /ssl_receiver start',
        'param set /ssl_receiver team 1',
        'topics echo ball',
    ],
)
def test_invalid_commands_are_found(command):
    """A command with invalid YAML, or a name that does not exist, must fail."""
    (words,) = found_commands(f'`ros2 {command}`')
    with pytest.raises((AssertionError, AttributeError, KeyError, ValueError, yaml.YAMLError)):
        CHECKS[words[0]](words[1], words[2:])
