# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reader and checks of camera intrinsics in calibration.yaml.

The contract lists k1, k2, p1 and p2 for both distortion models, but equidistant (Kannala and
Brandt, IEEE PAMI 28(8), 2006) has k1 to k4, and no p1 and p2. These must be zero, and missing k3
and k4 are zero, with a finding. The third radial coefficient of the Brown-Conrady model is
optional, although the contract does not list it.
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
# Common combinations; Kalibr calls the third "pinhole-equi".
USUAL = {
    (CameraModel.PINHOLE, Distortion.RADTAN),
    (CameraModel.FISHEYE, Distortion.EQUIDISTANT),
    (CameraModel.PINHOLE, Distortion.EQUIDISTANT),
}
# Maximum aspect ratio of pixels: they are squares, except in interlaced images.
MAX_ASPECT = 2.5
# Limits of the image width [focal lengths]: 8 is 152 degrees without distortion, and a hundredth
# is a telescope. Focal lengths in fractions of the width are far outside.
WIDEST, NARROWEST = 8.0, 0.01
# Maximum magnitude of a coefficient; those of real lenses are below 100, also of narrow ones.
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
    """Return k1, k2, p1, p2, and k3 if it is not zero."""
    if fields['k4']:
        location.member('k4').report(
            'Calibration.CoefficientUnused', found=fields['k4'], name='k4'
        )
        return None
    basic = tuple(fields[name] for name in ('k1', 'k2', 'p1', 'p2'))
    return (*basic, fields['k3']) if fields['k3'] else basic


def _equidistant(fields: dict[str, Any], location: ValueLocation) -> tuple[float, ...] | None:
    """Return k1 to k4."""
    unused = [name for name in ('p1', 'p2') if fields[name]]
    for name in unused:
        values = {'found': fields[name], 'name': name}
        location.member(name).report('Calibration.CoefficientUnused', **values)
    if fields['k3'] is None or fields['k4'] is None:
        location.report('Calibration.EquidistantIncomplete')
    coefficients = tuple(fields[name] or 0.0 for name in ('k1', 'k2', 'k3', 'k4'))
    return None if unused else coefficients


def check_lens(spec: CameraSpec, location: ValueLocation) -> None:
    """Report unusual properties of a lens that can be used."""
    if (spec.model, spec.distortion) not in USUAL:
        values = {'model': spec.model.value, 'distortion': spec.distortion.value}
        location.report('Calibration.UnusualLens', **values)
    _check_focal(spec, location)
    for name, center, size in zip(('cx', 'cy'), spec.center, _size(spec), strict=True):
        if not 0.0 <= center <= size:
            values = {'found': f'{center:g}', 'limit': str(size)}
            location.member(name).report('Calibration.CenterOutside', **values)
    hidden = CalibratedCamera(spec).hidden_corners
    if hidden:
        location.report('Calibration.LensFolds', found=hidden)


def _check_focal(spec: CameraSpec, location: ValueLocation) -> None:
    fx, fy = spec.focal
    if not 1.0 / MAX_ASPECT < fx / fy < MAX_ASPECT:
        location.member('fy').report('Calibration.FocalUnequal', found=f'{fy:g}', other=f'{fx:g}')
    for name, focal, size in zip(('fx', 'fy'), spec.focal, _size(spec), strict=True):
        if not NARROWEST < size / focal < WIDEST:
            values = {'found': f'{focal:g}', 'size': str(size)}
            location.member(name).report('Calibration.FocalUnusual', **values)


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
