# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Whether what is drawn has the laws that are written down: every law, many seeds, one correction.

Each law is tested at so many samples with so many seeds. That none of the p-values, of all laws
of motion and of observation together, is below 0.01 divided by their number (Bonferroni) is what
is asked. It takes some seven minutes, most of them for steps of 0.01 s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.uncertainty import motion_density_checks as motion_density_laws
from benchmarks.uncertainty import motion_sampling_checks as motion_laws
from benchmarks.uncertainty import observation_density_checks as observation_density_laws
from benchmarks.uncertainty import observation_sampling_checks as observation_laws

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Law = Callable[[int, int], float | list[float]]

SAMPLES, SEEDS, LEVEL = 100_000, 20, 0.01
LAWS: dict[str, Law] = {
    f'{part}: {name}': law
    for part, laws in (
        ('motion', motion_laws.LAWS),
        ('density of motion', motion_density_laws.LAWS),
        ('observation', observation_laws.LAWS),
        ('density of observation', observation_density_laws.LAWS),
    )
    for name, law in laws.items()
}


def measure(
    samples: int = SAMPLES, seeds: int = SEEDS, laws: Mapping[str, Law] = LAWS
) -> dict[str, Any]:
    """Test all laws with all seeds."""
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
        # Of a true law they are uniform: half of them below one half.
        'median p-values': {
            name: round(float(np.median(values)), 2) for name, values in found.items()
        },
    }
