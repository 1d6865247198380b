# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Answers what a controller asks about images, in two steps.

The query is checked in the step in which it comes, and the state of the world is copied; who has a
renderer answers it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from world_model_core.virtual_world.agents.queries import CAMERA, checked_arguments
from world_model_core.virtual_world.agents.value_kinds import ValueKind
from world_model_core.virtual_world.rendering.image_kinds import ImageKind
from world_model_core.virtual_world.rendering.viewpoints import numbered_viewpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.virtual_world.agents.value_kinds import ValueTypes
    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.image_kinds import Quality
    from world_model_core.virtual_world.rendering.renderer import Renderer
    from world_model_core.virtual_world.rendering.scene_states import SceneState
    from world_model_core.virtual_world.rendering.visible import VisibilityRule

__all__ = ['RENDERED', 'QueryOptions', 'rendered_query']

_IMAGE = (CAMERA, ('width', ValueKind.WHOLE), ('height', ValueKind.WHOLE))
# Arguments of the queries that need images.
RENDERED: dict[str, ValueTypes] = {
    'detect_entities': (CAMERA,),
    'capture_view': _IMAGE,
    'capture_depth': _IMAGE,
}


class QueryOptions(NamedTuple):
    """
    Options of the world for its queries.

    Attributes
    ----------
    quality : Quality
        Of colors.
    rule : VisibilityRule
        Decides what is detected.

    """

    quality: Quality
    rule: VisibilityRule


def rendered_query(
    engine: Engine,
    agent: str,
    method: str,
    arguments: Mapping[str, object],
    options: QueryOptions,
) -> Callable[[Renderer, SceneState], tuple[str, ...] | bytes]:
    """
    Check a query that needs images.

    Parameters
    ----------
    engine : Engine
        In the state to be seen.
    agent : str
        Name of the entity whose controller asks.
    method : str
        One of `RENDERED`.
    arguments : mapping of str to value
    options : QueryOptions

    Returns
    -------
    callable
        Answers with a renderer and a copy of the state: names of entities, or the pixels of an
        image, row by row: RGB in 8 bits each, or depth in little-endian float32 [m]. It raises
        RenderingError if the size is beyond its limits, or the driver does not work.

    Raises
    ------
    EngineError, RenderingError
        There is no such camera, or an argument is invalid.

    """
    camera, *size = checked_arguments(method, RENDERED[method], arguments)
    viewpoint = numbered_viewpoint(engine, agent, camera)
    if method == 'detect_entities':
        return options.rule.finder(engine, viewpoint, agent)
    if method == 'capture_view':
        return lambda renderer, state: renderer.capture(
            state, ImageKind.COLOR, viewpoint, *size, quality=options.quality
        ).tobytes()
    return lambda renderer, state: (
        renderer.capture(state, ImageKind.DEPTH, viewpoint, *size).astype('<f4').tobytes()
    )
