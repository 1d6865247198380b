# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks of simulated readings against the documented distributions of the error sources.

Each check takes a number of samples and a seed, and returns the p-values of the samples.
`benchmarks/uncertainty/distribution_checks.py` evaluates them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.uncertainty.goodness_of_fit import independent, normal, share, uniform
from world_model_core.uncertainty.clutter import Clutter
from world_model_core.uncertainty.error_causes import ErrorCause
from world_model_core.uncertainty.field_of_view import PlanarFieldOfView
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.observation_model import Observation
from world_model_core.uncertainty.observation_parameters import ErrorOrder, ObservationParameters
from world_model_core.uncertainty.occlusion import LastingOcclusion, Occlusion
from world_model_core.uncertainty.random_draws import Draws
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.sensor_drift import SensorDrift
from world_model_core.uncertainty.sensor_noise import RangeBearingNoise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

# Position of the landmark [m]; robots are at the origin.
LANDMARK = (3.0, 1.0)
RANGE, BEARING = math.hypot(*LANDMARK), math.atan2(LANDMARK[1], LANDMARK[0])
FAR = 6.0
# A sensor without errors that covers all directions.
QUIET = ObservationParameters(
    field_of_view=PlanarFieldOfView(0.0, FAR, math.pi),
    noise=RangeBearingNoise(0.0, 0.0, 0.0),
    bias=SensorBias(0.0, 0.0),
    missed_detection=MissedDetection(0.0),
)
NOISE = RangeBearingNoise(range_fraction=0.1, range_std=0.3, bearing_std=0.1)
BIAS = SensorBias(range_fraction=0.2, bearing_std=0.1)
# Range and bearing: exact values, deviations of the drift and their correlation times [s].
EXACT, DRIFT_STD, DRIFT_TIME = (RANGE, BEARING), (0.3, 0.2), (10.0, 4.0)
DRIFT = SensorDrift(DRIFT_STD[0], DRIFT_TIME[0], DRIFT_STD[1], DRIFT_TIME[1])
LASTING = LastingOcclusion(share=0.3, mean_duration=2.0)
# Clutter: x and y limits of a rectangle within the view [m].
SIDES = (-2.0, 1.0, -3.0, 2.0)


class LandmarkReadings(NamedTuple):
    """Readings of the landmark by n robots, their labels, and the states of the sensors."""

    ranges: Array
    bearings: Array
    labels: NDArray[np.uint16]
    memories: dict[str, Array]


def observe(
    parameters: ObservationParameters, samples: int, seed: int, steps: Sequence[float] = (1.0,)
) -> list[LandmarkReadings]:
    """Simulate readings of the landmark by robots at the origin, after each of the steps [s]."""
    observation, draws = Observation(parameters), Draws(seed)
    state, poses, seen = observation.begin(samples, [LANDMARK], draws), np.zeros((samples, 3)), []
    for dt in steps:
        state, readings, labels = observation.observe(state, poses, [LANDMARK], dt, draws)
        ranges, bearings = readings[:, 0].T
        found = LandmarkReadings(ranges, bearings, labels[:, 0], dict(state.memories))
        seen.append(found)
    return seen


def noise_of_ranges(order: ErrorOrder, samples: int, seed: int) -> list[float]:
    """Test the noise of biased ranges, as a function of the true or the biased distance."""
    found = []
    for noise in (NOISE, replace(NOISE, range_std=0.0)):
        (seen,) = observe(replace(QUIET, noise=noise, bias=BIAS, order=order), samples, seed)
        biased = RANGE * (1.0 + seen.memories['bias'][0])
        scale = biased if order is ErrorOrder.LNPR else RANGE
        deviations = np.hypot(noise.range_fraction * scale, noise.range_std)
        found += normal((seen.ranges - biased) / deviations)
    return found


def noise_at_any_distance(samples: int, seed: int) -> list[float]:
    """Test range noise that does not grow with the distance."""
    noise = RangeBearingNoise(range_fraction=0.0, range_std=0.05, bearing_std=0.0)
    (seen,) = observe(replace(QUIET, noise=noise), samples, seed)
    return normal(seen.ranges, RANGE, 0.05)


