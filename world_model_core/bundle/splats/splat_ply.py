# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reader of splats in PLY files, in the layout of the 3D Gaussian Splatting implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from world_model_core.bundle.splats.ply_header import (
    PlyElement,
    PlyHeader,
    SplatError,
    read_header,
)
from world_model_core.bundle.splats.ply_rows import PlyRows
from world_model_core.bundle.splats.splat_compressed_ply import is_compressed, open_compressed
from world_model_core.bundle.splats.splat_conventions import (
    SH_BAND_0,
    FloatArray,
    SplatConventions,
    read_declaration,
)
from world_model_core.bundle.splats.splat_source import (
    SplatFormat,
    SplatLayout,
    SplatSource,
    find_columns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from world_model_core.findings import Findings

COEFFICIENTS: Final = ('f_dc_0', 'f_dc_1', 'f_dc_2')
# Some writers store colors of 0 to 255 instead of coefficients.
BYTES: Final = ('red', 'green', 'blue')
# Written by the reference implementation, always 0, and not used.
NORMALS: Final = ('nx', 'ny', 'nz')


def open_ply(stream: BinaryIO, size: int, file: str, findings: Findings) -> SplatSource:
    """
    Open the splats of a PLY file of `size` bytes, and read its header.

    Raises
    ------
    SplatError
        The file contains no readable splats.

    """
    header = read_header(stream)
    rows = PlyRows(stream, header, size, file, findings)
    vertex = header.element('vertex')
    if vertex is None:
        names = ', '.join(each.name for each in header.elements)
        raise SplatError('Splats.MissingElement', found=names or 'none')
    if not vertex.count:
        raise SplatError('Splats.Empty')
    compressed = is_compressed(vertex)
    source = None
    if not compressed:
        source = _open_plain(rows, vertex, read_declaration(header.comments, findings, file))
    rows.check_size()
    _report_format(header, file, findings)
    if source is None:
        findings.add('Splats.Compressed', file)
        return open_compressed(rows, vertex)
    _report_unusual(header, vertex, source.layout, file, findings)
    return source


def _report_format(header: PlyHeader, file: str, findings: Findings) -> None:
    if header.order is None:
        findings.add('Splats.Ascii', file)
    elif header.order == '>':
        findings.add('Splats.BigEndian', file)


def _report_unusual(
    header: PlyHeader, vertex: PlyElement, layout: SplatLayout, file: str, findings: Findings
) -> None:
    """Report properties and elements that the contract does not define, and unusual types."""
    used = np.concatenate(
        [layout.positions, layout.scales, layout.rotations, layout.opacities, layout.sh_dc,
         layout.sh_rest],
    )  # fmt: skip
    names = {layout.names[each] for each in used}
    extra = [e.name for e in vertex.properties if e.name not in names | set(NORMALS)]
    if extra:
        findings.add('Splats.ExtraProperties', file, found=', '.join(extra))
    others = [each.name for each in header.elements if each is not vertex]
    if others:
        findings.add('Splats.ExtraElements', file, found=', '.join(others))
    if 'red' in names:
        findings.add('Splats.ColorsFromBytes', file)
        names -= set(BYTES)
    odd = [f'{e.kind} {e.name}' for e in vertex.properties if e.name in names and e.kind != 'f4']
    if odd:
        findings.add('Splats.PropertyType', file, found=', '.join(odd))


def _open_plain(rows: PlyRows, vertex: PlyElement, declared: SplatConventions) -> SplatSource:
    names = tuple(vertex.columns)
    kinds = {each.name: each.kind for each in vertex.scalars}
    bytes_only = 'f_dc_0' not in names and all(kinds.get(each) == 'u1' for each in BYTES)
    layout = find_columns(names, BYTES if bytes_only else COEFFICIENTS)
    colors = layout.sh_dc if bytes_only else None

    def blocks() -> Iterator[FloatArray]:
        for block in rows.blocks(vertex, kind=np.float32):
            floats = np.ascontiguousarray(block, np.float32)
            if colors is not None:
                floats[:, colors] = (floats[:, colors] / 255.0 - 0.5) / SH_BAND_0
            yield floats

    locate = _locator(rows, vertex)
    comments = rows.header.comments
    return SplatSource(SplatFormat.PLY, vertex.count, layout, declared, blocks, locate, comments)


def _locator(rows: PlyRows, vertex: PlyElement) -> Callable[[int, int], str]:
    """Return a function that locates a row and column: bytes if all rows have the same size."""
    if rows.header.order is None or vertex.has_lists:
        return lambda row, _: f'row {row}'
    sizes = [each.least_size for each in vertex.properties]
    steps = np.concatenate([[0], np.cumsum(sizes)])
    return lambda row, column: (
        f'byte {rows.offset(vertex) + row * int(steps[-1]) + int(steps[column])}'
    )
