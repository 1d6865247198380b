# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The object map as a mapping method for comparisons."""

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
    Object map with the interface of mapping methods; confirmed objects count.

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
        """Update the map with a frame, and return the object of each detection, or None."""
        observed = self._map.observe(detections, view)
        self._merged.update(observed.merged)
        return observed.ids

    @property
    def objects(self) -> tuple[MapObject, ...]:
        """All objects."""
        return self._map.objects

    @property
    def counted(self) -> tuple[MapObject, ...]:
        """Confirmed objects."""
        return tuple(each for each in self._map.objects if each.state is ObjectState.CONFIRMED)

    def survivor(self, name: str) -> str:
        """Return the id of the last object in a chain of merges."""
        while name in self._merged:
            name = self._merged[name]
        return name


OBJECT_MAP = 'object map'
MAPPERS: dict[str, MapperFactory] = {
    OBJECT_MAP: lambda _layout, _detector: ObjectMapMapper(),
    **BASELINES,
}
