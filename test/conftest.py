# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of every kind share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

# How long an example takes depends on what else the machine does; and CI is to judge the change,
# not chance: new examples are for developers to find.
hypothesis.settings.register_profile('world_model', deadline=None, derandomize='CI' in os.environ)
hypothesis.settings.load_profile('world_model')

PROJECT = Path(__file__).resolve().parents[1]
RECORDINGS = Path(os.environ.get('WORLD_MODEL_DATA', PROJECT.parent / 'shared' / 'data'))


@pytest.fixture(scope='session')
def shared_data() -> Callable[[str], Path]:
    """Find a real recording by its path below the data folder, or skip and say why."""

    def find(name: str) -> Path:
        path = RECORDINGS / name
        if not path.exists():
            pytest.skip(f'recording {name} is not at {path}; set WORLD_MODEL_DATA to its folder')
        return path

    return find
