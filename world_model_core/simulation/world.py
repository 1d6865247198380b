# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The interface of simulated worlds: a match, a house, robots with motion and sensor errors."""

from __future__ import annotations

from typing import Protocol, TypeVar

__all__ = ['SimulatedWorld']

Readings_co = TypeVar('Readings_co', covariant=True)
Truth_co = TypeVar('Truth_co', covariant=True)


class SimulatedWorld(Protocol[Readings_co, Truth_co]):
    """
    A world that is simulated in steps, with sensors and ground truth.

    The same seed, commands and steps give the same run. Simulated time starts at 0; a node adds
    the time of day at which the run started.
    """

    def reset(self) -> None:
        """Return to the start at time 0; the run then repeats."""

    def step(self, dt: float) -> Readings_co:
        """
        Advance by one step.

        Parameters
        ----------
        dt : float
            Duration of the step, above 0 [s].

        Returns
        -------
        Readings_co
            What the sensors measured in the step, with measurement errors.

        """

    @property
    def time_ns(self) -> int:
        """Simulated time since the start [ns]."""

    @property
    def truth(self) -> Truth_co:
        """The ground truth at the present time."""
