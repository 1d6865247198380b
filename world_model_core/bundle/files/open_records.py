# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Mappings of formats that leave room for members of anybody's: GeoJSON and glTF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.files.records import Field, Record, is_mapping

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.bundle.files.shapes import Shape
    from world_model_core.bundle.files.syntax import Spot


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """A mapping with fields that are known; of others nothing is said."""

    fields: Mapping[str, Field | Shape]

    def read(self, value: Any, spot: Spot) -> dict[str, Any] | None:
        """Return the fields, and the other members as 'extra'; None after an error."""
        if not is_mapping(value, spot):
            return None
        known = {name: each for name, each in value.items() if name in self.fields}
        fields: dict[str, Any] | None = Record(self.fields).read(known, spot)
        others = {name: each for name, each in value.items() if name not in self.fields}
        return None if fields is None else {**fields, 'extra': others}
