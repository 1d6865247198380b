# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node house_simulator: a robot explores a simulated house; publishes sensor data and truth."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from rclpy.clock import Clock, ClockType
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.frames import heading_of
from world_model_core.objects.answer import Scene
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.documents.answer_json import answer_document
from world_model_core.simulation.house.explorer import Explorer, SensorFrame
from world_model_core.simulation.house.house_generator import generate_house
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_nodes.objects.house_publishers import MAP, HousePublishers
from world_model_nodes.objects.repeated_question import RepeatedQuestion
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.runtime.simulation import SimulationPlayer

if TYPE_CHECKING:
    from world_model_core.simulation.house.values import SimulatedHouse

# Period of the question, as in the challenge [s].
QUESTION_PERIOD = 1.0
# A frame takes some 20 ms; if the speed is too high for this machine, simulated time slows down
# [frames].
BURST = 2


@dataclass(frozen=True, slots=True)
class HouseSimulatorConfig(HouseParameters):
    """Parameters of house_simulator: house, robot, sensor noise and question."""

    question: str = parameter('', 'question, published once a second; empty: none')
    rate: float = parameter(5.0, 'frames per simulated second', low=0.1, high=100.0, unit='Hz')
    speed: float = parameter(1.0, 'factor against real time', low=0.01, high=1000.0)
    autostart: bool = parameter(True, 'configure and activate at start')

    def __post_init__(self) -> None:
        """Check all values."""
        self.house_parameters()

    def house_parameters(self) -> HouseParameters:
        """Return the parameters of the core."""
        return HouseParameters(
            **{item.name: getattr(self, item.name) for item in fields(HouseParameters)}
        )


class HouseSimulator(AcquiringNode):
    """Builds the house when configured, and starts the exploration when activated."""

    config_type = HouseSimulatorConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('house_simulator', **kwargs)
        self._house: SimulatedHouse | None = None
        self._frames = 0
        self._topics = HousePublishers(self)
        self._question = RepeatedQuestion(self)
        self._true_answer = self.create_publisher(String, 'truth/answer', STATE)
        self._player: SimulationPlayer[SensorFrame, SensorFrame] = SimulationPlayer(
            self, lambda frame: ((frame.stamp_ns, frame),), self._send, BURST
        )
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._asker = self.create_timer(QUESTION_PERIOD, self._ask, clock=steady)
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Build the house."""
        self._house = generate_house(self.config.seed, self.config.rooms)

    def start(self) -> None:
        """Start the exploration."""
        if self._house is None:
            return
        epoch_ns = Clock(clock_type=ClockType.SYSTEM_TIME).now().nanoseconds
        self._topics.publish_house(self._house, epoch_ns)
        explorer = Explorer(self._house, self.config.house_parameters(), self.config.seed)
        self._question.begin(self.config.question)
        if self.config.question:
            pose = explorer.pose
            robot = np.append(pose.translation[:2], heading_of(pose.rotation))
            scene = Scene(self._house.objects, MAP, robot=robot)
            answer = Answerer().answer(self.config.question, scene)
            self._true_answer.publish(String(data=write(answer_document(answer))))
        self._player.start(explorer, epoch_ns, 1.0 / self.config.rate, speed=self.config.speed)

    def stop(self) -> None:
        """Stop the exploration."""
        self._player.stop()

    def release(self) -> None:
        """Remove the house."""
        self._house = None

    def _send(self, stamp_ns: int, frame: SensorFrame) -> None:
        self._frames += 1
        self._topics.publish_frame(frame, stamp_ns, self.config)

    def _ask(self) -> None:
        if self._player.runs:
            self._question.repeat()

    def _report(self) -> Report:
        if self._house is None:
            return Report(warnings=('not configured',))
        return Report(
            warnings=self._player.warnings,
            values={
                'rooms': ', '.join(room.name for room in self._house.rooms),
                'objects': len(self._house.objects),
                'frames': self._frames,
            },
        )


def main() -> None:
    """Run the node."""
    run(HouseSimulator)
