# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The texts of findings of all rooms, and the pages that list them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from string import Formatter

import pytest
import yaml

from world_model_core.bundle import finding_catalog as bundle
from world_model_core.findings import LANGUAGES
from world_model_core.virtual_world import finding_catalog as worlds

PROJECT = Path(__file__).resolve().parents[2]
CORE = PROJECT / 'world_model_core'
TABLES = sorted(CORE.glob('*/finding_texts/*.yaml'))
RULES = {**bundle.catalog(), **worlds.catalog()}


@pytest.mark.parametrize(('name', 'page'), [('bundle', 'bundle-codes'), ('worlds', 'world-codes')])
def test_the_page_of_codes_is_up_to_date(name, page):
    """The page in docs/reference must be the output of the tool."""
    spec = importlib.util.spec_from_file_location('codes', PROJECT / 'tools/finding_codes.py')
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    path = PROJECT / f'docs/reference/{page}.md'
    assert path.read_text(encoding='utf-8') == tool.write_page(name)


@pytest.mark.parametrize('rule', RULES.values(), ids=lambda rule: rule.code)
def test_rules_exist_in_every_language(rule):
    """Each text must exist in each language, with the same values."""
    for texts in (rule.message, rule.expected, rule.remedy):
        assert set(texts) == set(LANGUAGES)
        assert all(text.strip() for text in texts.values())
        named = [{name for _, name, *_ in Formatter().parse(text)} for text in texts.values()]
        assert named[0] - {None} == named[1] - {None}, rule.code


def test_japanese_texts_are_japanese():
    """Each message in Japanese must contain kana, unless it has values only."""
    for rule in RULES.values():
        assert re.search('[\u3040-\u30ff]', rule.message['ja']), rule.code


@pytest.mark.parametrize('table', TABLES, ids=lambda table: table.stem)
def test_each_table_holds_the_codes_of_its_prefix(table):
    """The codes with one prefix must be in one table, which is named after it."""
    prefix = table.stem.replace('_', '')
    for code in yaml.safe_load(table.read_text(encoding='utf-8')):
        assert code.partition('.')[0].lower() == prefix


def test_every_code_in_the_sources_of_worlds_is_in_the_catalog():
    """A code without a rule would raise an exception instead of giving a finding."""
    areas = {code.partition('.')[0] for code in worlds.catalog()}
    for path in (CORE / 'virtual_world').rglob('*.py'):
        for code in re.findall(r"'([A-Z]\w+\.[A-Z]\w+)'", path.read_text(encoding='utf-8')):
            assert code in worlds.catalog() or code.partition('.')[0] not in areas, path
