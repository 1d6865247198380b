# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model uncertainty plot`: pictures of all presets, the same for the same seed."""

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
    """Return what a curve of a picture goes through."""
    (line,) = (line for line in axes.get_lines() if line.get_label() == label)
    return line.get_xydata()


def test_help_lists_every_preset(capsys):
    """Who asks for help learns what there is to draw, and sees an example."""
    with pytest.raises(SystemExit, match='0'):
        plot('--help')
    shown = capsys.readouterr().out
    assert all(f'  {name} ' in shown for name in PRESETS)
    assert 'example' in shown


@pytest.mark.parametrize('preset', PRESETS)
def test_every_preset_is_drawn_into_the_file_that_is_told(preset, capsys, tmp_path):
    """A PNG is written, and its path told."""
    path = tmp_path / 'picture.png'
    assert plot(preset, '--out', path) == 0
    assert path.read_bytes().startswith(PNG)
    assert capsys.readouterr().out == f'{path}\n'


def test_without_a_file_it_is_called_as_the_preset(monkeypatch, capsys, tmp_path):
    """The picture of `stuck` is stuck.png, here."""
    monkeypatch.chdir(tmp_path)
    assert plot('stuck') == 0
    assert capsys.readouterr().out == 'stuck.png\n'
    assert (tmp_path / 'stuck.png').read_bytes().startswith(PNG)


def bars(axes, law):
    """Add up a histogram's bars, and the density beside it, up to the end of each bar."""
    (stairs,) = axes.patches
    heights, edges, _ = stairs.get_data()
    widths = np.diff(edges)
    densities = np.interp(0.5 * (edges[1:] + edges[:-1]), *law.T)
    return np.cumsum(widths * heights), np.cumsum(widths * densities)


@pytest.mark.parametrize('preset', LECTURE_SIMULATIONS)
def test_robots_follow_the_law_beside_them(preset):
    """Both figures are near their law: curves at their end, histograms everywhere, added up."""
    figures = draw(preset, 1).axes[2:]
    assert len(figures) == 2
    for axes in figures:
        law = curve(axes, 'model')
        if axes.patches:
            shares, expected = bars(axes, law)
            assert expected[-1] == pytest.approx(1.0, abs=0.01)
            assert np.abs(shares - expected).max() < 0.1
        else:
            assert curve(axes, 'these robots')[-1] == pytest.approx(law[-1], rel=0.2)


def test_a_seed_tells_which_run_is_drawn():
    """The same seed draws the same robots, another seed others."""
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
def test_what_cannot_be_drawn_is_refused(words, message, monkeypatch, capsys, tmp_path):
    """A preset that there is not, and a folder that cannot be written to: the exit code is 1."""
    monkeypatch.chdir(tmp_path)
    assert plot(*words) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize('seed', ['-1', '1.5', '18446744073709551616', 'x'])
def test_a_seed_that_is_none_is_wrong_use(seed, capsys):
    """The exit code is 2, and the message says what a seed is."""
    with pytest.raises(SystemExit, match='2'):
        plot('stuck', '--seed', seed)
    assert '2^64' in capsys.readouterr().err
