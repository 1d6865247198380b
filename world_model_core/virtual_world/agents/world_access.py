# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the objects of a controller read and write: states of the world, and own writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Protocol

from world_model_core.uncertainty.random_draws import Draws
from world_model_core.virtual_world.agents.writes import Write, check_mode, checked_values
from world_model_core.virtual_world.engine.errors import UnknownEntityError, WrongModeError
from world_model_core.virtual_world.entity_frames import pose_in_frame, pose_in_world
from world_model_core.virtual_world.values import Camera, JointState, Pose, Wheels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from world_model_core.virtual_world.agents.state_changes import ObjectState
    from world_model_core.virtual_world.values import Quaternion, Vector

__all__ = ['Link', 'WorldAccess', 'nearest']


class Link(Protocol):
    """The way from a controller to its world, as the process of the controller has it."""

    def query(self, method: str, arguments: Mapping[str, object]) -> Any:
        """
        Return the answer of the world to a query, see `queries`.

        Raises
        ------
        WorldModelError
            The world refuses it.

        """

    def log(self, text: str) -> None:
        """Write a line to the log of the controller."""


def nearest(wanted: str, names: Iterable[str], most: int = 20) -> str:
    """Return names as a text, those that are most similar to another name first."""

    def similarity(name: str) -> float:
        return SequenceMatcher(None, name.lower(), wanted.lower()).ratio()

    ordered = sorted(sorted(names), key=similarity, reverse=True)
    more = f' and {len(ordered) - most} others' if len(ordered) > most else ''
    return ', '.join(ordered[:most]) + more or 'none'