def noise_of_bearings(samples: int, seed: int) -> list[float]:
    """Test the noise of bearings."""
    (seen,) = observe(replace(QUIET, noise=NOISE), samples, seed)
    return normal(seen.bearings, BEARING, 0.1)


def bias_of_ranges(samples: int, seed: int) -> list[float]:
    """Test the constant relative error of ranges."""
    (seen,) = observe(replace(QUIET, bias=BIAS), samples, seed)
    return normal(seen.ranges / RANGE, 1.0, BIAS.range_fraction)


def bias_of_bearings(samples: int, seed: int) -> list[float]:
    """Test the constant error of bearings."""
    (seen,) = observe(replace(QUIET, bias=BIAS), samples, seed)
    return normal(seen.bearings, BEARING, BIAS.bearing_std)


def drift_at_any_time(axis: int, samples: int, seed: int) -> list[float]:
    """Test that the drift of ranges, or bearings, is stationary."""
    seen = observe(replace(QUIET, drift=DRIFT), samples, seed, (0.3, 7.0, 0.01))[-1]
    return normal(seen[axis], EXACT[axis], DRIFT_STD[axis])


def drift_over_time(axis: int, steps: int, samples: int, seed: int) -> list[float]:
    """Test the drift in 2 s, whose distribution must not depend on the number of steps."""
    seen = observe(replace(QUIET, drift=DRIFT), samples, seed, (1.0, *([2.0 / steps] * steps)))
    first, last = (each[axis] - EXACT[axis] for each in (seen[0], seen[-1]))
    kept = math.exp(-2.0 / DRIFT_TIME[axis])
    fresh = last - kept * first
    return [
        *normal(fresh, 0.0, DRIFT_STD[axis] * math.sqrt(1.0 - kept**2)),
        independent(first, fresh),
    ]


def clutter_happens(samples: int, seed: int) -> float:
    """Test the probability of clutter."""
    (seen,) = observe(replace(QUIET, clutter=Clutter(0.3, *SIDES)), samples, seed)
    return share((seen.labels & int(ErrorCause.CLUTTER)) != 0, 0.3)


def clutter_is_anywhere(axis: int, samples: int, seed: int) -> float:
    """Test that clutter is uniform along a side of its rectangle."""
    (seen,) = observe(replace(QUIET, clutter=Clutter(0.3, *SIDES)), samples, seed)
    false = (seen.labels & int(ErrorCause.CLUTTER)) != 0
    turned = (np.cos, np.sin)[axis](seen.bearings[false])
    low, high = SIDES[2 * axis : 2 * axis + 2]
    return uniform(seen.ranges[false] * turned, low, high)


def clutter_in_view(samples: int, seed: int) -> float:
    """Test the share of clutter around a robot that is in its view, a part of a ring."""
    view, side = PlanarFieldOfView(near=1.5, far=2.4, half_angle=1.0), 5.0
    around = Clutter(1.0, -0.5 * side, 0.5 * side, -0.5 * side, 0.5 * side)
    (seen,) = observe(replace(QUIET, field_of_view=view, clutter=around), samples, seed)
    return share(~np.isnan(seen.ranges), (2.4**2 - 1.5**2) / side**2)


def missed_detections_happen(samples: int, seed: int) -> float:
    """Test the probability that a landmark in view is not detected."""
    (seen,) = observe(replace(QUIET, missed_detection=MissedDetection(0.3)), samples, seed)
    return share(np.isnan(seen.ranges), 0.3)


def occlusions_happen(samples: int, seed: int) -> float:
    """Test the probability that a landmark is occluded in one reading."""
    (seen,) = observe(replace(QUIET, occlusion=Occlusion(0.5)), samples, seed)
    return share(seen.ranges > RANGE + 1e-9, 0.5)


def occlusions_push(order: ErrorOrder, samples: int, seed: int) -> float:
    """Test that occluded ranges are uniform between the original range and the view's end."""
    parameters = replace(QUIET, occlusion=Occlusion(0.5), bias=SensorBias(0.02, 0.0), order=order)
    (seen,) = observe(parameters, samples, seed)
    bias = 1.0 + seen.memories['bias'][0]
    hidden = (seen.labels & int(ErrorCause.OCCLUSION)) != 0
    if order is ErrorOrder.LNPR:
        low, ranges = RANGE, seen.ranges / bias
    else:
        low, ranges = RANGE * bias, seen.ranges
    return uniform(((ranges - low) / (FAR - low))[hidden])


