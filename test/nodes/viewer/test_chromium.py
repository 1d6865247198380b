# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The pages of the tests see errors, requests and colors: what they would miss is tested here."""

from __future__ import annotations

import socket

import pytest

viser = pytest.importorskip('viser', reason='the window is shown by viser')


@pytest.fixture
def port():
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def test_errors_and_requests_to_other_hosts_are_recorded(chromium):
    """Only viser's own error is left out; a host that is named is not reached."""
    page = chromium.open()
    page.evaluate('console.error("one"); console.error("computeBoundingSphere(): NaN")')
    page.evaluate('setTimeout(() => {throw Error("two")})')
    page.evaluate('fetch("https://example.org/three").catch(() => {})')
    page.wait_until(lambda: len(page.errors) == 3)
    assert any('NAME_NOT_RESOLVED' in error for error in page.errors)
    assert {'one', 'two'} < set(page.errors)
    assert page.foreign == ['https://example.org/three']
    page.close()


def test_colors_are_seen_at_positions_and_clicks_hit_them(open_page, port):
    """A red and a blue box are each seen where they are, and a click finds the blue one."""
    server = viser.ViserServer(host='127.0.0.1', port=port, verbose=False)
    server.scene.add_box('/red', (255, 0, 0), position=(0.0, -1.5, 0.0))
    blue = server.scene.add_box('/blue', (0, 0, 255), position=(0.0, 1.5, 0.0))
    clicks = []
    blue.on_click(clicks.append)
    page = open_page(f'http://127.0.0.1:{port}')
    page.wait_until('window.__viserMutable?.nodeRefFromName["/blue"] !== undefined')
    page.wait_until(lambda: page.color_at((0.0, -1.5, 0.0))[0] > 100)
    red, _, little = page.color_at((0.0, -1.5, 0.0))
    few, _, much = page.color_at((0.0, 1.5, 0.0))
    assert red > 2 * little
    assert much > 2 * few
    page.click((0.0, 1.5, 0.0))
    page.wait_until(lambda: clicks)
    server.stop()
