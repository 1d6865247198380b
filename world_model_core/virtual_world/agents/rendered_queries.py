# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Answers what a controller asks about images, in two steps.

The query is checked in the step in which it comes, and the state of the world is copied; who has a
renderer answers it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from world_model_core.virtual_world.agents.queries import CAMERA, checked_arguments
from world_model_core.virtual_world.agents.value_kinds import ValueKind
from world_model_core.virtual_world.rendering.image_kinds import ImageKind
from world_model_core.virtual_world.rendering.viewpoints import numbered_viewpoint
from world_model_core.virtual_world.rendering.visible import detect_entities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.agents.value_kinds import ValueTypes
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.image_kinds import Quality
    from world_model_core.virtual_world.rendering.renderer import Renderer
    from world_model_core.virtual_world.rendering.scene_states import SceneState
    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint

__all__ = ['RENDERED', 'RenderedQuery', 'rendered_query']

# Size of the images in which entities are detected, as SIGVerse's [pixels].
DETECTION_SIZE = (320, 240)
_IMAGE = (CAMERA, ('width', ValueKind.WHOLE), ('height', ValueKind.WHOLE))
# Arguments of the queries that need images.
RENDERED: dict[str, ValueTypes] = {
    'detect_entities': (CAMERA,),
    'capture_view': _IMAGE,
    'capture_depth': _IMAGE,
}


class RenderedQuery(NamedTuple):
    """
    A query that needs images.

    Attributes
    ----------
    method : str
    agent : str
        Name of the entity whose controller asks.
    viewpoint : Viewpoint
    size : tuple of int
        Width and height of the image [pixels].

    """

    method: str
    agent: str
    viewpoint: Viewpoint
    size: tuple[int, int]

    def answer(self, renderer: Renderer, state: SceneState, quality: Quality) -> Any:
        """
        Answer the query.

        Returns
        -------
        tuple of str or bytes
            Names of entities, or the pixels of an image, row by row: RGB in 8 bits each, or depth
            in little-endian float32 [m].

        Raises
        ------
        RenderingError
            The size is beyond its limits, or the driver does not work.

        """
        if self.method == 'detect_entities':
            found = detect_entities(renderer, state, self.viewpoint, self.size, exclude=self.agent)
            return tuple(found)
        if self.method == 'capture_view':
            return renderer.capture(
                state, ImageKind.COLOR, self.viewpoint, *self.size, quality=quality
            ).tobytes()
        depth = renderer.capture(state, ImageKind.DEPTH, self.viewpoint, *self.size)
        return depth.astype('<f4').tobytes()


def rendered_query(
    engine: Engine, agent: str, method: str, arguments: Mapping[str, object]
) -> RenderedQuery:
    """
    Check a query that needs images: one of `RENDERED`.

    Raises
    ------
    EngineError, RenderingError
        There is no such camera, or an argument is invalid.

    """
    camera, *size = checked_arguments(method, RENDERED[method], arguments)
    width, height = size or DETECTION_SIZE
    return RenderedQuery(method, agent, numbered_viewpoint(engine, agent, camera), (width, height))
