# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One frame after another: which objects there are, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.mapping import detection_fusion as fusion
from world_model_core.objects.mapping.ambiguity_resolution import AmbiguityResolver
from world_model_core.objects.mapping.association import NONE, Edges, assign, crowded, log_density
from world_model_core.objects.mapping.detection_window import DetectionWindow, WindowMeasurements
from world_model_core.objects.mapping.joint_association import AssociationModel
from world_model_core.objects.mapping.lifecycle import Lifecycle, StateChanges, log_odds
from world_model_core.objects.mapping.merging import CannotLinkConstraints, mergeable, near_pairs
from world_model_core.objects.mapping.negative_evidence import DetectionRate, Sight
from world_model_core.objects.mapping.object_table import FREE, TENTATIVE, ObjectTable
from world_model_core.objects.mapping.spatial_index import SpatialIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.detection_fusion import Frame
    from world_model_core.objects.mapping.label_model import LabelModel
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import CameraView

# A pair that is less likely than another of its detection, or than none, by this log-ratio is no
# rival to it: one in 400.
MIN_LOG_RATIO = -6.0
# NearbyPairs within so many standard deviations of a detection may show the same detections.
COMPETITION_GATE = 5.0
# Detections are assigned anew once their object has so many times as many as the last time: the
# first ones change much, the twentieth little, and the work per detection is bounded.
REASSIGN_GROWTH = 1.2
# So many times the objects that are assigned anew may compete with them.
NEIGHBORS = 2
# After so many frames all objects are looked through for what is kept of their largest variance.
VARIANCE_FRAMES = 256
NO_SLOTS = np.empty(0, dtype=np.intp)
NO_CHANGES = StateChanges(NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS)


class NearbyPairs(NamedTuple):
    """Detections and objects near each other: all of shape (k,), offsets [m] (k, 3)."""

    rows: NDArray[np.intp]
    slots: NDArray[np.intp]
    offsets: Array
    squared: Array
    """Distances, squared [m^2]."""
    reachable: NDArray[np.bool_]
    """Which are so close that the detection may show the object."""


@dataclass(slots=True)
class FrameUpdate:
    """
    What a frame changed.

    Attributes
    ----------
    owners : array of int, shape (n,)
        Slot of the object that each detection shows, or NONE.
    created : array of int
        Slots of new objects.
    changes : StateChanges
        Changes of state.
    merged : dict
        From slots of objects that were found to be others to those.
    given_up : list of int
        Slots of objects that are no more, merged ones apart.

    """

    owners: NDArray[np.intp]
    created: NDArray[np.intp]
    changes: StateChanges
    merged: dict[int, int] = field(default_factory=dict)
    given_up: list[int] = field(default_factory=list)


