# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The MuJoCo model of a world, its state and its steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.errors import (
    DivergedError,
    UnknownEntityError,
    UnknownPartError,
)
from world_model_core.virtual_world.values import JointKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = ['Handle', 'JointHandle', 'Physics']

_KINDS = {
    int(mujoco.mjtJoint.mjJNT_HINGE): JointKind.HINGE,
    int(mujoco.mjtJoint.mjJNT_SLIDE): JointKind.SLIDE,
    int(mujoco.mjtJoint.mjJNT_BALL): JointKind.BALL,
}
_FREE = int(mujoco.mjtJoint.mjJNT_FREE)
_LEAST_VELOCITY = 1e-300
# Warnings after which a state is of no use. The others count in reports: too many contacts.
_FATAL = (
    mujoco.mjtWarning.mjWARN_INERTIA,
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
    mujoco.mjtWarning.mjWARN_BADCTRL,
)
_STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
_NO_WARNINGS = bytes(4 * int(mujoco.mjtWarning.mjNWARNING))


# Called without arguments before or after steps, or after a compilation.
Act: TypeAlias = 'Callable[[], None]'


def _ignore(_warning: str) -> None:
    """
    Ignore the text of a warning of MuJoCo.

    MjData counts its warnings, and `Physics` reads the counts. Without a function for the texts
    MuJoCo prints them and writes MUJOCO_LOG.TXT into the current folder.
    """


mujoco.set_mju_user_warning(_ignore)


@dataclass(frozen=True, slots=True)
class JointHandle:
    """
    Where the state of a joint lies.

    Attributes
    ----------
    name : str
        Without the name of the entity.
    index : int
        In the model's joints.
    kind : JointKind
    qpos, dof : int
        First element in data.qpos and data.qvel.

    """

    name: str
    index: int
    kind: JointKind
    qpos: int
    dof: int


@dataclass(frozen=True, slots=True)
class Handle:
    """
    Where an entity lies in the present model; valid until the next compilation.

    Attributes
    ----------
    root : int
        Body of its root part.
    bodies, geoms, joints, dofs, qpos : slice
        Its ranges in the model.
    free : bool
        Whether its root has a free joint, the first of its joints.
    parts : mapping of str to int
        Body of each part.
    jointed : mapping of str to JointHandle
        Its hinges, slides and ball joints.

    """

    root: int
    bodies: slice
    geoms: slice
    joints: slice
    dofs: slice
    qpos: slice
    free: bool
    parts: Mapping[str, int]
    jointed: Mapping[str, JointHandle]


