# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Localises a robot by an extended Kalman filter, which learns what it is biased by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from world_model_core.localization.ekf import ExtendedKalmanFilter
from world_model_core.localization.estimator import KalmanEstimator
from world_model_nodes.localization.config import LocalizerConfig
from world_model_nodes.localization.localizer import Localizer
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import parameter

if TYPE_CHECKING:
    from world_model_core.localization.estimator import Estimator


@dataclass(frozen=True)
class EkfLocalizerConfig(LocalizerConfig):
    """Parameters of ekf_localizer."""

    gate: float = parameter(0.999, 'part of true readings that is used', low=0.5, high=0.999999)


class EkfLocalizer(Localizer):
    """One robot, one Kalman filter."""

    config_type = EkfLocalizerConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('ekf_localizer', **kwargs)

    def make_estimator(self) -> Estimator:
        """Make the filter."""
        motion, observation = self.config.believed()
        law = ExtendedKalmanFilter(motion, observation, self.config.gate)
        return KalmanEstimator(law, self.config.places())


def main() -> None:
    """Run the node."""
    run(EkfLocalizer)
