# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Resolution of noun phrases: the objects that a phrase means, in each posterior sample."""

from __future__ import annotations

from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answering.anchor_distances import AnchorDistances
from world_model_core.objects.answering.answer_wording import (
    VIEWED_FROM_ORIGIN,
    VIEWED_FROM_ROBOT,
    carries_by_name,
    loose_relation,
    order_of_ids,
    similar_color,
)
from world_model_core.objects.answering.candidates import Candidates
from world_model_core.objects.answering.object_attributes import ObjectAttributes
from world_model_core.objects.answering.ordinal_selection import select_ordinal, select_ranked
from world_model_core.objects.answering.query_text import noun_text, relation_text
from world_model_core.objects.answering.spatial_relations import SpatialRelations
from world_model_core.objects.labels import normalize_label
from world_model_core.objects.language.inflections import compound_of
from world_model_core.objects.language.spelling import split_words
from world_model_core.objects.query import (
    DISTANCE_RANKS,
    VIEWPOINT_RELATIONS,
    Determiner,
    RelationKind,
    Superlative,
)

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answering.posterior_samples import Mask, PosteriorSamples
    from world_model_core.objects.query import Description, Relation

__all__ = ['PhraseResolver']

# Least share of the samples in which the strict sense of a relation must fit.
SENSIBLE = 0.5
# Score factors of relations in the loose sense, and of "near" up to FAR.
LOOSE, FORCED = 0.9, 0.4
# Probability of a wider sense of a noun if no object with its exact name fits the phrase. People
# describe what exists; the rest is left for objects that the map lacks. An assumption.
UNFIT = 0.8
# Largest distance between centers that can be near [m], as in the largest rooms of VLA-3D.
FAR = 6.0
LATERAL_SUPERLATIVES = (Superlative.LEFTMOST, Superlative.RIGHTMOST)


