# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Our object map among those that it is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.evaluation.objects.comparison import BASELINES
from world_model_core.objects.mapping.object_map import ObjectMap
from world_model_core.objects.values import ObjectState

if TYPE_CHECKING:
    from world_model_core.evaluation.objects.comparison import MapperFactory
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import CameraView, Detections, MapObject


class ObjectMapMapper:
    """
    The object map, as a mapper to judge: confirmed objects count.

    Parameters
    ----------
    parameters : ObjectMapParameters, optional

    """

    def __init__(self, parameters: ObjectMapParameters | None = None) -> None:
        self._map = ObjectMap(parameters) if parameters else ObjectMap()
        self._merged: dict[str, str] = {}

    def observe(
        self, detections: Detections, view: CameraView | None = None
    ) -> tuple[str | None, ...]:
        """Take in a frame; name the object that each detection went to, if any."""
        observed = self._map.observe(detections, view)
        self._merged.update(observed.merged)
        return observed.ids

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """Everything that it follows."""
        return self._map.objects

    @property
    def counted(self) -> tuple[MapObject, ...]:
        """What it holds to be there."""
        return tuple(each for each in self._map.objects if each.state is ObjectState.CONFIRMED)

    def survivor(self, name: str) -> str:
        """Follow merges to the last."""
        while name in self._merged:
            name = self._merged[name]
        return name


OBJECT_MAP = 'object map'
MAPPERS: dict[str, MapperFactory] = {
    OBJECT_MAP: lambda _layout, _detector: ObjectMapMapper(),
    **BASELINES,
}
