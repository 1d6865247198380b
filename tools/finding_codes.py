# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Generates the pages of docs/reference that list the codes of findings, from their rules.

Run it with `python tools/finding_codes.py bundle > docs/reference/bundle-codes.md`, or `worlds`
and `world-codes.md`.
"""

from __future__ import annotations

import sys
from itertools import groupby, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.bundle import finding_catalog as bundle
from world_model_core.findings import LANGUAGES
from world_model_core.virtual_world import finding_catalog as worlds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.findings import Rule

CORE = Path(__file__).resolve().parents[1] / 'world_model_core'
# Lines of the license at the top of a table, before the comment that says what it is of.
LICENSE = 3
BUNDLE = """\
# Codes of the bundle validator

`tools/finding_codes.py` generates this page from the files in `finding_texts` of
`world_model_core/bundle` and `world_model_core/files`, one for each prefix; do not edit it.

`world_model bundle validate DIR` reports findings with these codes. The codes are stable, so that
programs can use them, and `--ignore CODE` ignores one. A bundle with an **error** is invalid, and
the affected part is not loaded; a **warning** is probably a mistake, and counts as an error with
`--strict`; an **info** is a note. Words in braces stand for values of the finding.
"""
WORLDS = """\
# Codes of findings about virtual worlds

`tools/finding_codes.py` generates this page from the files in `finding_texts` of
`world_model_core/virtual_world` and `world_model_core/files`, one for each prefix; do not edit it.

Readers of worlds and shapes report findings with these codes. The codes are stable, so that
programs can use them. What has an **error** is not used; with a **warning** it is used as far as
it can be, and the finding says how; an **info** is a note. Words in braces stand for values of the
finding.
"""
# Head of each page, and the rules that it lists.
PAGES = {'bundle': (BUNDLE, bundle.catalog), 'worlds': (WORLDS, worlds.catalog)}
TITLES = '| code | severity | finding | expected | remedy |'


def write_page(name: str) -> str:
    """Return the page with a table for each area."""
    head, catalog = PAGES[name]
    subjects = _subjects()
    rules = sorted(catalog().values(), key=lambda rule: rule.code)
    lines = [head]
    for area, its in groupby(rules, key=area_of):
        lines += [f'## {area}\n', f'{subjects[area.lower()]}\n', TITLES, '|---|---|---|---|---|']
        lines += [*(write_row(rule) for rule in its), '']
    return '\n'.join(lines)


def area_of(rule: Rule) -> str:
    """Return the area of a rule: the first part of its code."""
    return rule.code.partition('.')[0]


def write_row(rule: Rule) -> str:
    """Return the table row of a rule with its texts in all languages."""
    texts = (rule.message, rule.expected, rule.remedy)
    cells = [f'`{rule.code}`', rule.severity.value, *('<br>'.join(_each(each)) for each in texts)]
    return f'| {" | ".join(cells)} |'


def _subjects() -> dict[str, str]:
    """Return what the codes of each area are about: the comment at the top of its table."""
    subjects = {}
    for table in CORE.glob('*/finding_texts/*.yaml'):
        lines = table.read_text(encoding='utf-8').splitlines()
        head = [*takewhile(lambda line: line.startswith('#'), lines)][LICENSE:]
        subjects[table.stem.replace('_', '')] = ' '.join(line[2:] for line in head)
    return subjects


def _each(texts: Mapping[str, str]) -> Iterator[str]:
    """Yield a text in every language, escaped for Markdown."""
    for language in LANGUAGES:
        text = texts[language].replace('|', '\\|').replace('<', '&lt;').replace('*', '\\*')
        yield text.replace('_', '\\_')


if __name__ == '__main__':
    print(write_page(sys.argv[1]), end='')
