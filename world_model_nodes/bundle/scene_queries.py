# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Queries of the ground of the scene that world_bundle has loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.documents import parse
from world_model_core.errors import WorldModelError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from std_msgs.msg import String

    from world_model_core.bundle.bundle import WorldBundle
    from world_model_core.gaussian import Array

Answer = TypeVar('Answer')


class SceneQueries:
    """
    Keeps the latest scene, and loads its bundle at the first query.

    The files of the bundle are memory-mapped, so that answers are exact and need no messages. Its
    folder must be at the same path on this machine.

    Parameters
    ----------
    refuse : callable
        Called with the topic and the error if a message cannot be used.

    Attributes
    ----------
    scene : dict or None
        See scene.schema.json.

    """

    def __init__(self, refuse: Callable[[str, WorldModelError], None]) -> None:
        self._refuse = refuse
        self.scene: dict[str, Any] | None = None
        self._bundle: WorldBundle | None = None
        self._unread = False

    def hear(self, message: String) -> bool:
        """Take a message of topic scene; return whether it can be used."""
        try:
            self.scene = parse(message.data, 'scene')
        except WorldModelError as error:
            self._refuse('scene', error)
            return False
        self._bundle, self._unread = None, True
        return True

    def heights_at(self, points: ArrayLike) -> Array | None:
        """Return heights; see Heightmap.heights_at. None without a scene."""
        return self._ask(lambda bundle: bundle.heightmap.heights_at(points))

    def drivable_at(self, points: ArrayLike) -> NDArray[np.bool_] | None:
        """Return which points are drivable (DrivableArea.contains); None without a scene."""
        return self._ask(lambda bundle: bundle.drivable.contains(points))

    def distance_to_edge(self, points: ArrayLike) -> Array | None:
        """Return distances to the edge (DrivableArea.distance_to_edge); None without a scene."""
        return self._ask(lambda bundle: bundle.drivable.distance_to_edge(points))

    def _ask(self, question: Callable[[WorldBundle], Answer]) -> Answer | None:
        bundle = self._open()
        try:
            return None if bundle is None else question(bundle)
        except BundleError as error:
            self._refuse('scene', error)
            return None

    def _open(self) -> WorldBundle | None:
        """Load the bundle; try only once for each scene."""
        if self._unread and self.scene is not None:
            # Imported here because the import is slow and often not needed.
            from world_model_core.bundle.loading import load  # noqa: PLC0415

            self._unread = False
            try:
                self._bundle = load(self.scene['folder'])
            except BundleError as error:
                self._refuse('scene', error)
        return self._bundle
