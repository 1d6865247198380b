# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Robots with noisy motion and sensing, as a window shows them: truth, estimates, landmarks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.uncertainty.error_causes import ErrorCause, cause_names
from world_model_core.view.batches import UPRIGHT, Cylinders, Labels, Lines, Meshes, Points
from world_model_core.view.colors import FREE, GRID, KIDNAPPED, LANDMARK, ODOMETRY, STUCK, array_of
from world_model_core.view.estimates import estimate_marks, particle_marks
from world_model_core.view.poses import heading_quaternions
from world_model_core.view.readings import reading_marks
from world_model_core.view.scene import Row, Viewpoint
from world_model_core.view.shapes import ROBOT_DIAMETER, ROUND_ROBOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.localization.pose_estimators import PoseEstimate
    from world_model_core.view.batches import Batch, Colors
    from world_model_core.view.readings import LandmarkReadings
    from world_model_core.view.scene import Marks

__all__ = ['LandmarkMap', 'RecentCauses', 'RobotFleetState', 'RobotsScene']

# More robots are drawn as points, and of more the names are not written: they hide each other.
MOST_SOLID, MOST_NAMED = 1000, 30
# Diameter of these points [m].
POINT_SIZE = 0.05
# Most robots whose estimates are in the status.
MOST_LISTED = 4
LANDMARK_HEIGHT, TEXT_HEIGHT = 0.4, 0.15
# Half the extent of the view without robots and landmarks [m], and its greatest.
USUAL_EXTENT, FARTHEST = 5.0, 1000.0
# Half the extent of the lines on the ground [m].
GRID_EXTENT = 6.0
TAN_UP = math.tan(math.radians(33.0))
# What happens in an instant is shown for this time [s].
SHOWN_NS = 2_000_000_000
INSTANTS = int(ErrorCause.KIDNAP | ErrorCause.PEBBLE)
# Bits of the causes of motion by which robots are colored.
STUCK_BIT, KIDNAP_BIT = int(ErrorCause.STUCK), int(ErrorCause.KIDNAP)


class RecentCauses:
    """Error causes of the motion of robots, of which instants are remembered for 2 s."""

    def __init__(self) -> None:
        self._struck: list[tuple[int, NDArray[np.uint16]]] = []

    def update(self, causes: NDArray[np.uint16], time_ns: int) -> NDArray[np.uint16]:
        """
        Return the causes to be shown: those now, and the instants of the last 2 s.

        Parameters
        ----------
        causes : array of uint16, shape (n,)
            `ErrorCause` by bits.
        time_ns : int
            [ns]; if it is not after the last one, all is forgotten.

        """
        last = self._struck[-1] if self._struck else None
        if last is not None and (time_ns <= last[0] or len(causes) != len(last[1])):
            self._struck = []
        begin_ns = time_ns - SHOWN_NS
        self._struck = [each for each in self._struck if each[0] >= begin_ns]
        self._struck.append((time_ns, causes & np.uint16(INSTANTS)))
        shown = causes.copy()
        for _, instants in self._struck:
            shown |= instants
        return shown


@dataclass(frozen=True, eq=False)
class LandmarkMap:
    """
    The landmarks; their marks are the same objects each time.

    Attributes
    ----------
    names : tuple of str
    places : array, shape (m, 2)
        x, y in the map [m].

    """

    names: tuple[str, ...]
    places: Array

    @cached_property
    def marks(self) -> Marks:
        """Columns with their names."""
        positions = np.zeros((len(self.names), 3))
        positions[:, :2], positions[:, 2] = self.places, 0.5 * LANDMARK_HEIGHT
        ids = tuple(f'landmark {name}' for name in self.names)
        radius, height = np.array([0.5 * ROBOT_DIAMETER]), np.array([LANDMARK_HEIGHT])
        bodies = Cylinders(ids, positions, UPRIGHT, radius, height, array_of(LANDMARK))
        above = positions + np.array((0.0, 0.0, 0.5 * LANDMARK_HEIGHT))
        return {
            'robots/landmarks/bodies': bodies,
            'robots/landmarks/names': Labels(ids, above, self.names),
        }


