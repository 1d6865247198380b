# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Speed of reading splats into six arrays, and of scanning them, compared with a raw read.

All run in turn in one process, on one core, with the file in the page cache. plyfile is timed,
too, if it is installed.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.timing import one_core, time_tasks
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.splats.splat_scan import scan_splats
from world_model_core.bundle.splats.splats import read_splats

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
GAUSSIANS = 2_000_000
# The properties of the reference implementation, with unused normals.
PROPERTIES = (
    'x', 'y', 'z', 'nx', 'ny', 'nz', 'f_dc_0', 'f_dc_1', 'f_dc_2',
    *(f'f_rest_{index}' for index in range(45)),
    'opacity', 'scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3',
)  # fmt: skip
# Rows per write.
BLOCK = 100_000
# Target: multiple of the time of np.fromfile with the same file.
TARGET = 3.0


def measure(rounds: int = ROUNDS, gaussians: int = GAUSSIANS) -> dict[str, Any]:
    """Time reading and scanning a file of gaussians."""
    with TemporaryDirectory() as place:
        path = Path(place) / 'splats.ply'
        write_trained(path, gaussians)
        tasks: dict[str, Callable[[], object]] = {
            'np.fromfile': lambda: np.fromfile(path, np.float32),
            'read_splats': lambda: _checked(read_splats(path, path.name, bundle_findings())),
            'scan_splats': lambda: _checked(scan_splats(path, path.name, bundle_findings())),
        }
        with suppress(ImportError):
            import plyfile  # noqa: PLC0415 (only where it is installed)

            tasks['plyfile'] = lambda: _read_with(plyfile, path)
        with one_core():
            timings = time_tasks(tasks, rounds)
        raw = timings['np.fromfile'].median
        return {
            'gaussians': gaussians,
            'file [MB]': round(path.stat().st_size / 1e6, 1),
            'target of read_splats [times np.fromfile]': TARGET,
            **{f'{name} [s]': round(each.median, 4) for name, each in timings.items()},
            **{
                f'{name} [times np.fromfile]': round(each.median / raw, 2)
                for name, each in timings.items()
                if name != 'np.fromfile'
            },
        }


def write_trained(path: Path, gaussians: int) -> None:
    """Write a file as after training: log scales, logit opacities, quaternions (w first)."""
    random = np.random.default_rng(0)
    names = ''.join(f'property float {name}\n' for name in PROPERTIES)
    header = (
        f'ply\nformat binary_little_endian 1.0\nelement vertex {gaussians}\n{names}end_header\n'
    )
    with path.open('wb') as stream:
        stream.write(header.encode())
        for start in range(0, gaussians, BLOCK):
            count = min(BLOCK, gaussians - start)
            rows = 0.3 * random.standard_normal((count, len(PROPERTIES)), np.float32)
            rows[:, :3] *= 100.0
            rows[:, PROPERTIES.index('opacity')] *= 10.0
            rows[:, -7:-4] -= 4.0
            rows[:, -4] += 1.0
            stream.write(rows.astype('<f4').tobytes())


def _checked(value: object) -> object:
    """Return the splats, or fail if they are missing."""
    if value is None:
        raise AssertionError
    return value


def _read_with(plyfile: Any, path: Path) -> list[Any]:
    """Read the six arrays with plyfile."""
    vertex = plyfile.PlyData.read(path)['vertex']
    rest = PROPERTIES[9:54]
    groups = (PROPERTIES[:3], PROPERTIES[6:9], rest, ('opacity',), PROPERTIES[55:58],
              PROPERTIES[58:])  # fmt: skip
    return [np.stack([vertex[name] for name in group], axis=1) for group in groups]
