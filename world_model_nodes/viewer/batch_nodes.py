# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Batches as nodes of viser's scene: each is one mesh, set of lines or cloud of points."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from viser import _messages

from world_model_core.view.batches import (
    Batch,
    Boxes,
    Cylinders,
    Ellipsoids,
    Labels,
    Lines,
    MarkMesh,
    Meshes,
    Points,
    Splats,
)
from world_model_core.view.unit_shapes import unit_box, unit_cylinder, unit_sphere
from world_model_nodes.viewer.viewer_config import Quality

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray
    from viser import LabelHandle, SceneApi, SceneNodeHandle, SceneNodePointerEvent

    from world_model_core.gaussian import Array
    from world_model_core.view.batches import Colors

    Solids = Boxes | Ellipsoids | Cylinders | Meshes

# A label is moved when it is farther than this from where it was sent to [m].
LABEL_STEP = 0.002
# Fields of the kinds of solids that make up their scales.
SCALES = ('sizes', 'semi_axes', 'radii', 'heights', 'scales')

# The linear value of each value of sRGB (IEC 61966-2-1).
_SRGB = np.arange(256) / 255.0
_LINEAR = np.round(
    255.0 * np.where(_SRGB <= 0.04045, _SRGB / 12.92, ((_SRGB + 0.055) / 1.055) ** 2.4)
).astype(np.uint8)


class BatchNode(Protocol):
    """A batch on the page."""

    def update(self, batch: Any, fields: Collection[str]) -> None:
        """Send the fields that have changed."""

    def remove(self) -> None:
        """Remove the batch from the page."""


class SolidNode:
    """
    Boxes, ellipsoids, cylinders or meshes as one batched mesh.

    Parameters
    ----------
    scene : viser.SceneApi
    name : str
    batch : Boxes, Ellipsoids, Cylinders or Meshes
    quality : Quality
    pick : callable
        Called with the id of an instance that is clicked, in a thread of viser.

    """

    def __init__(
        self,
        scene: SceneApi,
        name: str,
        batch: Solids,
        quality: Quality,
        pick: Callable[[str], None],
    ) -> None:
        self._ids, self._pick = batch.ids, pick
        shape, fine = _shape(batch), quality is Quality.FINE
        self._handle = scene.add_batched_meshes_simple(
            name,
            shape.vertices,
            shape.triangles,
            _wxyzs(batch),
            batch.positions,
            batched_scales=_scales(batch),
            batched_colors=_linear(batch.colors),
            batched_opacities=_opacities(batch),
            lod='off',
            flat_shading=isinstance(batch, Meshes),
            side='double',
            cast_shadow=fine,
            receive_shadow=fine,
        )
        if any(batch.ids):
            self._handle.on_click(self._receive_click)

    def update(self, batch: Solids, fields: Collection[str]) -> None:
        """Send the fields that have changed."""
        self._ids = batch.ids
        updates: dict[str, Any] = {}
        if 'positions' in fields:
            updates['batched_positions'] = batch.positions.astype(np.float32)
        if 'orientations' in fields:
            updates['batched_wxyzs'] = _wxyzs(batch)
        if any(name in fields for name in SCALES):
            updates['batched_scales'] = _scales(batch)
        if 'colors' in fields:
            updates['batched_colors'] = _linear(batch.colors)
            updates['batched_opacities'] = _opacities(batch)
        _send(self._handle, updates)

    def remove(self) -> None:
        """Remove the batch from the page."""
        self._handle.remove()

    def _receive_click(self, event: SceneNodePointerEvent[Any]) -> None:
        ids, index = self._ids, event.instance_index
        if index is not None and 0 <= index < len(ids) and ids[index]:
            self._pick(ids[index])


class LineNode:
    """Line segments."""

    def __init__(self, scene: SceneApi, name: str, batch: Lines) -> None:
        self._handle = scene.add_line_segments(
            name, batch.points, _end_colors(batch), thickness=batch.width, thickness_units='screen'
        )

    def update(self, batch: Lines, fields: Collection[str]) -> None:
        """Send the fields that have changed."""
        updates: dict[str, Any] = {}
        if 'points' in fields:
            updates['points'] = batch.points.astype(np.float32)
        if 'colors' in fields:
            updates['colors'] = _end_colors(batch)
        _send(self._handle, updates)

    def remove(self) -> None:
        """Remove the lines from the page."""
        self._handle.remove()


class PointNode:
    """A cloud of points."""

    def __init__(self, scene: SceneApi, name: str, batch: Points) -> None:
        self._handle = scene.add_point_cloud(
            name,
            batch.positions,
            batch.colors[:, :3],
            point_size=batch.size,
            point_shape='circle',
            precision='float32',
            point_shading='flat',
        )

    def update(self, batch: Points, fields: Collection[str]) -> None:
        """Send the fields that have changed."""
        updates: dict[str, Any] = {}
        if 'positions' in fields:
            updates['points'] = batch.positions.astype(np.float32)
        if 'colors' in fields:
            updates['colors'] = batch.colors[:, :3].copy()
        _send(self._handle, updates)

    def remove(self) -> None:
        """Remove the points from the page."""
        self._handle.remove()


