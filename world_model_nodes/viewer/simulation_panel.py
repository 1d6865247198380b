# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: plays, pauses, steps, resets and ends the simulator that runs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from world_model_core.view.simulators import SimulatorAction, next_toggle
from world_model_nodes.viewer.row_fields import RowFields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from viser import ClientHandle, GuiEvent

    from world_model_core.view.words import Words
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.simulation_controls import SimulationControls, SimulationStatus
    from world_model_nodes.viewer.window import Window

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
ICONS = {
    SimulatorAction.PLAY: 'player-play',
    SimulatorAction.PAUSE: 'player-pause',
    SimulatorAction.STEP: 'player-track-next',
    SimulatorAction.RESET: 'refresh',
    SimulatorAction.QUIT: 'power',
}


class SimulationPanel:
    """
    Buttons, which are gray if the simulator cannot do it now, and what it said last.

    Parameters
    ----------
    controls : SimulationControls
        Is used in the node's executor.
    window : Window
    words : Words

    """

    def __init__(self, controls: SimulationControls, window: Window, words: Words) -> None:
        self._controls, self._window, self._words = controls, window, words
        gui = window.server.gui
        self._folder: Any = gui.add_folder(words['simulation'])
        with self._folder:
            self._names: Any = gui.add_dropdown(words['simulator'], ('',))
            self._rows = RowFields(gui, gui.add_folder(None))
            self._toggle: Any = self._add_button(SimulatorAction.PAUSE)
            self._buttons = {
                action: self._add_button(action)
                for action in (SimulatorAction.STEP, SimulatorAction.RESET, SimulatorAction.QUIT)
            }
            self._speed: Any = gui.add_dropdown(words['speed'], ('1',))
        self._toggle.on_click(lambda _: window.call(controls.toggle))
        for action in (SimulatorAction.STEP, SimulatorAction.RESET):
            self._buttons[action].on_click(partial(self._request, action))
        self._buttons[SimulatorAction.QUIT].on_click(self._confirm)
        self._names.on_update(self._choose)
        self._speed.on_update(self._change_speed)

    def update(self, _: Shown) -> None:
        """Show the state of the simulator, and what it can do."""
        status = self._controls.status()
        self._rows.update(self._describe(status))
        action = next_toggle(status.state)
        self._toggle.label, self._toggle.icon = self._words[action.value], ICONS[action]
        for shown, button in ((action, self._toggle), *self._buttons.items()):
            button.disabled = shown not in status.allowed
        self._show_names(status)
        self._show_speed(status.speed)

    def _add_button(self, action: SimulatorAction) -> Any:
        gui: Any = self._window.server.gui
        color = 'blue' if action is SimulatorAction.PAUSE else 'gray'
        return gui.add_button(
            self._words[action.value], icon=ICONS[action], color=color, disabled=True
        )

    def _describe(self, status: SimulationStatus) -> Iterator[tuple[str, str]]:
        words = self._words
        if not status.name:
            yield words['state'], words['no_simulator']
        else:
            state = 'unknown' if status.state is None else status.state.name.lower()
            yield words['state'], words[f'state_{state}']
        if status.message is not None:
            yield words[status.message.word], status.message.text

    def _show_names(self, status: SimulationStatus) -> None:
        """Let the user choose if there are several simulators."""
        self._names.visible = len(status.names) > 1
        if status.names and self._names.options != status.names:
            self._names.options = status.names
        if status.name:
            self._names.value = status.name

    def _show_speed(self, speed: float | None) -> None:
        self._speed.disabled = speed is None
        if speed is not None:
            texts = tuple(f'{each:g}' for each in sorted({*SPEEDS, speed}))
            if self._speed.options != texts:
                self._speed.options = texts
            self._speed.value = f'{speed:g}'

    def _request(self, action: SimulatorAction, _: GuiEvent[Any]) -> None:
        self._window.call(partial(self._controls.act, action))

    def _confirm(self, event: GuiEvent[Any]) -> None:
        if event.client is not None:
            self._window.call(partial(self._ask_to_quit, event.client))

    def _ask_to_quit(self, client: ClientHandle) -> None:
        """Let the user of a page confirm that the simulator ends."""
        modal = client.gui.add_modal(self._words['quit_confirm'])
        with modal:
            confirm = client.gui.add_button(self._words['quit'], color='red')
            cancel = client.gui.add_button(self._words['cancel'], color='gray')

        def end(action: Callable[[], None], _: GuiEvent[Any]) -> None:
            self._window.call(modal.close)
            self._window.call(action)

        confirm.on_click(partial(end, partial(self._controls.act, SimulatorAction.QUIT)))
        cancel.on_click(partial(end, lambda: None))

    def _choose(self, event: GuiEvent[Any]) -> None:
        # Changes by the node itself have no client.
        if event.client is not None:
            self._window.call(partial(self._controls.choose, self._names.value))

    def _change_speed(self, event: GuiEvent[Any]) -> None:
        if event.client is not None and self._speed.value in self._speed.options:
            self._window.call(partial(self._controls.change_speed, float(self._speed.value)))
