# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Which kicks a recording holds, and what each of them tells."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.match.ball.calibration.chip_kick_fit import fit_chip
from world_model_core.match.ball.calibration.robust_fit import MAD_TO_SIGMA
from world_model_core.match.ball.calibration.straight_kick_fit import fit_straight
from world_model_core.match.ball.calibration.values import KickFit, KickKind, KickSights
from world_model_core.match.ball.contact_segmentation import segment
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.match.ball.calibration.robust_fit import Fit
    from world_model_core.match.ball.calibration.vision_log import VisionRecord
    from world_model_core.match.ball.contact_segmentation import Stretch

# Less than that tells nothing: sights, and the way between the first and the last [m].
LEAST_SIGHTS, LEAST_WAY = 12, 0.3
# A launch is seen when the ball was last seen before it no longer ago than this [s].
LONGEST_WINDOW = 0.05
# A law fits when what it leaves is no more than so many times vision's own noise; and, since no
# law and no lens is exact, no more than this [m] along an axis: balls that roll on the field of
# RoboCup 2022 bend by 1.7 mm. The fixed losses of a chip are the coarser law.
MOST_NOISE = 1.5
LEAST_MISFIT = {KickKind.STRAIGHT: 0.002, KickKind.CHIP: 0.003}
# A long way may hide that its beginning does not fit: of each so many sights in a row the misfit
# may be that much larger than allowed for all.
PART, WORST_PART = 20, 1.5
# At least this part of the sights must not be false.
LEAST_KEPT = 0.9
# A constant known to a smaller part of itself than this is told.
WORST_PRECISION = 0.25
# A ball that curves or was pushed may roll freely later: parts left out at the beginning [s], and
# how long the rest must be.
ROLLING = 'roll_acceleration'
LATER_STARTS, SHORTEST_ROLL = (0.0, 0.1, 0.2, 0.4, 0.8), 0.5
# How much of a chip is looked at [s]: all of it, or its first hops.
CHIP_DURATIONS = (2.0, 1.2)
# Parts of a chip's way follow each other within this [s] and this far [m].
LONGEST_BREAK, LONGEST_STEP = 0.1, 0.5
# From below, no camera sees where a ball lands [m].
LOWEST_CAMERA = 1.0
# Nearer to a robot's centre than this [m] a ball may touch it: the robot's radius, the ball's, and
# a margin for vision. A kick has left the kicker after so long [s].
TOUCH, KICKING = 0.125, 0.1


def find_kicks(record: VisionRecord) -> tuple[KickSights, ...]:
    """
    Cut a recording into the ways of freely moving balls.

    Parameters
    ----------
    record : VisionRecord
        Of all balls and cameras.

    Returns
    -------
    tuple of KickSights
        In order of time. A chip is in several of them, cut at its bounces.

    """
    found: list[KickSights] = []
    before: Stretch | None = None
    for stretch in segment(record.sights):
        gap = (
            math.inf
            if before is None
            else (stretch.start_ns - before.end_ns) / NANOSECONDS_PER_SECOND
        )
        launched = stretch.kicked and gap <= LONGEST_WINDOW
        found.append(_sights_of(stretch, record, gap if launched else None))
        before = stretch
    return tuple(found)


def _sights_of(stretch: Stretch, record: VisionRecord, window: float | None) -> KickSights:
    """Collect the sights of a stretch."""
    index, sights = stretch.indices, record.sights
    return KickSights(
        stretch.start_ns,
        (sights.stamps_ns[index] - stretch.start_ns) / NANOSECONDS_PER_SECOND,
        sights.places[index],
        sights.cameras[index],
        record.origins[index],
        record.clearances[index],
        window,
    )


def fit_kicks(ways: Sequence[KickSights]) -> Iterator[KickFit | None]:
    """
    Fit each way of a ball, and say of each launch that is of no use why.

    Parameters
    ----------
    ways : sequence of KickSights
        As `find_kicks` gives them.

    Yields
    ------
    KickFit or None
        One for each way: of a launch, or of a rolling ball that tells something, else None.

    """
    landed_ns = 0
    for number, way in enumerate(ways):
        kick = None
        if _moves(way):
            launched = way.launch_window is not None and way.start_ns > landed_ns
            kick = _fit_launch(way, ways[number + 1 :]) if launched else _fit_rolling(way)
        if kick is not None and kick.kind is KickKind.CHIP and not kick.reason:
            landed_ns = kick.sights.start_ns + to_nanoseconds(float(kick.sights.times[-1]))
        yield kick