class LabelNode:
    """Texts; viser has no batch of them, so each is a node."""

    def __init__(self, scene: SceneApi, name: str, batch: Labels) -> None:
        self._scene, self._name = scene, name
        self._handles: list[LabelHandle] = []
        self._positions: Array = np.empty((0, 3))
        self._texts: tuple[str, ...] = ()
        self.update(batch, ())

    def update(self, batch: Labels, fields: Collection[str]) -> None:
        """Send the fields that have changed."""
        handles = self._handles
        while len(handles) > len(batch):
            handles.pop().remove()
        known = len(handles)
        if 'texts' in fields:
            for handle, old, text in zip(handles, self._texts, batch.texts, strict=False):
                if text != old:
                    _send(handle, {'text': text})
        if 'positions' in fields:
            self._move(batch.positions[:known])
        for index in range(known, len(batch)):
            handles.append(self._add(index, batch))
        self._positions = np.vstack((self._positions[:known], batch.positions[known:]))
        self._texts = batch.texts

    def remove(self) -> None:
        """Remove the labels from the page, with the node above them."""
        self._scene.remove_by_name(self._name)

    def _move(self, positions: Array) -> None:
        """Send the positions of the labels that have moved visibly since they were sent."""
        moved = np.abs(positions - self._positions[: len(positions)]).max(axis=-1) > LABEL_STEP
        for index in np.flatnonzero(moved).tolist():
            handle, position = self._handles[index], tuple(positions[index].tolist())
            _queue(handle, _messages.SetPositionMessage(handle.name, position))
            self._positions[index] = positions[index]

    def _add(self, index: int, batch: Labels) -> LabelHandle:
        return self._scene.add_label(
            f'{self._name}/{index}',
            batch.texts[index],
            position=batch.positions[index],
            font_size_mode='scene' if batch.height else 'screen',
            font_scene_height=batch.height,
            anchor='bottom-center',
        )


class SplatNode:
    """Gaussian splats; viser replaces them as a whole."""

    def __init__(self, scene: SceneApi, name: str, batch: Splats) -> None:
        self._scene, self._name = scene, name
        self.update(batch, ())

    def update(self, batch: Splats, fields: Collection[str]) -> None:  # noqa: ARG002 (all at once)
        """Send the splats."""
        self._handle = self._scene.add_gaussian_splats(
            self._name,
            batch.positions,
            batch.covariances,
            batch.colors,
            batch.opacities[:, None],
        )

    def remove(self) -> None:
        """Remove the splats from the page."""
        self._handle.remove()


def make_batch_node(
    scene: SceneApi, name: str, batch: Batch, quality: Quality, pick: Callable[[str], None]
) -> BatchNode:
    """Show a batch that is not empty; for the parameters see `SolidNode`."""
    if isinstance(batch, Lines):
        return LineNode(scene, name, batch)
    if isinstance(batch, Points):
        return PointNode(scene, name, batch)
    if isinstance(batch, Labels):
        return LabelNode(scene, name, batch)
    if isinstance(batch, Splats):
        return SplatNode(scene, name, batch)
    return SolidNode(scene, name, batch, quality, pick)


def _send(handle: SceneNodeHandle, updates: dict[str, Any]) -> None:
    """Send new values of a node in one message."""
    if updates:
        _queue(handle, _messages.SceneNodeUpdateMessage(handle.name, updates))


def _queue(handle: SceneNodeHandle, message: _messages.Message) -> None:
    """
    Queue a message about a node, in place of an assignment to its handle.

    An assignment takes several times as long, as it compares and copies the old and new values.
    """
    handle._impl.api._queue_scene_message(message)  # noqa: SLF001


@cache
def _unit_shapes() -> dict[type, MarkMesh]:
    return {Boxes: unit_box(), Ellipsoids: unit_sphere(), Cylinders: unit_cylinder()}


def _shape(batch: Solids) -> MarkMesh:
    return batch.shape if isinstance(batch, Meshes) else _unit_shapes()[type(batch)]


def _wxyzs(batch: Solids) -> NDArray[np.float32]:
    return batch.orientations[:, (3, 0, 1, 2)].astype(np.float32)


def _scales(batch: Solids) -> NDArray[np.float32]:
    if isinstance(batch, Boxes):
        scales = batch.sizes
    elif isinstance(batch, Ellipsoids):
        scales = batch.semi_axes
    elif isinstance(batch, Cylinders):
        scales = np.column_stack((batch.radii, batch.radii, batch.heights))
    else:
        scales = batch.scales
    return scales.astype(np.float32)


def _opacities(batch: Solids) -> NDArray[np.float32] | None:
    """Return the opacity of each instance, or None if all are opaque: these are drawn faster."""
    alphas = batch.colors[:, 3]
    return None if (alphas == 255).all() else alphas.astype(np.float32) / 255.0


def _linear(colors: Colors) -> Colors:
    """Return linear RGB, as viser takes the colors of solids and lines, but not of points."""
    return _LINEAR[colors[:, :3]]


def _end_colors(batch: Lines) -> NDArray[np.uint8]:
    return np.repeat(_linear(batch.colors)[:, None], 2, axis=1)
