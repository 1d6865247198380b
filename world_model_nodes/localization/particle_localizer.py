# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Localises a robot by a particle filter, which finds it again when it was kidnapped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import PoseArray

from world_model_core.localization.estimator import ParticleEstimator
from world_model_core.localization.particle_filter import FEWEST, ParticleFilter
from world_model_core.parameters import group
from world_model_core.uncertainty.draws import Draws
from world_model_core.uncertainty.kidnap import KidnapParameters
from world_model_core.uncertainty.velocity_noise import VelocityNoiseParameters
from world_model_nodes.localization.config import LocalizerConfig
from world_model_nodes.localization.localizer import Localizer
from world_model_nodes.runtime.lifecycle import run
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.uncertainty.convert import poses_message

# Where the noise has no kidnapping [s]: who holds it for impossible never finds a robot again.
RARELY = 3600.0


@dataclass(frozen=True)
class ParticleLocalizerConfig(LocalizerConfig):
    """Parameters of particle_localizer."""

    particles: int = parameter(
        1000, 'robots that might be the one looked for', low=FEWEST, high=100_000
    )
    seed: int = parameter(1, 'another seed, other particles', low=0, high=2**63 - 1)
    initial_anywhere: bool = parameter(
        False, 'begin wherever kidnappers put robots, instead of at initial_pose'
    )
    velocity_noise: VelocityNoiseParameters = group(
        VelocityNoiseParameters(), 'spread of particles'
    )


class ParticleLocalizer(Localizer):
    """One robot, one particle filter."""

    config_type = ParticleLocalizerConfig

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('particle_localizer', **kwargs)

    def make_estimator(self) -> ParticleEstimator:
        """Make the filter."""
        config = self.config
        motion, observation = config.believed()
        law = ParticleFilter(
            config.velocity_noise,
            motion.kidnap or KidnapParameters(mean_interval=RARELY),
            observation,
            config.particles,
        )
        draws = Draws(config.seed)
        self._filter = ParticleEstimator(law, config.places(), draws, motion.kidnap)
        return self._filter

    def begin(self) -> None:
        """Let the filter begin where the parameters say, or anywhere."""
        if self.config.initial_anywhere:
            self._filter.begin_anywhere()
        else:
            super().begin()

    def acquire(self) -> None:
        """Make the filter and all topics."""
        super().acquire()
        self._particles = self.create_publisher(PoseArray, 'particles', STREAM)

    def show(self, stamp_ns: int) -> None:
        """Publish the particles, if somebody listens."""
        if self._particles.get_subscription_count():
            poses = self._filter.particles.poses[0]
            self._particles.publish(poses_message(poses, stamp_ns, self.config.frame_id))

    def release(self) -> None:
        """Take all topics back."""
        super().release()
        self.destroy_publisher(self._particles)


def main() -> None:
    """Run the node."""
    run(ParticleLocalizer)