class WorldAccess:
    """
    States of the world at the time of a turn, with what the handlers have written since.

    Parameters
    ----------
    link : Link
    seed : int
        Of the world, for random numbers.
    original_modes : bool
        Whether writes that the mode of an entity does not allow are ignored, as in SIGVerse.

    Attributes
    ----------
    link : Link
    time_ns : int
        Simulated time of the turn since the start [ns].
    ignored : Counter
        Writes that were ignored, by their attributes.
    slips : dict of str to tuple of float
        Largest share of its velocity that the left and the right wheel of an entity lose.

    """

    def __init__(self, link: Link, *, seed: int = 0, original_modes: bool = False) -> None:
        self.link = link
        self.time_ns = 0
        self.ignored: Counter[str] = Counter()
        self.slips: dict[str, tuple[float, float]] = {}
        self._draws = Draws(seed)
        self._drawn: Counter[str] = Counter()
        self._original_modes = original_modes
        self._states: Mapping[str, ObjectState] = {}
        self._changed: dict[str, ObjectState] = {}
        self._writes: list[Write] = []

    def begin(self, time_ns: int, states: Mapping[str, ObjectState]) -> None:
        """Begin a turn with the states of all entities, and forget all writes."""
        if time_ns != self.time_ns:
            self.restart_draws()
        self.time_ns = time_ns
        self._states = states
        self._changed.clear()
        self._writes.clear()

    def restart_draws(self) -> None:
        """Begin the random numbers of this time again."""
        self._drawn.clear()

    def draw(self, source: str) -> float:
        """Draw from the open interval (0, 1), by the source, the time and earlier draws in it."""
        drawn = self._draws.uniform(source, self.time_ns, self._drawn[source], 1)
        self._drawn[source] += 1
        return float(drawn[0])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all entities."""
        return tuple(self._states)

    @property
    def writes(self) -> tuple[Write, ...]:
        """What was written in this turn."""
        return tuple(self._writes)

    def state_of(self, name: str) -> ObjectState:
        """
        Return the state of an entity with what was written.

        Raises
        ------
        UnknownEntityError
            It names those there are.

        """
        found = self._changed.get(name) or self._states.get(name)
        if found is None:
            raise UnknownEntityError(
                f'no entity has the name {name!r}; there are {nearest(name, self._states)}'
            )
        return found

    def write(self, entity: str, attribute: str, *values: object) -> None:
        """
        Write an attribute.

        Raises
        ------
        InvalidStateError
            A value is invalid.
        WrongModeError
            The mode of the entity does not allow it.

        """
        checked = checked_values(entity, attribute, values)
        state = self.state_of(entity)
        try:
            check_mode(entity, attribute, dynamics=state.properties.dynamics)
        except WrongModeError as error:
            self.refuse(attribute, error)
            return
        self._writes.append(Write(entity, attribute, checked))
        effect = _EFFECTS.get(attribute)
        if effect is not None:
            self._changed[entity] = effect(state, *checked)

    def refuse(self, attribute: str, error: WrongModeError) -> None:
        """
        Raise an error about the mode of an object, or ignore and count it as SIGVerse does.

        Raises
        ------
        WrongModeError

        """
        if not self._original_modes:
            raise error
        self.ignored[attribute] += 1


@dataclass(frozen=True, slots=True)
class _MovedParts(Mapping[str, Pose]):
    """Parts of an object that was moved as a whole; a pose is computed when it is read."""

    parts: Mapping[str, Pose]
    before: Pose
    after: Pose

    def __getitem__(self, name: str) -> Pose:
        return pose_in_world(pose_in_frame(self.parts[name], self.before), self.after)

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


def _place(state: ObjectState, pose: Pose) -> ObjectState:
    """Move an object with all its parts, however often it was moved before."""
    parts = state.parts
    if isinstance(parts, _MovedParts):
        moved = replace(parts, after=pose)
    else:
        moved = _MovedParts(parts, state.pose, pose)
    return replace(state, pose=pose, parts=moved)


def _set_position(state: ObjectState, position: Vector) -> ObjectState:
    return _place(state, Pose(position, state.pose.orientation))


def _set_orientation(state: ObjectState, orientation: Quaternion) -> ObjectState:
    return _place(state, Pose(state.pose.position, orientation))


def _with(state: ObjectState, **values: Any) -> ObjectState:
    """Replace properties."""
    return replace(state, properties=replace(state.properties, **values))


def _set_dynamics(state: ObjectState, dynamics: bool) -> ObjectState:
    """Switch dynamics; without them an object stands still."""
    changed = _with(state, dynamics=dynamics)
    if dynamics:
        return changed
    still = (0.0, 0.0, 0.0)
    return replace(changed, linear_velocity=still, angular_velocity=still)


def _set_attribute(state: ObjectState, name: str, value: str | float | bool) -> ObjectState:
    return _with(state, attributes={**state.properties.attributes, name: value})


def _set_visible_state(state: ObjectState, name: str, value: str) -> ObjectState:
    return _with(state, states={**state.properties.states, name: value})


def _set_joint_angle(state: ObjectState, joint: str, angle: float) -> ObjectState:
    return replace(state, joints={**state.joints, joint: JointState((angle,), (0.0,))})


def _set_joint_quaternion(state: ObjectState, joint: str, orientation: Quaternion) -> ObjectState:
    moved = JointState(orientation, (0.0, 0.0, 0.0))
    return replace(state, joints={**state.joints, joint: moved})


def _set_camera(state: ObjectState, number: int, part: str, *values: Any) -> ObjectState:
    position, orientation, vertical_fov, aspect_ratio = values
    changed = Camera(number, part, Pose(position, orientation), vertical_fov, aspect_ratio)
    cameras = state.properties.cameras
    return _with(state, cameras=tuple(changed if each.id == number else each for each in cameras))


def _set_wheels(
    state: ObjectState, radius: float, separation: float, left: str, right: str
) -> ObjectState:
    return _with(state, wheels=Wheels(radius, separation, (left, right) if left else None))


def _grasp(state: ObjectState, part: str, thing: str) -> ObjectState:
    return _with(state, grasps={**state.properties.grasps, part: thing})


def _release(state: ObjectState, part: str) -> ObjectState:
    held = {name: each for name, each in state.properties.grasps.items() if name != part}
    return _with(state, grasps=held)


def _field(name: str) -> Callable[..., ObjectState]:
    """Return a function that replaces a field of a state."""
    return lambda state, value: replace(state, **{name: value})


def _property(name: str) -> Callable[..., ObjectState]:
    """Return a function that replaces a property."""
    return lambda state, value: _with(state, **{name: value})


# What a handler sees of its own writes at once.
_EFFECTS: dict[str, Callable[..., ObjectState]] = {
    'position': _set_position,
    'orientation': _set_orientation,
    'linear_velocity': _field('linear_velocity'),
    'angular_velocity': _field('angular_velocity'),
    'dynamics': _set_dynamics,
    'gravity': _property('gravity'),
    'collides': _property('collides'),
    'mass': _property('mass'),
    'graspable': _property('graspable'),
    'grasp_radius': _property('grasp_radius'),
    'attribute': _set_attribute,
    'state': _set_visible_state,
    'joint_angle': _set_joint_angle,
    'joint_quaternion': _set_joint_quaternion,
    'grasp': _grasp,
    'release': _release,
    'camera': _set_camera,
    'wheels': _set_wheels,
}
