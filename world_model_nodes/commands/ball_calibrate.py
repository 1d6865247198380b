# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ball calibrate`: a ball's constants, from recordings of raw vision."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from world_model_core.documents import write
from world_model_core.errors import ConfigurationError, PacketError
from world_model_core.match.ball.calibration.constants import conclude
from world_model_core.match.ball.calibration.kick_fitting import find_kicks, fit_kicks
from world_model_core.match.ball.calibration.vision_log import SightLog
from world_model_core.match.ball.parameters import BallParameters
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.commands.progress import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.match.ball.calibration.values import Calibration, Estimate, KickFit

VISION = (MessageKind.VISION_2010, MessageKind.VISION_2014)
# Names for where there is little room.
SHORT = {
    'slide_acceleration': 'slide',
    'roll_acceleration': 'roll',
    'switch_ratio': 'switch',
    'damping_xy_first_hop': 'first hop',
    'damping_xy_other_hops': 'other hops',
    'damping_z': 'z',
}
UNITS = {item.name: item.metadata.get('unit', '') for item in fields(BallParameters)}


@dataclass(frozen=True, slots=True)
class CalibratedLog:
    """One recording: its `path`, the first sight's instant, kicks, and if it held the answer."""

    path: Path
    start_ns: int
    kicks: tuple[KickFit, ...]
    models_set_aside: bool


def calibrate_ball(
    paths: Sequence[Path], out: Path | None, plot: Path | None, *, as_json: bool
) -> bool:
    """
    Calibrate the ball of some recordings, and print what was found, for people or as JSON.

    Parameters
    ----------
    paths : sequence of Path
        The recordings, all of one field and ball.
    out : Path or None
        Where the parameter file goes; written if anything can be told.
    plot : Path or None
        Where the picture of the kicks goes.
    as_json : bool

    Returns
    -------
    bool
        Whether anything can be told.

    Raises
    ------
    RecordingError
        A recording cannot be read.
    ConfigurationError
        A file cannot be written.

    """
    for path in filter(None, (out, plot)):
        _check_folder(path)
    logs = [_calibrate_log(path) for path in paths]
    calibration = conclude([kick for log in logs for kick in log.kicks])
    if plot is not None:
        from world_model_nodes.commands.ball_calibrate_plot import save_plot  # noqa: PLC0415

        save_plot(calibration.kicks, plot)
    if out is not None and calibration.estimates:
        _write_file(out, parameter_file(calibration, paths))
    if as_json:
        sys.stdout.write(write(_document(calibration, logs)) + '\n')
    else:
        _print_tables(calibration, logs)
    return bool(calibration.estimates)


def _check_folder(path: Path) -> None:
    """Tell of a file that cannot be written before the work, not after it."""
    if not os.access(path.parent, os.W_OK):
        raise ConfigurationError(f'{path}: its folder is not writable')


def _calibrate_log(path: Path) -> CalibratedLog:
    """Read a recording and fit its kicks."""
    log = SightLog()
    for message in shown(RecordingReader(path)):
        if message.kind in VISION:
            try:
                log.add(decode_vision(message.data))
            except PacketError:
                continue
    record = log.record()
    ways = find_kicks(record)
    fits = track(
        fit_kicks(ways),
        total=len(ways),
        description='',
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    kicks = tuple(kick for kick in fits if kick is not None)
    start_ns = int(record.sights.stamps_ns[0]) if len(record.sights) else 0
    return CalibratedLog(path, start_ns, kicks, log.models_set_aside)


def parameter_file(calibration: Calibration, paths: Sequence[Path]) -> str:
    """
    Write the constants as ROS parameters, of every node that knows them.

    Parameters
    ----------
    calibration : Calibration
        With at least one estimate; what is untold is named with its reason, as a comment.
    paths : sequence of Path
        The recordings that it came from.

    """
    lines = [f"# The ball's constants, from {', '.join(repr(path.name) for path in paths)}."]
    lines += ['/**:', '  ros__parameters:']
    for name, estimate in calibration.estimates.items():
        lines.append(f'    {name}: {estimate.value:.4f}  # {_certainty(name, estimate)}')
    lines += [f'    # {name}: not told; {reason}' for name, reason in calibration.untold.items()]
    return '\n'.join(lines) + '\n'


def _certainty(name: str, estimate: Estimate) -> str:
    unit = f'{UNITS[name]}, ' if UNITS[name] else ''
    kicks = 'kick' if estimate.kicks == 1 else 'kicks'
    return f'{unit}{estimate.low:.4f} to {estimate.high:.4f} with 95 %, {estimate.kicks} {kicks}'


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding='utf-8')
    except OSError as error:
        raise ConfigurationError(f'parameter file {path}: {error}') from error


def _document(calibration: Calibration, logs: Sequence[CalibratedLog]) -> dict[str, Any]:
    return {
        'constants': {
            name: {**estimate._asdict(), 'unit': UNITS[name]}
            for name, estimate in calibration.estimates.items()
        },
        'untold': dict(calibration.untold),
        'recordings': [
            {
                'path': str(log.path),
                'models_set_aside': log.models_set_aside,
                'kicks': [_kick_document(kick) for kick in log.kicks],
            }
            for log in logs
        ],
    }


def _kick_document(kick: KickFit) -> dict[str, Any]:
    return {
        'start_ns': kick.sights.start_ns,
        'duration': float(kick.sights.times[-1]),
        'kind': kick.kind.value,
        'speed': kick.speed,
        'sights': len(kick.sights),
        'cameras': kick.sights.cameras_by_use.tolist(),
        'rmse': kick.rmse,
        'r_squared': kick.r_squared,
        'constants': {name: measure._asdict() for name, measure in kick.measures.items()},
        'reason': kick.reason,
    }


def _print_tables(calibration: Calibration, logs: Sequence[CalibratedLog]) -> None:
    console = Console(soft_wrap=True, markup=False)
    for log in logs:
        aside = '; its SSL_GeometryModels are set aside' if log.models_set_aside else ''
        console.print(_kicks(log, f'{log.path.name}{aside}'))
    console.print(_constants(calibration))


def _kicks(log: CalibratedLog, title: str) -> Table:
    table = Table(title=title, title_justify='left', box=None)
    for heading in ('at [s]', 'kind', 'm/s', 'sights', 'RMSE [mm]', 'R2'):
        table.add_column(heading, justify='left' if heading == 'kind' else 'right', no_wrap=True)
    table.add_column('tells')
    for kick in log.kicks:
        table.add_row(
            f'{(kick.sights.start_ns - log.start_ns) / NANOSECONDS_PER_SECOND:.2f}',
            kick.kind.value,
            f'{kick.speed:.2f}',
            f'{len(kick.sights)}',
            f'{1e3 * kick.rmse:.2f}',
            f'{kick.r_squared:.5f}',
            f'nothing: {kick.reason}' if kick.reason else say_told(kick),
        )
    return table


def say_told(kick: KickFit) -> str:
    """Say in short what a kick tells."""
    return ', '.join(f'{SHORT[name]} {kick.measures[name].value:.3f}' for name in kick.measures)


def _constants(calibration: Calibration) -> Table:
    table = Table('constant', title='constants of the ball', title_justify='left')
    table.add_column('value', justify='right')
    table.add_column('how sure')
    for name, estimate in calibration.estimates.items():
        table.add_row(name, f'{estimate.value:.4f}', _certainty(name, estimate))
    for name, reason in calibration.untold.items():
        table.add_row(name, '-', reason)
    return table
