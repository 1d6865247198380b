# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The rules as a whole, and the page that lists them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from string import Formatter

import pytest

from world_model_core.bundle.findings import LANGUAGES, catalogue

PROJECT = Path(__file__).resolve().parents[3]
SOURCES = sorted((PROJECT / 'world_model_core' / 'bundle').rglob('*.py'))
CODE = re.compile(r"'([A-Z][A-Za-z]+\.[A-Z][A-Za-z0-9]+)'")
# What is put together of the name of an area and the rest.
COMPOSED = re.compile(r"f'\{area\}\.([A-Z]\w+)'|'((?:Outside|Beyond)Extent)'")
# Words of other origin that look like codes.
NO_CODES = {'Image.PNG'}


def load_page():
    """Load the tool that writes the page."""
    spec = importlib.util.spec_from_file_location(
        'bundle_catalogue', PROJECT / 'tools/bundle_catalogue.py'
    )
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool.write_page()


def test_the_page_of_codes_is_up_to_date():
    """docs/reference/bundle-codes.md must be what the tool makes of the rules."""
    assert (PROJECT / 'docs/reference/bundle-codes.md').read_text(encoding='utf-8') == load_page()


@pytest.mark.parametrize('rule', catalogue().values(), ids=lambda rule: rule.code)
def test_rules_say_the_same_in_every_language(rule):
    """Each text must be there in each language, and speak of the same values."""
    for texts in (rule.message, rule.expected, rule.remedy):
        assert set(texts) == set(LANGUAGES)
        assert all(text.strip() for text in texts.values())
        named = [{name for _, name, *_ in Formatter().parse(text)} for text in texts.values()]
        assert named[0] - {None} == named[1] - {None}, rule.code


def test_japanese_texts_are_japanese():
    """A text that was not translated would have no kana in it, nor is one of values alone."""
    for rule in catalogue().values():
        assert re.search('[\u3040-\u30ff]', rule.message['ja']), rule.code


def used_codes():
    """Find the codes that the sources name, and the ends of those that they put together."""
    whole, ends = set(), set()
    for path in SOURCES:
        text = path.read_text(encoding='utf-8')
        whole |= set(CODE.findall(text))
        ends |= {first or second for first, second in COMPOSED.findall(text)}
    return whole - NO_CODES, ends


def test_every_code_in_the_sources_is_in_the_catalogue():
    """A code without a rule would be an exception where a finding should be."""
    whole, _ = used_codes()
    assert whole <= set(catalogue())


def test_every_rule_is_used():
    """A rule that no check can break is a promise that nobody keeps."""
    whole, ends = used_codes()
    unused = {code for code in set(catalogue()) - whole if code.partition('.')[2] not in ends}
    assert not unused
