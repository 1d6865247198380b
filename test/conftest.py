# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of every kind share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT = Path(__file__).resolve().parents[1]
RECORDINGS = Path(
    os.environ.get('WORLD_MODEL_DATA', PROJECT.parent / 'shared' / 'data')
)


@pytest.fixture(scope='session')
def shared_data() -> Callable[[str], Path]:
    """Find a real recording by its path below the data folder, or skip and say why."""

    def find(name: str) -> Path:
        path = RECORDINGS / name
        if not path.exists():
            pytest.skip(f'recording {name} is not at {path}; set WORLD_MODEL_DATA to its folder')
        return path

    return find
