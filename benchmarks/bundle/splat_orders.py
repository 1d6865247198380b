# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
How often the order of quaternions of splats is guessed right, and with which probability.

Scenes are turned as users turn them to z up, by the 24 turns between axes and by 8 yaws, and
written in both orders without a declaration. The scenes are the files of splats in the folder
bundle of WORLD_MODEL_DATA (other formats: convert them to .ply first), and generated ones.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import (
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
)
from world_model_core.bundle.splats.splat_scan import scan_splats
from world_model_core.bundle.splats.splat_writer import write_ply
from world_model_core.bundle.splats.splats import Splats, read_splats
from world_model_core.examples.village.example import example_bundle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.gaussian import Array

DATA = Path(os.environ.get('WORLD_MODEL_DATA', '../shared/data')) / 'bundle'
COUNT = 10_000
FIRST_YAW = 0.2  # [rad]
TURNS = (
    *Rotation.create_group('O'),
    *(Rotation.from_euler('z', FIRST_YAW + np.pi / 4 * at) for at in range(8)),
)
# Targets: part of the cases that are right, and of these that have a warning.
TARGET_RIGHT, TARGET_WARNED = 0.99, 0.1
UNCLEAR = 'Splats.QuaternionOrderUnclear'


def measure() -> dict[str, Any]:
    """Read all scenes in all turns and both orders."""
    scenes = {name: _score(splats) for name, splats in _scenes()}
    decidable = [each for name, each in scenes.items() if name != 'spheres']
    return {
        'target of right ones': TARGET_RIGHT,
        'right': float(np.mean([each['right'] for each in decidable])),
        'wrong without a warning': sum(
            each['wrong without a warning'] for each in scenes.values()
        ),
        'target of right ones with a warning': TARGET_WARNED,
        'right with a warning': float(
            np.mean([each['right with a warning'] for each in decidable])
        ),
        'scenes': scenes,
    }


def _scenes() -> Iterator[tuple[str, Splats]]:
    for path in sorted(DATA.glob('*.ply')):
        splats = read_splats(path, path.name, bundle_findings())
        if splats is not None:
            yield path.name, splats
    yield 'example village', example_bundle().splats
    yield 'wavy surface', wavy_surface(COUNT)
    yield 'wavy surface, half of it noise', noisy(wavy_surface(COUNT))
    yield 'grass', grass(COUNT)
    yield 'spheres', replace(wavy_surface(COUNT), scales=np.full((COUNT, 3), -3.0, np.float32))


def _score(splats: Splats) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / 'splats.ply'
        cases = [
            guess(path, turned(splats, turn), order) for turn in TURNS for order in QuaternionOrder
        ]
    right = np.array([each[0] for each in cases])
    warned = np.array([each[1] for each in cases])
    return {
        'gaussians': splats.count,
        'cases': len(cases),
        'right': round(float(right.mean()), 3),
        'wrong without a warning': int(np.sum(~right & ~warned)),
        'right with a warning': round(float(warned[right].mean()), 3) if right.any() else 0.0,
        'lowest probability': round(min(each[2] for each in cases), 4),
    }


def guess(path: Path, splats: Splats, order: QuaternionOrder) -> tuple[bool, bool, float]:
    """Write splats in an order, and return if it is guessed right, the warning and probability."""
    write_undeclared(path, splats, order)
    findings = bundle_findings()
    statistics = scan_splats(path, path.name, findings)
    if statistics is None:
        raise AssertionError
    found = statistics.sample.conventions
    warned = UNCLEAR in {each.rule.code for each in findings.all}
    return found.quaternions is order, warned, found.quaternions_probability


def turned(splats: Splats, turn: Rotation) -> Splats:
    """Turn a scene about its origin."""
    return replace(
        splats,
        positions=turn.apply(splats.positions).astype(np.float32),
        rotations=(turn * Rotation.from_quat(splats.quaternions)).as_quat().astype(np.float32),
    )


def write_undeclared(path: Path, splats: Splats, order: QuaternionOrder) -> None:
    """Write a PLY file without a declaration, in an order of quaternions."""
    step = 1 if order is QuaternionOrder.WXYZ else 0
    write_ply(path, replace(splats, rotations=np.roll(splats.rotations, step, axis=1)))
    path.write_bytes(path.read_bytes().replace(b'comment splats', b'comment nobody', 1))


def wavy_surface(count: int) -> Splats:
    """Make discs on a surface of hills, turned at random about its normals."""
    random = np.random.default_rng(0)
    x, y = random.uniform(-10.0, 10.0, (2, count))
    slopes = np.stack((np.cos(x), -np.sin(0.7 * y), np.zeros(count)), axis=1)
    points = np.stack((x, y, np.sin(x) + np.cos(0.7 * y) / 0.7), axis=1)
    normals = _unit(np.array((0.0, 0.0, 1.0)) - slopes)
    aside = _unit(np.cross(normals, random.normal(size=(count, 3))))
    axes = np.stack((aside, np.cross(normals, aside), normals), axis=2)
    points += 0.05 * normals * random.normal(size=(count, 1))
    return _splats(points, Rotation.from_matrix(axes), np.log((0.2, 0.15, 0.02)), random)


def noisy(splats: Splats) -> Splats:
    """Turn every other gaussian of a scene at random."""
    random = np.random.default_rng(1)
    rotations = splats.rotations.copy()
    rotations[::2] = Rotation.from_quat(random.normal(size=(len(rotations[::2]), 4))).as_quat()
    return replace(splats, rotations=rotations)


def grass(count: int) -> Splats:
    """Make bent stalks of ten long gaussians each."""
    random = np.random.default_rng(2)
    feet = np.repeat(random.uniform(-5.0, 5.0, (count // 10, 2)), 10, axis=0)
    bend = np.repeat(random.normal(0.0, 0.3, (count // 10, 2)), 10, axis=0)
    height = np.tile(np.linspace(0.0, 1.0, 10), count // 10)[:, None]
    points = np.hstack((feet + bend * height**2, height))
    along = _unit(np.hstack((2.0 * bend * height, np.ones_like(height))))
    aside = _unit(np.cross(along, random.normal(size=along.shape)))
    axes = np.stack((along, aside, np.cross(along, aside)), axis=2)
    return _splats(points, Rotation.from_matrix(axes), np.log((0.06, 0.01, 0.008)), random)


def _splats(
    points: Array, rotations: Rotation, scales: Array, random: np.random.Generator
) -> Splats:
    """Make gaussians with sizes that differ by a third."""
    count = len(points)
    sizes = scales + 0.3 * random.normal(size=(count, 3))
    log = ResolvedConventions(QuaternionOrder.XYZW, ScaleEncoding.LOG, OpacityEncoding.LOGIT)
    arrays = {
        'positions': points,
        'scales': sizes,
        'rotations': rotations.as_quat(),
        'opacities': random.normal(0.0, 4.0, (count, 1)),
        'sh_dc': random.normal(size=(count, 3)),
        'sh_rest': np.zeros((count, 0, 3)),
    }
    return Splats(
        **{name: np.asarray(each, np.float32) for name, each in arrays.items()}, conventions=log
    )


def _unit(vectors: Array) -> Array:
    lengths: Array = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / lengths)
