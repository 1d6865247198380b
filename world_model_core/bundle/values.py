# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Values of the small files of a bundle, in SI units and the map frame.

The map frame is ENU, base_link is FLU at the rear axle, quaternions are x, y, z, w and unit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.equality import Comparable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array


@dataclass(frozen=True, slots=True)
class Manifest:
    """
    world.yaml: paths of all files, relative to the bundle.

    Attributes
    ----------
    paths : mapping of str to str
        Keys are places in world.yaml: 'metadata', 'gaussians/background',
        'gaussians/render_config', 'geometry/heightmap', 'geometry/heightmap_meta',
        'geometry/drivable', 'geometry/static_mesh' (optional), 'sensors/calibration',
        'sensors/tf_static',
        'sim/timebase', 'preview/overview' (optional).
    camera_previews : tuple of str
    extra : mapping
        Keys that are not in the contract.

    """

    version: str
    scene_id: str
    paths: Mapping[str, str]
    camera_previews: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SceneSource:
    """Recording from which a scene was made; None for unknown values."""

    type: str | None
    file: str | None
    md5: str | None
    duration: float | None  # [s]
    size_bytes: int | None


@dataclass(frozen=True, slots=True)
class GeoOrigin:
    """Geographic position of the map origin: WGS 84 [deg, deg, m]."""

    latitude: float
    longitude: float
    altitude: float


@dataclass(frozen=True, slots=True)
class CoordinateSystem:
    """Names of the frames, and a description of their convention."""

    map_frame: str
    odom_frame: str
    base_link_frame: str
    convention: str
    origin: GeoOrigin | None


@dataclass(frozen=True, slots=True, eq=False)
class Extent(Comparable):
    """Box in the map frame: lowest and highest corner, shape (3,) each [m]."""

    lowest: Array
    highest: Array


@dataclass(frozen=True, slots=True, eq=False)
class Metadata(Comparable):
    """metadata.json: origin, frames and extent of a scene."""

    version: str
    scene_id: str
    created_at: str | None
    builder_version: str | None
    source: SceneSource | None
    coordinate_system: CoordinateSystem
    spatial_extent: Extent
    cameras: tuple[str, ...]
    lidars: tuple[str, ...]
    processing_info: Mapping[str, Any]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RenderConfig:
    """render_config.json: settings for rendering; colors are r, g, b in 0 to 1."""

    version: str
    gaussian_format: str
    sh_degree: int
    white_balance: tuple[float, float, float]
    exposure_compensation: float
    gamma: float
    background_color: tuple[float, float, float]
    near_plane: float  # [m]
    far_plane: float  # [m]
    extra: Mapping[str, Any] = field(default_factory=dict)


class CameraConvention(Enum):
    """Axes of a camera; "ros" in the contract means those of OpenGL, not of REP 103."""

    OPENCV = 'opencv'  # x right, y down, z forward
    OPENGL = 'ros'  # x right, y up, z back


class CameraModel(Enum):
    """Projection of directions to pixels."""

    PINHOLE = 'pinhole'
    FISHEYE = 'fisheye'


class Distortion(Enum):
    """Lens distortion: Brown-Conrady k1, k2, p1, p2; or Kannala-Brandt k1 to k4."""

    RADTAN = 'radtan'
    EQUIDISTANT = 'equidistant'


@dataclass(frozen=True, slots=True, eq=False)
class CameraSpec(Comparable):
    """
    A camera of calibration.yaml.

    Attributes
    ----------
    frame_id : str
    width, height : int
        [pixels]
    convention : CameraConvention
        Axes in which `pose` is given.
    model : CameraModel
    focal, center : tuple
        (fx, fy) and (cx, cy) [pixels].
    distortion : Distortion
    coefficients : tuple of float
        k1, k2, p1, p2, and k3 if it is not 0; or k1, k2, k3, k4.
    pose : Transform
        Pose of the camera, with its own axes, in base_link.
    rate : float
        [Hz]

    """

    frame_id: str
    width: int
    height: int
    convention: CameraConvention
    model: CameraModel
    focal: tuple[float, float]
    center: tuple[float, float]
    distortion: Distortion
    coefficients: tuple[float, ...]
    pose: Transform
    rate: float


@dataclass(frozen=True, slots=True, eq=False)
class LidarSpec(Comparable):
    """
    A LiDAR of calibration.yaml.

    Attributes
    ----------
    horizontal_resolution : float
        Angle between two rays of a ring [rad]; degrees in the file.
    vertical_view : tuple of float
        Elevation of the lowest and highest ray [rad]; degrees in the file.
    least_range, largest_range : float
        [m]
    pose : Transform
        Pose in base_link.
    rate : float
        [Hz]

    """

    frame_id: str
    model: str
    channels: int
    horizontal_resolution: float
    vertical_view: tuple[float, float]
    least_range: float
    largest_range: float
    pose: Transform
    rate: float


@dataclass(frozen=True, slots=True)
class SensorCalibration:
    """calibration.yaml: sensors by name."""

    version: str
    cameras: Mapping[str, CameraSpec]
    lidars: Mapping[str, LidarSpec]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class StaticTransform(Comparable):
    """A transform of tf_static.json: `child_frame_id` in `frame_id`."""

    frame_id: str
    child_frame_id: str
    transform: Transform


@dataclass(frozen=True, slots=True, eq=False)
class InitialPose(Comparable):
    """Pose of base_link in the map, and its velocity in the map, shape (3,) [m/s]."""

    pose: Transform
    velocity: Array


@dataclass(frozen=True, slots=True)
class Timebase:
    """
    timebase.yaml.

    Attributes
    ----------
    dt : float
        Time step of the simulation [s].
    start_time : float
        [s]
    sensor_rates : mapping of str to float
        [Hz], by kind of sensor: 'camera', 'lidar'.
    initial : InitialPose
        The map origin, at rest, if the file has none.

    """

    version: str
    dt: float
    start_time: float
    sensor_rates: Mapping[str, float]
    initial: InitialPose
    extra: Mapping[str, Any] = field(default_factory=dict)
