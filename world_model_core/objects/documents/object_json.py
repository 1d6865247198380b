# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of one object to JSON values and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.objects.documents.json_fields import (
    Members,
    ObjectMapError,
    covariance,
    integer,
    items,
    number,
    position,
    share,
    shown,
    size,
    text,
    texts,
    vector,
)
from world_model_core.objects.values import UNKNOWN, MapObject, ObjectState, Swatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from world_model_core.gaussian import Array

# Tolerance of the sum of shares and probabilities, which may be rounded to two digits.
ROUNDED = 0.01
_STATES = {state.value: state for state in ObjectState if state is not ObjectState.DELETED}


def read_object(key: str, value: Any, path: str) -> MapObject:
    """
    Read an object; `check_definite` checks its covariance.

    Raises
    ------
    ObjectMapError
        The message has the path below `path`, the value and the rule.

    """
    members = Members(value, path)
    colors, unknown = members.take('attributes', _attributes) or ((), {})
    confidence = members.take('confidence', share)
    first, last = (members.take(f'{name}_seen_ns', integer) for name in ('first', 'last'))
    if first is not None and last is not None and last < first:
        raise ObjectMapError(f'{path}.last_seen_ns is {last}; it was first seen at {first}')
    return MapObject(
        id=text(key, f'{path} as an id'),
        label=members.need('class', text),
        position=members.need('position', position),
        covariance=_position_uncertainty(members),
        size=members.take('size', size),
        heading=members.take('heading', number),
        colors=colors,
        classes=members.take('classes', _classes) or {},
        aliases=members.take('aliases', texts) or (),
        region=members.take('region', text),
        confidence=1.0 if confidence is None else confidence,
        hits=members.take('hits', integer) or 0,
        misses=members.take('misses', integer) or 0,
        first_seen_ns=first,
        last_seen_ns=last,
        state=members.take('state', _state) or ObjectState.CONFIRMED,
        extra={**members.rest, **({'attributes': unknown} if unknown else {})},
    )


def _position_uncertainty(members: Members) -> Array:
    """Read the covariance under its name, or under the shorter name that some detectors write."""
    name, other = 'position_uncertainty', 'uncertainty'
    if other not in members.rest:
        return members.need(name, covariance)
    if name in members.rest:
        raise ObjectMapError(f'{members.path(other)} and {name} are both given; remove one')
    return members.need(other, covariance)


def _attributes(value: Any, path: str) -> tuple[tuple[Swatch, ...], dict[str, Any]]:
    members = Members(value, path)
    name = members.take('color', text)
    colors = members.take('colors', _colors) or ()
    if not colors and name not in {None, UNKNOWN}:
        colors = (Swatch(str(name), 1.0),)
    main = colors[0].name if colors else UNKNOWN
    if name not in {None, main}:
        raise ObjectMapError(
            f'{members.path("color")} is {shown(name)}; it must be the first of colors, {main!r}'
        )
    return colors, members.rest


def _colors(value: Any, path: str) -> tuple[Swatch, ...]:
    colors = tuple(
        _swatch(item, f'{path}[{index}]') for index, item in enumerate(items(value, path))
    )
    _check_sum([swatch.share for swatch in colors], f'{path}: the sum of its shares')
    return colors


def _swatch(value: Any, path: str) -> Swatch:
    members = Members(value, path)
    return Swatch(
        name=members.need('name', text),
        share=members.need('share', share),
        rgb=members.take('rgb', _rgb),
        extra=members.rest,
    )


def _rgb(value: Any, path: str) -> tuple[float, float, float]:
    return vector(value, path, 0.0, 255.0)


def _classes(value: Any, path: str) -> dict[str, float]:
    members = Members(value, path)
    classes = {
        text(key, f'{path}: a key'): share(item, members.path(key))
        for key, item in members.rest.items()
    }
    _check_sum(classes.values(), f'{path}: the sum of its probabilities')
    return classes


def _check_sum(shares: Iterable[float], name: str) -> None:
    total = sum(shares)
    if total > 1.0 + ROUNDED:
        raise ObjectMapError(f'{name} is {total:g}; it must not be above 1')


def _state(value: Any, path: str) -> ObjectState:
    state = _STATES.get(value) if isinstance(value, str) else None
    if state is None:
        raise ObjectMapError(f'{path} is {shown(value)}; it must be one of {", ".join(_STATES)}')
    return state


def object_document(thing: MapObject) -> dict[str, Any]:
    """Convert one object to JSON values; unknown values are omitted, except the color."""
    attributes: dict[str, Any] = {'color': thing.color}
    if thing.colors and thing.colors != (Swatch(thing.color, 1.0),):
        attributes['colors'] = [_swatch_document(swatch) for swatch in thing.colors]
    optional = {
        'size': None if thing.size is None else thing.size.tolist(),
        'heading': None if thing.heading is None else float(thing.heading),
        'classes': {label: _part(value) for label, value in thing.classes.items()} or None,
        'aliases': list(thing.aliases) or None,
        'region': thing.region,
        'first_seen_ns': None if thing.first_seen_ns is None else int(thing.first_seen_ns),
        'last_seen_ns': None if thing.last_seen_ns is None else int(thing.last_seen_ns),
    }
    known = {
        'class': thing.label,
        'position': thing.position.tolist(),
        'position_uncertainty': thing.covariance.tolist(),
        'attributes': with_unknown(attributes, thing.extra.get('attributes', {})),
        'state': thing.state.value,
        'confidence': _part(thing.confidence),
        'hits': int(thing.hits),
        'misses': int(thing.misses),
        **{key: value for key, value in optional.items() if value is not None},
    }
    return with_unknown(known, thing.extra)


def _swatch_document(swatch: Swatch) -> dict[str, Any]:
    known: dict[str, Any] = {'name': swatch.name, 'share': _part(swatch.share)}
    if swatch.rgb is not None:
        known['rgb'] = [float(value) for value in swatch.rgb]
    return with_unknown(known, swatch.extra)


def _part(value: float) -> float:
    """Return a fraction, at most 1.0 in spite of rounding."""
    return min(float(value), 1.0)


def with_unknown(known: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Add unknown keys; they never replace known ones."""
    return {**known, **{key: value for key, value in extra.items() if key not in known}}
