# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Generates docs/reference/bundle-codes.md from the rules.

Run it with `python tools/bundle_catalog.py > docs/reference/bundle-codes.md`.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from world_model_core.bundle.finding_catalog import catalog
from world_model_core.findings import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.findings import Rule

HEAD = """\
# Codes of the bundle validator

`tools/bundle_catalog.py` generates this page from the files in `finding_texts` of
`world_model_core/bundle` and `world_model_core/files`, one for each prefix; do not edit it.

`world_model bundle validate DIR` reports findings with these codes. The codes are stable, so that
programs can use them, and `--ignore CODE` ignores one. A bundle with an **error** is invalid, and
the affected part is not loaded; a **warning** is probably a mistake, and counts as an error with
`--strict`; an **info** is a note. Words in braces stand for values of the finding.
"""
TITLES = '| code | severity | finding | expected | remedy |'
AREAS = {
    'Bundle': 'layout, paths, presence of files',
    'Calibration': 'sensors/calibration.yaml',
    'Check': 'the validation itself',
    'Drivable': 'geometry/drivable.geojson',
    'File': 'syntax of any file',
    'Heightmap': 'geometry/heightmap.bin and heightmap.yaml',
    'Mesh': 'geometry/static_mesh.glb',
    'Metadata': 'metadata.json',
    'Preview': 'preview/',
    'RenderConfig': 'gaussians/render_config.json',
    'Splats': 'gaussians/background.splat.ply or .npz',
    'TfStatic': 'sensors/tf_static.json',
    'Timebase': 'sim/timebase.yaml',
    'World': 'world.yaml',
}


def write_page() -> str:
    """Return the page with a table for each area."""
    rules = sorted(catalog().values(), key=lambda rule: rule.code)
    lines = [HEAD]
    for area, its in groupby(rules, key=area_of):
        lines += [f'## {area}\n', f'Of {AREAS[area]}.\n', TITLES, '|---|---|---|---|---|']
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


def _each(texts: Mapping[str, str]) -> Iterator[str]:
    """Yield a text in every language, escaped for Markdown."""
    for language in LANGUAGES:
        text = texts[language].replace('|', '\\|').replace('<', '&lt;').replace('*', '\\*')
        yield text.replace('_', '\\_')


if __name__ == '__main__':
    print(write_page(), end='')
