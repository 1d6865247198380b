# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All that `world_model watch` has received at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from world_model_nodes.match.watch_view import MatchView
from world_model_nodes.objects.watch_view import ObjectsView
from world_model_nodes.uncertainty.watch_view import FleetView
from world_model_nodes.virtual_world.watch_view import WorldView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.view.health import NodeHealth


@dataclass(frozen=True, slots=True, eq=False)
class WatchSnapshot:
    """
    All that has been received at one moment; each scenario fills its own part.

    Parameters
    ----------
    elapsed : float
        Since the watch began [s].
    match : MatchView
        Ball, robots and game of a match.
    objects : ObjectsView
        Objects of a house and the answer to a question.
    scene : Mapping or None
        A bundle's scene, as by scene.schema.json.
    fleet : FleetView
        Simulated robots and their localization.
    world : WorldView
        A virtual world.
    health : Mapping of str to NodeHealth
        By node.

    """

    elapsed: float
    match: MatchView = field(default_factory=MatchView)
    objects: ObjectsView = field(default_factory=ObjectsView)
    scene: Mapping[str, Any] | None = None
    fleet: FleetView = field(default_factory=FleetView)
    world: WorldView = field(default_factory=WorldView)
    health: Mapping[str, NodeHealth] = field(default_factory=dict)