class RobotFleetState(NamedTuple):
    """
    The true states of simulated robots.

    Attributes
    ----------
    names : tuple of str
        In the order of the arrays.
    truth : array, shape (n, 3)
        x, y [m], theta [rad] in the map.
    causes : array of uint16, shape (n,)
        What disturbed the motion of each, `ErrorCause` by bits.
    odometry : array, shape (n, 3), or None
        Poses by odometry in the map; None if it is not placed there.

    """

    names: tuple[str, ...]
    truth: Array
    causes: NDArray[np.uint16]
    odometry: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RobotsScene:
    """
    Robots and what they estimate of themselves.

    Attributes
    ----------
    time_ns : int
        [ns]
    fleet : RobotFleetState or None
        Truth and odometry; None if no simulator publishes them.
    estimates : mapping of str to PoseEstimate
        By robot.
    particles : mapping of str to array, shape (k, 3)
        Poses x, y [m], theta [rad] of the particles of each robot.
    readings : mapping of str to LandmarkReadings
        By robot.
    landmarks : LandmarkMap or None

    """

    time_ns: int
    fleet: RobotFleetState | None = None
    estimates: Mapping[str, PoseEstimate] = field(default_factory=dict)
    particles: Mapping[str, Array] = field(default_factory=dict)
    readings: Mapping[str, LandmarkReadings] = field(default_factory=dict)
    landmarks: LandmarkMap | None = None

    @property
    def name(self) -> str:
        """First part of the names of its marks."""
        return 'robots'

    @property
    def size_bytes(self) -> int:
        """Memory of poses and particles."""
        count = 0 if self.fleet is None else len(self.fleet.names)
        particles = sum(poses.nbytes for poses in self.particles.values())
        return 1000 + 200 * count + particles + 1000 * len(self.estimates)

    def marks(self) -> Marks:
        """Return the ground, landmarks, truth, odometry, estimates, particles and readings."""
        marks: dict[str, Batch] = {'robots/grid': _GRID}
        if self.landmarks is not None:
            marks.update(self.landmarks.marks)
        if self.fleet is not None and self.fleet.names:
            marks.update(_fleet_marks(self.fleet, self.estimates))
        marks.update(estimate_marks(self.estimates, self._true_poses(self.estimates)))
        marks.update(particle_marks(self.particles))
        marks.update(reading_marks(self.readings, self._seen_from()))
        return marks

    def status(self) -> tuple[Row, ...]:
        """Return how many robots there are and are disturbed, and the errors of estimates."""
        rows: list[Row] = []
        if self.fleet is not None:
            rows.append(Row('robots', str(len(self.fleet.names))))
            rows.append(Row('stuck', str(int(np.count_nonzero(self.fleet.causes & STUCK_BIT)))))
            kidnapped = int(np.count_nonzero(self.fleet.causes & KIDNAP_BIT))
            rows.append(Row('kidnapped', str(kidnapped)))
            if self.fleet.odometry is not None and self.fleet.names:
                gaps = np.hypot(*(self.fleet.odometry - self.fleet.truth)[:, :2].T)
                rows.append(Row('odometry_error', f'{gaps.mean():.2f} m'))
        rows += [
            Row('estimate', f'{name}: {self._error_of(name)}')
            for name in sorted(self.estimates)[:MOST_LISTED]
        ]
        return tuple(rows)

    def describe(self, item: str) -> tuple[Row, ...]:
        """Return what is known of a robot, `robot_0`, or of a landmark, `landmark 0`."""
        rows: list[Row] = []
        if self.landmarks is not None and item.startswith('landmark '):
            rows += self._landmark_rows(item.removeprefix('landmark '))
        pose = self._pose_of(item)
        if pose is not None:
            x, y, theta = pose.tolist()
            rows.append(Row('position', f'{x:.3f}, {y:.3f} m'))
            rows.append(Row('heading', f'{math.degrees(theta):.0f}°'))
        if self.fleet is not None and item in self.fleet.names:
            index = self.fleet.names.index(item)
            struck = ', '.join(cause_names(int(self.fleet.causes[index])))
            rows.append(Row('causes', struck or '-'))
        if item in self.estimates:
            rows.append(Row('estimate', self._error_of(item)))
        if item in self.readings:
            rows += [Row('landmark_reading', text) for text in self.readings[item].texts()]
        return tuple(rows)

    def viewpoints(self) -> tuple[Viewpoint, ...]:
        """Return the views from above, from the side, and from behind the first robot."""
        (x, y), extent = self._extent()
        center = (x, y, 0.0)
        above = Viewpoint((x, y, extent / TAN_UP), center, (0.0, 1.0, 0.0))
        beside = Viewpoint((x, y - 1.6 * extent, 0.9 * extent), center)
        followed = next(iter(self._names()), None)
        pose = None if followed is None else self._pose_of(followed)
        if pose is None or not np.isfinite(pose).all():
            return above, beside, beside
        px, py, theta = pose.tolist()
        dx, dy = math.cos(theta), math.sin(theta)
        behind = Viewpoint((px - 2.5 * dx, py - 2.5 * dy, 1.5), (px + dx, py + dy, 0.0))
        return above, beside, behind

    def position_of(self, item: str) -> Array | None:
        """Return the position of a robot or of a landmark [m]."""
        if self.landmarks is not None and item.startswith('landmark '):
            name = item.removeprefix('landmark ')
            if name in self.landmarks.names:
                return np.array((*self.landmarks.places[self.landmarks.names.index(name)], 0.0))
        pose = self._pose_of(item)
        return None if pose is None else np.array((pose[0], pose[1], 0.0))

    def _names(self) -> tuple[str, ...]:
        """Return the robots: those with an estimate first."""
        others = () if self.fleet is None else self.fleet.names
        return tuple(dict.fromkeys((*sorted(self.estimates), *others)))

    def _true_poses(self, names: Mapping[str, object]) -> dict[str, Array]:
        """Return the true poses of some robots, as far as they are known."""
        if self.fleet is None or not names:
            return {}
        return {
            name: pose
            for name, pose in zip(self.fleet.names, self.fleet.truth, strict=True)
            if name in names
        }

    def _seen_from(self) -> dict[str, Array]:
        """Return from where robots measured: their true poses, or else their estimates."""
        estimated = {name: estimate.pose for name, estimate in self.estimates.items()}
        return {**estimated, **self._true_poses(self.readings)}

    def _pose_of(self, item: str) -> Array | None:
        """Return the true pose of a robot, or else its estimate."""
        if self.fleet is not None and item in self.fleet.names:
            pose: Array = self.fleet.truth[self.fleet.names.index(item)]
            return pose
        return self.estimates[item].pose if item in self.estimates else None

    def _error_of(self, name: str) -> str:
        """Return by how much the estimate of a robot is wrong, and its standard deviation."""
        pose, covariance = self.estimates[name]
        spread = math.sqrt(max(float(covariance[0, 0] + covariance[1, 1]), 0.0))
        true = self._true_poses({name: None}).get(name)
        error = '' if true is None else f'{math.dist(true[:2], pose[:2]):.2f} m '
        return f'{error}± {spread:.2f} m'

    def _landmark_rows(self, name: str) -> Iterator[Row]:
        if self.landmarks is not None and name in self.landmarks.names:
            x, y = self.landmarks.places[self.landmarks.names.index(name)].tolist()
            yield Row('position', f'{x:.3f}, {y:.3f} m')

    def _extent(self) -> tuple[tuple[float, float], float]:
        """Return the center and half the size of what is to be seen [m]."""
        parts = [np.array([(-USUAL_EXTENT, -USUAL_EXTENT), (USUAL_EXTENT, USUAL_EXTENT)])]
        if self.landmarks is not None:
            parts.append(self.landmarks.places)
        if self.fleet is not None:
            parts.append(self.fleet.truth[:, :2])
        places = np.concatenate(parts)
        places = np.clip(places[np.isfinite(places).all(axis=1)], -FARTHEST, FARTHEST)
        low, high = places.min(axis=0), places.max(axis=0)
        x, y = (0.5 * (low + high)).tolist()
        return (x, y), 0.5 * float((high - low).max()) + 1.0


