# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Lets the tests beside this file import each other, which pytest's importlib mode does not."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
