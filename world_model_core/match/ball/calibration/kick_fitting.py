# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Extraction of kicks from a recording, and their fits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.calibration.chip_kick_fit import fit_chip
from world_model_core.match.ball.calibration.robust_fit import MAD_TO_SIGMA
from world_model_core.match.ball.calibration.straight_kick_fit import fit_straight
from world_model_core.match.ball.calibration.values import (
    CalibrationKick,
    KickDetections,
    KickKind,
)
from world_model_core.match.ball.contact_segmentation import segment
from world_model_core.time import NANOSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.match.ball.calibration.robust_fit import RobustFit
    from world_model_core.match.ball.calibration.vision_log import RecordedDetections
    from world_model_core.match.ball.contact_segmentation import Stretch

# Fewest detections, and shortest distance between the first and the last [m].
LEAST_DETECTIONS, LEAST_DISTANCE = 12, 0.3
# A kick is observed if the ball was last seen before it within this time [s].
LONGEST_WINDOW = 0.05
# A model fits if its residuals are within this multiple of the noise of vision; or, because
# neither model nor lens is exact, within this distance [m] along an axis: balls that roll on the
# field of RoboCup 2022 bend by 1.7 mm. The fixed losses of a chip are the coarser model.
MOST_NOISE = 1.5
LEAST_MISFIT = {KickKind.STRAIGHT: 0.002, KickKind.CHIP: 0.003}
# The misfit of each part of this many detections may exceed that of the whole by this factor.
PART, WORST_PART = 20, 1.5
# Smallest share of inliers.
LEAST_KEPT = 0.9
# Largest relative standard error of a constant.
WORST_PRECISION = 0.25
# A ball that curves or was pushed may roll freely later: durations skipped at the start [s], and
# shortest rest of the path.
ROLLING = 'roll_acceleration'
LATER_STARTS, SHORTEST_ROLL = (0.0, 0.1, 0.2, 0.4, 0.8), 0.5
# Durations of a chip that are fitted [s]: all of it, or its first arcs.
CHIP_DURATIONS = (2.0, 1.2)
# Largest gap in time [s] and distance [m] between parts of a chip.
LONGEST_BREAK, LONGEST_STEP = 0.1, 0.5
# Lowest usable camera for chips [m].
LOWEST_CAMERA = 1.0
# A ball nearer to a robot's center than this [m] may be touched: radius of the robot, of the ball,
# and a margin for vision. After this time [s] a kick has left the kicker.
TOUCH, KICKING = 0.125, 0.1


def find_kicks(record: RecordedDetections) -> tuple[KickDetections, ...]:
    """
    Split a recording into paths of freely moving balls.

    Parameters
    ----------
    record : RecordedDetections
        Of all balls and cameras.

    Returns
    -------
    tuple of KickDetections
        In order of time. A chip is split at its bounces.

    """
    found: list[KickDetections] = []
    before: Stretch | None = None
    for stretch in segment(record.detections):
        gap = (
            math.inf
            if before is None
            else (stretch.start_ns - before.end_ns) / NANOSECONDS_PER_SECOND
        )
        observed = stretch.kicked and gap <= LONGEST_WINDOW
        found.append(_detections_of(stretch, record, gap if observed else None))
        before = stretch
    return tuple(found)


def _detections_of(
    stretch: Stretch, record: RecordedDetections, window: float | None
) -> KickDetections:
    """Return the detections of a stretch."""
    index, detections = stretch.indices, record.detections
    return KickDetections(
        stretch.start_ns,
        (detections.stamps_ns[index] - stretch.start_ns) / NANOSECONDS_PER_SECOND,
        detections.places[index],
        detections.cameras[index],
        record.origins[index],
        record.clearances[index],
        window,
    )


def fit_kicks(paths: Sequence[KickDetections]) -> Iterator[CalibrationKick | None]:
    """
    Fit each path, and give the reason for each kick that is not used.

    Parameters
    ----------
    paths : sequence of KickDetections
        Result of `find_kicks`.

    Yields
    ------
    CalibrationKick or None
        One for each path: of a kick, or of a rolling ball that measures a constant, else None.

    """
    landed_ns = 0
    for number, path in enumerate(paths):
        kick = None
        if _moves(path):
            observed = path.kick_window is not None and path.start_ns > landed_ns
            kick = _fit_kick(path, paths[number + 1 :]) if observed else _fit_rolling(path)
        if kick is not None and kick.kind is KickKind.CHIP and not kick.reason:
            landed_ns = kick.detections.start_ns + round(
                float(kick.detections.times[-1]) * NANOSECONDS_PER_SECOND
            )
        yield kick


