# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What a detector says of one frame, what the sensor could see, and what the map holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.gaussian import Array

__all__ = ['CameraView', 'Detections', 'MapObject', 'ObjectState', 'Swatch', 'Tombstone']

UNKNOWN = 'unknown'


class ObjectState(Enum):
    """How far the map believes in an object."""

    TENTATIVE = 'tentative'
    CONFIRMED = 'confirmed'
    MISSING = 'missing'
    DELETED = 'deleted'


@dataclass(frozen=True, slots=True)
class Detections:
    """
    All that a detector reports of one frame, in the map's frame.

    Attributes
    ----------
    stamp_ns : int
        When the frame was taken.
    labels : tuple of str, length n
        As the detector writes them.
    positions : array, shape (n, 3)
        Centres [m].
    covariances : array, shape (n, 3, 3)
        Of the positions [m^2], the robot's pose uncertainty included where it is known.
    shared : array, shape (n, 3, 3), optional
        The part of them that is the pose's [m^2]: frames share its error, so that it does not
        average out. None where the pose is exact.
    scores : array, shape (n,)
        The detector's confidence, within [0, 1].
    colors : tuple of str, length n
        Names; `UNKNOWN` where the detector names none.
    sizes : array, shape (n, 3)
        Length, width and height [m] along the object's own axes; NaN where unknown.
    headings : array, shape (n,)
        Turn of the object's x axis about z [rad]; NaN where unknown.

    """

    stamp_ns: int
    labels: tuple[str, ...]
    positions: Array
    covariances: Array
    scores: Array
    colors: tuple[str, ...]
    sizes: Array
    headings: Array
    shared: Array | None = None

    def __len__(self) -> int:
        """Count the detections."""
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class CameraView:
    """
    What a sensor could see at the instant of a frame.

    Attributes
    ----------
    position : array, shape (3,)
        The sensor in the map's frame [m].
    rotation : array, shape (3, 3)
        From the sensor's axes (REP 103: x ahead, y left, z up) to the map's.
    horizontal, vertical : float
        Whole angles of view [rad]; 2 pi sees all around.
    near, far : float
        Distances between which objects are detected [m].
    points : array, shape (m, 3), optional
        A scan of surfaces taken at the same time, in the map's frame [m]: what lies behind them is
        hidden. Without it only the map's own objects hide one another.

    """

    position: Array
    rotation: Array
    horizontal: float
    vertical: float
    near: float
    far: float
    points: Array | None = None


@dataclass(frozen=True, slots=True)
class Swatch:
    """
    One of an object's colours: its name, the share of it, and its sRGB value (0 to 255).

    `extra` keeps the keys of its JSON that this software does not know.
    """

    name: str
    share: float
    rgb: tuple[float, float, float] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class MapObject:
    """
    One object of the map.

    Attributes
    ----------
    id : str
        Never given to another object of the same map.
    label : str
        Its class: the likeliest one.
    position : array, shape (3,)
        Its centre in the map's frame [m].
    covariance : array, shape (3, 3)
        Of the position [m^2].
    size : array, shape (3,), optional
        Length, width, height [m] along its own axes.
    heading : float, optional
        Turn of its x axis about z [rad].
    colors : tuple of Swatch
        Likeliest first; none when unknown.
    classes : mapping
        From label to the probability that it is the object's class; empty when only `label` is
        known, which is certain then.
    aliases : tuple of str
        Other names under which it may be asked for.
    region : str, optional
        Name of the room that it belongs to, where a map has rooms.
    confidence : float
        Probability that the object is there.
    hits, misses : int
        Frames that showed it, and that should have shown it but did not, since it was last seen.
    first_seen_ns, last_seen_ns : int, optional
        Stamps of its first and last frame.
    state : ObjectState
    extra : mapping
        Keys of its JSON that this software does not know, kept as they were.

    """

    id: str
    label: str
    position: Array
    covariance: Array
    size: Array | None = None
    heading: float | None = None
    colors: tuple[Swatch, ...] = ()
    classes: Mapping[str, float] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    region: str | None = None
    confidence: float = 1.0
    hits: int = 0
    misses: int = 0
    first_seen_ns: int | None = None
    last_seen_ns: int | None = None
    state: ObjectState = ObjectState.CONFIRMED
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def color(self) -> str:
        """Its main colour by name, or `UNKNOWN`."""
        return self.colors[0].name if self.colors else UNKNOWN


@dataclass(frozen=True, slots=True)
class Tombstone:
    """
    What stays of a deleted object, so that its id is never given again.

    Attributes
    ----------
    id : str
    label : str
        Its class.
    stamp_ns : int
        When it was deleted.
    reason : str
        Why, for people: 'not seen though in view', 'merged', 'by an operator'.
    merged_into : str, optional
        Id of the object that it turned out to be.
    extra : mapping
        Keys of its JSON that this software does not know, kept as they were.

    """

    id: str
    label: str
    stamp_ns: int
    reason: str
    merged_into: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
