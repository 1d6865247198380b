# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A scene in MuJoCo's renderer: what OpenGL holds of a model, and its pixels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.frames import rotation_of
from world_model_core.virtual_world.rendering.contexts import LostContextError
from world_model_core.virtual_world.rendering.pixels import distances_of, entries_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.virtual_world.rendering.scene_states import SceneModel, SceneState
    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint

__all__ = ['FAR', 'NEAR', 'Drawing']

# Distances along the axis of the camera between which things are visible, as in SIGVerse [m].
NEAR, FAR = 0.03, 50.0
# Endless planes are drawn up to this distance [m].
END_OF_PLANES = 2.0 * FAR
# Size of the shadow map, and samples of a pixel, of full quality.
SHADOW_SIZE, SAMPLES = 4096, 4
# Geoms of tendons and others, whose number changes, in addition to those of bodies.
MORE_GEOMS = 1000

_OFFSCREEN = mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value
_SMALLEST_FONT = mujoco.mjtFontScale.mjFONTSCALE_50.value
_ALL = mujoco.mjtCatBit.mjCAT_ALL.value
_RND, _VIS = mujoco.mjtRndFlag, mujoco.mjtVisFlag
_GEOM = int(mujoco.mjtObj.mjOBJ_GEOM)
# Marks that MuJoCo draws for the authors of models.
_MARKS = (_VIS.mjVIS_RANGEFINDER, _VIS.mjVIS_PERTOBJ, _VIS.mjVIS_FLEXEDGE)