def hidden_at_any_time(samples: int, seed: int) -> float:
    """Test the share of landmarks that are hidden after several steps."""
    seen = observe(replace(QUIET, lasting_occlusion=LASTING), samples, seed, (0.2, 5.0, 0.7))[-1]
    return share(seen.ranges > RANGE + 1e-9, LASTING.share)


def hidden_again(steps: int, samples: int, seed: int) -> float:
    """Test the share of hidden landmarks that are hidden 3 s later, for any number of steps."""
    seen = observe(
        replace(QUIET, lasting_occlusion=LASTING), samples, seed, (1.0, *([3.0 / steps] * steps))
    )
    first, last = (each.ranges > RANGE + 1e-9 for each in (seen[0], seen[-1]))
    kept = math.exp(-3.0 / (LASTING.mean_duration * (1.0 - LASTING.share)))
    return share(last[first], LASTING.share + (1.0 - LASTING.share) * kept)


def hidden_by_the_same(samples: int, seed: int) -> float:
    """Test the share of landmarks that stay hidden for 3 s, which keeps their range."""
    first, _, last = observe(
        replace(QUIET, lasting_occlusion=LASTING), samples, seed, (1.0, 1.0, 2.0)
    )
    hidden = first.ranges > RANGE + 1e-9
    same = last.ranges[hidden] == first.ranges[hidden]
    return share(same, math.exp(-3.0 / LASTING.mean_duration))


def hidden_after_clear(samples: int, seed: int) -> float:
    """Test the share of clear landmarks that are hidden half a second later."""
    first, last = observe(replace(QUIET, lasting_occlusion=LASTING), samples, seed, (1.0, 0.5))
    kept = math.exp(-0.5 / (LASTING.mean_duration * (1.0 - LASTING.share)))
    clear = first.ranges < RANGE + 1e-9
    return share(last.ranges[clear] > RANGE + 1e-9, LASTING.share * (1.0 - kept))


def hidden_fractions(samples: int, seed: int) -> float:
    """Test that the fraction u of a hidden period is uniform."""
    seen = observe(replace(QUIET, lasting_occlusion=LASTING), samples, seed, (1.0, 2.0))[-1]
    parts = (seen.ranges - RANGE) / (FAR - RANGE)
    return uniform(parts[parts > 1e-9])


CHECKS: dict[str, Callable[[int, int], float | list[float]]] = {
    "range noise, lecture's order": partial(noise_of_ranges, ErrorOrder.LECTURE),
    "range noise, LNPR's order": partial(noise_of_ranges, ErrorOrder.LNPR),
    'range noise at any distance': noise_at_any_distance,
    'bearing noise': noise_of_bearings,
    'range bias': bias_of_ranges,
    'bearing bias': bias_of_bearings,
    'range drift at any time': partial(drift_at_any_time, 0),
    'bearing drift at any time': partial(drift_at_any_time, 1),
    'range drift in 2 s, at once': partial(drift_over_time, 0, 1),
    'range drift in 2 s, in 10 steps': partial(drift_over_time, 0, 10),
    'bearing drift in 2 s, at once': partial(drift_over_time, 1, 1),
    'bearing drift in 2 s, in 10 steps': partial(drift_over_time, 1, 10),
    'probability of clutter': clutter_happens,
    'x of clutter': partial(clutter_is_anywhere, 0),
    'y of clutter': partial(clutter_is_anywhere, 1),
    'clutter in view': clutter_in_view,
    'probability of a missed detection': missed_detections_happen,
    'probability of an occlusion': occlusions_happen,
    "occluded ranges, lecture's order": partial(occlusions_push, ErrorOrder.LECTURE),
    "occluded ranges, LNPR's order": partial(occlusions_push, ErrorOrder.LNPR),
    'lasting occlusion at any time': hidden_at_any_time,
    'hidden 3 s later, at once': partial(hidden_again, 1),
    'hidden 3 s later, in 12 steps': partial(hidden_again, 12),
    'still hidden after 3 s': hidden_by_the_same,
    'hidden 0.5 s after clear': hidden_after_clear,
    'fraction added while hidden': hidden_fractions,
}
