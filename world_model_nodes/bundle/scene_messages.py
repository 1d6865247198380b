# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Messages of a scene, all created before the first one is published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from std_msgs.msg import String

from world_model_core.bundle.checking.sensor_checks import sensor_transforms
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.geometry.glb_writer import write_mesh
from world_model_core.bundle.geometry.terrain_mesh import mesh_from_heightmap
from world_model_core.bundle.scene.scene_document import scene_document
from world_model_core.bundle.sensors.scene_frames import scene_frames
from world_model_core.bundle.splats.splats import colored_points
from world_model_core.bundle.values import StaticTransform
from world_model_core.documents import write
from world_model_core.findings import Severity
from world_model_core.simulation.simulated_time import Timeline
from world_model_nodes.bundle.convert_cameras import calibrated_camera_info
from world_model_nodes.bundle.convert_grid_map import GridMap, grid_map_message
from world_model_nodes.bundle.convert_scene import (
    drivable_grid,
    heightmap_cloud,
    initial_pose_message,
    splat_cloud,
    static_frames_message,
)
from world_model_nodes.bundle.markers import drivable_markers, mesh_marker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from nav_msgs.msg import OccupancyGrid, Odometry
    from sensor_msgs.msg import CameraInfo, PointCloud2
    from tf2_msgs.msg import TFMessage
    from visualization_msgs.msg import Marker, MarkerArray

    from world_model_core.bundle.bundle import WorldBundle
    from world_model_core.bundle.sensors.scene_frames import SceneFrames
    from world_model_core.findings import Finding

# Maximum number of triangles of the ground mesh.
MOST_TRIANGLES = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class SceneMessages:
    """
    Messages of a scene.

    `cameras`, `rates` [Hz] are by camera name; `warnings`, `hints` are log lines. The other
    attributes are the messages of the topics with their names.
    """

    scene_id: str
    folder: Path
    timeline: Timeline
    cameras: Mapping[str, CameraInfo]
    rates: Mapping[str, float]
    warnings: tuple[str, ...]
    hints: tuple[str, ...]
    tf_static: TFMessage
    scene: String
    initial_pose: Odometry
    mesh: Marker
    drivable: OccupancyGrid
    drivable_markers: MarkerArray
    heightmap: PointCloud2
    grid_map: Any
    splats: PointCloud2


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """
    Options for publishing a scene.

    Attributes
    ----------
    most_points : int
        Maximum number of points in a cloud.
    place_base_link : bool
        Publish the initial pose as the transform of base_link.
    ground_file : Path
        File for a mesh of the ground if the bundle has no mesh.
    number : int
        Number of the scene.

    """

    most_points: int
    place_base_link: bool
    ground_file: Path
    number: int


def scene_messages(bundle: WorldBundle, folder: Path, showing: DisplayOptions) -> SceneMessages:
    """
    Create all messages of a bundle.

    Raises
    ------
    BundleError
        A part cannot be read.

    """
    system = bundle.metadata.coordinate_system
    map_frame, base_link = system.map_frame, system.base_link_frame
    frames = scene_frames(bundle.tf_static, bundle.calibration, base_link)
    cameras = bundle.calibration.cameras
    document = scene_document(bundle, folder, showing.number, frames.optical)
    return SceneMessages(
        scene_id=bundle.manifest.scene_id,
        folder=folder,
        timeline=Timeline(bundle.timebase.start_time, bundle.timebase.dt),
        cameras={
            name: calibrated_camera_info(spec, frames.optical[name])
            for name, spec in cameras.items()
        },
        rates={name: spec.rate for name, spec in cameras.items()},
        warnings=_lines((*_of(Severity.WARNING, bundle), *_contradictions(bundle))),
        hints=_lines(_of(Severity.INFO, bundle)),
        tf_static=static_frames_message(_all_frames(bundle, frames, showing)),
        scene=String(data=write(document)),
        initial_pose=initial_pose_message(bundle.timebase.initial, map_frame, base_link),
        mesh=mesh_marker(_mesh_file(bundle, folder, showing), map_frame),
        drivable=drivable_grid(bundle.drivable, bundle.heightmap, map_frame),
        drivable_markers=drivable_markers(bundle.drivable, bundle.heightmap, map_frame),
        heightmap=heightmap_cloud(bundle.heightmap, map_frame, showing.most_points),
        grid_map=None if GridMap is None else grid_map_message(bundle.heightmap, map_frame),
        splats=splat_cloud(colored_points(bundle.splats, showing.most_points), map_frame),
    )


def _all_frames(
    bundle: WorldBundle, frames: SceneFrames, showing: DisplayOptions
) -> tuple[StaticTransform, ...]:
    """Add the transform of base_link, if requested and not in the bundle."""
    system = bundle.metadata.coordinate_system
    held = any(each.child_frame_id == system.base_link_frame for each in frames.transforms)
    if held or not showing.place_base_link:
        return frames.transforms
    pose = bundle.timebase.initial.pose
    start = StaticTransform(system.map_frame, system.base_link_frame, pose)
    return (start, *frames.transforms)


def _mesh_file(bundle: WorldBundle, folder: Path, showing: DisplayOptions) -> Path:
    """Return the mesh file; write a mesh of the ground if there is none."""
    if bundle.static_mesh is not None:
        return folder / bundle.manifest.paths['geometry/static_mesh']
    ground = mesh_from_heightmap(bundle.heightmap, MOST_TRIANGLES)
    write_mesh(showing.ground_file, ground)
    return showing.ground_file


def _of(severity: Severity, bundle: WorldBundle) -> tuple[Finding, ...]:
    """Return the findings of a severity."""
    return tuple(each for each in bundle.findings if each.rule.severity is severity)


def _contradictions(bundle: WorldBundle) -> tuple[Finding, ...]:
    """Compare the static transforms with the calibration."""
    found = bundle_findings()
    sensor_transforms(
        bundle.manifest, bundle.calibration, bundle.tf_static, found, bundle.metadata
    )
    return tuple(found.all)


def _lines(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    return tuple(
        f'{each.file}{" at " if each.where else ""}{each.where}: {each.rule.code}: '
        f'{each.message()}'
        for each in findings
    )
