# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The `world_model` command.

`COMMANDS` lists its command modules. To add a command, write a module in this folder that defines
`add_to(commands)`, and add its name to the list. `add_to` adds parsers with `parser.add_command`
and `parser.add_group`. It must not import modules that only a run of the command needs.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from world_model_core.errors import WorldModelError
from world_model_nodes.commands.parser import CommandParser, WrongUseError, subcommands_of

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    'run', 'watch', 'view', 'ssl', 'ball', 'objects', 'bundle', 'uncertainty', 'world',
    'controller',
)  # fmt: skip
# Exit codes other than 0; 130 is the shell's code for an end by SIGINT.
BAD_INPUT, OUTPUT_CLOSED, WRONG_USE, INTERRUPTED = 1, 1, 2, 130


def main() -> NoReturn:
    """Run the command with the arguments of the program, and exit."""
    sys.exit(run_command(sys.argv[1:]))


def run_command(words: Sequence[str]) -> int:
    """
    Run the command.

    Parameters
    ----------
    words : sequence of str
        The arguments; wrong arguments and --help raise SystemExit.

    Returns
    -------
    int
        The exit code: 0; 1 if the input is bad or the output was closed; 2 for wrong use; for
        `run`, the exit code of a node that failed.

    """
    asked = make_parser().parse_args(words)
    try:
        return int(asked.function(asked))
    except WrongUseError as error:
        return _report(error, WRONG_USE)
    except WorldModelError as error:
        return _report(error, BAD_INPUT)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the output has ended (`| head`): discard the rest and end quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OUTPUT_CLOSED


def make_parser() -> CommandParser:
    """Make the parser of the command with the parsers of all command modules."""
    parser = CommandParser(
        prog='world_model',
        description="A robot's model of the world.",
        examples=['world_model run ssl_sim', 'world_model watch'],
    )
    commands = subcommands_of(parser)
    for name in COMMANDS:
        import_module(f'world_model_nodes.commands.{name}').add_to(commands)
    return parser


def _report(error: WorldModelError, code: int) -> int:
    """Print an error and return an exit code."""
    sys.stderr.write(f'world_model: error: {error}\n')
    return code
