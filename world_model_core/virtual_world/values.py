# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Values of virtual worlds.

All lengths in meters, angles in radians, masses in kilograms. The axes of the frame `world`, of
entities and of parts are x forward, y left, z up (REP-103). Foreign units and axes are converted
by the readers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

__all__ = [
    'Attribute',
    'Box',
    'Camera',
    'Capsule',
    'ContactParameters',
    'Cylinder',
    'Entity',
    'EntityState',
    'Geometry',
    'Joint',
    'JointForce',
    'JointKind',
    'JointState',
    'LineSet',
    'Material',
    'Model',
    'ModelFormat',
    'NamedPose',
    'Part',
    'PartContact',
    'Plane',
    'Pose',
    'Quaternion',
    'Shape',
    'ShapeUse',
    'Sphere',
    'State',
    'Texture',
    'TriangleMesh',
    'Vector',
    'Wheels',
    'World',
]

Vector: TypeAlias = tuple[float, float, float]
# x, y, z, w, of length 1.
Quaternion: TypeAlias = tuple[float, float, float, float]

STANDARD_GRAVITY = 9.80665  # [m/s^2], CGPM 1901


@dataclass(frozen=True, slots=True)
class Pose:
    """
    Position [m] and orientation (quaternion xyzw) of a frame in its parent's frame.

    Tuples instead of matrices, so that poses are compared, stored and sent without rounding.
    """

    position: Vector = (0.0, 0.0, 0.0)
    orientation: Quaternion = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Box:
    """Box around its origin: lengths of its edges along x, y and z [m]."""

    size: Vector


@dataclass(frozen=True, slots=True)
class Sphere:
    """Sphere around its origin: its radius [m]."""

    radius: float


