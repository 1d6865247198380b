# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Teams and robots, by the color and the number of their patterns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ['RobotId', 'Team']


class Team(Enum):
    """The team colors."""

    YELLOW = 'yellow'
    BLUE = 'blue'

    @property
    def opponent(self) -> Team:
        """The other color."""
        return Team.BLUE if self is Team.YELLOW else Team.YELLOW


@dataclass(frozen=True, slots=True)
class RobotId:
    """
    A robot by the color and the number of its pattern; `str()` gives 'blue/3'.

    Parameters
    ----------
    team : Team
    number : int
        From 0 to 15.

    """

    team: Team
    number: int

    @property
    def slot(self) -> int:
        """The row of the robot in a table of both teams, 0 to 31, blue first."""
        return self.number if self.team is Team.BLUE else self.number + 16

    def __hash__(self) -> int:
        """Hash by row, several times faster than by the enumeration."""
        return self.slot

    def __str__(self) -> str:
        """Return the name that topics use."""
        return f'{self.team.value}/{self.number}'
