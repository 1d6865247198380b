# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The robots on the field, from whichever source knows each of them now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.ball.estimate import SECOND

if TYPE_CHECKING:
    from world_model_core.robots.estimate import RobotState
    from world_model_core.robots.tracker import RobotTrackerParameters
    from world_model_core.ssl.values import RobotId


class Roster:
    """
    The last sighting of each robot by tracker and by vision.

    Parameters
    ----------
    parameters : RobotTrackerParameters
        Of which `life` and the densities are used.
    tracker_timeout : float
        A tracker's sighting older than this gives way to a newer one of vision [s].

    """

    def __init__(self, parameters: RobotTrackerParameters, tracker_timeout: float) -> None:
        self._densities = parameters.densities
        self._life_ns = int(parameters.life * SECOND)
        self._timeout_ns = int(tracker_timeout * SECOND)
        self._tracked: dict[RobotId, tuple[int, RobotState]] = {}
        self._filtered: dict[RobotId, tuple[int, RobotState]] = {}

    def see_tracker(self, state: RobotState, received_ns: int) -> None:
        """Take in a tracker's sight of a robot; all times local [ns]."""
        self._tracked[state.id] = (received_ns, state)

    def see_vision(self, state: RobotState, received_ns: int) -> None:
        """Take in a filtered sight of a robot; all times local [ns]."""
        self._filtered[state.id] = (received_ns, state)

    def at(self, stamp_ns: int, now_ns: int) -> tuple[RobotState, ...]:
        """
        State all robots at an instant, in order of their names.

        Parameters
        ----------
        stamp_ns, now_ns : int
            Instant to state them at, and the present one [ns, local]; a robot unseen for its
            life is no longer there.

        """
        best = {**self._filtered, **self._fresher()}
        return tuple(
            best[name][1].coasted(stamp_ns, self._densities)
            for name in sorted(best, key=str)
            if now_ns - best[name][0] <= self._life_ns
        )

    def _fresher(self) -> dict[RobotId, tuple[int, RobotState]]:
        """Select what the tracker knows better than vision."""
        return {
            name: (at, state)
            for name, (at, state) in self._tracked.items()
            if name not in self._filtered or self._filtered[name][0] - at <= self._timeout_ns
        }
