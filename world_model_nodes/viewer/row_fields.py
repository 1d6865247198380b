# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lines of a part of the panel: what it is, and its value, both as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from world_model_core.findings import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from viser import GuiApi

# Most lines of a part; longest label and value [characters].
MOST, LONGEST_LABEL, LONGEST_VALUE = 24, 40, 400
# Wider values have several lines [Latin letters].
LINE = 27


class RowFields:
    """
    Shows rows in text fields, which are made once and used again.

    Parameters
    ----------
    gui : viser.GuiApi
    container : viser handle
        The folder of the fields.

    """

    def __init__(self, gui: GuiApi, container: Any) -> None:
        self._gui, self._container = gui, container
        self._fields: list[Any] = []
        self._shown: list[tuple[str, str]] = []

    def update(self, rows: Iterable[tuple[str, str]]) -> None:
        """Show rows of a label and a value, the first MOST of them."""
        shown = [
            (shorten(label, LONGEST_LABEL), shorten(value, LONGEST_VALUE))
            for label, value in list(rows)[:MOST]
        ]
        while len(self._fields) < len(shown):
            with self._container:
                self._fields.append(self._gui.add_text('', '', disabled=True))
        for index, (label, value) in enumerate(shown):
            # viser takes long to compare what a field has with the same again.
            if self._shown[index : index + 1] != [(label, value)]:
                field = self._fields[index]
                field.label, field.value = label, value
                field.multiline = width(value) > LINE
                field.visible = True
        for field in self._fields[len(shown) : len(self._shown)]:
            field.visible = False
        self._shown = shown


def width(text: str) -> int:
    """Return the width of a text in Latin letters: a Japanese one is as wide as two."""
    return sum(2 if east_asian_width(letter) in {'W', 'F'} else 1 for letter in text)