def _moves(path: KickDetections) -> bool:
    """Return whether a path is long enough and has enough detections."""
    distance = float(np.hypot(*(path.places[-1] - path.places[0])))
    return len(path) >= LEAST_DETECTIONS and distance >= LEAST_DISTANCE


def _fit_kick(path: KickDetections, following: Sequence[KickDetections]) -> CalibrationKick:
    """Fit a straight kick, else a chip, else only the later part of the path."""
    free = _free(path)
    straight = _judged(*fit_straight(free if _moves(free) else path))
    if not straight.reason:
        return straight
    chips = [_judged(*fit_chip(part)) for part in _flights(path, following)]
    for chip in chips:
        if not chip.reason:
            return chip
    rolling = _fit_rolling(path)
    if rolling is not None:
        return rolling
    if not np.isfinite(path.origins).all():
        reason = 'a chip needs the position of the camera'
        return replace(straight, reason=f'{straight.reason}; {reason}')
    return min((straight, *chips), key=lambda kick: kick.rmse)


def _flights(
    path: KickDetections, following: Sequence[KickDetections]
) -> Iterator[KickDetections]:
    """Yield the joined parts of a possible chip, for each of some durations."""
    whole = path
    for part in following:
        gap = (part.start_ns - whole.start_ns) / NANOSECONDS_PER_SECOND - float(whole.times[-1])
        step = float(np.hypot(*(part.places[0] - whole.places[-1])))
        if gap > LONGEST_BREAK or step > LONGEST_STEP:
            break
        whole = whole.joined(part)
    known = whole.select(whole.origins[:, 2] > LOWEST_CAMERA)
    for duration in CHIP_DURATIONS:
        flight = known.select(known.times <= duration)
        if len(flight) >= LEAST_DETECTIONS:
            yield flight


def _fit_rolling(path: KickDetections) -> CalibrationKick | None:
    """Fit the longest last part of a path that is pure rolling."""
    free = _free(path)
    for start in LATER_STARTS:
        part = free.between(start, math.inf)
        if not _moves(part) or part.times[-1] < SHORTEST_ROLL:
            return None
        kick = _judged(*fit_straight(replace(part, kick_window=None)))
        rolling = kick.measurements.get(ROLLING)
        if rolling is not None:
            return replace(kick, measurements={ROLLING: rolling})
    return None


def _free(path: KickDetections) -> KickDetections:
    """Return the longest part on which no robot can have touched the ball."""
    touched = (path.clearances < TOUCH) & (path.times > KICKING)
    if not touched.any():
        return path
    edges = np.concatenate(([-1], np.flatnonzero(touched), [len(path)]))
    longest = int(np.argmax(np.diff(edges)))
    kept = np.arange(edges[longest] + 1, edges[longest + 1])
    if not len(kept):
        return path
    return path.between(float(path.times[kept[0]]), float(path.times[kept[-1]]))


def _judged(found: RobustFit, kick: CalibrationKick) -> CalibrationKick:
    """Accept the constants of a kick if the model fits; else give the reason."""
    allowed = max(MOST_NOISE * _noise(kick.detections), LEAST_MISFIT[kick.kind])
    whole, worst = found.misfits(PART)
    if found.kept < LEAST_KEPT or whole > allowed or worst > WORST_PART * allowed:
        reason = f'{1e3 * kick.rmse:.1f} mm off a {kick.kind.value} kick'
        return replace(kick, measurements={}, reason=reason)
    precise = {
        name: measure
        for name, measure in kick.measurements.items()
        if measure.error <= WORST_PRECISION * abs(measure.value)
    }
    reason = (
        '' if precise else f'measures no constant to within {WORST_PRECISION:.0%} of its value'
    )
    return replace(kick, measurements=precise, reason=reason)


def _noise(path: KickDetections) -> float:
    """
    Estimate the standard deviation of a detection along an axis [m] from its neighbors.

    Third differences of smooth motion vanish; those of white noise have 20 times its variance.
    """
    places = [path.places[path.cameras == camera] for camera in path.cameras_by_use]
    rough = np.concatenate([np.diff(own, n=3, axis=0) for own in places])
    middle = float(np.median(np.abs(rough))) if rough.size else 0.0
    return middle * MAD_TO_SIGMA / math.sqrt(20.0)
