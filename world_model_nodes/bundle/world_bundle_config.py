# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of world_bundle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    QuaternionOrder,
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
    """How a file of splats writes scales."""

    AUTO = AUTO
    LOG = ScaleEncoding.LOG.value
    LINEAR = ScaleEncoding.LINEAR.value


class Opacities(Enum):
    """How a file of splats writes opacities."""

    AUTO = AUTO
    LOGIT = OpacityEncoding.LOGIT.value
    LINEAR = OpacityEncoding.LINEAR.value


@dataclass(frozen=True)
class WorldBundleConfig:
    """Parameters of world_bundle."""

    bundle: str = parameter('', 'folder of the bundle; empty: a small example')
    max_points: int = parameter(
        500_000, 'points of a cloud at most; of more an even share', low=1, high=50_000_000
    )
    place_base_link: bool = parameter(
        False, 'send map to base_link of the initial pose, where nobody else says where it is'
    )
    publish_clock: bool = parameter(
        False, 'publish /clock from the timebase; this node itself must not use sim time'
    )
    speed: float = parameter(
        1.0, 'simulated seconds in one; may change at any time', low=0.01, high=1000.0
    )
    clock_rate: float = parameter(
        100.0, 'how often /clock is told at most, in real time', low=1.0, high=1000.0, unit='Hz'
    )
    quaternions: Quaternions = parameter(
        Quaternions.AUTO, 'order in the file of splats, where it is known better than by the file'
    )
    scales: Scales = parameter(Scales.AUTO, 'how the file of splats writes scales, likewise')
    opacities: Opacities = parameter(
        Opacities.AUTO, 'how the file of splats writes opacities, likewise'
    )
    autostart: bool = parameter(True, 'configure and activate at once')

    @property
    def conventions(self) -> SplatConventions:
        """How splats are written, as far as somebody says so."""
        return SplatConventions(
            _told(QuaternionOrder, self.quaternions),
            _told(ScaleEncoding, self.scales),
            _told(OpacityEncoding, self.opacities),
        )


def _told(kind: type[Kind], choice: Enum) -> Kind | None:
    return None if choice.value == AUTO else kind(choice.value)
