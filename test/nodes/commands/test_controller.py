# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The words of `world_model controller`, and files that are no controllers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from world_model_core.errors import ConfigurationError
from world_model_nodes.commands.controller import parse_address, parse_names
from world_model_nodes.commands.main import run_command
from world_model_nodes.commands.parser import WrongUseError
from world_model_nodes.virtual_world.controller_file import load_controller

HEAD = 'from world_model_core import Controller\n'


@pytest.mark.parametrize(
    ('file', 'agent', 'names'),
    [
        ('a.py', 'ann', ('a.py', '', 'ann')),
        ('a.py', 'ann:Waiter', ('a.py', 'Waiter', 'ann')),
        ('a.py:Waiter', 'ann', ('a.py', 'Waiter', 'ann')),
        ('a.py:Waiter', 'ann:Cook', ('a.py', 'Waiter', 'ann:Cook')),
        ('a.py', 'cup: 2', ('a.py', '', 'cup: 2')),
        ('a.py', ':Waiter', ('a.py', '', ':Waiter')),
    ],
)
def test_a_class_is_named_after_the_file_or_the_agent(file, agent, names):
    """A name with a colon keeps it if the class stands after the file."""
    assert parse_names(file, agent) == (Path(names[0]), *names[1:])


def test_an_address_has_a_host_and_a_port():
    """IPv6 addresses have colons, too."""
    assert parse_address(None) is None
    assert parse_address('::1:7700') == ('::1', 7700)
    for wrong in ('host', 'host:', ':7', 'host:0', 'host:70000', 'host:x'):
        with pytest.raises(WrongUseError, match='it must be HOST:PORT'):
            parse_address(wrong)


def test_wrong_use_is_reported(capsys):
    """A token belongs to an address, and the file must be there."""
    assert run_command(['controller', 'a.py', '--agent', 'ann', '--connect', 'host:7']) == 2
    assert 'belong together' in capsys.readouterr().err
    assert run_command(['controller', 'no_such.py', '--agent', 'ann']) == 1
    assert 'no_such.py is not a file' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('text', 'named', 'reason'),
    [
        ('x = 1', 'a.py', 'must have one subclass of Controller.*it has none'),
        (HEAD, 'a.py', 'it has none'),
        (f'{HEAD}class A(Controller): ...\nclass B(Controller): ...', 'a.py', 'it has A, B'),
        (f'{HEAD}class A(Controller): ...', 'a.py:B', "no controller 'B'; it has A"),
        ('def', 'a.py', 'cannot be imported: SyntaxError'),
        ('x', 'a.txt', 'must end in .py'),
    ],
)
def test_files_without_a_controller_are_refused(tmp_path, monkeypatch, text, named, reason):
    """The message lists the classes that there are."""
    monkeypatch.setattr('sys.path', [])
    name, _, class_name = named.partition(':')
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigurationError, match=reason):
        load_controller(tmp_path / name, class_name)


def test_modules_next_to_the_file_can_be_imported(tmp_path, monkeypatch):
    """The class may be one of theirs, if it is named."""
    monkeypatch.syspath_prepend('/nowhere')
    (tmp_path / 'colleagues.py').write_text(f'{HEAD}class Cook(Controller): ...')
    (tmp_path / 'crew.py').write_text(f'{HEAD}from colleagues import Cook\nclass Boss(Cook): ...')
    assert load_controller(tmp_path / 'crew.py').__name__ == 'Boss'
    assert load_controller(tmp_path / 'crew.py', 'Cook').__name__ == 'Cook'


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_many_stop_signals_end_a_controller_quietly(tmp_path, number):
    """`ros2 launch` sends SIGINT after the Ctrl-C of the terminal; the exit code must be 0."""
    file = tmp_path / 'ann.py'
    file.write_text(f'{HEAD}class Ann(Controller):\n    pass\n')
    words = ['controller', str(file), '--agent', 'ann', '--world', '/nowhere']
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        [sys.executable, '-m', 'world_model_nodes.commands', *words],
        env={**os.environ, 'ROS_DOMAIN_ID': '99'},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        first = process.stderr.readline()
        while process.poll() is None:
            process.send_signal(number)
        rest = process.stderr.read()
    assert 'waiting for the world' in first
    assert (process.returncode, rest) == (0, '')
