# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The example village, and its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from world_model_core.bundle.writing import write
from world_model_core.examples.village.example import example_bundle

if TYPE_CHECKING:
    from pathlib import Path

    from world_model_core.bundle.bundle import WorldBundle


@pytest.fixture(scope='session')
def example() -> WorldBundle:
    """Make the example bundle, which tests must not change."""
    return example_bundle()


@pytest.fixture(scope='session')
def example_folder(example, tmp_path_factory) -> Path:
    """Write the example bundle; tests must not change it."""
    folder = tmp_path_factory.mktemp('worlds') / example.manifest.scene_id
    write(example, folder)
    return folder