class MapEstimator:
    """
    Objects in a table, and what is done to them when a frame comes.

    Parameters
    ----------
    parameters : ObjectMapParameters

    Attributes
    ----------
    table : ObjectTable
    lifecycle : Lifecycle
    full : int
        Detections of new objects for which there was no room.
    interest_labels : array of int or None
        Labels of which detections are given. Objects of others are not missed. None for all.

    """

    def __init__(self, parameters: ObjectMapParameters) -> None:
        self._parameters = parameters
        self.table, self._window = ObjectTable(), DetectionWindow(parameters.window)
        self.lifecycle = Lifecycle(self.table, parameters)
        self.full = 0
        self.interest_labels: NDArray[np.int64] | None = None
        self._index = SpatialIndex()
        self._rate = DetectionRate(parameters.detection_probability)
        self._sight = Sight(self.table, self._index)
        least = log_odds(parameters.missing_probability)
        self._resolver = AmbiguityResolver(self.table, self._window, least)
        self._constraints = CannotLinkConstraints()
        self._largest_variance = 0.0  # largest variance of any object, or more
        self._window.reserve(len(self.table.state))

    def enter(self, slots: NDArray[np.intp]) -> None:
        """Follow objects that were put into the table."""
        self._window.reserve(len(self.table.state))
        self._window.empty(slots)
        self._index.place(slots, self.table.position[slots])
        self._largest_variance = max(
            self._largest_variance, _max_variance(self.table.covariance[slots])
        )

    def leave(self, slots: NDArray[np.intp]) -> None:
        """Free the slots of objects that are no more."""
        self._index.remove(slots)
        self.table.release(slots)

    def observe(self, frame: Frame, model: LabelModel, view: CameraView | None) -> FrameUpdate:
        """Take in a frame."""
        if frame.number % VARIANCE_FRAMES == 0:
            self._largest_variance = _max_variance(self.table.covariance[self.table.slots])
        near = self._find_nearby(frame)
        edges = self._gate(frame, near, model)
        fitting = edges.pick(edges.distances <= self._parameters.update_gate)
        owners = assign(fitting, len(frame.labels))
        update = FrameUpdate(owners, NO_SLOTS, NO_CHANGES)
        self._look(frame, update, near, view)
        self._fuse(frame, update, edges)
        update.created = self._initiate(frame, update, edges, model)
        self._keep(frame, update.owners)
        self._resolve_ambiguities(frame, update, edges, model)
        self._merge(frame.number, update, edges)
        update.changes = self.lifecycle.update_states(frame.stamp_ns)
        update.given_up.extend(update.changes.discarded.tolist())
        update.given_up.extend(update.changes.deleted.tolist())
        return update

    def _find_nearby(self, frame: Frame) -> NearbyPairs:
        """Find all objects that a detection may show, or that it shows were looked at."""
        table, parameters = self.table, self._parameters
        widest = np.linalg.eigvalsh(frame.covariances)[:, -1] + self._largest_variance
        reach = np.maximum(parameters.birth_gate * widest, parameters.neighborhood**2)
        rows, slots = self._index.near(frame.positions, np.sqrt(reach))
        offsets = frame.positions[rows] - table.position[slots]
        squared = np.einsum('ki,ki->k', offsets, offsets)
        reachable = squared <= parameters.birth_gate * widest[rows]
        return NearbyPairs(rows, slots, offsets, squared, reachable)

    def _gate(self, frame: Frame, near: NearbyPairs, model: LabelModel) -> Edges:
        """Compare detections with the objects near them."""
        table, parameters = self.table, self._parameters
        rows, slots = near.rows[near.reachable], near.slots[near.reachable]
        squared, density = log_density(
            near.offsets[near.reachable], frame.covariances[rows] + table.covariance[slots]
        )
        close = squared <= parameters.birth_gate
        rows, slots, squared = rows[close], slots[close], squared[close]
        label = model.probability(table.labels[slots], table.counts[slots], frame.labels[rows])
        none = parameters.clutter_density * model.chance
        gains = density[close] + np.log(self._rate.probability * label / none)
        return Edges(rows, slots, squared, gains)

    def _look(
        self, frame: Frame, update: FrameUpdate, near: NearbyPairs, view: CameraView | None
    ) -> None:
        """
        Note which objects the frame would have shown, and which it missed.

        Without a view: those near a detection, for a frame that shows something of a place shows
        the place. How often objects are detected is learnt from those near detections of others,
        since their own say nothing of how often there is none.
        """
        owners = update.owners
        if view is None:
            close = near.squared <= self._parameters.neighborhood**2
            close &= owners[near.rows] != near.slots
            asked = np.unique(near.slots[close])
        else:
            asked = self._sight.within(view)
        if self.interest_labels is not None:
            asked = asked[np.isin(self.table.label(asked), self.interest_labels)]
        shown = np.union1d(asked, owners[owners != NONE])
        self.table.mark_in_view(shown, frame.number)
        missed = shown[~np.isin(shown, owners)]
        self.lifecycle.miss(
            missed, float(np.log1p(-self._rate.probability)), viewed=view is not None
        )
        sure = asked[self.table.state[asked] > TENTATIVE]
        self._rate.learn(int(np.isin(sure, owners).sum()), len(sure))

    def _fuse(self, frame: Frame, update: FrameUpdate, edges: Edges) -> None:
        """Let objects be corrected by their detections."""
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
        """Begin objects where no object that may be it is left without a detection."""
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
        """Let new objects have been looked at whenever the object nearest to them was."""
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

    def _keep(self, frame: Frame, owners: NDArray[np.intp]) -> None:
        """Keep the detections with their objects, and note which were seen together."""
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
        """Assign again what objects that compete were shown by."""
        disputed = self._disputed(update, edges)
        if not len(disputed):
            return
        table = self.table
        reach = COMPETITION_GATE * np.sqrt(_max_variance(frame.covariances))
        around = self._index.near(table.position[disputed], reach).slots
        beside = np.setdiff1d(around, disputed)[
            : NEIGHBORS * self._parameters.joint_association_limit
        ]
        slots = np.union1d(disputed, beside)
        association_model = AssociationModel(
            self._rate.probability,
            self._parameters.clutter_density,
            model,
            self._parameters.update_gate,
        )
        result = self._resolver.resolve(
            slots, np.isin(slots, disputed), frame.number, association_model
        )
        for row, slot in enumerate(update.owners.tolist()):
            update.owners[row] = result.owners.get(slot, slot)
        self._index.place(disputed, table.position[disputed])
        self._largest_variance = max(
            self._largest_variance, _max_variance(table.covariance[disputed])
        )
        for slot, successor in result.rejected.items():
            if successor != NONE and not self._cannot_link(slot, successor):
                update.merged[slot] = successor
            else:
                update.given_up.append(slot)
            self.table.state[slot] = FREE

    def _disputed(self, update: FrameUpdate, edges: Edges) -> NDArray[np.intp]:
        """List the objects that could have had another's detection."""
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
        disputed = np.unique(all_.slots[crowded(all_)])
        # How many of its detections were assigned together the last time.
        settled = self.table.reassigned_hits[disputed] / np.maximum(
            self.table.hits[disputed], 1e-3
        )
        due = np.flatnonzero(REASSIGN_GROWTH * settled <= 1.0)
        first = due[np.argsort(settled[due], kind='stable')]
        return np.sort(disputed[first[: self._parameters.joint_association_limit]])

    def _cannot_link(self, first: int, second: int) -> bool:
        serials = self.table.serial
        return bool(self._constraints.forbids(serials[[first]], serials[[second]])[0])

    def _merge(self, number: int, update: FrameUpdate, edges: Edges) -> None:
        """Make one of two objects that look like one, and were never seen side by side."""
        table = self.table
        mine, others = near_pairs(update.owners[edges.rows], edges.slots)
        alive = (table.state[mine] != FREE) & (table.state[others] != FREE)
        mine, others = mine[alive], others[alive]
        found = mergeable(table, mine, others, number, self._parameters.merge_gate)
        found &= ~self._constraints.forbids(table.serial[mine], table.serial[others])
        for first, second in zip(mine[found].tolist(), others[found].tolist(), strict=True):
            if not {first, second} & update.merged.keys():
                older = min(first, second, key=lambda slot: (table.first_ns[slot], slot))
                self._join(older, first + second - older, update)

    def _join(self, older: int, younger: int, update: FrameUpdate) -> None:
        """Let the older object have all of the younger one."""
        self._resolver.join(older, younger)
        self._constraints.transfer(int(self.table.serial[older]), int(self.table.serial[younger]))
        update.merged[younger] = older
        update.owners[update.owners == younger] = older
        self.table.state[younger] = FREE


def _max_variance(covariances: Array) -> float:
    """Find the largest variance along any axis [m^2]."""
    return float(np.linalg.eigvalsh(covariances)[:, -1].max(initial=0.0))
