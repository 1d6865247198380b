# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of errors: what the evaluation reports of predictions and published states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array

__all__ = ['ErrorSummary', 'summarize_errors']


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """Number of errors, their median and 95th percentile [m]; None without errors."""

    n: int
    median: float | None
    p95: float | None


def summarize_errors(errors: Sequence[float] | Array) -> ErrorSummary:
    """Return number, median and 95th percentile of errors [m]."""
    if not len(errors):
        return ErrorSummary(0, None, None)
    return ErrorSummary(len(errors), float(np.median(errors)), float(np.percentile(errors, 95)))
