# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that localizes a robot by an extended Kalman filter, which also estimates biases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
from world_model_core.localization.pose_estimators import KalmanEstimator
from world_model_nodes.localization.localizer import Localizer
from world_model_nodes.localization.localizer_config import LocalizerConfig
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import parameter

if TYPE_CHECKING:
    from world_model_core.localization.pose_estimators import PoseEstimator


@dataclass(frozen=True)
class EkfLocalizerConfig(LocalizerConfig):
    """Parameters of ekf_localizer."""

    gate: float = parameter(
        0.999,
        'probability that a valid reading passes the innovation gate',
        low=0.5,
        high=0.999999,
    )


class EkfLocalizer(Localizer):
    """Localizes one robot by a Kalman filter."""

    config_type = EkfLocalizerConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ekf_localizer', **kwargs)

    def make_estimator(self) -> PoseEstimator:
        """Create the filter."""
        motion, observation = self.config.filter_models()
        kalman_filter = ExtendedKalmanFilter(motion, observation, self.config.gate)
        return KalmanEstimator(kalman_filter, self.config.places())


def main() -> None:
    """Run the node."""
    run(EkfLocalizer)
