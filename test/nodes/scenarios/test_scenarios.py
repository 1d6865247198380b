# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Launch files are planned as by launch_xml and launch_ros, and run with real processes."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from threading import Timer

import pytest

import world_model_nodes
from world_model_nodes.scenarios.command_line import command_line
from world_model_nodes.scenarios.launch_arguments import (
    Argument,
    ArgumentError,
    declared_arguments,
    parse_arguments,
)
from world_model_nodes.scenarios.launch_xml import LaunchFileError
from world_model_nodes.scenarios.plan import (
    Parameter,
    find_scenarios,
    locate_scenario,
    plan_scenario,
)
from world_model_nodes.scenarios.respawn import Respawn

PROJECT = Path(world_model_nodes.__file__).resolve().parents[1]
TIME_LIMIT = 90.0  # s, limit of a run

# The default action of SIGINT, from the first line on; during its start Python may exit with 1.
WAITS = '#!/bin/sh\necho ready\nexec sleep 1000\n'
NODES = {
    'ends': """
        import os, sys
        code = int(sys.argv[1])
        os.kill(os.getpid(), -code) if code < 0 else sys.exit(code)
        """,
    'stubborn': """
        import signal, sys
        refused = {getattr(signal, name) for name in sys.argv[1:sys.argv.index('--ros-args')]}
        signal.pthread_sigmask(signal.SIG_BLOCK, refused)
        print('ready', flush=True)
        while True:
            print('refused', signal.Signals(signal.sigwait(refused)).name, flush=True)
        """,
    'talks': """
        import os, sys
        os.write(1, b'to stdout\\n')
        os.write(2, b'to stderr\\n')
        os.write(1, b'not UTF-8: \\xff\\n')
        sys.stdout.write('x' * 3_000_000 + '\\n')
        sys.stdout.flush()
        os.write(1, b'no end of line')
        """,
    'tells_pid': """
        import os, signal
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.write(1, b'pid %d\\n' % os.getpid())
        signal.pause()
        """,
    'outlived': """
        import os, signal
        fifo = open(os.environ['FIFO'], 'w')
        print('session', os.getsid(0) == os.getpid(), flush=True)
        signal.pause()
        """,
    'probe': """
        import json, sys
        import rclpy
        from rclpy.node import Node
        rclpy.init(args=sys.argv)
        node = Node('probe', automatically_declare_parameters_from_overrides=True)
        values = {name: [parameter.type_.name, parameter.value]
                  for name, parameter in node.get_parameters_by_prefix('p').items()}
        print(json.dumps({'name': node.get_fully_qualified_name(), 'values': values,
                          'topic': node.resolve_topic_name('ball')}, default=list))
        """,
}


