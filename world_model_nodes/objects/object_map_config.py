# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of object_map."""

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
    What the map assumes, and what else the node must be told.

    Raises
    ------
    ConfigurationError
        As ObjectMapParameters; or `interest` cannot be read.

    """

    frame_id: str = parameter('map', 'frame of the map')
    map_id: str = parameter('', 'name of the place; a saved map of another one is refused')
    map_file: str = parameter('', 'where ~/save and ~/load keep the map')
    force_load: bool = parameter(False, 'load a map of another place or frame all the same')
    interest: str = parameter('', 'things to attend to, "chair, potted plant"; empty: all')
    rate: float = parameter(
        5.0, 'how often a changed map is published at most', low=0.1, high=100.0, unit='Hz'
    )
    tf_patience: float = parameter(
        1.0, 'how long a frame waits for its transform', low=0.0, high=60.0, unit='s'
    )
    marker_std: float = parameter(
        0.02, 'standard deviation of object_markers', low=0.001, high=1.0, unit='m'
    )
    horizontal_view: float = parameter(
        0.0, 'seen by the camera across; 0: as camera_info', low=0.0, high=2 * math.pi, unit='rad'
    )
    vertical_view: float = parameter(
        0.0, 'seen by the camera up and down; 0: likewise', low=0.0, high=math.pi, unit='rad'
    )
    view_frame: str = parameter('', "the camera's frame, x ahead; empty: camera_info's, z ahead")
    near: float = parameter(0.3, 'what is nearer may be missed', low=0.0, high=100.0, unit='m')
    far: float = parameter(4.0, 'what is farther may be missed', low=0.1, high=1000.0, unit='m')

    def __post_init__(self) -> None:
        """Refuse what no node could work with."""
        self.map_parameters()
        read_names(self.interest)

    def map_parameters(self) -> ObjectMapParameters:
        """Select what the core needs."""
        return ObjectMapParameters(
            **{item.name: getattr(self, item.name) for item in fields(ObjectMapParameters)}
        )

    @property
    def origin(self) -> MapOrigin:
        """Whose positions these are."""
        return MapOrigin(self.map_id or None, self.frame_id)

    @property
    def path(self) -> str:
        """
        The file of the map.

        Raises
        ------
        ConfigurationError
            There is none.

        """
        if not self.map_file:
            raise ConfigurationError("map_file is ''; it must be the path of a file")
        return self.map_file

    def check_change(self, changed: ObjectMapConfig) -> None:
        """
        Let nothing change that a map was begun with.

        Raises
        ------
        ConfigurationError
            It does.

        """
        for name in (*(item.name for item in fields(ObjectMapParameters)), 'frame_id'):
            if getattr(changed, name) != getattr(self, name):
                raise ConfigurationError(f'{name} holds for a whole map: start anew with it')
