# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Hosts in network namespaces of this machine, each with an Ethernet cable to one switch.

Each host has its own addresses, /dev/shm and machine-id: programs on two of them can reach each
other through the network only. Needs root, `ip`, `unshare` and `nsenter`; nothing stays behind, as
a namespace ends with its last process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

PROJECT = Path(__file__).resolve().parents[2]
# Mounts, then keeps the namespace until its standard input is closed.
HOLD = """
if [ -n "$0" ]; then
    mount -t tmpfs tmpfs /dev/shm && mount --bind "$0" /etc/machine-id || exit 1
fi
ip link set lo up && echo ready && exec cat
"""


class HostError(Exception):
    """The machine cannot simulate hosts."""


class Namespace:
    """Network and mount namespaces, kept by a process."""

    def __init__(self, machine_id: str = '') -> None:
        self._holder = subprocess.Popen(  # noqa: S603 (our own words)
            ('unshare', '--net', '--mount', 'sh', '-c', HOLD, machine_id),  # noqa: S607 (wherever it is)
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if not cast('IO[bytes]', self._holder.stdout).readline():
            raise HostError(f'no namespace: {self._holder.communicate()[1].decode().strip()}')

    @property
    def pid(self) -> int:
        """Process that keeps the namespaces."""
        return self._holder.pid

    def command(self, *words: str) -> tuple[str, ...]:
        """Return the command line that runs a command inside."""
        return ('nsenter', f'--target={self.pid}', '--net', '--mount', *words)

    def ip(self, words: str) -> None:
        """Run `ip` inside."""
        done = subprocess.run(  # noqa: S603 (our own words)
            self.command('ip', *words.split()), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise HostError(f'ip {words}: {done.stderr.strip()}')

    def close(self) -> None:
        """Release the namespaces."""
        self._holder.communicate()


class Host(Namespace):
    """
    A host; its interface `eth0` is connected to a switch and has no address yet.

    Parameters
    ----------
    switch : Namespace
        With the bridge `br0`.
    port : str
        Name of the switch's interface.
    machine_id : Path
        File with the host's own /etc/machine-id.

    """

    def __init__(self, switch: Namespace, port: str, machine_id: Path) -> None:
        machine_id.write_text(f'{uuid.uuid4().hex}\n')
        super().__init__(str(machine_id))
        self._switch, self._port = switch, port
        self._processes: list[subprocess.Popen[str]] = []
        switch.ip(f'link add {port} type veth peer name eth0 netns {self.pid}')
        switch.ip(f'link set {port} master br0 up')
        self.ip('link set eth0 up')

    def set_address(self, address: str) -> None:
        """Replace the address of eth0, with its prefix length, like 10.0.0.5/24."""
        self.ip('addr flush dev eth0')
        self.ip(f'addr add {address} dev eth0')

    def cut(self) -> None:
        """Pull the cable out of the switch; eth0 keeps its address."""
        self._switch.ip(f'link set {self._port} down')

    def heal(self) -> None:
        """Put the cable back."""
        self._switch.ip(f'link set {self._port} up')

    def python(self, code: str, *arguments: str) -> subprocess.Popen[str]:
        """Run Python code as a process, with this interpreter and environment."""
        process = subprocess.Popen(  # noqa: S603 (this very interpreter)
            self.command(sys.executable, '-u', '-c', code, *arguments),
            stdout=subprocess.PIPE,
            env={**os.environ, 'PYTHONPATH': str(PROJECT)},
            text=True,
        )
        self._processes.append(process)
        return process

    def node(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        """Run a node of this package."""
        code = f'from world_model_nodes.runtime.executables import {name}; {name}()'
        return self.python(code, '--ros-args', *arguments)

    def has_ros(self) -> bool:
        """Return whether Fast DDS runs: it then has shared memory."""
        return any(Path(f'/proc/{self.pid}/root/dev/shm').glob('fast*'))

    def close(self) -> None:
        """End the processes and release the namespaces."""
        for process in self._processes:
            process.kill()
            process.communicate()
        super().close()


class VirtualNetwork:
    """
    A switch and hosts connected to it; a context manager.

    Parameters
    ----------
    count : int
        Number of hosts.

    Raises
    ------
    HostError
        This machine does not permit namespaces, or has no veth or bridge devices.

    """

    def __init__(self, count: int) -> None:
        self.hosts: list[Host] = []
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory()))
            switch = Namespace()
            stack.callback(switch.close)
            switch.ip('link add br0 type bridge mcast_snooping 0')
            switch.ip('link set br0 up')
            for number in range(count):
                host = Host(switch, f'port{number}', folder / str(number))
                stack.callback(host.close)
                self.hosts.append(host)
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        """Return the network."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all processes and release the namespaces."""
        self._stack.close()
