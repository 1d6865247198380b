# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""render_config.json: rendering parameters of the splats."""

import pytest

from world_model_core.bundle.scene.render_config import NEUTRAL, read_render_config

VALID = {
    'version': '1.0.0',
    'gaussian_format': 'splat_ply',
    'sh_degree': 3,
    'color_correction': {
        'white_balance': [1.0, 0.9, 1.1],
        'exposure_compensation': -0.5,
        'gamma': 2.2,
    },
    'rendering': {'background_color': [0.0, 0.5, 1.0], 'near_plane': 0.2, 'far_plane': 500},
}
COLORS, RENDERING = '/color_correction', '/rendering'


@pytest.fixture
def config(small_file):
    """Return render_config.json as a small file."""
    return small_file(read_render_config, 'render_config.json', VALID)


def test_every_field_has_a_typed_attribute(config):
    """All fields of the contract are in the value; a valid file has no finding."""
    value, found = config.read(VALID)
    assert not found
    assert (value.gaussian_format, value.sh_degree) == ('splat_ply', 3)
    assert value.white_balance == (1.0, 0.9, 1.1)
    assert (value.exposure_compensation, value.gamma) == (-0.5, 2.2)
    assert value.background_color == (0.0, 0.5, 1.0)
    assert (value.near_plane, value.far_plane) == (0.2, 500.0)


@pytest.mark.parametrize('pointer', ['/version', '/gaussian_format', '/sh_degree'])
def test_required_fields_must_be_there(config, gone, pointer):
    """A missing field gives one error, at its place."""
    assert config.read_changed(pointer, gone)[1] == [('File.MissingField', pointer)]


@pytest.mark.parametrize(
    'pointer',
    [COLORS, RENDERING]
    + [f'{COLORS}/{name}' for name in ('white_balance', 'exposure_compensation', 'gamma')]
    + [f'{RENDERING}/{name}' for name in ('background_color', 'near_plane', 'far_plane')],
)
def test_defaults_are_reported(config, gone, pointer):
    """Without them colors are unchanged, and planes are those of the contract's example."""
    value, found = config.read_changed(pointer, gone)
    assert found == [('File.FieldAbsent', pointer)]
    names = VALID[pointer[1:]] if pointer.count('/') == 1 else [pointer.rsplit('/', 1)[1]]
    assert all(getattr(value, name) == NEUTRAL[name] for name in names)


@pytest.mark.parametrize(
    ('pointer', 'item', 'code', 'where'),
    [
        ('/gaussian_format', 'splats', 'RenderConfig.UnknownFormat', None),
        ('/sh_degree', 5, 'RenderConfig.ShDegree', None),
        ('/sh_degree', -1, 'RenderConfig.ShDegree', None),
        ('/sh_degree', 3.0, 'File.NotWhole', None),
        ('/sh_degree', '3', 'File.NumberAsText', None),
        (f'{COLORS}/white_balance', [1.0, 1.0], 'File.WrongLength', None),
        (f'{COLORS}/white_balance', 1.0, 'File.NotList', None),
        (f'{COLORS}/white_balance/1', 0.0, 'RenderConfig.WhiteBalance', None),
        (f'{COLORS}/gamma', 0.0, 'RenderConfig.Gamma', None),
        (f'{COLORS}/gamma', 220, 'RenderConfig.UnusualGamma', None),
        (f'{COLORS}/exposure_compensation', 'none', 'File.NotNumber', None),
        (f'{RENDERING}/background_color/2', 255, 'RenderConfig.BackgroundColor', None),
        (f'{RENDERING}/near_plane', 0.0, 'RenderConfig.Plane', None),
        (f'{RENDERING}/far_plane', 0.1, 'RenderConfig.PlanesReversed', RENDERING),
    ],
)
def test_each_fault_has_its_code_and_place(config, pointer, item, code, where):
    """One fault gives one finding, at its place."""
    assert config.read_changed(pointer, item)[1] == [(code, where or pointer)]


@pytest.mark.parametrize('constant', ['NaN', 'Infinity', '1e999'])
def test_numbers_that_are_not_finite_are_reported_once(config, constant):
    """The JSON reader reports them; the field adds no finding."""
    text = f'{{"version": "1.0.0", "gaussian_format": "splat_ply", "sh_degree": {constant}}}'
    codes = [code for code, where in config.read(text)[1] if where == '/sh_degree']
    assert len(codes) == 1
