# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of objects between the table and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.objects.mapping.detection_fusion import heading_of
from world_model_core.objects.mapping.label_model import EMPTY
from world_model_core.objects.mapping.object_table import (
    COLORS,
    CONFIRMED,
    FREE,
    LABELS,
    MISSING,
    NEVER,
    TENTATIVE,
)
from world_model_core.objects.values import MapObject, ObjectState, Swatch

if TYPE_CHECKING:
    from world_model_core.objects.mapping.label_model import LabelModel, LabelVocabulary
    from world_model_core.objects.mapping.object_table import ObjectTable
    from world_model_core.objects.mapping.parameters import ObjectMapParameters

CODES = {
    ObjectState.TENTATIVE: TENTATIVE,
    ObjectState.CONFIRMED: CONFIRMED,
    ObjectState.MISSING: MISSING,
}
# Objects that are being deleted have left their state.
STATES = {FREE: ObjectState.DELETED, **{code: state for state, code in CODES.items()}}
# Classes with lower probabilities are omitted.
MIN_CLASS_PROBABILITY = 1e-4


def write_object(
    table: ObjectTable,
    slot: int,
    *,
    name: str,
    confidence: float,
    words: tuple[LabelVocabulary, LabelVocabulary],
    model: LabelModel,
    origin: MapObject | None,
) -> MapObject:
    """
    Convert an object of the table to a value.

    Parameters
    ----------
    table : ObjectTable
    slot : int
    name : str
        Its id.
    confidence : float
    words : (LabelVocabulary, LabelVocabulary)
        Labels and colors.
    model : LabelModel
    origin : MapObject, optional
        The object as it was restored; provides what detections do not contain.

    """
    labels, colors = words
    classes = _classes(table, slot, labels, model)
    known = bool((table.size_information[slot] > 0.0).all())
    first, last = int(table.first_ns[slot]), int(table.last_ns[slot])
    return MapObject(
        id=name,
        label=next(iter(classes)),
        position=table.position[slot].copy(),
        covariance=table.spread(np.array((slot,)))[0],
        size=table.size[slot].copy() if known else None,
        heading=heading_of(table.turn[slot], table.axis[slot]),
        colors=_swatches(table, slot, colors, origin),
        classes=classes,
        aliases=origin.aliases if origin else (),
        region=origin.region if origin else None,
        confidence=confidence,
        hits=round(float(table.hits[slot])),
        misses=int(table.misses[slot]),
        first_seen_ns=None if first == NEVER else first,
        last_seen_ns=None if last == NEVER else last,
        state=STATES[int(table.state[slot])],
        extra=origin.extra if origin else {},
    )


def _classes(
    table: ObjectTable, slot: int, labels: LabelVocabulary, model: LabelModel
) -> dict[str, float]:
    """Return the class probabilities of an object, most likely first."""
    known = table.labels[slot] != EMPTY
    numbers, counts = table.labels[slot][known], table.counts[slot][known]
    shares = model.posterior(counts)
    order = np.lexsort((numbers, -shares))
    pairs = [(labels.words[numbers[i]], float(shares[i])) for i in order.tolist()]
    return dict(pairs[:1] + [pair for pair in pairs[1:] if pair[1] >= MIN_CLASS_PROBABILITY])


def _swatches(
    table: ObjectTable, slot: int, colors: LabelVocabulary, origin: MapObject | None
) -> tuple[Swatch, ...]:
    """Return the colors of an object, most frequent first."""
    known = table.colors[slot] != EMPTY
    numbers, counts = table.colors[slot][known], table.color_counts[slot][known]
    values = {each.name: each.rgb for each in origin.colors} if origin else {}
    order = np.lexsort((numbers, -counts)).tolist()
    total = float(counts.sum())
    names = [colors.words[numbers[i]] for i in order]
    return tuple(
        Swatch(name, float(counts[i]) / total, values.get(name))
        for name, i in zip(names, order, strict=True)
    )


def restore_object(
    table: ObjectTable,
    slot: int,
    restored: MapObject,
    *,
    words: tuple[LabelVocabulary, LabelVocabulary],
    parameters: ObjectMapParameters,
    evidence: float,
) -> None:
    """
    Write a restored object into a blank slot.

    Parameters
    ----------
    table : ObjectTable
    slot : int
    restored : MapObject
    words : (LabelVocabulary, LabelVocabulary)
        Labels and colors.
    parameters : ObjectMapParameters
    evidence : float
        Log-odds of an object that is certain.

    """
    labels, colors = words
    table.state[slot] = CODES[restored.state]
    table.position[slot] = restored.position
    floor = parameters.least_std**2 * np.eye(3)
    table.covariance[slot] = restored.covariance + (floor if not restored.covariance.any() else 0)
    information = np.linalg.inv(table.covariance[slot])
    table.prior_information[slot] = information
    table.prior_vector[slot] = information @ restored.position
    table.hits[slot] = table.prior_hits[slot] = max(restored.hits, 1)
    table.reassigned_hits[slot] = table.hits[slot]
    table.misses[slot] = restored.misses
    _restore_classes(table, slot, restored, labels)
    _restore_shape(table, slot, restored, parameters)
    for column, swatch in enumerate(restored.colors[:COLORS]):
        table.colors[slot, column] = colors.number((swatch.name,))[0]
        table.color_counts[slot, column] = swatch.share * max(restored.hits, 1)
    first, last = restored.first_seen_ns, restored.last_seen_ns
    table.first_ns[slot] = NEVER if first is None else first
    table.last_ns[slot] = NEVER if last is None else last
    chance = min(max(restored.confidence, 1e-6), 1.0 - 1e-6)
    association_model = min(float(np.log(chance / (1.0 - chance))), evidence)
    table.presence[slot] = table.existence[slot] = association_model


def _restore_classes(
    table: ObjectTable, slot: int, restored: MapObject, labels: LabelVocabulary
) -> None:
    """Initialize the label histogram from the class probabilities and hits of an object."""
    classes = dict(restored.classes) or {restored.label: 1.0}
    likeliest = sorted(classes, key=lambda label: (label != restored.label, -classes[label]))
    for column, label in enumerate(likeliest[:LABELS]):
        table.labels[slot, column] = labels.number((label,))[0]
        table.counts[slot, column] = classes[label] * max(restored.hits, 1)
    table.prior_labels[slot] = table.labels[slot]
    table.prior_counts[slot] = table.counts[slot]


def _restore_shape(
    table: ObjectTable, slot: int, restored: MapObject, parameters: ObjectMapParameters
) -> None:
    """Initialize size and heading as if each hit had shown them."""
    weight = max(restored.hits, 1)
    if restored.size is not None:
        table.size[slot] = restored.size
        noise = (parameters.size_error * restored.size) ** 2 + parameters.least_std**2
        table.size_information[slot] = weight / noise
    if restored.heading is not None:
        angles = restored.heading * np.array((1.0, 2.0))
        vectors = weight * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
        table.turn[slot], table.axis[slot] = vectors
