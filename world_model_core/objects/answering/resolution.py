# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Who is meant by a noun phrase, in every possible world at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answering.candidates import Candidates
from world_model_core.objects.answering.nearness import Nearness
from world_model_core.objects.answering.parse_score import PICKING
from world_model_core.objects.answering.phrases import name, say_relation
from world_model_core.objects.answering.picking import pick_first, pick_least
from world_model_core.objects.answering.spatial_relations import Standing
from world_model_core.objects.answering.traits import Traits
from world_model_core.objects.query import Determiner, RelationKind, Superlative

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.posterior_samples import Truth, Worlds
    from world_model_core.objects.query import Description, Relation

# Share of the worlds from which on the strict sense of a relation makes sense of a phrase.
SENSIBLE = 0.5
# What a reading is worth in which a relation is taken loosely, or as far as it can be: near may be
# as far as this [m] from centre to centre, as it is in the largest rooms of VLA-3D.
LOOSE, FORCED = 0.9, 0.4
FAR = 6.0
SIDES = (
    RelationKind.LEFT_OF,
    RelationKind.RIGHT_OF,
    RelationKind.IN_FRONT_OF,
    RelationKind.BEHIND,
)

ROWS = (Superlative.LEFTMOST, Superlative.RIGHTMOST)


class Resolver:
    """
    Resolves the phrases of one question; what several readings share is resolved once.

    Parameters
    ----------
    worlds : Worlds
        Of all objects that any of the phrases may mean.
    robot : array, shape (3,), optional
        Its pose, from where left and right are seen unless a phrase says otherwise.

    Attributes
    ----------
    defaults : dict
        What was assumed since the question does not say it: the keys, in order.

    """

    def __init__(self, worlds: Worlds, robot: Array | None = None) -> None:
        self.worlds, self._robot = worlds, robot
        self._standing, self._nearness = Standing(worlds), Nearness(worlds)
        self._traits = Traits(worlds)
        self._found: dict[Description, Candidates] = {}
        self.defaults: dict[str, None] = {}

    def resolve(self, description: Description) -> Candidates:
        """Find who may be meant."""
        found = self._found.get(description)
        if found is None:
            found = self._found[description] = self._narrow(description)
        return found

    def _narrow(self, description: Description) -> Candidates:
        """Go from the class to what picks among the rest."""
        like = self._of_class(description)
        found = like
        for color in description.colors:
            if not self._traits.is_borne(color, found):
                self._assume(
                    f'no "{description.noun}" is called {color}; what looks most like it is taken'
                )
            found = found.keep(self._traits.of_color(found, color), color)
        for relation in description.relations:
            if relation.kind not in PICKING:
                found = self._related(found, relation, one=_is_one(description))
        if description.size is not None:
            found = found.keep(self._sized(found, like, description), description.size)
        return self._pick(found, description)

    def _pick(self, found: Candidates, description: Description) -> Candidates:
        """Pick among those that all else leaves."""
        if description.superlative is not None:
            fits = self._foremost(found, description.superlative, description)
            found = found.keep(fits, description.superlative.value)
        for relation in description.relations:
            if relation.kind in PICKING:
                fits = self._picked(found, relation, description.number or 1)
                found = found.keep(fits, say_relation(relation))
        if _is_one(description):
            found = self._nearest_of_near(found, description)
        if description.ordinal is not None:
            self._assume(f'"{name(description)}" goes by the order of the ids')
            found = found.keep(pick_first(found.fits, description.ordinal), name(description))
        return found

    def _of_class(self, description: Description) -> Candidates:
        columns = self.worlds.locate(self.worlds.inventory.rows_of(description.labels))
        fits = self.worlds.of_class(description.labels, columns)
        found = Candidates(columns, fits).keep(fits, description.noun)
        if description.region is None:
            return found
        inside = self._traits.in_region(found, description.region)
        return found.keep(found.fits & inside, f'in the {description.region}')

    def _related(self, found: Candidates, relation: Relation, *, one: bool) -> Candidates:
        """
        Keep who stands to the anchors as it must, or as it must not.

        What fits nobody, or hardly anybody, in the strict sense of a relation is taken loosely;
        and the one that is said to be near for the nearest.
        """
        words = say_relation(relation)
        held = self._hold(found, relation, loose=False)
        if relation.negated:
            return found.keep(found.fits & ~held, words)
        strict = found.keep(found.fits & held, words)
        if strict.trail[-1].share >= SENSIBLE:
            return strict
        loose = found.keep(found.fits & self._hold(found, relation, loose=True), words, LOOSE)
        if relation.kind is RelationKind.NEAR and one and loose.trail[-1].share < SENSIBLE:
            distances = self._nearness.distances(found, self.resolve(relation.anchors[0]))
            loose = found.keep(found.fits & (distances <= FAR), words, FORCED)
        if SENSIBLE * loose.trail[-1].share <= strict.trail[-1].share:
            return strict
        self._assume(f'"{words}" is taken loosely')
        return loose

    def _hold(self, found: Candidates, relation: Relation, *, loose: bool) -> Truth:
        """Tell who stands in a relation to any anchor, or to every one where all are meant."""
        anchors = [self.resolve(each) for each in relation.anchors]
        if relation.kind is RelationKind.BETWEEN:
            return self._standing.between(found, anchors[0], anchors[-1], loose=loose)
        return self._standing.related(
            found,
            anchors[0],
            relation.kind,
            inverse=relation.inverse,
            every=relation.anchors[0].determiner is Determiner.ALL,
            loose=loose,
            observer=self._watch(relation.viewpoint) if relation.kind in SIDES else None,
        )

    def _watch(self, viewpoint: Description | None) -> Array:
        """Find from where sides are seen [m], shape (2,) or (S, 2)."""
        if viewpoint is None and self._robot is None:
            self._assume('sides are as seen from the origin of the map, since no place is said')
            return np.zeros(2)
        if viewpoint is None:
            self._assume('sides are as the robot sees them from where it is')
            return np.asarray(self._robot)[:2]
        viewers = self.resolve(viewpoint)
        if not len(viewers.columns):
            return np.full(2, np.nan)
        first = viewers.columns[viewers.fits.argmax(axis=1)]
        worlds = np.arange(self.worlds.count)
        return self.worlds.positions[worlds, first, :2]

    def _assume(self, words: str) -> None:
        self.defaults[words] = None

    def _nearest_of_near(self, found: Candidates, description: Description) -> Candidates:
        """Take the nearest for the one meant where several are near, in a world or in all."""
        for relation in description.relations:
            if relation.kind is RelationKind.NEAR and not relation.negated:
                nearest = self._closest(found, self.resolve(relation.anchors[0]))
                found = found.keep(nearest, say_relation(relation))
        return found

    def _picked(self, found: Candidates, relation: Relation, number: int) -> Truth:
        """Pick who is closest to the anchors, or farthest from the nearest of them, (S, c)."""
        anchors = self.resolve(relation.anchors[0])
        if relation.kind is RelationKind.CLOSEST and relation.rank == number == 1:
            picked = self._closest(found, anchors)
        else:
            measured = self._nearness.distances(found, anchors)
            if relation.kind is RelationKind.FARTHEST:
                measured = np.where(np.isfinite(measured), -measured, np.inf)
            picked = pick_least(found.fits, measured, relation.rank, number)
        return found.fits & ~picked if relation.negated else picked

    def _closest(self, found: Candidates, anchors: Candidates) -> Truth:
        """Pick who is closest to an anchor, shape (S, c); most are too far in all worlds."""
        picked = np.zeros_like(found.fits)
        few = np.flatnonzero(self._nearness.may_be_closest(found, anchors))
        if len(few):
            fits = found.fits[:, few]
            distances = self._nearness.distances(Candidates(found.columns[few], fits), anchors)
            picked[:, few] = pick_least(fits, distances)
        return picked

    def _sized(self, found: Candidates, like: Candidates, description: Description) -> Truth:
        """
        Tell who is big or small among its like, shape (S, c).

        Its like are all of its class; where none of those is among the candidates, it is the
        candidates themselves: "the big chair by the window" may be small elsewhere.
        """
        size, one = description.size or '', not description.plural
        among = self._traits.of_size(like, size, one=one)
        fits = found.fits & among[:, np.isin(like.columns, found.columns)]
        lost = ~fits.any(axis=1)
        fits[lost] = self._traits.of_size(found, size, one=one)[lost]
        return fits

    def _foremost(
        self, found: Candidates, superlative: Superlative, description: Description
    ) -> Truth:
        """Pick by a measure of their own, shape (S, c)."""
        if not len(found.columns):
            return found.fits
        observer = self._watch(None) if superlative in ROWS else None
        measured = self._traits.extremeness(found, superlative, observer)
        return pick_least(found.fits, -measured, description.rank, description.number or 1)


def _is_one(description: Description) -> bool:
    """Tell whether a phrase means one object that is said to be there."""
    return description.determiner is Determiner.THE and not description.plural
