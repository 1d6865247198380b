# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Loading of bundles as messages, with the result codes of nav_msgs/srv/LoadMap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from nav_msgs.srv import LoadMap

from world_model_core.bundle.finding_catalog import BundleError
from world_model_core.bundle.loading import load
from world_model_core.errors import WorldModelError
from world_model_nodes.bundle.scene_messages import DisplayOptions, scene_messages

if TYPE_CHECKING:
    from world_model_core.bundle.bundle import WorldBundle
    from world_model_nodes.bundle.scene_messages import SceneMessages
    from world_model_nodes.bundle.world_bundle_config import WorldBundleConfig

# Parts that are map data in LoadMap; the other parts are metadata.
DATA = ('splats', 'heightmap', 'drivable', 'static_mesh')
METADATA = ('metadata', 'render_config', 'calibration', 'tf_static', 'timebase')
EXAMPLE = 'example'
EXAMPLE_COMMAND = ('-m', 'world_model_nodes.commands', 'bundle', 'example')


class SceneError(WorldModelError):
    """
    A scene cannot be loaded.

    Attributes
    ----------
    result : int
        Result code of LoadMap.

    """

    def __init__(self, result: int, text: str) -> None:
        super().__init__(text)
        self.result = result


class SceneLoader:
    """
    Loads scenes, and keeps temporary files for them until it is closed.

    Parameters
    ----------
    config : WorldBundleConfig

    """

    def __init__(self, config: WorldBundleConfig) -> None:
        self._config = config
        self._temporary = tempfile.TemporaryDirectory(prefix='world_model_')
        self._made = Path(self._temporary.name)
        self._number = 0

    def load(self, address: str) -> SceneMessages:
        """
        Load a scene.

        Parameters
        ----------
        address : str
            Path or file:// URL of a folder.

        Raises
        ------
        SceneError
            The folder does not exist, or the bundle cannot be loaded.

        """
        folder, number = folder_of(address), self._number + 1
        showing = DisplayOptions(
            self._config.max_points,
            self._config.place_base_link,
            self._made / f'ground_{number}.glb',
            number,
        )
        try:
            messages = scene_messages(_open(folder, self._config), folder, showing)
        except SceneError:
            raise
        except (WorldModelError, OSError, MemoryError) as error:
            text = f'{folder}: {error or type(error).__name__}'
            raise SceneError(LoadMap.Response.RESULT_UNDEFINED_FAILURE, text) from error
        # The ground mesh of the previous scene is no longer used.
        (self._made / f'ground_{self._number}.glb').unlink(missing_ok=True)
        self._number = number
        return messages

    def example(self) -> str:
        """
        Write the example bundle with `world_model bundle example`, and return its folder.

        Another process writes it, so that no node imports the example.

        Raises
        ------
        SceneError
            The example cannot be written.

        """
        folder = self._made / EXAMPLE
        shutil.rmtree(folder, ignore_errors=True)
        paths = os.pathsep.join(each or '.' for each in sys.path)
        written = subprocess.run(  # noqa: S603 (our own command)
            [sys.executable, *EXAMPLE_COMMAND, str(folder)],
            env={**os.environ, 'PYTHONPATH': paths},
            capture_output=True,
            text=True,
            check=False,
            # Ctrl-C ends the node, which waits for the command.
            start_new_session=True,
        )
        if written.returncode:
            text = f'the example cannot be written: {written.stderr.strip()}'
            raise SceneError(LoadMap.Response.RESULT_UNDEFINED_FAILURE, text)
        return str(folder)

    def close(self) -> None:
        """Remove the temporary files."""
        self._temporary.cleanup()


def folder_of(address: str) -> Path:
    """
    Convert a path or a file:// URL to a folder.

    Raises
    ------
    SceneError
        The folder does not exist.

    """
    missing = LoadMap.Response.RESULT_MAP_DOES_NOT_EXIST
    try:
        parts = urlsplit(address) if address.startswith('file:') else None
        path = Path(unquote(parts.path) if parts else address).expanduser().absolute()
        found = bool(address) and path.is_dir()
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, no home, no URL
        raise SceneError(missing, f'{address[:80]!r}: {error}') from error
    if not found:
        raise SceneError(missing, f'{address!r} is not a folder on this machine')
    return path


def _open(folder: Path, config: WorldBundleConfig) -> WorldBundle:
    """Read all parts of a bundle, small ones first."""
    result = LoadMap.Response.RESULT_INVALID_MAP_METADATA
    try:
        bundle = load(folder, config.conventions)
        for name in METADATA:
            getattr(bundle, name)
        result = LoadMap.Response.RESULT_INVALID_MAP_DATA
        for name in DATA:
            getattr(bundle, name)
    except BundleError as error:
        raise SceneError(result, f'{folder}: {error}') from error
    return bundle
