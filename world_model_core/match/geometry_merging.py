# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Merges the geometry packets of several ssl-vision hosts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import Geometry


def merge_geometry(known: Geometry | None, news: Geometry) -> Geometry:
    """
    Merge the geometry of one host into that of all hosts.

    Each host of ssl-vision sends only its own cameras, and not every host sends the ball models.
    Without merging, their packets would change the field every second.

    Parameters
    ----------
    known : Geometry or None
        The merged geometry so far.
    news : Geometry
        New packet; its field, cameras and ball models take precedence.

    """
    if known is None:
        return news
    cameras = {camera.camera_id: camera for camera in (*known.cameras, *news.cameras)}
    return replace(
        news,
        cameras=tuple(cameras.values()),
        straight=news.straight or known.straight,
        chip=news.chip or known.chip,
    )
