# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""People with red-green weakness tell the colors of a scene apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from world_model_core.match.ssl.robot_id import Team
from world_model_core.view import colors
from world_model_core.view.ground import BANDS

# How colors look without cones for long (protanopia) and medium waves (deuteranopia), in linear
# RGB (G. Machado et al., A Physiologically-based Model for Simulation of Color Vision Deficiency,
# IEEE TVCG, 2009, severity 1.0).
MODELS = {
    'usual': np.eye(3),
    'protanopia': [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    'deuteranopia': [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}
# sRGB to XYZ, divided by the white D65 (IEC 61966-2-1).
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / [[0.9505], [1.0], [1.089]]
# Colors with a difference of 2.3 in CIELAB are just told apart side by side; small things on a
# screen need about ten times that.
LEAST_DIFFERENCE = 22.0
SCENES = {
    'match': {
        'yellow': colors.TEAMS[Team.YELLOW],
        'blue': colors.TEAMS[Team.BLUE],
        'ball': colors.BALL,
        'flying': colors.FLYING,
        'carpet': colors.CARPET,
        'line': colors.WHITE,
    },
    'house': {
        'answer': colors.ANSWER,
        'anchor': colors.ANCHOR,
        'way': colors.WAY,
        'floor': colors.FLOOR,
        'robot': colors.HOUSE_ROBOT,
    },
    'bundle': {
        'drivable': colors.DRIVABLE,
        'camera': colors.CAMERA,
        **{f'ground {band}': color for band, color in enumerate(BANDS[::3])},
    },
    'robots': {
        'page': colors.WHITE,
        'free': colors.FREE,
        'stuck': colors.STUCK,
        'kidnapped': colors.KIDNAPPED,
        'estimate': colors.ESTIMATE,
        'odometry': colors.ODOMETRY,
    },
    'readings': {
        'page': colors.WHITE,
        'reading': colors.READING,
        'clutter': colors.CLUTTER,
        'occluded': colors.OCCLUDED,
        'missed': colors.MISSED,
    },
}


def lab(color, model):
    """Return CIELAB coordinates of a color as it is seen."""
    share = np.array(color[:3]) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(np.array(model) @ linear, 0.0, 1.0)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16.0 / 116.0)
    return np.array((116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)))


@pytest.mark.parametrize('model', MODELS)
@pytest.mark.parametrize('scene', SCENES)
def test_colors_of_a_scene_are_told_apart(scene, model):
    """With usual sight and with red-green weakness."""
    seen = {name: lab(color, MODELS[model]) for name, color in SCENES[scene].items()}
    close = {
        (one, other): round(float(np.linalg.norm(seen[one] - seen[other])))
        for one, other in combinations(seen, 2)
        if np.linalg.norm(seen[one] - seen[other]) < LEAST_DIFFERENCE
    }
    assert close == {}


def test_the_model_confuses_red_and_green():
    """The test would be worth nothing if it did not."""
    red, green = (190, 60, 40, 255), (100, 110, 30, 255)
    distances = {
        name: np.linalg.norm(lab(red, model) - lab(green, model)) for name, model in MODELS.items()
    }
    assert distances['usual'] > 2.0 * distances['deuteranopia']


def test_faded_colors_keep_their_hue():
    """Only the opacity changes."""
    assert colors.faded((1, 2, 3, 200), 0.5) == (1, 2, 3, 100)
    assert colors.array_of((1, 2, 3, 4), (5, 6, 7, 8)).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
