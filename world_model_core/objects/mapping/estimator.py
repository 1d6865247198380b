# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""One frame after another: which objects there are, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from world_model_core.objects.mapping import fusion
from world_model_core.objects.mapping.association import NONE, Edges, assign, crowded, log_density
from world_model_core.objects.mapping.field_of_view import DetectionRate, Sight
from world_model_core.objects.mapping.index import SpatialIndex
from world_model_core.objects.mapping.joint_association import Odds
from world_model_core.objects.mapping.lifecycle import Lifecycle, Passed, log_odds
from world_model_core.objects.mapping.merging import Together, mergeable, near_pairs
from world_model_core.objects.mapping.table import FREE, TENTATIVE, ObjectTable
from world_model_core.objects.mapping.window import Sightings, Window
from world_model_core.objects.mapping.window_association import Arbiter

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.objects.mapping.classes import LabelModel
    from world_model_core.objects.mapping.fusion import Frame
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import View

# A pair that is less likely than another of its detection, or than none, by this log-ratio is no
# rival to it: one in 400.
SLIGHT = -6.0
# Neighbours within so many standard deviations of a detection may show the same detections.
RIVALRY = 5.0
# Detections are assigned anew once their object has so many times as many as the last time: the
# first ones change much, the twentieth little, and the work per detection is bounded.
REVIEW = 1.2
# So many times the objects that are assigned anew may compete with them.
NEIGHBOURS = 2
# After so many frames all objects are looked through for what is kept of their largest variance.
TIDY_FRAMES = 256
NO_SLOTS = np.empty(0, dtype=np.intp)
NOTHING = Passed(NO_SLOTS, NO_SLOTS, NO_SLOTS, NO_SLOTS)


class Neighbours(NamedTuple):
    """Detections and objects near each other: all of shape (k,), offsets [m] (k, 3)."""

    rows: NDArray[np.intp]
    slots: NDArray[np.intp]
    offsets: Array
    squared: Array
    """Distances, squared [m^2]."""
    reachable: NDArray[np.bool_]
    """Which are so close that the detection may show the object."""


@dataclass(slots=True)
class Outcome:
    """
    What a frame changed.

    Attributes
    ----------
    owners : array of int, shape (n,)
        Slot of the object that each detection shows, or NONE.
    born : array of int
        Slots of new objects.
    passed : Passed
        Changes of state.
    merged : dict
        From slots of objects that were found to be others to those.
    given_up : list of int
        Slots of objects that are no more, merged ones apart.

    """

    owners: NDArray[np.intp]
    born: NDArray[np.intp]
    passed: Passed
    merged: dict[int, int] = field(default_factory=dict)
    given_up: list[int] = field(default_factory=list)


