# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What users read and do beside the picture: the panel, and what its buttons and keys do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from world_model_nodes.runtime.health_listener import HealthListener
from world_model_nodes.viewer.agent_actions import AgentActions
from world_model_nodes.viewer.cameras_panel import CamerasPanel
from world_model_nodes.viewer.desk import Desk
from world_model_nodes.viewer.health_panel import HealthPanel
from world_model_nodes.viewer.keys_panel import KeysPanel
from world_model_nodes.viewer.language_panel import LanguagePanel
from world_model_nodes.viewer.panels import Panels
from world_model_nodes.viewer.picture_button import PictureButton
from world_model_nodes.viewer.question_panel import QuestionPanel, Questions
from world_model_nodes.viewer.selection_panel import SelectionPanel
from world_model_nodes.viewer.simulation_controls import SimulationControls
from world_model_nodes.viewer.simulation_panel import SimulationPanel
from world_model_nodes.viewer.status_panel import StatusPanel
from world_model_nodes.viewer.timeline_panel import TimelinePanel
from world_model_nodes.viewer.virtual_panel import VirtualPanel

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.view.scene import Marks, Scene
    from world_model_core.view.timeline import Playhead
    from world_model_nodes.viewer.virtual_topics import VirtualTopics
    from world_model_nodes.viewer.window import Window


class Interaction:
    """
    Connects the parts of the panel with what they show and control.

    Parameters
    ----------
    node : Node
    window : Window
    playhead : Playhead
    virtual : VirtualTopics
        Of the agents that users talk to.
    language : str
        'en' or 'ja'.

    """

    def __init__(
        self,
        node: Node,
        window: Window,
        playhead: Playhead,
        virtual: VirtualTopics,
        language: str,
    ) -> None:
        self._health = HealthListener(node)
        self._controls = SimulationControls(node, self._health.health)
        self._questions = Questions(node)
        self._actions = AgentActions(node)
        self._desk = Desk(window)
        makers = (
            partial(HealthPanel, self._health.health),
            partial(SimulationPanel, self._controls),
            partial(TimelinePanel, playhead),
            partial(SelectionPanel, self._desk),
            partial(VirtualPanel, virtual, self._actions),
            partial(QuestionPanel, self._questions),
            StatusPanel,
            partial(CamerasPanel, self._desk),
            PictureButton,
            partial(LanguagePanel, self._change_language),
            partial(KeysPanel, self._desk, self._controls),
        )
        self._panels = Panels(window, language, makers)

    @property
    def version(self) -> int:
        """Changes when other marks are to be seen of the same scenes."""
        return self._desk.version

    def show(self, scenes: tuple[Scene, ...], marks: Marks) -> Marks:
        """Take what is there now; return the marks of what is to be seen of it."""
        return self._desk.show(scenes, marks)

    def update(self) -> None:
        """Show in the panel what is there now."""
        self._panels.update(self._desk.shown)

    def close(self) -> None:
        """Destroy subscriptions, clients and timers."""
        self._health.close()
        self._controls.close()
        self._questions.close()
        self._actions.close()

    def _change_language(self, language: str) -> None:
        self._panels.change_language(language)
