# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Separate random streams for the parts of a match, so that their draws are independent."""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class RandomStream(IntEnum):
    """The purposes of random draws."""

    PLAYERS = 0
    SHUTTERS = 1
    ERRORS = 2
    CLOCK = 3
    DELAYS = 4
    BALL_DETECTIONS = 5
    ROBOT_DETECTIONS = 6
    CLUTTER = 7
    LOOSE_BALLS = 8
    SIMULATED_KICKS = 9
    MISREAD_NUMBERS = 10
    STAMPS = 11
    GOAL_SHOTS = 12


def random_stream(seed: int, part: RandomStream, *indices: int) -> np.random.Generator:
    """
    Return a new random stream.

    Parameters
    ----------
    seed : int
        Seed of the simulation.
    part : RandomStream
    *indices : int
        Index of the camera or ball, for example.

    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(part, *indices)))
