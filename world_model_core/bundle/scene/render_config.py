# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reader of render_config.json: settings for rendering splats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.bundle.bundle_paths import Version
from world_model_core.bundle.values import RenderConfig
from world_model_core.files.json_reader import read_json
from world_model_core.files.mapping_schemas import DocumentReader, MappingSchema, expected
from world_model_core.files.value_schemas import Integer, ListOf, Number, Text

if TYPE_CHECKING:
    from world_model_core.files.parsed_document import ValueLocation

# f_rest has 0, 9, 24, 45 or 72 numbers.
HIGHEST_DEGREE = 4
# The first is from the contract; the others are for NPZ, its alternative.
FORMATS = ('splat_ply', 'ply', 'splat_npz', 'npz')
# Defaults: unchanged colors; the planes are those of the contract's example.
NEUTRAL = {
    'white_balance': (1.0, 1.0, 1.0),
    'exposure_compensation': 0.0,
    'gamma': 2.2,
    'background_color': (0.0, 0.0, 0.0),
    'near_plane': 0.1,
    'far_plane': 1000.0,
}
# Displays have 1.8 to 2.6, linear pictures 1; other values are unusual.
USUAL_GAMMA = (0.5, 4.0)


def _make(fields: dict[str, Any], location: ValueLocation) -> RenderConfig:
    if fields['gaussian_format'] not in FORMATS:
        values = {'found': fields['gaussian_format'], 'options': ', '.join(FORMATS)}
        location.member('gaussian_format').report('RenderConfig.UnknownFormat', **values)
    return RenderConfig(
        version=fields['version'],
        gaussian_format=fields['gaussian_format'],
        sh_degree=fields['sh_degree'],
        **_known(fields['color_correction'] or {}, _COLORS),
        **_known(fields['rendering'] or {}, _RENDERING),
        extra=fields['extra'],
    )


def _known(fields: dict[str, Any], record: MappingSchema) -> dict[str, Any]:
    """Return the fields of a section, or their defaults without the section."""
    return {name: fields.get(name, NEUTRAL[name]) for name in record.fields}


def _check_gamma(fields: dict[str, Any], location: ValueLocation) -> dict[str, Any]:
    lowest, highest = USUAL_GAMMA
    if not lowest <= fields['gamma'] <= highest:
        values = {'found': fields['gamma'], 'low': lowest, 'high': highest}
        location.member('gamma').report('RenderConfig.UnusualGamma', **values)
    return fields


def _check_planes(fields: dict[str, Any], location: ValueLocation) -> dict[str, Any]:
    near, far = fields['near_plane'], fields['far_plane']
    if near >= far:
        location.report('RenderConfig.PlanesReversed', near=f'{near:g}', far=f'{far:g}')
    return fields


def _neutral(name: str, shape: Any) -> Any:
    return expected(shape, NEUTRAL[name])


_GAIN = Number(0.0, open_low=True, code='RenderConfig.WhiteBalance')
_SHADE = Number(0.0, 1.0, code='RenderConfig.BackgroundColor')
_COLORS = MappingSchema(
    {
        'white_balance': _neutral('white_balance', ListOf(_GAIN, 3)),
        'exposure_compensation': _neutral('exposure_compensation', Number()),
        'gamma': _neutral('gamma', Number(0.0, open_low=True, code='RenderConfig.Gamma')),
    },
    _check_gamma,
)
_PLANE = Number(0.0, open_low=True, code='RenderConfig.Plane')
_RENDERING = MappingSchema(
    {
        'background_color': _neutral('background_color', ListOf(_SHADE, 3)),
        'near_plane': _neutral('near_plane', _PLANE),
        'far_plane': _neutral('far_plane', _PLANE),
    },
    _check_planes,
)
_RENDER_CONFIG = MappingSchema(
    {
        'version': Version(),
        'gaussian_format': Text(),
        'sh_degree': Integer(0, HIGHEST_DEGREE, 'RenderConfig.ShDegree'),
        'color_correction': expected(_COLORS),
        'rendering': expected(_RENDERING),
    },
    _make,
)
read_render_config: DocumentReader[RenderConfig] = DocumentReader(read_json, _RENDER_CONFIG)
