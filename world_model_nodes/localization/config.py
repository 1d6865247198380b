# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters that localisers have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.localization.estimator import Estimate, believable
from world_model_core.localization.measurement_queue import Limits
from world_model_core.uncertainty.kidnap import FARTHEST
from world_model_nodes.runtime.params import parameter
from world_model_nodes.uncertainty.noise_models import RobotLaws

if TYPE_CHECKING:
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters


@dataclass(frozen=True)
class LocalizerConfig(RobotLaws):
    """Parameters of localisers; `preset` and `noise_file` are what they believe to go wrong."""

    frame_id: str = parameter('map', 'frame of the landmarks and of the pose')
    initial_pose: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'x, y and heading at the first odometry', unit='m, m, rad'
    )
    initial_stds: tuple[float, ...] = parameter(
        (0.05, 0.05, 0.05), 'standard deviations of these', unit='m, m, rad'
    )
    least_range_std: float = parameter(
        0.02, 'noise of ranges that is believed in at least', low=1e-4, high=10.0, unit='m'
    )
    least_bearing_std: float = parameter(
        0.01, 'noise of bearings that is believed in at least', low=1e-4, high=1.0, unit='rad'
    )
    patience: float = parameter(
        1.0,
        'how much later or sooner than odometry landmarks may come',
        low=0.001,
        high=10.0,
        unit='s',
    )
    longest_gap: float = parameter(
        2.0, 'odometry that is silent for longer is counted', low=0.001, high=3600.0, unit='s'
    )
    fastest: float = parameter(
        5.0,
        'odometry that leaps as if faster was set elsewhere, and is not followed',
        low=0.01,
        high=1000.0,
        unit='m/s',
    )
    fastest_turn: float = parameter(10.0, 'likewise of turns', low=0.01, high=1000.0, unit='rad/s')
    publish_tf: bool = parameter(True, "send the frame of odometry in the map's")
    autostart: bool = parameter(True, 'configure and activate at once')

    def __post_init__(self) -> None:
        """Refuse a map without a name, landmarks that are none, and a beginning nowhere."""
        super().__post_init__()
        self.beginning()
        if not self.frame_id:
            raise ConfigurationError("frame_id is ''; it must name the frame of the landmarks")

    def limits(self) -> Limits:
        """Tell what is odd of messages."""
        return Limits(self.patience, self.longest_gap, self.fastest, self.fastest_turn)

    def believed(self) -> tuple[MotionParameters, ObservationParameters]:
        """
        Tell what is believed to go wrong.

        Raises
        ------
        ConfigurationError
            The file cannot be read, or holds what is no noise.

        """
        motion, observation = self.noise()
        return motion, believable(observation, self.least_range_std, self.least_bearing_std)

    def beginning(self) -> Estimate:
        """
        Tell where the robot begins.

        Raises
        ------
        ConfigurationError
            There are not three numbers each, one is beyond `FARTHEST`, or a deviation is negative.

        """
        for name, low in (('initial_pose', -FARTHEST), ('initial_stds', 0.0)):
            values = getattr(self, name)
            if len(values) != 3 or not all(low <= value <= FARTHEST for value in values):
                raise ConfigurationError(
                    f'{name} is {list(values)}; it must be three numbers from {low} to {FARTHEST}'
                )
        return Estimate(np.array(self.initial_pose), np.diag(np.square(self.initial_stds)))
