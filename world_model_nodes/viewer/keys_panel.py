# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: the keys, which do what the buttons do, and their list."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from world_model_core.view.simulators import SimulatorAction
from world_model_nodes.viewer.find_dialog import open_find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from viser import ClientHandle, CommandEvent

    from world_model_core.view.words import Words
    from world_model_nodes.viewer.desk import Desk
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.simulation_controls import SimulationControls
    from world_model_nodes.viewer.window import Window


@dataclass(frozen=True, slots=True)
class Key:
    """A key: as it is listed, as the page names it, what it does, and the word for that."""

    shown: str
    hotkey: str
    word: str
    act: Callable[[ClientHandle], None]
    modifier: str | None = None


class KeysPanel:
    """
    Lets keys act, and lists them.

    Parameters
    ----------
    desk : Desk
    controls : SimulationControls
    window : Window
    words : Words

    """

    def __init__(
        self, desk: Desk, controls: SimulationControls, window: Window, words: Words
    ) -> None:
        self._window, self._words = window, words
        gui: Any = window.server.gui
        self._keys = tuple(self._all(desk, controls))
        for key in self._keys:
            command = gui.add_command(words[key.word], hotkey=key.hotkey, modifier=key.modifier)
            command.on_trigger(partial(self._act, key))
        button = gui.add_button(f'{words["keys"]} (?)', icon='keyboard', color='gray')
        button.on_click(partial(self._act, self._keys[-1]))

    def update(self, _: Shown) -> None:
        """Do nothing: keys stay as they are."""

    def _all(self, desk: Desk, controls: SimulationControls) -> Iterator[Key]:
        for number in range(3):
            act = partial(_go_to, desk, number)
            yield Key(f'{number + 1}', f'{number + 1}', f'key_viewpoint_{number + 1}', act)
        yield Key('Space', 'space', 'key_toggle', lambda _: controls.toggle())
        yield Key('.', '.', 'key_step', lambda _: controls.act(SimulatorAction.STEP))
        yield Key('f', 'F', 'key_follow', desk.toggle_follow)
        yield Key('h', 'H', 'key_hide', lambda _: desk.toggle_hidden())
        yield Key('Shift h', 'H', 'key_show_all', lambda _: desk.show_all(), 'shift')
        yield Key('/', '/', 'key_find', partial(open_find, desk, self._window, self._words))
        yield Key('?', '?', 'key_keys', self._list, 'shift')

    def _act(self, key: Key, event: CommandEvent) -> None:
        if event.client is not None:
            self._window.call(partial(key.act, event.client))

    def _list(self, client: ClientHandle) -> None:
        """Show the keys on a page."""
        words = self._words
        modal = client.gui.add_modal(words['keys'])
        rows = '\n'.join(f'| `{key.shown}` | {words[key.word]} |' for key in self._keys)
        with modal:
            client.gui.add_markdown(f'| | |\n|---|---|\n{rows}\n{words["keys_of_camera"]}')
            close = client.gui.add_button(words['close'])
        close.on_click(lambda _: self._window.call(modal.close))


def _go_to(desk: Desk, number: int, client: ClientHandle) -> None:
    desk.go_to(client, number)
