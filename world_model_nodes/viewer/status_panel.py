# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: the state of each scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_nodes.viewer.row_fields import RowFields

if TYPE_CHECKING:
    from world_model_core.view.words import Words
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window


class StatusPanel:
    """
    A folder for each scene.

    Parameters
    ----------
    window : Window
    words : Words

    """

    def __init__(self, window: Window, words: Words) -> None:
        self._gui, self._words = window.server.gui, words
        self._group: Any = self._gui.add_folder(None)
        self._folders: dict[str, tuple[Any, RowFields]] = {}

    def update(self, shown: Shown) -> None:
        """Show the rows of all scenes, and hide those of scenes that have ended."""
        statuses = {scene.name: scene.status() for scene in shown.scenes}
        for name, rows in statuses.items():
            _, fields = self._folders.get(name) or self._add(name)
            fields.update((self._words[row.word], row.text) for row in rows)
        for name, (folder, _) in self._folders.items():
            folder.visible = bool(statuses.get(name))

    def _add(self, name: str) -> tuple[Any, RowFields]:
        with self._group:
            folder = self._gui.add_folder(self._words[f'scene_{name}'])
        self._folders[name] = folder, RowFields(self._gui, folder)
        return self._folders[name]
