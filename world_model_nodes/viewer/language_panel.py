# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: the choice of its language."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from viser import GuiEvent

    from world_model_core.view.words import Words
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window

NAMES = {'English': 'en', '日本語': 'ja'}


class LanguagePanel:
    """
    A list of the languages.

    Parameters
    ----------
    choose : callable
        Called in the node with the language that is chosen.
    window : Window
    words : Words

    """

    def __init__(self, choose: Callable[[str], None], window: Window, words: Words) -> None:
        self._choose, self._window = choose, window
        present = next(name for name, language in NAMES.items() if language == words.language)
        gui: Any = window.server.gui
        self._names = gui.add_dropdown(words['language'], tuple(NAMES), initial_value=present)
        self._names.on_update(self._change)

    def update(self, _: Shown) -> None:
        """Do nothing: another language makes another panel."""

    def _change(self, _: GuiEvent[Any]) -> None:
        # A client may send any text.
        language = NAMES.get(self._names.value)
        if language is not None:
            self._window.call(partial(self._choose, language))
