# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the commands that move entities: velocities, joint targets and forces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ['CommandError', 'JointCommand', 'check_finite', 'joint_commands']


class CommandError(WorldModelError):
    """
    A command is invalid.

    Attributes
    ----------
    cause : str
        What is wrong, in two or three words that are the same for all such commands.

    """

    def __init__(self, cause: str, text: str) -> None:
        super().__init__(text)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class JointCommand:
    """
    Command to a joint; one of the three is not None.

    Attributes
    ----------
    joint : str
    position, velocity, torque : float, optional
        [rad or m], [rad/s or m/s], [N m or N]

    """

    joint: str
    position: float | None = None
    velocity: float | None = None
    torque: float | None = None


def check_finite(**values: float) -> None:
    """
    Check the numbers of a command.

    Raises
    ------
    CommandError
        One of them is not finite.

    """
    for name, value in values.items():
        if not np.isfinite(value):
            raise CommandError('not finite', f'{name} is {value}; it must be finite')


def joint_commands(
    known: Collection[str],
    joints: Sequence[str],
    positions: Sequence[float],
    velocities: Sequence[float],
    torques: Sequence[float],
) -> tuple[JointCommand, ...]:
    """
    Return the commands of a message, all of the same kind.

    Parameters
    ----------
    known : collection of str
        Joints of the entity that a number can move: hinges and slides.
    joints : sequence of str
        Joints of the command.
    positions, velocities, torques : sequence of float
        A number for each joint in one of them; the others are empty.

    Raises
    ------
    CommandError
        A joint is unknown or occurs twice, a number is missing or not finite.

    """
    given = {'position': positions, 'velocity': velocities, 'torque': torques}
    filled = [kind for kind, numbers in given.items() if len(numbers)]
    if len(filled) != 1:
        raise CommandError(
            'not one kind',
            f'the command has {" and ".join(filled) or "no number"}; it must have one of '
            'position, velocity and torque (effort)',
        )
    kind = filled[0]
    numbers = given[kind]
    if len(numbers) != len(joints):
        raise CommandError(
            'wrong length',
            f'the command has {len(joints)} names and {len(numbers)} numbers; both must be equal',
        )
    _check_names(known, joints)
    check_finite(
        **{f'{kind} of {name}': value for name, value in zip(joints, numbers, strict=True)}
    )
    return tuple(
        JointCommand(name, **{kind: float(value)})
        for name, value in zip(joints, numbers, strict=True)
    )


def _check_names(known: Collection[str], joints: Sequence[str]) -> None:
    for name in joints:
        if name not in known:
            choices = ', '.join(list(known)[:20]) or 'none'
            raise CommandError('unknown joint', f'joint {name!r} is unknown; there are {choices}')
    if len(set(joints)) < len(joints):
        raise CommandError('joint twice', 'a joint occurs twice; each must occur once')