class Estimator:
    """
    Objects in a table, and what is done to them when a frame comes.

    Parameters
    ----------
    parameters : ObjectMapParameters

    Attributes
    ----------
    table : ObjectTable
    life : Lifecycle
    full : int
        Detections of new objects for which there was no room.
    attended : array of int or None
        Labels of which detections are given. Objects of others are not missed. None for all.

    """

    def __init__(self, parameters: ObjectMapParameters) -> None:
        self._parameters = parameters
        self.table, self._window = ObjectTable(), Window(parameters.window)
        self.life = Lifecycle(self.table, parameters)
        self.full = 0
        self.attended: NDArray[np.int64] | None = None
        self._index = SpatialIndex()
        self._rate = DetectionRate(parameters.detection_probability)
        self._sight = Sight(self.table, self._index)
        least = log_odds(parameters.missing_probability)
        self._arbiter = Arbiter(self.table, self._window, least)
        self._together = Together()
        self._vaguest = 0.0  # largest variance of any object, or more
        self._window.reserve(len(self.table.state))

    def enter(self, slots: NDArray[np.intp]) -> None:
        """Follow objects that were put into the table."""
        self._window.reserve(len(self.table.state))
        self._window.empty(slots)
        self._index.place(slots, self.table.position[slots])
        self._vaguest = max(self._vaguest, _widest(self.table.covariance[slots]))

    def leave(self, slots: NDArray[np.intp]) -> None:
        """Free the slots of objects that are no more."""
        self._index.remove(slots)
        self.table.release(slots)

    def observe(self, frame: Frame, model: LabelModel, view: View | None) -> Outcome:
        """Take in a frame."""
        if frame.number % TIDY_FRAMES == 0:
            self._vaguest = _widest(self.table.covariance[self.table.slots])
        near = self._neighbours(frame)
        edges = self._gate(frame, near, model)
        fitting = edges.pick(edges.distances <= self._parameters.update_gate)
        owners = assign(fitting, len(frame.labels))
        outcome = Outcome(owners, NO_SLOTS, NOTHING)
        self._look(frame, outcome, near, view)
        self._fuse(frame, outcome, edges)
        outcome.born = self._bear(frame, outcome, edges, model)
        self._keep(frame, outcome.owners)
        self._contest(frame, outcome, edges, model)
        self._merge(frame.number, outcome, edges)
        outcome.passed = self.life.pass_on(frame.stamp_ns)
        outcome.given_up.extend(outcome.passed.forgotten.tolist())
        outcome.given_up.extend(outcome.passed.deleted.tolist())
        return outcome

    def _neighbours(self, frame: Frame) -> Neighbours:
        """Find all objects that a detection may show, or that it shows were looked at."""
        table, parameters = self.table, self._parameters
        widest = np.linalg.eigvalsh(frame.covariances)[:, -1] + self._vaguest
        reach = np.maximum(parameters.birth_gate * widest, parameters.neighbourhood**2)
        rows, slots = self._index.near(frame.positions, np.sqrt(reach))
        offsets = frame.positions[rows] - table.position[slots]
        squared = np.einsum('ki,ki->k', offsets, offsets)
        reachable = squared <= parameters.birth_gate * widest[rows]
        return Neighbours(rows, slots, offsets, squared, reachable)

    def _gate(self, frame: Frame, near: Neighbours, model: LabelModel) -> Edges:
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

    def _look(self, frame: Frame, outcome: Outcome, near: Neighbours, view: View | None) -> None:
        """
        Note which objects the frame would have shown, and which it missed.

        Without a view: those near a detection, for a frame that shows something of a place shows
        the place. How often objects are detected is learnt from those near detections of others,
        since their own say nothing of how often there is none.
        """
        owners = outcome.owners
        if view is None:
            close = near.squared <= self._parameters.neighbourhood**2
            close &= owners[near.rows] != near.slots
            asked = np.unique(near.slots[close])
        else:
            asked = self._sight.within(view)
        if self.attended is not None:
            asked = asked[np.isin(self.table.label(asked), self.attended)]
        shown = np.union1d(asked, owners[owners != NONE])
        self.table.look(shown, frame.number)
        missed = shown[~np.isin(shown, owners)]
        self.life.miss(missed, float(np.log1p(-self._rate.probability)), viewed=view is not None)
        sure = asked[self.table.state[asked] > TENTATIVE]
        self._rate.learn(int(np.isin(sure, owners).sum()), len(sure))

    def _fuse(self, frame: Frame, outcome: Outcome, edges: Edges) -> None:
        """Let objects be corrected by their detections."""
        rows = np.flatnonzero(outcome.owners != NONE)
        slots, mine = outcome.owners[rows], frame.pick(rows)
        fusion.correct(self.table, slots, mine)
        fusion.describe(self.table, slots, mine, self._parameters)
        gains = np.zeros(len(frame.labels))
        own = outcome.owners[edges.rows] == edges.slots
        gains[edges.rows[own]] = edges.gains[own]
        self.life.hit(slots, gains[rows], frame.stamp_ns)
        self._index.place(slots, self.table.position[slots])

    def _bear(
        self, frame: Frame, outcome: Outcome, edges: Edges, model: LabelModel
    ) -> NDArray[np.intp]:
        """Begin objects where no object that may be it is left without a detection."""
        left = edges.pick(
            (outcome.owners[edges.rows] == NONE) & ~np.isin(edges.slots, outcome.owners)
        )
        label = model.probability(
            self.table.labels[left.slots], self.table.counts[left.slots], frame.labels[left.rows]
        )
        blocked = np.zeros(len(frame.labels), dtype=bool)
        blocked[left.rows[label > model.chance]] = True
        rows = np.flatnonzero((outcome.owners == NONE) & ~blocked)
        room = max(self._parameters.object_limit - len(self.table), 0)
        self.full += max(len(rows) - room, 0)
        rows = rows[:room]
        slots, mine = self.table.take(len(rows)), frame.pick(rows)
        fusion.begin(self.table, slots, mine)
        fusion.describe(self.table, slots, mine, self._parameters)
        self.table.state[slots] = TENTATIVE
        self._inherit_looks(slots, frame)
        self.life.hit(slots, np.zeros(len(slots)), frame.stamp_ns)
        self.enter(slots)
        outcome.owners[rows] = slots
        return slots

    def _inherit_looks(self, slots: NDArray[np.intp], frame: Frame) -> None:
        """Let new objects have been looked at whenever the object nearest to them was."""
        table = self.table
        rows, near = self._index.near(table.position[slots], self._parameters.neighbourhood)
        distance = np.linalg.norm(table.position[slots[rows]] - table.position[near], axis=1)
        # The nearest is written last.
        order = np.argsort(-distance, kind='stable')
        order = order[distance[order] <= self._parameters.neighbourhood]
        for name in ('looks', 'looked'):
            column = getattr(table, name)
            column[slots[rows[order]]] = column[near[order]]
        table.look(slots, frame.number)

    def _keep(self, frame: Frame, owners: NDArray[np.intp]) -> None:
        """Keep the detections with their objects, and note which were seen together."""
        rows = np.flatnonzero(owners != NONE)
        mine = frame.pick(rows)
        sightings = Sightings(
            owners=owners[rows],
            positions=mine.positions,
            information=mine.information,
            labels=mine.labels,
            frames=np.full(len(rows), frame.number, dtype=np.int64),
        )
        self._arbiter.retire(self._window.push(sightings))
        self._together.note(
            self.table.serial[owners[rows]],
            mine.positions,
            mine.covariances,
            self._parameters.birth_gate,
        )
        if self._together.full:
            self._together.tidy(self.table.serial[self.table.slots])

    def _contest(self, frame: Frame, outcome: Outcome, edges: Edges, model: LabelModel) -> None:
        """Assign again what objects that compete were shown by."""
        disputed = self._disputed(outcome, edges)
        if not len(disputed):
            return
        table = self.table
        reach = RIVALRY * np.sqrt(_widest(frame.covariances))
        around = self._index.near(table.position[disputed], reach).slots
        beside = np.setdiff1d(around, disputed)[: NEIGHBOURS * self._parameters.contest_limit]
        slots = np.union1d(disputed, beside)
        odds = Odds(
            self._rate.probability,
            self._parameters.clutter_density,
            model,
            self._parameters.update_gate,
        )
        verdict = self._arbiter.settle(slots, np.isin(slots, disputed), frame.number, odds)
        for row, slot in enumerate(outcome.owners.tolist()):
            outcome.owners[row] = verdict.owners.get(slot, slot)
        self._index.place(disputed, table.position[disputed])
        self._vaguest = max(self._vaguest, _widest(table.covariance[disputed]))
        for slot, heir in verdict.dismissed.items():
            if heir != NONE and not self._were_together(slot, heir):
                outcome.merged[slot] = heir
            else:
                outcome.given_up.append(slot)
            self.table.state[slot] = FREE

    def _disputed(self, outcome: Outcome, edges: Edges) -> NDArray[np.intp]:
        """List the objects that could have had another's detection."""
        best = np.zeros(len(outcome.owners))
        np.maximum.at(best, edges.rows, edges.gains)
        likely = edges.pick(edges.gains > best[edges.rows] + SLIGHT)
        rows = np.flatnonzero(np.isin(outcome.owners, outcome.born))
        born = outcome.owners[rows]
        zeros = np.zeros(len(rows))
        all_ = Edges(
            np.append(likely.rows, rows),
            np.append(likely.slots, born),
            np.append(likely.distances, zeros),
            np.append(likely.gains, zeros),
        )
        disputed = np.unique(all_.slots[crowded(all_)])
        # How many of its detections were assigned together the last time.
        settled = self.table.reviewed[disputed] / np.maximum(self.table.hits[disputed], 1e-3)
        due = np.flatnonzero(REVIEW * settled <= 1.0)
        first = due[np.argsort(settled[due], kind='stable')]
        return np.sort(disputed[first[: self._parameters.contest_limit]])

    def _were_together(self, first: int, second: int) -> bool:
        serials = self.table.serial
        return bool(self._together.seen(serials[[first]], serials[[second]])[0])

    def _merge(self, number: int, outcome: Outcome, edges: Edges) -> None:
        """Make one of two objects that look like one, and were never seen side by side."""
        table = self.table
        mine, others = near_pairs(outcome.owners[edges.rows], edges.slots)
        alive = (table.state[mine] != FREE) & (table.state[others] != FREE)
        mine, others = mine[alive], others[alive]
        found = mergeable(table, mine, others, number, self._parameters.merge_gate)
        found &= ~self._together.seen(table.serial[mine], table.serial[others])
        for first, second in zip(mine[found].tolist(), others[found].tolist(), strict=True):
            if not {first, second} & outcome.merged.keys():
                older = min(first, second, key=lambda slot: (table.first_ns[slot], slot))
                self._join(older, first + second - older, outcome)

    def _join(self, older: int, younger: int, outcome: Outcome) -> None:
        """Let the older object have all of the younger one."""
        self._arbiter.join(older, younger)
        self._together.inherit(int(self.table.serial[older]), int(self.table.serial[younger]))
        outcome.merged[younger] = older
        outcome.owners[outcome.owners == younger] = older
        self.table.state[younger] = FREE


def _widest(covariances: Array) -> float:
    """Find the largest variance along any axis [m^2]."""
    return float(np.linalg.eigvalsh(covariances)[:, -1].max(initial=0.0))
