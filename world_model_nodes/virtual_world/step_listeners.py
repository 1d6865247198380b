# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What looks at a virtual world, or acts in it, between its steps: senses and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from world_model_nodes.runtime.diagnostics import Report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.virtual_world.engine.engine import Engine, StepReport


class StepListener(Protocol):
    """Called at the instants of simulated time that it wishes for; see `StepListeners`."""

    @property
    def next_due_ns(self) -> int | None:
        """
        Simulated time since the start of its next wish [ns]; None: none.

        After `on_instant` it is later than the time of the engine.
        """

    def on_instant(self, engine: Engine, stamp_ns: int) -> None:
        """
        Sense or act at an instant at which any listener is due.

        Parameters
        ----------
        engine : Engine
            At this instant.
        stamp_ns : int
            Time of the instant on /clock [ns].

        """

    def reset(self) -> None:
        """Begin again, after the world or a part of it returned to its start."""

    def replaced(self, engine: Engine | None) -> None:
        """Use another world, or other entities in it; None: the world was unloaded."""

    def close(self) -> None:
        """Release all resources."""

    def report(self) -> Report:
        """Report counts, and what is wrong."""


class StepListeners:
    """
    Steps a world from one due instant to the next, and calls all listeners there.

    Parameters
    ----------
    listeners : iterable of StepListener
        In the order of their calls: those that sense before those that act.

    """

    def __init__(self, listeners: Iterable[StepListener] = ()) -> None:
        self._listeners = tuple(listeners)

    def step(self, engine: Engine, steps: int, stamp_ns: int) -> StepReport | None:
        """
        Take steps, with calls at all instants that are due, from the present one on.

        Parameters
        ----------
        engine : Engine
        steps : int
            0: call those who are due now.
        stamp_ns : int
            Time on /clock after the steps [ns].

        Raises
        ------
        EngineError
            As `Engine.step`; the last steps are not taken.

        Returns
        -------
        report : StepReport, optional
            Of the last step; None without steps.

        """
        step_ns = engine.physics.step_ns
        end_ns = engine.time_ns + steps * step_ns
        offset_ns = stamp_ns - end_ns
        report = None
        self._call(engine, offset_ns)
        while engine.time_ns < end_ns:
            until_ns = self._until(end_ns)
            # A wish between two steps is met by the later one.
            count = max(1, -((engine.time_ns - until_ns) // step_ns))
            report = engine.step(count * engine.world.step)
            self._call(engine, offset_ns)
        return report

    def reset(self) -> None:
        """Let all begin again."""
        for each in self._listeners:
            each.reset()

    def replace(self, engine: Engine | None) -> None:
        """Give all another world, or none."""
        for each in self._listeners:
            each.replaced(engine)

    def close(self) -> None:
        """Close all, in the opposite order."""
        for each in reversed(self._listeners):
            each.close()

    def report(self) -> Report:
        """Return the reports of all, joined."""
        report = Report()
        for each in self._listeners:
            report = report.joined(each.report())
        return report

    def _until(self, end_ns: int) -> int:
        """Return the time of the next wish of all, or the end if it is earlier."""
        wishes = (each.next_due_ns for each in self._listeners)
        return min((end_ns, *(wish for wish in wishes if wish is not None)))

    def _call(self, engine: Engine, offset_ns: int) -> None:
        """Call all if any is due."""
        if self._until(engine.time_ns + 1) <= engine.time_ns:
            for each in self._listeners:
                each.on_instant(engine, engine.time_ns + offset_ns)
