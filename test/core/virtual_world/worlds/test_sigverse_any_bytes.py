# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Damaged worlds give a world or a WorldFileError.

WORLD_MODEL_FUZZ=100000 reads that many, WORLD_MODEL_FUZZ_SEED=2 others.
"""

from __future__ import annotations

import os

import pytest
from fuzz_sigverse import FILES, WorldFuzzer

from world_model_core.virtual_world.worlds.sigverse import read_sigverse_world

MUTATIONS = int(os.environ.get('WORLD_MODEL_FUZZ', '200'))
SEED = int(os.environ.get('WORLD_MODEL_FUZZ_SEED', '1'))


def test_damaged_worlds_give_a_world_or_an_error(tmp_path):
    """Each finding can be rendered in all languages."""
    fuzzer = WorldFuzzer(tmp_path, SEED)
    results = {fuzzer.run() for _ in range(MUTATIONS)}
    assert results & {'read', 'read with findings'}


def test_the_files_are_sound(tmp_path):
    """Without damage they have one finding: the gravity of SIGVerse's samples."""
    WorldFuzzer(tmp_path, 0)
    world, findings = read_sigverse_world(tmp_path / 'world.xml', gravity='earth')
    assert len(world.entities) == 5
    assert not findings.errors
    assert len(FILES) == 10


@pytest.mark.parametrize(
    'start', [b'<set-attr-value>', b'<instanciate class="a">', b'<world name="a">', b'<a b="c">']
)
def test_deep_nesting_gives_a_world(tmp_path, start):
    """There is no recursion over elements."""
    path = tmp_path / 'world.xml'
    path.write_bytes(b'<world name="w">' + start * 100_000)
    world, findings = read_sigverse_world(path)
    assert world.entities == ()
    assert findings.all


def test_a_million_faults_give_few_findings(tmp_path):
    """The findings of one kind about a file are limited."""
    path = tmp_path / 'world.xml'
    path.write_bytes(b'<world name="w">' + b'<thing/>' * 100_000 + b'</world>')
    _, findings = read_sigverse_world(path)
    assert len(findings.all) <= 50
