# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Estimation of the objects' states, one frame after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping import detection_fusion as fusion
from world_model_core.objects.mapping.ambiguity_resolution import AmbiguityResolver
from world_model_core.objects.mapping.association import NONE, Edges, assign, crowded
from world_model_core.objects.mapping.detection_window import DetectionWindow, WindowMeasurements
from world_model_core.objects.mapping.gating import AssociationGate, SpatialIndex, max_variance
from world_model_core.objects.mapping.joint_association import AssociationModel
from world_model_core.objects.mapping.lifecycle import Lifecycle, StateChanges, log_odds
from world_model_core.objects.mapping.merging import CannotLinkConstraints, mergeable, near_pairs
from world_model_core.objects.mapping.negative_evidence import NegativeEvidence
from world_model_core.objects.mapping.object_table import FREE, TENTATIVE, ObjectTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.objects.mapping.detection_fusion import Frame
    from world_model_core.objects.mapping.label_model import LabelModel
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import CameraView

# Log-likelihood ratio to the best pair of a detection below which a pair is not ambiguous: one in
# 400.
MIN_LOG_RATIO = -6.0
# Objects within this many standard deviations of a detection may show the same detections.
COMPETITION_GATE = 5.0
# Joint association of an object is repeated when its detections have grown by this factor: the
# first detections change much, the twentieth little, and the work per detection stays bounded.
REASSIGN_GROWTH = 1.2
# Number of objects that only compete, per object whose detections are associated again.
NEIGHBORS = 2
NO_SLOTS = np.empty(0, dtype=np.intp)
NO_CHANGES = StateChanges(NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS)


@dataclass(slots=True)
class FrameUpdate:
    """
    Changes of a frame.

    Attributes
    ----------
    owners : array of int, shape (n,)
        Slot of the object that each detection shows, or NONE.
    created : array of int
        Slots of new objects.
    changes : StateChanges
    merged : dict
        From slots of merged objects to the slots of those into which they were merged.
    removed : list of int
        Slots of removed objects, except merged ones.

    """

    owners: NDArray[np.intp]
    created: NDArray[np.intp]
    changes: StateChanges
    merged: dict[int, int] = field(default_factory=dict)
    removed: list[int] = field(default_factory=list)


