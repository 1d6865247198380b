# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panel: asks a question about a house; the answer is in the state of its scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from std_msgs.msg import String

from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from rclpy.node import Node
    from viser import GuiEvent

    from world_model_core.view.words import Words
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window

# Longer questions are cut [characters].
LONGEST = 1000


class Questions:
    """
    Publishes questions.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._publisher = node.create_publisher(String, 'challenge_question', STREAM)

    @property
    def is_heard(self) -> bool:
        """Whether a node answers questions."""
        return bool(self._publisher.get_subscription_count())

    def ask(self, question: str) -> None:
        """Publish a question; an empty one is none."""
        text = question.strip()[:LONGEST]
        if text:
            self._publisher.publish(String(data=text))

    def close(self) -> None:
        """Destroy the publisher."""
        self._node.destroy_publisher(self._publisher)


class QuestionPanel:
    """
    A text field and a button, shown while a node answers questions.

    Parameters
    ----------
    questions : Questions
        Is used in the node's executor.
    window : Window
    words : Words

    """

    def __init__(self, questions: Questions, window: Window, words: Words) -> None:
        self._questions, self._window = questions, window
        gui: Any = window.server.gui
        self._folder = gui.add_folder(words['question'], visible=False)
        with self._folder:
            self._text = gui.add_text(words['question'], '', multiline=True)
            button = gui.add_button(words['ask'], icon='message-question')
        button.on_click(self._ask)

    def update(self, _: Shown) -> None:
        """Show the field if a question would be heard."""
        self._folder.visible = self._questions.is_heard

    def _ask(self, _: GuiEvent[Any]) -> None:
        self._window.call(lambda: self._questions.ask(self._text.value))
