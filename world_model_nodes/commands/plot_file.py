# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""PNG files of the plots that commands draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.files.atomic_write import replacing

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

# Resolution [pixels per inch].
DPI = 110


def save_plot(figure: Figure, path: Path) -> None:
    """
    Write a figure to a PNG file, whatever its name.

    Raises
    ------
    ConfigurationError
        The file cannot be written.

    """
    try:
        with replacing(path) as temporary:
            figure.savefig(temporary, format='png', dpi=DPI)
    except OSError as error:
        raise ConfigurationError(f'plot {path}: {error}') from error
