# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node question_answerer: answers questions about the object map within a time budget."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String

from world_model_core.errors import ConfigurationError, MalformedPacketError, WorldModelError
from world_model_core.frames import FrameError, heading_of
from world_model_core.objects.answer import Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.answering.map_sufficiency import SufficiencyParameters
from world_model_core.objects.answering.object_interest import names_in_parse
from world_model_core.objects.answering.pending_question import PendingQuestion
from world_model_core.objects.documents.object_map_document import parse_map
from world_model_core.objects.documents.scene_files import read_text
from world_model_core.objects.language.translations import parse_translations
from world_model_core.objects.navigation.traversable_area import TraversableArea
from world_model_nodes.objects.answer_publishers import AnswerPublishers, answer_summary
from world_model_nodes.objects.convert_sensing import points_of, pose_of
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.runtime.input_ages import InputAges
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import declare, follow, parameter
from world_model_nodes.runtime.qos import LISTEN, STATE

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.language.translations import Translations
    from world_model_core.objects.values import MapObject

# Period at which answers are updated and repeated, as in the challenge [s].
PERIOD = 1.0
POSES = ('state_estimation', 'amcl_pose')
# Age from which the pose of the robot is stale [s].
LIMIT = 5.0
# Maximum length of a question [characters].
LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class QuestionAnswererConfig:
    """Parameters of question_answerer."""

    frame_id: str = parameter('map', 'frame of the map')
    label_translations: str = parameter('', 'YAML file with additional Japanese words')
    # The challenge allows 600 s.
    time_budget: float = parameter(
        540.0, 'time after which a question is answered in any case', low=0.0, high=1e6, unit='s'
    )
    least_probability: float = parameter(
        0.8, 'probability from which an answer is final', low=0.01, high=1.0
    )
    least_coverage: float = parameter(
        0.9, 'fraction of the floor observed from which an answer is final', low=0.0, high=1.0
    )
    stable_time: float = parameter(
        10.0, 'time for which an answer must be unchanged to be final', low=0.0, high=1e6, unit='s'
    )
    unknown_stable_time: float = parameter(
        120.0, 'the same, if traversable_area is unknown', low=0.0, high=1e6, unit='s'
    )

    def translations(self) -> Translations | None:
        """
        Read the additional Japanese words, if there is a file of them.

        Raises
        ------
        ConfigurationError
            If the file cannot be read.

        """
        if not self.label_translations:
            return None
        try:
            return parse_translations(read_text(Path(self.label_translations)))
        except WorldModelError as error:
            raise ConfigurationError(f'label_translations: {error}') from error

    def sufficiency(self) -> SufficiencyParameters:
        """Return the parameters of the core."""
        return SufficiencyParameters(
            probability=self.least_probability,
            stable=self.stable_time,
            coverage=self.least_coverage,
            unknown_stable=self.unknown_stable_time,
            budget=self.time_budget,
        )


