# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model uncertainty plot`: all presets, reproducible by seed."""

from __future__ import annotations

import numpy as np
import pytest

from world_model_core.uncertainty.lecture_simulations import LECTURE_SIMULATIONS
from world_model_nodes.commands.main import run_command
from world_model_nodes.commands.uncertainty_plot import PRESETS, draw

PNG = b'\x89PNG'


def plot(*words):
    """Run the command."""
    return run_command(['uncertainty', 'plot', *map(str, words)])


def curve(axes, label):
    """Return the points of a picture's curve."""
    (line,) = (line for line in axes.get_lines() if line.get_label() == label)
    return line.get_xydata()


def test_help_lists_every_preset(capsys):
    """Help has all presets and an example."""
    with pytest.raises(SystemExit, match='0'):
        plot('--help')
    shown = capsys.readouterr().out
    assert all(f'  {name} ' in shown for name in PRESETS)
    assert 'example' in shown


@pytest.mark.parametrize('preset', PRESETS)
def test_every_preset_is_drawn_into_the_given_file(preset, capsys, tmp_path):
    """A PNG is written, and its path printed."""
    path = tmp_path / 'picture.png'
    assert plot(preset, '--out', path) == 0
    assert path.read_bytes().startswith(PNG)
    assert capsys.readouterr().out == f'{path}\n'


def test_the_default_file_is_named_after_the_preset(monkeypatch, capsys, tmp_path):
    """The picture of `stuck` is stuck.png in the current folder."""
    monkeypatch.chdir(tmp_path)
    assert plot('stuck') == 0
    assert capsys.readouterr().out == 'stuck.png\n'
    assert (tmp_path / 'stuck.png').read_bytes().startswith(PNG)


def bars(axes, expected_curve):
    """Return the sums of a histogram's bars, and of the density, up to the end of each bar."""
    (stairs,) = axes.patches
    heights, edges, _ = stairs.get_data()
    widths = np.diff(edges)
    densities = np.interp(0.5 * (edges[1:] + edges[:-1]), *expected_curve.T)
    return np.cumsum(widths * heights), np.cumsum(widths * densities)


@pytest.mark.parametrize('preset', LECTURE_SIMULATIONS)
def test_samples_follow_the_density(preset):
    """Samples agree with the density: curves at their end, histograms at every cumulative bar."""
    figures = draw(preset, 1).axes[2:]
    assert len(figures) == 2
    for axes in figures:
        expected_curve = curve(axes, 'model')
        if axes.patches:
            shares, expected = bars(axes, expected_curve)
            assert expected[-1] == pytest.approx(1.0, abs=0.01)
            assert np.abs(shares - expected).max() < 0.1
        else:
            assert curve(axes, 'these robots')[-1] == pytest.approx(expected_curve[-1], rel=0.2)


def test_a_seed_selects_the_run():
    """The same seed draws the same robots, and another seed others."""
    first, again, other = (
        curve(draw('motion_noise', seed).axes[2], 'these robots') for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ('words', 'message'),
    [
        (('rain', '--out', 'x.png'), "'rain'"),
        (('rain',), "'rain'"),
        (('stuck', '--out', 'nowhere/x.png'), '--out nowhere/x.png'),
        (('stuck', '--out', 'x.jpg'), '--out x.jpg: the file name must end in .png'),
    ],
)
def test_invalid_input_exits_with_1(words, message, monkeypatch, capsys, tmp_path):
    """An unknown preset and a folder without write permission give exit code 1."""
    monkeypatch.chdir(tmp_path)
    assert plot(*words) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize('seed', ['-1', '1.5', '18446744073709551616', 'x'])
def test_an_invalid_seed_exits_with_2(seed, capsys):
    """The message describes a valid seed."""
    with pytest.raises(SystemExit, match='2'):
        plot('stuck', '--seed', seed)
    assert '2^64' in capsys.readouterr().err
