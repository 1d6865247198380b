# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A virtual world under physics."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.engine.composition import Composition
from world_model_core.virtual_world.engine.drives import Drives
from world_model_core.virtual_world.engine.errors import (
    InvalidStateError,
    SnapshotError,
    UnknownEntityError,
    UnknownPartError,
    WrongModeError,
)
from world_model_core.virtual_world.engine.grasping import Grasping
from world_model_core.virtual_world.engine.gyroscopes import GyroscopicTorques
from world_model_core.virtual_world.engine.joint_targets import (
    JointTarget,
    JointTargets,
    TargetKind,
)
from world_model_core.virtual_world.engine.limits import LimitStops
from world_model_core.virtual_world.engine.modes import Modes
from world_model_core.virtual_world.engine.snapshot import (
    LiveSnapshot,
    Snapshot,
    StoredTarget,
    StoredWrench,
    check_references,
    read_snapshot,
    write_snapshot,
)
from world_model_core.virtual_world.engine.states import States
from world_model_core.virtual_world.engine.welds import WeldPool
from world_model_core.virtual_world.engine.wheels import (
    BaseVelocity,
    WheelVelocities,
    base_velocity,
    check_wheels,
    wheel_velocities,
)
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.values import EntityState, JointKind, JointState, State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from world_model_core.findings import Findings
    from world_model_core.virtual_world.engine.welds import PartName
    from world_model_core.virtual_world.values import (
        Entity,
        PartContact,
        Pose,
        Vector,
        Wheels,
        World,
    )

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


