# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The microphone of the host, where the package sounddevice is installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from world_model_core.virtual_world.agents.events import Sound

# Of a recording [s], and its samples in a second [1/s].
DURATION, RATE = 4.0, 16_000


@cache
def has_microphone() -> bool:
    """Return whether the host has a microphone that can be used."""
    try:
        _sounddevice().check_input_settings(samplerate=RATE, channels=1, dtype='int16')
    # PortAudio is missing (OSError) or has no such device (an error of its own).
    except Exception:  # noqa: BLE001
        return False
    return True


def record() -> Sound:
    """Record for `DURATION`; is called in a thread that may wait."""
    device = _sounddevice()
    samples = device.rec(int(DURATION * RATE), samplerate=RATE, channels=1, dtype='int16')
    device.wait()
    return Sound(samples.astype('<i2').tobytes(), RATE)


def _sounddevice() -> Any:
    return import_module('sounddevice')
