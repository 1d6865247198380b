# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ball calibrate`: estimate ball constants from recordings of raw vision."""

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
from world_model_core.files.atomic_write import write_atomically
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.calibration.constant_estimation import estimate_constants
from world_model_core.match.ball.calibration.kick_fitting import find_kicks, fit_kicks
from world_model_core.match.ball.calibration.vision_log import VisionLog
from world_model_core.match.ssl.recording import MessageKind, RecordingReader
from world_model_core.match.ssl.vision_packets import decode_vision
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_nodes.commands.plot_file import save_plot
from world_model_nodes.commands.progress import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from world_model_core.match.ball.calibration.values import (
        BallCalibration,
        CalibrationKick,
        ConstantEstimate,
    )

VISION = (MessageKind.VISION_2010, MessageKind.VISION_2014)
# Short names for table cells.
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
    """
    A recording with its fitted kicks.

    `path`, time of the first detection, kicks, and whether it contained SSL_GeometryModels.
    """

    path: Path
    start_ns: int
    kicks: tuple[CalibrationKick, ...]
    models_set_aside: bool


def calibrate_ball(
    paths: Sequence[Path], out: Path | None, plot: Path | None, *, as_json: bool
) -> bool:
    """
    Calibrate the ball from recordings, and print the result as tables or JSON.

    Parameters
    ----------
    paths : sequence of Path
        Recordings, all of one field and ball.
    out : Path or None
        Parameter file to write, if any constant can be estimated.
    plot : Path or None
        Picture of the kicks to write.
    as_json : bool

    Returns
    -------
    bool
        Whether any constant was estimated.

    Raises
    ------
    RecordingError
        If a recording cannot be read.
    ConfigurationError
        If a file cannot be written.

    """
    for path in filter(None, (out, plot)):
        _check_folder(path)
    logs = [_calibrate_log(path) for path in paths]
    calibration = estimate_constants([kick for log in logs for kick in log.kicks])
    if plot is not None:
        from world_model_nodes.commands.ball_calibrate_plot import draw_kicks  # noqa: PLC0415

        save_plot(draw_kicks(calibration.kicks), plot)
    if out is not None and calibration.estimates:
        _write_file(out, parameter_file(calibration, paths))
    if as_json:
        sys.stdout.write(write(_document(calibration, logs)) + '\n')
    else:
        _print_tables(calibration, logs)
    return bool(calibration.estimates)


def _check_folder(path: Path) -> None:
    """Reject an output path that cannot be written, before the work starts."""
    if not os.access(path.parent, os.W_OK):
        raise ConfigurationError(f'{path}: the folder is not writable')


def _calibrate_log(path: Path) -> CalibratedLog:
    """Read a recording and fit its kicks."""
    log = VisionLog()
    for message in shown(RecordingReader(path)):
        if message.kind in VISION:
            try:
                log.add(decode_vision(message.data))
            except PacketError:
                continue
    record = log.record()
    paths_ = find_kicks(record)
    fits = track(
        fit_kicks(paths_),
        total=len(paths_),
        description='',
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    kicks = tuple(kick for kick in fits if kick is not None)
    start_ns = int(record.detections.stamps_ns[0]) if len(record.detections) else 0
    return CalibratedLog(path, start_ns, kicks, log.models_set_aside)


def parameter_file(calibration: BallCalibration, paths: Sequence[Path]) -> str:
    """
    Return the constants as a ROS parameter file for all nodes.

    Parameters
    ----------
    calibration : BallCalibration
        With at least one estimate; constants without one are listed as comments with the reason.
    paths : sequence of Path
        The recordings used.

    """
    lines = [f'# Ball constants, from {", ".join(repr(path.name) for path in paths)}.']
    lines += ['/**:', '  ros__parameters:']
    for name, estimate in calibration.estimates.items():
        lines.append(f'    {name}: {estimate.value:.4f}  # {_interval(name, estimate)}')
    lines += [
        f'    # {name}: not estimated: {reason}'
        for name, reason in calibration.not_estimated.items()
    ]
    return '\n'.join(lines) + '\n'


def _interval(name: str, estimate: ConstantEstimate) -> str:
    unit = f'{UNITS[name]}, ' if UNITS[name] else ''
    kicks = 'kick' if estimate.kicks == 1 else 'kicks'
    return f'{unit}{estimate.low:.4f} to {estimate.high:.4f} with 95 %, {estimate.kicks} {kicks}'


def _write_file(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise ConfigurationError(f'parameter file {path}: {error}') from error


def _document(calibration: BallCalibration, logs: Sequence[CalibratedLog]) -> dict[str, Any]:
    return {
        'constants': {
            name: {**estimate._asdict(), 'unit': UNITS[name]}
            for name, estimate in calibration.estimates.items()
        },
        'not_estimated': dict(calibration.not_estimated),
        'recordings': [
            {
                'path': str(log.path),
                'models_set_aside': log.models_set_aside,
                'kicks': [_kick_document(kick) for kick in log.kicks],
            }
            for log in logs
        ],
    }


def _kick_document(kick: CalibrationKick) -> dict[str, Any]:
    return {
        'start_ns': kick.detections.start_ns,
        'duration': float(kick.detections.times[-1]),
        'kind': kick.kind.value,
        'speed': kick.speed,
        'detections': len(kick.detections),
        'cameras': kick.detections.cameras_by_use.tolist(),
        'rmse': kick.rmse,
        'r_squared': kick.r_squared,
        'constants': {name: measure._asdict() for name, measure in kick.measurements.items()},
        'reason': kick.reason,
    }


def _print_tables(calibration: BallCalibration, logs: Sequence[CalibratedLog]) -> None:
    console = Console(soft_wrap=True, markup=False)
    for log in logs:
        aside = '; its SSL_GeometryModels are ignored' if log.models_set_aside else ''
        console.print(_kicks(log, f'{log.path.name}{aside}'))
    console.print(_constants(calibration))


def _kicks(log: CalibratedLog, title: str) -> Table:
    table = Table(title=title, title_justify='left', box=None)
    for heading in ('at [s]', 'kind', 'm/s', 'detections', 'RMSE [mm]', 'R2'):
        table.add_column(heading, justify='left' if heading == 'kind' else 'right', no_wrap=True)
    table.add_column('measured')
    for kick in log.kicks:
        table.add_row(
            f'{(kick.detections.start_ns - log.start_ns) / NANOSECONDS_PER_SECOND:.2f}',
            kick.kind.value,
            f'{kick.speed:.2f}',
            f'{len(kick.detections)}',
            f'{1e3 * kick.rmse:.2f}',
            f'{kick.r_squared:.5f}',
            f'none: {kick.reason}' if kick.reason else list_measured(kick),
        )
    return table


def list_measured(kick: CalibrationKick) -> str:
    """Return a short list of the constants measured by a kick."""
    return ', '.join(
        f'{SHORT[name]} {kick.measurements[name].value:.3f}' for name in kick.measurements
    )


def _constants(calibration: BallCalibration) -> Table:
    table = Table('constant', title='constants of the ball', title_justify='left')
    table.add_column('value', justify='right')
    table.add_column('95 % interval')
    for name, estimate in calibration.estimates.items():
        table.add_row(name, f'{estimate.value:.4f}', _interval(name, estimate))
    for name, reason in calibration.not_estimated.items():
        table.add_row(name, '-', reason)
    return table
