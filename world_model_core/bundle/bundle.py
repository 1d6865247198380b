# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A World Bundle: a scene of Gaussian splats, ground, sensors and time, each part when asked."""

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

# What a bundle consists of, beside its manifest.
PARTS = (
    'metadata', 'render_config', 'splats', 'heightmap', 'drivable', 'static_mesh', 'calibration',
    'tf_static', 'timebase', 'previews',
)  # fmt: skip


class BundleParts(Protocol):
    """Where the parts of a bundle come from: a folder that is read, or values in memory."""

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
    The parts of a bundle in memory, as `WorldBundle` describes them.

    The paths at which `previews` are must be those of the manifest.
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

    Each part is read when it is first asked for, and then kept; BundleError says why it cannot
    be. Two threads that ask at once may both read it, and get equal values. Bundles are equal
    when all that is in them is, which reads both.

    Parameters
    ----------
    manifest : Manifest
        What world.yaml says.
    parts : BundleParts
        Where the rest comes from.

    """

    manifest: Manifest
    parts: BundleParts

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def metadata(self) -> Metadata:
        """Where the scene comes from, and how far it reaches."""
        return self.parts.metadata

    @cached_property
    def render_config(self) -> RenderConfig:
        """How splats become pictures."""
        return self.parts.render_config

    @cached_property
    def splats(self) -> Splats:
        """The Gaussians of what does not move."""
        return self.parts.splats

    @cached_property
    def heightmap(self) -> Heightmap:
        """The ground; its heights stay in the file until they are used."""
        return self.parts.heightmap

    @cached_property
    def drivable(self) -> DrivableArea:
        """Where one may drive."""
        return self.parts.drivable

    @cached_property
    def static_mesh(self) -> Mesh | None:
        """The triangles of what does not move, where the bundle has some."""
        return self.parts.static_mesh

    @cached_property
    def mesh(self) -> Mesh:
        """The triangles of what does not move; those of the ground where there are no others."""
        mesh = self.static_mesh
        return mesh_from_heightmap(self.heightmap) if mesh is None else mesh

    @cached_property
    def calibration(self) -> SensorCalibration:
        """The sensors."""
        return self.parts.calibration

    @cached_property
    def cameras(self) -> Mapping[str, CalibratedCamera]:
        """The cameras by name, which project points and unproject pixels."""
        return {name: CalibratedCamera(spec) for name, spec in self.calibration.cameras.items()}

    @cached_property
    def tf_static(self) -> tuple[StaticTransform, ...]:
        """The transforms that never change."""
        return self.parts.tf_static

    @cached_property
    def timebase(self) -> Timebase:
        """The time, the sensors' rates and where the vehicle begins."""
        return self.parts.timebase

    @cached_property
    def previews(self) -> Mapping[str, bytes]:
        """The files of pictures and films for people, by their paths; read when looked up."""
        return self.parts.previews

    @property
    def overview(self) -> bytes | None:
        """The picture of the whole, a PNG file, where there is one."""
        return self.previews.get(self.manifest.paths.get('preview/overview', ''))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is worth knowing of the parts read so far: warnings, and conventions guessed."""
        return self.parts.findings

    def __eq__(self, other: object) -> bool:
        """Tell if all contents are the same."""
        if not isinstance(other, WorldBundle):
            return NotImplemented
        return is_equal(self.manifest, other.manifest) and all(
            is_equal(getattr(self, part), getattr(other, part)) for part in PARTS
        )
