# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Searches, guided by coverage, for files of splats that raise errors instead of findings.

    pip install atheris && python3 test/fuzz/fuzz_ply.py CORPUS_FOLDER -max_total_time=60

The folder is made and seeded with PLY files, text and binary, plain and compressed, and an NPZ;
further options are libFuzzer's. Splats that are read must be legal, found by the scan as well, and
be the same when they are written and read again.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

import atheris
import numpy as np

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT)]

with atheris.instrument_imports(include=['world_model_core.bundle']):
    from world_model_core.bundle.finding_catalog import bundle_findings
    from world_model_core.bundle.splats.splat_scan import scan_splats
    from world_model_core.bundle.splats.splat_writer import write_ply
    from world_model_core.bundle.splats.splats import Splats, read_splats

FOLDER = Path(tempfile.mkdtemp())
INPUT, AGAIN = FOLDER / 'input', FOLDER / 'again.ply'
NAMES = (
    'x', 'y', 'z', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity', 'scale_0', 'scale_1', 'scale_2',
    'rot_0', 'rot_1', 'rot_2', 'rot_3',
)  # fmt: skip
PACKED = ('position', 'rotation', 'scale', 'color')
AXES = ('x', 'y', 'z', 'scale_x', 'scale_y', 'scale_z')


def header(form: str, *lines: str) -> bytes:
    """Return a header."""
    return '\n'.join(('ply', f'format {form} 1.0', *lines, 'end_header', '')).encode()


def floats(names: tuple[str, ...]) -> list[str]:
    """Return the declarations of float properties."""
    return [f'property float {name}' for name in names]


def seeds() -> list[bytes]:
    """Make one good file of each kind."""
    rows = np.random.default_rng(0).normal(size=(3, len(NAMES))).astype('<f4')
    vertex = ('element vertex 3', *floats(NAMES))
    listed = ('element vertex 3', 'property list uchar short names', *floats(NAMES))
    bounds = [f'property float {end}_{axis}' for end in ('min', 'max') for axis in AXES]
    packed = ('element vertex 3', *(f'property uint packed_{each}' for each in PACKED))
    archive = io.BytesIO()
    np.savez(
        archive, positions=rows[:, :3], scales=rows[:, :3], rotations=rows[:, :4],
        opacities=rows[:, :1], sh_dc=rows[:, :3],
    )  # fmt: skip
    text = '\n'.join(' '.join(map(str, row)) for row in rows.tolist())
    return [
        header('binary_little_endian', *vertex) + rows.tobytes(),
        header('binary_big_endian', *vertex) + rows.astype('>f4').tobytes(),
        header('ascii', *vertex) + text.encode(),
        header('binary_little_endian', *listed)
        + b''.join(bytes([at]) + bytes(2 * at) + row.tobytes() for at, row in enumerate(rows)),
        header('binary_little_endian', 'element chunk 1', *bounds, *packed)
        + rows.tobytes()[: 4 * len(bounds)]
        + rows.tobytes()[:48],
        archive.getvalue(),
    ]


def check(splats: Splats) -> None:
    """Check the splats that were read, write them, and read them again."""
    unit = np.linalg.norm(splats.quaternions.astype(float), axis=1)
    alphas, sizes = splats.alphas, splats.sizes
    legal = np.abs(unit - 1.0).max() < 1e-5 and alphas.min() >= 0 and alphas.max() <= 1
    write_ply(AGAIN, splats)
    if not (
        legal and sizes.min() >= 0 and read_splats(AGAIN, 'again', bundle_findings()) == splats
    ):
        raise AssertionError(splats)


def parse_one(data: bytes) -> None:
    """Read one input; any error ends the search."""
    INPUT.write_bytes(data)
    findings, scanned = bundle_findings(), bundle_findings()
    splats = read_splats(INPUT, 'input', findings)
    statistics = scan_splats(INPUT, 'input', scanned)
    if findings.all != scanned.all or (splats is None) != (statistics is None):
        raise AssertionError(findings.all, scanned.all)
    if splats is not None:
        check(splats)


if __name__ == '__main__':
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (folder / f'seed_{number}').write_bytes(seed)
    atheris.Setup(sys.argv, parse_one)
    atheris.Fuzz()