class QuestionAnswerer(Node):  # type: ignore[misc]
    """Answers one question at a time; a repeated question does not restart it."""

    config_type = QuestionAnswererConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('question_answerer', **kwargs)
        self._config = declare(self, self.config_type)
        self._answerer = Answerer(translations=self._config.translations())
        self._objects: tuple[MapObject, ...] = ()
        self._area = TraversableArea()
        self._robot: Array | None = None
        self._pending: PendingQuestion | None = None
        self._inputs = InputAges(self, POSES, ('object_map', 'traversable_area'), LIMIT)
        self._drops = DropCounters(self, self._inputs.refuse)
        self._topics = AnswerPublishers(self)
        self.create_subscription(String, 'challenge_question', self._receive_question, LISTEN)
        self.create_subscription(String, 'object_map', self._receive_map, STATE)
        self.create_subscription(
            PointCloud2, 'traversable_area', self._receive_traversable_area, LISTEN
        )
        self.create_subscription(
            Odometry, 'state_estimation', partial(self._receive_pose, 'state_estimation'), LISTEN
        )
        self.create_subscription(
            PoseWithCovarianceStamped,
            'amcl_pose',
            partial(self._receive_pose, 'amcl_pose'),
            LISTEN,
        )
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = self.create_timer(PERIOD, self._repeat, clock=steady)
        self._diagnostics = Diagnostics(self, self._report)
        follow(self, self.config_type, self._accept)

    def _accept(self, config: QuestionAnswererConfig) -> None:
        if config.label_translations != self._config.label_translations:
            raise ConfigurationError(
                'label_translations cannot be changed at run time: restart the node'
            )
        self._config = config

    def _receive_question(self, message: String) -> None:
        text = message.data.strip()
        if not text or len(text) > LONGEST:
            self._drops.add('challenge_question.unusable', f'{len(text)} characters')
            return
        if self._pending is not None and self._pending.text == text:
            return
        self._pending = PendingQuestion(text, self._now(), self._config.sufficiency())
        self._topics.stop_guidance()
        line = f'question: {text:.200}'
        self.get_logger().info(line)
        self._consider(self._pending)

    def _receive_map(self, message: String) -> None:
        try:
            document = parse_map(message.data)
        except WorldModelError as error:
            self._drops.add('object_map.malformed', error)
            return
        if document.frame_id is None or self._is_in_map('object_map', document.frame_id):
            self._objects = document.objects
            self._inputs.use('object_map')

    def _receive_traversable_area(self, message: PointCloud2) -> None:
        if not self._is_in_map('traversable_area', message.header.frame_id):
            return
        try:
            self._area.add(points_of(message))
        except MalformedPacketError as error:
            self._drops.add('traversable_area.malformed', error)
        else:
            self._inputs.use('traversable_area')

    def _receive_pose(self, topic: str, message: Odometry | PoseWithCovarianceStamped) -> None:
        if not self._is_in_map(topic, message.header.frame_id):
            return
        try:
            pose = pose_of(message)
        except FrameError as error:
            self._drops.add(f'{topic}.malformed', error)
            return
        self._inputs.use(topic)
        x, y, _ = pose.translation.tolist()
        self._robot = np.array((x, y, heading_of(pose.rotation)))
        self._area.visit(x, y)
        self._topics.update_robot(x, y)

    def _is_in_map(self, topic: str, frame_id: str) -> bool:
        if frame_id == self._config.frame_id:
            return True
        self._drops.add(f'{topic}.other frame', frame_id)
        return False

    def _repeat(self) -> None:
        pending = self._pending
        if pending is not None:
            self._consider(pending)

    def _consider(self, pending: PendingQuestion) -> None:
        """Update the answer with the current map, or publish the final answer again."""
        if not pending.is_final:
            scene = Scene(self._objects, self._config.frame_id, self._area.points, self._robot)
            reading = self._answerer.parse(pending.text, scene)
            self._topics.publish_interest(names_in_parse(reading))
            answer = self._answerer.answer_parse(reading, scene)
            pending.take(answer, self._now(), self._area.coverage)
            self._topics.publish_status(pending)
            if pending.is_final:
                line = (
                    f'{answer_summary(answer)}: {pending.decision.value}, {pending.elapsed:.0f} s'
                )
                self.get_logger().info(line)
        if pending.is_final and pending.answer is not None:
            self._topics.publish_answer(pending.answer, self._now(), self._config.frame_id)

    def _now(self) -> int:
        return int(self.get_clock().now().nanoseconds)

    def _report(self) -> Report:
        pending, coverage = self._pending, self._area.coverage
        values: dict[str, Any] = {
            'objects': len(self._objects),
            'floor coverage': 'unknown' if coverage is None else f'{coverage:.0%}',
        }
        if pending is not None:
            values |= {'question': pending.text, 'decision': pending.decision.value}
            values['elapsed [s]'] = f'{pending.elapsed:.1f}'
        warnings = () if pending is not None else ('no question received',)
        own = Report(warnings=warnings, values={**values, **self._drops.counts})
        return own.joined(self._inputs.report())


def main() -> None:
    """Run the node."""
    run(QuestionAnswerer)
