# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Summary statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def spread(values: Sequence[float] | np.ndarray) -> dict[str, float]:
    """Return median, 95th percentile and number of values."""
    if not len(values):
        return {'n': 0}
    median, high = np.percentile(values, (50, 95)).tolist()
    return {'median': round(median, 3), 'p95': round(high, 3), 'n': len(values)}
