# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Grasps of things, and connections of parts by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.engine.errors import (
    GraspError,
    GraspReason,
    NameTakenError,
    UnknownEntityError,
    WrongModeError,
)
from world_model_core.virtual_world.engine.poses import compose, inverse, pose_of
from world_model_core.virtual_world.engine.welds import Weld
from world_model_core.virtual_world.values import EntityState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from world_model_core.virtual_world.engine.composition import Composition
    from world_model_core.virtual_world.engine.modes import Modes
    from world_model_core.virtual_world.engine.states import States
    from world_model_core.virtual_world.engine.welds import PartName
    from world_model_core.virtual_world.values import Pose

__all__ = ['Grasping']


class Grasping:
    """
    Holds parts together, and lets them go.

    A thing that is held moves with the hand, also if it has no dynamics.

    Parameters
    ----------
    composition : Composition
    states : States
    modes : Modes

    """

    def __init__(self, composition: Composition, states: States, modes: Modes) -> None:
        self._composition = composition
        self._physics = composition.physics
        self._pool = composition.welds
        self._states = states
        self._modes = modes
        self._physics.compiled.append(self._bind)
        self._bind()

    @property
    def grasps(self) -> dict[PartName, str]:
        """Things by the hands that hold them: names of entity and part."""
        return {weld.first: weld.second[0] for weld in self._pool if not weld.connection}

    @property
    def connections(self) -> dict[str, tuple[PartName, PartName]]:
        """Both parts of each connection, by its name."""
        return {
            weld.connection: (weld.first, weld.second) for weld in self._pool if weld.connection
        }

    def grasp(self, holder: str, part: str, thing: str) -> None:
        """
        Hold a thing by a part of an entity.

        The conditions and their order are those of SIGVerse (WorldSimulator.cpp,
        requestGraspObject): the distance is that of the centers of mass.
        """
        hand = self.check(holder, part, thing)
        self._hold(hand, self._part(thing, ''), '')

    def check(self, holder: str, part: str, thing: str) -> PartName:
        """Return the hand if it can hold a thing, see `grasp`."""
        hand = self._part(holder, part)
        if (reason := self._obstacle(hand, thing)) is not None:
            raise reason
        return hand

    def release(self, holder: str, part: str) -> None:
        """Let a thing go; nothing happens to a hand that holds none."""
        hand = self._part(holder, part)
        for weld in [each for each in self._pool if each.first == hand and not each.connection]:
            self._let_go(weld)

    def connect(self, name: str, first: PartName, second: PartName) -> None:
        """Hold two parts together."""
        first, second = self._part(*first), self._part(*second)
        if not name:
            raise NameTakenError('name of connection is empty')
        if name in self.connections:
            raise NameTakenError(f'another connection has the name {name!r}')
        if first == second:
            raise WrongModeError(f'connection {name!r} has the part {first!r} at both ends')
        self._hold(first, second, name)

    def disconnect(self, name: str) -> None:
        """Let the parts of a connection go."""
        for weld in self._pool:
            if weld.connection == name and name:
                self._let_go(weld)
                return
        raise UnknownEntityError(f'no connection has the name {name!r}')

    def holder_of(self, thing: str) -> PartName | None:
        """Return the hand that holds a thing."""
        return next((hand for hand, held in self.grasps.items() if held == thing), None)

    def forget(self, name: str) -> None:
        """Let go what an entity holds or is held by, before it is deleted."""
        for weld in [each for each in self._pool if each.joins(name)]:
            self._let_go(weld)

    def clear(self) -> None:
        """Let everything go."""
        self.replace((None,) * len(self._pool.slots))

    def replace(self, slots: Iterable[Weld | None]) -> None:
        """Replace all welds by those of as many slots."""
        self._pool.replace(slots)
        self._fit()

    def check_free(self, name: str) -> None:
        """
        Check that no hand holds an entity, whose state is to be set.

        Raises
        ------
        WrongModeError

        """
        if (holder := self.holder_of(name)) is not None:
            raise WrongModeError(f'{"/".join(holder)} holds {name!r}: its state cannot be set')

    def follow(self, name: str) -> None:
        """Move all that is held together with an entity after its state was set."""
        moved = {name}
        for own, other, pose in self._chain(name, moved):
            self._physics.update_poses()
            target = compose(self._pose(own), pose)
            motion = compose(target, inverse(self._pose(other)))
            self._states.set(other[0], self._moved(own[0], other[0], motion))

    def _chain(self, name: str, moved: set[str]) -> Iterator[tuple[PartName, PartName, Pose]]:
        """Walk over all that is held together with an entity, from the entity outward."""
        for weld in self._pool:
            for own, other, pose in (
                (weld.first, weld.second, weld.pose),
                (weld.second, weld.first, inverse(weld.pose)),
            ):
                if own[0] == name and other[0] not in moved:
                    moved.add(other[0])
                    if self._physics.handle(other[0]).free:
                        yield own, other, pose
                        yield from self._chain(other[0], moved)

    def _moved(self, carrier: str, carried: str, motion: Pose) -> EntityState:
        """Return the state of an entity after a motion, with the velocities of its carrier."""
        moving = self._states.of(carrier)
        pose = compose(motion, self._states.of(carried).pose)
        arm = np.subtract(pose.position, moving.pose.position)
        x, y, z = np.add(moving.linear_velocity, np.cross(moving.angular_velocity, arm)).tolist()
        return EntityState(pose, (x, y, z), moving.angular_velocity)

    def _obstacle(self, hand: PartName, thing: str) -> GraspError | None:
        """Return why a hand cannot grasp a thing."""
        what = f'{"/".join(hand)} cannot grasp {thing!r}'
        if (entity := self._composition.entities.get(thing)) is None:
            return GraspError(GraspReason.NO_OBJECT, f'{what}: there is no such entity')
        if (held := self.grasps.get(hand)) is not None:
            return GraspError(GraspReason.ALREADY_GRASPING, f'{what}: it holds {held!r}')
        if (holder := self.holder_of(thing)) is not None:
            reason = f'{what}: {"/".join(holder)} holds it'
            return GraspError(GraspReason.ALREADY_GRASPED, reason)
        if not entity.graspable or not self._physics.handle(thing).free or thing == hand[0]:
            return GraspError(GraspReason.NOT_GRASPABLE, f'{what}: it is not graspable')
        distance = self._distance(hand, thing)
        if distance > entity.grasp_radius:
            reason = f'{what}: it is {distance:.3f} m away, at most {entity.grasp_radius} m'
            return GraspError(GraspReason.TOO_FAR, reason)
        return None

    def _distance(self, hand: PartName, thing: str) -> float:
        physics = self._physics
        physics.update_poses()
        centers = physics.data.xipos[[physics.body(*hand), physics.body(thing, '')]]
        return float(np.linalg.norm(centers[0] - centers[1]))

    def _part(self, entity: str, part: str) -> PartName:
        """Return the full name of a part; of the root if `part` is empty."""
        return self._physics.owners[self._physics.body(entity, part)]

    def _pose(self, part: PartName) -> Pose:
        self._physics.update_poses()
        data, body = self._physics.data, self._physics.body(*part)
        return pose_of(data.xpos[body].tolist(), data.xquat[body].tolist())

    def _hold(self, first: PartName, second: PartName, connection: str) -> None:
        pose = compose(inverse(self._pose(first)), self._pose(second))
        weld = Weld(first, second, pose, connection)
        self._pool.add(weld)
        self._fit()
        self._wake(weld)

    def _let_go(self, weld: Weld) -> None:
        self._pool.remove(weld)
        self._apply()
        self._wake(weld)

    def _wake(self, weld: Weld) -> None:
        """Wake both sides, which would otherwise sleep on in the air."""
        for entity, _ in (weld.first, weld.second):
            self._physics.wake(entity)

    def _fit(self) -> None:
        """Apply the welds, to a larger model if they need one."""
        if self._pool.outgrows(self._physics.model):
            self._composition.rebuild()
        self._apply()

    def _bind(self) -> None:
        self._pool.adopt(self._physics.model)
        self._apply()

    def _apply(self) -> None:
        self._pool.write(self._physics.model, self._physics.data)
        self._modes.carry(frozenset(self.grasps.values()))
