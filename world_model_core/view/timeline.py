# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The states that a window has shown: kept for a time, found again by time, played again.

Positions on the timeline advance as time does, and never go back: where time goes back, after a
reset or at the start of a loop, they continue, so that the states before it can still be seen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.time import to_nanoseconds, to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.view.scene import Scene

__all__ = ['MOST_BYTES', 'KeptState', 'Playhead', 'StateHistory']

# Default limit of the memory of the kept states [bytes].
MOST_BYTES = 200_000_000
# Scenes come by different ways: one that is older than another by less than this is late [ns]; if
# it is older by more, time has gone back.
GREATEST_DELAY = 500_000_000


@dataclass(frozen=True, slots=True, eq=False)
class KeptState:
    """
    What a window showed at a time.

    Attributes
    ----------
    position_ns : int
        Position on the timeline [ns].
    time_ns : int
        Time of the scenes [ns].
    scenes : tuple of Scene

    """

    position_ns: int
    time_ns: int
    scenes: tuple[Scene, ...]


class StateHistory:
    """
    The last states of a window, bounded in time and memory; the newest is always kept.

    Parameters
    ----------
    keep : float
        Greatest age of a state [s, time of the scenes].
    most_bytes : int
        Limit of the memory of all states [bytes].

    Attributes
    ----------
    size_bytes : int
        Memory of all states [bytes]; a scene that several states share is counted once.

    """

    def __init__(self, keep: float, most_bytes: int = MOST_BYTES) -> None:
        self._keep_ns, self._most_bytes = to_nanoseconds(keep), most_bytes
        self._states: list[KeptState] = []
        self._positions: list[int] = []
        # How many of the states have a scene, by the identity of the scene.
        self._uses: Counter[int] = Counter()
        self.size_bytes = 0

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self._states)

    def __getitem__(self, index: int) -> KeptState:
        """Return a state; the oldest has index 0, the newest -1."""
        return self._states[index]

    def __iter__(self) -> Iterator[KeptState]:
        """Yield all states, the oldest first."""
        return iter(self._states)

    def add(self, scenes: tuple[Scene, ...]) -> None:
        """Keep the present scenes, unless they are those of the newest state."""
        before = self._states[-1].scenes if self._states else ()
        changed = [scene for scene in scenes if all(scene is not other for other in before)]
        if not changed and len(scenes) == len(before):
            return
        state = self._next_state(scenes, changed)
        self._states.append(state)
        self._positions.append(state.position_ns)
        self._count(state, 1)
        self._drop()

    def index_at(self, position_ns: int) -> int:
        """Return the index of the last state up to a position [ns], or else of the oldest one."""
        return max(bisect_right(self._positions, position_ns) - 1, 0)

    def age(self, index: int) -> float:
        """Return how long before the newest state another one was [s]; 0 without states."""
        if not self._states:
            return 0.0
        return to_seconds(self._positions[-1] - self._positions[index])

    def _next_state(self, scenes: tuple[Scene, ...], changed: list[Scene]) -> KeptState:
        """
        Return the state after the newest one; its time is that of the scenes that have changed.

        After a jump of time, back or beyond what is kept, the timeline continues without a gap.
        """
        times = [scene.time_ns for scene in changed]
        if not self._states:
            return KeptState(0, max(times), scenes)
        newest = self._states[-1]
        time_ns = max(times, default=newest.time_ns)
        advance_ns = time_ns - newest.time_ns
        if -GREATEST_DELAY <= advance_ns < 0:
            time_ns = newest.time_ns
        # No two states have the same position: each can be found.
        step_ns = advance_ns if 0 < advance_ns <= self._keep_ns else 1
        return KeptState(newest.position_ns + step_ns, time_ns, scenes)

    def _drop(self) -> None:
        """Drop the oldest states beyond the limits."""
        begin_ns = self._positions[-1] - self._keep_ns
        old = 0
        while old < len(self._states) - 1 and (
            self._positions[old] < begin_ns or self.size_bytes > self._most_bytes
        ):
            self._count(self._states[old], -1)
            old += 1
        del self._states[:old], self._positions[:old]

    def _count(self, state: KeptState, uses: int) -> None:
        """Count the scenes of a state that is added (1) or dropped (-1)."""
        for scene in state.scenes:
            if self._uses[id(scene)] == (0 if uses > 0 else 1):
                self.size_bytes += uses * scene.size_bytes
            self._uses[id(scene)] += uses
            if not self._uses[id(scene)]:
                del self._uses[id(scene)]


class Playhead:
    """
    Where a window looks on its timeline: live, or at a kept state, still or playing.

    Parameters
    ----------
    history : StateHistory

    Attributes
    ----------
    live : bool
        Whether the newest state is shown.
    plays : bool
        Whether kept states are played; False while live.
    speed : float
        Factor against the time of the states, above 0.

    """

    def __init__(self, history: StateHistory) -> None:
        self._history = history
        self._position_ns = 0
        self.live, self.plays, self.speed = True, False, 1.0

    def shown(self) -> tuple[Scene, ...]:
        """Return the scenes to show; none if there is no state."""
        return self._history[self._index()].scenes if len(self._history) else ()

    def behind(self) -> float:
        """Return how long before the newest state the shown one was [s]."""
        return self._history.age(self._index())

    def longest(self) -> float:
        """Return how long before the newest state the oldest one was [s]."""
        return self._history.age(0)

    def go_live(self) -> None:
        """Show the newest state, and those that come."""
        self.live, self.plays = True, False

    def look_back(self, seconds: float) -> None:
        """Show the state of some time before the newest one [s], and stay there."""
        # A page may send any number, NaN too.
        if len(self._history) and seconds >= 0.0:
            back_ns = to_nanoseconds(min(seconds, self.longest()))
            self._stay(self._history.index_at(self._history[-1].position_ns - back_ns))

    def step(self, states: int) -> None:
        """Go on by a number of states, or back if it is negative, and stay there."""
        if len(self._history):
            self._stay(min(max(self._index() + states, 0), len(self._history) - 1))

    def pause(self) -> None:
        """Stay at the shown state while the world goes on."""
        self.step(0)

    def play(self) -> None:
        """Play the kept states from the shown one on; after the last of them it is live."""
        self.plays = not self.live

    def to_begin(self) -> None:
        """Go to the oldest state, and stay there."""
        self.step(-len(self._history))

    def to_end(self) -> None:
        """Go to the newest state, and stay there."""
        self.step(len(self._history))

    def advance(self, duration: float) -> None:
        """Play for a time [s, real time]."""
        if not self.plays:
            return
        # The state at which it was may have been dropped.
        begin_ns = max(self._position_ns, self._history[0].position_ns)
        self._position_ns = begin_ns + to_nanoseconds(duration * self.speed)
        if self._position_ns >= self._history[-1].position_ns:
            self.go_live()

    def _index(self) -> int:
        """Return the index of the shown state."""
        if self.live:
            return len(self._history) - 1
        return self._history.index_at(self._position_ns)

    def _stay(self, index: int) -> None:
        self._position_ns = self._history[index].position_ns
        self.live = self.plays = False
