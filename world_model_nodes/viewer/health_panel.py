# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: the health of all nodes in one line, which opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.findings import shorten
from world_model_core.view.health import LEVELS, worst_node
from world_model_nodes.viewer.row_fields import RowFields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.view.health import NodeHealth
    from world_model_core.view.words import Words
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window

# Longest line [characters].
LONGEST = 36


class HealthPanel:
    """
    A folder whose name is the health of the worst node.

    Parameters
    ----------
    health : callable
        Returns the health of each node.
    window : Window
    words : Words

    """

    def __init__(
        self, health: Callable[[], Mapping[str, NodeHealth]], window: Window, words: Words
    ) -> None:
        self._health, self._words = health, words
        gui = window.server.gui
        self._folder = gui.add_folder(words['no_health'], expand_by_default=False)
        self._rows = RowFields(gui, self._folder)

    def update(self, _: Shown) -> None:
        """Show the health of all nodes, the worst first."""
        health = {name: each.current for name, each in self._health().items()}
        self._folder.label = self._line(health)
        ordered = sorted(health.items(), key=lambda each: (-each[1].level, each[0]))
        self._rows.update((node, status.line) for node, status in ordered)

    def _line(self, health: Mapping[str, NodeHealth]) -> str:
        if not health:
            return self._words['no_health']
        node, worst, bad = worst_node(health)
        if not bad:
            return f'✓ {len(health)} {self._words["nodes_ok"]}'
        level = LEVELS[worst.level]
        return shorten(f'⚠ {bad}/{len(health)} {level} {node}', LONGEST)
