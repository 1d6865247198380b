# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scene of a virtual world: people, robots and things under physics, and what is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.time import to_nanoseconds
from world_model_core.view.batches import UPRIGHT, Boxes, Labels
from world_model_core.view.scene import Row, Viewpoint
from world_model_core.view.virtual_contacts import contact_arrows
from world_model_core.view.virtual_rows import entity_rows

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.view.scene import Marks
    from world_model_core.view.virtual_values import WorldMoment

__all__ = ['NAME', 'VirtualScene']

NAME = 'virtual'
# How long a text is shown above the head of its speaker [simulated s].
BUBBLE_TIME = 6.0
# Texts in the rows of the state.
LISTED_TEXTS = 5
# Memory of a contact with its names, as measured.
CONTACT_BYTES = 750
# Of labels above the tops of heads [m].
HEAD = 0.15
# The world reaches so far around its entities, up to a multiple of a step, so that views of it and
# its ground stay where they are while things move [m].
MARGIN, EXTENT_STEP = 1.0, 2.0
# The ground is shown so far beyond that [m].
GROUND_MARGIN = 2.0
GROUND_COLOR = np.array([[158, 160, 150, 255]], np.uint8)
# Under floors at the height 0 [m].
GROUND_DEPTH, GROUND_THICKNESS = 0.01, 0.01
# Farther things do not widen the view [m].
FARTHEST_VIEW = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class VirtualScene:
    """
    A virtual world at a time: a Scene.

    Attributes
    ----------
    moment : WorldMoment

    """

    moment: WorldMoment

    @property
    def name(self) -> str:
        """First part of the names of its marks."""
        return NAME

    @property
    def time_ns(self) -> int:
        """Time of the state [ns]."""
        return self.moment.time_ns

    @property
    def size_bytes(self) -> int:
        """Memory of the poses, velocities and contacts."""
        moment = self.moment
        arrays = (moment.bodies.poses, moment.velocities, moment.parts.poses)
        contacts = CONTACT_BYTES * len(moment.contacts)
        return sum(array.nbytes for array in arrays) + contacts + 1000

    def marks(self) -> Marks:
        """Return shapes, ground, contacts, names of agents, and what they have just said."""
        shapes = self.moment.contents.shapes.draw(self.moment.bodies, self.moment.parts)
        marks = {f'{NAME}/{name}': batch for name, batch in shapes.items()}
        if self.moment.contents.ground:
            marks[f'{NAME}/ground'] = self._ground()
        if self.moment.contacts:
            marks[f'{NAME}/contacts'] = contact_arrows(self.moment.contacts)
        if (labels := self._labels()) is not None:
            marks[f'{NAME}/names'] = labels
        return marks

    def status(self) -> tuple[Row, ...]:
        """Return the name of the world, how much is in it, and what was said last."""
        contents = self.moment.contents
        rows = [
            Row('world', contents.name),
            Row('entities', str(len(contents.entities))),
            Row('contacts', str(len(self.moment.contacts))),
        ]
        if contents.missing:
            rows.append(Row('meshes_without_triangles', str(contents.missing)))
        said = (f'{each.speaker}: {each.text}' for each in self.moment.texts[-LISTED_TEXTS:])
        return (*rows, *(Row('said', text) for text in said))

    def describe(self, item: str) -> tuple[Row, ...]:
        """Return pose, velocity, states, grasps, contacts, joints and attributes of an entity."""
        return entity_rows(self.moment, item)

    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """Return views from above, from a side, and from behind the first agent."""
        lower, upper = self._extent()
        x, y = (0.5 * (lower + upper)).tolist()
        reach = 0.5 * float((upper - lower).max())
        above = Viewpoint((x, y, 1.6 * reach + 1.0), (x, y, 0.0), (0.0, 1.0, 0.0))
        side = Viewpoint((x - 0.4 * reach, y - 1.1 * reach, 1.6 * reach), (x, y, 0.0))
        agents = (self.moment.pose_of(each) for each in self.moment.contents.agents)
        pose = next((each for each in agents if each is not None), None)
        return (above, side) if pose is None else (above, side, _behind(pose))

    def position_of(self, item: str) -> Array | None:
        """Return the position of an entity [m], shape (3,)."""
        pose = self.moment.pose_of(item)
        return None if pose is None else pose[:3]

    def _extent(self) -> tuple[Array, Array]:
        """Return the lower and upper corner around what is not far away, by large steps, (2,)."""
        places = self.moment.bodies.poses[:, :2]
        near = places[(np.abs(places) < FARTHEST_VIEW).all(axis=1)]
        if not len(near):
            near = np.zeros((1, 2))
        lower = EXTENT_STEP * np.floor((near.min(axis=0) - MARGIN) / EXTENT_STEP)
        upper = EXTENT_STEP * np.ceil((near.max(axis=0) + MARGIN) / EXTENT_STEP)
        return lower, upper

    def _ground(self) -> Boxes:
        """Return a floor around all things."""
        lower, upper = self._extent()
        middle = (*0.5 * (lower + upper), -GROUND_DEPTH - 0.5 * GROUND_THICKNESS)
        size = (*(upper - lower + 2.0 * GROUND_MARGIN), GROUND_THICKNESS)
        return Boxes(('ground',), np.array([middle]), UPRIGHT, np.array([size]), GROUND_COLOR)

    def _labels(self) -> Labels | None:
        """Return the names of agents above their heads, or what they have just said."""
        said = self._spoken()
        # The agents, and all others who have just said something.
        labeled = dict.fromkeys((*self.moment.contents.agents, *said))
        poses = {name: self.moment.pose_of(name) for name in labeled}
        known = {name: pose for name, pose in poses.items() if pose is not None}
        if not known:
            return None
        texts = tuple(f'{name}: {said[name]}' if name in said else name for name in known)
        tops = self.moment.contents.shapes.tops
        heads = np.array([pose[:3] for pose in known.values()])
        heads[:, 2] += [tops.get(name, 0.0) + HEAD for name in known]
        return Labels(tuple(known), heads, texts)

    def _spoken(self) -> dict[str, str]:
        """Return the last texts that are still shown, by their speakers."""
        begin = self.moment.time_ns - to_nanoseconds(BUBBLE_TIME)
        return {each.speaker: each.text for each in self.moment.texts if begin <= each.time_ns}


def _behind(pose: Array) -> Viewpoint:
    """Return a view over the shoulder of who has a pose and looks along x."""
    x, y, z, qx, qy, qz, qw = pose.tolist()
    ahead = np.array((1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qw * qz)))
    dx, dy = (ahead / max(np.hypot(*ahead), 1e-6)).tolist()
    return Viewpoint((x - 2.0 * dx, y - 2.0 * dy, z + 1.8), (x + dx, y + dy, z + 0.5))
