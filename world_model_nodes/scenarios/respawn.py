# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Whether and when a node that ended is started again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

# A node that ran for so long has recovered: its restarts are counted from 0 again [s].
RECOVERED_AFTER = 60.0
# With this exit code a node refuses a value, which would be refused again.
INVALID_VALUE = 1


@dataclass(frozen=True)
class Respawn:
    """
    Rule of launch to start a node again.

    Attributes
    ----------
    delay : float
        Time from the end to the next start [s].
    max_retries : int
        Maximum number of restarts; negative: unlimited.

    """

    delay: float = 0.0
    max_retries: int = -1


class Verdict(NamedTuple):
    """
    What follows the end of a node.

    Attributes
    ----------
    delay : float or None
        Time until the next start [s]; None: the node has ended for good, and with it the scenario.
    text : str
        The same for the user.

    """

    delay: float | None
    text: str


class Restarts:
    """
    The restarts of one node.

    In contrast to launch, which counts all restarts and repeats an invalid value, only restarts
    without recovery count, and an invalid value is final.

    Parameters
    ----------
    respawn : Respawn or None
        None: the scenario ends with the node.

    """

    def __init__(self, respawn: Respawn | None) -> None:
        self._respawn = respawn
        self._count = 0

    def judge(self, code: int, uptime: float) -> Verdict:
        """
        Judge an end of the node.

        Parameters
        ----------
        code : int
            Exit code, or -n for signal n.
        uptime : float
            Time from its last start to this end [s].

        Returns
        -------
        Verdict

        """
        if self._respawn is None:
            return Verdict(None, 'the scenario ends with this node')
        if code == INVALID_VALUE:
            return Verdict(None, 'it is not restarted, because a start would fail again')
        if uptime >= RECOVERED_AFTER:
            self._count = 0
        return self._count_restart(self._respawn)

    def _count_restart(self, respawn: Respawn) -> Verdict:
        if self._count == respawn.max_retries:
            return Verdict(
                None,
                f'it is not restarted again: it did not run for {RECOVERED_AFTER:g} s '
                f'after any of {self._count} restarts',
            )
        self._count += 1
        limit = '' if respawn.max_retries < 0 else f' of {respawn.max_retries}'
        return Verdict(respawn.delay, f'restart {self._count}{limit} in {respawn.delay:g} s')
