# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A virtual world under physics."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.engine.composition import Composition
from world_model_core.virtual_world.engine.errors import InvalidStateError, SnapshotError
from world_model_core.virtual_world.engine.manipulation import Manipulation
from world_model_core.virtual_world.engine.model_parts import model_parts
from world_model_core.virtual_world.engine.snapshot import (
    LiveSnapshot,
    Snapshot,
    StoredTarget,
    StoredWrench,
    check_references,
    read_snapshot,
    write_snapshot,
)
from world_model_core.virtual_world.engine.welds import WeldPool
from world_model_core.virtual_world.engine.wheels import BaseVelocity
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.values import EntityState, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.engine.welds import PartName
    from world_model_core.virtual_world.values import Entity, PartContact, World

__all__ = ['Engine', 'StepReport']

# Physics steps in one call.
LONGEST_STEP = 1e9
# What compiling a world with any values may raise.
REFUSED = (
    WorldModelError,
    ValueError,
    ArithmeticError,
    LookupError,
    RuntimeError,
    mujoco.FatalError,
)


class StepReport(NamedTuple):
    """
    Result of a step.

    Attributes
    ----------
    time_ns : int
        Simulated time after the step [ns].
    iterations : int
        Iterations of the solver in the last physics step.
    contacts : int
        Contacts in the last physics step.
    warnings : int
        Warnings of MuJoCo since the start: contacts or constraints that had no room.

    """

    time_ns: int
    iterations: int
    contacts: int
    warnings: int


