# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Intrinsics in calibration.yaml: which lens a camera has, and if there can be such a lens.

The contract lists k1, k2, p1 and p2 for both distortions, but equidistant (Kannala and Brandt,
IEEE PAMI 28(8), 2006) has k1 to k4 and no p. There, p1 and p2 may be zero; k3 and k4 are taken as
zero where they are missing, and that is told. Brown and Conrady's third radial coefficient, which
the contract does not have, is read where it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.bundle.sensors.camera_projection import CalibratedCamera
from world_model_core.bundle.values import CameraModel, Distortion
from world_model_core.files.mapping_schemas import MappingSchema, optional
from world_model_core.files.value_schemas import Number, OneOf

if TYPE_CHECKING:
    from world_model_core.bundle.values import CameraSpec
    from world_model_core.files.parsed_document import ValueLocation

COEFFICIENTS = ('k1', 'k2', 'p1', 'p2', 'k3', 'k4')
REQUIRED = {Distortion.RADTAN: ('k1', 'k2', 'p1', 'p2'), Distortion.EQUIDISTANT: ('k1', 'k2')}
# Lenses that have a name; Kalibr calls the third "pinhole-equi".
USUAL = {
    (CameraModel.PINHOLE, Distortion.RADTAN),
    (CameraModel.FISHEYE, Distortion.EQUIDISTANT),
    (CameraModel.PINHOLE, Distortion.EQUIDISTANT),
}
# Pixels are squares, but for the rows that interlaced pictures leave out.
ODDEST_ASPECT = 2.5
# A picture as wide as this many focal lengths is 152 degrees wide without distortion; one of a
# hundredth is that of a telescope. Focal lengths in parts of the width are far outside.
WIDEST, NARROWEST = 8.0, 0.01
# Coefficients of real lenses are below 100, those for narrow ones included.
LARGEST = 1e4


def _intrinsics(fields: dict[str, Any], location: ValueLocation) -> dict[str, Any] | None:
    distortion = fields['distortion_model']
    for name in REQUIRED[distortion]:
        if fields[name] is None:
            location.member(name).report('File.MissingField', found=name)
    if any(fields[name] is None for name in REQUIRED[distortion]):
        return None
    read = _equidistant if distortion is Distortion.EQUIDISTANT else _radtan
    coefficients = read(fields, location)
    return None if coefficients is None else {**fields, 'coefficients': coefficients}


def _radtan(fields: dict[str, Any], location: ValueLocation) -> tuple[float, ...] | None:
    """Take k1, k2, p1, p2, and k3 if it is not zero."""
    if fields['k4']:
        location.member('k4').report(
            'Calibration.CoefficientUnused', found=fields['k4'], name='k4'
        )
        return None
    basic = tuple(fields[name] for name in ('k1', 'k2', 'p1', 'p2'))
    return (*basic, fields['k3']) if fields['k3'] else basic


def _equidistant(fields: dict[str, Any], location: ValueLocation) -> tuple[float, ...] | None:
    """Take k1 to k4."""
    unused = [name for name in ('p1', 'p2') if fields[name]]
    for name in unused:
        told = {'found': fields[name], 'name': name}
        location.member(name).report('Calibration.CoefficientUnused', **told)
    if fields['k3'] is None or fields['k4'] is None:
        location.report('Calibration.EquidistantIncomplete')
    coefficients = tuple(fields[name] or 0.0 for name in ('k1', 'k2', 'k3', 'k4'))
    return None if unused else coefficients


def check_lens(spec: CameraSpec, location: ValueLocation) -> None:
    """Note what is strange about a lens, though it can be used."""
    if (spec.model, spec.distortion) not in USUAL:
        told = {'model': spec.model.value, 'distortion': spec.distortion.value}
        location.report('Calibration.UnusualLens', **told)
    _check_focal(spec, location)
    for name, center, size in zip(('cx', 'cy'), spec.center, _size(spec), strict=True):
        if not 0.0 <= center <= size:
            told = {'found': f'{center:g}', 'limit': str(size)}
            location.member(name).report('Calibration.CenterOutside', **told)
    hidden = CalibratedCamera(spec).hidden_corners
    if hidden:
        location.report('Calibration.LensFolds', found=hidden)


def _check_focal(spec: CameraSpec, location: ValueLocation) -> None:
    fx, fy = spec.focal
    if not 1.0 / ODDEST_ASPECT < fx / fy < ODDEST_ASPECT:
        location.member('fy').report('Calibration.FocalUnequal', found=f'{fy:g}', other=f'{fx:g}')
    for name, focal, size in zip(('fx', 'fy'), spec.focal, _size(spec), strict=True):
        if not NARROWEST < size / focal < WIDEST:
            told = {'found': f'{focal:g}', 'size': str(size)}
            location.member(name).report('Calibration.FocalUnusual', **told)


def _size(spec: CameraSpec) -> tuple[int, int]:
    return spec.width, spec.height


_COEFFICIENT = Number(-LARGEST, LARGEST, code='Calibration.Coefficient')
_FOCAL = Number(0.0, open_low=True, code='Calibration.FocalLength')
INTRINSICS = MappingSchema(
    {
        'model': OneOf({each.value: each for each in CameraModel}),
        'fx': _FOCAL,
        'fy': _FOCAL,
        'cx': Number(),
        'cy': Number(),
        'distortion_model': OneOf({each.value: each for each in Distortion}),
        **dict.fromkeys(COEFFICIENTS, optional(_COEFFICIENT)),
    },
    _intrinsics,
)
