# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Atomic replacement of files."""

import errno
import os

import pytest

from world_model_core.files.atomic_write import (
    is_temporary,
    replacing,
    temporary_path,
    write_atomically,
)


def names(folder):
    """Return the names of all files in a folder."""
    return sorted(each.name for each in folder.iterdir())


def test_an_error_leaves_the_old_file_and_no_other(tmp_path):
    """Whatever is raised while the new file is written, the old one stays as it is."""
    path = tmp_path / 'plot.png'
    write_atomically(path, b'old')

    def write_half():
        with replacing(path) as temporary:
            temporary.write_bytes(b'ne')
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_bytes() == b'old'
    assert names(tmp_path) == ['plot.png']


@pytest.mark.parametrize('old', [b'old', None])
def test_a_file_that_does_not_fit_leaves_the_old_one(tmp_path, full_disk, old):
    """Neither a part of the new file nor an empty one remains."""
    path = tmp_path / 'map.json'
    if old is not None:
        write_atomically(path, old)
    with full_disk(4096), pytest.raises(OSError, match='too large') as raised:
        write_atomically(path, bytes(10_000))
    assert raised.value.errno == errno.EFBIG
    assert names(tmp_path) == ([] if old is None else ['map.json'])
    assert old is None or path.read_bytes() == old


def test_a_device_is_written_and_not_replaced():
    """`--plot /dev/stdout` writes there; a full device is an error."""
    with replacing('/dev/null') as path:
        path.write_bytes(b'x')
    with pytest.raises(OSError, match='No space left'):
        write_atomically('/dev/full', b'x')
    assert not os.path.isfile('/dev/full')  # noqa: PTH113


def test_temporary_names_are_recognized(tmp_path):
    """Files that a killed process left can be removed later, and no others."""
    assert is_temporary(temporary_path(tmp_path / 'map.json'))
    assert not is_temporary(tmp_path / 'map.json')
    assert not is_temporary(tmp_path / '.map.json')
