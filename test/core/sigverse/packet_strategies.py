# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contents of packets for property tests, drawn by the table of layouts itself."""

from __future__ import annotations

import struct

from hypothesis import strategies as st

from world_model_core.sigverse import objects, primitives
from world_model_core.sigverse.header import Forwarding
from world_model_core.sigverse.layouts import Batches, Parts
from world_model_core.sigverse.packet_types import ForwardFlag
from world_model_core.sigverse.packets import LAYOUTS

TEXTS = st.text(st.characters(min_codepoint=1, exclude_categories=('Cs',)), max_size=20)
REALS = st.floats(allow_nan=False)
PARTS = st.sampled_from(objects.PartShape).flatmap(
    lambda shape: st.builds(
        objects.ObjectPart,
        st.integers(-(2**31), 2**31 - 1),
        st.just(shape),
        TEXTS,
        st.tuples(REALS, REALS, REALS),
        st.tuples(REALS, REALS, REALS, REALS),
        st.tuples(*[REALS] * (3, 2, 1)[shape]),
    )
)
ATTRIBUTES = st.builds(objects.ObjectAttribute, TEXTS, TEXTS, TEXTS | REALS | st.booleans())
OBJECTS = st.builds(
    objects.PacketObject,
    st.integers(-(2**31), 2**31 - 1),
    TEXTS,
    TEXTS,
    st.integers(-(2**15), 2**15 - 1),
    st.integers(0, 2**32 - 1),
    st.lists(ATTRIBUTES, max_size=5).map(tuple),
    st.lists(PARTS, max_size=3).map(tuple),
)


def values(kind):
    """Return a strategy of the values of a kind."""
    if kind is primitives.TEXT:
        return TEXTS
    if kind is primitives.REAL:
        return REALS
    if kind is primitives.FLAG:
        return st.booleans()
    if kind is objects.OBJECT:
        return OBJECTS
    if isinstance(kind, primitives.NumberKind):
        return numbers(kind.layout)
    return compound(kind)


def compound(kind):
    """Return a strategy of the values of a kind that is made of others."""
    if isinstance(kind, primitives.Repeated):
        return st.tuples(*[values(kind.kind)] * kind.count)
    if isinstance(kind, primitives.Listed):
        return st.lists(values(kind.kind), max_size=4).map(tuple)
    if isinstance(kind, primitives.Record):
        return st.builds(kind.made, *map(values, kind.kinds))
    assert isinstance(kind, primitives.Unless | primitives.IfMore), kind
    return st.none() | values(kind.kind)


def numbers(layout):
    """Return all integers that a layout of `struct` has room for."""
    bits = 8 * struct.calcsize(layout)
    if layout[-1].islower():
        return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return st.integers(0, 2**bits - 1)


def contents_of(layout):
    """Return a strategy of the contents of a layout."""
    if isinstance(layout, Batches):
        batches = st.lists(values(layout.kind).filter(bool), min_size=1, max_size=3)
        return st.builds(layout.made, batches.map(lambda each: sum(each, ())))
    kinds = [values(kind) for kind in layout.kinds]
    if isinstance(layout, Parts):
        sizes = st.sampled_from((0, 1, 9_999, 10_000, 10_001, 25_000))
        kinds.append(sizes.map(lambda size: bytes(each % 251 for each in range(size))))
    return st.builds(layout.made, *kinds)


CONTENTS = st.one_of([contents_of(layout) for layout in LAYOUTS.values()])
FORWARDINGS = st.builds(
    Forwarding, st.integers(0, 7).map(ForwardFlag), TEXTS, st.floats(allow_nan=False)
)
