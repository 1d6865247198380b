# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Scenes are shown while their scenarios run, and for a while longer."""

from world_model_core.time import to_nanoseconds
from world_model_core.view.running_scenes import LINGER, RunningScenes


def test_a_scene_is_shown_as_soon_as_its_scenario_runs():
    """Nothing is shown before."""
    scenes = RunningScenes()
    assert scenes.update(set(), 0) == set()
    assert scenes.update({'match', 'house'}, 1) == {'match', 'house'}


def test_a_scenario_that_starts_again_keeps_its_scene():
    """The scene does not flicker while a simulator starts again."""
    scenes = RunningScenes()
    scenes.update({'match'}, 0)
    assert scenes.update(set(), to_nanoseconds(LINGER)) == {'match'}


def test_a_scenario_that_has_ended_loses_its_scene():
    """Its last state would be taken for the present one."""
    scenes = RunningScenes()
    scenes.update({'match'}, 0)
    assert scenes.update(set(), to_nanoseconds(LINGER) + 1) == set()
