# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A node, a scenario or a command is added without a change of any other file.

A new node consists of its module, its page, and one line in `world_model_nodes/nodes.py`; a new
scenario of its launch file and one line in the README; a new command of its module and one word in
`world_model_nodes/commands/main.py`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns(
    '.git',
    '.venv',
    '.*_cache',
    '.hypothesis',
    '__pycache__',
    '*.egg-info',
    'build',
    'install',
    'log',
)
HEADER = '# Copyright 2026 the world_model authors\n# SPDX-License-Identifier: Apache-2.0\n'
NODE = f'''{HEADER}"""The node beacon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rclpy.node import Node
from std_msgs.msg import String

from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import declare, parameter
from world_model_nodes.runtime.qos import STREAM


@dataclass(frozen=True)
class BeaconConfig:
    """Parameters of beacon."""

    text: str = parameter('here', 'text that is published')
    rate: float = parameter(1.0, 'messages per second', low=0.1, high=10.0, unit='Hz')


class Beacon(Node):
    """Publishes a text at a rate."""

    config_type = BeaconConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('beacon', **kwargs)
        self._config = declare(self, self.config_type)
        self._text = self.create_publisher(String, 'beacon', STREAM)
        self._timer = self.create_timer(1.0 / self._config.rate, self._publish)

    def _publish(self) -> None:
        self._text.publish(String(data=self._config.text))


def main() -> None:
    """Run the node."""
    run(Beacon)
'''
PAGE = """# beacon

Publishes a text.

## Published topics

| topic | type | QoS | published |
|---|---|---|---|
| `beacon` | std_msgs/String | stream | at `rate` |

## Parameters

<!-- parameters: begin -->

<!-- parameters: end -->
"""
LAUNCH = """<launch>
  <arg name="rate" default="1.0" description="messages per second"/>
  <node pkg="world_model" exec="beacon" name="beacon" on_exit="shutdown">
    <param name="rate" value="$(var rate)" type="float"/>
  </node>
</launch>
"""
COMMAND = f'''{HEADER}"""The command `world_model greet`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import add_command

if TYPE_CHECKING:
    import argparse

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `greet`."""
    add_command(
        commands,
        'greet',
        _greet,
        summary='print a greeting',
        description='Print a greeting.',
        examples=['world_model greet '],
    )


def _greet(_: argparse.Namespace) -> int:
    sys.stdout.write('hello\\n')
    return 0
'''


@pytest.fixture(scope='module')
def extended(tmp_path_factory):
    """Copy the project, and add a node, a scenario and a command to the copy."""
    copy = tmp_path_factory.mktemp('extended') / 'world_model'
    shutil.copytree(PROJECT, copy, ignore=LEFT_OUT)
    nodes, commands = copy / 'world_model_nodes/nodes.py', copy / 'world_model_nodes/commands'
    (copy / 'world_model_nodes/match/beacon.py').write_text(NODE)
    add(nodes, 'NODES = {\n', "    'beacon': 'match',\n")
    (copy / 'docs/reference/nodes/beacon.md').write_text(PAGE)
    (copy / 'launch/match/beacon.launch.xml').write_text(LAUNCH)
    readme = copy / 'README.md'
    readme.write_text(f'{readme.read_text()}\n`world_model run beacon rate:=2.0` beams.\n')
    (commands / 'greet.py').write_text(COMMAND)
    add(commands / 'main.py', 'COMMANDS = (', "'greet', ")
    return copy


def add(path, place, text):
    """Insert a text after a place in a file."""
    before, found, after = path.read_text().partition(place)
    assert found
    path.write_text(f'{before}{found}{text}{after}')


def run(folder, *words):
    """Run Python in the copy; return what it printed."""
    done = subprocess.run(  # noqa: S603 (this very interpreter)
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {'PYTHONPATH': str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_node_a_scenario_and_a_command_need_no_other_change(extended):
    """The tools and the tests of the copy accept the new node, scenario and command."""
    run(extended, 'tools/parameter_tables.py')
    page = (extended / 'docs/reference/nodes/beacon.md').read_text()
    assert '| `rate` | `1.0` | Hz | 0.1 to 10.0 | messages per second |' in page
    run(extended, 'setup.py', '-q', 'egg_info')
    entries = (extended / 'world_model.egg-info/entry_points.txt').read_text()
    assert 'beacon = world_model_nodes.runtime.executables:beacon' in entries
    assert run(extended, 'bin/world_model', 'greet') == 'hello\n'
    told = run(
        extended, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-n', '0',
        'test/launch/test_launch_files.py', 'test/nodes/commands/test_main.py',
        'test/test_docs.py', 'test/core/test_architecture.py',
        '-k', 'beacon or greet or README or at_once or every_node or every_scenario or '
        'documented_topics or agree or picture or one_place',
    )  # fmt: skip
    count = int(told.rsplit(' passed', 1)[0].rsplit(maxsplit=1)[-1])
    assert count >= 20, told
