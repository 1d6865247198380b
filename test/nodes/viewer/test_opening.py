# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Pages begin where the first scene is seen as a whole, and are not moved later."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from world_model_core.view.scene import Viewpoint
from world_model_nodes.viewer.opening import SETTLING, Opening
from world_model_nodes.viewer.viewer import open_window
from world_model_nodes.viewer.viewer_config import ViewerConfig

pytest.importorskip('viser', reason='the extra [view] is not installed')


@dataclass(frozen=True, eq=False)
class HighScene:
    """A scene that is seen from a height."""

    name: str
    height: float

    def viewpoints(self):
        """Return a viewpoint above."""
        return (Viewpoint((0.0, 0.0, self.height), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),)


def test_open_pages_move_until_a_scene_has_settled(open_page):
    """Later only the place where pages begin moves; another scene moves all again."""
    window = open_window(ViewerConfig(port=0), lambda: None)
    opening, page = Opening(window), open_page(window.server.link)

    def wait_for_height(shown):
        script = """window.__viserMutable?.camera?.position.length()"""
        page.wait_until(lambda: abs((page.evaluate(script) or 0.0) - shown) < 0.01)

    page.wait_until(lambda: window.pages == 1)
    opening.update((), 0.0)
    for now, name, height, shown in [
        (0.0, 'match', 5.0, 5.0),
        (SETTLING - 0.1, 'match', 7.0, 7.0),
        (SETTLING + 0.1, 'match', 9.0, 7.0),
        (100.0, 'house', 11.0, 11.0),
    ]:
        opening.update((HighScene(name, height),), now)
        wait_for_height(shown)
        assert np.allclose(window.server.initial_camera.position, (0.0, 0.0, height))
    window.close()
