# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How fast a virtual world runs, and what its last step says about the physics."""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING

from world_model_core.time import to_seconds
from world_model_nodes.runtime.diagnostics import Report

if TYPE_CHECKING:
    from world_model_core.virtual_world.engine.engine import StepReport
    from world_model_nodes.runtime.simulated_clock import SimulatedClock

# Share of the simulated time that is left out from which a warning says so.
MUCH_LEFT_OUT = 0.1


class PaceMeter:
    """Measures the speed of a clock between two reports."""

    def __init__(self) -> None:
        # Real time, simulated time and the time left out at the last report [ns].
        self._last = (monotonic_ns(), 0, 0)

    def report(self, clock: SimulatedClock, speed: float) -> Report:
        """Report the factor against real time, and if the machine is too slow for the speed."""
        real_ns, simulated_ns, left_out_ns = self._last
        self._last = (monotonic_ns(), clock.now_ns, clock.left_out_ns)
        # Time goes back when a world is reset.
        advanced_ns = max(0, self._last[1] - simulated_ns)
        missed_ns = self._last[2] - left_out_ns
        values = {
            'times real time': round(advanced_ns / max(1, self._last[0] - real_ns), 2),
            'left-out time [s]': round(to_seconds(clock.left_out_ns), 3),
        }
        if missed_ns <= MUCH_LEFT_OUT * (advanced_ns + missed_ns):
            return Report(values=values)
        text = (
            f'{to_seconds(missed_ns):.1f} s of simulated time left out since the last report: '
            f'this machine is too slow for speed {speed:g}'
        )
        return Report(warnings=(text,), values=values)


def describe_step(report: StepReport | None) -> dict[str, int]:
    """Return contacts, iterations of the solver and warnings of the last step."""
    if report is None:
        return {}
    return {
        'contacts': report.contacts,
        'solver iterations': report.iterations,
        'warnings': report.warnings,
    }
