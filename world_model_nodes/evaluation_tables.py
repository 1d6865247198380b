# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What `world_model ssl evaluate` found, as tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from world_model_core.evaluation.evaluation import Evaluation
    from world_model_core.evaluation.kick_quality import KickQuality
    from world_model_core.evaluation.windows import Spread


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Lay out everything that was found."""
    yield _predictions(evaluation)
    yield _facts(evaluation)
    if evaluation.kicks.kicks:
        yield _kicks(evaluation)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify='left')
    for number, column in enumerate(columns):
        table.add_column(column, justify='right' if number else 'left', no_wrap=True)
    return table


def _predictions(evaluation: Evaluation) -> Table:
    title = 'error of the predicted ball [mm]: median / 95 % (n)'
    columns = ('windows', 'all', 'sliding', 'rolling', 'flying')
    table = _table(title, 'predictor', 'ahead', *columns)
    for errors in evaluation.predictions:
        spreads = (errors.all, errors.sliding, errors.rolling, errors.flying)
        table.add_row(
            errors.predictor,
            f'{errors.horizon:g} s',
            str(errors.windows),
            *map(_millimetres, spreads),
        )
    return table


def _facts(evaluation: Evaluation) -> Table:
    """List what is a number or two."""
    table = _table('the ball while vision saw it', '', 'value')
    state, track, latency = evaluation.state, evaluation.track, evaluation.latency
    if state is not None:
        overlap = state.first_overlap
        told = '-' if overlap is None else f'{overlap:.2f} s'
        table.add_row('first seen by two cameras', told)
        table.add_row('error when settled [mm]', _millimetres(state.settled))
        table.add_row('before the first overlap + 1 s [mm]', _millimetres(state.before_overlap))
        table.add_row('in the 0.1 s after a launch [mm]', _millimetres(state.after_launch))
    share = '-' if track.covered is None else f'{100 * track.covered:.1f} % of {track.frames}'
    table.add_row('frames with a ball told', share)
    table.add_row('longest gap', f'{1e3 * track.longest_gap:.0f} ms')
    table.add_row('jumps', str(track.jumps))
    table.add_row('estimates of a false ball', str(track.on_false_ball))
    sending = (latency.sending_median, latency.sending_p95)
    table.add_row('capture to sending, median / 95 %', ' / '.join(map(_milliseconds, sending)))
    arrival = (latency.arrival_median, latency.arrival_p95)
    table.add_row('sending to arrival, above the least', ' / '.join(map(_milliseconds, arrival)))
    return table


def _kicks(evaluation: Evaluation) -> Table:
    kicks = evaluation.kicks
    title = f'kicks: {kicks.found} found, {kicks.missed} missed, {kicks.false} false'
    columns = ('told after', 'frames', 'is', 'called', 'ever chip', 'instant', 'velocity')
    table = _table(title, 'time', *columns, 'landing by kick, by ball [mm]')
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
            _landing(kick),
        )
    return table


def _kind(chip: bool | None) -> str:
    return '-' if chip is None else 'chip' if chip else 'straight'


def _landing(kick: KickQuality) -> str:
    """Name the errors of the foreseen landing place by the time after the kick."""
    return '; '.join(
        f'{error.after:g} s: {_length(error.by_kick)}, {_length(error.by_ball)}'
        for error in kick.landing
    )


def _length(metres: float | None) -> str:
    return '-' if metres is None else f'{1e3 * metres:.0f}'


def _milliseconds(seconds: float | None) -> str:
    return '-' if seconds is None else f'{1e3 * seconds:.1f} ms'


def _millimetres(spread: Spread) -> str:
    if spread.median is None or spread.p95 is None:
        return '-'
    return f'{1e3 * spread.median:.1f} / {1e3 * spread.p95:.1f} ({spread.n})'
