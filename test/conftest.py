# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all tests."""

from __future__ import annotations

import os
import resource
import socket
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from world_model_nodes.runtime.udp import Endpoint

# The duration of an example depends on the load of the machine, and CI must not depend on
# chance: new examples are for developers to find.
hypothesis.settings.register_profile('world_model', deadline=None, derandomize='CI' in os.environ)
hypothesis.settings.load_profile('world_model')

PROJECT = Path(__file__).resolve().parents[1]
RECORDINGS = Path(os.environ.get('WORLD_MODEL_DATA', PROJECT.parent / 'shared' / 'data'))
# Domains whose ports are above the range that Linux assigns to other programs.
DOMAINS = range(215, 232)
FIRST_PORT, PORTS_PER_DOMAIN = 20_000, 256


@pytest.fixture(scope='session')
def shared_data() -> Callable[[str], Path]:
    """Return the path of a real recording below the data folder, or skip with a reason."""

    def find(name: str) -> Path:
        path = RECORDINGS / name
        if not path.exists():
            pytest.skip(f'recording {name} is not at {path}; set WORLD_MODEL_DATA to its folder')
        return path

    return find


@pytest.fixture
def full_disk() -> Callable[[int], AbstractContextManager[None]]:
    """Return a context in which no file can grow beyond a size, as if the disk were full."""

    @contextmanager
    def limited(size: int) -> Iterator[None]:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    return limited


@pytest.fixture(scope='session')
def domain() -> Iterator[int]:
    """Reserve a ROS domain that no other test process of this machine uses."""
    with socket.socket(socket.AF_UNIX) as lock:
        for number in DOMAINS:
            try:
                lock.bind(f'\0world_model test domain {number}')
            except OSError:
                continue
            yield number
            return
    pytest.fail(f'all {len(DOMAINS)} ROS domains are in use by other test processes')


@pytest.fixture
def ros_environment(domain: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep ROS processes of a test in its domain and home, on this machine, with these sources."""
    _isolate_ros(monkeypatch, domain, tmp_path / 'ros_home')


@pytest.fixture(scope='module')
def shared_ros_environment(
    domain: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Do the same for all tests of a module, which share their nodes."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        _isolate_ros(monkeypatch, domain, tmp_path_factory.mktemp('ros_home'))
        yield


def _isolate_ros(monkeypatch: pytest.MonkeyPatch, domain: int, home: Path) -> None:
    monkeypatch.setenv('ROS_HOME', str(home))
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    monkeypatch.setenv('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    paths = [str(PROJECT), *filter(None, [os.environ.get('PYTHONPATH')])]
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(paths))


@pytest.fixture(scope='session')
def endpoints(domain: int) -> Iterator[Endpoint]:
    """Return multicast groups and ports, each only once."""
    from world_model_nodes.runtime.udp import Endpoint  # noqa: PLC0415 - core tests have no ROS

    first = FIRST_PORT + DOMAINS.index(domain) * PORTS_PER_DOMAIN
    return (
        Endpoint(f'239.255.{domain}.{1 + number}', first + number)
        for number in range(PORTS_PER_DOMAIN - 2)
    )
