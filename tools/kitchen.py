# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the files of the example kitchen: run it with `python tools/kitchen.py`."""

from __future__ import annotations

from pathlib import Path

from world_model_core.examples.kitchen.world_files import kitchen_files

FOLDER = Path(__file__).resolve().parents[1] / 'worlds/kitchen'


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in kitchen_files().items():
        (FOLDER / name).write_bytes(content)


if __name__ == '__main__':
    main()
