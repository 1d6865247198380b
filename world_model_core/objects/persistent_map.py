# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Object map that can be saved, loaded, and continued from a journal, with its unknown keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from world_model_core.objects.answering.object_interest import Interest
from world_model_core.objects.documents.object_map_document import ObjectMapDocument
from world_model_core.objects.documents.object_map_file import check_origin, load, save
from world_model_core.objects.journal.journal_record import JournalRecord
from world_model_core.objects.mapping.object_map import ObjectMap

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from world_model_core.objects.mapping.object_map import MapUpdate
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import CameraView, Detections


@dataclass(frozen=True, slots=True)
class MapOrigin:
    """Identity of a map: its id, or None if unknown, and the frame of its positions."""

    map_id: str | None
    frame_id: str


class PersistentObjectMap:
    """
    Object map that can be saved, loaded, and continued from a journal; empty at first.

    Parameters
    ----------
    parameters : ObjectMapParameters

    Attributes
    ----------
    map : ObjectMap
    interest : Interest
        Classes to map; at first all.
    version : int
        Changes whenever the map may have changed.

    """

    def __init__(self, parameters: ObjectMapParameters) -> None:
        self.map = ObjectMap(parameters)
        self.interest = Interest()
        self.version = 0
        self._stamp_ns: int | None = None
        self._extra: Mapping[str, Any] = {}

    def observe(self, detections: Detections, view: CameraView | None) -> MapUpdate:
        """Update the map with a frame, and return its changes."""
        self.map.interest = self.interest.covered_labels(detections.labels)
        update = self.map.observe(detections, view)
        self._stamp_ns = detections.stamp_ns
        self.version += 1
        return update

    def document(self, origin: MapOrigin) -> ObjectMapDocument:
        """Return the map as a document."""
        return ObjectMapDocument(
            objects=self.map.objects,
            tombstones=self.map.tombstones,
            next_id=self.map.next_id,
            map_id=origin.map_id,
            frame_id=origin.frame_id,
            stamp_ns=self._stamp_ns,
            extra=self._extra,
        )

    def save(self, path: Path, origin: MapOrigin) -> str:
        """
        Save the map to a file, and return a message.

        Raises
        ------
        StoreError
            If the file cannot be written.

        """
        document = self.document(origin)
        save(path, document)
        return f'saved {len(document.objects)} objects to {path}'

    def load(self, path: Path, origin: MapOrigin, *, force: bool) -> str:
        """
        Replace the map by that of a file, and return a message.

        Raises
        ------
        ObjectMapError
            If the file cannot be read.
        OriginError
            If it belongs to another origin and `force` is not set.

        """
        found = load(path, origin.map_id, origin.frame_id, force=force)
        self.map.restore(found.objects, found.tombstones, found.next_id)
        self._stamp_ns, self._extra = found.stamp_ns, found.extra
        self.version += 1
        return f'loaded {len(found.objects)} objects from {path}'

    def take_record(self, origin: MapOrigin, *, full: bool = False) -> JournalRecord:
        """
        Return what has changed since the last call, as a record of a journal.

        The first record is full, and so is the first one after `clear`, `load` or `resume`.
        """
        change = self.map.take_change(full=full)
        return JournalRecord(
            change,
            origin.map_id,
            origin.frame_id,
            self._stamp_ns,
            self._extra if change.full else {},
        )

    def resume(self, record: JournalRecord, origin: MapOrigin, *, force: bool) -> None:
        """
        Continue the map of a journal.

        Raises
        ------
        OriginError
            If it belongs to another origin and `force` is not set.

        """
        if not force:
            check_origin(record, origin.map_id, origin.frame_id)
        self.map.resume(record.change)
        self._stamp_ns, self._extra = record.stamp_ns, record.extra
        self.version += 1

    def clear(self) -> str:
        """Remove all objects, and return a message."""
        count = len(self.map.objects)
        self.map.clear()
        self._stamp_ns, self._extra = None, {}
        self.version += 1
        return f'removed {count} objects'