class Engine:
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
    def names(self) -> tuple[str, ...]:
        """Names of all entities."""
        return tuple(self._composition.entities)

    def entity(self, name: str) -> Entity:
        """Return an entity with its present modes, attributes and states."""
        if (found := self._composition.entities.get(name)) is None:
            raise UnknownEntityError(f'no entity has the name {name!r}')
        return found

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

    def state_of(self, name: str) -> EntityState:
        """Return pose, velocities and joints of an entity."""
        return self._states.of(name)

    def set_state(self, name: str, state: EntityState) -> None:
        """
        Set pose, velocities and the given joints of an entity.

        The velocities of an entity without dynamics stay 0.

        Raises
        ------
        InvalidStateError, UnknownPartError
        WrongModeError
            The entity is fixed to the world, and the pose differs; or a hand holds it.

        """
        self._grasping.check_free(name)
        self._states.set(name, state)
        self._grasping.follow(name)
        self._modes.hold_present_poses()

    def part_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the parts of an entity, the root first."""
        return tuple(self.physics.handle(name).parts)

    def part_pose(self, name: str, part: str) -> Pose:
        """Return the pose of a part in the frame `world`."""
        return self._states.part_pose(name, part)

    def bounds(self, name: str) -> tuple[Vector, Vector]:
        """Return the lower and upper corner of a box around an entity, frame `world` [m]."""
        return self._states.bounds(name)

    def set_dynamics(self, name: str, on: bool) -> None:
        """Let an entity move by forces, or hold its pose."""
        self._change(name, replace(self.entity(name), dynamics=on))

    def set_gravity(self, name: str, on: bool) -> None:
        """Set whether an entity has weight."""
        self._change(name, replace(self.entity(name), gravity=on))

    def set_collides(self, name: str, on: bool) -> None:
        """Set whether an entity collides."""
        self._change(name, replace(self.entity(name), collides=on))

    def set_mass(self, name: str, mass: float) -> None:
        """
        Set the mass of a whole entity [kg]; its parts and inertias are scaled.

        Raises
        ------
        InvalidStateError
            The mass is not above 0.

        """
        self.entity(name)
        if not 0.0 < mass < math.inf:
            raise InvalidStateError(f'mass of {name!r} is {mass} kg; it must be above 0')
        self._modes.masses[name] = mass
        self._modes.apply(name)

    def set_attribute(self, name: str, attribute: str, value: str | float | bool) -> None:
        """
        Set the value of an attribute.

        Raises
        ------
        UnknownPartError
            The entity has no such attribute.

        """
        entity = self.entity(name)
        if (present := entity.attributes.get(attribute)) is None:
            raise UnknownPartError(f'entity {name!r} has no attribute {attribute!r}')
        changed = {**entity.attributes, attribute: replace(present, value=value)}
        self._composition.entities[name] = replace(entity, attributes=changed)

    def show_state(self, name: str, state: str, value: str) -> None:
        """
        Set the value of a state, which selects the visible shapes.

        Raises
        ------
        UnknownPartError
            The entity has no such state.

        """
        entity = self.entity(name)
        if state not in entity.states:
            raise UnknownPartError(f'entity {name!r} has no state {state!r}')
        self._change(name, replace(entity, states={**entity.states, state: value}))

    def apply_wrench(
        self,
        name: str,
        part: str,
        force: Vector,
        torque: Vector = (0.0, 0.0, 0.0),
        at: Vector | None = None,
    ) -> None:
        """
        Apply a force and a torque to a part in the next physics step.

        Parameters
        ----------
        name, part : str
            Of the entity and the part; an empty part is the root.
        force, torque : tuple of float
            In the frame `world` [N, N m].
        at : tuple of float, optional
            Where the force acts, in the frame `world` [m]; None: at the center of mass.

        Raises
        ------
        InvalidStateError
            A number is not finite.
        WrongModeError
            The entity has no dynamics, or is fixed to the world.

        """
        physics, body = self.physics, self.physics.body(name, part)
        self._require_dynamics(name)
        wrench = np.array([*force, *torque], dtype=np.float64)
        if at is not None:
            physics.update_poses()
            wrench[3:] += np.cross(np.subtract(at, physics.data.xipos[body]), force)
        if not np.isfinite(wrench).all():
            raise InvalidStateError(f'wrench on {name!r} is {wrench.tolist()}; it must be finite')
        self._modes.push(name, part, wrench)

    @property
    def grasps(self) -> Mapping[PartName, str]:
        """Things by the hands that hold them: names of entity and part."""
        return self._grasping.grasps

    @property
    def connections(self) -> Mapping[str, tuple[PartName, PartName]]:
        """Both parts of each connection, by its name."""
        return self._grasping.connections

    def grasp(self, holder: str, part: str, thing: str) -> None:
        """
        Hold a thing by a part of an entity; they do not collide meanwhile.

        A thing without dynamics moves with the hand, too.

        Raises
        ------
        UnknownEntityError, UnknownPartError
            There is no such hand.
        GraspError
            The thing does not exist, cannot be grasped, is held, or is beyond its grasp radius;
            or the hand holds another.

        """
        self._grasping.grasp(holder, part, thing)

    def release(self, holder: str, part: str) -> None:
        """Let the thing go that a part holds; nothing happens if it holds none."""
        self._grasping.release(holder, part)

    def connect(self, name: str, first: PartName, second: PartName) -> None:
        """
        Hold two parts together, under a name.

        Raises
        ------
        UnknownEntityError, UnknownPartError
            There is no such part.
        NameTakenError
            Another connection has the name, or it is empty.
        WrongModeError
            Both parts are the same.

        """
        self._grasping.connect(name, first, second)

    def disconnect(self, name: str) -> None:
        """
        Let the parts of a connection go.

        Raises
        ------
        UnknownEntityError
            No connection has the name.

        """
        self._grasping.disconnect(name)

    def set_wheels(self, name: str, wheels: Wheels) -> None:
        """
        Give an entity wheels.

        Raises
        ------
        InvalidStateError
            The radius or the separation is not above 0.
        UnknownPartError
            There is no such joint.
        WrongModeError
            The entity is fixed to the world.

        """
        check_wheels(self.physics, name, wheels)
        self._composition.entities[name] = replace(self.entity(name), wheels=wheels)

    def set_wheel_velocities(self, name: str, left: float, right: float) -> None:
        """
        Drive by the velocities of both wheels, until the next [rad/s].

        Without dynamics the base is moved along the floor.

        Raises
        ------
        InvalidStateError
            A velocity is not finite.
        WrongModeError
            The entity has no wheels, or it has dynamics and its wheels have no joints.

        """
        wheels, velocities = self._wheels(name), WheelVelocities(left, right)
        if not all(map(math.isfinite, velocities)):
            raise InvalidStateError(
                f'wheel velocities of {name!r} are {left} and {right} rad/s; they must be finite'
            )
        if not self.entity(name).dynamics:
            self._drives.set(name, base_velocity(wheels, velocities))
            return
        if wheels.joints is None:
            raise WrongModeError(f'entity {name!r} has dynamics, and no joints of its wheels')
        for joint, velocity in zip(wheels.joints, velocities, strict=True):
            self.set_joint_target(name, joint, velocity=velocity)

    def drive(self, name: str, linear: float, angular: float) -> None:
        """
        Drive a base forward [m/s] and about the vertical [rad/s], until the next velocities.

        Raises
        ------
        InvalidStateError
            A velocity is not finite.
        WrongModeError
            The entity has no wheels, or it has dynamics and its wheels have no joints.

        """
        velocities = wheel_velocities(self._wheels(name), BaseVelocity(linear, angular))
        self.set_wheel_velocities(name, *velocities)

    def set_joint_target(
        self,
        name: str,
        joint: str,
        *,
        position: float | None = None,
        velocity: float | None = None,
        torque: float | None = None,
    ) -> None:
        """
        Drive a hinge or slide to a position, a velocity or by a torque, until the next target.

        Without dynamics, the joint has the position at once.

        Parameters
        ----------
        name, joint : str
            Of the entity and the joint.
        position, velocity, torque : float, optional
            Exactly one of them [rad or m, rad/s or m/s, N m or N].

        Raises
        ------
        InvalidStateError
            Not exactly one finite value is given, or the position is beyond the limits.
        WrongModeError
            The joint is a ball joint, or the entity has no dynamics and gets no position.

        """
        handle = self.physics.joint(name, joint)
        given = {
            kind: value
            for kind, value in zip(TargetKind, (position, velocity, torque), strict=True)
            if value is not None
        }
        if len(given) != 1 or not all(map(math.isfinite, given.values())):
            raise InvalidStateError(
                f'target of joint {joint!r} of {name!r} has {len(given)} values; it must have one '
                'finite position, velocity or torque'
            )
        if handle.kind is JointKind.BALL:
            raise WrongModeError(f'joint {joint!r} of {name!r} is a ball joint: it has no target')
        ((kind, value),) = given.items()
        if kind is TargetKind.POSITION:
            self._check_limits(name, joint, value)
        if self.entity(name).dynamics:
            self._targets.set(name, joint, JointTarget(kind, value))
            return
        if kind is not TargetKind.POSITION:
            raise WrongModeError(f'entity {name!r} has no dynamics: its joints get positions only')
        present = self.state_of(name)
        joints = {joint: JointState((value,), (0.0,))}
        self.set_state(name, replace(present, joints=joints))

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

    def _act_on(self, composition: Composition) -> None:
        """Create all that acts on the entities of a composition."""
        self._composition, self.physics = composition, composition.physics
        self._states = States(self.physics, composition.offsets, composition.part_frames)
        # Before the modes, which set other masses.
        GyroscopicTorques(self.physics)
        self._modes = Modes(self.physics, composition.entities)
        self._targets = JointTargets(self.physics)
        LimitStops(self.physics)
        self._drives = Drives(self.physics, self._modes, composition.offsets)
        self._grasping = Grasping(composition, self._states, self._modes)

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

    def _change(self, name: str, entity: Entity) -> None:
        self._composition.entities[name] = entity
        self._modes.apply(name)

    def _require_dynamics(self, name: str) -> None:
        handle = self.physics.handle(name)
        if not self.entity(name).dynamics:
            raise WrongModeError(f'entity {name!r} has no dynamics: forces have no effect')
        if handle.dofs.start == handle.dofs.stop:
            raise WrongModeError(f'entity {name!r} is fixed to the world')

    def _wheels(self, name: str) -> Wheels:
        if (wheels := self.entity(name).wheels) is None:
            raise WrongModeError(f'entity {name!r} has no wheels')
        check_wheels(self.physics, name, wheels)
        return wheels

    def _check_limits(self, name: str, joint: str, position: float) -> None:
        model, index = self.physics.model, self.physics.joint(name, joint).index
        lower, upper = model.jnt_range[index].tolist()
        if model.jnt_limited[index] and not lower <= position <= upper:
            raise InvalidStateError(
                f'position of joint {joint!r} of {name!r} is {position}; it must be from {lower} '
                f'to {upper}'
            )
