# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node ball_predictor publishes the predictions of the core."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin_interfaces.msg import Duration
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry, Path
from rclpy.parameter import Parameter
from samples import FIELD
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.match.ball.ball_constants import BallParameters, RollingModel
from world_model_core.match.ball.estimate import BallState
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.documents import field_document
from world_model_core.match.ssl.geometry_values import Geometry, StraightModel
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.match.ball_predictor import BallPredictorNode
from world_model_nodes.match.convert import ball_message
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import STATE


def rolling(stamp_ns=SECOND, speed=2.0, height=0.0):
    """Return a ball at (1, 2) that moves along x."""
    place, velocity = np.array([1.0, 2.0, height]), np.array([speed, 0.0, 0.0])
    return BallState(stamp_ns, place, velocity, np.eye(6) * 1e-4)


class Predicting:
    """A predictor, its inputs and its topics."""

    def __init__(self, graph, **given):
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        self.graph = graph
        self.node = graph.add(BallPredictorNode(parameter_overrides=overrides))
        self.phases = graph.listen(String, 'ball/phase')
        self.rests = graph.listen(PoseWithCovarianceStamped, 'ball/rest')
        self.ages = graph.listen(Duration, 'ball/prediction_age')
        self.paths = graph.listen(Path, 'ball/trajectory')
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self._balls = graph.publisher(Odometry, 'ball')
        answers = self.node._phase, self.node._rest, self.node._age, self.node._trajectory
        graph.wait_until(lambda: all(topic.get_subscription_count() for topic in answers))

    def ask(self, ball):
        """Publish a ball, and wait for all predictions of it."""
        self._balls.publish(ball_message(ball, 'field'))
        self.graph.wait_until(
            lambda: (
                self.paths
                and from_time(self.paths[-1].header.stamp) == ball.stamp_ns
                and len(self.paths) == len(self.rests) == len(self.phases) == len(self.ages)
            )
        )

    def value(self, key):
        """Return the newest value of /diagnostics."""
        values = {v.key: v.value for report in self.reports for v in report.status[0].values}
        return values.get(key)


@pytest.mark.parametrize('rolling_model', RollingModel)
def test_the_cores_prediction_is_published(graph, rolling_model):
    """Phase, path and rest are those of the core with the parameters of the node."""
    predicting = Predicting(
        graph, rolling_model=rolling_model.value, air_resistance=0.5, horizon=1.0, step=0.1
    )
    ball = rolling()
    parameters = BallParameters(rolling_model=rolling_model, air_resistance=0.5)
    core = BallPredictor(parameters).predict(ball)
    predicting.ask(ball)
    rest, path = predicting.rests[-1], predicting.paths[-1]
    assert predicting.phases[-1].data == core.phase.value
    assert from_time(rest.header.stamp) == core.rest_ns
    expected = core.trajectory.rest_position[:2]
    assert (rest.pose.pose.position.x, rest.pose.pose.position.y) == pytest.approx(tuple(expected))
    samples = core.trajectory.sample(1.0, 0.1)
    places = [(p.pose.position.x, p.pose.position.y) for p in path.poses]
    assert places == [tuple(place) for place in samples.positions[:, :2].tolist()]
    times = [(from_time(p.header.stamp) - ball.stamp_ns) / SECOND for p in path.poses]
    assert times == pytest.approx(samples.times.tolist(), abs=1e-8)


@pytest.mark.parametrize(
    ('ball', 'phase'),
    [
        (rolling(speed=0.0), 'STOPPED'),
        (rolling(), 'ROLLING'),
        (rolling(height=0.5), 'FLYING'),
    ],
    ids=['STOPPED', 'ROLLING', 'FLYING'],
)
def test_the_phase_is_named(graph, ball, phase):
    """The phase of a ball at rest, on the carpet and in the air is published."""
    predicting = Predicting(graph)
    predicting.ask(ball)
    assert predicting.phases[-1].data == phase