class MapEstimator:
    """
    Updates the objects of a table with frames.

    Parameters
    ----------
    parameters : ObjectMapParameters

    Attributes
    ----------
    table : ObjectTable
    lifecycle : Lifecycle
    full : int
        New objects for which there was no room.
    interest_labels : array of int or None
        Labels of interest; objects of other labels are not missed. None for all.

    """

    def __init__(self, parameters: ObjectMapParameters) -> None:
        self._parameters = parameters
        self.table, self._window = ObjectTable(), DetectionWindow(parameters.window)
        self.lifecycle = Lifecycle(self.table, parameters)
        self.full = 0
        self.interest_labels: NDArray[np.int64] | None = None
        self._index = SpatialIndex()
        self._gate = AssociationGate(self.table, self._index, parameters)
        self._evidence = NegativeEvidence(self.table, self._index, self.lifecycle, parameters)
        least = log_odds(parameters.missing_probability)
        self._resolver = AmbiguityResolver(self.table, self._window, least)
        self._constraints = CannotLinkConstraints()
        self._window.reserve(len(self.table.state))

    def enter(self, slots: NDArray[np.intp]) -> None:
        """Add objects that were written into the table."""
        self._window.reserve(len(self.table.state))
        self._window.empty(slots)
        self._index.place(slots, self.table.position[slots])
        self._gate.include(slots)

    def leave(self, slots: NDArray[np.intp]) -> None:
        """Remove objects and free their slots."""
        self._index.remove(slots)
        self.table.release(slots)

    def observe(self, frame: Frame, model: LabelModel, view: CameraView | None) -> FrameUpdate:
        """Update the objects with a frame."""
        near = self._gate.nearby(frame)
        edges = self._gate.candidates(frame, near, model, self._evidence.rate.probability)
        fitting = edges.pick(edges.distances <= self._parameters.update_gate)
        owners = assign(fitting, len(frame.labels))
        update = FrameUpdate(owners, NO_SLOTS, NO_CHANGES)
        self._evidence.apply(frame.number, owners, near, view, self.interest_labels)
        self._fuse(frame, update, edges)
        update.created = self._initiate(frame, update, edges, model)
        self._store(frame, update.owners)
        self._resolve_ambiguities(frame, update, edges, model)
        self._merge(frame.number, update, edges)
        update.changes = self.lifecycle.update_states(frame.stamp_ns)
        update.removed.extend(update.changes.discarded.tolist())
        update.removed.extend(update.changes.deleted.tolist())
        return update

    def _fuse(self, frame: Frame, update: FrameUpdate, edges: Edges) -> None:
        """Update objects with their detections."""
        rows = np.flatnonzero(update.owners != NONE)
        slots, mine = update.owners[rows], frame.pick(rows)
        fusion.correct(self.table, slots, mine)
        fusion.describe(self.table, slots, mine, self._parameters)
        gains = np.zeros(len(frame.labels))
        own = update.owners[edges.rows] == edges.slots
        gains[edges.rows[own]] = edges.gains[own]
        self.lifecycle.hit(slots, gains[rows], frame.stamp_ns)
        self._index.place(slots, self.table.position[slots])

    def _initiate(
        self, frame: Frame, update: FrameUpdate, edges: Edges, model: LabelModel
    ) -> NDArray[np.intp]:
        """Start new objects from detections without an unassigned object that they may show."""
        left = edges.pick(
            (update.owners[edges.rows] == NONE) & ~np.isin(edges.slots, update.owners)
        )
        label = model.probability(
            self.table.labels[left.slots], self.table.counts[left.slots], frame.labels[left.rows]
        )
        blocked = np.zeros(len(frame.labels), dtype=bool)
        blocked[left.rows[label > model.chance]] = True
        rows = np.flatnonzero((update.owners == NONE) & ~blocked)
        room = max(self._parameters.object_limit - len(self.table), 0)
        self.full += max(len(rows) - room, 0)
        rows = rows[:room]
        slots, mine = self.table.take(len(rows)), frame.pick(rows)
        fusion.begin(self.table, slots, mine)
        fusion.describe(self.table, slots, mine, self._parameters)
        self.table.state[slots] = TENTATIVE
        self._inherit_view_history(slots, frame)
        self.lifecycle.hit(slots, np.zeros(len(slots)), frame.stamp_ns)
        self.enter(slots)
        update.owners[rows] = slots
        return slots

    def _inherit_view_history(self, slots: NDArray[np.intp], frame: Frame) -> None:
        """Copy the view history of the nearest object to new objects."""
        table = self.table
        rows, near = self._index.near(table.position[slots], self._parameters.neighborhood)
        distance = np.linalg.norm(table.position[slots[rows]] - table.position[near], axis=1)
        # The nearest is written last.
        order = np.argsort(-distance, kind='stable')
        order = order[distance[order] <= self._parameters.neighborhood]
        for name in ('view_history', 'view_frame'):
            column = getattr(table, name)
            column[slots[rows[order]]] = column[near[order]]
        table.mark_in_view(slots, frame.number)

    def _store(self, frame: Frame, owners: NDArray[np.intp]) -> None:
        """Store the detections in the window, and add cannot-link constraints."""
        rows = np.flatnonzero(owners != NONE)
        mine = frame.pick(rows)
        measurements = WindowMeasurements(
            owners=owners[rows],
            positions=mine.positions,
            information=mine.information,
            labels=mine.labels,
            frames=np.full(len(rows), frame.number, dtype=np.int64),
        )
        self._resolver.marginalize(self._window.push(measurements))
        self._constraints.add(
            self.table.serial[owners[rows]],
            mine.positions,
            mine.covariances,
            self._parameters.birth_gate,
        )
        if self._constraints.full:
            self._constraints.prune(self.table.serial[self.table.slots])

    def _resolve_ambiguities(
        self, frame: Frame, update: FrameUpdate, edges: Edges, model: LabelModel
    ) -> None:
        """Associate the detections of ambiguous objects again, jointly."""
        ambiguous = self._ambiguous(update, edges)
        if not len(ambiguous):
            return
        table = self.table
        reach = COMPETITION_GATE * np.sqrt(max_variance(frame.covariances))
        around = self._index.near(table.position[ambiguous], reach).slots
        competing = np.setdiff1d(around, ambiguous)[
            : NEIGHBORS * self._parameters.joint_association_limit
        ]
        slots = np.union1d(ambiguous, competing)
        association_model = AssociationModel(
            self._evidence.rate.probability,
            self._parameters.clutter_density,
            model,
            self._parameters.update_gate,
        )
        result = self._resolver.resolve(
            slots, np.isin(slots, ambiguous), frame.number, association_model
        )
        for row, slot in enumerate(update.owners.tolist()):
            update.owners[row] = result.owners.get(slot, slot)
        self._index.place(ambiguous, table.position[ambiguous])
        self._gate.include(ambiguous)
        for slot, successor in result.rejected.items():
            if successor != NONE and not self._cannot_link(slot, successor):
                update.merged[slot] = successor
            else:
                update.removed.append(slot)
            self.table.state[slot] = FREE

    def _ambiguous(self, update: FrameUpdate, edges: Edges) -> NDArray[np.intp]:
        """Return the objects that share candidate detections with others, and are due."""
        best = np.zeros(len(update.owners))
        np.maximum.at(best, edges.rows, edges.gains)
        likely = edges.pick(edges.gains > best[edges.rows] + MIN_LOG_RATIO)
        rows = np.flatnonzero(np.isin(update.owners, update.created))
        created = update.owners[rows]
        zeros = np.zeros(len(rows))
        all_ = Edges(
            np.append(likely.rows, rows),
            np.append(likely.slots, created),
            np.append(likely.distances, zeros),
            np.append(likely.gains, zeros),
        )
        ambiguous = np.unique(all_.slots[crowded(all_)])
        # Share of the detections that were part of the last joint association.
        settled = self.table.reassigned_hits[ambiguous] / np.maximum(
            self.table.hits[ambiguous], 1e-3
        )
        due = np.flatnonzero(REASSIGN_GROWTH * settled <= 1.0)
        first = due[np.argsort(settled[due], kind='stable')]
        return np.sort(ambiguous[first[: self._parameters.joint_association_limit]])

    def _cannot_link(self, first: int, second: int) -> bool:
        serials = self.table.serial
        return bool(self._constraints.forbids(serials[[first]], serials[[second]])[0])

    def _merge(self, number: int, update: FrameUpdate, edges: Edges) -> None:
        """Merge duplicates that no frame showed side by side."""
        table = self.table
        mine, others = near_pairs(update.owners[edges.rows], edges.slots)
        alive = (table.state[mine] != FREE) & (table.state[others] != FREE)
        mine, others = mine[alive], others[alive]
        found = mergeable(table, mine, others, number, self._parameters.merge_gate)
        found &= ~self._constraints.forbids(table.serial[mine], table.serial[others])
        for first, second in zip(mine[found].tolist(), others[found].tolist(), strict=True):
            if not {first, second} & update.merged.keys():
                older = min(first, second, key=lambda slot: (table.first_ns[slot], slot))
                self._merge_pair(older, first + second - older, update)

    def _merge_pair(self, older: int, younger: int, update: FrameUpdate) -> None:
        """Merge the younger object into the older one."""
        self._resolver.merge(older, younger)
        self._constraints.transfer(int(self.table.serial[older]), int(self.table.serial[younger]))
        update.merged[younger] = older
        update.owners[update.owners == younger] = older
        self.table.state[younger] = FREE
