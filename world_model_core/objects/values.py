# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Values of the object map: detections, camera views, objects and tombstones."""

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
    """State of an object in its lifecycle."""

    TENTATIVE = 'tentative'
    CONFIRMED = 'confirmed'
    MISSING = 'missing'
    DELETED = 'deleted'


@dataclass(frozen=True, slots=True)
class Detections:
    """
    All detections of one frame, in the map's frame.

    Attributes
    ----------
    stamp_ns : int
        Time of the frame [ns].
    labels : tuple of str, length n
        As the detector writes them.
    positions : array, shape (n, 3)
        Centers [m].
    covariances : array, shape (n, 3, 3)
        Of the positions [m^2], including the uncertainty of the robot's pose where it is known.
    shared : array, shape (n, 3, 3), optional
        The part of the covariances that comes from the pose [m^2]: frames share its error, so that
        it does not average out. None if the pose is exact.
    scores : array, shape (n,)
        The detector's confidence, within [0, 1].
    colors : tuple of str, length n
        Names; `UNKNOWN` where the detector reports none.
    sizes : array, shape (n, 3)
        Length, width and height [m] along the object's own axes; NaN where unknown.
    headings : array, shape (n,)
        Rotation of the object's x axis about z [rad]; NaN where unknown.

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
        """Return the number of detections."""
        return len(self.labels)


@dataclass(frozen=True, slots=True)
class CameraView:
    """
    Field of view of a camera at the time of a frame.

    Attributes
    ----------
    position : array, shape (3,)
        Of the camera in the map's frame [m].
    rotation : array, shape (3, 3)
        From the camera's axes (REP 103 body axes: x forward, y left, z up) to the map's.
    horizontal, vertical : float
        Full angles of view [rad]; 2 pi covers all directions.
    near, far : float
        Range within which objects are detected [m].
    points : array, shape (m, 3), optional
        A simultaneous scan of surfaces in the map's frame [m], which occlude what lies behind
        them.
        Without it only the map's own objects occlude each other.

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
    One color of an object: its name, its share, and its sRGB value (0 to 255).

    `extra` contains the unknown keys of its JSON.
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
        Unique in its map, and never reused.
    label : str
        The most likely class.
    position : array, shape (3,)
        Center in the map's frame [m].
    covariance : array, shape (3, 3)
        Of the position [m^2].
    size : array, shape (3,), optional
        Length, width, height [m] along its own axes.
    heading : float, optional
        Rotation of its x axis about z [rad].
    colors : tuple of Swatch
        Most likely first; empty if unknown.
    classes : mapping
        From label to the probability of the class; empty if only `label` is known, which is
        certain then.
    aliases : tuple of str
        Other names by which questions may refer to it.
    region : str, optional
        Name of its room, if the map has rooms.
    confidence : float
        Probability that the object is present.
    hits, misses : int
        Number of frames that showed it, and of those that should have shown it since then.
    first_seen_ns, last_seen_ns : int, optional
        Stamps of its first and last detection [ns].
    state : ObjectState
    extra : mapping
        Unknown keys of its JSON.

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
        """Name of its main color, or `UNKNOWN`."""
        return self.colors[0].name if self.colors else UNKNOWN


@dataclass(frozen=True, slots=True)
class Tombstone:
    """
    Record of a deleted object, which prevents its id from being reused.

    Attributes
    ----------
    id : str
    label : str
        Its class.
    stamp_ns : int
        Time of deletion [ns].
    reason : str
        Reason for people: 'not seen though in view', 'merged', 'by an operator'.
    merged_into : str, optional
        Id of the object into which it was merged.
    extra : mapping
        Unknown keys of its JSON.

    """

    id: str
    label: str
    stamp_ns: int
    reason: str
    merged_into: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
