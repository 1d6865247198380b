# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The scenes that the viewer knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_nodes.viewer.house_topics import HouseTopics
from world_model_nodes.viewer.match_topics import MatchTopics
from world_model_nodes.viewer.robots_topics import RobotsTopics

if TYPE_CHECKING:
    from world_model_nodes.viewer.bundle_topics import BundleTopics
    from world_model_nodes.viewer.subscriptions import SceneTopics
    from world_model_nodes.viewer.virtual_topics import VirtualTopics


def scene_topics(bundle: BundleTopics, virtual: VirtualTopics) -> tuple[SceneTopics, ...]:
    """Return the topics of each scene, not subscribed to yet; some are given."""
    return (MatchTopics(), HouseTopics(), bundle, RobotsTopics(), virtual)
