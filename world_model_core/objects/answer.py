# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is said in reply to a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array
    from world_model_core.objects.query import Query
    from world_model_core.objects.values import MapObject

__all__ = [
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
    What a question is put to.

    Attributes
    ----------
    objects : tuple of MapObject
    frame_id : str
        Of all positions.
    traversable : array, shape (m, 2), optional
        Places on the floor where a robot can drive [m]: points of a cloud, in the map's frame.
    robot : array, shape (3,), optional
        x, y [m] and heading [rad] of the robot.

    """

    objects: tuple[MapObject, ...]
    frame_id: str = 'map'
    traversable: Array | None = None
    robot: Array | None = None


@dataclass(frozen=True, slots=True)
class NumericalAnswer:
    """
    How many.

    Attributes
    ----------
    query : Query
        The reading that was answered.
    count : int
        The likeliest number.
    probability : float
        That the number is right.
    distribution : mapping
        From number to its probability.
    objects : tuple of MapObject
        Those counted.
    notes : tuple of str
        What the asker must know: other readings, defaults that were taken.

    """

    query: Query
    count: int
    probability: float
    distribution: Mapping[int, float]
    objects: tuple[MapObject, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceAnswer:
    """
    Which one.

    Attributes
    ----------
    query : Query
        The reading that was answered.
    object : MapObject
        The likeliest.
    probability : float
        That it is the one meant.
    alternatives : tuple of (MapObject, float)
        The others with their probabilities, likeliest first.
    notes : tuple of str
        What the asker must know: other readings, defaults that were taken.

    """

    query: Query
    object: MapObject
    probability: float
    alternatives: tuple[tuple[MapObject, float], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WayPoint:
    """
    A pose on the way: x, y [m] in the map's frame, theta [rad], and why it is there.

    `is_goal` tells the places that the instruction names from those that only lead to them.
    """

    x: float
    y: float
    theta: float
    reason: str
    is_goal: bool = True


@dataclass(frozen=True, slots=True)
class InstructionAnswer:
    """
    Which way.

    Attributes
    ----------
    query : Query
        The reading that was answered.
    way_points : tuple of WayPoint
        In order.
    probability : float
        That all objects on which it rests are those meant.
    objects : tuple of MapObject
        Those objects.
    notes : tuple of str
        What the asker must know: other readings, defaults, constraints that could not be kept.

    """

    query: Query
    way_points: tuple[WayPoint, ...]
    probability: float
    objects: tuple[MapObject, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """
    Why there is no answer.

    Attributes
    ----------
    query : Query, optional
        The likeliest reading, where there is one.
    understood, missing : tuple of str
        What was understood, and what is missing: words not read, objects not in the map.

    """

    query: Query | None
    understood: tuple[str, ...]
    missing: tuple[str, ...]


Answer: TypeAlias = NumericalAnswer | ReferenceAnswer | InstructionAnswer | NoAnswer