def _grid() -> Lines:
    """Return lines on the ground, 1 m apart."""
    steps = np.arange(-GRID_EXTENT, GRID_EXTENT + 1.0)
    ends = np.array((-GRID_EXTENT, GRID_EXTENT))
    lines = np.zeros((2, len(steps), 2, 3))
    lines[0, :, :, 0] = lines[1, :, :, 1] = steps[:, None]
    lines[0, :, :, 1] = lines[1, :, :, 0] = ends
    return Lines(lines.reshape(-1, 2, 3), array_of(GRID), 1.0)


_GRID = _grid()


def _fleet_marks(
    fleet: RobotFleetState, estimates: Mapping[str, PoseEstimate]
) -> Iterator[tuple[str, Batch]]:
    """Yield true poses, colored by what disturbs them, and odometry where nothing is better."""
    colors = array_of(FREE, STUCK, KIDNAPPED)[
        np.where(fleet.causes & KIDNAP_BIT, 2, np.where(fleet.causes & STUCK_BIT, 1, 0))
    ]
    positions = _on_ground(fleet.truth)
    if len(fleet.names) > MOST_SOLID:
        yield 'robots/truth/points', Points(positions, colors, POINT_SIZE)
    else:
        yield 'robots/truth/bodies', _bodies(fleet.names, positions, fleet.truth[:, 2], colors)
    if len(fleet.names) <= MOST_NAMED:
        above = positions + np.array((0.0, 0.0, TEXT_HEIGHT + ROBOT_DIAMETER))
        yield 'robots/truth/names', Labels(fleet.names, above, _titles(fleet))
    if fleet.odometry is not None:
        yield from _odometry_marks(fleet.names, fleet.odometry, estimates)


