# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that publishes phase, trajectory and rest of the ball on topic `ball`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from builtin_interfaces.msg import Duration
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Path
from rclpy.node import Node
from std_msgs.msg import String

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_nodes.client import WorldModelClient
from world_model_nodes.match.convert import duration_message, path_message, rest_message
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import declare, follow, parameter
from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from world_model_core.match.ball.estimate import BallState


@dataclass(frozen=True, slots=True)
class BallPredictorConfig(BallParameters):
    """Parameters of ball_predictor: constants of the ball, and extent of the trajectory."""

    horizon: float = parameter(
        3.0, 'length of the published trajectory', low=0.05, high=60.0, unit='s'
    )
    step: float = parameter(
        0.05, 'time step of the published trajectory', low=0.005, high=1.0, unit='s'
    )
    frame_id: str = parameter('field', 'frame of the ball and of the published messages')


class BallPredictorNode(Node):  # type: ignore[misc]
    """Publish a prediction for every ball."""

    config_type = BallPredictorConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ball_predictor', **kwargs)
        self._config = declare(self, self.config_type)
        self._phase = self.create_publisher(String, 'ball/phase', STREAM)
        self._trajectory = self.create_publisher(Path, 'ball/trajectory', STREAM)
        self._rest = self.create_publisher(PoseWithCovarianceStamped, 'ball/rest', STREAM)
        self._age = self.create_publisher(Duration, 'ball/prediction_age', STREAM)
        self._count = 0
        self._client = WorldModelClient(self, self._config, self._predict)
        self._diagnostics = Diagnostics(self, self._report)
        follow(self, self.config_type, self._accept)

    def _accept(self, config: BallPredictorConfig) -> None:
        self._client.configure(config)
        self._config = config

    def _predict(self, ball: BallState) -> None:
        prediction = self._client.predict()
        if prediction is None:
            return
        frame_id, trajectory = self._config.frame_id, prediction.trajectory
        self._count += 1
        self._phase.publish(String(data=prediction.phase.value))
        if self._rest.get_subscription_count():
            self._rest.publish(rest_message(prediction, frame_id))
        self._age.publish(duration_message(prediction.age))
        if self._trajectory.get_subscription_count():
            samples = trajectory.sample(self._config.horizon, self._config.step)
            self._trajectory.publish(path_message(samples, ball.stamp_ns, frame_id))

    def _report(self) -> Report:
        used = self._client.parameters
        own = Report(
            warnings=() if self._client.ball is not None else ('there is no ball to predict',),
            values={
                'balls predicted': self._count,
                'slide acceleration [m/s^2]': used.slide_acceleration,
                'roll acceleration [m/s^2]': used.roll_acceleration,
                'switch ratio': used.switch_ratio,
                'constants from vision': self._client.field is not None,
                **{f'{topic}.unreadable': n for topic, n in self._client.dropped.items()},
            },
        )
        return own.joined(self._client.inputs.report())


def main() -> None:
    """Run the node."""
    run(BallPredictorNode)
