# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Gyroscopic torques of free bodies, in a form that is stable at large steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.frames import rotation_of
from world_model_core.virtual_world.engine.masses import displaced
from world_model_core.virtual_world.engine.poses import compose, pose_of, wxyz
from world_model_core.virtual_world.values import Pose

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.engine.handles import Handle
    from world_model_core.virtual_world.engine.physics import Physics

__all__ = ['GyroscopicTorques']

# Bodies that turn less in a step are computed well enough by MuJoCo [rad].
SLOW = 0.03
# Bodies whose moments differ less have no gyroscopic torque, relative to the largest.
ROUND = 1e-6
DOFS = 6
# Linear map from a vector to the nine elements of the matrix of its cross product.
_SKEW = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]
)


class GyroscopicTorques:
    """
    Corrects the gyroscopic torques of free bodies that turn fast.

    MuJoCo's Euler steps take the torque w x J w at the start of a step, by which a body that
    turns at 15 rad/s gains ten times its energy in 5 s. Here a step of 10 ms ends as by the
    implicit midpoint rule, which keeps the energy (as in Catto, Numerical Methods, GDC 2015, who
    uses backward Euler): J u + h (w + u / 2) x J (w + u / 2) = 0 for the change u of w, by two
    Newton iterations. What is missing to u is applied as a torque.

    Parameters
    ----------
    physics : Physics
        As it was compiled: no other masses are set yet.

    """

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        physics.compiled.append(self._bind)
        self._bind()

    def _bind(self) -> None:
        physics = self._physics
        handles, inertias = _uneven(physics)
        first = np.array([handle.dofs.start + 3 for handle in handles], dtype=np.intp)
        self._dofs = first[:, None] + np.arange(3)
        self._roots = np.array([handle.root for handle in handles], dtype=np.intp)
        self._inertias = inertias
        self._masses = physics.model.body_subtreemass[self._roots]
        self._step = float(physics.model.opt.timestep)
        self._slow = (SLOW / self._step) ** 2
        self._velocities, self._flat = physics.data.qvel, self._dofs.ravel()
        physics.run_before_steps(self._act, on=len(handles) > 0)

    def _act(self) -> None:
        velocities = self._velocities.take(self._flat)
        if velocities.dot(velocities) > self._slow:
            self._correct(velocities.reshape(-1, 3))

    def _correct(self, velocities: Array) -> None:
        """Apply torques, in the frames of the bodies, to those that turn fast."""
        physics = self._physics
        fast = np.flatnonzero((velocities**2).sum(axis=1) > self._slow)
        # An entity may have got another mass.
        scales = physics.model.body_subtreemass[self._roots[fast]] / self._masses[fast]
        torques = _missing_torques(self._inertias[fast], velocities[fast], self._step)
        physics.data.qfrc_applied[self._dofs[fast]] = scales[:, None] * torques
        physics.run_after_steps(self._clear, on=True)

    def _clear(self) -> None:
        self._physics.data.qfrc_applied[self._flat] = 0.0
        self._physics.run_after_steps(self._clear, on=False)


def _missing_torques(inertias: Array, velocities: Array, step: float) -> Array:
    """Return the torques that make explicit steps end as by the implicit midpoint rule."""
    explicit = -step * _times(_skew(velocities), _times(inertias, velocities))
    changes = np.zeros_like(velocities)
    for _ in range(2):
        middle = velocities + 0.5 * changes
        momenta, turning = _times(inertias, middle), _skew(middle)
        wrong = _times(inertias, changes) + step * _times(turning, momenta)
        slopes = inertias + 0.5 * step * (turning @ inertias - _skew(momenta))
        changes -= np.linalg.solve(slopes, wrong[..., None])[..., 0]
    torques: Array = (_times(inertias, changes) - explicit) / step
    return torques


def _times(matrices: Array, vectors: Array) -> Array:
    product: Array = (matrices @ vectors[..., None])[..., 0]
    return product


def _skew(vectors: Array) -> Array:
    """Return the matrices of the cross products with vectors; np.cross is slower."""
    matrices: Array = (vectors @ _SKEW).reshape(-1, 3, 3)
    return matrices


def _uneven(physics: Physics) -> tuple[list[Handle], Array]:
    """Return rigid entities that are free and have unequal moments, and their inertias."""
    model = physics.model
    free = [
        handle
        for handle in physics.handles.values()
        if handle.free and handle.dofs.stop - handle.dofs.start == DOFS
    ]
    # The moments of entities of one body are in the model: most entities of most worlds.
    roots = [handle.root for handle in free]
    axes = rotation_of(model.body_iquat[roots][:, [1, 2, 3, 0]])
    inertias = axes @ (model.body_inertia[roots][:, :, None] * axes.swapaxes(1, 2))
    for number, handle in enumerate(free):
        if handle.bodies.stop - handle.bodies.start > 1:
            inertias[number] = _inertia(model, handle)
    moments = np.linalg.eigvalsh(inertias)
    chosen = np.flatnonzero(moments[:, 2] - moments[:, 0] > ROUND * moments[:, 2])
    return [free[number] for number in chosen], inertias[chosen]


def _inertia(model: Any, handle: Handle) -> Array:
    """
    Return the inertia of several bodies about their center of mass, along the axes of the root.

    It is found from the model alone: to the bit, it does not depend on the state.
    """
    frames = {handle.root: Pose()}
    masses = model.body_mass[handle.bodies]
    centers, inertias = [], []
    for body in range(handle.bodies.start, handle.bodies.stop):
        if body != handle.root:
            local = pose_of(model.body_pos[body].tolist(), model.body_quat[body].tolist())
            frames[body] = compose(frames[int(model.body_parentid[body])], local)
        inertial = pose_of(model.body_ipos[body].tolist(), model.body_iquat[body].tolist())
        placed = compose(frames[body], inertial)
        matrix = np.empty(9)
        mujoco.mju_quat2Mat(matrix, np.array(wxyz(placed.orientation)))
        axes = matrix.reshape(3, 3)
        centers.append(placed.position)
        inertias.append(axes @ np.diag(model.body_inertia[body]) @ axes.T)
    offsets = np.array(centers) - masses @ centers / masses.sum()
    total: Array = np.sum(inertias, axis=0)
    for mass, offset in zip(masses, offsets, strict=True):
        total += displaced(mass, offset)
    return total
