# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, and pages in it that record their errors and their requests."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable

CHROMIUM = Path('/usr/bin/chromium')
# Names below .test lead to this machine, and no other one is looked up: nothing can be fetched.
RULES = (
    'MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]'
)
# Pictures are drawn in software, so that they do not depend on the machine.
ARGUMENTS = (
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    f'--host-resolver-rules={RULES}',
)
SIZE = {'width': 1280, 'height': 720}
# Time limit of a condition on a busy machine [s].
TIME_LIMIT = 120.0
# Written by viser's page itself when it shows splats.
KNOWN_ERROR = 'computeBoundingSphere'
# All that is needed to project a position, as matrices by columns.
CAMERA = """() => {
    const {camera, canvas, nodeRefFromName} = window.__viserMutable;
    const {left, top, width, height} = canvas.getBoundingClientRect();
    return {
        view: camera.matrixWorldInverse.elements,
        projection: camera.projectionMatrix.elements,
        root: nodeRefFromName[''].matrixWorld.elements,
        corner: [left, top], size: [width, height],
    };
}"""


class Chromium:
    """A browser in a thread of its own, as playwright leaves an event loop in the thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self.call(self._launch)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in the browser's thread and return its value."""
        return self._thread.submit(function, *arguments).result()

    def open(self, address: str = 'about:blank') -> Page:
        """Open a page that shares nothing with earlier ones."""
        return self.call(Page, self, self._browser, address)

    def close(self) -> None:
        """End the browser."""
        self.call(self._browser.close)
        self.call(self._playwright.stop)
        self._thread.shutdown()

    def _launch(self) -> None:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 (optional)

        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)


class Page:
    """A page; `errors` are those of its console, `foreign` the requests to other hosts."""

    def __init__(self, chromium: Chromium, browser: Any, address: str) -> None:
        self._chromium = chromium
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._context = browser.new_context(viewport=SIZE)
        self._context.set_default_timeout(1000 * TIME_LIMIT)
        self._page = self._context.new_page()
        self._page.on('console', lambda said: said.type == 'error' and self._add(said.text))
        self._page.on('pageerror', lambda error: self._add(str(error)))
        self._page.on('request', lambda request: self.requests.append(request.url))
        self._page.on('websocket', lambda socket: self.requests.append(socket.url))
        self._page.goto(address)

    def _add(self, text: str) -> None:
        if KNOWN_ERROR not in text:
            self.errors.append(text)

    @property
    def foreign(self) -> list[str]:
        """Return the requests to hosts other than this machine."""
        hosts = {'127.0.0.1', 'localhost', '::1', None}
        return [each for each in self.requests if urlsplit(each).hostname not in hosts]

    def do(self, action: Callable[[Any], Any]) -> Any:
        """Call a function with playwright's page, in the browser's thread; return its value."""
        return self._chromium.call(action, self._page)

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Evaluate JavaScript in the page and return its value."""
        return self.do(lambda page: page.evaluate(script, argument))

    def wait_until(self, condition: str | Callable[[], Any]) -> Any:
        """Wait until JavaScript, or a function of the test, has a true value; return it."""
        if isinstance(condition, str):
            script = condition
            return self.do(lambda page: page.wait_for_function(script).json_value())
        deadline = time.monotonic() + TIME_LIMIT
        while not (answer := condition()):
            if time.monotonic() > deadline:
                raise TimeoutError(f'waited {TIME_LIMIT} s in vain')
            self.do(lambda page: page.wait_for_timeout(20))
        return answer

    def picture(self) -> np.ndarray:
        """Return what is seen, shape (height, width, 3), uint8 RGB."""
        data = self.do(lambda page: page.screenshot())
        return np.asarray(Image.open(BytesIO(data)).convert('RGB'))

    def pixel_of(self, position: Any) -> tuple[float, float]:
        """Return the pixel (x to the right, y downward) at which a position [m] of viser is."""
        camera = self.wait_until(f'window.__viserMutable?.camera && ({CAMERA})()')
        point = np.array((*position, 1.0))
        for name in ('root', 'view', 'projection'):
            point = np.reshape(camera[name], (4, 4)).T @ point
        x, y = point[:2] / point[3]
        share = np.array((1.0 + x, 1.0 - y)) / 2.0
        return tuple((np.array(camera['corner']) + share * camera['size']).tolist())

    def color_at(self, position: Any) -> tuple[int, int, int]:
        """Return the color that is seen at a position [m] of viser."""
        x, y = self.pixel_of(position)
        return tuple(self.picture()[round(y), round(x)].tolist())

    def click(self, position: Any) -> None:
        """Click what is at a position [m] of viser."""
        pixel = self.pixel_of(position)
        self.do(lambda page: page.mouse.click(*pixel))

    def close(self) -> None:
        """Close the page."""
        self._chromium.call(self._context.close)