@dataclass(frozen=True, slots=True)
class Cylinder:
    """Cylinder around its origin, along z: radius and length [m]."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True)
class Capsule:
    """Cylinder along z with hemispheres at both ends; `length` is without them [m]."""

    radius: float
    length: float


@dataclass(frozen=True, slots=True)
class Plane:
    """Endless plane through its origin; its normal is z. It never moves."""


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """
    Triangles.

    Attributes
    ----------
    vertices : array, shape (n, 3)
        [m]
    triangles : array of int32, shape (m, 3)
        Indices of vertices, counterclockwise as seen from outside.
    normals : array, shape (m, 3, 3), optional
        Unit normals at the corners of each triangle; None: flat triangles.
    texture_coordinates : array, shape (m, 3, 2), optional
        At the corners of each triangle; (0, 0) is the lower left corner of the picture.
    colors : array of float32, shape (m, 3, 4), optional
        RGBA at the corners of each triangle, 0 to 1; None: the color of the material.
    two_sided : bool
        Whether triangles are seen from both sides, as with `solid FALSE` in VRML97 (6.23).

    """

    vertices: Array
    triangles: NDArray[np.int32]
    normals: Array | None = None
    texture_coordinates: Array | None = None
    colors: NDArray[np.float32] | None = None
    two_sided: bool = False

    @cached_property
    def digest(self) -> str:
        """SHA-256 of vertices and triangles, in hexadecimal digits: the key of derived shapes."""
        return self._hash().hexdigest()

    @cached_property
    def look_digest(self) -> str:
        """SHA-256 of all of the mesh, in hexadecimal digits."""
        content = self._hash()
        for array in (self.normals, self.texture_coordinates, self.colors):
            values = b'' if array is None else np.ascontiguousarray(array, '<f8').tobytes()
            content.update(f'{len(values)},'.encode())
            content.update(values)
        content.update(b'two-sided' if self.two_sided else b'')
        return content.hexdigest()

    def _hash(self) -> hashlib._Hash:
        content = hashlib.sha256(np.ascontiguousarray(self.vertices, dtype='<f8').tobytes())
        content.update(np.ascontiguousarray(self.triangles, dtype='<i4').tobytes())
        return content


@dataclass(frozen=True, eq=False)
class LineSet:
    """
    Lines or points, which are looked at and never collide.

    Attributes
    ----------
    vertices : array, shape (n, 3)
        [m]
    segments : array of int32, shape (m, 2)
        Indices of the ends of each line; none: the vertices are points.

    """

    vertices: Array
    segments: NDArray[np.int32]


Geometry: TypeAlias = Box | Sphere | Cylinder | Capsule | Plane | TriangleMesh | LineSet


@dataclass(frozen=True, slots=True)
class Texture:
    """
    Picture on a surface.

    Attributes
    ----------
    file : str
        Path relative to the folder of the world.
    data : bytes
        The content of the file, PNG or JPEG.

    """

    file: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Material:
    """
    Appearance of a surface; all numbers are from 0 to 1.

    Attributes
    ----------
    color : tuple of float
        Red, green, blue, opacity.
    emission, specular : tuple of float
        Red, green, blue.
    shininess : float
    texture : Texture, optional

    """

    color: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    emission: Vector = (0.0, 0.0, 0.0)
    specular: Vector = (0.0, 0.0, 0.0)
    shininess: float = 0.2
    texture: Texture | None = None


class ShapeUse(Enum):
    """What a shape is for."""

    VISUAL = 'visual'
    COLLISION = 'collision'
    BOTH = 'both'


@dataclass(frozen=True, slots=True)
class Shape:
    """
    A geometry on a part.

    Attributes
    ----------
    geometry : Geometry
        A mesh that collides does so as its convex hull, unless its pieces are known.
    pose : Pose
        In the frame of the part.
    use : ShapeUse
    material : Material
    state : str
        The state of the entity in which the shape is visible, "name:value" ("switch:on"), or
        "name:" for all values that no other shape of the entity has; empty: in all states.

    """

    geometry: Geometry
    pose: Pose = Pose()
    use: ShapeUse = ShapeUse.BOTH
    material: Material = Material()
    state: str = ''


class JointKind(Enum):
    """How a part moves relative to its parent. A part without a joint is fixed to it."""

    HINGE = 'hinge'
    SLIDE = 'slide'
    BALL = 'ball'


@dataclass(frozen=True, slots=True)
class Joint:
    """
    Joint between a part and its parent.

    Attributes
    ----------
    name : str
        Unique in the entity.
    kind : JointKind
    axis : tuple of float
        Unit vector in the frame of the part; unused for a ball joint.
    anchor : tuple of float
        A point on the axis, in the frame of the part [m].
    lower, upper : float
        Limits [rad or m]; infinite: none. For a ball joint, upper is the largest angle.
    damping : float
        [N m s/rad or N s/m]
    id : int, optional
        Its number in the model, as OpenHRP's jointId; None: it has none.

    """

    name: str
    kind: JointKind
    axis: Vector = (0.0, 0.0, 1.0)
    anchor: Vector = (0.0, 0.0, 0.0)
    lower: float = -np.inf
    upper: float = np.inf
    damping: float = 0.0
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """
    A rigid part of an entity.

    Attributes
    ----------
    name : str
        Unique in the entity.
    parent : str
        Name of a part that is listed before it; empty for the root, which is the first part.
    pose : Pose
        In the frame of the parent, with the joint at 0; of the root: in the frame of the entity.
    joint : Joint, optional
        None: fixed to its parent. The root has none.
    shapes : tuple of Shape
    mass : float, optional
        [kg]; None: from the shapes and the mass of the entity. 0: a part without mass, which does
        not collide.
    center_of_mass : tuple of float, optional
        In the frame of the part [m]; None: from the shapes.
    inertia : tuple of float, optional
        About the center of mass, along the axes of the part: xx, yy, zz, xy, xz, yz [kg m^2];
        None: from the shapes.

    """

    name: str
    parent: str = ''
    pose: Pose = Pose()
    joint: Joint | None = None
    shapes: tuple[Shape, ...] = ()
    mass: float | None = None
    center_of_mass: Vector | None = None
    inertia: tuple[float, float, float, float, float, float] | None = None


class ModelFormat(Enum):
    """Format of an entity that MuJoCo reads by itself."""

    MJCF = 'mjcf'
    URDF = 'urdf'


@dataclass(frozen=True, slots=True)
class Model:
    """
    A checked MJCF or URDF file: it names no file, and its includes are expanded.

    It has one root: the only body in its world, without a joint or with a free one.

    Attributes
    ----------
    format : ModelFormat
    text : str
        XML, in which files are named by the keys of `assets`.
    assets : mapping of str to bytes

    """

    format: ModelFormat
    text: str = field(repr=False)
    assets: Mapping[str, bytes] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value that files and controllers keep with an entity, as SIGVerse's attributes."""

    value: str | float | bool
    group: str = ''
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Camera:
    """
    Camera on a part.

    Attributes
    ----------
    id : int
        1 to 9.
    part : str
        Name of the part that carries it; empty: the root.
    pose : Pose
        In the frame of the part; the camera looks along x, with z up in the picture.
    vertical_fov : float
        [rad]
    aspect_ratio : float
        Width of the picture per height.

    """

    id: int
    part: str
    pose: Pose
    vertical_fov: float
    aspect_ratio: float


