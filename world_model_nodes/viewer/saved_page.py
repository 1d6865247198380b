# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Kept states as one HTML file, which shows them again without a server and without a network."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from world_model_core.time import to_seconds
from world_model_core.view.scene import compare
from world_model_nodes.viewer.opening import Opening
from world_model_nodes.viewer.viewer import open_window
from world_model_nodes.viewer.viewer_config import ViewerConfig

if TYPE_CHECKING:
    from world_model_core.view.scene import Marks
    from world_model_core.view.timeline import KeptState, StateHistory
    from world_model_nodes.viewer.window import Window

# The page plays its states again and again; the last one is seen for this time [s].
HOLD = 1.0


def saved_page(history: StateHistory) -> str:
    """
    Make a page that plays the states of a history.

    Parameters
    ----------
    history : StateHistory
        At least one state.

    Returns
    -------
    str
        A whole HTML document.

    Raises
    ------
    ConfigurationError
        viser is not installed.

    """
    # viser records what it sends: it needs a server, which nobody is told of.
    window = open_window(ViewerConfig(port=0), lambda: None)
    try:
        return _record(window, list(history))
    finally:
        window.close()


def _record(window: Window, states: list[KeptState]) -> str:
    """Show the states one after the other, and return the record of it."""
    shown = marks_of(states[0])
    window.show(compare({}, shown))
    # By the last state, as the first one may not have all parts of the scene yet.
    Opening(window).update(states[-1].scenes, 0.0)
    recorder = window.server.get_scene_serializer()
    for before, state in pairwise(states):
        recorder.insert_sleep(to_seconds(state.position_ns - before.position_ns))
        marks = marks_of(state)
        window.show(compare(shown, marks))
        shown = marks
    recorder.insert_sleep(HOLD)
    html: str = recorder.as_html()
    return html


def marks_of(state: KeptState) -> Marks:
    """Return the marks of all scenes of a state."""
    return dict(chain.from_iterable(scene.marks().items() for scene in state.scenes))
