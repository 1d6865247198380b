# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Answerer of questions about a scene."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import NoAnswer
from world_model_core.objects.answering.answer_anchors import find_anchors
from world_model_core.objects.answering.answer_wording import corrected_word
from world_model_core.objects.answering.instruction_answers import answer_instruction
from world_model_core.objects.answering.object_arrays import ObjectArrays
from world_model_core.objects.answering.parse_score import (
    best_parse,
    parse_score,
    query_phrases,
    sample_weights,
)
from world_model_core.objects.answering.phrase_notes import phrase_notes
from world_model_core.objects.answering.phrase_resolution import PhraseResolver
from world_model_core.objects.answering.posterior_samples import SAMPLES, PosteriorSamples
from world_model_core.objects.answering.query_answers import (
    ambiguous_anchor_notes,
    answer_count,
    answer_reference,
    missing_objects,
    other_parse_notes,
)
from world_model_core.objects.language import Lexicon, parse_question
from world_model_core.objects.navigation.costmap import Costmap, make_costmap
from world_model_core.objects.query import CountQuery, Determiner, ReferenceQuery
from world_model_core.objects.relations.boxes import boxes_of

if TYPE_CHECKING:
    from world_model_core.gaussian import Array
    from world_model_core.objects.answer import Answer, Scene
    from world_model_core.objects.answering.query_answers import QueryAnswer
    from world_model_core.objects.language.translations import Translations
    from world_model_core.objects.query import Description, Parse, Query
    from world_model_core.objects.values import MapObject

__all__ = ['Answerer']

# Number of possible meanings of one question that are evaluated, most probable first.
MOST_PARSES = 16


class Answerer:
    """
    Answers questions; data prepared for a scene is reused for the next question about it.

    Parameters
    ----------
    samples : int
        Posterior samples in which a question is answered if anything is uncertain.
    translations : Translations, optional
        Japanese nouns in addition to the built-in ones.

    """

    def __init__(self, samples: int = SAMPLES, translations: Translations | None = None) -> None:
        self._sample_count, self._translations = samples, translations
        self._objects: tuple[MapObject, ...] | None = None
        self._names: tuple[frozenset[str], frozenset[str]] | None = None
        self._costmap: Costmap | None = None
        self._floor: Array | None = None
        self._prepare(())

    def answer(self, text: str, scene: Scene) -> Answer:
        """
        Answer a question.

        Parameters
        ----------
        text : str
            A question in English or Japanese.
        scene : Scene

        Returns
        -------
        Answer
            `NoAnswer` if the text cannot be parsed or refers to objects that are not in the map.

        """
        return self.answer_parse(self.parse(text, scene), scene)

    def parse(self, text: str, scene: Scene) -> Parse:
        """Parse a question with the vocabulary of a scene."""
        self._prepare(scene.objects)
        return parse_question(text, self._lexicon)

    def answer_parse(self, parse: Parse, scene: Scene) -> Answer:
        """Answer a parsed question."""
        self._prepare(scene.objects)
        queries = tuple(_count_all(query) for query in parse.queries[:MOST_PARSES])
        if not queries:
            return NoAnswer(None, parse.understood, parse.missing)
        resolver = self._make_resolver(queries, scene.robot)
        best = best_parse([parse_score(query, resolver) for query in queries])
        missing = missing_objects(queries[best], resolver)
        if missing:
            return NoAnswer(queries[best], parse.understood, missing)
        answer = self._find_answer(queries[best], resolver, scene)
        others = (query for query in queries if query is not queries[best])
        corrections = (corrected_word(written, meant) for written, meant in parse.corrections)
        notes = (*corrections, *answer.notes, *resolver.defaults)
        notes += phrase_notes(queries[best], resolver)
        notes += tuple(ambiguous_anchor_notes(queries[best], resolver))
        notes += tuple(other_parse_notes(answer, others, resolver))
        return replace(answer, notes=notes, anchors=find_anchors(queries[best], resolver))

    def _find_answer(self, query: Query, resolver: PhraseResolver, scene: Scene) -> QueryAnswer:
        weights = sample_weights(query, resolver)
        if isinstance(query, CountQuery):
            return answer_count(query, resolver, weights)
        if isinstance(query, ReferenceQuery):
            return answer_reference(query, resolver, weights)
        return answer_instruction(query, resolver, weights, self._costmap_of(scene), scene.robot)

    def _costmap_of(self, scene: Scene) -> Costmap:
        """Return the costmap of a scene; it is computed again only if the scene has changed."""
        if self._costmap is None or self._floor is not scene.traversable:
            self._floor = scene.traversable
            self._costmap = make_costmap(
                self._arrays.objects, self._boxes, scene.traversable, scene.robot
            )
        return self._costmap

    def _prepare(self, objects: tuple[MapObject, ...]) -> None:
        """Prepare arrays and vocabulary for the objects of a scene, if they are new."""
        if objects is self._objects:
            return
        self._objects, self._arrays = objects, ObjectArrays(objects)
        self._boxes = boxes_of(self._arrays.objects)
        self._costmap = None
        names = frozenset(self._arrays.labels)
        rooms = frozenset(each.region for each in objects if each.region is not None)
        if (names, rooms) != self._names:
            self._names = names, rooms
            self._lexicon = Lexicon(sorted(names), (), sorted(rooms), self._translations)

    def _make_resolver(self, queries: tuple[Query, ...], robot: Array | None) -> PhraseResolver:
        """Sample all objects that any meaning of the question refers to."""
        phrases = {phrase for query in queries for phrase in query_phrases(query)}
        spoken = sorted({phrase.all_labels for phrase in phrases})
        rows = [self._arrays.rows_of(labels) for labels in spoken]
        touched = np.unique(np.concatenate(rows))
        ambiguous = any(_is_ambiguous(phrase, self._arrays.labels) for phrase in phrases)
        samples = PosteriorSamples(
            self._arrays, self._boxes, touched, self._sample_count, ambiguous=ambiguous
        )
        return PhraseResolver(samples, robot)


def _is_ambiguous(phrase: Description, known: frozenset[str]) -> bool:
    """Check whether a phrase is uncertain by itself: colors, senses, or anchors by name."""
    by_name = any(
        relation.inverse and not known.issuperset(relation.anchors[0].labels)
        for relation in phrase.relations
    )
    return bool(phrase.colors or phrase.senses or phrase.probability < 1.0 or by_name)


def _count_all(query: Query) -> Query:
    """Allow any number of objects, also in languages without a plural."""
    if not isinstance(query, CountQuery):
        return query
    return CountQuery(replace(query.target, plural=True, determiner=Determiner.ANY))