@dataclass(frozen=True, slots=True)
class Wheels:
    """
    Differential drive of a robot.

    Attributes
    ----------
    radius, separation : float
        Of the wheels, and between them [m].
    joints : tuple of str, optional
        Hinges of the left and the right wheel; None: the base itself is moved along the floor.

    """

    radius: float
    separation: float
    joints: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """
    A thing, person, robot or building in a world.

    Attributes
    ----------
    name : str
        Unique in the world; any text without "/".
    category : str
        Class of the thing, such as "cup".
    pose : Pose
        At the start, in the frame `world`.
    parts : tuple of Part
        The root first, parents before their children; empty if there is a model.
    model : Model, optional
        Instead of parts.
    movable : bool
        False: fixed to the world, as a wall.
    dynamics : bool
        False: its pose is held, and set by commands; True: it moves by forces.
    gravity, collides : bool
    mass : float, optional
        Of all parts that have none of their own [kg]; None: by the density of water.
    friction : float, optional
        Coefficient of friction with all others; of two entities that have one, the larger counts.
        None: that of the world.
    linear_velocity, angular_velocity : tuple of float
        At the start, in the frame `world` [m/s, rad/s].
    graspable : bool
    grasp_radius : float
        Largest distance of a hand that can grasp it [m].
    wheels : Wheels, optional
    cameras : tuple of Camera
    attributes : mapping of str to Attribute
    states : mapping of str to str
        Present value of each state, by its name; they select the visible shapes.

    """

    name: str
    category: str = ''
    pose: Pose = Pose()
    parts: tuple[Part, ...] = ()
    model: Model | None = None
    movable: bool = True
    dynamics: bool = True
    gravity: bool = True
    collides: bool = True
    mass: float | None = None
    friction: float | None = None
    linear_velocity: Vector = (0.0, 0.0, 0.0)
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    graspable: bool = True
    grasp_radius: float = 0.4
    wheels: Wheels | None = None
    cameras: tuple[Camera, ...] = ()
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)

    def shows(self, shape: Shape) -> bool:
        """Return whether a shape of this entity is visible in its present states."""
        if shape.use is ShapeUse.COLLISION or not shape.state:
            return shape.use is not ShapeUse.COLLISION
        name, _, value = shape.state.partition(':')
        present = self.states.get(name, '')
        if value:
            return present == value
        shown = f'{name}:{present}'
        return not any(other.state == shown for part in self.parts for other in part.shapes)


@dataclass(frozen=True, slots=True)
class ContactParameters:
    """
    Contacts, in the terms of ODE (its manual, chapters 3.7 and 7.3.7).

    Attributes
    ----------
    erp, cfm : float
        Error reduction parameter [1], constraint force mixing [1].
    mu, mu2 : float
        Friction coefficients along both directions; infinite: no sliding.
    slip1, slip2 : float
        Force-dependent slip.
    bounce, bounce_velocity : float
        Restitution [1], and the least speed that bounces [m/s].

    """

    erp: float = 0.2
    cfm: float = 1e-4
    mu: float = 0.8
    mu2: float = 0.8
    slip1: float = 0.0
    slip2: float = 0.0
    bounce: float = 0.1
    bounce_velocity: float = 0.0


@dataclass(frozen=True, slots=True)
class NamedPose:
    """A pose in the frame `world` that the world file names, such as "kitchen door"."""

    name: str
    pose: Pose
    description: str = ''
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class World:
    """
    A world at its start.

    Attributes
    ----------
    name : str
    entities : tuple of Entity
    gravity : tuple of float
        In the frame `world` [m/s^2].
    step : float
        Duration of a physics step [s].
    ground : bool
        Whether there is an endless floor at z = 0.
    contact : ContactParameters
    bounds : tuple of tuple of float, optional
        Lower and upper corner of a box in the frame `world` [m].
    named_poses : tuple of NamedPose
    namespace : str
        Names the server that simulates this world among others; empty: none.

    """

    name: str
    entities: tuple[Entity, ...] = ()
    gravity: Vector = (0.0, 0.0, -STANDARD_GRAVITY)
    step: float = 0.01
    ground: bool = True
    contact: ContactParameters = ContactParameters()
    bounds: tuple[Vector, Vector] | None = None
    named_poses: tuple[NamedPose, ...] = ()
    namespace: str = ''


@dataclass(frozen=True, slots=True)
class JointState:
    """
    Position and velocity of a joint.

    Of a hinge or slide one number each [rad or m, rad/s or m/s]; of a ball joint a quaternion xyzw
    and the angular velocity in the frame of the part.
    """

    position: tuple[float, ...]
    velocity: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class JointForce:
    """
    What a joint exerts on one of its parts.

    Attributes
    ----------
    part : str
    force, torque : tuple of float
        In the frame `world`; the torque is about the anchor of the joint [N, N m].

    """

    part: str
    force: Vector
    torque: Vector


@dataclass(frozen=True, slots=True)
class EntityState:
    """
    Pose and motion of an entity.

    Attributes
    ----------
    pose : Pose
        Of the frame of the entity, in the frame `world`.
    linear_velocity, angular_velocity : tuple of float
        Of its root, in the frame `world` [m/s, rad/s].
    joints : mapping of str to JointState
        By their names.

    """

    pose: Pose
    linear_velocity: Vector = (0.0, 0.0, 0.0)
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    joints: Mapping[str, JointState] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """State of a world: simulated time since the start [ns], and all entities by their names."""

    time_ns: int
    entities: Mapping[str, EntityState]


@dataclass(frozen=True, slots=True)
class PartContact:
    """
    Contact between two parts.

    Attributes
    ----------
    first, second : tuple of str
        Names of the entity and of its part; the ground is ("", "").
    position : tuple of float
        In the frame `world` [m].
    normal : tuple of float
        Unit vector from the first to the second.
    force : float
        Along the normal [N].
    depth : float
        Penetration [m].

    """

    first: tuple[str, str]
    second: tuple[str, str]
    position: Vector
    normal: Vector
    force: float
    depth: float
