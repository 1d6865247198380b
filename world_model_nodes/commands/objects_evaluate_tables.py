# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of the results of `world_model objects evaluate`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from world_model_core.evaluation.objects.map_scores import MapScores

# Heading of each column, and its key in the scores.
SHARES = {
    'duplicates': 'duplicates',
    'unpaired': 'unpaired_duplicates',
    'counts': 'class_counts',
    'recall': 'recall',
    'precision': 'precision',
    'wrong': 'wrong_detections',
    'unused': 'unused_detections',
    'mixed': 'mixed_identities',
}
REST = ('ANEES/3', 'if consistent', 'NIS/3', 'error', 'IoU')


def tables(document: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the tables of all results."""
    for (rooms, sigma), rows in groupby(document['comparisons'], _condition):
        yield _comparison(rooms, sigma, list(rows))
    yield _moves(document)


def live_table(scores: MapScores) -> Table:
    """Return the table of a running map."""
    table = _table(f'{scores.objects} objects', '', 'value')
    table.add_row('objects in the map', str(scores.found))
    table.add_row('paired with a true one within 0.5 m', str(scores.paired))
    table.add_row('duplicates', str(scores.duplicates))
    table.add_row('classes with the right count', _percent(scores.class_counts))
    bounds = scores.anees_bounds
    consistent = '' if bounds is None else ' ({:.2f} to {:.2f} if consistent)'.format(*bounds)
    table.add_row('ANEES/3 of positions', f'{_number(scores.anees)}{consistent}')
    table.add_row('mean error of positions', _millimeters(scores.position_error))
    table.add_row('IoU of boxes', _number(scores.iou))
    return table


def _condition(row: Mapping[str, Any]) -> tuple[str, float | None]:
    return row['rooms'], row['sigma']


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify='left')
    for number, column in enumerate(columns):
        table.add_column(column, justify='right' if number else 'left', no_wrap=True)
    return table


def _comparison(rooms: str, sigma: float | None, rows: list[Mapping[str, Any]]) -> Table:
    """Return the table of one condition, with a row for each mapper."""
    noise = '' if sigma is None else f', sigma {sigma:g} m'
    count, objects = rows[0]['layouts'], rows[0]['scores']['objects']
    title = f'{rooms}{noise}: {count} with {objects} objects'
    table = _table(title, 'map by', *SHARES, *REST)
    for row in rows:
        scores = row['scores']
        shares = (_percent(scores[key]) for key in SHARES.values())
        bounds = scores['anees_bounds']
        table.add_row(
            row['mapper'],
            *shares,
            _number(scores['anees']),
            '-' if bounds is None else '{:.2f} to {:.2f}'.format(*bounds),
            _number(scores['nis']),
            _millimeters(scores['position_error']),
            _number(scores['iou']),
        )
    return table


def _moves(document: Mapping[str, Any]) -> Table:
    columns = ('moved', 'dropped', 'after', 'found again', 'after')
    table = _table('objects moved while the room was in view: object map', 'sigma', *columns)
    for row in document['moves']:
        table.add_row(
            f'{row["sigma"]:g} m',
            str(row['moved']),
            _percent(row['dropped']),
            _frames(row['frames_to_drop']),
            _percent(row['found']),
            _frames(row['frames_to_find']),
        )
    return table


def _percent(share: float | None) -> str:
    return '-' if share is None else f'{100.0 * share:.1f} %'


def _number(value: float | None) -> str:
    return '-' if value is None else f'{value:.2f}'


def _millimeters(meters: float | None) -> str:
    return '-' if meters is None else f'{1e3 * meters:.0f} mm'


def _frames(count: float | None) -> str:
    return '-' if count is None else f'{count:g} frames'
