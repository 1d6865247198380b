# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: looks through the cameras of a scene of splats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from world_model_core.view.bundle import BundleScene

if TYPE_CHECKING:
    from viser import ClientHandle, GuiEvent

    from world_model_core.view.scene import Viewpoint
    from world_model_core.view.words import Words
    from world_model_nodes.viewer.desk import Desk
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window


class CamerasPanel:
    """
    A button for each camera; without cameras nothing is seen of it.

    Parameters
    ----------
    desk : Desk
        Moves the camera of the page.
    window : Window
    words : Words

    """

    def __init__(self, desk: Desk, window: Window, words: Words) -> None:
        self._desk, self._window = desk, window
        self._gui: Any = window.server.gui
        self._folder = self._gui.add_folder(words['look_through'], visible=False)
        self._buttons: Any = None
        self._viewpoints: dict[str, Viewpoint] = {}

    def update(self, shown: Shown) -> None:
        """Show a button for each camera that is there now."""
        viewpoints: dict[str, Viewpoint] = {}
        for scene in shown.scenes:
            if isinstance(scene, BundleScene):
                viewpoints |= scene.camera_viewpoints()
        if viewpoints.keys() != self._viewpoints.keys():
            self._replace(tuple(viewpoints))
        self._viewpoints = viewpoints

    def _replace(self, names: tuple[str, ...]) -> None:
        if self._buttons is not None:
            self._buttons.remove()
            self._buttons = None
        if names:
            with self._folder:
                self._buttons = self._gui.add_button_group('', names)
            self._buttons.on_click(self._act)
        self._folder.visible = bool(names)

    def _act(self, event: GuiEvent[Any]) -> None:
        """Hand over a click; is called in a thread of viser."""
        if event.client is not None:
            self._window.call(partial(self._look, event.client, event.target.value))

    def _look(self, client: ClientHandle, name: str) -> None:
        viewpoint = self._viewpoints.get(name)
        if viewpoint is not None:
            self._desk.look_from(client, viewpoint)
