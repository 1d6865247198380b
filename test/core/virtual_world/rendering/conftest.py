# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A renderer for all tests, where the machine has a graphics driver."""

from __future__ import annotations

import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from world_model_core.virtual_world.rendering.contexts import RenderingError
from world_model_core.virtual_world.rendering.renderer import Renderer
from world_model_nodes.virtual_world.graphics_driver import find_driver


@pytest.fixture(scope='session')
def driver():
    """Return a driver that works; without one the test is skipped."""
    try:
        return find_driver()
    except RenderingError as error:
        pytest.skip(str(error))


@pytest.fixture
def renderer(driver):
    """Return a renderer, which is closed after the test."""
    renderer = Renderer(driver)
    yield renderer
    renderer.close()
