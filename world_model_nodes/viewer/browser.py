# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Opens the page in the browser of this user."""

from __future__ import annotations

import os
import threading
import webbrowser

# Set when the page was opened: the process may start again by itself (runtime/network_watch.py),
# and the open page then connects again.
_OPENED = 'WORLD_MODEL_VIEW_OPENED'


def open_browser(link: str) -> None:
    """
    Open a link in the browser, once and without waiting.

    Nothing is opened without a screen: a browser of the terminal would take that over. Where the
    variable BROWSER is set, it decides.
    """
    screen = any(map(os.environ.get, ('BROWSER', 'DISPLAY', 'WAYLAND_DISPLAY')))
    if screen and _OPENED not in os.environ:
        os.environ[_OPENED] = '1'
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
