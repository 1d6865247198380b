# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panels: looks back at the kept states while the world goes on."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.view.timeline import Playhead
    from world_model_core.view.words import Words
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window

SPEEDS = {f'{speed:g}': speed for speed in (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)}
# Resolution of the slider [s].
STEP = 0.1


class TimelinePanel:
    """
    A slider, buttons and a line of text that show and move the playhead.

    Parameters
    ----------
    playhead : Playhead
        Is moved in the node's executor.
    window : Window
    words : Words

    """

    def __init__(self, playhead: Playhead, window: Window, words: Words) -> None:
        self._window, self._words, self._playhead = window, words, playhead
        gui = window.server.gui
        with gui.add_folder(words['timeline']):
            self._line = gui.add_markdown(words['live'])
            self._slider: Any = gui.add_slider(words['look_back'], -1.0, 0.0, STEP, 0.0)
            self._add_buttons(
                to_begin=playhead.to_begin,
                back=partial(playhead.step, -1),
                play=playhead.play,
                pause=playhead.pause,
                step=partial(playhead.step, 1),
                to_end=playhead.to_end,
                live=playhead.go_live,
            )
            self._speed = gui.add_dropdown(
                words['speed'], tuple(SPEEDS), initial_value=f'{playhead.speed:g}'
            )
        self._slider.on_update(self._slide)
        self._speed.on_update(self._change_speed)

    def update(self, _: Shown) -> None:
        """Show where the playhead is."""
        playhead = self._playhead
        behind = playhead.behind()
        text = self._words['live'] if playhead.live else f'{behind:.1f} {self._words["behind"]}'
        if self._line.content != text:
            self._line.content = text
        least = -max(math.ceil(playhead.longest()), 1.0)
        if self._slider.min != least:
            self._slider.min = least
        self._slider.value = -round(behind / STEP) * STEP

    def _add_buttons(self, **actions: Callable[[], None]) -> None:
        """Add a row of buttons with what each does, by the keys of their words."""
        by_text = {self._words[key]: action for key, action in actions.items()}
        buttons = self._window.server.gui.add_button_group('', tuple(by_text))

        @buttons.on_click
        def act(_: Any) -> None:
            self._window.call(by_text[buttons.value])

    def _slide(self, event: Any) -> None:
        # Changes by `update` have no client.
        if event.client is not None:
            self._window.call(partial(self._playhead.look_back, -self._slider.value))

    def _change_speed(self, event: Any) -> None:
        # A client may send any text.
        speed = SPEEDS.get(self._speed.value)
        if event.client is not None and speed is not None:
            self._window.call(partial(setattr, self._playhead, 'speed', speed))
