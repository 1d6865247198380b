# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the real viewer, from messages to colors."""

from __future__ import annotations

import pytest


@pytest.fixture(scope='module')
def viewing(start_viewer):
    """Start the viewer once for all tests."""
    return start_viewer()


def test_a_page_is_open_before_any_scenario_runs(viewing):
    """The viewer knows of the page, and the page has no error."""
    viewing.wait_until(lambda: viewing.node._window.pages == 1)
    assert viewing.page.errors == []
