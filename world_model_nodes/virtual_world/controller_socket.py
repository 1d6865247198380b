# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where a world and its controllers meet: a socket in a folder of this user alone, or TCP."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = 'world_model'
# Longest path of a socket, with the zero after it [byte]: unix(7).
LONGEST_PATH = 108
# Digits of the hash that replaces a name which is too long.
HASH_DIGITS = 32
# Length of the text of a token, without white space at its ends.
SHORTEST_TOKEN, LONGEST_TOKEN = 16, 1024
# struct ucred: process, user and group, socket(7).
CREDENTIALS = struct.Struct('3i')


def socket_path(node: str, environment: Mapping[str, str] = os.environ) -> Path:
    """
    Return the path of the socket of a node.

    Parameters
    ----------
    node : str
        Its full name, with or without the first slash.
    environment : mapping
        Has the ROS domain and perhaps XDG_RUNTIME_DIR.

    """
    domain = environment.get('ROS_DOMAIN_ID') or '0'
    readable = f'{domain}.{node.strip("/").replace("/", ".")}.sock'
    folder = _folder(environment)
    if len(os.fsencode(folder / readable)) < LONGEST_PATH:
        return folder / readable
    digits = hashlib.sha256(readable.encode()).hexdigest()[:HASH_DIGITS]
    return folder / f'{domain}.{digits}.sock'


def check_folder(folder: Path) -> None:
    """
    Create the folder of sockets, and check that nobody else can use it.

    Raises
    ------
    ConfigurationError
        It cannot be created, belongs to another user, is a link, or is open to others.

    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise ConfigurationError(f'folder of sockets {folder}: {error.strerror}') from error
    if not stat.S_ISDIR(found.st_mode):
        raise ConfigurationError(f'{folder} is not a folder; it must be one for sockets')
    if found.st_uid != os.getuid():
        raise ConfigurationError(
            f'folder of sockets {folder} belongs to user {found.st_uid}; it must be yours'
        )
    if found.st_mode & 0o077:
        mode = oct(stat.S_IMODE(found.st_mode))
        raise ConfigurationError(f'folder of sockets {folder} has mode {mode}; it must be 0o700')


def read_token(file: Path) -> str:
    """
    Read the token of TCP connections.

    Raises
    ------
    ConfigurationError
        The file cannot be read, others can read it, or its text is too short or too long.

    """
    try:
        mode, text = file.stat().st_mode, file.read_bytes()[: LONGEST_TOKEN + 2]
    except OSError as error:
        raise ConfigurationError(f'token file {file}: {error.strerror}') from error
    if mode & 0o077:
        mode_text = oct(stat.S_IMODE(mode))
        raise ConfigurationError(f'token file {file} has mode {mode_text}; it must be 0o600')
    token = text.decode(errors='replace').strip()
    if not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
        raise ConfigurationError(
            f'token in {file} has {len(token)} characters; '
            f'it must have {SHORTEST_TOKEN} to {LONGEST_TOKEN}'
        )
    return token


def peer_of(opened: socket.socket) -> str:
    """Return who is at the other end, for messages: a process of this machine, or an address."""
    if opened.family == socket.AF_UNIX:
        found = opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
        return f'process {CREDENTIALS.unpack(found)[0]}'
    host, port, *_ = opened.getpeername()
    return f'{host}:{port}'


def _folder(environment: Mapping[str, str]) -> Path:
    """Return the folder for sockets of this user."""
    given = environment.get('XDG_RUNTIME_DIR', '')
    # The specification allows absolute paths only. The longest name is a hash.
    if Path(given).is_absolute() and Path(given).is_dir():
        folder = Path(given) / FOLDER
        if len(os.fsencode(folder)) + HASH_DIGITS + 12 < LONGEST_PATH:
            return folder
    return Path('/tmp') / f'{FOLDER}_{os.getuid()}'  # noqa: S108 (checked by `check_folder`)
