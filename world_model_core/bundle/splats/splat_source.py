# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Open splat files of any format: number of gaussians, and blocks of their numbers."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from world_model_core.bundle.splats.ply_header import SplatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from world_model_core.bundle.splats.splat_conventions import FloatArray, SplatConventions
    from world_model_core.findings import Findings

Columns: TypeAlias = NDArray[np.intp]
# Coefficients of each color by the degree of spherical harmonics, without the first.
REST_COUNTS: Final = (0, 3, 8, 15, 24)


class SplatFormat(Enum):
    """Format of a file of splats."""

    PLY = 'ply'
    COMPRESSED_PLY = 'compressed_ply'
    NPZ = 'npz'


@dataclass(frozen=True, slots=True, eq=False)
class SplatLayout:
    """
    Columns of a block by their meaning.

    Attributes
    ----------
    positions, scales, rotations, opacities, sh_dc : array of int
        3, 3, 4, 1 and 3 columns.
    sh_rest : array of int
        k times red, green, blue.
    names : tuple of str
        Names of all columns in the file.

    """

    positions: Columns
    scales: Columns
    rotations: Columns
    opacities: Columns
    sh_dc: Columns
    sh_rest: Columns
    names: tuple[str, ...]

    @property
    def coefficients(self) -> int:
        """Number of coefficients of higher degrees for each color."""
        return len(self.sh_rest) // 3

    @property
    def degree(self) -> int:
        """Largest degree of the spherical harmonics."""
        return REST_COUNTS.index(self.coefficients)


@dataclass(frozen=True, slots=True, eq=False)
class SplatSource:
    """
    An open file of splats.

    Attributes
    ----------
    kind : SplatFormat
    count : int
        Number of gaussians, limited by the size of the file.
    layout : SplatLayout
    declared : SplatConventions
        Conventions declared by the file or its format.
    blocks : callable
        Returns contiguous arrays, shape (rows, columns), from the beginning of the file; each
        overwrites the previous one. Raises SplatError if reading fails.
    locate : callable
        Returns the place of a row and a column in the file as text.
    comments : tuple of str
        Comments of the file, which may name the program that wrote it.

    """

    kind: SplatFormat
    count: int
    layout: SplatLayout
    declared: SplatConventions
    blocks: Callable[[], Iterator[FloatArray]]
    locate: Callable[[int, int], str]
    comments: tuple[str, ...] = ()


@contextmanager
def error_findings(findings: Findings, file: str) -> Iterator[None]:
    """
    Convert errors that prevent reading to findings.

    Numbers beyond the range of float32 become infinite or NaN, and are reported as such.
    """
    try:
        with np.errstate(all='ignore'):
            yield
    except SplatError as fault:
        findings.add(fault.code, file, fault.where, **fault.values)
    except OSError as error:
        findings.add('Splats.Unreadable', file, found=error.strerror or error)


def find_columns(names: tuple[str, ...], colors: tuple[str, str, str]) -> SplatLayout:
    """
    Find the columns of splats by their names, those of higher degrees channel by channel.

    Parameters
    ----------
    names : tuple of str
        Of all columns: 'x', 'scale_0', 'rot_0', 'opacity', 'f_rest_0' and so on.
    colors : tuple of str
        Names of the coefficients of degree 0.

    Raises
    ------
    SplatError
        A column is missing, or the number of coefficients belongs to no degree.

    """
    groups = (
        ('x', 'y', 'z'),
        ('scale_0', 'scale_1', 'scale_2'),
        ('rot_0', 'rot_1', 'rot_2', 'rot_3'),
        ('opacity',),
        colors,
    )
    columns = {name: index for index, name in enumerate(names)}
    missing = [name for group in groups for name in group if name not in columns]
    if missing:
        raise SplatError('Splats.MissingProperty', found=', '.join(missing))
    rest = _rest_columns(columns)
    xyz, scales, rotations, opacity, dc = (
        np.array([columns[name] for name in group], np.intp) for group in groups
    )
    return SplatLayout(xyz, scales, rotations, opacity, dc, rest, names)


def _rest_columns(columns: dict[str, int]) -> Columns:
    """Order the columns f_rest_*: the file has all of red first, memory red, green, blue."""
    found = [name for name in columns if name.startswith('f_rest_')]
    if len(found) not in {3 * count for count in REST_COUNTS}:
        raise SplatError('Splats.ShCount', found=len(found))
    missing = [at for at in range(len(found)) if f'f_rest_{at}' not in columns]
    if missing:
        raise SplatError('Splats.MissingProperty', found=f'f_rest_{missing[0]}')
    channels = np.array([columns[f'f_rest_{at}'] for at in range(len(found))], np.intp)
    return np.ascontiguousarray(channels.reshape(3, -1).T).ravel()


def check_degree(layout: SplatLayout, expected: int | None, file: str, findings: Findings) -> None:
    """Compare the degree of spherical harmonics with the expected one."""
    if expected is not None and layout.degree != expected:
        findings.add('Splats.ShDegree', file, found=layout.degree, degree=expected)