def _moves(way: KickSights) -> bool:
    """Whether the ball covers a distance that tells something, often enough seen."""
    distance = float(np.hypot(*(way.places[-1] - way.places[0])))
    return len(way) >= LEAST_SIGHTS and distance >= LEAST_WAY


def _fit_launch(way: KickSights, following: Sequence[KickSights]) -> KickFit:
    """Take a launch for a straight kick, else for a chip, else only its later part."""
    free = _free(way)
    straight = _judged(*fit_straight(free if _moves(free) else way))
    if not straight.reason:
        return straight
    chips = [_judged(*fit_chip(part)) for part in _flights(way, following)]
    for chip in chips:
        if not chip.reason:
            return chip
    rolling = _fit_rolling(way)
    if rolling is not None:
        return rolling
    if not np.isfinite(way.origins).all():
        reason = 'of a chip nothing can be told without the place of the camera'
        return replace(straight, reason=f'{straight.reason}; {reason}')
    return min((straight, *chips), key=lambda kick: kick.rmse)


def _flights(way: KickSights, following: Sequence[KickSights]) -> Iterator[KickSights]:
    """Join the parts of what may be a chip, up to each of some durations."""
    whole = way
    for part in following:
        gap = (part.start_ns - whole.start_ns) / NANOSECONDS_PER_SECOND - float(whole.times[-1])
        step = float(np.hypot(*(part.places[0] - whole.places[-1])))
        if gap > LONGEST_BREAK or step > LONGEST_STEP:
            break
        whole = whole.joined(part)
    known = whole.select(whole.origins[:, 2] > LOWEST_CAMERA)
    for duration in CHIP_DURATIONS:
        flight = known.select(known.times <= duration)
        if len(flight) >= LEAST_SIGHTS:
            yield flight


def _fit_rolling(way: KickSights) -> KickFit | None:
    """Fit the longest last part of a way that is rolling and nothing else."""
    free = _free(way)
    for start in LATER_STARTS:
        part = free.between(start, math.inf)
        if not _moves(part) or part.times[-1] < SHORTEST_ROLL:
            return None
        kick = _judged(*fit_straight(replace(part, launch_window=None)))
        rolling = kick.measures.get(ROLLING)
        if rolling is not None:
            return replace(kick, measures={ROLLING: rolling})
    return None


def _free(way: KickSights) -> KickSights:
    """Keep the longest part on which no robot can have touched the ball."""
    touched = (way.clearances < TOUCH) & (way.times > KICKING)
    if not touched.any():
        return way
    edges = np.concatenate(([-1], np.flatnonzero(touched), [len(way)]))
    longest = int(np.argmax(np.diff(edges)))
    kept = np.arange(edges[longest] + 1, edges[longest + 1])
    if not len(kept):
        return way
    return way.between(float(way.times[kept[0]]), float(way.times[kept[-1]]))


def _judged(found: Fit, kick: KickFit) -> KickFit:
    """Keep what a kick tells, if the law fits it; else, or if that is nothing, say why."""
    allowed = max(MOST_NOISE * _noise(kick.sights), LEAST_MISFIT[kick.kind])
    whole, worst = found.misfits(PART)
    if found.kept < LEAST_KEPT or whole > allowed or worst > WORST_PART * allowed:
        reason = f'{1e3 * kick.rmse:.1f} mm off a {kick.kind.value} kick'
        return replace(kick, measures={}, reason=reason)
    precise = {
        name: measure
        for name, measure in kick.measures.items()
        if measure.error <= WORST_PRECISION * abs(measure.value)
    }
    reason = '' if precise else f'tells no constant to {WORST_PRECISION:.0%} of its value'
    return replace(kick, measures=precise, reason=reason)


def _noise(way: KickSights) -> float:
    """
    Estimate the standard deviation of a sight along an axis [m] from its neighbours.

    Third differences of smooth motion vanish; those of white noise have 20 times its variance.
    """
    places = [way.places[way.cameras == camera] for camera in way.cameras_by_use]
    rough = np.concatenate([np.diff(own, n=3, axis=0) for own in places])
    middle = float(np.median(np.abs(rough))) if rough.size else 0.0
    return middle * MAD_TO_SIGMA / math.sqrt(20.0)
