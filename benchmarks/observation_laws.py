# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Every law of observation against what is drawn: how improbable would its samples be.

Each is tested with 20 seeds and 100,000 samples: Kolmogorov-Smirnov where there is a density,
the binomial law's two-sided test where something happens or not. With as many tests the least of
their p-values must be small; Bonferroni says how small it may be.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import stats

from world_model_core.uncertainty.draws import Draws
from world_model_core.uncertainty.drift import Drift
from world_model_core.uncertainty.labels import Cause
from world_model_core.uncertainty.noise import RangeBearingNoise
from world_model_core.uncertainty.observation import Observation
from world_model_core.uncertainty.observation_parameters import ObservationParameters, Order
from world_model_core.uncertainty.occlusion import LastingOcclusion, Occlusion
from world_model_core.uncertainty.oversight import Oversight
from world_model_core.uncertainty.phantom import Phantom
from world_model_core.uncertainty.sensor_bias import SensorBias
from world_model_core.uncertainty.view import View

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array

SEEDS, SAMPLES, LEVEL = 20, 100_000, 0.01
# From robots at the origin [m].
LANDMARK = (3.0, 1.0)
RANGE, BEARING = math.hypot(*LANDMARK), math.atan2(LANDMARK[1], LANDMARK[0])
FAR = 6.0
# No errors at all, and a view of everything around.
QUIET = ObservationParameters(
    view=View(0.0, FAR, math.pi),
    noise=RangeBearingNoise(0.0, 0.0, 0.0),
    bias=SensorBias(0.0, 0.0),
    oversight=Oversight(0.0),
)
NOISE = RangeBearingNoise(range_rate=0.1, range_std=0.05, bearing_std=0.1)
BIAS = SensorBias(range_rate=0.2, bearing_std=0.1)
DRIFT = Drift(range_std=0.3, range_time=10.0, bearing_std=0.2, bearing_time=4.0)
LASTING = LastingOcclusion(share=0.3, mean_duration=2.0)
# A rectangle within the view, and in it the ends of its sides.
SIDES = (-2.0, 1.0, -3.0, 2.0)


class Seen(NamedTuple):
    """What n robots read of the landmark, what happened, and what their sensors remember."""

    ranges: Array
    bearings: Array
    labels: NDArray[np.uint16]
    memories: dict[str, Array]


def see(
    parameters: ObservationParameters, seed: int, count: int, steps: Sequence[float] = (1.0,)
) -> list[Seen]:
    """Let robots at the origin observe the landmark, after each of some times [s]."""
    observation, draws = Observation(parameters), Draws(seed)
    state, poses, seen = observation.begin(count, [LANDMARK], draws), np.zeros((count, 3)), []
    for dt in steps:
        state, readings, labels = observation.observe(state, poses, [LANDMARK], dt, draws)
        ranges, bearings = readings[:, 0].T
        seen.append(Seen(ranges, bearings, labels[:, 0], dict(state.memories)))
    return seen


def normal(values: Array) -> float:
    """Test whether values are standard normal."""
    return float(stats.kstest(values, 'norm').pvalue)


def uniform(values: Array) -> float:
    """Test whether values are uniform from 0 to 1."""
    return float(stats.kstest(values, 'uniform').pvalue)


def rate(happened: NDArray[np.bool_], probability: float) -> float:
    """Test whether something happens with a probability."""
    return float(stats.binomtest(int(happened.sum()), happened.size, probability).pvalue)


def noise_of_ranges(order: Order, seed: int, count: int) -> float:
    """Test the noise of biased ranges: of the true distance, or of that with the bias."""
    (seen,) = see(replace(QUIET, noise=NOISE, bias=BIAS, order=order), seed, count)
    biased = RANGE * (1.0 + seen.memories['bias'][0])
    scale = biased if order is Order.LNPR else RANGE
    return normal((seen.ranges - biased) / np.hypot(NOISE.range_rate * scale, NOISE.range_std))


