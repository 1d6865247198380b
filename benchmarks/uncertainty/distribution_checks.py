# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Test samples of all models against their distributions, with many seeds and one correction.

No p-value, over all distributions of motion and observation together, may be below 0.01 divided
by the number of p-values (Bonferroni). It takes some seven minutes, mostly for steps of 0.01 s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.uncertainty import (
    motion_density_checks,
    motion_sampling_checks,
    observation_density_checks,
    observation_sampling_checks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Law = Callable[[int, int], float | list[float]]

SAMPLES, SEEDS, LEVEL = 100_000, 20, 0.01
CHECKS: dict[str, Law] = {
    f'{part}: {name}': law
    for part, laws in (
        ('motion', motion_sampling_checks.CHECKS),
        ('density of motion', motion_density_checks.CHECKS),
        ('observation', observation_sampling_checks.CHECKS),
        ('density of observation', observation_density_checks.CHECKS),
    )
    for name, law in laws.items()
}


def measure(
    samples: int = SAMPLES, seeds: int = SEEDS, laws: Mapping[str, Law] = CHECKS
) -> dict[str, Any]:
    """Run all checks with all seeds."""
    found = {
        name: np.array([law(samples, seed) for seed in range(seeds)]) for name, law in laws.items()
    }
    number = sum(values.size for values in found.values())
    least = {name: float(values.min()) for name, values in found.items()}
    limit = LEVEL / number
    return {
        'samples': samples,
        'seeds': seeds,
        'laws': len(laws),
        'p-values': number,
        'least p-value allowed': limit,
        'least p-value': min(least.values()),
        'laws broken': [name for name, value in least.items() if not value >= limit],
        'least p-values': {name: float(f'{value:.3g}') for name, value in least.items()},
        # For a correct distribution they are uniform: half of them below one half.
        'median p-values': {
            name: round(float(np.median(values)), 2) for name, values in found.items()
        },
    }
