# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The catalog of findings about bundles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from world_model_core.bundle.finding_catalog import catalog

PROJECT = Path(__file__).resolve().parents[3]
CORE = PROJECT / 'world_model_core'
SOURCES = sorted([*(CORE / 'bundle').rglob('*.py'), *(CORE / 'files').rglob('*.py')])
CODE = re.compile(r"'([A-Z][A-Za-z]+\.[A-Z][A-Za-z0-9]+)'")
# Codes that are put together from the name of an area and the rest.
COMPOSED = re.compile(r"f'\{area\}\.([A-Z]\w+)'|'((?:Outside|Beyond)Extent)'")
# Causes of rejected paths, which are codes of Bundle.
CAUSE = re.compile(r"(?:report\(|^    \()'([A-Z]\w+)'", re.MULTILINE)
CAUSES = CAUSE.findall((CORE / 'files' / 'contained_paths.py').read_text(encoding='utf-8'))
# Tables whose codes are tested one by one.
TABLES = (
    'bundle/finding_texts/bundle.yaml',
    'bundle/finding_texts/calibration.yaml',
    'bundle/finding_texts/metadata.yaml',
    'bundle/finding_texts/render_config.yaml',
    'bundle/finding_texts/tf_static.yaml',
    'bundle/finding_texts/timebase.yaml',
    'bundle/finding_texts/world.yaml',
    'files/finding_texts/file.yaml',
)
TESTS = [
    *(PROJECT / 'test/core/files').rglob('*.py'),
    *(PROJECT / 'test/core/bundle').rglob('*.py'),
]
# Other words that look like codes.
NO_CODES = {'Image.PNG'}


def used_codes():
    """Find the codes in the sources, and the ends of those that are put together."""
    whole, ends = set(), set()
    for path in SOURCES:
        text = path.read_text(encoding='utf-8')
        whole |= set(CODE.findall(text))
        ends |= {first or second for first, second in COMPOSED.findall(text)}
    whole |= {f'Bundle.{cause}' for cause in CAUSES}
    return whole - NO_CODES, ends


def test_every_code_in_the_sources_is_in_the_catalog():
    """A code without a rule would raise an exception instead of giving a finding."""
    whole, _ = used_codes()
    assert whole <= set(catalog())


def test_every_rule_is_used():
    """A rule that no check uses must not be listed."""
    whole, ends = used_codes()
    unused = {code for code in set(catalog()) - whole if code.partition('.')[2] not in ends}
    assert not unused


@pytest.mark.parametrize('table', TABLES)
def test_every_rule_is_used_and_tested(table):
    """Each code in a table must be used by its reader, and tested here."""
    tests = ''.join(each.read_text() for each in TESTS)
    readers = ''.join(each.read_text() for each in SOURCES)
    for code in yaml.safe_load((CORE / table).read_text(encoding='utf-8')):
        area, what = code.split('.')
        # All files share the checks of frames and quaternions, which take the area.
        known = f"}}.{what}'" if what.startswith(('FrameName', 'Quaternion')) else f"'{code}'"
        known = f"'{what}'" if area == 'Bundle' and what in CAUSES else known
        assert known in readers, code
        assert code in tests, code
