# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The MuJoCo model of a world, its state and its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.errors import (
    DivergedError,
    UnknownEntityError,
    UnknownPartError,
)
from world_model_core.virtual_world.engine.handles import find_handles, owners_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.handles import Handle, JointHandle

__all__ = ['Physics']

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
        self.owners = owners_of(model)
        self.handles: dict[str, Handle] = find_handles(model, self.owners)

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
