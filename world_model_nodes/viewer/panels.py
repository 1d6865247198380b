# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The panel beside the picture: its parts, one after the other, in one language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from world_model_core.view.selection import Selection
from world_model_core.view.words import read_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from world_model_core.view.scene import Marks, Scene
    from world_model_core.view.words import Words
    from world_model_nodes.viewer.window import Window


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """
    What the page shows now.

    Attributes
    ----------
    scenes : tuple of Scene
    marks : Marks
        Of all scenes, also of things that are hidden.
    selection : Selection

    """

    scenes: tuple[Scene, ...]
    marks: Marks
    selection: Selection


class Part(Protocol):
    """
    A part of the panel.

    It shows words from outside as values or labels of text fields and as labels of buttons, which
    the page shows as text, never as markdown or HTML.
    """

    def update(self, shown: Shown) -> None:
        """Show what is there now; is called in the node, some times per second."""


# Adds a part to the panel.
PartMaker: TypeAlias = 'Callable[[Window, Words], Part]'


class Panels:
    """
    Shows all parts, and shows them anew in another language.

    Parameters
    ----------
    window : Window
    language : str
        'en' or 'ja'.
    makers : sequence of PartMaker
        In the order of the parts.

    """

    def __init__(self, window: Window, language: str, makers: Sequence[PartMaker]) -> None:
        self._window, self._makers = window, makers
        self._parts: tuple[Part, ...] = ()
        self._shown = Shown((), {}, Selection())
        self.change_language(language)

    def change_language(self, language: str) -> None:
        """Show all parts in a language."""
        words = read_words(language)
        gui = self._window.server.gui
        with self._window.server.atomic():
            gui.reset()
            gui.set_panel_label(words['panel'])
            self._parts = tuple(make(self._window, words) for make in self._makers)
        self.update(self._shown)

    def update(self, shown: Shown) -> None:
        """Show in all parts what is there now."""
        self._shown = shown
        with self._window.server.atomic():
            for part in self._parts:
                part.update(shown)