class Engine(Manipulation):
    """
    A virtual world under physics: a SimulatedWorld[StepReport, State].

    Commands and their errors name entities, parts and joints. The same world, seed, commands and
    steps give the same run, equal to the bit on the same type of CPU.

    Parameters
    ----------
    world : World
        At its start.
    seed : int
        Of what is random.
    sleep : bool
        Whether entities that rest are not computed.
    original_limits : bool
        Whether joints have no limits, as in SIGVerse.

    Raises
    ------
    InvalidEntityError, NameTakenError
        The world has an entity that MuJoCo cannot compute, or two of one name.

    Attributes
    ----------
    findings : Findings
        What of the world has no counterpart in the physics.

    """

    def __init__(
        self,
        world: World,
        *,
        seed: int = 0,
        sleep: bool = False,
        original_limits: bool = False,
    ) -> None:
        self.seed = seed
        self.findings: Findings = world_findings()
        self._sleep, self._original_limits = sleep, original_limits
        self._start(world)

    @property
    def world(self) -> World:
        """The world as it is composed now."""
        return self._composition.world

    @property
    def listed_world(self) -> World:
        """The world as it is composed now, with the parts of models as MuJoCo has read them."""
        world, offsets = self.world, self._composition.offsets
        entities = (
            each
            if each.model is None
            else replace(each, parts=model_parts(self.physics, each.name, offsets[each.name]))
            for each in world.entities
        )
        return replace(world, entities=tuple(entities))

    @property
    def time_ns(self) -> int:
        """Simulated time since the start [ns]."""
        return self.physics.time_ns

    @property
    def truth(self) -> State:
        """The state of all entities."""
        return State(self.time_ns, self._states.all())

    @property
    def contacts(self) -> tuple[PartContact, ...]:
        """Contacts of the last physics step."""
        return self._states.contacts()

    @property
    def touching(self) -> tuple[tuple[PartName, PartName], ...]:
        """Each pair of parts that touch in the last physics step; the ground does not count."""
        return self._states.touching()

    def step(self, dt: float) -> StepReport:
        """
        Advance the world.

        Parameters
        ----------
        dt : float
            A whole number of physics steps [s].

        Raises
        ------
        DivergedError
            The world is in the last sound state.
        InvalidStateError
            `dt` is not a whole number of steps.

        """
        physics = self.physics
        steps = dt * 1e9 / physics.step_ns
        count = round(steps) if 0.0 < steps < LONGEST_STEP else 0
        if count < 1 or abs(steps - count) > 1e-6:
            raise InvalidStateError(
                f'step is {dt} s; it must be a multiple of {physics.step_ns * 1e-9} s above 0'
            )
        physics.step(count)
        data = physics.data
        iterations = max(data.solver_niter.tolist())
        return StepReport(physics.time_ns, iterations, data.ncon, physics.warnings)

    def reset(self, *, time: bool = True, state: bool = True, spawned: bool = True) -> None:
        """
        Return to the start.

        Parameters
        ----------
        time : bool
            Set the time to 0.
        state : bool
            Return poses, velocities, modes, attributes, states and targets of all entities to
            those of the start, or of their spawning.
        spawned : bool
            Delete what was spawned, and bring back what was deleted.

        """
        steps = 0 if time else self.physics.steps
        if spawned:
            self._reset_entities(keep_state=not state)
        if state:
            self._reset_state()
        self.physics.set_time(steps)

    def spawn(self, entities: Sequence[Entity], *, rename: bool = False) -> tuple[str, ...]:
        """
        Add entities; one compilation for all.

        Raises
        ------
        NameTakenError, InvalidEntityError
            Nothing was added.

        """
        names = self._composition.spawn(entities, rename=rename)
        for name in names:
            self._spawned_as[name] = self.entity(name)
            self._set_start(name)
        return names

    def delete(self, names: Sequence[str]) -> None:
        """
        Delete entities; one compilation for all.

        Raises
        ------
        UnknownEntityError
            Nothing was deleted.

        """
        for name in names:
            self.entity(name)
        for name in names:
            self._grasping.forget(name)
            self._targets.forget(name)
            self._drives.forget(name)
            self._modes.forget(name)
            self._spawned_as.pop(name, None)
        self._composition.delete(names)

    def snapshot(self) -> bytes:
        """
        Return everything on which the further run depends.

        The same version of MuJoCo continues from it to the bit on the same type of CPU, also in
        another process and on another Python.

        Raises
        ------
        SnapshotError
            Entities may sleep, which a snapshot cannot keep: see `live_snapshot`.

        """
        if self._sleep:
            raise SnapshotError(
                'a world with sleep has only live_snapshot(), for this process, and no bytes'
            )
        return write_snapshot(self._capture())

    def live_snapshot(self) -> LiveSnapshot:
        """Return a snapshot for this process alone, which also keeps what sleeps."""
        return LiveSnapshot(self._capture(), copy(self.physics.data))

    def restore(self, snapshot: bytes | LiveSnapshot) -> None:
        """
        Continue from a snapshot.

        Compiles the model, unless a world of the same entities runs.

        Parameters
        ----------
        snapshot : bytes or LiveSnapshot
            Bytes may come from others; a model that is part of them is compiled, which MuJoCo may
            not survive: see `worlds`.

        Raises
        ------
        SnapshotVersionError
            It has another format, or is of another version of MuJoCo.
        SnapshotError
            It is not a snapshot, damaged or invalid; the world is as before.

        """
        if isinstance(snapshot, LiveSnapshot):
            self._load(snapshot.values)
            self.physics.copy(snapshot.data)
        else:
            self._load(read_snapshot(snapshot))

    def _start(self, world: World) -> None:
        """Begin a world."""
        self._act_on(
            Composition(
                world,
                sleep=self._sleep,
                original_limits=self._original_limits,
                findings=self.findings,
            )
        )
        # Entities as they were at their start.
        self._spawned_as = dict(self._composition.entities)
        for name in self.names:
            self._set_start(name)

    def _capture(self) -> Snapshot:
        """Return everything on which the further run depends."""
        composition = self._composition
        return Snapshot(
            start=composition.start,
            entities=tuple(composition.entities.values()),
            initial=tuple(self._spawned_as[name] for name in self.names),
            spawned=tuple(name for name in self.names if name in composition.spawned),
            original_limits=self._original_limits,
            seed=self.seed,
            steps=self.physics.steps,
            warnings=self.physics.warnings,
            masses=dict(self._modes.masses),
            targets=tuple(StoredTarget(*key, each) for key, each in self._targets.all.items()),
            wrenches=tuple(
                StoredWrench(name, part, tuple(wrench.tolist()))
                for name, part, wrench in self._modes.wrenches
            ),
            velocities={
                name: (each.linear, each.angular) for name, each in self._drives.velocities.items()
            },
            welds=composition.welds.slots,
            state=self.physics.state(),
        )

    def _load(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot; if it is refused, the world is as before."""
        composition = self._composition
        if not snapshot.is_of(self._capture()):
            composition = self._compose(snapshot)
        check_references(snapshot, composition.physics)
        self.seed, self._original_limits = snapshot.seed, snapshot.original_limits
        if composition is not self._composition:
            self._act_on(composition)
        self._spawned_as = {entity.name: entity for entity in snapshot.initial}
        wrenches = ((each.entity, each.part, np.array(each.wrench)) for each in snapshot.wrenches)
        self._modes.replace(snapshot.masses, wrenches)
        self._targets.replace(
            {(each.entity, each.joint): each.target for each in snapshot.targets}
        )
        self._grasping.replace(snapshot.welds)
        self._drives.replace(
            {name: BaseVelocity(*each) for name, each in snapshot.velocities.items()}
        )
        # Holding sets velocities to 0, also those of bases that are moved.
        self.physics.load(snapshot.state, snapshot.steps, snapshot.warnings)
        self._modes.hold_present_poses()
        self.physics.load(snapshot.state, snapshot.steps, snapshot.warnings)

    def _compose(self, snapshot: Snapshot) -> Composition:
        """Compile the world of a snapshot."""
        try:
            composition = Composition(
                replace(snapshot.start, entities=snapshot.entities),
                sleep=self._sleep,
                original_limits=snapshot.original_limits,
                findings=self.findings,
                welds=WeldPool(len(snapshot.welds)),
            )
        except REFUSED as error:
            raise SnapshotError(f'world of the snapshot: {error}') from error
        composition.start = snapshot.start
        composition.spawned.update(snapshot.spawned)
        return composition

    def _set_start(self, name: str) -> None:
        """Give an entity its velocities of the start."""
        entity = self.entity(name)
        if not entity.movable or not entity.dynamics:
            return
        self.set_state(
            name, EntityState(entity.pose, entity.linear_velocity, entity.angular_velocity)
        )

    def _reset_entities(self, *, keep_state: bool) -> None:
        start, spawned = self._composition.start, self._composition.spawned
        kept = set(self.names) - spawned
        missing = [each for each in start.entities if each.name not in kept]
        if not spawned and not missing:
            return
        if not keep_state:
            self._start(start)
            return
        self.delete(sorted(spawned))
        self.spawn(missing)
        spawned.clear()

    def _reset_state(self) -> None:
        self.physics.reset_state()
        self._grasping.clear()
        self._drives.replace({})
        self._composition.entities.update(self._spawned_as)
        self._modes.reset()
        self._targets.all.clear()
        self._targets.apply()
        for name in self.names:
            self._set_start(name)
