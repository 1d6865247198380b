# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A World Bundle: a scene of Gaussian splats, ground, sensors and time, loaded on first use."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from world_model_core.bundle.equality import is_equal
from world_model_core.bundle.geometry.terrain_mesh import mesh_from_heightmap
from world_model_core.bundle.sensors.camera_projection import CalibratedCamera

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.bundle.geometry.drivable_area import DrivableArea
    from world_model_core.bundle.geometry.heightmap import Heightmap
    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.bundle.splats.splats import Splats
    from world_model_core.bundle.values import (
        Manifest,
        Metadata,
        RenderConfig,
        SensorCalibration,
        StaticTransform,
        Timebase,
    )
    from world_model_core.findings import Finding

__all__ = ['BundleContents', 'BundleParts', 'WorldBundle']

# Parts of a bundle in addition to its manifest.
PARTS = (
    'metadata', 'render_config', 'splats', 'heightmap', 'drivable', 'static_mesh', 'calibration',
    'tf_static', 'timebase', 'previews',
)  # fmt: skip


class BundleParts(Protocol):
    """Source of the parts of a bundle: a folder or values in memory."""

    @property
    def metadata(self) -> Metadata: ...  # noqa: D102 (see WorldBundle)

    @property
    def render_config(self) -> RenderConfig: ...  # noqa: D102

    @property
    def splats(self) -> Splats: ...  # noqa: D102

    @property
    def heightmap(self) -> Heightmap: ...  # noqa: D102

    @property
    def drivable(self) -> DrivableArea: ...  # noqa: D102

    @property
    def static_mesh(self) -> Mesh | None: ...  # noqa: D102

    @property
    def calibration(self) -> SensorCalibration: ...  # noqa: D102

    @property
    def tf_static(self) -> tuple[StaticTransform, ...]: ...  # noqa: D102

    @property
    def timebase(self) -> Timebase: ...  # noqa: D102

    @property
    def previews(self) -> Mapping[str, bytes]: ...  # noqa: D102

    @property
    def findings(self) -> tuple[Finding, ...]: ...  # noqa: D102


@dataclass(frozen=True, slots=True, eq=False)
class BundleContents:
    """
    Parts of a bundle in memory; see `WorldBundle`.

    The keys of `previews` must be paths of the manifest.
    """

    metadata: Metadata
    render_config: RenderConfig
    splats: Splats
    heightmap: Heightmap
    drivable: DrivableArea
    calibration: SensorCalibration
    tf_static: tuple[StaticTransform, ...]
    timebase: Timebase
    static_mesh: Mesh | None = None
    previews: Mapping[str, bytes] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class WorldBundle:
    """
    A scene.

    Each part is read on first use and then kept; BundleError reports why it cannot be read. Two
    threads that use a part at the same time may both read it and receive equal values. Comparing
    bundles reads all their parts.

    Parameters
    ----------
    manifest : Manifest
        Contents of world.yaml.
    parts : BundleParts
        Source of the other parts.

    """

    manifest: Manifest
    parts: BundleParts

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def metadata(self) -> Metadata:
        """Origin, frames and extent of the scene."""
        return self.parts.metadata

    @cached_property
    def render_config(self) -> RenderConfig:
        """Settings for rendering the splats."""
        return self.parts.render_config

    @cached_property
    def splats(self) -> Splats:
        """Gaussians of static objects."""
        return self.parts.splats

    @cached_property
    def heightmap(self) -> Heightmap:
        """Heights of the ground, memory-mapped."""
        return self.parts.heightmap

    @cached_property
    def drivable(self) -> DrivableArea:
        """Area in which the vehicle may drive."""
        return self.parts.drivable

    @cached_property
    def static_mesh(self) -> Mesh | None:
        """Triangles of static objects; None if the bundle has no mesh."""
        return self.parts.static_mesh

    @cached_property
    def mesh(self) -> Mesh:
        """Triangles of static objects, or of the ground if the bundle has no mesh."""
        mesh = self.static_mesh
        return mesh_from_heightmap(self.heightmap) if mesh is None else mesh

    @cached_property
    def calibration(self) -> SensorCalibration:
        """Cameras and LiDARs."""
        return self.parts.calibration

    @cached_property
    def cameras(self) -> Mapping[str, CalibratedCamera]:
        """Cameras by name, which project points and unproject pixels."""
        return {name: CalibratedCamera(spec) for name, spec in self.calibration.cameras.items()}

    @cached_property
    def tf_static(self) -> tuple[StaticTransform, ...]:
        """Static transforms."""
        return self.parts.tf_static

    @cached_property
    def timebase(self) -> Timebase:
        """Time step, rates of sensors, and start pose of the vehicle."""
        return self.parts.timebase

    @cached_property
    def previews(self) -> Mapping[str, bytes]:
        """Preview images and videos by path; each is read at every access."""
        return self.parts.previews

    @property
    def overview(self) -> bytes | None:
        """Overview image, a PNG file; None if there is none."""
        return self.previews.get(self.manifest.paths.get('preview/overview', ''))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Warnings and notes about the parts that have been read."""
        return self.parts.findings

    def __eq__(self, other: object) -> bool:
        """Return whether all contents are equal."""
        if not isinstance(other, WorldBundle):
            return NotImplemented
        return is_equal(self.manifest, other.manifest) and all(
            is_equal(getattr(self, part), getattr(other, part)) for part in PARTS
        )
