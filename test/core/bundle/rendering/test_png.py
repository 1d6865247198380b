# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images as PNG files."""

from io import BytesIO

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.image import imread

from world_model_core.bundle.rendering.png import png


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_another_program_reads_the_same_image(width, height, seed):
    """Every pixel must be read back by another reader."""
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)
    found = np.round(255 * imread(BytesIO(png(picture)))).astype(np.uint8)
    assert np.array_equal(found, picture)
