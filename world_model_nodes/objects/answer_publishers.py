# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Publishers of answers, on the topics of the CMU VLA challenge and on `answer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geometry_msgs.msg import Pose2D
from std_msgs.msg import Int32, String
from visualization_msgs.msg import Marker

from world_model_core.documents import write
from world_model_core.objects.answer import (
    InstructionAnswer,
    NoAnswer,
    NumericalAnswer,
    ReferenceAnswer,
)
from world_model_core.objects.answering.object_interest import write_names
from world_model_core.objects.documents.answer_json import answer_document
from world_model_core.objects.navigation.way_point_follower import WayPointFollower
from world_model_nodes.objects.markers import box_marker
from world_model_nodes.runtime.qos import STATE, STREAM

if TYPE_CHECKING:
    from rclpy.node import Node

    from world_model_core.objects.answer import Answer
    from world_model_core.objects.answering.pending_question import PendingQuestion


class AnswerPublishers:
    """
    Publishes answers.

    Parameters
    ----------
    node : Node

    """

    def __init__(self, node: Node) -> None:
        self._number = node.create_publisher(Int32, 'numerical_response', STREAM)
        self._marker = node.create_publisher(Marker, 'selected_object_marker', STREAM)
        self._way_point = node.create_publisher(Pose2D, 'way_point_with_heading', STREAM)
        self._answer = node.create_publisher(String, 'answer', STATE)
        self._interest = node.create_publisher(String, 'object_interest', STATE)
        self._follower: WayPointFollower | None = None
        self._attended: frozenset[str] | None = None

    def publish_status(self, pending: PendingQuestion) -> None:
        """Publish the state of a question and its answer so far."""
        document = {
            'question': pending.text,
            'decision': pending.decision.value,
            'final': pending.is_final,
            'elapsed': pending.elapsed,
            'answer': None if pending.answer is None else answer_document(pending.answer),
        }
        self._answer.publish(String(data=write(document)))

    def publish_interest(self, names: frozenset[str]) -> None:
        """Publish the classes that a question is about, when they change."""
        if names != self._attended:
            self._attended = names
            self._interest.publish(String(data=write_names(names)))

    def stop_guidance(self) -> None:
        """Stop the guidance along a route, because another question was asked."""
        self._follower = None

    def publish_answer(self, answer: Answer, stamp_ns: int, frame_id: str) -> None:
        """Publish an answer on the topics of the challenge, at every call."""
        if isinstance(answer, NumericalAnswer):
            self._number.publish(Int32(data=answer.count))
        elif isinstance(answer, ReferenceAnswer):
            self._marker.publish(box_marker(answer.object, stamp_ns, frame_id))
        elif isinstance(answer, InstructionAnswer) and answer.way_points:
            self._follower = self._follower or WayPointFollower(answer.way_points)
            self._publish_way_point()

    def update_robot(self, x: float, y: float) -> None:
        """Publish the next way point if the robot at (x, y) [m] has reached the previous one."""
        if self._follower is not None and self._follower.advance(x, y):
            self._publish_way_point()

    def _publish_way_point(self) -> None:
        if self._follower is not None:
            target = self._follower.target
            self._way_point.publish(Pose2D(x=target.x, y=target.y, theta=target.theta))


def answer_summary(answer: Answer) -> str:
    """Return a one-line summary of an answer for a log."""
    if isinstance(answer, NoAnswer):
        return f'no answer: {"; ".join(answer.missing)}'
    if isinstance(answer, NumericalAnswer):
        text = f'{answer.count}'
    elif isinstance(answer, ReferenceAnswer):
        text = f'{answer.object.label} {answer.object.id}'
    else:
        text = ', '.join(point.reason for point in answer.way_points if point.is_goal)
    return f'{text} (probability {answer.probability:.0%})'
