# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the guard leaves to the browser: cookies, and pages of others."""

from __future__ import annotations

import pytest

pytest.importorskip('viser', reason='the window is shown by viser')

from world_model_nodes.viewer.guard import guarded_server


@pytest.fixture
def server():
    """Run a server with a box."""
    made = guarded_server('127.0.0.1', 0, 'a-token')
    made.scene.add_box('/box', (255, 0, 0))
    yield made
    made.stop()


def test_the_link_opens_the_page_and_a_reload_keeps_it(open_page, server):
    """The token is in the address for a moment only, and no script of the page sees the cookie."""
    page = open_page(server.link)
    page.wait_until('window.__viserMutable?.nodeRefFromName["/box"] !== undefined')
    assert 'a-token' not in page.evaluate('location.href + document.cookie')
    page.do(lambda tab: tab.reload())
    page.wait_until('window.__viserMutable?.nodeRefFromName["/box"] !== undefined')
    assert page.color_at((0.0, 0.0, 0.0))
