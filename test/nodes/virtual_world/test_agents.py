# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers act in a running world, and it survives whatever they do."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray

DOLL = """
<define-class name="Doll" inherit="Agent.xml">
  <attr name="dynamics" type="bool" value="false"/>
  <simpleShape type="box"><size sx="10" sy="10" sz="10"/></simpleShape>
</define-class>
"""
STAFF = """
import os, resource, sys, threading, time
from pathlib import Path
from world_model_core.virtual_world.agents.controller import Controller

class Clumsy(Controller):
    '''Does one wrong thing after the other, and goes on.'''

    def on_init(self, event):
        self.things = iter([
            self.throw_in_thread, self.eat, self.call_nobody, self.push, self.return_nan,
            self.print_much, self.speak_strangely,
        ])
        raise ValueError('not ready')

    def on_action(self, event):
        thing = next(self.things, None)
        if thing is not None:
            return thing()
        self.world.me.position = (1.0, 2.0, 3.0)
        return 0.1

    def throw_in_thread(self):
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
        return -1.0

    def eat(self):
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (2**32, limits[1]))
        try:
            bytearray(2**40)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)

    def call_nobody(self):
        self.world.get_object('nobody')

    def push(self):
        self.world.me.dynamics = True
        try:
            self.world.me.apply_force((float('nan'), 0.0, 0.0))
        finally:
            self.world.me.dynamics = False

    def return_nan(self):
        return float('nan')

    def print_much(self):
        for _ in range(100):
            print('x' * 10_000)
        return -1.0

    def speak_strangely(self):
        self.world.send_text(7)
        return -1.0

class Quitter(Controller):
    def on_action(self, event):
        sys.exit(3)

class Dier(Controller):
    def on_action(self, event):
        if os.fork() == 0:
            os.setsid()
            Path('left_behind').write_text(str(os.getpid()))
            time.sleep(1e6)
        while not Path('left_behind').exists() or not Path('left_behind').read_text():
            time.sleep(0.001)
        os._exit(4)

class Sleeper(Controller):
    def on_action(self, event):
        Path('sleeping').write_text(str(os.getpid()))
        time.sleep(1e6)
"""
WALKER = """
from world_model_core.virtual_world.agents.controller import Controller

class Walker(Controller):
    def on_action(self, event):
        me = self.world.me
        me.dynamics = False
        assert me.contacts() is not None
        me.position = ({place}, 0.0, 1.0)
        return 0.01

    def on_end(self, event):
        print('ended', flush=True)
"""


def world_of(folder, agents):
    """Write a world with an entity for each implementation, by its name."""
    (folder / 'Doll.xml').write_text(DOLL)
    entities = ''.join(
        f'<instanciate class="Doll.xml"><set-attr-value name="name" value="{name}"/>'
        f'<set-attr-value name="language" value="python"/>'
        f'<set-attr-value name="implementation" value="{implementation}"/>'
        f'<set-attr-value name="x" value="{100 * number}"/></instanciate>'
        for number, (name, implementation) in enumerate(agents.items())
    )
    (folder / 'staff.xml').write_text(f'<world name="staff">{entities}</world>')
    return str(folder / 'staff.xml')


def runs(number):
    """Return whether a process exists and has not ended."""
    try:
        return Path(f'/proc/{number}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def test_named_controllers_start_and_end_with_the_world(hall, tmp_path):
    """Whatever they do, the world goes on, and nothing of them is left after it."""
    (tmp_path / 'staff.py').write_text(STAFF)
    (tmp_path / 'broken.py').write_text('import nothing_of_this_name\n')
    agents = {
        name: f'staff.py:{name.title()}' for name in ('clumsy', 'quitter', 'dier', 'sleeper')
    }
    agents |= {'broken': 'broken.py', 'outside': '../staff.py', 'old': 'Old.so'}
    hall = hall(world=world_of(tmp_path, agents), start='running', speed=10.0, patience=0.2)
    reports = hall.graph.listen(DiagnosticArray, '/diagnostics')
    hall.start()

    def is_reported(*texts):
        return reports and all(text in reports[-1].status[0].message for text in texts)

    hall.graph.wait_until(
        lambda: is_reported(
            "controller of 'quitter' has ended with exit code 3",
            "controller of 'dier' has ended with exit code 4",
            "controller of 'broken' has ended with exit code 1",
            "'sleeper' does not reply",
        )
    )
    world = hall.world
    hall.graph.wait_until(
        lambda: world.engine.state_of('clumsy').pose.position == pytest.approx((1.0, 2.0, 3.0))
    )

    def counts():
        return {each.key: each.value for each in reports[-1].status[0].values}

    hall.graph.wait_until(lambda: int(counts()['agents.handler raised']) >= 4)
    assert counts()['agents'] == '2'
    assert counts()['agents.invalid reply'] == '1'
    assert int(counts()['agents.late']) >= 3
    assert not runs((tmp_path / 'left_behind').read_text())
    sleeper = (tmp_path / 'sleeping').read_text()
    assert runs(sleeper)
    hall.graph.remove(hall.node)
    assert not runs(sleeper)


def test_a_controller_follows_its_source_and_its_world(hall, tmp_path):
    """It waits for the world, starts anew when its file changes, reconnects, ends by SIGINT."""
    file, token = tmp_path / 'walker.py', tmp_path / 'token'
    file.write_text(WALKER.format(place=1.0))
    token.touch(mode=0o600)
    token.write_text('a token of some length')
    with socket.create_server(('127.0.0.1', 0)) as free:
        port = free.getsockname()[1]
    hall = hall(start='running', speed=10.0, agent_time='free', controller_port=port,
                controller_token_file=str(token))  # fmt: skip
    words = ['controller', str(file), '--agent', 'Red Cup:Walker', '--reload']
    words += ['--connect', f'127.0.0.1:{port}', '--token-file', str(token)]

    def is_at(place):
        position = hall.world.engine.state_of('Red Cup').pose.position
        return position[0] == pytest.approx(place)

    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        [sys.executable, '-m', 'world_model_nodes.commands', *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert f'waiting for the world at 127.0.0.1:{port}' in process.stderr.readline()
            hall.start()
            hall.graph.wait_until(lambda: is_at(1.0))
            file.write_text(WALKER.format(place=2.0))
            hall.graph.wait_until(lambda: is_at(2.0))
            hall.node.trigger_deactivate()
            hall.node.trigger_cleanup()
            assert hall.node.autostart()
            assert not is_at(2.0)
            hall.graph.wait_until(lambda: is_at(2.0))
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == 'ended\n'
            hall.graph.wait_until(lambda: process.poll() is not None)
        finally:
            process.kill()
    assert process.returncode == 0
