# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A question about the things in a virtual world, and its true answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rclpy.clock import Clock, ClockType
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.frames import heading_of, rotation_of
from world_model_core.objects.answer import Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.documents.answer_json import answer_document
from world_model_core.virtual_world.map_objects import true_map
from world_model_nodes.objects.repeated_question import RepeatedQuestion
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.engine import Engine

# Period of the question, as in the CMU VLA challenge [s].
PERIOD = 1.0


class QuestionTopics:
    """
    Repeats a question, and publishes its true answer whenever that changes.

    Parameters
    ----------
    node : Node
    engine : Engine
    question : str
    frame_id : str
        Frame of the world.

    """

    def __init__(self, node: Node, engine: Engine, question: str, frame_id: str) -> None:
        self._node, self._engine = node, engine
        self._question, self._frame_id = question, frame_id
        self._answerer, self._answered = Answerer(), ''
        self._questions = RepeatedQuestion(node)
        self._questions.begin(question)
        self._answers = node.create_publisher(String, 'truth/answer', STATE)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(PERIOD, self._ask, clock=steady)

    def close(self) -> None:
        """Destroy the timer, the publishers and the subscription."""
        self._node.destroy_timer(self._timer)
        self._questions.close()
        self._node.destroy_publisher(self._answers)

    def _ask(self) -> None:
        self._questions.repeat()
        scene = Scene(true_map(self._engine), self._frame_id, robot=_robot(self._engine))
        answer = write(answer_document(self._answerer.answer(self._question, scene)))
        if answer != self._answered:
            self._answered = answer
            self._answers.publish(String(data=answer))


def _robot(engine: Engine) -> Array | None:
    """Return x, y [m] and heading [rad] of the first robot with wheels, if there is one."""
    for entity in engine.world.entities:
        if entity.wheels is not None:
            pose = engine.root_state_of(entity.name).pose
            heading = heading_of(rotation_of(pose.orientation))
            return np.array((*pose.position[:2], float(heading)))
    return None
