# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How many splats the page draws at a usable frame rate, measured in the page."""

from __future__ import annotations

from functools import partial
from statistics import median
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from world_model_core.view.splat_choice import SplatTrial

if TYPE_CHECKING:
    from viser import ClientHandle

    from world_model_nodes.viewer.bundle_topics import BundleTopics
    from world_model_nodes.viewer.window import Window

# Frames whose median is taken, and those before, in which the splats arrive.
FRAMES, FIRST_FRAMES = 9, 4
# A page that does not answer for this time is too slow [s].
TIMEOUT = 5.0
# Key of the browser's storage that is asked for; there is no such item.
KEY = 'frame'


class SplatTrials:
    """
    Shows more and more splats as long as a page draws them fast enough.

    Parameters
    ----------
    window : Window
    topics : BundleTopics
        Its number of splats is changed.
    most : int
        Number of splats to show; 0: as many as the page can draw.

    """

    def __init__(self, window: Window, topics: BundleTopics, most: int) -> None:
        self._window, self._topics, self._most = window, topics, most
        self._trial = SplatTrial()
        self._total = 0
        self._is_measuring = False
        topics.limit_splats(most)

    @property
    def summary(self) -> str:
        """How many splats are shown, of how many; empty without a scene."""
        total = self._topics.total_splats
        if not total:
            return ''
        count = min(self._most or self._trial.count, total)
        state = '' if self._most or self._trial.is_final else ', measured'
        return f'{count} of {total}{state}'

    def update(self) -> None:
        """Begin to measure if a scene is shown on a page, and its number is not chosen yet."""
        total, clients = self._topics.total_splats, self._window.clients
        if self._most or not total or not clients or self._is_measuring:
            return
        if total != self._total:
            self._total, self._trial = total, SplatTrial()
            self._topics.limit_splats(self._trial.count)
        elif not self._trial.is_final:
            self._is_measuring = True
            Thread(target=self._measure, args=(clients[0],), name='frames', daemon=True).start()

    def _measure(self, client: ClientHandle) -> None:
        """Measure in a thread of its own, as the page may take long to answer."""
        try:
            seconds = frame_time(client)
        except RuntimeError:  # the page was closed
            self._window.call(self._stop)
        else:
            self._window.call(partial(self._proceed, seconds))

    def _stop(self) -> None:
        self._is_measuring = False

    def _proceed(self, seconds: float) -> None:
        """Show the number of splats of the next trial."""
        self._is_measuring = False
        self._trial = self._trial.next(seconds, self._total)
        self._topics.limit_splats(self._trial.count)


def frame_time(client: ClientHandle) -> float:
    """
    Measure the time between two frames of a page [s].

    The page answers a request when it begins to draw its next frame, and a request makes it draw
    one. The way to the page and back is included.

    Raises
    ------
    RuntimeError
        The page was closed.

    """
    times = []
    for _ in range(FIRST_FRAMES + FRAMES):
        begun = monotonic()
        try:
            client.local_storage.get_item(KEY, timeout=TIMEOUT)
        except TimeoutError:
            return TIMEOUT
        times.append(monotonic() - begun)
    return median(times[FIRST_FRAMES:])
