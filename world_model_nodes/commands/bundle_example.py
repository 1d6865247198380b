# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model bundle example`: write a small example bundle."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from world_model_core.bundle.writing import write
from world_model_core.examples.village.example import example_bundle

if TYPE_CHECKING:
    from pathlib import Path


def make_example(folder: Path) -> None:
    """
    Write the example bundle, and print a confirmation.

    Raises
    ------
    WriteError
        The folder is not empty, or cannot be written.

    """
    bundle = example_bundle()
    write(bundle, folder)
    text = f'{bundle.manifest.scene_id}: {bundle.splats.count} gaussians written to {folder}\n'
    sys.stdout.write(text)
