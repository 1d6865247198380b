# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters that the localizers have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.localization.measurement_queue import QueueLimits
from world_model_core.localization.pose_estimators import PoseEstimate, with_least_noise
from world_model_core.time import to_nanoseconds
from world_model_core.uncertainty.kidnapping import FARTHEST
from world_model_nodes.runtime.params import parameter
from world_model_nodes.uncertainty.noise_config import NoiseConfig

if TYPE_CHECKING:
    from world_model_core.uncertainty.motion_parameters import MotionParameters
    from world_model_core.uncertainty.observation_parameters import ObservationParameters


@dataclass(frozen=True)
class LocalizerConfig(NoiseConfig):
    """Parameters of localizers; `preset` and `noise_file` select the models of the filter."""

    global_frame_id: str = parameter('map', 'frame of the landmarks and of the estimated pose')
    initial_pose: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'x, y and heading at the first odometry message', unit='m, m, rad'
    )
    initial_stds: tuple[float, ...] = parameter(
        (0.05, 0.05, 0.05), 'standard deviations of the initial pose', unit='m, m, rad'
    )
    min_range_std: float = parameter(
        0.02, 'lower bound of the range noise in the filter', low=1e-4, high=10.0, unit='m'
    )
    min_bearing_std: float = parameter(
        0.01, 'lower bound of the bearing noise in the filter', low=1e-4, high=1.0, unit='rad'
    )
    max_delay: float = parameter(
        1.0,
        'how much later or earlier than odometry landmarks may arrive',
        low=0.001,
        high=10.0,
        unit='s',
    )
    max_odometry_gap: float = parameter(
        2.0,
        'a longer gap between odometry messages is counted in diagnostics',
        low=0.001,
        high=3600.0,
        unit='s',
    )
    max_speed: float = parameter(
        5.0,
        'a jump of odometry that needs a higher speed is not followed',
        low=0.01,
        high=1000.0,
        unit='m/s',
    )
    max_turn_rate: float = parameter(
        10.0,
        'a jump of odometry that needs a higher turn rate is not followed',
        low=0.01,
        high=1000.0,
        unit='rad/s',
    )
    tf_broadcast: bool = parameter(True, 'send the transform from the map to the odometry frame')
    transform_tolerance: float = parameter(
        1.0,
        'how long the transform is valid beyond the estimate: its stamp is that much later',
        low=0.0,
        high=10.0,
        unit='s',
    )
    autostart: bool = parameter(True, 'configure and activate on start')

    def __post_init__(self) -> None:
        """Validate the map frame, the landmarks and the initial pose."""
        super().__post_init__()
        self.initial_estimate()
        if not self.global_frame_id:
            raise ConfigurationError("global_frame_id is ''; it must not be empty")

    def tf_tolerance_ns(self) -> int | None:
        """Return `transform_tolerance` in nanoseconds, None without `tf_broadcast`."""
        return to_nanoseconds(self.transform_tolerance) if self.tf_broadcast else None

    def limits(self) -> QueueLimits:
        """Return the limits of the measurement queue."""
        return QueueLimits(
            self.max_delay, self.max_odometry_gap, self.max_speed, self.max_turn_rate
        )

    def filter_models(self) -> tuple[MotionParameters, ObservationParameters]:
        """
        Return the motion and observation parameters of the filter.

        Raises
        ------
        ConfigurationError
            The noise file cannot be read, or has an unknown key or an invalid value.

        """
        motion, observation = self.error_models()
        return motion, with_least_noise(observation, self.min_range_std, self.min_bearing_std)

    def initial_estimate(self) -> PoseEstimate:
        """
        Return the initial pose and its covariance.

        Raises
        ------
        ConfigurationError
            There are not three numbers, one is beyond `FARTHEST`, or a deviation is negative.

        """
        for name, low in (('initial_pose', -FARTHEST), ('initial_stds', 0.0)):
            values = getattr(self, name)
            if len(values) != 3 or not all(low <= value <= FARTHEST for value in values):
                raise ConfigurationError(
                    f'{name} is {list(values)}; it must be three numbers from {low} to {FARTHEST}'
                )
        return PoseEstimate(np.array(self.initial_pose), np.diag(np.square(self.initial_stds)))
