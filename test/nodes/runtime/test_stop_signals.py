# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Stop signals that end a process, whatever it does at that moment."""

import signal
import subprocess
import sys

import pytest

# ctypes.PyDLL keeps Python's lock during the call, as rclpy does while DDS ends.
CODE = """
import ctypes, threading, time
from world_model_nodes.runtime.stop_signals import StopSignals
stopping = threading.Event()
StopSignals().call_at_first({action})
print('ready', flush=True)
stopping.wait()
{wait}
"""
FOREVER = 100_000


def stop(number, **code):
    """Return the exit code of a process that receives a signal when it is ready."""
    command = (sys.executable, '-c', CODE.format(**code))
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 (our own)
        assert process.stdout.readline() == b'ready\n'
        process.send_signal(number)
        return process.wait()


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize('library', ['CDLL', 'PyDLL'])
def test_a_process_that_hangs_exits_with_0(number, library):
    """Also if a call keeps Python's lock, so that no other thread of Python runs."""
    wait = f'ctypes.{library}(None).sleep({FOREVER})'
    assert stop(number, action='stopping.set', wait=wait) == 0


def test_a_process_whose_action_hangs_exits_with_0():
    """The time runs from the signal, not from the end of the action."""
    action = f'lambda: ctypes.PyDLL(None).sleep({FOREVER})'
    assert stop(signal.SIGINT, action=action, wait='') == 0


def test_a_process_that_ends_by_itself_keeps_its_exit_code():
    """The time limit does not replace a regular end."""
    assert stop(signal.SIGTERM, action='stopping.set', wait='raise SystemExit(3)') == 3
