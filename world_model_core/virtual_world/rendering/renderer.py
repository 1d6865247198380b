# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images of a virtual world, by the OpenGL renderer of MuJoCo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.rendering.contexts import (
    Driver,
    LostContextError,
    RenderingError,
    abandon,
    open_context,
)
from world_model_core.virtual_world.rendering.drawing import Drawing
from world_model_core.virtual_world.rendering.image_kinds import LARGEST_SIZE, ImageKind, Quality

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.virtual_world.rendering.contexts import Context
    from world_model_core.virtual_world.rendering.scene_states import SceneModel, SceneState
    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint

__all__ = ['Renderer']


class Renderer:
    """
    Makes images; all in the thread that makes the first one.

    Parameters
    ----------
    driver : Driver

    Attributes
    ----------
    reopened : int
        How often the context of OpenGL was lost and opened again.

    """

    def __init__(self, driver: Driver) -> None:
        self.reopened = 0
        self._driver = driver
        self._context: Context | None = None
        self._drawings: dict[Quality, Drawing] = {}

    def capture(
        self,
        state: SceneState,
        kind: ImageKind,
        viewpoint: Viewpoint,
        width: int,
        height: int,
        *,
        quality: Quality = Quality.FAST,
    ) -> NDArray[Any]:
        """
        Make an image of a state.

        Parameters
        ----------
        state : SceneState
        kind : ImageKind
        viewpoint : Viewpoint
        width, height : int
            From 1 to `LARGEST_SIZE` [pixels].
        quality : Quality
            Of colors.

        Returns
        -------
        array, shape (height, width, 3) or (height, width)
            The upper left corner first. By kind:

            - COLOR: RGB, uint8, shape (height, width, 3).
            - DEPTH: distances along the axis of the camera, float32 [m]; +inf where nothing is
              within `FAR` (REP 117).
            - SEGMENTATION: indices in `state.scene.names`, int32; -1: no entity.
            - PARTS: indices in `state.scene.parts`, int32; -1: nothing.

        Raises
        ------
        RenderingError
            The size is beyond its limits, or the driver does not work.

        """
        if not (1 <= width <= LARGEST_SIZE and 1 <= height <= LARGEST_SIZE):
            raise RenderingError(
                f'size of the image is {width} x {height}; both must be from 1 to {LARGEST_SIZE}'
            )
        wanted = (state, kind, viewpoint, width, height)
        try:
            return self._image(*wanted, quality=quality)
        except LostContextError:
            self.reopened += 1
            self._abandon()
        return self._image(*wanted, quality=quality)

    def close(self) -> None:
        """Free what the driver holds."""
        for drawing in self._drawings.values():
            drawing.close()
        self._drawings.clear()
        if self._context is not None:
            self._context.free()
            self._context = None

    def _image(
        self,
        state: SceneState,
        kind: ImageKind,
        viewpoint: Viewpoint,
        width: int,
        height: int,
        *,
        quality: Quality,
    ) -> NDArray[Any]:
        self._use_context()
        drawing = self._drawing(state.scene, kind, quality)
        view = (state, viewpoint, width, height)
        if kind is ImageKind.COLOR:
            return drawing.color(*view)
        if kind is ImageKind.DEPTH:
            return drawing.depth(*view)
        parts = drawing.parts(*view)
        return parts if kind is ImageKind.PARTS else state.scene.entities_of(parts)

    def _use_context(self) -> None:
        """Use the context in this thread; the first time it is opened."""
        if self._context is None:
            self._context = open_context(self._driver)
            return
        try:
            self._context.make_current()
        # PyOpenGL has an error class for each driver.
        except Exception as error:
            raise LostContextError(f'the context of {self._driver.value} was lost') from error

    def _abandon(self) -> None:
        """Free what is lost before another context has buffers with the same numbers."""
        if self._context is not None:
            abandon(self._driver, self._context)
        self.close()

    def _drawing(self, scene: SceneModel, kind: ImageKind, quality: Quality) -> Drawing:
        """Return what draws a scene; those of another scene are freed."""
        for other, drawing in tuple(self._drawings.items()):
            if drawing.scene is not scene:
                drawing.close()
                del self._drawings[other]
        if kind is not ImageKind.COLOR:
            quality = Quality.FAST
        if quality not in self._drawings:
            self._drawings[quality] = Drawing(scene, full=quality is Quality.FULL)
        return self._drawings[quality]