class Drawing:
    """
    Draws the states of a scene; a context of OpenGL is current whenever it is used.

    Parameters
    ----------
    scene : SceneModel
    full : bool
        Whether colors have shadows and smooth edges.

    """

    def __init__(self, scene: SceneModel, *, full: bool) -> None:
        self.scene = scene
        self._full = full
        self._state: SceneState | None = None
        model = scene.model
        model.vis.quality.shadowsize = SHADOW_SIZE if full else 0
        model.vis.quality.offsamples = SAMPLES if full else 0
        model.vis.map.zfar = END_OF_PLANES / model.stat.extent
        self._data = mujoco.MjData(model)
        self._geoms = mujoco.MjvScene(model, maxgeom=model.ngeom + MORE_GEOMS)
        self._options = _options()
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_USER
        self._opengl = mujoco.MjrContext(model, _SMALLEST_FONT)
        self._opengl.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
        mujoco.mjr_setBuffer(_OFFSCREEN, self._opengl)
        self._table = _SegmentTable(scene)

    def close(self) -> None:
        """Free what OpenGL holds."""
        self._opengl.free()

    def color(
        self, state: SceneState, viewpoint: Viewpoint, width: int, height: int
    ) -> NDArray[np.uint8]:
        """Return an image in RGB, shape (height, width, 3)."""
        view = self._draw(state, viewpoint, width, height, colored=True)
        pixels = np.empty((height, width, 3), np.uint8)
        self._read(pixels, None, view)
        return np.ascontiguousarray(pixels[::-1])

    def depth(
        self, state: SceneState, viewpoint: Viewpoint, width: int, height: int
    ) -> NDArray[np.float32]:
        """Return distances along the axis of the camera [m], shape (height, width)."""
        view = self._draw(state, viewpoint, width, height, colored=False)
        pixels = np.empty((height, width), np.float32)
        self._read(None, pixels, view)
        return distances_of(pixels[::-1], NEAR, FAR)

    def parts(
        self, state: SceneState, viewpoint: Viewpoint, width: int, height: int
    ) -> NDArray[np.int32]:
        """Return indices in `scene.parts`, or -1, shape (height, width)."""
        view = self._draw(state, viewpoint, width, height, colored=False)
        pixels = np.empty((height, width, 3), np.uint8)
        self._read(pixels, None, view)
        return entries_of(pixels[::-1], self._table.read(self._geoms))

    def _draw(
        self, state: SceneState, viewpoint: Viewpoint, width: int, height: int, *, colored: bool
    ) -> Any:
        """Draw a state, and return the rectangle of the image."""
        self._make_room(width, height)
        if state is not self._state:
            state.restore(self._data)
            self._state = state
        self._set_camera(viewpoint)
        flags = self._geoms.flags
        flags[_RND.mjRND_SHADOW] = flags[_RND.mjRND_REFLECTION] = colored and self._full
        flags[_RND.mjRND_HAZE] = False
        flags[_RND.mjRND_SEGMENT] = flags[_RND.mjRND_IDCOLOR] = not colored
        mujoco.mjv_updateScene(
            self.scene.model, self._data, self._options, None, self._camera, _ALL, self._geoms
        )
        view = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(view, self._geoms, self._opengl)
        return view

    def _read(
        self, colors: NDArray[np.uint8] | None, depths: NDArray[np.float32] | None, view: Any
    ) -> None:
        """
        Read the pixels of the image, the lowest row first.

        Raises
        ------
        LostContextError
            OpenGL reports an error; MuJoCo itself does not look at it.

        """
        mujoco.mjr_readPixels(colors, depths, view, self._opengl)
        if error := mujoco.mjr_getError():
            raise LostContextError(f'OpenGL has drawn no image: error 0x{error:04X}')

    def _make_room(self, width: int, height: int) -> None:
        """Enlarge the buffer, unless an image fits into it."""
        opengl = self._opengl
        if width > opengl.offWidth or height > opengl.offHeight:
            largest = max(width, opengl.offWidth), max(height, opengl.offHeight)
            mujoco.mjr_resizeOffscreen(*largest, opengl)

    def _set_camera(self, viewpoint: Viewpoint) -> None:
        """Look from a viewpoint: from there MuJoCo also places its headlight and planes."""
        rotation = rotation_of(viewpoint.pose.orientation)
        half = NEAR * math.tan(0.5 * viewpoint.vertical_fov)
        # Two, of the left and the right eye, of which MuJoCo takes the mean.
        for camera in self._geoms.camera:
            camera.pos[:] = viewpoint.pose.position
            camera.forward[:] = rotation[:, 0]
            camera.up[:] = rotation[:, 2]
            camera.frustum_center = 0.0
            camera.frustum_width = half * viewpoint.aspect_ratio
            camera.frustum_bottom, camera.frustum_top = -half, half
            camera.frustum_near, camera.frustum_far = NEAR, FAR


class _SegmentTable:
    """
    Which part each segment of an image shows.

    Parameters
    ----------
    scene : SceneModel

    """

    def __init__(self, scene: SceneModel) -> None:
        model = scene.model
        firsts = {entity: index for index, (entity, _) in reversed([*enumerate(scene.parts)])}
        self._owners = {_GEOM: model.geom_bodyid}
        for kind, count in (
            (mujoco.mjtObj.mjOBJ_TENDON, model.ntendon),
            (mujoco.mjtObj.mjOBJ_FLEX, model.nflex),
            (mujoco.mjtObj.mjOBJ_SKIN, model.nskin),
        ):
            names = (mujoco.mj_id2name(model, kind, index) or '' for index in range(count))
            parts = [firsts.get(name.partition('/')[0], 0) for name in names]
            self._owners[int(kind)] = np.array(parts, np.int32)

    def read(self, drawn: Any) -> NDArray[np.int32]:
        """Return the part of each segment; the first is the background, -1."""
        table = np.full(drawn.ngeom + 1, -1, np.int32)
        for geom in drawn.geoms[: drawn.ngeom]:
            if geom.segid >= 0:
                table[geom.segid + 1] = self._owners[geom.objtype][geom.objid]
        return table


def _options() -> Any:
    """Return what is drawn: things, and no marks for the authors of models."""
    options = mujoco.MjvOption()
    options.sitegroup[:] = 0
    for mark in _MARKS:
        options.flags[mark] = False
    return options
