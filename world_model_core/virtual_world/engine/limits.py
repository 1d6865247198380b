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
        physics.before_step.append(self._act)
        self._bind()

    def _bind(self) -> None:
        model = self._physics.model
        one = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
        self._joints = np.flatnonzero(np.isin(model.jnt_type, one) & (model.jnt_limited != 0))
        self._qpos = model.jnt_qposadr[self._joints].astype(np.intp)
        self._dofs = model.jnt_dofadr[self._joints].astype(np.intp)
        lower, upper = model.jnt_range[self._joints].T
        self._middle = 0.5 * (lower + upper)
        self._half = 0.5 * (upper - lower)
        self._margins = model.jnt_margin[self._joints].copy()
        self._raised = False

    def _act(self) -> None:
        if not len(self._joints):
            return
        physics = self._physics
        model, data = physics.model, physics.data
        if self._raised:
            model.jnt_margin[self._joints] = self._margins
            self._raised = False
        position = data.qpos.take(self._qpos)
        position -= self._middle
        following = data.qvel.take(self._dofs)
        following *= model.opt.timestep
        following += position
        if (np.abs(following) > self._half).any():
            self._raise(position, following)

    def _raise(self, position: np.ndarray, following: np.ndarray) -> None:
        """Raise the margins of the joints that are inside their limits and would leave them."""
        distance = self._half - np.copysign(1.0, following) * position
        leaving = (np.abs(following) > self._half) & (distance > 0.0)
        margins = np.where(leaving, distance + EARLIER, self._margins)
        self._physics.model.jnt_margin[self._joints] = margins
        self._raised = True
