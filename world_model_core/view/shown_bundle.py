# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a window shows of a World Bundle, read from its files once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.geometry.drivable_outline import drivable_outline
from world_model_core.bundle.loading import load
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ScaleEncoding,
    SplatConventions,
)
from world_model_core.view.batches import Lines
from world_model_core.view.colors import DRIVABLE, array_of
from world_model_core.view.frusta import CameraFrustum, calibrated_corners
from world_model_core.view.ground import ground_marks
from world_model_core.view.splat_choice import OrderedSplats

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.bundle.bundle import WorldBundle
    from world_model_core.view.scene import Marks

__all__ = ['ShownBundle', 'read_bundle', 'show_bundle']

# Width of the border of the drivable area [px].
OUTLINE_WIDTH = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class ShownBundle:
    """
    The parts of a bundle that are shown and do not change.

    Attributes
    ----------
    splats : OrderedSplats
    marks : Marks
        Ground and border of the drivable area.
    cameras : tuple of CameraFrustum
        Their poses are in the frame of the vehicle.

    """

    splats: OrderedSplats
    marks: Marks
    cameras: tuple[CameraFrustum, ...]


def read_bundle(document: Mapping[str, Any]) -> ShownBundle:
    """
    Read the bundle that a document of the topic `scene` names.

    Parameters
    ----------
    document : mapping
        See scene.schema.json; its folder must be at the same path on this machine.

    Raises
    ------
    BundleError
        The folder has no bundle, or one that cannot be read.

    """
    splats = document['splats']
    conventions = SplatConventions(
        QuaternionOrder(splats['quaternions']),
        ScaleEncoding(splats['scales']),
        OpacityEncoding(splats['opacities']),
    )
    return show_bundle(load(document['folder'], conventions))


def show_bundle(bundle: WorldBundle) -> ShownBundle:
    """
    Compute what is shown of a bundle.

    Raises
    ------
    BundleError
        A part cannot be read.

    """
    outline = drivable_outline(bundle.drivable, bundle.heightmap)
    return ShownBundle(
        splats=OrderedSplats(bundle.splats),
        marks={
            **ground_marks('bundle/ground', bundle.heightmap),
            'bundle/drivable': Lines(outline, array_of(DRIVABLE), OUTLINE_WIDTH),
        },
        cameras=tuple(
            CameraFrustum(name, camera.optical_pose, calibrated_corners(camera))
            for name, camera in bundle.cameras.items()
        ),
    )
