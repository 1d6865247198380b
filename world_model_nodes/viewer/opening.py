# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Where the cameras of pages are when they open, and when a scene appears."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.view.scene import Scene, Viewpoint
    from world_model_nodes.viewer.window import Window

# For this time after a scene has appeared its parts arrive, and its first viewpoint moves [s].
SETTLING = 3.0


class Opening:
    """
    Moves pages to the first viewpoint of the first scene, until users may have moved them.

    Parameters
    ----------
    window : Window

    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._name, self._until = '', 0.0
        self._viewpoints: tuple[Viewpoint, ...] = ()

    def update(self, scenes: tuple[Scene, ...], now: float) -> None:
        """
        Take the present scenes; a page that opens later begins at the newest viewpoint.

        Parameters
        ----------
        scenes : tuple of Scene
        now : float
            [s].

        """
        name = scenes[0].name if scenes else ''
        if name != self._name:
            self._name, self._until = name, now + SETTLING
        viewpoints = scenes[0].viewpoints()[:1] if scenes else ()
        if viewpoints and viewpoints != self._viewpoints:
            self._viewpoints = viewpoints
            self._window.begin_at(viewpoints[0], move=now < self._until)
