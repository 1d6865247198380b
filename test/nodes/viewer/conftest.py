# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium for all tests, and pages that must be without errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rclpy.parameter import Parameter

from benchmarks.view.chromium import CHROMIUM, Chromium, Page
from world_model_nodes.viewer.viewer import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS = """() => [document.body.innerText, ...document.querySelectorAll('input, textarea')]
    .map((each) => each.value ?? each).join('\\n')"""

INSTANCES = """name => {
    let count = 0;
    window.__viserMutable.nodeRefFromName[name]?.traverse((each) => {
        count += each.instancesCount ?? 0;
    });
    return count;
}"""


class Viewing:
    """The real viewer in a graph, and its page; the graph spins while the test waits."""

    def __init__(
        self, graph: Any, open_page: Callable[[str], Page], parameters: dict[str, Any]
    ) -> None:
        self.graph = graph
        overrides = [
            Parameter(name, value=value) for name, value in {'port': 0, **parameters}.items()
        ]
        self.node = graph.add(Viewer(parameter_overrides=overrides))
        assert self.node.autostart()
        self.server = self.node._window.server
        self.page = open_page(self.server.link)
        # Not by the graph: the page with the token gives way to another one.
        self.page.wait_until('!!window.__viserMutable?.camera')

    def wait_until(self, condition: str | Callable[[], Any]) -> Any:
        """Spin the graph until JavaScript, or a function of the test, has a true value."""
        if isinstance(condition, str):
            script = f'!!({condition})'
            return self.graph.wait_until(lambda: self.page.evaluate(script))
        return self.graph.wait_until(condition)

    def height(self) -> float:
        """Return the height of the camera [m]; up is y in the page."""
        return float(self.page.evaluate('window.__viserMutable.camera.position.y'))

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.do(lambda page: page.keyboard.press(key))

    def click_button(self, text: str) -> None:
        """Click a button of the panel."""
        button = {'name': text, 'exact': True}
        self.page.do(lambda page: page.get_by_role('button', **button).click())

    def shows(self, name: str) -> bool:
        """Return whether the page has a batch, by the name of its marks."""
        script = 'name => window.__viserMutable.nodeRefFromName[name] !== undefined'
        return bool(self.page.evaluate(script, f'/{name}'))

    def reported(self, name: str) -> Any:
        """Return a value of the diagnostics."""
        return self.node._report().values.get(name)

    def instances(self, name: str) -> int:
        """Return the number of instances of a batch of solids in the page."""
        return int(self.page.evaluate(INSTANCES, f'/{name}'))

    def texts(self) -> str:
        """Return all text of the panel, also that in fields."""
        return str(self.page.evaluate(TEXTS))


@pytest.fixture(scope='session')
def chromium():
    """Start the browser once, or skip with a reason."""
    pytest.importorskip('playwright', reason='the browser is driven by playwright')
    if not CHROMIUM.exists():
        pytest.skip(f'there is no browser at {CHROMIUM}')
    made = Chromium()
    yield made
    made.close()


@pytest.fixture(scope='module')
def open_page(chromium):
    """Return a function that opens a page; the pages must be without errors when they close."""
    pages: list[Page] = []

    def open_(address: str) -> Page:
        pages.append(chromium.open(address))
        return pages[-1]

    yield open_
    for page in pages:
        page.close()
    assert [page.errors for page in pages if page.errors] == []
    assert [page.foreign for page in pages if page.foreign] == []


@pytest.fixture(scope='module')
def start_viewer(shared_graph, open_page):
    """Return a function that starts the viewer with parameters and opens its page."""
    pytest.importorskip('viser', reason='the window is shown by viser')
    return lambda **parameters: Viewing(shared_graph, open_page, parameters)
