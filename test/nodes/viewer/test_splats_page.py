# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A scene of splats on a real page: as many splats as it draws, and views through its cameras."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from world_model_core.view.bundle import BundleScene
from world_model_core.view.scene import compare
from world_model_core.view.selection import Selection
from world_model_core.view.shown_bundle import show_bundle
from world_model_core.view.splat_choice import OrderedSplats
from world_model_core.view.words import read_words
from world_model_nodes.viewer.cameras_panel import CamerasPanel
from world_model_nodes.viewer.desk import Desk
from world_model_nodes.viewer.panels import Shown
from world_model_nodes.viewer.splat_trials import SplatTrials
from world_model_nodes.viewer.viewer import open_window
from world_model_nodes.viewer.viewer_config import ViewerConfig

pytest.importorskip('viser', reason='the extra [view] is not installed')


class ShownScene:
    """A window with the example and its page; it stands for the topics, too."""

    def __init__(self, open_page, village, document):
        self.window = open_window(ViewerConfig(port=0), lambda: None)
        few = OrderedSplats(village.splats.take(slice(1000)))
        self.scene = BundleScene(0, document, replace(show_bundle(village), splats=few))
        self.limits = []
        self._marks = {}
        self.panel = CamerasPanel(Desk(self.window), self.window, read_words('en'))
        self.page = open_page(self.window.server.link)
        self.page.wait_until('!!window.__viserMutable?.camera')
        self.limit_splats(0)

    @property
    def total_splats(self):
        """Number of splats of the scene."""
        return self.scene.shown.splats.total

    def limit_splats(self, most):
        """Show a number of splats."""
        self.limits.append(most)
        self.scene = BundleScene(0, self.scene.document, self.scene.shown, most)
        marks = self.scene.marks()
        self.window.show(compare(self._marks, marks))
        self._marks = marks
        self.panel.update(Shown((self.scene,), marks, Selection()))

    def camera(self):
        """Return the position of the camera of the page [m]."""
        self.window.run_calls()
        (client,) = self.window.clients
        return np.asarray(client.camera.position)


@pytest.fixture(scope='module')
def shown(open_page, village, village_document):
    """Open the window once."""
    made = ShownScene(open_page, village, village_document)
    yield made
    made.window.close()


def test_a_button_looks_through_each_camera(shown):
    """The camera of the page must be where that of the scene is."""
    for name, viewpoint in shown.scene.camera_viewpoints().items():
        shown.page.do(lambda page, name=name: page.get_by_role('button', name=name).click())
        shown.page.wait_until(
            lambda place=viewpoint.position: np.allclose(shown.camera(), place, atol=1e-3)
        )


def test_the_number_of_splats_is_measured_on_the_page(shown):
    """It begins without splats, and ends with a number of which each trial was shown."""
    shown.limits.clear()
    trials = SplatTrials(shown.window, shown, 0)

    def is_chosen():
        shown.window.run_calls()
        trials.update()
        return 'measured' not in trials.summary

    shown.page.wait_until(is_chosen)
    assert shown.limits[0] == 0
    assert len(shown.limits) > 2
    assert shown.limits[-1] > 0
    assert trials.summary == f'{shown.limits[-1]} of {shown.total_splats}'
    shown.page.wait_until("window.__viserMutable.nodeRefFromName['/bundle/splats'] !== undefined")


def test_a_number_that_is_given_is_not_measured(shown):
    """The parameter decides."""
    shown.limits.clear()
    trials = SplatTrials(shown.window, shown, 700)
    trials.update()
    assert shown.limits == [700]
    assert trials.summary == f'700 of {shown.total_splats}'
