# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What users do with what they see: they pick, hide, follow and find things, and go round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.view.selection import Selection, names_in, position_of
from world_model_nodes.viewer.camera_rides import CameraRides, look_at
from world_model_nodes.viewer.panels import Shown

if TYPE_CHECKING:
    from viser import ClientHandle

    from world_model_core.gaussian import Array
    from world_model_core.view.scene import Marks, Scene, Viewpoint
    from world_model_nodes.viewer.window import Window


class Desk:
    """
    Keeps what is shown and selected; all methods are called in the node.

    Parameters
    ----------
    window : Window

    Attributes
    ----------
    shown : Shown
    version : int
        Is raised with each change of the selection.

    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._rides = CameraRides(window.server)
        self.shown = Shown((), {}, Selection())
        self.version = 0
        window.on_pick(self.pick)

    def show(self, scenes: tuple[Scene, ...], marks: Marks) -> Marks:
        """Take what is there now; return the marks of what is to be seen of it."""
        selection = self.shown.selection
        self.shown = Shown(scenes, marks, selection)
        self._rides.update()
        return selection.marks(marks, scenes)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all things."""
        return names_in(self.shown.marks)

    def pick(self, item: str) -> None:
        """Pick a thing."""
        self._select(self.shown.selection.pick(item))

    def pick_and_look(self, client: ClientHandle, item: str) -> None:
        """Pick a thing, and let the camera of a page look at it."""
        self.pick(item)
        place = position_of(item, self.shown.scenes)
        if place is not None:
            self._rides.stop(client)
            look_at(client, place)

    def toggle_hidden(self) -> None:
        """Hide what is picked, or show it again."""
        self._select(self.shown.selection.toggle_hidden())

    def show_all(self) -> None:
        """Show all that is hidden."""
        self._select(self.shown.selection.show_all())

    def toggle_follow(self, client: ClientHandle) -> None:
        """Let the camera of a page follow what is picked, or no longer."""
        picked = self.shown.selection.picked
        if self._rides.stop(client) != picked and picked:
            self.pick_and_look(client, picked)
            self._rides.start(client, picked, lambda: position_of(picked, self.shown.scenes))

    def go_to(self, client: ClientHandle, number: int) -> None:
        """Move the camera of a page to a viewpoint, and with it if it moves."""
        viewpoint = self._viewpoint(number)
        if viewpoint is not None:
            self._window.set_viewpoint(client, viewpoint)
            self._rides.start(client, '', lambda: _target(self._viewpoint(number)))

    def look_from(self, client: ClientHandle, viewpoint: Viewpoint) -> None:
        """Move the camera of a page to a viewpoint, where it stays."""
        self._rides.stop(client)
        self._window.set_viewpoint(client, viewpoint)

    def _viewpoint(self, number: int) -> Viewpoint | None:
        """Return a viewpoint of the first scene."""
        viewpoints = self.shown.scenes[0].viewpoints() if self.shown.scenes else ()
        return viewpoints[number] if number < len(viewpoints) else None

    def _select(self, selection: Selection) -> None:
        self.shown = Shown(self.shown.scenes, self.shown.marks, selection)
        self.version += 1


def _target(viewpoint: Viewpoint | None) -> Array | None:
    return None if viewpoint is None else np.array(viewpoint.target)
