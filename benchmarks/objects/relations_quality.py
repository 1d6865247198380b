# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Agreement of relations with VLA-3D's scene graphs, and their calibration on noisy maps.

The first part uses the scenes in the data folder, the second simulated houses whose objects have
a known standard deviation. Objects are sampled from their distribution; the share of samples in
which a relation holds is its probability.
"""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.match.recording import RECORDINGS
from world_model_core.evaluation.objects.scene_graphs import PAIRWISE, compare, parse_scene_graph
from world_model_core.objects.relations import pairwise_relations as relations
from world_model_core.objects.relations.boxes import boxes_of
from world_model_core.simulation.house.house_generator import generate_house

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from world_model_core.evaluation.objects.scene_graphs import SceneGraphRoom
    from world_model_core.gaussian import Array
    from world_model_core.objects.query import RelationKind
    from world_model_core.objects.relations.boxes import Boxes

SCENES = RECORDINGS / 'vla' / 'vla3d'
DEVIATIONS = (0.02, 0.05, 0.1, 0.3)
DRAWS = 64
# Pairs with a lower probability are left out; nearly all pairs are.
POSSIBLE = 0.02
BINS = 10


def measure(seeds: Sequence[int] = range(6), folder: Path = SCENES) -> dict[str, Any]:
    """Compare with all scene graphs in a folder, and with houses of these seeds."""
    graphs = sorted(folder.glob('*/*_scene_graph.json*'))
    rooms = [room for path in graphs for room in _read(path)]
    return {
        'scenes': len(graphs),
        'scene graphs': {
            name: {
                'precision': round(agreement.precision, 4),
                'recall': round(agreement.recall, 4),
                **agreement._asdict(),
            }
            for name, agreement in sorted(compare(rooms).items())
        },
        'expected calibration error': {
            f'{deviation} m': _calibrate(deviation, seeds) for deviation in DEVIATIONS
        },
    }


def _read(path: Path) -> tuple[SceneGraphRoom, ...]:
    data = path.read_bytes()
    return parse_scene_graph(gzip.decompress(data) if path.suffix == '.gz' else data)


def _calibrate(deviation: float, seeds: Sequence[int]) -> dict[str, float]:
    """Return the calibration error of each relation in houses with a position error [m]."""
    houses = [tuple(_sample_house(seed, deviation)) for seed in seeds]
    return {
        kind.value: round(_error(*(np.concatenate(each) for each in zip(*pairs, strict=True))), 3)
        for kind, pairs in zip(PAIRWISE, zip(*houses, strict=True), strict=True)
    }


def _sample_house(seed: int, deviation: float) -> Iterator[tuple[Array, NDArray[np.bool_]]]:
    """Generate for each relation the probability and the truth for all pairs of a house."""
    true = boxes_of(generate_house(seed, rooms=2).objects)
    random = np.random.default_rng(seed)
    found = true.centers + random.normal(0.0, deviation, true.centers.shape)
    drawn = found + random.normal(0.0, deviation, (DRAWS, *true.centers.shape))
    estimated = replace(true, centers=drawn, deviations=np.full_like(true.centers, deviation))
    others = ~np.eye(len(found), dtype=np.bool_)
    for kind in PAIRWISE:
        yield _hold(kind, estimated).mean(axis=0)[others], _hold(kind, true)[others]


def _hold(kind: RelationKind, boxes: Boxes) -> NDArray[np.bool_]:
    return relations.holds(kind, boxes, boxes)


def _error(estimated: Array, true: NDArray[np.bool_]) -> float:
    """Return the expected calibration error over ten bins of equal width."""
    possible = (estimated > POSSIBLE) | true
    estimated, true = estimated[possible], true[possible]
    bins = np.minimum((BINS * estimated).astype(int), BINS - 1)
    surplus = np.bincount(bins, estimated - true, BINS)
    return float(np.abs(surplus).sum() / max(1, len(true)))
