# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Dialog of one page that finds a thing by its name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from world_model_core.findings import shorten
from world_model_core.view.selection import MOST_FOUND, find_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from viser import ClientHandle, GuiEvent

    from world_model_core.view.words import Words
    from world_model_nodes.viewer.desk import Desk
    from world_model_nodes.viewer.window import Window

# Longer texts are not searched for [characters].
LONGEST = 100


class FindDialog:
    """
    A text field with a short list of the names that fit.

    Parameters
    ----------
    window : Window
    client : viser.ClientHandle
        The page.
    words : Words
    names : callable
        Returns the names of all things.
    pick : callable
        Called in the node with the name that is clicked.

    """

    def __init__(
        self,
        window: Window,
        client: ClientHandle,
        words: Words,
        names: Callable[[], Iterable[str]],
        pick: Callable[[str], None],
    ) -> None:
        self._window, self._words, self._names, self._pick = window, words, names, pick
        self._found: tuple[str, ...] = ()
        gui: Any = client.gui
        self._modal = gui.add_modal(words['key_find'])
        with self._modal:
            # The page gives the first field the focus.
            self._text: Any = gui.add_text(words['name'], '')
            self._more = gui.add_text('', '', disabled=True, visible=False)
            self._buttons: list[Any] = [
                gui.add_button('', visible=False, color='gray') for _ in range(MOST_FOUND)
            ]
            close = gui.add_button(words['close'])
        self._text.on_update(self._search)
        for number, button in enumerate(self._buttons):
            button.on_click(partial(self._take, number))
        close.on_click(lambda _: window.call(self._modal.close))

    def _search(self, _: GuiEvent[Any]) -> None:
        self._window.call(self._show)

    def _show(self) -> None:
        """Show the names that fit."""
        found = find_names(self._text.value[:LONGEST], self._names())
        self._found = found.names
        for button, name in zip(self._buttons, found.names, strict=False):
            button.label = shorten(name)
            button.visible = True
        for button in self._buttons[len(found.names) :]:
            button.visible = False
        more = found.total - len(found.names)
        self._more.visible = more > 0 or not found.total
        self._more.value = f'+ {more}' if found.total else self._words['found_nothing']

    def _take(self, number: int, _: GuiEvent[Any]) -> None:
        self._window.call(partial(self._choose, number))

    def _choose(self, number: int) -> None:
        if number < len(self._found):
            self._pick(self._found[number])
            self._modal.close()


def open_find(desk: Desk, window: Window, words: Words, client: ClientHandle) -> None:
    """Let the user of a page find a thing."""
    FindDialog(window, client, words, lambda: desk.names, partial(desk.pick_and_look, client))