@pytest.fixture
def prefix(tmp_path, monkeypatch):
    """Make the ament package `demo` of small executables, first in the ament index."""
    folder = tmp_path / 'prefix'
    (folder / 'share/ament_index/resource_index/packages').mkdir(parents=True)
    (folder / 'share/ament_index/resource_index/packages/demo').touch()
    (folder / 'share/demo').mkdir()
    (folder / 'lib/demo').mkdir(parents=True)
    scripts = {name: f'#!{sys.executable}{dedent(source)}' for name, source in NODES.items()}
    for name, script in {'waits': WAITS, **scripts}.items():
        path = folder / 'lib/demo' / name
        path.write_text(script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    others = os.environ.get('AMENT_PREFIX_PATH', '')
    # A killed runner leaves its parameter files behind.
    monkeypatch.setenv('TMPDIR', str(tmp_path))
    monkeypatch.setenv('AMENT_PREFIX_PATH', os.pathsep.join(filter(None, [str(folder), others])))
    return folder


@pytest.fixture
def launch_file(tmp_path, prefix):  # noqa: ARG001 - a launch file refers to the package
    """Return a function that writes a launch file from the content of its <launch> element."""

    def write(body, name='tested.launch.xml'):
        path = tmp_path / name
        path.write_text(f'<launch>\n{body}\n</launch>\n')
        return path

    return write


@pytest.fixture
def plan(launch_file):
    """Return a function that plans a launch file from the content of its <launch> element."""
    return lambda body, **arguments: plan_scenario(launch_file(body), arguments)


@contextmanager
def running(path, *arguments, patience='5.0', **environment):
    """Run a launch file in a process, which is killed after TIME_LIMIT."""
    code = (
        'import sys; from world_model_nodes.commands import main as cli; '
        'from world_model_nodes.scenarios import processes as p; '
        f'p.ESCALATION = tuple((n, t and {patience}) for n, t in p.ESCALATION); '
        'sys.exit(cli.run_command(["run", *sys.argv[1:]]))'
    )
    paths = [str(PROJECT), *filter(None, [os.environ.get('PYTHONPATH')])]
    runner = subprocess.Popen(  # noqa: S603 - this very interpreter
        [sys.executable, '-c', code, str(path), *arguments],
        env=os.environ | {'PYTHONPATH': os.pathsep.join(paths)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    limit = Timer(TIME_LIMIT, runner.kill)
    limit.start()
    try:
        yield runner
    finally:
        limit.cancel()
        runner.kill()
        runner.communicate()


def run(path, *arguments, **environment):
    """Run a launch file to its end; return the exit code, the output and the messages."""
    with running(path, *arguments, **environment) as runner:
        output, messages = runner.communicate()
        return runner.returncode, output.splitlines(), messages.decode().splitlines()


def await_lines(runner, *wanted):
    """Read the runner's output until all lines have occurred."""
    missing = {line.encode() + b'\n' for line in wanted}
    while missing:
        line = runner.stdout.readline()
        assert line, f'the runner ended without {missing}'
        missing.discard(line)


def node(name='a', executable='waits', inside='', **attributes):
    """Return a <node> element."""
    written = ''.join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<node pkg="demo" exec="{executable}" name="{name}"{written}>{inside}</node>'


def param(name, value, **attributes):
    """Return a <param> element."""
    written = ''.join(f' {key}="{text}"' for key, text in attributes.items())
    return f'<param name="{name}" value="{value}"{written}/>'


# Values that a node received under launch 3.7.1 and launch_ros 0.28, except '1e3' as str: there a
# plain 1e3 in the parameter file becomes a double.
RECEIVED = [
    ('2', None, 'INTEGER', 2),
    ('2.0', None, 'DOUBLE', 2.0),
    ('true', None, 'BOOL', True),
    ('hello', None, 'STRING', 'hello'),
    ("'5'", None, 'STRING', '5'),
    ('', None, 'STRING', ''),
    ('[1, 2]', None, 'INTEGER_ARRAY', [1, 2]),
    ('[1, $(var five)]', None, 'INTEGER_ARRAY', [1, 5]),
    ('$(var list)', 'yaml', 'STRING_ARRAY', ['a', 'b']),
    ('$(var five)', None, 'INTEGER', 5),
    ("'$(var five)'", None, 'INTEGER', 5),
    ('$(var five)', 'float', 'DOUBLE', 5.0),
    ('$(var five)', 'int', 'INTEGER', 5),
    ('$(var five)', 'str', 'STRING', '5'),
    ('1', 'bool', 'BOOL', True),
    ('no', 'bool', 'BOOL', False),
    ('1e-7', 'float', 'DOUBLE', 1e-7),
    ('inf', 'float', 'DOUBLE', float('inf')),
    ('true', 'str', 'STRING', 'true'),
    ('', 'str', 'STRING', ''),
    ('~', 'str', 'STRING', '~'),
    ('1e3', 'str', 'STRING', '1e3'),
    ('2022-01-01', 'str', 'STRING', '2022-01-01'),
    ('[1, 2]', 'str', 'STRING', '[1, 2]'),
    ("ä: #'q' &quot;d&quot; \\$(x)", 'str', 'STRING', 'ä: #\'q\' "d" $(x)'),
    ('[a, $(var five)]', 'list_of_str', 'STRING_ARRAY', ['a', '5']),
    ('[1, $(var five)]', 'list_of_int', 'INTEGER_ARRAY', [1, 5]),
    ('[1.5, $(var five)]', 'list_of_float', 'DOUBLE_ARRAY', [1.5, 5.0]),
    ('[true, false]', 'list_of_bool', 'BOOL_ARRAY', [True, False]),
]


def test_a_node_has_the_types_values_name_and_remapping_of_ros2_launch(launch_file):
    """A real node has the parameters, name, namespace and topics of launch_ros."""
    params = ''.join(
        param(f'p.v{number}', text, **({'type': kind} if kind else {}))
        for number, (text, kind, _, _) in enumerate(RECEIVED)
    )
    path = launch_file(
        '<arg name="five" default="5"/><arg name="list" default="[a, b]"/>'
        + node('probed', 'probe', params + '<remap from="ball" to="kugel"/>', namespace='n/s')
    )
    code, output, messages = run(
        path, ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST', ROS_DOMAIN_ID='83'
    )
    assert code == 0, messages
    prefix = b'[n/s/probed] '
    received = json.loads(output[0].removeprefix(prefix))
    assert received['values'] == {f'v{n}': list(case[2:]) for n, case in enumerate(RECEIVED)}
    assert (received['name'], received['topic']) == ('/n/s/probed', '/n/s/kugel')


def test_the_command_line_is_that_of_launch_ros(plan, prefix, tmp_path):
    """Arguments, name, namespace, parameters in order and remappings follow each other."""
    (prefix / 'share/demo/p.yaml').write_text('{}')
    (planned,) = plan(
        '<arg name="x" default="a b"/>'
        + node(
            inside=param('late', '1')
            + '<param from="$(find-pkg-share demo)/p.yaml"/><remap from="f" to="t"/>',
            namespace='ns/',
            args='-d $(var x) $(env NOT_SET z)y',
        )
    )
    words = command_line(planned, tmp_path)
    inline = words[words.index('--params-file') + 1]
    assert words == (
        *(str(prefix / 'lib/demo/waits'), '-d', 'a b', 'zy'),
        *('--ros-args', '-r', '__node:=a', '-r', '__ns:=/ns'),
        *('--params-file', inline, '--params-file', str(prefix / 'share/demo/p.yaml')),
        *('-r', 'f:=t'),
    )
    assert Path(inline).read_text() == '"/ns/a":\n  "ros__parameters":\n    "late": 1\n'


@pytest.mark.parametrize(('word', 'opposite'), [('true', False), ('False', True)])
def test_a_truth_value_can_be_negated(plan, word, opposite):
    """A condition may be the negation of an argument."""
    inside = param('x', '$(not $(var on))', type='bool')
    (planned,) = plan(f'<arg name="on" default="{word}"/>{node(inside=inside)}')
    assert planned.parameters[0].value is opposite


@pytest.mark.parametrize(
    ('condition', 'planned'),
    [
        ('if="true"', True),
        ('if=" TRUE "', True),
        ('if="$(var on)"', True),
        ('if="0"', False),
        ('unless="False"', True),
        ('unless="1"', False),
    ],
)
@pytest.mark.parametrize('element', ['node', 'group', 'include'])
def test_conditions_keep_or_leave_out(launch_file, condition, planned, element):
    """A condition applies to a node, a group and an include."""
    launch_file(node(), 'other.launch.xml')
    body = {
        'node': node().replace('>', f' {condition}>', 1),
        'group': f'<group {condition}>{node()}</group>',
        'include': f'<include file="$(dirname)/other.launch.xml" {condition}/>',
    }[element]
    path = launch_file(f'<arg name="on" default="1"/>{body}')
    assert len(plan_scenario(path, {})) == planned


@pytest.mark.parametrize(
    ('attributes', 'expected'),
    [
        ({}, None),
        ({'respawn': '$(var again)', 'respawn_delay': '2'}, None),
        ({'respawn': '$(not $(var again))'}, Respawn(0.0, -1)),
        (
            {'respawn': 'true', 'respawn_delay': '1.5', 'respawn_max_retries': '20'},
            Respawn(1.5, 20),
        ),
    ],
)
def test_a_node_is_respawned_as_in_launch(plan, attributes, expected):
    """The defaults are those of launch: at once, and without a limit."""
    (planned,) = plan('<arg name="again" default="false"/>' + node(**attributes))
    assert planned.respawn == expected


def test_an_include_is_no_scope_but_a_group_is(launch_file):
    """Variables set in an include are kept after it, but not after a scoped group around it."""
    launch_file('<arg name="x" default="own"/><arg name="y" default="own"/>', 'in.launch.xml')
    include = '<include file="$(dirname)/in.launch.xml"><arg name="x" value="passed"/></include>'
    shown = param('x', '$(var x)') + param('y', '$(env NO_SUCH $(var y))')
    path = launch_file(
        '<arg name="x" default="outer"/><arg name="y" default="outer"/>'
        f'<group>{include}{node("inside", inside=shown)}</group>{node("behind", inside=shown)}'
        f'<group scoped="false">{include}</group>{node("last", inside=shown)}'
    )
    planned = plan_scenario(path, {'y': 'given'})
    received = {
        node.name: tuple(parameter.value for parameter in node.parameters) for node in planned
    }
    assert received == {
        'inside': ('passed', 'given'),
        'behind': ('outer', 'given'),
        'last': ('passed', 'given'),
    }


def test_arguments_of_an_include_are_arguments_of_the_command(launch_file):
    """An argument declared only in an included file is listed and can be set."""
    launch_file(
        '<arg name="x" default="1" description="what"/><arg name="z"/>'
        + node(inside=param('x', '$(var x)')),
        'in.launch.xml',
    )
    path = launch_file(
        '<include file="$(dirname)/in.launch.xml"><arg name="z" value="0"/></include>'
    )
    assert declared_arguments(path) == (Argument('x', '1', 'what', ()),)
    assert plan_scenario(path, {'x': '7'})[0].parameters == (Parameter('x', 7),)


@pytest.mark.parametrize(
    ('body', 'reason'),
    [
        ('<let name="x" value="1"/>', '2: <let>: unknown element in <launch>'),
        ('\n<node pkg="demo"/>', "3: <node>: attribute 'exec' is missing"),
        (node(sigterm_timeout='1'), "2: <node>: unknown attribute 'sigterm_timeout'"),
        (node(on_exit='restart'), "on_exit must be 'shutdown'"),
        (node(on_exit='shutdown', respawn='true'), "respawn and on_exit='shutdown' exclude"),
        (node(respawn='maybe'), "'maybe' is not one of"),
        (node(respawn='true', respawn_delay='-1'), 'respawn_delay is -1.0; it must be 0 or more'),
        (node(respawn='true', respawn_max_retries='2.5'), "respawn_max_retries is '2.5'"),
        (
            node(inside='\n<param name="x"/>'),
            "3: <param>: needs either 'from', or 'name' and 'value'",
        ),
        (node(inside='<param name="x" value="1" from="y"/>'), "needs either 'from', or"),
        (node(inside='\n\n<env/>'), '4: <env>: unknown element in <node>'),
        (
            node(inside='<param from="/no/such.yaml"/>'),
            'parameter file /no/such.yaml does not exist',
        ),
        ('<group if="0"><group>\n<shutdown/></group></group>', '3: <shutdown>: unknown'),
        (node(**{'if': '1', 'unless': '0'}), "'if' and 'unless' exclude each other"),
        (node(**{'if': 'yes'}), "'yes' is not one of true, 1, false, 0"),
        (node('$(var no)'), "<node>: unknown argument 'no'; available: none"),
        (node('$(env NO_SUCH_THING)'), "environment variable 'NO_SUCH_THING' is not set"),
        (node('$(eval 1)'), 'unknown substitution $(eval 1)'),
        (node('$(not 3)'), "$(not 3): '3' must be true or false"),
        (node('$(var x'), 'a parenthesis is not closed'),
        (node(args="it's"), 'quotes and backslashes in args are not supported'),
        ('<node pkg="no_such" exec="x"/>', "package 'no_such' is not in AMENT_PREFIX_PATH"),
        ('<node pkg="demo" exec="x"/>', "package 'demo' has no executable "),
        ('<include file="/no/such.xml"/>', '2: <include>: /no/such.xml does not exist'),
        (
            '<include file="$(dirname)/tested.launch.xml"/>',
            'tested.launch.xml: the file includes itself',
        ),
        ('<node', '3: not XML'),
        (
            node(inside=param('x', '1', type='double')),
            "type is 'double'; it must be one of: yaml, bool",
        ),
        (node(inside=param('x', '1.5', type='int')), "parameter 'x': '1.5' is not of type int"),
        (node(inside=param('x', '2', type='bool')), "parameter 'x': '2' is not of type bool"),
        (node(inside=param('x', '[1, 2.0]')), "parameter 'x': [1, 2.0] must be of one type"),
        (node(inside=param('x', '[1, 2]', type='list_of_float')), '[1, 2] must be of one type'),
        (node(inside=param('x', '1', type='list_of_int')), "'1' is not a list"),
        (node(inside=param('x', 'null')), 'None must be of one type'),
        (node(inside=param('x', '[1')), "'[1' is not YAML"),
    ],
)
def test_an_unsupported_element_is_rejected_by_name_and_line(plan, body, reason):
    """An error has the file, the line, the element and the cause."""
    with pytest.raises(LaunchFileError) as error:
        plan(body)
    assert 'tested.launch.xml:' in str(error.value)
    assert reason in str(error.value)
    assert not isinstance(error.value, ArgumentError)


@pytest.mark.parametrize(
    ('arguments', 'reason'),
    [
        ([], "tested.launch.xml:3: argument 'log' is required: which log"),
        (['log:=x', 'lgo:=y'], "unknown argument 'lgo'; available: log, side"),
        (['log:=x', 'side:=up'], "argument 'side' is 'up'; it must be one of: left, right"),
        (['log=x'], "argument 'log=x' is not of the form name:=value"),
        ([':=x'], "argument ':=x' is not of the form name:=value"),
    ],
)
def test_invalid_arguments_are_rejected_by_name(launch_file, arguments, reason):
    """A malformed, unknown, missing or invalid argument is an error of the caller."""
    path = launch_file(
        '\n<arg name="log" description="which log"/><arg name="side" default="left">'
        '<choice value="left"/><choice value="right"/></arg>'
    )
    with pytest.raises(ArgumentError) as error:
        plan_scenario(path, parse_arguments(arguments))
    assert reason in str(error.value)


def test_scenarios_are_found_by_name(prefix):
    """A scenario is a launch file in the package's share folder; other names are rejected."""
    (prefix / 'share/ament_index/resource_index/packages/world_model').touch()
    folder = prefix / 'share/world_model/launch'
    folder.mkdir(parents=True)
    (folder / 'one.launch.xml').touch()
    (folder / 'one.yaml').touch()
    assert find_scenarios() == {'one': folder / 'one.launch.xml'}
    assert locate_scenario('one') == folder / 'one.launch.xml'
    with pytest.raises(ArgumentError, match="unknown scenario 'two'; available: one"):
        locate_scenario('two')


@pytest.mark.parametrize(
    ('path', 'arguments', 'code'),
    [('/no/such.launch.xml', [], 1), ('tested.launch.xml', ['x:=1'], 2), ('unknown', [], 2)],
)
def test_the_exit_code_distinguishes_bad_input_from_wrong_use(
    launch_file, prefix, path, arguments, code
):
    """An invalid file gives 1, invalid arguments give 2, without a traceback."""
    (prefix / 'share/ament_index/resource_index/packages/world_model').touch()
    (prefix / 'share/world_model').mkdir()
    folder = launch_file(node()).parent
    where = folder / path if path.startswith('tested') else path
    returned, _, messages = run(where, *arguments)
    assert returned == code
    (message,) = messages
    assert message.startswith('world_model: error: ')


@pytest.mark.parametrize(
    ('ends', 'code', 'message'),
    [
        ('0', 0, 'all nodes ended, first [b] ended with exit code 0'),
        ('3', 3, '[b] ended with exit code 3'),
        ('-9', 137, '[b] ended with SIGKILL'),
    ],
)
def test_the_end_of_a_node_ends_all_and_its_code_is_the_runners(launch_file, ends, code, message):
    """The exit of a node stops the others; the last line has its name and code; no file stays."""
    path = launch_file(node(inside=param('x', '1')) + node('b', 'ends', args=ends))
    returned, _, messages = run(path)
    why = 'the scenario ends with this node'
    assert (returned, messages[-1]) == (code, f'world_model run: {message}; {why}')
    assert 'world_model run: sending SIGINT to [a]' in messages
    assert not list(path.parent.glob('world_model_*'))


def test_output_is_prefixed_and_forwarded(launch_file):
    """Both streams, invalid UTF-8, a huge line and an unterminated one are complete."""
    code, output, _ = run(launch_file(node('t', 'talks', namespace='n')))
    prefix = b'[n/t] '
    assert code == 0
    assert all(line.startswith(prefix) for line in output)
    shown = [line.removeprefix(prefix) for line in output]
    assert shown[:3] == [b'to stdout', b'to stderr', b'not UTF-8: \xff']
    assert b''.join(shown[3:-1]) == b'x' * 3_000_000
    assert shown[-1] == b'no end of line'


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_runner_interrupts_all_nodes_and_ends_with_zero(launch_file, number):
    """SIGINT, SIGTERM and SIGHUP are orderly ends with exit code 0."""
    with running(launch_file(node() + node('b'))) as runner:
        await_lines(runner, '[a] ready', '[b] ready')
        runner.send_signal(number)
        _, messages = runner.communicate()
    assert runner.returncode == 0, messages
    assert messages.count(b'sending SIGINT') == 2


def test_a_background_job_of_a_shell_is_interrupted(launch_file):
    """A shell starts background jobs with SIGINT ignored; the nodes do not inherit that."""
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with running(launch_file(node()), patience=str(10 * TIME_LIMIT)) as runner:
            await_lines(runner, '[a] ready')
            runner.send_signal(signal.SIGINT)
            assert runner.wait() == 0
    finally:
        signal.signal(signal.SIGINT, previous)


@pytest.mark.parametrize(
    ('refuses', 'code', 'end'),
    [('SIGINT', 143, b'SIGTERM'), ('SIGINT SIGTERM', 137, b'SIGKILL')],
)
@pytest.mark.parametrize('impatient', [False, True])
def test_a_stubborn_node_is_ended_by_stronger_signals(launch_file, refuses, code, end, impatient):
    """SIGTERM and SIGKILL follow after a time, or at once with each further Ctrl-C."""
    path = launch_file(node() + node('s', 'stubborn', args=refuses))
    patience = str(10 * TIME_LIMIT) if impatient else '0.2'
    with running(path, patience=patience) as runner:
        await_lines(runner, '[a] ready', '[s] ready')
        runner.send_signal(signal.SIGINT)
        for name in refuses.split():
            await_lines(runner, f'[s] refused {name}')
            if impatient:
                runner.send_signal(signal.SIGINT)
        _, messages = runner.communicate()
    assert runner.returncode == code
    assert messages.splitlines()[-1] == b'world_model run: [s] ended with ' + end


def test_a_killed_runner_leaves_no_node_behind(launch_file, tmp_path):
    """Nodes have their own sessions, without a terminal, but end with the runner."""
    fifo = tmp_path / 'fifo'
    os.mkfifo(fifo)
    with running(launch_file(node('o', 'outlived')), FIFO=str(fifo)) as runner:
        reader = os.open(fifo, os.O_RDONLY)
        await_lines(runner, '[o] session True')
        runner.kill()
        assert os.read(reader, 1) == b'', 'the end of the pipe comes when the node is gone'
        os.close(reader)


def test_a_closed_pipe_ends_all_nodes(launch_file):
    """Output into a closed pipe, as of `| head`, stops the nodes in order."""
    with running(launch_file(node() + node('b'))) as runner:
        runner.stdout.close()
        messages = runner.stderr.read()
        assert runner.wait() == 0, messages
    assert b'Traceback' not in messages
    assert b'Exception' not in messages


def test_an_executable_that_cannot_start_stops_the_others(launch_file, prefix):
    """A file without an interpreter line is reported with its path, and exit code 1."""
    (prefix / 'lib/demo/ends').write_bytes(b'\0')
    code, output, _ = run(launch_file(node() + node('b', 'ends')))
    assert code == 1
    reason = f'[b] {prefix}/lib/demo/ends cannot be started: '
    assert any(line.startswith(reason.encode()) for line in output)


RESPAWNED = {'respawn': 'true', 'respawn_delay': '0', 'respawn_max_retries': '3'}


def test_a_killed_node_is_restarted(launch_file):
    """The others go on; Ctrl-C ends the scenario with 0 as if nothing had happened."""
    with running(launch_file(node('a', 'tells_pid', **RESPAWNED) + node('b'))) as runner:
        seen = set()
        for _ in range(3):
            line = b''
            while not line.startswith(b'[a] pid '):
                line = runner.stdout.readline()
                assert line, 'the runner ended'
            seen.add(pid := int(line.split()[-1]))
            if len(seen) < 3:
                os.kill(pid, signal.SIGKILL)
        runner.send_signal(signal.SIGINT)
        _, messages = runner.communicate()
    assert len(seen) == 3
    assert runner.returncode == 0
    assert b'[a] ended with SIGKILL; restart 2 of 3 in 0 s' in messages
    assert b'[b]' not in messages[: messages.index(b'SIGINT received')]


@pytest.mark.parametrize(
    ('ends', 'code', 'why'),
    [
        ('-9', 137, 'it is not restarted again: it did not run for 60 s after any of 3 restarts'),
        ('1', 1, 'it is not restarted, because a start would fail again'),
    ],
)
def test_a_node_that_is_not_restarted_ends_the_scenario(launch_file, ends, code, why):
    """The last word says why."""
    returned, _, messages = run(launch_file(node() + node('b', 'ends', args=ends, **RESPAWNED)))
    assert returned == code
    assert messages[-1].startswith('world_model run: [b] ended with ')
    assert messages[-1].endswith(f'; {why}')


def test_a_signal_between_two_starts_ends_the_scenario(launch_file):
    """A node that waits for its restart is not started any more."""
    waiting = {'respawn': 'true', 'respawn_delay': '1000'}
    with running(launch_file(node('b', 'ends', args='3', **waiting))) as runner:
        assert b'; restart 1 in 1000 s' in runner.stderr.readline()
        runner.send_signal(signal.SIGTERM)
        assert runner.wait() == 0
