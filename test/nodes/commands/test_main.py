# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The `world_model` command: help, exit codes, text and JSON."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

import world_model_nodes
from world_model_core.match.ssl.recording import Message, MessageKind, RecordingWriter
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_nodes.commands.main import make_parser, run_command

SOURCE = Path(world_model_nodes.__file__).resolve().parents[1]
START_NS = 1_700_000_000 * 10**9
LAUNCH = """<launch>
  <arg name="log" description="which log"/>
  <arg name="side" default="left"><choice value="left"/><choice value="right"/></arg>
</launch>"""


@pytest.fixture
def scenarios(tmp_path, monkeypatch):
    """Install a package with one scenario."""
    folder = tmp_path / 'share/world_model/launch'
    index = tmp_path / 'share/ament_index/resource_index/packages'
    for made in (folder, index):
        made.mkdir(parents=True)
    (index / 'world_model').touch()
    (folder / 'match.launch.xml').write_text(LAUNCH)
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    return folder


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """Record a simulated match of about a second."""
    path = tmp_path_factory.mktemp('recordings') / 'match.log.gz'
    with RecordingWriter(path) as writer:
        for sent in islice(SslMatch(SslMatchParameters(), START_NS).packets(), 200):
            vision = isinstance(sent.packet, VisionPacket)
            kind = MessageKind.VISION_2014 if vision else MessageKind.REFBOX_2013
            data = encode_vision(sent.packet) if vision else encode_referee(sent.packet)
            writer.write(Message(START_NS + sent.sent_ns, kind, data))
    return path


def commands_of(parser):
    """Yield the words of a command and of all its subcommands."""
    yield parser.prog.split()[1:]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from commands_of(child)


@pytest.mark.parametrize('words', list(commands_of(make_parser())), ids=' '.join)
@pytest.mark.usefixtures('scenarios')
def test_every_command_has_help_with_an_example(words, capsys):
    """--help exits with 0 and shows an example of the command."""
    with pytest.raises(SystemExit) as end:
        run_command([*words, '--help'])
    assert end.value.code == 0
    _, _, examples = capsys.readouterr().out.partition('example')
    assert f'  {" ".join(["world_model", *words])} ' in examples


def test_help_imports_neither_ros_nor_matplotlib():
    """Help imports neither ROS nor the libraries for plots and computation."""
    code = (
        'import sys; from world_model_nodes.commands.main import run_command\n'
        'try: run_command(["--help"])\n'
        'except SystemExit: print({"rclpy", "matplotlib", "numpy", "rich"} & set(sys.modules))'
    )
    words = (sys.executable, '-c', code)
    output = subprocess.run(  # noqa: S603 (this very interpreter)
        words, cwd=SOURCE, capture_output=True, text=True, check=True
    ).stdout
    assert output.splitlines()[-1] == 'set()'


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        ('', 'required: COMMAND'),
        ('ssl', 'required: COMMAND'),
        ('fly', "invalid choice: 'fly'"),
        ('ssl info', 'required: LOG'),
        ('watch now', 'unrecognized arguments: now'),
        ('watch --seconds 0', "'0' is not a number of seconds above 0"),
        ('watch --seconds inf', "'inf' is not a number"),
        ('watch --seconds soon', "'soon' is not a number"),
        ('objects', 'required: COMMAND'),
        ('objects evaluate --layouts 0', "'0' is not a whole number above 0"),
        ('objects evaluate --layouts many', "'many' is not a whole number above 0"),
        ('objects evaluate --layouts -3', "'-3' is not a whole number above 0"),
        ('objects evaluate --sigma 0.05,0', "'0' is not a number of meters above 0"),
        ('objects evaluate --sigma wide', "'wide' is not a number of meters above 0"),
    ],
)
def test_wrong_use_exits_with_2(words, reason, capsys):
    """Arguments that the parser rejects exit with 2 and a reason."""
    with pytest.raises(SystemExit) as end:
        run_command(words.split())
    assert end.value.code == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ('words', 'code', 'reason'),
    [
        (['ssl', 'info', '/no/such.log'], 1, '/no/such.log: '),
        (['ssl', 'info', __file__], 1, 'offset 0 is '),
        (['watch', '--plot', '/no/such/match.png'], 1, '--plot /no/such/match.png: its folder'),
        (['objects', 'evaluate', '--plot', '/no/such/map.png'], 1, '--plot /no/such/map.png: its'),
        (['run', 'unknown', '--show-args'], 2, "unknown scenario 'unknown'; available: match"),
        (['run', '--show-args', '/no/such.launch.xml'], 1, '/no/such.launch.xml'),
        (['run', 'match', 'side:=left'], 2, "argument 'log' is required"),
    ],
)
@pytest.mark.usefixtures('scenarios')
def test_invalid_input_exits_with_1_and_invalid_arguments_with_2(words, code, reason, capsys):
    """The error is one line with the cause."""
    assert run_command(words) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line


