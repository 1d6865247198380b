# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Takes the pictures of the window in README.md, in a Chromium without a display.

`python tools/window_pictures.py [NAME ...]` runs the scenarios and writes
docs/images/window_NAME.png; `python tools/window_pictures.py --link FILE.png` takes a picture of
the window whose link is on standard input.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from PIL import Image  # noqa: E402 (of the project, which is put on the path above)

from benchmarks.view.chromium import Chromium  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

# Whether something is there besides the light: batches have names of at least two parts.
IS_SHOWN = """Object.keys(window.__viserMutable?.nodeRefFromName ?? {})
    .some(name => name.split('/').length > 2)"""
# What the page says of the machine that takes the picture is none of the picture.
CLOSE_NOTES = """document.querySelectorAll('.mantine-Notification-closeButton')
    .forEach(button => button.click())"""
# Wide, as the panel covers the right quarter.
SIZE = {'width': 1600, 'height': 720}
# ROS domains do not separate multicast: own ports keep the match apart from others here.
PORT = 20000 + os.getpid() % 10000


@dataclass(frozen=True, slots=True)
class WindowPicture:
    """
    A picture of a scenario.

    Attributes
    ----------
    scenario : tuple of str
        Its name and arguments.
    seconds : float
        From the first thing that is shown to the picture [s].
    keys : str
        Keys that are pressed then.
    batch : str
        Name of marks that must be there.

    """

    scenario: tuple[str, ...]
    seconds: float
    keys: str = ''
    batch: str = ''


PICTURES = {
    'match': WindowPicture(
        ('ssl_sim', 'seed:=7', f'vision_port:={PORT}', f'referee_port:={PORT + 10000}'),
        8.0,
        '',
        '/match/ball/path',
    ),
    'house': WindowPicture(
        ('vla_sim', 'seed:=3', 'question:=How many pillows are on the bed?'), 40.0, '1'
    ),
    'bundle': WindowPicture(('bundle',), 10.0, '1'),
    'robots': WindowPicture(('robots_localization',), 5.0, '3'),
    'virtual_world': WindowPicture(('household',), 10.0, '2'),
}


def main(arguments: list[str]) -> None:
    """Take the pictures that are named, or all."""
    if arguments[:1] == ['--link']:
        save(picture_of(sys.stdin.readline().strip(), PICTURES['match'], 1.0), Path(arguments[1]))
        return
    for name in arguments or PICTURES:
        taken = PICTURES[name]
        with window_of(taken.scenario) as link:
            save(picture_of(link, taken, taken.seconds), file_of(name))


def file_of(name: str) -> Path:
    """Return the file of a picture."""
    return PROJECT / f'docs/images/window_{name}.png'


@contextmanager
def window_of(scenario: tuple[str, ...]) -> Iterator[str]:
    """Run a scenario in a domain of its own, and give the link of its window."""
    command = ('world_model', 'run', *scenario, 'view:=true', 'view_port:=0')
    domain = {
        'ROS_DOMAIN_ID': str(os.getpid() % 101),
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
    }
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | domain | {'ROS_HOME': folder},
        ) as process,
    ):
        try:
            yield link_in(process)
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()


def link_in(process: subprocess.Popen[str]) -> str:
    """Read the output of a scenario up to the link of its window."""
    lines = []
    for line in process.stdout or ():
        lines.append(line)
        if found := re.search(r'window: (\S+)', line):
            return found[1]
    sys.exit(f'the scenario ended without a window:\n{"".join(lines)}')


def picture_of(link: str, taken: WindowPicture, seconds: float) -> np.ndarray:
    """Return what the page of a window shows some time after there is something [s]."""
    chromium = Chromium()
    page = chromium.open(link)
    page.wait_until(IS_SHOWN)
    page.do(lambda page: page.set_viewport_size(SIZE))
    page.evaluate(CLOSE_NOTES)
    page.do(lambda page: page.wait_for_timeout(1000 * seconds))
    for key in taken.keys:
        page.do(lambda page, key=key: page.keyboard.press(key))
    if taken.batch:
        page.wait_until(f"!!window.__viserMutable.nodeRefFromName['{taken.batch}']")
    # While things move, a slow page draws texts behind them.
    page.do(lambda page: page.get_by_role('button', name='Pause', exact=True).last.click())
    page.do(lambda page: page.wait_for_timeout(2000))
    picture = page.picture()
    page.close()
    chromium.close()
    return picture


def save(picture: np.ndarray, path: Path) -> None:
    """Write a picture with few colors, as files of the repository must be small."""
    Image.fromarray(picture).quantize(256).save(path, optimize=True)
    print(f'{path}: {path.stat().st_size / 1000:.0f} kB')


if __name__ == '__main__':
    main(sys.argv[1:])
