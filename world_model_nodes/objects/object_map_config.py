# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of object_map."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields
from pathlib import Path

from world_model_core.errors import ConfigurationError
from world_model_core.objects.answering.object_interest import read_names
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.persistent_map import MapOrigin
from world_model_nodes.runtime.params import parameter
from world_model_nodes.runtime.ros_home import own_home

# With the ending and the mark of a temporary file, a name must not exceed 255 bytes.
LONGEST_NAME = 64
NAME = re.compile(rf'[\w-][\w .+-]{{0,{LONGEST_NAME - 1}}}')


def check_name(name: str) -> None:
    """
    Check the name of a map, which must not be a path.

    Raises
    ------
    ConfigurationError
        If it contains other characters, or is too long.

    """
    if not NAME.fullmatch(name) or len(name.encode(errors='replace')) > 3 * LONGEST_NAME:
        raise ConfigurationError(
            f'map_name is {name[:80]!r}; it must be a name of 1 to {LONGEST_NAME} letters, '
            'digits, blanks or .+-_, which does not begin with a dot'
        )


@dataclass(frozen=True, slots=True)
class ObjectMapConfig(ObjectMapParameters):
    """
    Parameters of the map and of the node.

    Raises
    ------
    ConfigurationError
        As ObjectMapParameters; or if `interest` or `ignored` cannot be read, or `map_name` is no
        name.

    """

    frame_id: str = parameter('map', 'frame of the map')
    map_id: str = parameter('', 'id of the map; a saved map with another id is not loaded')
    map_name: str = parameter('map', 'name of the map of ~/save and ~/load, and of its journal')
    map_folder: str = parameter('', 'folder of all maps; empty: world_model/maps in ROS_HOME')
    fresh: bool = parameter(False, 'begin a new map instead of continuing the journal')
    force_load: bool = parameter(False, 'also load a map with another id or frame')
    interest: str = parameter('', 'classes to map, such as "chair, potted plant"; empty: all')
    ignored: str = parameter('', 'classes not to map, such as "person, robot", which do not stay')
    rate: float = parameter(
        5.0, 'maximum rate at which a changed map is published', low=0.1, high=100.0, unit='Hz'
    )
    tf_patience: float = parameter(
        1.0, 'maximum time that a frame waits for its transform', low=0.0, high=60.0, unit='s'
    )
    marker_std: float = parameter(
        0.02, 'standard deviation of positions in object_markers', low=0.001, high=1.0, unit='m'
    )
    horizontal_view: float = parameter(
        0.0, 'horizontal angle of view; 0: from camera_info', low=0.0, high=2 * math.pi, unit='rad'
    )
    vertical_view: float = parameter(
        0.0, 'vertical angle of view; 0: from camera_info', low=0.0, high=math.pi, unit='rad'
    )
    view_frame: str = parameter('', "the camera's frame, x forward; empty: that of camera_info")
    near: float = parameter(0.3, 'minimum range of the detector', low=0.0, high=100.0, unit='m')
    far: float = parameter(4.0, 'maximum range of the detector', low=0.1, high=1000.0, unit='m')

    def __post_init__(self) -> None:
        """Check all values."""
        self.map_parameters()
        read_names(self.interest)
        read_names(self.ignored, 'ignored')
        check_name(self.map_name)

    def map_parameters(self) -> ObjectMapParameters:
        """Return the parameters of the core."""
        return ObjectMapParameters(
            **{item.name: getattr(self, item.name) for item in fields(ObjectMapParameters)}
        )

    @property
    def origin(self) -> MapOrigin:
        """Identity of the map."""
        return MapOrigin(self.map_id or None, self.frame_id)

    @property
    def folder(self) -> Path:
        """
        Folder of all maps.

        Raises
        ------
        ConfigurationError
            If it is not set, and the user has no home.

        """
        try:
            if self.map_folder:
                return Path(self.map_folder).expanduser().absolute()
            return own_home() / 'maps'
        except RuntimeError as error:
            raise ConfigurationError(
                f'map_folder is {self.map_folder!r} and there is no home ({error}); set '
                'map_folder, or the environment variable ROS_HOME'
            ) from error

    @property
    def file_name(self) -> str:
        """Name of the map's file in the folder."""
        return f'{self.map_name}.json'

    @property
    def journal(self) -> Path:
        """Folder of the map's journal."""
        return self.folder / f'{self.map_name}.journal'

    def check_change(self, changed: ObjectMapConfig) -> None:
        """
        Check that no parameter changes that is fixed for a map.

        Raises
        ------
        ConfigurationError
            If one does.

        """
        core = (item.name for item in fields(ObjectMapParameters))
        for name in (*core, 'frame_id', 'map_folder', 'fresh'):
            if getattr(changed, name) != getattr(self, name):
                raise ConfigurationError(f'{name} cannot be changed at run time: restart the node')