def test_scenarios_are_listed(scenarios, capsys):
    """`run` without a scenario, and its help, list all scenarios; with --json as JSON."""
    assert run_command(['run']) == 0
    assert capsys.readouterr().out == 'scenarios:\n  match\n'
    assert run_command(['run', '--json']) == 0
    assert json.loads(capsys.readouterr().out) == {'match': str(scenarios / 'match.launch.xml')}
    with pytest.raises(SystemExit):
        run_command(['run', '--help'])
    assert capsys.readouterr().out.endswith('\nscenarios:\n  match\n')


def test_help_reports_a_missing_package(monkeypatch, capsys):
    """Without a sourced workspace help is printed, and names what is missing."""
    monkeypatch.setenv('AMENT_PREFIX_PATH', '/nowhere')
    with pytest.raises(SystemExit) as end:
        run_command(['run', '--help'])
    assert end.value.code == 0
    assert "package 'world_model' is not in AMENT_PREFIX_PATH" in capsys.readouterr().out


@pytest.mark.usefixtures('scenarios')
def test_the_arguments_of_a_scenario_are_shown_as_ros2_launch_does(capsys):
    """Each argument has name, description, choices and default; with --json as JSON."""
    assert run_command(['run', 'match', '--show-args']) == 0
    assert capsys.readouterr().out == (
        "Arguments (pass arguments as '<name>:=<value>'):\n\n"
        "    'log':\n        which log\n\n"
        "    'side':\n        no description given Valid choices are: ['left', 'right']\n"
        "        (default: 'left')\n"
    )
    assert run_command(['run', '--json', '--show-args', 'match']) == 0
    log, side = json.loads(capsys.readouterr().out)
    assert log == {'name': 'log', 'default': None, 'description': 'which log', 'choices': []}
    assert (side['default'], side['choices']) == ('left', ['left', 'right'])


def test_a_scenario_without_arguments_is_reported_as_such(scenarios, capsys):
    """The output states that there are no arguments."""
    (scenarios / 'plain.launch.xml').write_text('<launch/>')
    assert run_command(['run', 'plain', '--show-args']) == 0
    assert capsys.readouterr().out == 'No arguments.\n'


def test_a_recording_is_summarized_as_text(recording, capsys):
    """The output has teams, cameras, messages and clocks."""
    assert run_command(['ssl', 'info', str(recording)]) == 0
    shown = capsys.readouterr().out
    for part in ('Bears (yellow), Foxes (blue)', '0, 1', 'VISION_2014', '2023-11-14 22:13:20'):
        assert part in shown
    assert 'receive time minus own [s]' in shown
    assert 'complete' in shown


def test_a_recording_is_summarized_as_json(recording, tmp_path, capsys):
    """The JSON has the summary, and whether the file is truncated."""
    assert run_command(['ssl', 'info', '--json', str(recording)]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert (whole['path'], whole['truncated']) == (str(recording), False)
    assert whole['teams'] == {'yellow': 'Bears', 'blue': 'Foxes'}
    assert whole['counts']['VISION_2014'] > 100
    cut = tmp_path / 'cut.log.gz'
    cut.write_bytes(recording.read_bytes()[:-2000])
    assert run_command(['ssl', 'info', '--json', str(cut)]) == 0
    assert json.loads(capsys.readouterr().out)['truncated'] is True


@pytest.mark.parametrize('form', [[], ['--json']])
def test_a_closed_pipe_ends_quietly(recording, form):
    """Output into a closed pipe, as of `| head`, ends without a traceback."""
    code = 'from world_model_nodes.commands.main import main; main()'
    words = (sys.executable, '-c', code, 'ssl', 'info', str(recording), *form)
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        words, cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b''
    assert process.returncode == 1
