# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The command `world_model view`."""

# Modules that a command needs are imported when it runs, so that the help appears at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_nodes.commands.parser import (
    WrongUseError,
    add_command,
    add_ros_arguments,
    check_folder,
    seconds,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_nodes.commands.parser import Commands


def add_to(commands: Commands) -> None:
    """Add `view`."""
    parser = add_command(
        commands,
        'view',
        _view,
        summary='show the scenarios that run on a page in the browser',
        description='Show the scenarios that run on a page in the browser, until Ctrl-C. The link '
        'of the page is printed; it holds a token, without which nobody can open the page. The '
        'browser is opened where there is a screen.',
        examples=[
            'world_model view',
            'world_model view --port 8081 --no-browser',
            'world_model view --save match.html 10',
            'world_model view --ros-args -p language:=ja',
        ],
    )
    parser.add_argument(
        '--port', type=_port, default=8080, metavar='N', help='TCP port; default: %(default)s'
    )
    parser.add_argument(
        '--address',
        default='127.0.0.1',
        help='address of this machine at which the page is served; default: %(default)s, which '
        'other machines cannot reach',
    )
    parser.add_argument(
        '--no-browser', action='store_true', help='print the link without opening a browser'
    )
    parser.add_argument(
        '--save',
        nargs=2,
        metavar=('FILE.html', 'SECONDS'),
        help='instead of a page, write a file that plays what is shown in the next seconds, '
        'without a server and without a network',
    )
    add_ros_arguments(parser)


def _view(asked: argparse.Namespace) -> int:
    from world_model_nodes.viewer.browser import open_browser
    from world_model_nodes.viewer.requirement import check_viser

    check_viser()
    if asked.save is not None:
        file, duration = asked.save
        return _save(file, duration, asked.ros_args)
    from world_model_nodes.viewer.viewer import view

    parameters = ('-p', f'port:={asked.port}', '-p', f'address:={asked.address!r}')
    arguments = ['--ros-args', *parameters, *asked.ros_args]
    view(arguments, None if asked.no_browser else open_browser)
    return 0


def _save(file: str, duration: str, arguments: Sequence[str]) -> int:
    """Write a file, or reject its name or the duration before the work begins."""
    from world_model_nodes.viewer.page_saver import save_page

    path = Path(file)
    if path.suffix.lower() != '.html':
        raise WrongUseError(f'--save {file}: the file name must end in .html')
    try:
        length = seconds(duration)
    except argparse.ArgumentTypeError as error:
        raise WrongUseError(f'--save: {error}') from error
    check_folder(path, '--save')
    save_page(path, length, arguments)
    return 0


def _port(word: str) -> int:
    """Parse a TCP port; 0: any free one."""
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 6 else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f'{word!r} is not a port from 0 to 65535')
    return number
