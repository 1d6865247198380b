# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""PNG files of plots: complete, or not there."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from world_model_core.errors import ConfigurationError
from world_model_nodes.commands.plot_file import save_plot


@pytest.fixture
def figure():
    """Make a figure of some kilobytes."""
    figure = Figure()
    FigureCanvasAgg(figure)
    figure.subplots().plot([1, 2, 1])
    return figure


def test_a_full_disk_leaves_the_old_plot(figure, tmp_path, full_disk):
    """The error names the file; neither a part of the new plot nor an empty file remains."""
    path = tmp_path / 'errors.plot'
    save_plot(figure, path)
    old = path.read_bytes()
    assert old.startswith(b'\x89PNG')
    for name in ('errors.plot', 'new.png'):
        with full_disk(1000), pytest.raises(ConfigurationError, match=f'{name}: .*too large'):
            save_plot(figure, tmp_path / name)
    assert path.read_bytes() == old
    assert [each.name for each in tmp_path.iterdir()] == ['errors.plot']
