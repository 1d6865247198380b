# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Stops of joints, which act before the step in which a joint would pass its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

if TYPE_CHECKING:
    from world_model_core.virtual_world.engine.physics import Physics

__all__ = ['LimitStops']

# Beyond the distance at which a stop acts early, so that its depth is not 0 [rad or m].
EARLIER = 1e-9
# Joints that move less than this in a step need no early stop [rad or m].
SLOW = 0.005
# Faster than any().
_ANY = b'\1'


class LimitStops:
    """
    Brakes joints that would pass a limit within the next step.

    MuJoCo's limit acts after a joint has passed it: at 5 rad/s a step of 10 ms is 2.9 degrees.
    The margin of such a joint is raised to its distance for this step, so that MuJoCo's solver
    stops it where it is, with all reactions on the other joints.

    Parameters
    ----------
    physics : Physics

    """

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        physics.compiled.append(self._bind)
        self._bind()

    def _bind(self) -> None:
        model, data = self._physics.model, self._physics.data
        one = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
        self._joints = np.flatnonzero(np.isin(model.jnt_type, one) & (model.jnt_limited != 0))
        self._qpos = model.jnt_qposadr[self._joints].astype(np.intp)
        self._dofs = model.jnt_dofadr[self._joints].astype(np.intp)
        lower, upper = model.jnt_range[self._joints].T
        self._middle = 0.5 * (lower + upper)
        self._half = 0.5 * (upper - lower)
        self._margins = model.jnt_margin[self._joints].copy()
        self._physics.run_before_steps(self._act, on=len(self._joints) > 0)
        self._raised = False
        self._step = float(model.opt.timestep)
        self._slow = (SLOW / self._step) ** 2
        # Views that stay valid until the next compilation: fetching them takes time in each step.
        self._model, self._positions, self._all_velocities = model, data.qpos, data.qvel
        if len(self._dofs):
            self._velocities = data.qvel[self._dofs[0] : self._dofs[-1] + 1]

    def _act(self) -> None:
        if self._raised:
            self._model.jnt_margin[self._joints] = self._margins
            self._raised = False
        velocities = self._velocities
        if velocities.dot(velocities) > self._slow:
            self._brake()

    def _brake(self) -> None:
        """Raise the margins of the joints that are inside their limits and would leave them."""
        position = self._positions.take(self._qpos)
        position -= self._middle
        following = self._step * self._all_velocities.take(self._dofs)
        following += position
        beyond = np.abs(following) > self._half
        if _ANY in beyond.tobytes():
            distance = self._half - np.copysign(1.0, following) * position
            leaving = beyond & (distance >= 0.0)
            margins = np.where(leaving, distance + EARLIER, self._margins)
            self._model.jnt_margin[self._joints] = margins
            self._raised = True
