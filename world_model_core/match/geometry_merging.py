# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The geometry of a match whose cameras belong to several hosts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.match.ssl.values import Geometry


def merge_geometry(known: Geometry | None, news: Geometry) -> Geometry:
    """
    Add what a host tells to what all of them told before.

    Each host of ssl-vision knows its own cameras only, and not each need know the ball's
    constants. Taken one by one, their packets would change the field every second.

    Parameters
    ----------
    known : Geometry or None
        So far.
    news : Geometry
        Its field, cameras and constants win.

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
