# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model objects evaluate --live`: score the published object map against the truth."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from rclpy.node import Node
from rich.console import Console
from std_msgs.msg import String
from vision_msgs.msg import Detection3DArray

from world_model_core.documents import write
from world_model_core.errors import ConfigurationError
from world_model_core.evaluation.objects.map_scores import score_map
from world_model_core.objects.documents.object_map_document import parse_map
from world_model_nodes.commands.objects_evaluate_tables import live_table
from world_model_nodes.commands.ros_session import ros_session
from world_model_nodes.objects.convert import objects_of
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.evaluation.objects.map_scores import MapScores


class ObjectMapListener(Node):  # type: ignore[misc]
    """Keeps the newest object map and the newest true objects."""

    def __init__(self) -> None:
        super().__init__(f'world_model_evaluate_{os.getpid()}')
        self._map: String | None = None
        self._truth: Detection3DArray | None = None
        self.create_subscription(String, 'object_map', self._take_map, STATE)
        self.create_subscription(Detection3DArray, 'truth/objects', self._take_truth, STATE)

    def _take_map(self, message: String) -> None:
        self._map = message

    def _take_truth(self, message: Detection3DArray) -> None:
        self._truth = message

    def evaluate(self) -> MapScores:
        """
        Compare the map with the truth.

        Raises
        ------
        ConfigurationError
            One of them was not received, or their frames differ.
        ObjectMapError, MalformedPacketError
            One of them is invalid.

        """
        received = {'truth/objects': self._truth, 'object_map': self._map}
        missing = ' and '.join(topic for topic, message in received.items() if message is None)
        if self._truth is None or self._map is None:
            raise ConfigurationError(
                f'no message was received on {missing}; is a simulator running?'
            )
        document, truth_frame = parse_map(self._map.data), self._truth.header.frame_id
        if document.frame_id not in {None, truth_frame}:
            raise ConfigurationError(
                f'the map is in the frame {document.frame_id!r}, the truth in {truth_frame!r}; '
                'both must be the same'
            )
        return score_map(objects_of(self._truth), document.objects)


def print_live_evaluation(seconds: float, ros_arguments: Sequence[str], *, as_json: bool) -> None:
    """
    Receive the map of a running simulator for some time, and print the scores of its last one.

    Parameters
    ----------
    seconds : float
        Duration [s]; Ctrl-C ends it earlier.
    ros_arguments : sequence of str
        Remappings and parameters of the node.
    as_json : bool

    Raises
    ------
    ConfigurationError
        ROS rejects its arguments; or as `ObjectMapListener.evaluate`.
    ObjectMapError, MalformedPacketError
        Map or truth are invalid.

    """
    with ros_session(ros_arguments) as session:
        listener = ObjectMapListener()
        session.spin(listener, seconds)
    scores = listener.evaluate()
    if as_json:
        sys.stdout.write(write(asdict(scores)) + '\n')
    else:
        Console(soft_wrap=True, markup=False).print(live_table(scores))
