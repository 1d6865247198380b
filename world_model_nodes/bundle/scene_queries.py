# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Questions about the ground of the scene that world_bundle has loaded."""

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
    Keeps the newest scene, and opens its bundle when it is first asked of.

    The bundle's own files are read, memory-mapped, so that answers are exact and cost no message:
    its folder must be on this machine, or mounted at the same path.

    Parameters
    ----------
    refuse : callable
        Called with a topic and the error, when that could not be read.

    Attributes
    ----------
    scene : dict or None
        As by scene.schema.json.

    """

    def __init__(self, refuse: Callable[[str, WorldModelError], None]) -> None:
        self._refuse = refuse
        self.scene: dict[str, Any] | None = None
        self._bundle: WorldBundle | None = None
        self._unread = False

    def hear(self, message: String) -> None:
        """Take a message of topic scene."""
        try:
            self.scene = parse(message.data, 'scene')
        except WorldModelError as error:
            self._refuse('scene', error)
        else:
            self._bundle, self._unread = None, True

    def heights_at(self, points: ArrayLike) -> Array | None:
        """Look up the ground, as Heightmap.heights_at; None without a scene."""
        return self._ask(lambda bundle: bundle.heightmap.heights_at(points))

    def drivable_at(self, points: ArrayLike) -> NDArray[np.bool_] | None:
        """Tell where one may drive, as Drivable.contains; None without a scene."""
        return self._ask(lambda bundle: bundle.drivable.contains(points))

    def distance_to_edge(self, points: ArrayLike) -> Array | None:
        """Measure how far the edge is, as Drivable.distance_to_edge; None without a scene."""
        return self._ask(lambda bundle: bundle.drivable.distance_to_edge(points))

    def _ask(self, question: Callable[[WorldBundle], Answer]) -> Answer | None:
        bundle = self._open()
        try:
            return None if bundle is None else question(bundle)
        except BundleError as error:
            self._refuse('scene', error)
            return None

    def _open(self) -> WorldBundle | None:
        """Open the bundle; only once, should it not be there."""
        if self._unread and self.scene is not None:
            # What reads bundles takes long to import: who asks nothing of them need not wait.
            from world_model_core.bundle.loading import load  # noqa: PLC0415

            self._unread = False
            try:
                self._bundle = load(self.scene['folder'])
            except BundleError as error:
                self._refuse('scene', error)
        return self._bundle
