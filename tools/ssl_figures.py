# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Write the tables of SSL accuracy in the docs from `world_model ssl evaluate --json`.

Run it with `python tools/ssl_figures.py LABEL=FILE.json...`, one for each recording, evaluated
with `--compare` where another tracker's packets exist.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DOCS = Path(__file__).resolve().parents[1] / 'docs'
PAGES = (DOCS / 'explanation/match-accuracy.md', DOCS / 'how-to/compare-trackers.md')
PREDICTORS = ('ours', 'constant velocity', 'deceleration 0.7')
MOTIONS = ('sliding', 'rolling', 'flying')
LANDINGS = (0.25, 0.4)


def main() -> None:
    """Read the evaluations and replace the tables of the pages."""
    found = {}
    for word in sys.argv[1:]:
        label, _, path = word.partition('=')
        found[label] = json.loads(Path(path).read_text())
    for path in PAGES:
        page = path.read_text()
        for name, table in TABLES.items():
            between = re.compile(rf'(<!-- {name} -->\n).*?(<!-- end -->)', re.DOTALL)
            page = between.sub(rf'\g<1>\n{table(found)}\n\n\g<2>', page)
        path.write_text(page)


def write_table(titles: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [titles, ['---'] * len(titles), *rows]
    return '\n'.join(f'| {" | ".join(line)} |' for line in lines)


def write_spread(spread: dict[str, Any]) -> str:
    """Return median and 95th percentile in millimeters."""
    if not spread['n']:
        return '-'
    return ' / '.join(write_length(spread[key]) for key in ('median', 'p95'))


def write_length(meters: float) -> str:
    """Return a length in millimeters, with at least three digits."""
    return f'{1e3 * meters:.1f}' if meters < 0.1 else f'{1e3 * meters:.0f}'


def write_range(values: Sequence[float]) -> str:
    """Return the range of some numbers."""
    low, high = f'{min(values, default=0):.0f}', f'{max(values, default=0):.0f}'
    return low if low == high else f'{low} to {high}'


def predictions(found: dict[str, Any]) -> str:
    """Return a row for each recording and horizon."""
    titles = ('recording', 'ahead [s]', 'n', *PREDICTORS, 'its own tracker')
    return write_table(titles, _rows(found, ('all',)))


def motions(found: dict[str, Any]) -> str:
    """Return a row for each recording, horizon and motion of the ball."""
    titles = ('recording', 'ahead [s]', 'ball', 'n', *PREDICTORS, 'its own tracker')
    return write_table(titles, _rows(found, MOTIONS))


def _rows(found: dict[str, Any], chosen: Sequence[str]) -> Iterator[list[str]]:
    for label, evaluation in found.items():
        own = [tracker['name'] for tracker in evaluation['trackers'] if not tracker['file']]
        names = (*PREDICTORS, *(own[:1] or ['-']))
        for horizon in dict.fromkeys(each['horizon'] for each in evaluation['predictions']):
            by_name = _by_name(evaluation, horizon)
            for motion in chosen:
                count = by_name['ours'][motion]['n']
                if not count:
                    continue
                cells = [write_spread(by_name[name][motion]) if name in by_name else '-'
                         for name in names]  # fmt: skip
                shown = [] if motion == 'all' else [motion]
                yield [label, f'{horizon:g}', *shown, str(count), f'**{cells[0]}**', *cells[1:]]


def _by_name(evaluation: dict[str, Any], horizon: float) -> dict[str, Any]:
    """Return the errors of each predictor at a horizon."""
    own = [each for each in evaluation['predictions'] if each['horizon'] == horizon]
    return {each['predictor']: each for each in own}


def trackers(found: dict[str, Any]) -> str:
    """Return a row for each recording, horizon and other tracker, in the windows it covers."""
    titles = ('recording', 'ahead [s]', 'tracker', 'windows', 'coverage', 'its errors',
              'ours')  # fmt: skip
    return write_table(titles, _compared_rows(found))


def _compared_rows(found: dict[str, Any]) -> Iterator[list[str]]:
    for label, evaluation in found.items():
        names = [tracker['name'] for tracker in evaluation['trackers']]
        for own in evaluation['predictions']:
            if own['predictor'] in names and own['windows']:
                spreads = (write_spread(own[key]) for key in ('all', 'ours'))
                coverage = f'{100.0 * own["coverage"]:.1f} %'
                counts = (f'{own["horizon"]:g}', own['predictor'], str(own['windows']), coverage)
                yield [label, *counts, *spreads]


def states(found: dict[str, Any]) -> str:
    """Return the table of errors of the published ball."""
    titles = ('recording', 'state, settled [mm]', 'before the overlap [mm]', 'NEES', 'NIS',
              'frames with a ball', 'jumps', 'estimates of a false ball')  # fmt: skip
    return write_table(titles, (_state(*each) for each in found.items()))


def _state(label: str, evaluation: dict[str, Any]) -> list[str]:
    state, track = evaluation['state'], evaluation['track']
    published = ['-'] * 3
    if state is not None:
        nees = f'{state["nees"]:.2f}'
        published = [write_spread(state['settled']), write_spread(state['before_overlap']), nees]
    covered = f'{100.0 * track["covered"]:.1f} %'
    counts = [str(track[key]) for key in ('jumps', 'on_false_ball')]
    return [label, *published, f'{track["nis"]:.2f}', covered, *counts]


def kicks(found: dict[str, Any]) -> str:
    """Return the table of kicks and of the errors of predicted landings."""
    titles = ('recording', 'found', 'missed', 'false', 'published after [ms]', 'frames',
              'classified wrongly', 'landing after 0.25 s [mm]', 'after 0.4 s [mm]')  # fmt: skip
    return write_table(titles, (_kick(*each) for each in found.items()))


def _kick(label: str, evaluation: dict[str, Any]) -> list[str]:
    quality = evaluation['kicks']
    published = [kick for kick in quality['kicks'] if kick['delay'] is not None]
    counts = [str(quality[key]) for key in ('found', 'missed', 'false')]
    wrong = sum(kick['chip'] not in (None, kick['called_chip']) for kick in published)
    errors = [error for kick in published for error in kick['landing']]
    landed = [error for error in errors if error['by_ball'] is not None]
    landings = [
        ', '.join(write_length(e['by_ball']) for e in landed if e['after'] == after) or '-'
        for after in LANDINGS
    ]
    delays = write_range([1e3 * kick['delay'] for kick in published])
    frames = write_range([kick['frames'] for kick in published])
    return [label, *counts, delays, frames, str(wrong), *landings]


TABLES: dict[str, Callable[[dict[str, Any]], str]] = {
    'predictions': predictions, 'motions': motions, 'trackers': trackers, 'states': states,
    'kicks': kicks,
}  # fmt: skip

if __name__ == '__main__':
    main()
