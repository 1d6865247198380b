# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Each code about SIGVerse's files is used by a reader, and has a test."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[3]
SOURCES = PROJECT / 'world_model_core/virtual_world'
TESTS = PROJECT / 'test/core/virtual_world'


def text_of(folder):
    """Return all Python files of a folder as one text."""
    return ''.join(each.read_text(encoding='utf-8') for each in sorted(folder.rglob('*.py')))


@pytest.mark.parametrize('table', ['sigverse', 'humanoid', 'body'])
def test_every_rule_is_used_and_tested(table):
    """A rule that nobody uses, or whose finding no test sees, must not be listed."""
    sources, tests = text_of(SOURCES), text_of(TESTS)
    rules = (SOURCES / f'finding_texts/{table}.yaml').read_text(encoding='utf-8')
    for code in yaml.safe_load(rules):
        assert f"'{code}'" in sources, code
        # Tests of one table may leave its name out.
        assert f"'{code}'" in tests or f"'{code.partition('.')[2]}'" in tests, code
