# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: what is picked; it is followed, hidden, or found by name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from world_model_core.view.selection import describe
from world_model_nodes.viewer.find_dialog import open_find
from world_model_nodes.viewer.row_fields import RowFields

if TYPE_CHECKING:
    from collections.abc import Callable

    from viser import ClientHandle, GuiEvent

    from world_model_core.view.words import Words
    from world_model_nodes.viewer.desk import Desk
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window


class SelectionPanel:
    """
    The thing that is picked, and buttons for what can be done with it.

    Parameters
    ----------
    desk : Desk
        Does what the buttons say.
    window : Window
    words : Words

    """

    def __init__(self, desk: Desk, window: Window, words: Words) -> None:
        self._window, self._words = window, words
        self._actions: dict[str, Callable[[ClientHandle], None]] = {
            words['find']: partial(open_find, desk, window, words),
            words['follow']: desk.toggle_follow,
            words['hide']: lambda _: desk.toggle_hidden(),
            words['show']: lambda _: desk.toggle_hidden(),
            words['show_all']: lambda _: desk.show_all(),
        }
        gui: Any = window.server.gui
        with gui.add_folder(words['picked']):
            self._rows = RowFields(gui, gui.add_folder(None))
            self._buttons = gui.add_button_group('', (words['find'],))
        self._buttons.on_click(self._act)

    def update(self, shown: Shown) -> None:
        """Show what is known of the thing that is picked, and what can be done."""
        words, picked = self._words, shown.selection.picked
        found = describe(picked, shown.scenes)
        rows = [(words[row.word], row.text) for row in found if row.word != 'name']
        self._rows.update([(words['name'], picked or words['nothing_picked']), *rows])
        options = tuple(words[key] for key in shown.selection.actions)
        if self._buttons.options != options:
            self._buttons.options = options

    def _act(self, event: GuiEvent[Any]) -> None:
        # A client may send any text.
        act = self._actions.get(self._buttons.value)
        if event.client is not None and act is not None:
            self._window.call(partial(act, event.client))
