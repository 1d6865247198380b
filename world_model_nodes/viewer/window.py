# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The page in the browser: what viser shows, and what its users click."""

from __future__ import annotations

from collections import Counter, deque
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from world_model_nodes.viewer.batch_nodes import make_batch_node
from world_model_nodes.viewer.viewer_config import Quality

if TYPE_CHECKING:
    from collections.abc import Callable

    from viser import ClientHandle

    from world_model_core.view.batches import Batch
    from world_model_core.view.scene import Changes, Viewpoint
    from world_model_nodes.viewer.batch_nodes import BatchNode
    from world_model_nodes.viewer.guard import GuardedServer

# Clicks that wait for the node; more are dropped, the oldest first.
MOST_CALLS = 1000
# With this intensity, a white surface that faces the sky is white.
LIGHT = np.pi
GROUND = (110, 110, 110)
# Height of the light [m].
SKY = 1e3


class Window:
    """
    Shows batches on all pages that are open, and hands over clicks.

    viser calls back in threads of its own. These only append to a queue, which the node empties
    with `run_calls`: nothing else is touched by them.

    Parameters
    ----------
    server : GuardedServer
        Is stopped by `close`.
    quality : Quality
    wake : callable
        Makes the node call `run_calls` soon; is called in any thread.

    """

    def __init__(self, server: GuardedServer, quality: Quality, wake: Callable[[], None]) -> None:
        self.server, self._quality, self._wake = server, quality, wake
        self._nodes: dict[str, BatchNode] = {}
        self._parents: Counter[str] = Counter()
        self._calls: deque[Callable[[], None]] = deque(maxlen=MOST_CALLS)
        self._pickers: list[Callable[[str], None]] = []
        self._light()

    @property
    def pages(self) -> int:
        """Number of pages that are open."""
        return len(self.clients)

    @property
    def clients(self) -> tuple[ClientHandle, ...]:
        """The pages that are open, the oldest first."""
        return tuple(self.server.get_clients().values())

    def show(self, changes: Changes) -> None:
        """Show what has changed, at once; nothing is sent if nothing has."""
        if not changes:
            return
        with self.server.atomic():
            for name in changes.removed:
                self._remove(name)
            for name, batch in changes.created.items():
                self._remove(name)
                self._create(name, batch)
            for name, update in changes.updated.items():
                node = self._nodes.get(name)
                if node is None or not len(update.batch):
                    self._remove(name)
                    self._create(name, update.batch)
                else:
                    node.update(update.batch, update.fields)

    def set_viewpoint(self, client: ClientHandle, viewpoint: Viewpoint) -> None:
        """Move the camera of a page."""
        with client.atomic():
            client.camera.up_direction = viewpoint.up
            client.camera.position = viewpoint.position
            client.camera.look_at = viewpoint.target

    def begin_at(self, viewpoint: Viewpoint, *, move: bool) -> None:
        """Let pages begin at a viewpoint; `move`: also those that are open."""
        camera = self.server.initial_camera
        camera.up, camera.position = viewpoint.up, viewpoint.position
        camera.look_at = viewpoint.target
        for client in self.clients if move else ():
            self.set_viewpoint(client, viewpoint)

    def on_pick(self, callback: Callable[[str], None]) -> None:
        """Call `callback` in the node with the id of each thing that is clicked."""
        self._pickers.append(callback)

    def call(self, function: Callable[[], None]) -> None:
        """Run a function in the node; may be called in any thread."""
        self._calls.append(function)
        self._wake()

    def run_calls(self) -> None:
        """Run the functions that wait."""
        while self._calls:
            self._calls.popleft()()

    def close(self) -> None:
        """Stop the server; the pages lose their connection."""
        self.server.stop()

    def _light(self) -> None:
        scene = self.server.scene
        if self._quality is Quality.FINE:
            return
        scene.configure_default_lights(enabled=False, cast_shadow=False)
        scene.configure_environment_map(None)
        # three.js takes the direction to the sky from the position of the light.
        scene.add_light_hemisphere(
            '/light', position=(0.0, 0.0, SKY), ground_color=GROUND, intensity=LIGHT
        )

    def _create(self, name: str, batch: Batch) -> None:
        # The page cannot draw a mesh without instances.
        if len(batch):
            self._nodes[name] = make_batch_node(
                self.server.scene, name, batch, self._quality, self._pick
            )
            self._parents.update(_parents_of(name))

    def _remove(self, name: str) -> None:
        node = self._nodes.pop(name, None)
        if node is not None:
            node.remove()
            self._parents.subtract(_parents_of(name))
            for parent in _parents_of(name):
                if not self._parents[parent]:
                    # viser makes the nodes above another one, but does not remove them.
                    self.server.scene.remove_by_name(parent)
                    del self._parents[parent]

    def _pick(self, item: str) -> None:
        for picker in self._pickers:
            self.call(partial(picker, item))


def _parents_of(name: str) -> tuple[str, ...]:
    """Return the nodes above another one, the nearest first: a/b and a for a/b/c."""
    parts = name.split('/')
    return tuple('/'.join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
