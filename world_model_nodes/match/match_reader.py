# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the topics of a match and predicts the ball: for WorldModelClient and for the viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.documents import parse
from world_model_core.errors import MalformedPacketError
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.documents import read_ball_models, read_field_size, read_kick
from world_model_nodes.match.convert import ball_of, robots_of_states
from world_model_nodes.runtime.cdr_reader import BodyStatesReader

if TYPE_CHECKING:
    from nav_msgs.msg import Odometry
    from std_msgs.msg import String

    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.predictor import Prediction
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.geometry_values import FieldSize


class MatchReader:
    """
    Keeps the newest messages of a match, and predicts the ball on demand.

    Each `read_` method takes a message of a topic; it raises WorldModelError and changes nothing
    if the message cannot be used.

    Parameters
    ----------
    parameters : BallParameters, optional
        Constants of the ball, used until vision sends its own.

    Attributes
    ----------
    ball : BallState or None
        The latest estimate; None while there is none.
    source : BallSource
        Source of `ball`.
    kick : Kick or None
        The latest kick.
    robots : Robots or None
        The latest states.
    game, field : dict or None
        Documents that follow game.schema.json and field.schema.json.
    size : FieldSize or None
        Dimensions and lines of `field`.

    """

    def __init__(self, parameters: BallParameters | None = None) -> None:
        self._configured = parameters or BallParameters()
        self._predictor = BallPredictor(self._configured)
        self._prediction: Prediction | None = None
        self._states = BodyStatesReader()
        self.ball: BallState | None = None
        self.source = BallSource.NONE
        self.kick: Kick | None = None
        self.robots: Robots | None = None
        self.game: dict[str, Any] | None = None
        self.field: dict[str, Any] | None = None
        self.size: FieldSize | None = None

    @property
    def parameters(self) -> BallParameters:
        """Constants of the ball in use: those sent by vision, or else the configured ones."""
        return self._predictor.parameters

    def configure(self, parameters: BallParameters) -> None:
        """Replace the configured constants of the ball; those sent by vision take precedence."""
        self._replace_parameters(self._with_models(parameters, self.field))
        self._configured = parameters

    def predict(self) -> Prediction | None:
        """Predict the trajectory of the latest ball until it rests."""
        if self._prediction is None and self.ball is not None:
            self._prediction = self._predictor.predict(self.ball)
        return self._prediction

    def read_ball(self, message: Odometry) -> None:
        """Take a message of topic ball."""
        self.ball = ball_of(message)
        self._prediction = None

    def read_source(self, message: String) -> None:
        """Take a message of topic ball/source; with NONE there is no ball."""
        try:
            self.source = BallSource(message.data)
        except ValueError:
            raise MalformedPacketError(f'{message.data!r} is not a source of the ball') from None
        if self.source is BallSource.NONE:
            self.ball = self._prediction = None

    def read_robots(self, data: bytes) -> None:
        """Take a serialized message of topic robots."""
        self.robots = robots_of_states(self._states.read(data))

    def read_kick(self, message: String) -> None:
        """Take a message of topic ball/kick."""
        self.kick = read_kick(parse(message.data, 'kick'))
        self._predictor.observe_kick(self.kick)
        self._prediction = None

    def read_game(self, message: String) -> None:
        """Take a message of topic game."""
        self.game = parse(message.data, 'game')

    def read_field(self, message: String) -> None:
        """Take a message of topic field: its ball models and its walls are used to predict."""
        field = parse(message.data, 'field')
        parameters = self._with_models(self._configured, field)
        self.field, self.size = field, read_field_size(field)
        self._predictor.enclose(self.size)
        self._prediction = None
        if parameters != self._predictor.parameters:
            self._replace_parameters(parameters)

    def _replace_parameters(self, parameters: BallParameters) -> None:
        self._predictor.replace_parameters(parameters)
        self._prediction = None

    def _with_models(
        self, parameters: BallParameters, field: dict[str, Any] | None
    ) -> BallParameters:
        return parameters if field is None else parameters.with_models(*read_ball_models(field))