class Physics:
    """
    The model of a world: everything in it is found by name, as indices change with each spawn.

    Parameters
    ----------
    spec : mujoco.MjSpec
        Names of elements of entities are `NAME/ELEMENT`.

    Attributes
    ----------
    model : mujoco.MjModel
    data : mujoco.MjData
    handles : dict of str to Handle
        All entities in the order of the model.
    owners : list of tuple of str
        Entity and part of each body; ("", "") of the world.
    steps : int
        Physics steps since time 0.
    compiled : list of callable
        Called after each compilation, to find what is needed by name.

    """

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.steps = 0
        self.compiled: list[Act] = []
        # Tuples, as what they call may switch them.
        self._before_step: tuple[Act, ...] = ()
        self._after_step: tuple[Act, ...] = ()
        self.model: Any = spec.compile()
        self.data: Any = mujoco.MjData(self.model)
        self._bind()

    @property
    def time_ns(self) -> int:
        """Simulated time [ns]."""
        return self.steps * self.step_ns

    def recompile(self) -> None:
        """
        Compile the specification again; time, poses, velocities and warm start are kept.

        Raises
        ------
        ValueError
            MuJoCo refuses the specification; model and state are as before.

        """
        self.model, self.data = self.spec.recompile(self.model, self.data)
        self._bind_all()

    def replace(self, spec: Any) -> None:
        """
        Compile another specification of the same entities; the state is kept.

        Which constraints are active is decided by those who own them.
        """
        model = spec.compile()
        data = mujoco.MjData(model)
        kept = _STATE & ~int(mujoco.mjtState.mjSTATE_EQ_ACTIVE)
        state = np.empty(mujoco.mj_stateSize(model, kept))
        mujoco.mj_getState(self.model, self.data, state, kept)
        mujoco.mj_setState(model, data, state, kept)
        self.spec, self.model, self.data = spec, model, data
        self._bind_all()

    def step(self, count: int) -> None:
        """
        Advance by physics steps.

        Raises
        ------
        DivergedError
            A value is not finite or too large; the state before that step is restored.

        """
        model, data = self.model, self.data
        sound, counts = self._sound, self._warning_counts
        for _ in range(count):
            mujoco.mj_getState(model, data, sound, _STATE)
            for act in self._before_step:
                act()
            mujoco.mj_step(model, data)
            for act in self._after_step:
                act()
            if counts.tobytes() != _NO_WARNINGS:  # faster than any()
                self._check_warnings()
            self.steps += 1
        self._stale = True

    def run_before_steps(self, act: Act, *, on: bool) -> None:
        """Call a function before each physics step from now on, or no longer."""
        self._before_step = _switched(self._before_step, act, on=on)

    def run_after_steps(self, act: Act, *, on: bool) -> None:
        """Call a function after each physics step from now on, or no longer."""
        self._after_step = _switched(self._after_step, act, on=on)

    def handle(self, name: str) -> Handle:
        """
        Return where an entity lies.

        Raises
        ------
        UnknownEntityError

        """
        if (found := self.handles.get(name)) is None:
            raise UnknownEntityError(f'no entity has the name {name!r}')
        return found

    def body(self, name: str, part: str) -> int:
        """
        Return the body of a part; the root if `part` is empty.

        Raises
        ------
        UnknownEntityError, UnknownPartError

        """
        handle = self.handle(name)
        found = handle.parts.get(part) if part else handle.root
        if found is None:
            raise UnknownPartError(f'entity {name!r} has no part {part!r}')
        return found

    def joint(self, name: str, joint: str) -> JointHandle:
        """
        Return where a joint lies.

        Raises
        ------
        UnknownEntityError, UnknownPartError

        """
        if (found := self.handle(name).jointed.get(joint)) is None:
            raise UnknownPartError(f'entity {name!r} has no joint {joint!r}')
        return found

    def mark_changed(self) -> None:
        """Note that data.qpos or data.qvel was changed."""
        self._stale = True

    def wake(self, name: str) -> None:
        """Wake an entity and all that sleeps in contact with it."""
        self._wake(self.handles[name].dofs)

    def wake_all(self) -> None:
        """Wake all entities: something that they may rest on has changed."""
        self._wake(slice(None))

    def _wake(self, dofs: slice) -> None:
        """Give what sleeps the least velocity: MuJoCo then wakes it."""
        if self.data.ntree_awake < self.model.ntree:
            velocities = self.data.qvel[dofs]
            velocities[velocities == 0.0] = _LEAST_VELOCITY

    def update_poses(self) -> None:
        """Compute poses of bodies and geoms from data.qpos, unless they are known."""
        if self._stale:
            mujoco.mj_kinematics(self.model, self.data)
            mujoco.mj_comPos(self.model, self.data)
            self._stale = False

    @property
    def warnings(self) -> int:
        """Warnings of MuJoCo since time 0: contacts or constraints that had no room."""
        return self._warnings

    def state(self) -> Array:
        """Return all of the state on which the further run depends, shape (n,)."""
        state = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, state, _STATE)
        return state

    def load(self, state: Array, steps: int, warnings: int) -> None:
        """Set the state of a model of this size, the steps since time 0 and the warnings."""
        mujoco.mj_setState(self.model, self.data, state, _STATE)
        self.steps, self._warnings = steps, warnings
        self._stale = True

    def copy(self, data: Any) -> None:
        """Copy all data of a model of this size."""
        mujoco.mj_copyData(self.data, self.model, data)
        self._stale = True

    def reset_state(self) -> None:
        """Return to the state of the specification, except time."""
        mujoco.mj_resetData(self.model, self.data)
        self.set_time(self.steps)
        self._stale = True

    def set_time(self, steps: int) -> None:
        """Set the number of steps since time 0."""
        self.steps = steps
        self.data.time = steps * self.model.opt.timestep

    def _bind_all(self) -> None:
        """Find all entities, and let all others find what they need."""
        self._bind()
        for rebind in self.compiled:
            rebind()

    def _bind(self) -> None:
        """Find all entities by the names of their bodies."""
        model = self.model
        self.step_ns: int = round(model.opt.timestep * 1e9)
        self._sound = np.empty(mujoco.mj_stateSize(model, _STATE))
        self._warning_counts = self.data.warning.number
        self._warnings = getattr(self, '_warnings', 0)
        self._stale = True
        names = _names(model.names, model.name_bodyadr)
        self.owners = [('', ''), *(_split(name) for name in names[1:])]
        starts: dict[str, int] = {}
        for index, (entity, _) in enumerate(self.owners):
            if entity:
                starts.setdefault(entity, index)
        firsts = list(starts.values())
        ends = [*firsts[1:], model.nbody]
        joints = _names(model.names, model.name_jntadr)
        self.handles: dict[str, Handle] = {
            entity: self._find(first, end, joints)
            for entity, first, end in zip(starts, firsts, ends, strict=False)
        }

    def _find(self, first: int, end: int, joint_names: list[str]) -> Handle:
        """Find the elements of the entity that has the bodies from `first` to before `end`."""
        model = self.model
        bodies = slice(first, end)
        joints = _range(model.jnt_bodyid, bodies)
        addresses = model.jnt_qposadr
        qpos = slice(_at(addresses, joints.start, model.nq), _at(addresses, joints.stop, model.nq))
        types = model.jnt_type[joints].tolist()
        jointed = [
            JointHandle(
                _split(joint_names[index])[1],
                index,
                _KINDS[kind],
                int(addresses[index]),
                int(model.jnt_dofadr[index]),
            )
            for index, kind in enumerate(types, joints.start)
            if kind != _FREE
        ]
        return Handle(
            first,
            bodies,
            _range(model.geom_bodyid, bodies),
            joints,
            _range(model.dof_bodyid, bodies),
            qpos,
            bool(types) and types[0] == _FREE,
            {self.owners[index][1]: index for index in range(first, end)},
            {joint.name: joint for joint in jointed},
        )

    def _check_warnings(self) -> None:
        """Count warnings; raise an error if one makes the state useless."""
        counts = self._warning_counts.copy()
        infos = self.data.warning.lastinfo.copy()
        self._warning_counts[:] = 0
        self._warnings += int(counts.sum())
        for kind in _FATAL:
            if counts[int(kind)]:
                reason = mujoco.mju_warningText(int(kind), int(infos[int(kind)]))
                raise self._diverged(kind, int(infos[int(kind)]), reason)

    def _diverged(self, kind: Any, index: int, reason: str) -> DivergedError:
        """Restore the state before the step, and return the error."""
        mujoco.mj_setState(self.model, self.data, self._sound, _STATE)
        self._stale = True
        body = 0
        if kind == mujoco.mjtWarning.mjWARN_BADQPOS:
            joint = np.searchsorted(self.model.jnt_qposadr, index, side='right') - 1
            body = self.model.jnt_bodyid[joint]
        elif kind != mujoco.mjtWarning.mjWARN_BADCTRL:
            body = self.model.dof_bodyid[index]
        return DivergedError(*self.owners[body], self.steps + 1, reason)


def _switched(acts: tuple[Act, ...], act: Act, *, on: bool) -> tuple[Act, ...]:
    others = tuple(each for each in acts if each != act)
    return (*others, act) if on else others


def _names(names: bytes, addresses: NDArray[np.int32]) -> list[str]:
    """Return the names at addresses in the names of a model."""
    return [names[start : names.index(0, start)].decode() for start in addresses.tolist()]


def _split(name: str) -> tuple[str, str]:
    entity, _, element = name.partition('/')
    return entity, element


def _range(bodies: NDArray[np.int32], wanted: slice) -> slice:
    """Return the range of the elements of a range of bodies; elements are sorted by body."""
    start, stop = np.searchsorted(bodies, (wanted.start, wanted.stop)).tolist()
    return slice(start, stop)


def _at(addresses: NDArray[np.int32], index: int, end: int) -> int:
    return int(addresses[index]) if index < len(addresses) else end
