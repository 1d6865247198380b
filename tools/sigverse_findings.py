# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Generates the table of docs/reference/sigverse-worlds.md: findings about SIGVerse's original files.

Run it with `python tools/sigverse_findings.py SIGVERSE/conf`, where the files lie, and put the
output between the marks of the page. The files are not part of the package, as their license
forbids it.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from world_model_core.virtual_world.worlds.sigverse import (
    read_sigverse_entity,
    read_sigverse_world,
)

if TYPE_CHECKING:
    from world_model_core.findings import Finding

TITLES = '| code | severity | worlds | classes | example |\n|---|---|---|---|---|'
# Words in an example that depend on the machine, or are too long for a table.
LONGEST = 90


def write_table(folder: Path) -> str:
    """Return the table: in how many worlds and classes there are findings with each code."""
    worlds, classes = Counter(), Counter()
    examples: dict[str, Finding] = {}
    for path in sorted(folder.glob('*.xml')):
        data = path.read_bytes()
        if b'<world' in data:
            counter, findings = worlds, read_sigverse_world(path)[1]
        elif b'<define-class' in data:
            counter, findings = classes, read_sigverse_entity(path, 'it')[1]
        else:
            continue
        counter.update({each.rule.code for each in findings.all})
        for each in findings.all:
            examples.setdefault(each.rule.code, each)
    rows = [_row(code, worlds[code], classes[code], examples[code]) for code in sorted(examples)]
    return '\n'.join((TITLES, *rows)) + '\n'


def _row(code: str, worlds: int, classes: int, example: Finding) -> str:
    text = example.message().replace('|', '\\|').replace('<', '&lt;')
    shown = text if len(text) <= LONGEST else f'{text[:LONGEST]}…'
    place = f'{example.file} {example.where}'.strip()
    cells = (f'`{code}`', example.rule.severity.value, worlds or '', classes or '', place)
    return f'| {" | ".join(map(str, cells))}: {shown} |'


if __name__ == '__main__':
    print(write_table(Path(sys.argv[1])), end='')
