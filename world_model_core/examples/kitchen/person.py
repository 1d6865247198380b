# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The person of the example kitchen: a humanoid with the joints of H-Anim (ISO/IEC 19774).

The origin is on the floor between the feet, x to the front. Sizes are those of a person of 1.7 m.
"""

from __future__ import annotations

from typing import NamedTuple

from world_model_core.examples.kitchen.solids import box, cylinder, sphere
from world_model_core.virtual_world.values import Joint, JointKind, Part, Pose, Shape, Vector

SKIN, HAIR = (0.85, 0.65, 0.52), (0.25, 0.16, 0.1)
SHIRT, TROUSERS = (0.75, 0.4, 0.2), (0.2, 0.25, 0.4)
SHOES = (0.15, 0.1, 0.08)
HIP_HEIGHT = 0.9
AHEAD: Vector = (0.0, 1.0, 0.0)  # a hinge that bends to the front or the back
STRAIGHT = 0.0


class Limb(NamedTuple):
    """
    A segment of the body and the joint that moves it.

    Attributes
    ----------
    joint, segment, parent : str
        H-Anim's names of the joint, of its segment and of the segment to which it belongs.
    position : tuple of float
        Of the joint, in the frame of the parent [m].
    kind : JointKind
    lower, upper : float
        Limits of a hinge, and the largest angle of a ball joint [rad].
    shapes : tuple of Shape
    mass : float
        [kg]

    """

    joint: str
    segment: str
    parent: str
    position: Vector
    kind: JointKind
    lower: float
    upper: float
    shapes: tuple[Shape, ...]
    mass: float

    def part(self) -> Part:
        """Return the part."""
        joint = Joint(self.joint, self.kind, AHEAD, lower=self.lower, upper=self.upper)
        return Part(
            self.segment, self.parent, Pose(self.position), joint, self.shapes, mass=self.mass
        )


def person_parts() -> tuple[Part, ...]:
    """Make the parts of the person, who stands with hanging arms where all joints are 0."""
    pelvis = box((0.2, 0.3, 0.16), (0.0, 0.0, 0.04), TROUSERS)
    root = Part('pelvis', pose=Pose((0.0, 0.0, HIP_HEIGHT)), shapes=(pelvis,), mass=11.0)
    limbs = (*_trunk(), *_arm('l', 1.0), *_arm('r', -1.0), *_leg('l', 1.0), *_leg('r', -1.0))
    return (root, *(limb.part() for limb in limbs))


def _trunk() -> tuple[Limb, ...]:
    belly = (box((0.18, 0.28, 0.18), (0.0, 0.0, 0.1), SHIRT),)
    chest = (box((0.2, 0.34, 0.28), (0.0, 0.0, 0.14), SHIRT),)
    neck = (cylinder(0.05, 0.08, (0.0, 0.0, 0.04), SKIN),)
    skull = (sphere(0.1, (0.0, 0.0, 0.11), SKIN), sphere(0.095, (-0.02, 0.0, 0.13), HAIR))
    ball, hinge = JointKind.BALL, JointKind.HINGE
    return (
        Limb('vl5', 'l5', 'pelvis', (0.0, 0.0, 0.12), hinge, -0.3, 1.0, belly, 10.0),
        Limb('vt12', 't12', 'l5', (0.0, 0.0, 0.19), ball, STRAIGHT, 0.6, chest, 19.0),
        Limb('vc4', 'c4', 't12', (0.0, 0.0, 0.28), hinge, -0.5, 0.5, neck, 1.0),
        Limb('skullbase', 'skull', 'c4', (0.0, 0.0, 0.08), ball, STRAIGHT, 0.9, skull, 4.5),
    )


def _arm(side: str, sign: float) -> tuple[Limb, ...]:
    """Make an arm; the sign is 1 on the left and -1 on the right."""
    upper = (cylinder(0.045, 0.28, (0.0, 0.0, -0.14), SHIRT),)
    lower = (cylinder(0.035, 0.24, (0.0, 0.0, -0.12), SKIN),)
    hand = (box((0.07, 0.03, 0.16), (0.0, 0.0, -0.08), SKIN),)
    names = [f'{side}_{name}' for name in ('upperarm', 'forearm', 'hand')]
    shoulder, hinge = (0.0, sign * 0.225, 0.24), JointKind.HINGE
    return (
        Limb(
            f'{side}_shoulder',
            names[0],
            't12',
            shoulder,
            JointKind.BALL,
            STRAIGHT,
            2.8,
            upper,
            2.0,
        ),
        Limb(f'{side}_elbow', names[1], names[0], (0.0, 0.0, -0.29), hinge, -2.5, 0.0, lower, 1.2),
        Limb(f'{side}_wrist', names[2], names[1], (0.0, 0.0, -0.25), hinge, -1.0, 1.0, hand, 0.4),
    )


def _leg(side: str, sign: float) -> tuple[Limb, ...]:
    """Make a leg; the sign is 1 on the left and -1 on the right."""
    thigh = (cylinder(0.07, 0.4, (0.0, 0.0, -0.2), TROUSERS),)
    calf = (cylinder(0.05, 0.38, (0.0, 0.0, -0.19), TROUSERS),)
    foot = (box((0.26, 0.09, 0.08), (0.06, 0.0, -0.04), SHOES),)
    names = [f'{side}_{name}' for name in ('thigh', 'calf', 'hindfoot')]
    hip, hinge = (0.0, sign * 0.09, -0.02), JointKind.HINGE
    return (
        Limb(f'{side}_hip', names[0], 'pelvis', hip, JointKind.BALL, STRAIGHT, 2.0, thigh, 8.0),
        Limb(f'{side}_knee', names[1], names[0], (0.0, 0.0, -0.41), hinge, 0.0, 2.4, calf, 4.0),
        Limb(f'{side}_ankle', names[2], names[1], (0.0, 0.0, -0.39), hinge, -0.8, 0.6, foot, 1.0),
    )
