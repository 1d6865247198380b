# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The files of words that come with this package."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml


def load_table(name: str) -> Any:
    """Read a file of words by its name."""
    text = resources.files(__package__).joinpath(name).read_text(encoding='utf-8')
    # In C where PyYAML was built so: the pure loader takes a tenth of a second.
    return yaml.load(text, getattr(yaml, 'CSafeLoader', yaml.SafeLoader))  # noqa: S506 (safe)
