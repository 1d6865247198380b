# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of `world_model ssl evaluate`."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.evaluation.match.error_summary import ErrorSummary
    from world_model_core.evaluation.match.evaluation import Evaluation
    from world_model_core.evaluation.match.live_run import LiveEvaluation


MOTIONS = ('all', 'sliding', 'rolling', 'flying')


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Yield all tables."""
    yield from _predictions(evaluation)
    if evaluation.trackers:
        yield _trackers(evaluation)
    yield _facts(evaluation)
    yield _kicks(evaluation)
    if any(kick.landing for kick in evaluation.kicks.kicks):
        yield _landings(evaluation)


def live_table(evaluation: LiveEvaluation) -> Table:
    """Return the table of a live run."""
    table = _table(f'{evaluation.duration:.1f} s of truth', '', 'value')
    ball, robots = evaluation.ball, evaluation.robots
    table.add_row('ball: coverage', _share(ball.coverage))
    table.add_row('position [mm], median / 95 % (n)', _millimeters(ball.position))
    table.add_row('velocity [mm/s]', _millimeters(ball.velocity))
    for name, nees in (('position', ball.position_nees), ('velocity', ball.velocity_nees)):
        shown = '-' if nees is None else f'{nees:.2f}'
        table.add_row(f'NEES of the {name} per degree of freedom', shown)
    if robots is not None:
        table.add_row('robots: coverage', _share(robots.coverage))
        table.add_row('that do not exist', str(robots.false))
        table.add_row('position [mm]', _millimeters(robots.position))
        table.add_row('heading [mrad]', _millimeters(robots.heading))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify='left')
    for number, column in enumerate(columns):
        table.add_column(column, justify='right' if number else 'left', no_wrap=True)
    return table


def _predictions(evaluation: Evaluation) -> Iterator[Table]:
    """
    Yield a table for each horizon, with a column for each motion of the ball.

    Where a predictor had no ball in some windows, 'ours there' are our errors in the others.
    """
    by_horizon = attrgetter('horizon')
    for horizon, group in groupby(sorted(evaluation.predictions, key=by_horizon), by_horizon):
        rows = list(group)
        motions = [name for name in MOTIONS if any(getattr(row, name).n for row in rows)]
        beside = ['ours there'] if any(row.coverage not in (None, 1.0) for row in rows) else []
        title = f'prediction {horizon:g} s ahead, {rows[0].windows} windows: error [mm]'
        columns = ('predictor', 'coverage', *motions, *beside)
        table = _table(f'{title}, median / 95 % (n)', *columns)
        for row in rows:
            errors = [_millimeters(getattr(row, name)) for name in motions]
            errors += [_millimeters(row.ours) for _ in beside]
            table.add_row(row.predictor, _share(row.coverage), *errors)
        yield table


def _trackers(evaluation: Evaluation) -> Table:
    """Return the table of the other trackers."""
    table = _table('other trackers', 'name', 'frames', 'uuid', 'file')
    for each in evaluation.trackers:
        table.add_row(
            each.name, str(each.frames), each.uuid, PurePath(each.file).name or 'the recording'
        )
    return table


def _facts(evaluation: Evaluation) -> Table:
    """Return the table of single numbers."""
    table = _table('ball track while vision showed the ball', '', 'value')
    state, track, latency = evaluation.state, evaluation.track, evaluation.latency
    if state is not None:
        overlap = state.first_overlap
        first = '-' if overlap is None else f'{overlap:.2f} s'
        table.add_row('first detected by two cameras at once', first)
        table.add_row('error when settled [mm]', _millimeters(state.settled))
        table.add_row('before the first overlap + 1 s [mm]', _millimeters(state.before_overlap))
        nees = '-' if state.nees is None else f'{state.nees:.2f}'
        table.add_row('NEES per degree of freedom, settled', nees)
        table.add_row('in the 0.1 s after a kick [mm]', _millimeters(state.after_kick))
    table.add_row('frames with a published ball', f'{_share(track.covered)} of {track.frames}')
    table.add_row('longest gap', f'{1e3 * track.longest_gap:.0f} ms')
    table.add_row('jumps', str(track.jumps))
    table.add_row('estimates of a false ball', str(track.on_false_ball))
    nis = '-' if track.nis is None else f'{track.nis:.2f}'
    table.add_row('NIS per degree of freedom', nis)
    sending = (latency.sending_median, latency.sending_p95)
    table.add_row('capture to sending, median / 95 %', ' / '.join(map(_milliseconds, sending)))
    arrival = (latency.arrival_median, latency.arrival_p95)
    table.add_row('sending to arrival, above the least', ' / '.join(map(_milliseconds, arrival)))
    return table


def _kicks(evaluation: Evaluation) -> Table:
    kicks = evaluation.kicks
    title = f'kicks: {kicks.found} found, {kicks.missed} missed, {kicks.false} false'
    columns = (
        'delay',
        'frames',
        'is',
        'published as',
        'ever chip',
        'time error',
        'velocity error',
    )
    table = _table(title, 'time', *columns)
    for kick in kicks.kicks:
        off = '-' if kick.velocity_error is None else f'{kick.velocity_error:.2f} m/s'
        table.add_row(
            f'{kick.time:.3f} s',
            _milliseconds(kick.delay),
            '-' if kick.frames is None else str(kick.frames),
            _kind(kick.chip),
            _kind(kick.called_chip),
            'yes' if kick.ever_called_chip else 'no',
            _milliseconds(kick.instant_error),
            off,
        )
    return table


def _landings(evaluation: Evaluation) -> Table:
    """Return the table of errors of the predicted first landings."""
    table = _table(
        'first landing: error [mm]', 'kick', 'predicted after', 'by the kick', 'by the ball'
    )
    for kick in evaluation.kicks.kicks:
        for error in kick.landing:
            lengths = (_length(error.by_kick), _length(error.by_ball))
            table.add_row(f'{kick.time:.3f} s', f'{error.after:g} s', *lengths)
    return table


def _share(fraction: float | None) -> str:
    return '-' if fraction is None else f'{100 * fraction:.1f} %'


def _kind(chip: bool | None) -> str:
    return '-' if chip is None else 'chip' if chip else 'straight'


def _length(meters: float | None) -> str:
    return '-' if meters is None else f'{1e3 * meters:.1f}'


def _milliseconds(seconds: float | None) -> str:
    return '-' if seconds is None else f'{1e3 * seconds:.1f} ms'


def _millimeters(spread: ErrorSummary) -> str:
    """Return median and 95th percentile in a thousandth of their unit."""
    if spread.median is None or spread.p95 is None:
        return '-'
    median, p95 = (f'{1e3 * each:.1f}' for each in (spread.median, spread.p95))
    return f'{median} / {p95} ({spread.n})'
