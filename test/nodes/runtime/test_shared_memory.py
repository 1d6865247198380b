# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Removal of shared memory that killed processes left behind."""

import fcntl
import os
import subprocess
import sys
import time

import pytest

from world_model_nodes.runtime import shared_memory
from world_model_nodes.runtime.shared_memory import FOLDER, LEAST_AGE, remove_stale_segments


def make_segment(folder, name, age=2 * LEAST_AGE):
    """Make a segment and its lock file, as Fast DDS does."""
    for path in (folder / name, folder / f'{name}_el'):
        path.touch()
        os.utime(path, (time.time() - age,) * 2)
    return folder / f'{name}_el'


@pytest.mark.parametrize('prefix', ['fastdds', 'fastrtps'])
def test_only_old_segments_without_an_owner_are_removed(tmp_path, prefix):
    """Segments in use, new ones, ports and other files stay."""
    make_segment(tmp_path, f'{prefix}_{1:016x}')
    used = make_segment(tmp_path, f'{prefix}_{2:016x}')
    make_segment(tmp_path, f'{prefix}_{3:016x}', age=0.0)
    make_segment(tmp_path, f'{prefix}_port7411')
    make_segment(tmp_path, 'another_0000000000000004')
    before = {each.name for each in tmp_path.iterdir()}
    with used.open() as owner:
        fcntl.flock(owner, fcntl.LOCK_EX)
        assert remove_stale_segments(tmp_path) == 1
    gone = before - {each.name for each in tmp_path.iterdir()}
    assert gone == {f'{prefix}_{1:016x}', f'{prefix}_{1:016x}_el'}


def test_a_missing_folder_is_no_error(tmp_path):
    """Without shared memory there is nothing to remove."""
    assert remove_stale_segments(tmp_path / 'no') == 0


CODE = """
import rclpy
rclpy.init()
node = rclpy.create_node('killed')
print('ready', flush=True)
import time
time.sleep(100.0)
"""


def test_the_segments_of_a_killed_process_are_removed(ros_environment):  # noqa: ARG001
    """What the real middleware leaves is recognized; what it uses is not touched."""
    before = set(FOLDER.glob('fast*_el'))
    command = (sys.executable, '-c', CODE)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 (our own)
        process.stdout.readline()
        locks = [each for each in set(FOLDER.glob('fast*_el')) - before if 'port' not in each.name]
        if not locks:
            process.kill()
            pytest.skip('this middleware leaves nothing in /dev/shm')
        oldest = time.time() + 100.0
        mine = [each for each in locks if _owner_lives(each)]
        assert not any(shared_memory._remove_if_stale(each, oldest) for each in mine)
        process.kill()
    assert any(shared_memory._remove_if_stale(each, oldest) for each in mine)
    assert not all(each.exists() for each in mine)


def _owner_lives(lock):
    """Return whether a lock is held."""
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
