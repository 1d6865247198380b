# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The example bundle: a village in the hills, small and complete.

It is made of the modules in this folder and of nothing else, the same each time.
"""

from __future__ import annotations

import hashlib
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial.transform import Rotation

from world_model_core.bundle.bundle import BundleContents, WorldBundle
from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.bundle.geometry.terrain_mesh import mesh_from_heightmap
from world_model_core.bundle.rendering.png import png
from world_model_core.bundle.rendering.splat_picture import PictureCamera, draw_splats
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
)
from world_model_core.bundle.splats.splats import SH_BAND_0, Splats
from world_model_core.bundle.values import (
    CoordinateSystem,
    Extent,
    GeoOrigin,
    InitialPose,
    Manifest,
    Metadata,
    RenderConfig,
    SceneSource,
    Timebase,
)
from world_model_core.examples.village.ground import heights
from world_model_core.examples.village.houses import paint_houses
from world_model_core.examples.village.light import Shadows, lit, mirrored
from world_model_core.examples.village.meadow import DEEP, land_colors, paint_land
from world_model_core.examples.village.paint import together
from world_model_core.examples.village.plan import (
    HIGHEST,
    LOWEST,
    MAIN,
    POND,
    distance_to_road,
    drivable_areas,
    main_road,
)
from world_model_core.examples.village.rig import (
    BASE,
    CAMERA_RATE,
    LIDAR_RATE,
    VERSION,
    calibration,
    static_transforms,
)
from world_model_core.examples.village.roads import ASPHALT, Ribbon, paint_roads
from world_model_core.examples.village.solids import solids
from world_model_core.examples.village.trees import grow
from world_model_core.frames import Transform, rotation_about_z

if TYPE_CHECKING:
    from numpy.random import Generator

    from world_model_core.bundle.geometry.mesh import Mesh
    from world_model_core.examples.village.trees import Tree

CONVENTIONS = ResolvedConventions(QuaternionOrder.XYZW, ScaleEncoding.LOG, OpacityEncoding.LOGIT)
SCENE = 'example_village'
SOURCE = 'example.py'  # what the scene is made of: this module, which took no time to record
SEED = 5  # of where leaves of grass and trees are
RESOLUTION = 0.5  # of the heightmap [m]
TRIANGLES = 14000  # of the ground's mesh at most: that is each second node, up to the border
SKY = np.array(((0.62, 0.78, 0.92), (0.93, 0.95, 0.96)))  # of the picture, at its top and bottom
OVERVIEW = 'preview/overview.png'
VIEW = PictureCamera((-44.0, -90.0, 68.0), (-2.5, -7.0, 0.0), 960, 600, np.radians(50.0).item())
START, SPEED = 16.0, 5.0  # how far along the main road the vehicle begins [m]; how fast [m/s]


def example_bundle() -> WorldBundle:
    """Make the example."""
    chance = np.random.default_rng(SEED)
    trees = grow(chance)
    splats = _splats(trees, chance)
    heightmap = _heightmap()
    sensors = calibration()
    contents = BundleContents(
        metadata=_metadata(splats, heightmap),
        render_config=_render_config(splats),
        splats=splats,
        heightmap=heightmap,
        drivable=_drivable(),
        static_mesh=_mesh(heightmap, trees, chance),
        calibration=sensors,
        tf_static=static_transforms(sensors),
        timebase=_timebase(),
        previews={OVERVIEW: png(draw_splats(splats, VIEW, SKY))},
    )
    return WorldBundle(_manifest(), contents)


def _manifest() -> Manifest:
    paths = {
        'metadata': 'metadata.json',
        'gaussians/background': 'gaussians/background.splat.ply',
        'gaussians/render_config': 'gaussians/render_config.json',
        'geometry/heightmap': 'geometry/heightmap.bin',
        'geometry/heightmap_meta': 'geometry/heightmap.yaml',
        'geometry/drivable': 'geometry/drivable.geojson',
        'geometry/static_mesh': 'geometry/static_mesh.glb',
        'sensors/calibration': 'sensors/calibration.yaml',
        'sensors/tf_static': 'sensors/tf_static.json',
        'sim/timebase': 'sim/timebase.yaml',
        'preview/overview': OVERVIEW,
    }
    return Manifest(VERSION, SCENE, paths)


def _metadata(splats: Splats, heightmap: Heightmap) -> Metadata:
    lowest, highest = splats.bounds
    least, most = heightmap.height_range
    extent = Extent(
        np.floor(np.minimum(lowest, (*LOWEST, least))).astype(np.float64),
        np.ceil(np.maximum(highest, (*HIGHEST, most))).astype(np.float64),
    )
    own = resources.files(__package__).joinpath(SOURCE).read_bytes()
    return Metadata(
        version=VERSION,
        scene_id=SCENE,
        created_at='2026-02-14T10:30:00Z',
        builder_version='world_model-0.1.0',
        source=SceneSource('procedural', SOURCE, _md5(own), 0.0, len(own)),
        coordinate_system=CoordinateSystem(
            'map', 'odom', BASE, 'ROS2 REP-103 (FLU)', GeoOrigin(36.2578, 136.9061, 496.0)
        ),
        spatial_extent=extent,
        cameras=('front', 'left', 'right', 'rear'),
        lidars=('top',),
        processing_info={'seed': SEED, 'gaussians': splats.count},
    )


def _md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()


def _render_config(splats: Splats) -> RenderConfig:
    return RenderConfig(
        version=VERSION,
        gaussian_format='splat_ply',
        sh_degree=splats.sh_degree,
        white_balance=(1.0, 1.0, 1.0),
        exposure_compensation=0.0,
        gamma=2.2,
        background_color=tuple(SKY[0].tolist()),
        near_plane=0.1,
        far_plane=500.0,
    )


def _splats(trees: tuple[Tree, ...], chance: Generator) -> Splats:
    things = (paint_land(chance), paint_roads(chance), paint_houses(chance))
    paint = together((*things, *(tree.paint(chance) for tree in trees)))
    single = partial(np.ascontiguousarray, dtype=np.float32)
    return Splats(
        positions=single(paint.positions),
        scales=single(np.log(paint.scales)),
        rotations=single(Rotation.from_matrix(paint.axes).as_quat()),
        opacities=single(np.log(paint.opacities / (1.0 - paint.opacities))[:, None]),
        sh_dc=single((lit(paint, Shadows(trees)) - 0.5) / SH_BAND_0),
        sh_rest=single(mirrored(paint)),
        conventions=CONVENTIONS,
    )


def _heightmap() -> Heightmap:
    columns, rows = (np.round((HIGHEST - LOWEST) / RESOLUTION) + 1).astype(int)
    x, y = LOWEST[0] + RESOLUTION * np.arange(columns), LOWEST[1] + RESOLUTION * np.arange(rows)
    nodes = np.stack(np.meshgrid(x, y), axis=-1)
    found = heights(nodes).astype(np.float32)
    x0, y0 = LOWEST.tolist()
    return Heightmap(
        VERSION, found, RESOLUTION, (x0, y0), (found.min().item(), found.max().item())
    )


def _drivable() -> DrivableArea:
    main, side = drivable_areas()
    areas = (
        DrivablePolygon(main, speed_limit=50.0 / 3.6, priority=1.0),
        DrivablePolygon(side, speed_limit=30.0 / 3.6, priority=0.0),
    )
    return DrivableArea(areas, crs='map')


def _mesh(heightmap: Heightmap, trees: tuple[Tree, ...], chance: Generator) -> Mesh:
    ground = mesh_from_heightmap(heightmap, TRIANGLES)
    places = ground.vertices[:, :2].astype(np.float64)
    colors = land_colors(places, chance)
    colors[POND.distance(places) < 0.0] = DEEP
    colors[distance_to_road(places) < 0.0] = ASPHALT
    return solids(ground, trees, colors)


def _timebase() -> Timebase:
    """Begin in the right lane of the main road, driving east."""
    road = Ribbon(main_road(), MAIN)
    place, ahead = (each[0] for each in road.at(np.array([START]), -0.5 * MAIN))
    position = np.append(place, heights(place)).round(3)
    heading = rotation_about_z(np.arctan2(ahead[1], ahead[0]))
    velocity = SPEED * np.append(ahead, 0.0)
    return Timebase(
        version=VERSION,
        dt=0.01,
        start_time=0.0,
        sensor_rates={'camera': CAMERA_RATE, 'lidar': LIDAR_RATE},
        initial=InitialPose(Transform(heading, position), velocity.round(3)),
    )
