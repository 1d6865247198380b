# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The spatial index finds nearby objects after any changes of the map."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from world_model_core.objects.mapping.gating import SLACK, SpatialIndex


@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
@settings(deadline=None, max_examples=40)
def test_nothing_near_is_missed_after_any_changes(seed, rounds):
    """All objects within the radius are found once, and no removed or distant ones."""
    random = np.random.default_rng(seed)
    index, positions = SpatialIndex(), {}
    for _ in range(rounds):
        slots = random.choice(600, random.integers(1, 300), replace=False)
        places = random.uniform(0.0, 5.0, (len(slots), 3))
        index.place(slots, places)
        positions.update(zip(slots.tolist(), places, strict=True))
        gone = [slot for slot in positions if random.random() < 0.2]
        index.remove(np.array(gone, dtype=np.intp))
        for slot in gone:
            del positions[slot]
        moved = np.array([slot for slot in positions if random.random() < 0.5], dtype=np.intp)
        for slot in moved.tolist():
            positions[slot] = positions[slot] + random.normal(0.0, 0.05, 3)
        index.place(moved, np.array([positions[slot] for slot in moved.tolist()]).reshape(-1, 3))
        asked = random.uniform(0.0, 5.0, (5, 3))
        radii = random.uniform(0.1, 2.0, 5)
        pairs = list(zip(*(each.tolist() for each in index.near(asked, radii)), strict=True))
        assert len(pairs) == len(set(pairs))
        distances = {
            (row, slot): np.linalg.norm(place - asked[row])
            for row in range(5)
            for slot, place in positions.items()
        }
        found = set(pairs)
        assert found >= {key for key, distance in distances.items() if distance <= radii[key[0]]}
        assert all(distances[key] <= radii[key[0]] + 2.0 * SLACK for key in found)


def test_an_empty_index_finds_nothing():
    """An empty index returns nothing, and queries without places are allowed."""
    index = SpatialIndex()
    assert len(index.near(np.zeros((2, 3)), 1.0).slots) == 0
    assert len(index.near(np.zeros((0, 3)), 1.0).slots) == 0
