# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A push moves a thing away from who looks at it."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.view.pushes import push_force


@pytest.mark.parametrize(
    ('viewpoint', 'expected'),
    [
        ((0.0, -3.0, 2.0), (0.0, 500.0, 0.0)),
        ((3.0, 4.0, 9.0), (-300.0, -400.0, 0.0)),
        ((0.0, 0.0, 5.0), (500.0, 0.0, 0.0)),
    ],
)
def test_the_force_is_along_the_floor_and_away(viewpoint, expected):
    """Its impulse is that of one physics step."""
    force = push_force(viewpoint, (0.0, 0.0, 1.0), 5.0, 0.01)
    np.testing.assert_allclose(force, expected, atol=1e-9)