class PhraseResolver:
    """
    Resolves the phrases of one question; results are shared by its parses.

    Parameters
    ----------
    samples : PosteriorSamples
        Samples of all objects that any phrase may mean.
    robot : array, shape (3,), optional
        Pose of the robot, the default viewpoint for left and right.

    Attributes
    ----------
    defaults : dict
        Assumptions that the question does not state: the keys, in order.

    """

    def __init__(self, samples: PosteriorSamples, robot: Array | None = None) -> None:
        self.samples, self._robot = samples, robot
        self._relations, self._distances = SpatialRelations(samples), AnchorDistances(samples)
        self._attributes = ObjectAttributes(samples)
        self._found: dict[Description, Candidates] = {}
        self.defaults: dict[str, None] = {}

    def resolve(self, description: Description) -> Candidates:
        """Return the candidates of a phrase."""
        found = self._found.get(description)
        if found is None:
            found = self._found[description] = self._join_senses(description)
        return found

    def _join_senses(self, description: Description) -> Candidates:
        """
        Resolve a phrase in all senses of its noun; in each sample, one of them is meant.

        A wider sense is improbable in samples where an object with the exact name fits the whole
        phrase, and probable in the others.
        """
        found, labels = self._narrow(description), description.labels
        for sense in description.senses:
            labels = (*labels, *sense.labels)
            wider = self._narrow(replace(description, labels=labels))
            found = self._widen(found, wider, description.noun, sense.probability)
        if description.probability == 1.0:
            return found
        meant = self.samples.sense_draws(description.noun) < description.probability
        return found.keep(found.fits & meant[:, None], 'of that name')

    def _widen(
        self, found: Candidates, wider: Candidates, noun: str, probability: float
    ) -> Candidates:
        """Use a wider sense of a noun in some of the samples, and in most without a candidate."""
        shares = np.where(found.counts == 0, UNFIT, probability)
        return found.mix(wider, self.samples.sense_draws(noun) < shares)

    def _narrow(self, description: Description) -> Candidates:
        """Apply class, colors, relations, size and selections, in this order."""
        like = self._of_class(description)
        found = like
        for color in description.colors:
            if found.fits.any() and not self._attributes.is_named(color, found):
                self._assume(similar_color(description, color))
            presupposed = not description.plural or description.determiner is Determiner.THE
            fits = self._attributes.of_color(found, color, presupposed=presupposed)
            found = found.keep(fits, color)
        for relation in description.relations:
            if relation.kind not in DISTANCE_RANKS:
                found = self._related(found, relation, one=_is_single(description))
        if description.size is not None:
            found = found.keep(self._has_size(found, like, description), description.size)
        return self._pick(found, description)

    def _pick(self, found: Candidates, description: Description) -> Candidates:
        """Apply superlatives, distance ranks and ordinals to the remaining candidates."""
        if description.superlative is not None:
            fits = self._select_superlative(found, description.superlative, description)
            found = found.keep(fits, description.superlative.value)
        for relation in description.relations:
            if relation.kind in DISTANCE_RANKS:
                fits = self._select_by_distance(found, relation, description.number or 1)
                found = found.keep(fits, relation_text(relation))
        if _is_single(description):
            found = self._keep_nearest(found, description)
        if description.ordinal is not None:
            self._assume(order_of_ids(description))
            found = found.keep(
                select_ordinal(found.fits, description.ordinal), noun_text(description)
            )
        return found

    def _of_class(self, description: Description) -> Candidates:
        columns = self.samples.locate(self.samples.arrays.rows_of(description.labels))
        fits = self.samples.of_class(description.labels, columns)
        found = Candidates(columns, fits).keep(fits, description.noun)
        if description.region is None:
            return found
        inside = self._attributes.in_region(found, description.region)
        return found.keep(found.fits & inside, f'in the {description.region}')

    def _related(self, found: Candidates, relation: Relation, *, one: bool) -> Candidates:
        """
        Keep the candidates that are in a relation to the anchors, or not, if it is negated.

        If the strict sense fits hardly any candidate, the loose sense is used. A single object
        that is said to be near may then also be the nearest one.
        """
        words = relation_text(relation)
        held = self._holds(found, relation, loose=False)
        if relation.negated:
            return found.keep(found.fits & ~held, words)
        strict = found.keep(found.fits & held, words)
        if strict.stages[-1].share >= SENSIBLE:
            return strict
        loose = found.keep(found.fits & self._holds(found, relation, loose=True), words, LOOSE)
        if relation.kind is RelationKind.NEAR and one and loose.stages[-1].share < SENSIBLE:
            distances = self._distances.distances(found, self.resolve(relation.anchors[0]))
            loose = found.keep(found.fits & (distances <= FAR), words, FORCED)
        if SENSIBLE * loose.stages[-1].share <= strict.stages[-1].share:
            return strict
        self._assume(loose_relation(relation))
        return loose

    def _holds(self, found: Candidates, relation: Relation, *, loose: bool) -> Mask:
        """Return which candidates are in a relation to any anchor, or to all of "all" anchors."""
        anchors = [self.resolve(each) for each in relation.anchors]
        if relation.kind is RelationKind.BETWEEN:
            return self._relations.between(found, anchors[0], anchors[-1], loose=loose)
        held = self._relations.holds(
            found,
            anchors[0],
            relation.kind,
            inverse=relation.inverse,
            every=relation.anchors[0].determiner is Determiner.ALL,
            loose=loose,
            observer=self._observer(relation.viewpoint)
            if relation.kind in VIEWPOINT_RELATIONS
            else None,
        )
        return held | self._carries_by_name(found, relation) if relation.inverse else held

    def _carries_by_name(self, found: Candidates, relation: Relation) -> Mask:
        """
        Return which candidates have an anchor in their name that the map lacks, shape (S, c).

        A "tv cabinet" is probably a cabinet with a TV on it, if the map has no TV.
        """
        anchor = relation.anchors[0]
        labels = [normalize_label(each.label) for each in self.samples.objects(found.columns)]
        named = np.array([_is_named_after(label, anchor) for label in labels], dtype=np.bool_)
        lacking = self.resolve(anchor).counts == 0
        lacking &= self.samples.sense_draws(anchor.noun) < UNFIT
        if lacking.any():
            for label in dict.fromkeys(compress(labels, named)):
                self._assume(carries_by_name(relation, label))
        by_name: Mask = lacking[:, None] & named
        return by_name

    def _observer(self, viewpoint: Description | None) -> Array:
        """Return the position of the observer [m], shape (2,) or (S, 2)."""
        if viewpoint is None and self._robot is None:
            self._assume(VIEWED_FROM_ORIGIN)
            return np.zeros(2)
        if viewpoint is None:
            self._assume(VIEWED_FROM_ROBOT)
            return np.asarray(self._robot)[:2]
        viewers = self.resolve(viewpoint)
        if not len(viewers.columns):
            return np.full(2, np.nan)
        first = viewers.columns[viewers.fits.argmax(axis=1)]
        samples = np.arange(self.samples.count)
        return self.samples.positions[samples, first, :2]

    def _assume(self, words: str) -> None:
        self.defaults[words] = None

    def _keep_nearest(self, found: Candidates, description: Description) -> Candidates:
        """Keep the nearest candidate if a single object is said to be near and several are."""
        for relation in description.relations:
            if relation.kind is RelationKind.NEAR and not relation.negated:
                nearest = self._closest(found, self.resolve(relation.anchors[0]))
                found = found.keep(nearest, relation_text(relation))
        return found

    def _select_by_distance(self, found: Candidates, relation: Relation, number: int) -> Mask:
        """Select the candidates closest to, or farthest from, their nearest anchor, (S, c)."""
        anchors = self.resolve(relation.anchors[0])
        if relation.kind is RelationKind.CLOSEST and relation.rank == number == 1:
            picked = self._closest(found, anchors)
        else:
            measured = self._distances.distances(found, anchors)
            if relation.kind is RelationKind.FARTHEST:
                measured = np.where(np.isfinite(measured), -measured, np.inf)
            picked = select_ranked(found.fits, measured, relation.rank, number)
        return found.fits & ~picked if relation.negated else picked

    def _closest(self, found: Candidates, anchors: Candidates) -> Mask:
        """Select the closest candidate, shape (S, c); most are excluded by bounds."""
        picked = np.zeros_like(found.fits)
        few = np.flatnonzero(self._distances.may_be_closest(found, anchors))
        if len(few):
            fits = found.fits[:, few]
            distances = self._distances.distances(Candidates(found.columns[few], fits), anchors)
            picked[:, few] = select_ranked(fits, distances)
        return picked

    def _has_size(self, found: Candidates, like: Candidates, description: Description) -> Mask:
        """
        Return which candidates are big or small, shape (S, c).

        They are compared with all objects of their class. If none of those candidates is left,
        they are compared with each other: "the big chair by the window" may be small elsewhere.
        """
        size, one = description.size or '', not description.plural
        among = self._attributes.of_size(like, size, one=one)
        fits = found.fits & among[:, np.isin(like.columns, found.columns)]
        lost = ~fits.any(axis=1)
        fits[lost] = self._attributes.of_size(found, size, one=one)[lost]
        return fits

    def _select_superlative(
        self, found: Candidates, superlative: Superlative, description: Description
    ) -> Mask:
        """Select the candidates with the highest measure, shape (S, c)."""
        if not len(found.columns):
            return found.fits
        observer = self._observer(None) if superlative in LATERAL_SUPERLATIVES else None
        measured = self._attributes.extremeness(found, superlative, observer)
        return select_ranked(found.fits, -measured, description.rank, description.number or 1)


def _is_named_after(label: str, anchor: Description) -> bool:
    """Check whether a label is a compound with a noun: "tv cabinet", "bowl of apples"."""
    words = compound_of(tuple(split_words(label)))
    names = (compound_of(tuple(split_words(name))) for name in anchor.labels)
    return any(name == words[: len(name)] != words for name in names)


def _is_single(description: Description) -> bool:
    """Check whether a phrase presupposes exactly one object."""
    return description.determiner is Determiner.THE and not description.plural
