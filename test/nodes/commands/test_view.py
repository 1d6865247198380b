# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The command `world_model view`: a process that serves the page and opens the browser."""

from __future__ import annotations

import http.client
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from threading import Timer
from urllib.parse import urlsplit

import pytest

from world_model_core.errors import ConfigurationError
from world_model_nodes.commands.main import run_command
from world_model_nodes.viewer import requirement
from world_model_nodes.viewer.requirement import REQUIREMENT, check_viser

pytest.importorskip('viser', reason='the window is shown by viser')

COMMAND = (sys.executable, '-c', 'from world_model_nodes.commands.main import main; main()')
TIME_LIMIT = 90.0


@contextmanager
def viewing(*words):
    """Run the command as a process, which is killed after the time limit."""
    streams = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'text': True}
    with subprocess.Popen((*COMMAND, 'view', *words), **streams) as process:  # noqa: S603
        timer = Timer(TIME_LIMIT, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


def status(link):
    """Return the HTTP status of a link."""
    parts = urlsplit(link)
    connection = http.client.HTTPConnection(parts.netloc, timeout=TIME_LIMIT)
    connection.request('GET', f'{parts.path}?{parts.query}')
    return connection.getresponse().status


def written(path):
    """Wait for a line in a file and return it."""
    deadline = time.monotonic() + TIME_LIMIT
    while not (path.exists() and path.read_text().endswith('\n')):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return path.read_text().strip()


@pytest.mark.usefixtures('ros_environment')
def test_the_browser_opens_the_page_and_a_second_viewer_finds_the_port_taken(
    monkeypatch, tmp_path
):
    """The link in the browser's command line is not the printed one, which works for everyone."""
    browser, opened = tmp_path / 'browser', tmp_path / 'opened'
    browser.write_text(f'#!/bin/sh\necho "$1" >{opened}\n')
    browser.chmod(0o700)
    monkeypatch.setenv('BROWSER', str(browser))
    with viewing('--port', '0') as process:
        printed = process.stdout.readline().removeprefix('window: ').strip()
        link = written(opened)
        assert link.partition('=')[0] == printed.partition('=')[0]
        assert link != printed
        assert status(printed) == status(link) == 200
        port = urlsplit(printed).port
        with viewing('--port', str(port), '--no-browser') as second:
            _, errors = second.communicate(timeout=TIME_LIMIT)
            assert second.returncode == 1
            assert f'port {port} of 127.0.0.1 is taken' in errors
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIME_LIMIT)
        assert process.returncode == 0


@pytest.mark.parametrize('port', ['65536', '-1', 'x', ''])
def test_ports_are_checked(port, capsys):
    """Wrong use has exit code 2 and a message with the value."""
    with pytest.raises(SystemExit, match='2'):
        run_command(['view', '--port', port])
    assert f'{port!r} is not a port from 0 to 65535' in capsys.readouterr().err


@pytest.mark.parametrize('found', ['', '1.1.0', '1.2.0', '2.0.1', '1.10.1'])
def test_viser_is_needed_in_a_version_that_the_guard_knows(found, monkeypatch):
    """The message names the command that installs it."""

    def version(_name):
        if found:
            return found
        raise requirement.PackageNotFoundError

    check_viser()
    monkeypatch.setattr(requirement, 'version', version)
    with pytest.raises(ConfigurationError, match=f"pip install '{REQUIREMENT}'"):
        check_viser()
