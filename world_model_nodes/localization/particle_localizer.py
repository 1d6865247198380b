# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that localizes a robot by a particle filter, with recovery after a kidnapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import PoseArray

from world_model_core.localization.particle_filter import MIN_PARTICLES, ParticleFilter
from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
from world_model_core.localization.pose_estimators import ParticleEstimator
from world_model_core.parameters import group
from world_model_core.uncertainty.kidnapping import KidnapParameters
from world_model_core.uncertainty.random_draws import Draws
from world_model_nodes.localization.localizer import Localizer
from world_model_nodes.localization.localizer_config import LocalizerConfig
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.uncertainty.convert import poses_message

# Mean interval of kidnappings if the noise has none [s]: with none the filter never recovers.
RARELY = 3600.0


@dataclass(frozen=True)
class ParticleLocalizerConfig(LocalizerConfig):
    """Parameters of particle_localizer."""

    particles: int = parameter(1000, 'number of particles', low=MIN_PARTICLES, high=100_000)
    seed: int = parameter(1, 'seed of the random draws', low=0, high=2**63 - 1)
    initial_anywhere: bool = parameter(
        False, 'start with global localization in the rectangle of `kidnap`, not at initial_pose'
    )
    velocity_noise: VelocityNoiseParameters = group(
        VelocityNoiseParameters(), 'noise of particles'
    )


class ParticleLocalizer(Localizer):
    """Localizes one robot by a particle filter."""

    config_type = ParticleLocalizerConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('particle_localizer', **kwargs)

    def make_estimator(self) -> ParticleEstimator:
        """Create the filter."""
        config = self.config
        motion, observation = config.filter_models()
        particle_filter = ParticleFilter(
            config.velocity_noise,
            motion.kidnap or KidnapParameters(mean_interval=RARELY),
            observation,
            config.particles,
        )
        draws = Draws(config.seed)
        self._filter = ParticleEstimator(particle_filter, config.places(), draws, motion.kidnap)
        return self._filter

    def begin(self) -> None:
        """Initialize the filter at `initial_pose`, or globally."""
        if self.config.initial_anywhere:
            self._filter.begin_anywhere()
        else:
            super().begin()

    def acquire(self) -> None:
        """Create the filter and all topics."""
        super().acquire()
        self._particles = self.create_publisher(PoseArray, 'particle_cloud', STREAM)

    def publish_more(self, stamp_ns: int) -> None:
        """Publish the particles if they have a subscriber."""
        if self._particles.get_subscription_count():
            poses = self._filter.particles.poses[0]
            self._particles.publish(poses_message(poses, stamp_ns, self.config.global_frame_id))

    def release(self) -> None:
        """Destroy all publishers and subscriptions."""
        super().release()
        self.destroy_publisher(self._particles)


def main() -> None:
    """Run the node."""
    run(ParticleLocalizer)