def _titles(fleet: RobotFleetState) -> tuple[str, ...]:
    """Return the names of robots, with what stops or moves them."""
    notable = (fleet.causes & np.uint16(STUCK_BIT | KIDNAP_BIT)).tolist()
    return tuple(
        f'{name}: {", ".join(cause_names(causes))}' if causes else name
        for name, causes in zip(fleet.names, notable, strict=True)
    )


def _odometry_marks(
    names: tuple[str, ...], poses: Array, estimates: Mapping[str, PoseEstimate]
) -> Iterator[tuple[str, Batch]]:
    """Yield the poses by odometry of robots without a better estimate."""
    kept = [index for index, name in enumerate(names) if name not in estimates]
    chosen = poses[kept]
    positions = _on_ground(chosen)
    if len(kept) > MOST_SOLID:
        yield 'robots/odometry/points', Points(positions, array_of(ODOMETRY), POINT_SIZE)
    elif kept:
        ids = tuple(names[index] for index in kept)
        bodies = _bodies(ids, positions, chosen[:, 2], array_of(ODOMETRY))
        yield 'robots/odometry/bodies', bodies


def _bodies(ids: tuple[str, ...], positions: Array, headings: Array, colors: Colors) -> Meshes:
    """Return robots with their noses along their headings (n,) [rad]."""
    quaternions = heading_quaternions(headings)
    return Meshes(ROUND_ROBOT, ids, positions, quaternions, np.ones((1, 3)), colors)


def _on_ground(poses: Array) -> Array:
    """Return the positions (n, 3) of poses (n, 3) [m]."""
    positions: Array = poses * np.array((1.0, 1.0, 0.0))
    # An infinite heading is no height.
    positions[:, 2] = 0.0
    return positions
