# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer as a process, and its page."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.timing import cpu_time_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.view.chromium import Chromium, Page

CODE = 'from world_model_nodes.runtime.executables import viewer; viewer()'
LINK = re.compile(r'http://\S+token=\S+')
# The scene of the page is there, and it has drawn.
READY = (
    '!!window.__viserMutable?.camera && window.__viserTestpoints?.rendererInfo.render.frame > 2'
)
# With all pixels: viser draws fewer of them where it is slow.
ALL_PIXELS = '?fixedDpr=1'


class ViewerProcess:
    """A viewer that runs; `link` opens its page."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.link = self._read_link()

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def cpu_time(self) -> float:
        """CPU time of the process [s]."""
        return cpu_time_of(self.pid)

    def open(self, chromium: Chromium) -> Page:
        """Open the page, drawn with all pixels, and wait until it has drawn."""
        page = chromium.open(self.link)
        page.wait_until(READY)
        page.do(lambda tab: tab.goto(tab.url.partition('?')[0] + ALL_PIXELS))
        page.wait_until(READY)
        return page

    def _read_link(self) -> str:
        for line in self._process.stdout or ():
            if found := LINK.search(line):
                return found[0]
        raise RuntimeError('the viewer has ended without a link')


@contextmanager
def running_viewer(**parameters: object) -> Iterator[ViewerProcess]:
    """Run a viewer on a free port within the context."""
    given = {'port': 0, **parameters}
    words = [word for name, value in given.items() for word in ('-p', f'{name}:={value}')]
    with subprocess.Popen(  # noqa: S603 (this very interpreter)
        (sys.executable, '-c', CODE, '--ros-args', *words), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield ViewerProcess(process)
        finally:
            process.terminate()
