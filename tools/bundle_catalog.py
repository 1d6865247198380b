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

Made by `tools/bundle_catalog.py` from `world_model_core/bundle/finding_texts`; not to be edited.

`world_model bundle validate DIR` names what it finds by these codes. They stay: a program may rely
on them, and `--ignore CODE` leaves one out. A bundle with an **error** is not valid, and the part
that has it is not loaded; a **warning** is most likely a mistake, and counts as an error with
`--strict`; an **info** is worth knowing. Words in braces stand for what was found.
"""
TITLES = '| code | severity | what is found | what is expected | how to mend it |'
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