def noise_of_bearings(seed: int, count: int) -> float:
    """Test the noise of bearings."""
    (seen,) = see(replace(QUIET, noise=NOISE), seed, count)
    return normal((seen.bearings - BEARING) / NOISE.bearing_std)


def bias_of_ranges(seed: int, count: int) -> float:
    """Test the constant part of ranges."""
    (seen,) = see(replace(QUIET, bias=BIAS), seed, count)
    return normal((seen.ranges / RANGE - 1.0) / BIAS.range_rate)


def bias_of_bearings(seed: int, count: int) -> float:
    """Test the constant part of bearings."""
    (seen,) = see(replace(QUIET, bias=BIAS), seed, count)
    return normal((seen.bearings - BEARING) / BIAS.bearing_std)


def drift_at_any_time(seed: int, count: int) -> float:
    """Test that the drift of ranges is as at the beginning after some steps."""
    seen = see(replace(QUIET, drift=DRIFT), seed, count, (0.3, 7.0, 0.01))[-1]
    return normal((seen.ranges - RANGE) / DRIFT.range_std)


def drift_over_time(steps: int, seed: int, count: int) -> float:
    """Test what drifts in 5 s, in so many steps: the law must not depend on these."""
    seen = see(replace(QUIET, drift=DRIFT), seed, count, (1.0, *([5.0 / steps] * steps)))
    first, last = seen[0].bearings - BEARING, seen[-1].bearings - BEARING
    kept = math.exp(-5.0 / DRIFT.bearing_time)
    return normal((last - kept * first) / (DRIFT.bearing_std * math.sqrt(1.0 - kept**2)))


def phantoms_happen(seed: int, count: int) -> float:
    """Test how often there is a phantom."""
    (seen,) = see(replace(QUIET, phantom=Phantom(0.3, *SIDES)), seed, count)
    return rate((seen.labels & int(Cause.PHANTOM)) != 0, 0.3)


def phantoms_are_anywhere(axis: int, seed: int, count: int) -> float:
    """Test that phantoms are uniform along a side of their rectangle."""
    (seen,) = see(replace(QUIET, phantom=Phantom(0.3, *SIDES)), seed, count)
    false = (seen.labels & int(Cause.PHANTOM)) != 0
    turned = (np.cos, np.sin)[axis](seen.bearings[false])
    low, high = SIDES[2 * axis : 2 * axis + 2]
    return uniform((seen.ranges[false] * turned - low) / (high - low))


def oversights_happen(seed: int, count: int) -> float:
    """Test how often a landmark in view is overlooked."""
    (seen,) = see(replace(QUIET, oversight=Oversight(0.1)), seed, count)
    return rate(np.isnan(seen.ranges), 0.1)


def occlusions_happen(seed: int, count: int) -> float:
    """Test how often a landmark is hidden in one reading."""
    (seen,) = see(replace(QUIET, occlusion=Occlusion(0.5)), seed, count)
    return rate(seen.ranges > RANGE + 1e-9, 0.5)


def occlusions_push(order: Order, seed: int, count: int) -> float:
    """Test that hidden ranges are uniform from where they were to the end of the view."""
    parameters = replace(QUIET, occlusion=Occlusion(0.5), bias=SensorBias(0.02, 0.0), order=order)
    (seen,) = see(parameters, seed, count)
    bias = 1.0 + seen.memories['bias'][0]
    hidden = (seen.labels & int(Cause.OCCLUSION)) != 0
    if order is Order.LNPR:
        low, ranges = RANGE, seen.ranges / bias
    else:
        low, ranges = RANGE * bias, seen.ranges
    return uniform(((ranges - low) / (FAR - low))[hidden])


def hidden_at_any_time(seed: int, count: int) -> float:
    """Test the share of landmarks that are hidden after some steps."""
    seen = see(replace(QUIET, lasting_occlusion=LASTING), seed, count, (0.2, 5.0, 0.7))[-1]
    return rate(seen.ranges > RANGE + 1e-9, LASTING.share)


