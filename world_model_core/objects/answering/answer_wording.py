# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Wording of the notes in answers: assumptions, other meanings, and what is missing or ambiguous.

The notes of routes are in `navigation/route_planner`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.objects.answering.query_text import (
    noun_text,
    object_text,
    phrase_text,
    query_text,
    relation_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.objects.query import Description, Query, Relation
    from world_model_core.objects.values import MapObject

# Number of equally probable objects that a note names.
NAMED = 5
VIEWED_FROM_ORIGIN = 'left, right, front and back are as seen from the origin of the map'
VIEWED_FROM_ROBOT = 'left, right, front and back are as seen from the robot'
UNKNOWN_START = 'the position of the robot is unknown: the route starts at its first goal'


def corrected_word(written: str, meant: str) -> str:
    """Note that a misspelled word was corrected."""
    return f'"{written}" was read as "{meant}"'


def other_meaning(query: Query, outcome: Sequence[str]) -> str:
    """Note another meaning of the question, and its answer."""
    return f'if it means "{query_text(query)}", the answer is {", ".join(outcome)}'


def plural_phrase(description: Description) -> str:
    """Note that one object is the answer to a plural."""
    words = phrase_text(description)
    return f'"{words}" is plural: the answer is the most probable object, then the others'


def equal_objects(description: Description, count: int) -> str:
    """Note the number of objects that fit a phrase equally."""
    return f'"{phrase_text(description)}" fits {count} objects equally'


def named_equal_objects(description: Description, objects: Sequence[MapObject]) -> str:
    """Note the objects that fit a phrase equally."""
    named = ', '.join(object_text(each) for each in objects[:NAMED])
    more = f' and {len(objects) - NAMED} more' if len(objects) > NAMED else ''
    return f'{equal_objects(description, len(objects))}: {named}{more}'


def several_anchors(description: Description, count: float) -> str:
    """Note the number of objects that a relation may refer to."""
    words = phrase_text(description)
    return f'"{words}" fits {count:.0f} objects: any of them may be the anchor'


def similar_color(description: Description, color: str) -> str:
    """Note that no object has the name of a color."""
    return f'no "{description.noun}" is named {color}; the most similar color is used'


def other_names(description: Description, names: Sequence[str], *, only: bool) -> str:
    """Note labels that a noun may mean, though none of them is its name."""
    words = ', '.join(f'"{name}"' for name in names)
    verb = 'is interpreted as' if only else 'may also mean'
    return f'"{description.noun}" {verb} {words}'


def unknown_attribute(description: Description, attribute: str, unknown: int, count: int) -> str:
    """Note of how many candidates an attribute is unknown."""
    return f'the {attribute} is unknown for {unknown} of {count} "{phrase_text(description)}"'


def order_of_ids(description: Description) -> str:
    """Note the order in which objects are counted."""
    return f'"{noun_text(description)}" is counted in the order of the ids'


def loose_relation(relation: Relation) -> str:
    """Note that the strict sense of a relation fits hardly any object."""
    return f'"{relation_text(relation)}" is interpreted loosely'


def carries_by_name(relation: Relation, label: str) -> str:
    """Note that a relation follows from the name of an object alone."""
    return f'"{relation_text(relation)}" follows from the name "{label}"'


def no_object(description: Description) -> str:
    """Note that no object has the class of a phrase."""
    return f'no "{description.noun}" in the map'


def none_left(description: Description, count: int, selected: str, wanted: str) -> str:
    """Note that none of `count` objects, narrowed down by the words `selected`, is `wanted`."""
    among = f'{count} of "{description.noun}"' + (f' {selected}' if selected else '')
    return f'{among}, none {wanted}'


def no_rooms(description: Description) -> str:
    """Note that objects in a room cannot be counted."""
    return f'objects in the {description.region}: the map has no rooms'


def nothing_to_avoid(description: Description) -> str:
    """Note that no object fits a phrase that names what is to be avoided."""
    return f'there is no "{phrase_text(description)}" in the map to avoid'


def entered_zone(zone: str) -> str:
    """Note that the route crosses a zone that is to be avoided."""
    return f'the route cannot keep clear of {zone}'
