# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Searches, guided by coverage, for maps, lists, tables and floors that raise untyped errors.

    pip install atheris && python3 test/fuzz/fuzz_objects.py CORPUS_FOLDER -max_total_time=60

The folder is made and seeded; further options are libFuzzer's. The first byte of an input chooses
the parser. A map that is read must be written and read again as the same map.
"""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

import atheris

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT)]

with atheris.instrument_imports(include=['world_model_core', 'json', 'csv']):
    from world_model_core.errors import WorldModelError
    from world_model_core.objects.documents.object_list import parse_object_list
    from world_model_core.objects.documents.object_map_document import (
        ObjectMapDocument,
        map_document,
        parse_map,
    )
    from world_model_core.objects.documents.ply_points import parse_points
    from world_model_core.objects.documents.vla3d import (
        parse_objects,
        parse_regions,
        parse_statements,
    )

BOX = ','.join(f'object_bbox_c{axis},object_bbox_{axis}length' for axis in 'xyz')
COLOR = ','.join(
    f'object_color_{part}1' for part in ('r', 'g', 'b', 'scheme', 'scheme_percentage')
)
COLUMNS = f'object_id,region_id,raw_label,nyu_label,{BOX},object_bbox_heading,{COLOR}'
AXES = '\n'.join(f'property float {axis}' for axis in 'xyz')
SEEDS = (
    json.dumps(
        {
            'map_id': 'house',
            'next_id': 5,
            'objects': {
                '3': {
                    'class': 'potted_plant',
                    'position': [1.5, 2.3, 0.4],
                    'position_uncertainty': [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]],
                    'attributes': {
                        'color': 'green',
                        'colors': [{'name': 'green', 'share': 0.7, 'rgb': [1, 2, 3]}],
                    },
                    'size': [1, 1, 1],
                    'heading': 0.5,
                    'classes': {'plant': 0.5},
                    'aliases': ['fern'],
                    'state': 'missing',
                    'last_seen_ns': 9,
                }
            },
            'tombstones': {'4': {'class': 'chair', 'stamp_ns': 1, 'reason': 'merged'}},
        }
    ),
    '7 1.5 -2.25 0.4 0.6 0.5 1.1 -1.57 "potted plant"\n8 0 0 0 1 1 1 0 "sofa"\n',
    f'{COLUMNS}\n4,2,potted plant,plant,1,1,1,1,1,1,_,47,79,79,gray,0.75\n',
    'region_id,region_label\n2,kitchen\n',
    json.dumps(
        {
            'regions': {
                '2': {
                    'region': 'kitchen',
                    'the bowl on the table': [
                        {'target_index': '5', 'anchors': {'anchor_1': {'index': '4'}}}
                    ],
                }
            }
        }
    ),
    f'ply\nformat ascii 1.0\nelement vertex 1\n{AXES}\nend_header\n1 2 3\n',
    f'ply\nformat binary_little_endian 1.0\nelement vertex 1\n{AXES}\nend_header\n0123456789ab',
)


def read_map(text: str) -> None:
    """Read a map, which must survive JSON."""
    check(parse_map(text))


def read_table(text: str) -> None:
    """Read a table of objects."""
    check(ObjectMapDocument(parse_objects(text, {'2': 'kitchen'})))


def read_list(text: str) -> None:
    """Read an object list, which must be a map that can be written."""
    check(ObjectMapDocument(parse_object_list(text)))


def check(document: ObjectMapDocument) -> None:
    """Write a map and read it again."""
    written = map_document(document)
    try:
        again = map_document(parse_map(json.dumps(written, allow_nan=False)))
    except WorldModelError as error:
        raise AssertionError(written) from error
    if again != written:
        raise AssertionError(written)


PARSERS = (
    read_map,
    read_list,
    read_table,
    parse_regions,
    parse_statements,
)


def seed(folder: Path) -> None:
    """Write one good input for each parser."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(SEEDS):
        (folder / f'seed_{number}').write_bytes(bytes([number]) + text.encode())


def parse_one(data: bytes) -> None:
    """Parse one input; any untyped error ends the search."""
    if data:
        with contextlib.suppress(WorldModelError):
            if data[0] < len(PARSERS):
                PARSERS[data[0]](data[1:].decode(errors='replace'))
            else:
                parse_points(data[1:])


if __name__ == '__main__':
    seed(Path(sys.argv[1]))
    atheris.Setup(sys.argv, parse_one)
    atheris.Fuzz()
