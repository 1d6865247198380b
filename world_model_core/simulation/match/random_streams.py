# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A random random_stream for each part, so that what one draws changes nothing for the others."""

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
    BALLS_SEEN = 5
    ROBOTS_SEEN = 6
    FALSE_BALLS = 7
    LOOSE_BALLS = 8
    SHOTS = 9


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
