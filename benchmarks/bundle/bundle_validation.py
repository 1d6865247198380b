# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Time and memory of the validation of a large bundle, compared with a raw read of its splats."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.timing import one_core, time_tasks
from world_model_core.bundle.bundle import BundleContents, WorldBundle
from world_model_core.bundle.validate import validate
from world_model_core.bundle.writing import write
from world_model_core.examples.village.example import example_bundle

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROUNDS = 5
GAUSSIANS = 2_000_000
# The properties of INRIA's writer, with unused normals.
PROPERTIES = (
    'x', 'y', 'z', 'nx', 'ny', 'nz', 'f_dc_0', 'f_dc_1', 'f_dc_2',
    *(f'f_rest_{index}' for index in range(45)),
    'opacity', 'scale_0', 'scale_1', 'scale_2', 'rot_0', 'rot_1', 'rot_2', 'rot_3',
)  # fmt: skip
SPLATS = 'gaussians/background.splat.ply'
# Rows per write.
BLOCK = 100_000
# Targets: multiple of the time of np.fromfile with the same file; peak resident memory [MB].
TARGET_TIMES, TARGET_MEMORY = 6.0, 300.0
# Code of a separate process, whose peak memory is that of a user's process.
PROGRAM = """
import sys
from pathlib import Path
from world_model_core.bundle.validate import validate
assert validate(Path(sys.argv[1])).passes()
print(Path('/proc/self/status').read_text())
"""


def measure(rounds: int = ROUNDS, gaussians: int = GAUSSIANS) -> dict[str, Any]:
    """Time the validation of the example with more gaussians, and a raw read of their file."""
    with TemporaryDirectory() as place:
        folder = Path(place) / 'example_village'
        make_bundle(folder, gaussians)
        splats = folder / SPLATS
        tasks = {
            'np.fromfile': lambda: np.fromfile(splats, np.float32),
            'validation': lambda: _checked(folder),
        }
        with one_core():
            timings = time_tasks(tasks, rounds)
        raw, ours = (timings[name].median for name in tasks)
        return {
            'gaussians': gaussians,
            'file [MB]': round(splats.stat().st_size / 1e6, 1),
            'np.fromfile [s]': round(raw, 4),
            'validation [s]': round(ours, 4),
            'target [times np.fromfile]': TARGET_TIMES,
            'times np.fromfile': round(ours / raw, 2),
            'target [MB of VmHWM]': TARGET_MEMORY,
            'VmHWM [MB]': round(peak_memory(folder), 1),
        }


def make_bundle(folder: Path, gaussians: int) -> None:
    """Write the example with repeated splats and all higher harmonics."""
    example = example_bundle()
    harmonics = np.zeros((example.splats.count, 15, 3), np.float32)
    splats = replace(example.splats, sh_rest=harmonics)
    parts = {name: getattr(example, name) for name in BundleContents.__dataclass_fields__}
    parts |= {'splats': splats, 'render_config': replace(example.render_config, sh_degree=3)}
    write(WorldBundle(example.manifest, BundleContents(**parts)), folder)
    columns = {
        **dict(zip('xyz', splats.positions.T, strict=True)),
        **{f'f_dc_{axis}': each for axis, each in enumerate(splats.sh_dc.T)},
        **{f'scale_{axis}': each for axis, each in enumerate(splats.scales.T)},
        **{f'rot_{axis}': each for axis, each in enumerate(splats.rotations.T)},
        'opacity': splats.opacities[:, 0],
    }
    _write_splats(folder / SPLATS, columns, gaussians)


def _write_splats(path: Path, columns: dict[str, NDArray[np.float32]], gaussians: int) -> None:
    """Write rows in a random order; other properties are normally distributed."""
    random = np.random.default_rng(0)
    names = ''.join(f'property float {name}\n' for name in PROPERTIES)
    header = (
        'ply\nformat binary_little_endian 1.0\n'
        'comment splats quaternions=xyzw scales=log opacities=logit\n'
        f'element vertex {gaussians}\n{names}end_header\n'
    )
    with path.open('wb') as stream:
        stream.write(header.encode())
        for start in range(0, gaussians, BLOCK):
            count = min(BLOCK, gaussians - start)
            rows = 0.1 * random.standard_normal((count, len(PROPERTIES)), np.float32)
            chosen = random.integers(len(columns['x']), size=count)
            for name, values in columns.items():
                rows[:, PROPERTIES.index(name)] = values[chosen]
            stream.write(rows.astype('<f4').tobytes())


def peak_memory(folder: Path) -> float:
    """Validate a bundle in a separate process; return its peak memory [MB]."""
    words = (sys.executable, '-c', PROGRAM, str(folder))
    status = subprocess.run(words, capture_output=True, text=True, check=True).stdout  # noqa: S603
    return int(re.findall(r'VmHWM:\s+(\d+) kB', status)[0]) / 1e3


def _checked(folder: Path) -> None:
    """Validate a bundle, and fail if it is invalid."""
    if not validate(folder).passes():
        raise AssertionError(folder)
