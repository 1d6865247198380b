# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Explanation why no object of the map fits a phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.answering.answer_wording import no_object, none_left

if TYPE_CHECKING:
    from world_model_core.objects.answering.phrase_resolution import PhraseResolver
    from world_model_core.objects.query import Description

__all__ = ['explain_no_match']


def explain_no_match(description: Description, resolver: PhraseResolver) -> str | None:
    """
    Return which part of a phrase fits no object in any sample; None if the phrase fits an object.

    A missing anchor is reported first: it explains more than a relation without result.
    """
    found = resolver.resolve(description)
    if found.fits.any():
        return None
    for relation in description.relations:
        for anchor in relation.anchors:
            reason = explain_no_match(anchor, resolver)
            if reason is not None:
                return reason
    return _empty_stage_text(description, resolver)


def _empty_stage_text(description: Description, resolver: PhraseResolver) -> str:
    stages = resolver.resolve(description).stages
    if not stages[0].share:
        return no_object(description)
    empty = next(index for index, stage in enumerate(stages) if not stage.share)
    left = ' '.join(stage.words for stage in stages[1:empty])
    return none_left(description, stages[empty - 1].most, left, stages[empty].words)
