# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node object_map: builds the map of a house's objects from detections."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from std_msgs.msg import String
from std_srvs.srv import Trigger

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_core.files.contained_paths import contained_file
from world_model_core.objects.answering.object_interest import Interest, read_names
from world_model_core.objects.persistent_map import PersistentObjectMap
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.objects.detection_input import DetectionInput
from world_model_nodes.objects.map_journal import MapJournal
from world_model_nodes.objects.map_publishers import ObjectPublishers
from world_model_nodes.objects.object_map_config import ObjectMapConfig
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import declare, follow
from world_model_nodes.runtime.qos import STATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.objects.values import CameraView, Detections

# At most this time of observations is lost when the process is killed [s], half of what is
# promised.
JOURNAL_PERIOD = 0.5


class ObjectMapNode(Node):  # type: ignore[misc]
    """Updates one object map with every frame, and publishes it at a fixed rate."""

    config_type = ObjectMapConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('object_map', **kwargs)
        self._config = declare(self, self.config_type)
        self._map = PersistentObjectMap(self._config.map_parameters())
        self._journal = MapJournal(self._map, self._config, self.get_logger().warning)
        self._question_interest: frozenset[str] = frozenset()
        self._update_interest(self._config)
        self._topics = ObjectPublishers(self)
        self._input = DetectionInput(self, self._config, self._observe)
        self.create_subscription(String, 'object_interest', self._receive_interest, STATE)
        for name, act in (('save', self._save), ('load', self._load), ('clear', self._map.clear)):
            self.create_service(Trigger, f'~/{name}', partial(self._serve, act))
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = self.create_timer(1.0 / self._config.rate, self._publish, clock=steady)
        self.create_timer(JOURNAL_PERIOD, self._journal.flush, clock=steady)
        self._diagnostics = Diagnostics(self, self._report)
        follow(self, self.config_type, self._accept)

    def _accept(self, config: ObjectMapConfig) -> None:
        self._config.check_change(config)
        self._update_interest(config)
        self._input.configure(config)
        self._journal.configure(config)
        self._timer.timer_period_ns = int(NANOSECONDS_PER_SECOND / config.rate)
        self._config = config

    def destroy_node(self) -> None:
        """Write the journal to its end, then destroy the node."""
        self._journal.close()
        super().destroy_node()

    def _observe(self, detections: Detections, view: CameraView | None) -> str:
        self._journal.reserve(len(detections))
        return self._map.observe(detections, view).dropped

    def _update_interest(self, config: ObjectMapConfig) -> None:
        """Restrict the map to the classes of the parameters and of the current question."""
        self._map.interest = Interest(read_names(config.interest) | self._question_interest)
        self._map.map.ignored = read_names(config.ignored, 'ignored')

    def _receive_interest(self, message: String) -> None:
        try:
            self._question_interest = read_names(message.data)
        except ConfigurationError as error:
            self._input.drops.add('object_interest.malformed', error)
        self._update_interest(self._config)

    def _publish(self) -> None:
        origin = self._config.origin
        self._topics.publish(lambda: self._map.document(origin), self._map.version)

    def _serve(
        self, act: Callable[[], str], _request: Trigger.Request, response: Trigger.Response
    ) -> Trigger.Response:
        try:
            response.message, response.success = act(), True
        except (OSError, WorldModelError) as error:
            response.message = str(error)
        return response

    def _save(self) -> str:
        folder = self._config.folder
        folder.mkdir(parents=True, exist_ok=True)
        return self._map.save(folder / self._config.file_name, self._config.origin)

    def _load(self) -> str:
        config = self._config
        path = contained_file(config.folder, config.file_name)
        return self._map.load(path, config.origin, force=config.force_load)

    def _report(self) -> Report:
        object_map, detections = self._map.map, self._input
        states = Counter(thing.state.value for thing in object_map.objects)
        journal = self._journal
        own = Report(
            errors=() if journal.error is None else (f'the map is not kept: {journal.error}',),
            warnings=detections.warnings,
            values={
                **{f'objects.{state}': count for state, count in states.items()},
                'interest': ', '.join(self._map.interest.names) or 'all classes',
                'frames waiting for tf': detections.waiting,
                **{f'{topic}.received': count for topic, count in detections.received.items()},
                **detections.drops.counts,
                **{f'journal.{cause}': count for cause, count in journal.counts.items()},
                **{f'map.{cause}': count for cause, count in object_map.dropped.items()},
            },
        )
        return own.joined(detections.ages.report())


def main() -> None:
    """Run the node."""
    run(ObjectMapNode)
