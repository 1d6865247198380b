# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""From a question and a scene to an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.answer import NoAnswer
from world_model_core.objects.answering.inventory import Inventory
from world_model_core.objects.answering.parse_score import choose, phrases_of, score, weigh
from world_model_core.objects.answering.posterior_samples import WORLDS, Worlds
from world_model_core.objects.answering.replies import (
    count,
    missing_of,
    refer,
    say_others,
    say_unclear,
)
from world_model_core.objects.answering.resolution import Resolver
from world_model_core.objects.language import Lexicon, read
from world_model_core.objects.navigation.ground import Ground, ground_of
from world_model_core.objects.navigation.route_planner import plan
from world_model_core.objects.query import Count, Determiner, Reference
from world_model_core.objects.relations.boxes import boxes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array
    from world_model_core.objects.answer import Answer, Scene
    from world_model_core.objects.answering.replies import Reply
    from world_model_core.objects.language.translations import Translations
    from world_model_core.objects.query import Query, Reading
    from world_model_core.objects.values import MapObject

__all__ = ['Answerer']

# Ways to attach the phrases of one question that are tried, the likeliest first.
MOST_READINGS = 16


class Answerer:
    """
    Answers questions; what it makes of a scene's objects serves the next question, too.

    Parameters
    ----------
    worlds : int
        Possible worlds in which a question is answered, where anything is uncertain.
    translations : Translations, optional
        Japanese words of one's own, beside those that are known.

    """

    def __init__(self, worlds: int = WORLDS, translations: Translations | None = None) -> None:
        self._worlds, self._translations = worlds, translations
        self._objects: tuple[MapObject, ...] | None = None
        self._words: tuple[frozenset[str], frozenset[str]] | None = None
        self._ground: Ground | None = None
        self._floor: Array | None = None
        self._take_in(())

    def answer(self, text: str, scene: Scene) -> Answer:
        """
        Answer a question.

        Parameters
        ----------
        text : str
            In English or Japanese.
        scene : Scene

        Returns
        -------
        Answer
            `NoAnswer` when the text cannot be read, or speaks of what is not in the map.

        """
        return self.reply(self.read(text, scene), scene)

    def read(self, text: str, scene: Scene) -> Reading:
        """Read a question with the words of a scene."""
        self._take_in(scene.objects)
        return read(text, self._lexicon)

    def reply(self, reading: Reading, scene: Scene) -> Answer:
        """Answer what was read of a question."""
        self._take_in(scene.objects)
        queries = tuple(_count_all(query) for query in reading.queries[:MOST_READINGS])
        if not queries:
            return NoAnswer(None, reading.understood, reading.missing)
        resolver = self._make_resolver(queries, scene.robot)
        best = choose([score(query, resolver) for query in queries])
        missing = missing_of(queries[best], resolver)
        if missing:
            return NoAnswer(queries[best], reading.understood, missing)
        answer = self._find_answer(queries[best], resolver, scene)
        others = (query for query in queries if query is not queries[best])
        notes = (*_say_corrections(reading), *answer.notes, *resolver.defaults)
        notes += tuple(say_unclear(queries[best], resolver))
        return replace(answer, notes=(*notes, *say_others(answer, others, resolver)))

    def _find_answer(self, query: Query, resolver: Resolver, scene: Scene) -> Reply:
        weights = weigh(query, resolver)
        if isinstance(query, Count):
            return count(query, resolver, weights)
        if isinstance(query, Reference):
            return refer(query, resolver, weights)
        return plan(query, resolver, weights, self._ground_of(scene), scene.robot)

    def _ground_of(self, scene: Scene) -> Ground:
        """Find where the robot can drive, unless nothing has changed since it was found last."""
        if self._ground is None or self._floor is not scene.traversable:
            self._floor = scene.traversable
            self._ground = ground_of(
                self._inventory.objects, self._boxes, scene.traversable, scene.robot
            )
        return self._ground

    def _take_in(self, objects: tuple[MapObject, ...]) -> None:
        """Prepare for questions about objects, unless the last question was about the same."""
        if objects is self._objects:
            return
        self._objects, self._inventory = objects, Inventory(objects)
        self._boxes = boxes_of(self._inventory.objects)
        self._ground = None
        names = frozenset(self._inventory.labels)
        rooms = frozenset(each.region for each in objects if each.region is not None)
        if (names, rooms) != self._words:
            self._words = names, rooms
            self._lexicon = Lexicon(sorted(names), (), sorted(rooms), self._translations)

    def _make_resolver(self, queries: tuple[Query, ...], robot: Array | None) -> Resolver:
        """Draw the worlds of all objects that any of the readings speaks of."""
        phrases = {phrase for query in queries for phrase in phrases_of(query)}
        spoken = sorted({phrase.labels for phrase in phrases})
        rows = [self._inventory.rows_of(labels) for labels in spoken]
        touched = np.unique(np.concatenate(rows))
        vague = any(phrase.colors for phrase in phrases)
        worlds = Worlds(self._inventory, self._boxes, touched, self._worlds, vague=vague)
        return Resolver(worlds, robot)


def _count_all(query: Query) -> Query:
    """Let what is counted be any number of things, in languages without a plural, too."""
    if not isinstance(query, Count):
        return query
    return Count(replace(query.target, plural=True, determiner=Determiner.ANY))


def _say_corrections(reading: Reading) -> Iterator[str]:
    for written, meant in reading.corrections:
        yield f'"{written}" was taken for "{meant}"'
