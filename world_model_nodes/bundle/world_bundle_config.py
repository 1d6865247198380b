# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of world_bundle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ScaleEncoding,
    SplatConventions,
)
from world_model_nodes.runtime.params import parameter

AUTO = 'auto'
Kind = TypeVar('Kind', bound=Enum)


class Quaternions(Enum):
    """Order of quaternions in a file of splats."""

    AUTO = AUTO
    XYZW = QuaternionOrder.XYZW.value
    WXYZ = QuaternionOrder.WXYZ.value


class Scales(Enum):
    """Encoding of scales in a file of splats."""

    AUTO = AUTO
    LOG = ScaleEncoding.LOG.value
    LINEAR = ScaleEncoding.LINEAR.value


class Opacities(Enum):
    """Encoding of opacities in a file of splats."""

    AUTO = AUTO
    LOGIT = OpacityEncoding.LOGIT.value
    LINEAR = OpacityEncoding.LINEAR.value


@dataclass(frozen=True)
class WorldBundleConfig:
    """Parameters of world_bundle."""

    bundle: str = parameter('', 'folder of the bundle; empty: a small example')
    max_points: int = parameter(
        500_000,
        'maximum number of points of a cloud, sampled uniformly',
        low=1,
        high=50_000_000,
    )
    place_base_link: bool = parameter(
        False, 'publish the initial pose as the transform from map to base_link'
    )
    publish_clock: bool = parameter(
        False, 'publish /clock from the timebase; use_sim_time of this node must be false'
    )
    speed: float = parameter(
        1.0, 'factor against real time; may change at any time', low=0.01, high=1000.0
    )
    clock_rate: float = parameter(
        100.0, 'maximum rate of /clock in real time', low=1.0, high=1000.0, unit='Hz'
    )
    quaternions: Quaternions = parameter(
        Quaternions.AUTO, 'order of quaternions of splats; overrides the file'
    )
    scales: Scales = parameter(Scales.AUTO, 'encoding of scales of splats; overrides the file')
    opacities: Opacities = parameter(
        Opacities.AUTO, 'encoding of opacities of splats; overrides the file'
    )
    autostart: bool = parameter(True, 'configure and activate at once')

    @property
    def conventions(self) -> SplatConventions:
        """Conventions of splats set by parameters."""
        return SplatConventions(
            _told(QuaternionOrder, self.quaternions),
            _told(ScaleEncoding, self.scales),
            _told(OpacityEncoding, self.opacities),
        )


def _told(kind: type[Kind], choice: Enum) -> Kind | None:
    return None if choice.value == AUTO else kind(choice.value)
