# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Puts entities into the specification of a MuJoCo model.

The elements of an entity are named `NAME/ELEMENT`: bodies by the parts, joints and their servos by
the joints, geoms by the part and the number of the shape. Names of entities contain no "/".
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.findings import Findings
from world_model_core.virtual_world.engine.entity_checks import check_entity
from world_model_core.virtual_world.engine.errors import InvalidEntityError
from world_model_core.virtual_world.engine.geoms import add_shapes
from world_model_core.virtual_world.engine.masses import mass_properties
from world_model_core.virtual_world.engine.poses import compose, inverse, pose_of, wxyz
from world_model_core.virtual_world.engine.surfaces import Surfaces, add_light
from world_model_core.virtual_world.engine.units import contact_settings
from world_model_core.virtual_world.values import JointKind, Pose, ShapeUse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.virtual_world.engine.masses import MassProperties
    from world_model_core.virtual_world.values import Entity, Joint, World

__all__ = ['LEAST_MASS', 'SERVO_IMPEDANCE', 'SERVO_TIME', 'Builder']

GROUND, GROUND_COLOR = 'ground', (0.7, 0.7, 0.68, 1.0)
# MuJoCo refuses moving bodies without mass. This much has no effect on a part that weighs nothing
# and carries others: the inertia about its joint is theirs [kg, kg m^2].
LEAST_MASS, LEAST_INERTIA = 1e-6, 1e-9
# A stop is as stiff as the step allows: 2 steps.
STEPS_OF_STOP = 2.0
STOP_IMPEDANCE = (0.99, 0.999, 0.001, 0.5, 2.0)
# A servo reaches its target within this time and gives way by 1e-3 of the acceleration [s].
SERVO_TIME = 0.05
SERVO_IMPEDANCE = (0.999, 0.999, 0.001, 0.5, 2.0)
# What moves slower for 10 steps may sleep, as in ODE (dWorldSetAutoDisableLinearThreshold) [m/s].
SLEEP_SPEED = 0.01
# For limits on one side only [rad or m].
FAR = 1e6
# Frames this far from the center of mass count as in it [m].
CENTERED = 1e-6

_JOINT_TYPES = {
    JointKind.HINGE: mujoco.mjtJoint.mjJNT_HINGE,
    JointKind.SLIDE: mujoco.mjtJoint.mjJNT_SLIDE,
    JointKind.BALL: mujoco.mjtJoint.mjJNT_BALL,
}


