# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes to which questions refer, and answers to questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array
    from world_model_core.objects.query import Query
    from world_model_core.objects.values import MapObject

__all__ = [
    'Anchor',
    'Answer',
    'InstructionAnswer',
    'NoAnswer',
    'NumericalAnswer',
    'ReferenceAnswer',
    'Scene',
    'WayPoint',
]


@dataclass(frozen=True, slots=True)
class Scene:
    """
    The data that a question is answered from.

    Attributes
    ----------
    objects : tuple of MapObject
    frame_id : str
        Frame of all positions.
    traversable : array, shape (m, 2), optional
        Points of the floor where a robot can drive [m], in the map's frame.
    robot : array, shape (3,), optional
        Pose of the robot: x, y [m] and heading [rad].

    """

    objects: tuple[MapObject, ...]
    frame_id: str = 'map'
    traversable: Array | None = None
    robot: Array | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """
    Objects to which a question relates the objects that it asks for: "on the table".

    Attributes
    ----------
    phrase : str
        The noun phrase.
    objects : tuple of (MapObject, float)
        Objects that fit it, with their probabilities, most probable first.

    """

    phrase: str
    objects: tuple[tuple[MapObject, float], ...]


@dataclass(frozen=True, slots=True)
class NumericalAnswer:
    """
    A number of objects.

    Attributes
    ----------
    query : Query
        The meaning of the question that was answered.
    count : int
        The most probable number.
    probability : float
        Probability that the number is right.
    distribution : mapping
        Probability of each number.
    objects : tuple of MapObject
        The objects counted.
    notes : tuple of str
        Other possible meanings, and defaults that were assumed.
    anchors : tuple of Anchor
        In the order of the question, outer ones first.

    """

    query: Query
    count: int
    probability: float
    distribution: Mapping[int, float]
    objects: tuple[MapObject, ...]
    notes: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceAnswer:
    """
    One object.

    Attributes
    ----------
    query : Query
        The meaning of the question that was answered.
    object : MapObject
        The most probable object.
    probability : float
        Probability that this object is meant.
    alternatives : tuple of (MapObject, float)
        The other candidates with their probabilities, most probable first.
    notes : tuple of str
        Other possible meanings, and defaults that were assumed.
    anchors : tuple of Anchor
        In the order of the question, outer ones first.

    """

    query: Query
    object: MapObject
    probability: float
    alternatives: tuple[tuple[MapObject, float], ...] = ()
    notes: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class WayPoint:
    """
    A pose on the route: x, y [m] in the map's frame, theta [rad], and its reason.

    `is_goal` is False for way points that only lead to a goal of the instruction.
    """

    x: float
    y: float
    theta: float
    reason: str
    is_goal: bool = True


@dataclass(frozen=True, slots=True)
class InstructionAnswer:
    """
    A route.

    Attributes
    ----------
    query : Query
        The meaning of the instruction that was answered.
    way_points : tuple of WayPoint
        In order.
    probability : float
        Probability that all selected objects are the ones meant.
    objects : tuple of MapObject
        The selected objects.
    notes : tuple of str
        Other possible meanings, defaults that were assumed, constraints that cannot be met.
    anchors : tuple of Anchor
        In the order of the question, outer ones first.

    """

    query: Query
    way_points: tuple[WayPoint, ...]
    probability: float
    objects: tuple[MapObject, ...]
    notes: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """
    The reason why a question cannot be answered.

    Attributes
    ----------
    query : Query, optional
        The most probable meaning, if there is one.
    understood, missing : tuple of str
        What was understood; what is missing: unknown words, objects that are not in the map.

    """

    query: Query | None
    understood: tuple[str, ...]
    missing: tuple[str, ...]


Answer: TypeAlias = NumericalAnswer | ReferenceAnswer | InstructionAnswer | NoAnswer
