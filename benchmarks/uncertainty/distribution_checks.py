# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Tests of samples of all models against their distributions, with many seeds and one correction.

No p-value of any check of motion and observation may be below 0.01 divided by the number of
p-values (Bonferroni). A run takes some seven minutes, mostly for steps of 0.01 s.
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

    Check = Callable[[int, int], float | list[float]]

SAMPLES, SEEDS, LEVEL = 100_000, 20, 0.01
CHECKS: dict[str, Check] = {
    f'{part}: {name}': check
    for part, checks in (
        ('motion', motion_sampling_checks.CHECKS),
        ('density of motion', motion_density_checks.CHECKS),
        ('observation', observation_sampling_checks.CHECKS),
        ('density of observation', observation_density_checks.CHECKS),
    )
    for name, check in checks.items()
}


def measure(
    samples: int = SAMPLES, seeds: int = SEEDS, checks: Mapping[str, Check] = CHECKS
) -> dict[str, Any]:
    """Run all checks with all seeds."""
    found = {
        name: np.array([check(samples, seed) for seed in range(seeds)])
        for name, check in checks.items()
    }
    number = sum(values.size for values in found.values())
    least = {name: float(values.min()) for name, values in found.items()}
    limit = LEVEL / number
    return {
        'samples': samples,
        'seeds': seeds,
        'checks': len(checks),
        'p-values': number,
        'least p-value allowed': limit,
        'least p-value': min(least.values()),
        'failed checks': [name for name, value in least.items() if not value >= limit],
        'least p-values': {name: float(f'{value:.3g}') for name, value in least.items()},
        # With a correct distribution p-values are uniform: half of them are below one half.
        'median p-values': {
            name: round(float(np.median(values)), 2) for name, values in found.items()
        },
    }
