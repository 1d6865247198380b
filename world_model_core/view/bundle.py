# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A World Bundle as a scene: splats, ground, drivable area, and cameras on a vehicle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.frames import compose, pose_transform, quaternion_of
from world_model_core.time import to_seconds
from world_model_core.view.batches import Boxes, Lines
from world_model_core.view.colors import AXES, CAMERA, array_of
from world_model_core.view.frusta import camera_viewpoint, frustum_lines
from world_model_core.view.overviews import behind, overviews
from world_model_core.view.scene import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.frames import Transform
    from world_model_core.gaussian import Array
    from world_model_core.view.batches import Points
    from world_model_core.view.frusta import CameraFrustum
    from world_model_core.view.scene import Marks, Viewpoint
    from world_model_core.view.shown_bundle import ShownBundle

__all__ = ['BundleScene']

NAME = 'bundle'
# Of the vehicle [m, px].
AXIS_LENGTH, AXIS_WIDTH = 1.0, 4.0
# Depth of frusta, and edge of the boxes by which cameras are picked [m].
DEPTH, BODY = 1.5, 0.15
# The vehicle is seen from behind at this distance and from this height [m].
BEHIND, OVER = 8.0, 4.0


@dataclass(frozen=True, slots=True, eq=False)
class BundleScene:
    """
    The state of a scene of splats at a time.

    Attributes
    ----------
    time_ns : int
        [ns].
    document : mapping
        Document of the topic `scene`.
    shown : ShownBundle or None
        None until its files have been read.
    most_splats : int
        Number of splats to show.
    vehicle : Transform or None
        Pose of the vehicle in the map; None: where the scene starts.
    clock_ns : int or None
        Time of the scene [ns]; None if it has no time.
    problem : str
        Why the files cannot be read; empty if they can.
    cloud : Points or None
        Splats as points, shown in place of files that cannot be read.

    """

    time_ns: int
    document: Mapping[str, Any]
    shown: ShownBundle | None = None
    most_splats: int = 0
    vehicle: Transform | None = None
    clock_ns: int | None = None
    problem: str = ''
    cloud: Points | None = None

    @property
    def name(self) -> str:
        """First part of the names of its marks."""
        return NAME

    @property
    def size_bytes(self) -> int:
        """Memory that the state takes beyond what it shares with the states before it."""
        return 0

    def marks(self) -> Marks:
        """Return what is to be seen."""
        vehicle = {f'{NAME}/vehicle': _axes(self._vehicle)}
        if self.shown is None:
            return {} if self.cloud is None else {f'{NAME}/cloud': self.cloud, **vehicle}
        cameras = self.cameras()
        splats = self.shown.splats.first(self.most_splats)
        return {
            **self.shown.marks,
            **({f'{NAME}/splats': splats} if len(splats) else {}),
            **vehicle,
            **(_camera_marks(cameras) if cameras else {}),
        }

    def status(self) -> tuple[Row, ...]:
        """Return the scene, how many of its splats are shown, and its time."""
        return tuple(self._rows())

    def describe(self, item: str) -> tuple[Row, ...]:
        """Return what is known of a camera."""
        camera = self.document['cameras'].get(item)
        if camera is None:
            return ()
        return (
            Row('camera', item),
            Row('image', f'{camera["width"]} x {camera["height"]} px'),
            Row('lens', f'{camera["model"]}, {camera["distortion"]}'),
            Row('rate', f'{camera["rate"]:g} Hz'),
            Row('frame', camera['optical_frame_id']),
        )

    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """Return the views from above, from the side, and from behind the vehicle."""
        extent = self.document['extent']
        low, high = (np.array(extent[each], dtype=np.float64) for each in ('lowest', 'highest'))
        return (*overviews(low, high), behind(self._vehicle, BEHIND, OVER))

    def cameras(self) -> tuple[CameraFrustum, ...]:
        """Return the cameras with their poses in the map, to look through them."""
        if self.shown is None:
            return ()
        vehicle = self._vehicle
        return tuple(
            replace(camera, pose=compose(camera.pose, vehicle)) for camera in self.shown.cameras
        )

    def camera_viewpoints(self) -> dict[str, Viewpoint]:
        """Return the viewpoint of each camera by its name."""
        return {camera.name: camera_viewpoint(camera) for camera in self.cameras()}

    def position_of(self, item: str) -> Array | None:
        """Return the position of a camera [m], shape (3,), or None."""
        places = {camera.name: camera.pose.translation for camera in self.cameras()}
        return places.get(item)

    @property
    def _vehicle(self) -> Transform:
        if self.vehicle is not None:
            return self.vehicle
        start = self.document['initial']
        return pose_transform(start['position'], start['orientation'])

    def _rows(self) -> Iterator[Row]:
        document, heights = self.document, self.document['heightmap']
        yield Row('scene', document['scene_id'])
        if self.problem:
            yield Row('problem', self.problem)
        elif self.shown is None:
            yield Row('reading', document['folder'])
        else:
            count = min(self.most_splats, self.shown.splats.total)
            yield Row('splats', f'{count:,} / {self.shown.splats.total:,}')
        sides = (heights['width'], heights['height'])
        meters = ' x '.join(f'{max(side - 1, 0) * heights["resolution"]:g}' for side in sides)
        yield Row('ground', f'{meters} m')
        yield Row('drivable', f'{document["drivable"]["area"]:.0f} m²')
        if self.clock_ns is not None:
            yield Row('time', f'{to_seconds(self.clock_ns):.2f} s')
        warnings = sum(document['findings']['warning'].values())
        if warnings:
            yield Row('warnings', str(warnings))


def _camera_marks(cameras: tuple[CameraFrustum, ...]) -> Marks:
    # Behind the lens, so that they are not seen through it.
    behind_lens = [
        camera.pose.translation - BODY * camera.pose.rotation[:, 2] for camera in cameras
    ]
    return {
        f'{NAME}/cameras/frusta': frustum_lines(cameras, DEPTH, CAMERA),
        f'{NAME}/cameras/bodies': Boxes(
            tuple(camera.name for camera in cameras),
            np.array(behind_lens),
            quaternion_of(np.array([camera.pose.rotation for camera in cameras])),
            np.full(3, BODY),
            array_of(CAMERA),
        ),
    }


def _axes(vehicle: Transform) -> Lines:
    """Return the axes of the vehicle."""
    points = np.repeat(vehicle.translation[None, None], 3, axis=0).repeat(2, axis=1)
    points[:, 1] += AXIS_LENGTH * vehicle.rotation.T
    return Lines(points, array_of(*AXES), AXIS_WIDTH)
