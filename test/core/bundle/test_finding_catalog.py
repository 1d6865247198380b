# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The catalog of findings, and the page that lists it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from string import Formatter

import pytest
import yaml

from world_model_core.bundle.finding_catalog import catalog
from world_model_core.findings import LANGUAGES

PROJECT = Path(__file__).resolve().parents[3]
CORE = PROJECT / 'world_model_core'
SOURCES = sorted([*(CORE / 'bundle').rglob('*.py'), *(CORE / 'files').rglob('*.py')])
CODE = re.compile(r"'([A-Z][A-Za-z]+\.[A-Z][A-Za-z0-9]+)'")
# Codes that are put together from the name of an area and the rest.
COMPOSED = re.compile(r"f'\{area\}\.([A-Z]\w+)'|'((?:Outside|Beyond)Extent)'")
# Causes of rejected paths, which are codes of Bundle.
CAUSE = re.compile(r"(?:report\(|^    \()'([A-Z]\w+)'", re.MULTILINE)
CAUSES = CAUSE.findall((CORE / 'files' / 'contained_paths.py').read_text(encoding='utf-8'))
FIELD = re.compile(r'{(\w+)}')
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


def load_page():
    """Load the tool that writes the page."""
    spec = importlib.util.spec_from_file_location(
        'bundle_catalog', PROJECT / 'tools/bundle_catalog.py'
    )
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool.write_page()


def test_the_page_of_codes_is_up_to_date():
    """docs/reference/bundle-codes.md must be the output of the tool."""
    assert (PROJECT / 'docs/reference/bundle-codes.md').read_text(encoding='utf-8') == load_page()


@pytest.mark.parametrize('rule', catalog().values(), ids=lambda rule: rule.code)
def test_rules_exist_in_every_language(rule):
    """Each text must exist in each language, with the same values."""
    for texts in (rule.message, rule.expected, rule.remedy):
        assert set(texts) == set(LANGUAGES)
        assert all(text.strip() for text in texts.values())
        named = [{name for _, name, *_ in Formatter().parse(text)} for text in texts.values()]
        assert named[0] - {None} == named[1] - {None}, rule.code


def test_japanese_texts_are_japanese():
    """Each translated text must contain kana, unless it has values only."""
    for rule in catalog().values():
        assert re.search('[\u3040-\u30ff]', rule.message['ja']), rule.code


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


def test_each_table_holds_the_codes_of_its_prefix():
    """The codes with one prefix must be in one table, which is named after it."""
    for table in CORE.glob('*/finding_texts/*.yaml'):
        prefix = table.stem.replace('_', '')
        for code in yaml.safe_load(table.read_text(encoding='utf-8')):
            assert code.partition('.')[0].lower() == prefix, table


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


@pytest.mark.parametrize('table', TABLES)
def test_texts_have_the_same_values_in_each_language(table):
    """A translation without the values of the finding would not help."""
    for code in yaml.safe_load((CORE / table).read_text(encoding='utf-8')):
        rule = catalog()[code]
        for texts in (rule.message, rule.expected, rule.remedy):
            english, japanese = (set(FIELD.findall(texts[each])) for each in LANGUAGES)
            assert english == japanese, code
