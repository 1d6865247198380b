# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A page of three.js alone, served from a temporary folder, which draws the same as a window."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import time
from contextlib import contextmanager
from http import HTTPStatus
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.sync.server import serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The version in viser 1.1.1.
THREE = 'three@0.186.0'
PAGE = Path(__file__).with_name('three_page.html')
KINDS = {'.html': 'text/html', '.js': 'text/javascript'}


class NoThreeError(Exception):
    """three.js cannot be fetched; the message says why."""


@contextmanager
def fetched_three() -> Iterator[Path]:
    """Fetch three.js from the npm registry into a temporary folder, which is removed later."""
    if shutil.which('npm') is None:
        raise NoThreeError('there is no npm to fetch three.js with')
    with TemporaryDirectory() as name:
        command = ('npm', 'pack', '--silent', THREE)
        found = subprocess.run(command, cwd=name, capture_output=True, check=False, text=True)  # noqa: S603 (fixed)
        if found.returncode:
            raise NoThreeError(f'npm pack {THREE} failed: {found.stderr.strip()[-300:]}')
        with tarfile.open(next(Path(name).glob('*.tgz'))) as archive:
            archive.extractall(name, filter='data')
        yield Path(name) / 'package'


@contextmanager
def three_page(three: Path, messages: Sequence[bytes], rate: float) -> Iterator[str]:
    """
    Serve the page; yield its address.

    Parameters
    ----------
    three : Path
        Folder of three.js.
    messages : sequence of bytes
        The first one makes all; the next ones are sent at `rate` [1/s] over and over.

    """

    def answer(_: Any, request: Any) -> Response | None:
        path = request.path.partition('?')[0]
        if request.headers.get('Upgrade'):
            return None
        file = PAGE if path == '/' else three / path.lstrip('/')
        if not file.is_file():
            return Response(HTTPStatus.NOT_FOUND, 'no such file', Headers(), b'')
        kind = KINDS.get(file.suffix, 'application/octet-stream')
        body = file.read_bytes()
        headers = Headers({'Content-Type': kind, 'Content-Length': str(len(body))})
        return Response(HTTPStatus.OK, 'OK', headers, body)

    def send(socket: Any) -> None:
        socket.send(messages[0])
        due = time.monotonic()
        try:
            for message in cycle(messages[1:]):
                due += 1.0 / rate
                time.sleep(max(0.0, due - time.monotonic()))
                socket.send(message)
            # Nothing moves: keep the connection.
            socket.recv()
        except ConnectionClosed:
            pass

    with serve(send, '127.0.0.1', 0, process_request=answer, compression=None) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f'http://127.0.0.1:{server.socket.getsockname()[1]}/'
        server.shutdown()