def hidden_again(steps: int, seed: int, count: int) -> float:
    """Test how many of those hidden are so 3 s later, in so many steps."""
    seen = see(
        replace(QUIET, lasting_occlusion=LASTING), seed, count, (1.0, *([3.0 / steps] * steps))
    )
    first, last = (each.ranges > RANGE + 1e-9 for each in (seen[0], seen[-1]))
    kept = math.exp(-3.0 / (LASTING.mean_duration * (1.0 - LASTING.share)))
    return rate(last[first], LASTING.share + (1.0 - LASTING.share) * kept)


def hidden_by_the_same(seed: int, count: int) -> float:
    """Test how many of those hidden have not come out for 3 s, and so read the same range."""
    first, _, last = see(replace(QUIET, lasting_occlusion=LASTING), seed, count, (1.0, 1.0, 2.0))
    hidden = first.ranges > RANGE + 1e-9
    same = last.ranges[hidden] == first.ranges[hidden]
    return rate(same, math.exp(-3.0 / LASTING.mean_duration))


def hidden_anew(seed: int, count: int) -> float:
    """Test how many of those clear are hidden half a second later."""
    first, last = see(replace(QUIET, lasting_occlusion=LASTING), seed, count, (1.0, 0.5))
    kept = math.exp(-0.5 / (LASTING.mean_duration * (1.0 - LASTING.share)))
    clear = first.ranges < RANGE + 1e-9
    return rate(last.ranges[clear] > RANGE + 1e-9, LASTING.share * (1.0 - kept))


def hidden_parts(seed: int, count: int) -> float:
    """Test that the part that is added while hidden is uniform."""
    seen = see(replace(QUIET, lasting_occlusion=LASTING), seed, count, (1.0, 2.0))[-1]
    parts = (seen.ranges - RANGE) / (FAR - RANGE)
    return uniform(parts[parts > 1e-9])


# Each takes a seed and a number of samples, and gives a p-value.
LAWS: dict[str, Callable[[int, int], float]] = {
    "range noise, lecture's order": partial(noise_of_ranges, Order.LECTURE),
    "range noise, LNPR's order": partial(noise_of_ranges, Order.LNPR),
    'bearing noise': noise_of_bearings,
    'range bias': bias_of_ranges,
    'bearing bias': bias_of_bearings,
    'drift at any time': drift_at_any_time,
    'drift in 5 s, at once': partial(drift_over_time, 1),
    'drift in 5 s, in 10 steps': partial(drift_over_time, 10),
    'probability of a phantom': phantoms_happen,
    'x of phantoms': partial(phantoms_are_anywhere, 0),
    'y of phantoms': partial(phantoms_are_anywhere, 1),
    'probability of an oversight': oversights_happen,
    'probability of an occlusion': occlusions_happen,
    "ranges of what is hidden, lecture's order": partial(occlusions_push, Order.LECTURE),
    "ranges of what is hidden, LNPR's order": partial(occlusions_push, Order.LNPR),
    'lasting occlusion at any time': hidden_at_any_time,
    'hidden 3 s later, at once': partial(hidden_again, 1),
    'hidden 3 s later, in 12 steps': partial(hidden_again, 12),
    'hidden by the same for 3 s': hidden_by_the_same,
    'hidden anew in 0.5 s': hidden_anew,
    'part added while hidden': hidden_parts,
}


def measure(seeds: int = SEEDS, samples: int = SAMPLES) -> dict[str, Any]:
    """Test every law with every seed."""
    values = {name: [law(seed, samples) for seed in range(seeds)] for name, law in LAWS.items()}
    limit = LEVEL / (len(LAWS) * seeds)
    return {
        'samples': samples,
        'seeds': seeds,
        'laws': len(LAWS),
        'a p-value must not be below': limit,
        'refused': [name for name, each in values.items() if min(each) < limit],
        'least p-value': {name: float(f'{min(each):.2g}') for name, each in values.items()},
        # Of a true law p-values are uniform: half of them below one half.
        'median p-value': {
            name: round(float(np.median(each)), 2) for name, each in values.items()
        },
    }