class Builder:
    """
    The specification of the model of a world.

    Parameters
    ----------
    world : World
        Its settings; its entities are added by `add`.
    sleep : bool
        Whether bodies that rest are not computed.
    original_limits : bool
        Whether joints have no limits.
    findings : Findings
        Gets what has no counterpart in MuJoCo.
    looks : bool
        Whether colors, pictures and light are part of the model.

    Attributes
    ----------
    spec : mujoco.MjSpec
    offsets : dict of str to Pose
        Of the root body of each entity, in the frame of the entity.
    part_frames : dict of str to Pose
        Of the root part in the frame of its body, where they differ.

    """

    def __init__(
        self,
        world: World,
        *,
        sleep: bool,
        original_limits: bool,
        findings: Findings,
        looks: bool = True,
    ) -> None:
        self.spec = mujoco.MjSpec()
        self._surfaces = Surfaces(self.spec, looks=looks)
        self.offsets: dict[str, Pose] = {}
        self.part_frames: dict[str, Pose] = {}
        self._settings = replace(world, entities=())
        self._options = {'sleep': sleep, 'original_limits': original_limits}
        self._findings = findings
        self._set_options(world, sleep)
        self._set_contacts(world)
        if world.ground:
            plane = mujoco.mjtGeom.mjGEOM_PLANE
            self.spec.worldbody.add_geom(
                name=GROUND, type=plane, size=(0.0, 0.0, 1.0), rgba=GROUND_COLOR
            )
        if looks:
            add_light(self.spec)

    def check(self, entity: Entity) -> None:
        """
        Compile an entity alone: MuJoCo cannot take back what it has refused.

        Raises
        ------
        InvalidEntityError

        """
        findings = Findings(self._findings.catalog)
        alone = Builder(self._settings, findings=findings, looks=False, **self._options)
        alone.add(entity)
        try:
            alone.spec.compile()
        except ValueError as error:
            raise InvalidEntityError(f'entity {entity.name!r}: {error}') from error

    def add(self, entity: Entity) -> None:
        """
        Add an entity.

        Raises
        ------
        InvalidEntityError
            A name or number is invalid, or MuJoCo cannot read its model.

        """
        check_entity(entity)
        if entity.model is None:
            self._add_parts(entity)
        else:
            self._add_model(entity)

    def remove(self, name: str) -> None:
        """Remove an entity, and the meshes and materials that only it uses."""
        prefix, spec = f'{name}/', self.spec
        self.offsets.pop(name, None)
        self.part_frames.pop(name, None)
        # What is on a body, and what names it, is deleted with the body.
        self._delete(prefix, spec.worldbody.bodies, spec.worldbody.geoms, spec.worldbody.sites)
        self._delete(prefix, spec.excludes, spec.equalities, spec.frames)
        self._delete(prefix, spec.materials, spec.textures, spec.hfields)
        self._surfaces.prune()

    def _delete(self, prefix: str, *lists: Any) -> None:
        """Delete the elements whose names begin with a prefix."""
        for element in chain.from_iterable(lists):
            if element.name.startswith(prefix):
                self.spec.delete(element)

    def _set_options(self, world: World, sleep: bool) -> None:
        option = self.spec.option
        option.timestep = world.step
        option.gravity = world.gravity
        # With implicitfast a cylinder that should rest kept turning on the spot at 2 rad/s.
        option.integrator = mujoco.mjtIntegrator.mjINT_EULER
        option.solver = mujoco.mjtSolver.mjSOL_NEWTON
        # A pyramid would hold more along its diagonals than friction does.
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
        if sleep:
            option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
            option.sleep_tolerance = SLEEP_SPEED
        self.spec.compiler.boundmass = LEAST_MASS
        self.spec.compiler.boundinertia = LEAST_INERTIA
        self.spec.compiler.balanceinertia = True
        self.spec.compiler.degree = False

    def _set_contacts(self, world: World) -> None:
        settings = contact_settings(world.contact, world.step, self._findings)
        geom = self.spec.default.geom
        geom.solref = settings.solref
        geom.solimp = settings.solimp
        geom.friction = settings.friction
        geom.condim = 3

    def _add_parts(self, entity: Entity) -> None:
        masses = mass_properties(entity)
        if entity.movable:
            entity = self._centered(entity, masses)
            masses = mass_properties(entity)
        bodies: dict[str, Any] = {'': self.spec.worldbody}
        root = entity.parts[0]
        self.offsets[entity.name] = root.pose
        for part in entity.parts:
            pose = part.pose if part.parent else compose(entity.pose, root.pose)
            body = bodies[part.parent].add_body(
                name=f'{entity.name}/{part.name}',
                pos=pose.position,
                quat=wxyz(pose.orientation),
            )
            bodies[part.name] = body
            _set_mass(body, masses[part.name])
            if part.joint is not None:
                self._add_servo(self._add_joint(body, entity.name, part.joint))
            add_shapes(self._surfaces, body, entity, part, self._findings)
        if entity.movable:
            bodies[root.name].add_freejoint(name=f'{entity.name}/')
        self._exclude_own_contacts(entity)

    def _centered(self, entity: Entity, masses: Mapping[str, MassProperties]) -> Entity:
        """
        Return the entity with the frame of its root part at the part's center of mass.

        Away from it, the steps of a free body that turns would gain energy.
        """
        root, *others = entity.parts
        x, y, z = masses[root.name].center.tolist()
        if max(abs(x), abs(y), abs(z)) < CENTERED:
            return entity
        center = Pose((x, y, z))
        self.part_frames[entity.name] = away = inverse(center)
        shapes = tuple(replace(each, pose=compose(away, each.pose)) for each in root.shapes)
        moved = replace(
            root,
            pose=compose(root.pose, center),
            shapes=shapes,
            center_of_mass=None if root.center_of_mass is None else (0.0, 0.0, 0.0),
        )
        for number, part in enumerate(others):
            if part.parent == root.name:
                others[number] = replace(part, pose=compose(away, part.pose))
        return replace(entity, parts=(moved, *others))

    def _add_joint(self, body: Any, entity: str, joint: Joint) -> Any:
        limited = math.isfinite(joint.upper) or math.isfinite(joint.lower)
        added = body.add_joint(
            name=f'{entity}/{joint.name}',
            type=_JOINT_TYPES[joint.kind],
            axis=joint.axis,
            pos=joint.anchor,
            solref_limit=(STEPS_OF_STOP * self._settings.step, 1.0),
            solimp_limit=STOP_IMPEDANCE,
        )
        _set_damping(added, joint.damping)
        added.limited = limited and not self._options['original_limits']
        if limited:
            lower = 0.0 if joint.kind is JointKind.BALL else joint.lower
            added.range = (max(lower, -FAR), min(joint.upper, FAR))
        return added

    def _exclude_own_contacts(self, entity: Entity) -> None:
        """Let parts of an entity not collide with each other, as in SIGVerse."""
        solid = [
            part.name
            for part in entity.parts
            if part.mass != 0.0 and any(s.use is not ShapeUse.VISUAL for s in part.shapes)
        ]
        for number, first in enumerate(solid):
            for second in solid[number + 1 :]:
                self.spec.add_exclude(
                    name=f'{entity.name}/{first}/{second}',
                    bodyname1=f'{entity.name}/{first}',
                    bodyname2=f'{entity.name}/{second}',
                )

    def _add_model(self, entity: Entity) -> None:
        model = entity.model
        assert model is not None  # noqa: S101 (for the type checker)
        try:
            child = mujoco.MjSpec.from_string(model.text, assets=dict(model.assets))
            # By default the root of a URDF becomes part of the world.
            child.compiler.fusestatic = False
            compiled = child.compile()
        except (ValueError, RuntimeError, mujoco.FatalError) as error:
            raise InvalidEntityError(f'model of entity {entity.name!r}: {error}') from error
        if compiled.nbody < 2:
            raise InvalidEntityError(f'model of entity {entity.name!r} has no body')
        position, quaternion = compiled.body_pos[1].tolist(), compiled.body_quat[1].tolist()
        self.offsets[entity.name] = pose_of(position, quaternion)
        # MuJoCo simulates a world to find the lengths of its muscles, without end if it diverges.
        for actuator, lengths in zip(child.actuators, compiled.actuator_lengthrange, strict=True):
            actuator.lengthrange = lengths
        self._prepare_model(child, entity)
        joints = list(child.joints)
        frame = self.spec.worldbody.add_frame(
            name=f'{entity.name}/', pos=entity.pose.position, quat=wxyz(entity.pose.orientation)
        )
        self.spec.attach(child, prefix=f'{entity.name}/', frame=frame)
        for joint in joints:
            self._add_servo(joint)

    def _prepare_model(self, child: Any, entity: Entity) -> None:
        """Name the elements of a model, and make its root free or fixed as its entity is."""
        root = child.worldbody.first_body()
        for number, body in enumerate(child.bodies[1:]):
            body.name = body.name or f'part {number}'
        for number, geom in enumerate(child.geoms):
            geom.name = geom.name or f'#{number}'
        for number, joint in enumerate(child.joints):
            joint.name = joint.name or f'joint {number}'
            if self._options['original_limits']:
                joint.limited = False
        free = [each for each in root.joints if each.type == mujoco.mjtJoint.mjJNT_FREE]
        if entity.movable and not root.joints:
            root.add_freejoint(name='')
        if not entity.movable:
            for joint in free:
                child.delete(joint)

    def _add_servo(self, joint: Any) -> None:
        """Add a constraint that drives a hinge or slide to a target when active."""
        if joint.type not in {mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE}:
            return
        self.spec.add_equality(
            name=joint.name,
            type=mujoco.mjtEq.mjEQ_JOINT,
            objtype=mujoco.mjtObj.mjOBJ_JOINT,
            name1=joint.name,
            active=False,
            solref=(SERVO_TIME, 1.0),
            solimp=SERVO_IMPEDANCE,
        )


def _set_damping(joint: Any, damping: float) -> None:
    """Set linear damping; MuJoCo 4 also has quadratic and cubic damping, 3 has not."""
    if isinstance(joint.damping, np.ndarray):
        joint.damping = (damping, 0.0, 0.0)
    else:
        joint.damping = damping


def _set_mass(body: Any, found: MassProperties) -> None:
    """Give a body its mass; moments that are not positive are raised to the least."""
    moments, axes = np.linalg.eigh(found.inertia)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, axes.ravel())
    body.explicitinertial = True
    body.mass = max(found.mass, LEAST_MASS)
    body.ipos = found.center
    body.inertia = np.maximum(moments, LEAST_INERTIA)
    body.iquat = quaternion