def test_a_parameter_changes_the_next_prediction(graph):
    """Constants can be tuned at run time; contradictory ones are rejected."""
    predicting = Predicting(graph, rolling_model='constant')
    predicting.ask(rolling())
    far = predicting.rests[-1].pose.pose.position.x
    (result,) = predicting.node.set_parameters([Parameter('deceleration', value=2.0)])
    assert result.successful
    predicting.ask(rolling(2 * SECOND))
    assert predicting.rests[-1].pose.pose.position.x < far - 1.0
    (result,) = predicting.node.set_parameters([Parameter('stop_threshold', value=1.0)])
    assert not result.successful
    assert 'speed_threshold' in result.reason


def test_constants_of_vision_are_used_and_shown(graph, monkeypatch):
    """Constants from vision take precedence, and /diagnostics has those in use."""
    monkeypatch.setattr('world_model_nodes.runtime.diagnostics.PERIOD', 0.1)
    predicting = Predicting(graph)
    field = graph.publisher(String, 'field', STATE)
    geometry = Geometry(field=FIELD, cameras=(), straight=StraightModel(-3.0, -0.5, 0.6))
    field.publish(String(data=write(field_document(geometry))))
    graph.wait_until(lambda: predicting.value('constants from vision') == 'True')
    assert predicting.value('roll acceleration [m/s^2]') == '-0.5'


def test_the_age_of_the_prediction_is_published(graph):
    """The age counts while the ball moves as predicted; after a contact it is 0 again."""
    predicting = Predicting(graph, rolling_model='constant', deceleration=0.5)
    predicting.ask(rolling())
    predicting.ask(rolling(3 * SECOND // 2, speed=1.75))
    predicting.ask(rolling(2 * SECOND, speed=3.0))
    assert [(age.sec, age.nanosec) for age in predicting.ages] == [
        (0, 0),
        (0, SECOND // 2),
        (0, 0),
    ]


def test_a_rest_is_within_the_boards(graph):
    """With the field known, a ball rests at the board in its way, not beyond."""
    predicting = Predicting(graph)
    field = graph.publisher(String, 'field', STATE)
    field.publish(String(data=write(field_document(Geometry(field=FIELD, cameras=())))))
    graph.wait_until(lambda: predicting.node._client.field)
    predicting.ask(rolling(speed=6.0))
    x = predicting.rests[-1].pose.pose.position.x
    assert x == pytest.approx(0.5 * FIELD.length + FIELD.boundary_width, abs=0.03)


def test_a_ball_with_nan_is_counted(graph, monkeypatch):
    """A ball with NaN is counted and not predicted; the next valid ball is predicted."""
    monkeypatch.setattr('world_model_nodes.runtime.diagnostics.PERIOD', 0.1)
    predicting = Predicting(graph)
    broken = ball_message(rolling(), 'field')
    broken.twist.twist.linear.x = math.nan

    def counted():
        predicting._balls.publish(broken)
        return predicting.value('ball.unreadable')

    graph.wait_until(counted)
    assert predicting.rests == []
    predicting.ask(rolling())


@pytest.mark.parametrize('speed', [1e308, 101.0])
def test_a_ball_faster_than_any_ball_is_counted(graph, often, speed):  # noqa: ARG001 (before)
    """It is not predicted; the warning names field, value and limit."""
    predicting = Predicting(graph)
    predicting._balls.publish(ball_message(rolling(speed=speed), 'field'))
    graph.wait_until(lambda: predicting.value('ball.unreadable') == '1')
    assert predicting.rests == []


def test_a_ball_that_does_not_come_any_more_is_reported(graph, often):  # noqa: ARG001 (before)
    """After a cut the node warns, and names the topic."""
    predicting = Predicting(graph)
    predicting.ask(rolling())
    graph.wait_until(
        lambda: (
            predicting.reports
            and predicting.reports[-1].status[0].message.startswith('ball: no message used for ')
        )
    )
    assert predicting.reports[-1].status[0].level == DiagnosticStatus.WARN
