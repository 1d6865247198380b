# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of object_map."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from world_model_core.errors import ConfigurationError
from world_model_core.objects.answering.object_interest import read_names
from world_model_core.objects.mapping.parameters import ObjectMapParameters
from world_model_core.objects.persistent_map import MapOrigin
from world_model_nodes.runtime.params import parameter


@dataclass(frozen=True, slots=True)
class ObjectMapConfig(ObjectMapParameters):
    """
    Parameters of the map and of the node.

    Raises
    ------
    ConfigurationError
        As ObjectMapParameters; or if `interest` cannot be read.

    """

    frame_id: str = parameter('map', 'frame of the map')
    map_id: str = parameter('', 'id of the map; a saved map with another id is not loaded')
    map_file: str = parameter('', 'file of the map for ~/save and ~/load')
    force_load: bool = parameter(False, 'also load a map with another id or frame')
    interest: str = parameter('', 'classes to map, such as "chair, potted plant"; empty: all')
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
    def path(self) -> str:
        """
        Path of the map file.

        Raises
        ------
        ConfigurationError
            If it is not set.

        """
        if not self.map_file:
            raise ConfigurationError("map_file is ''; set it to the path of a file")
        return self.map_file

    def check_change(self, changed: ObjectMapConfig) -> None:
        """
        Check that no parameter changes that is fixed for a map.

        Raises
        ------
        ConfigurationError
            If one does.

        """
        for name in (*(item.name for item in fields(ObjectMapParameters)), 'frame_id'):
            if getattr(changed, name) != getattr(self, name):
                raise ConfigurationError(f'{name} cannot be changed at run time: restart the node')
