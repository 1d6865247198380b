# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""WAV files as sounds that agents hear."""

from __future__ import annotations

import io
import math
import wave
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import resample_poly

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.agents.events import Sound
from world_model_core.virtual_world.agents.messages import MOST_BYTES

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

__all__ = ['SoundFileError', 'sound_of_wav']

# Of a sound without other sizes [1/s].
RATE = 16_000
RATES = (1_000, 384_000)
# Largest number of a sample of 16 bits.
FULL = 32_767


class SoundFileError(WorldModelError):
    """A file is not a sound that an agent can hear."""


def sound_of_wav(data: bytes) -> Sound:
    """
    Convert a WAV file to a sound of one channel with 16,000 samples a second.

    Parameters
    ----------
    data : bytes
        PCM with 8, 16, 24 or 32 bits, of any number of channels.

    Raises
    ------
    SoundFileError
        It is not such a file, is empty, or longer than agents can hear in one message.

    """
    try:
        with wave.open(io.BytesIO(data)) as file:
            rate, width, channels = file.getframerate(), file.getsampwidth(), file.getnchannels()
            frames = file.readframes(file.getnframes())
    except (wave.Error, EOFError, ValueError, RuntimeError) as error:
        raise SoundFileError(f'file is not a WAV file of PCM: {error}') from error
    if not RATES[0] <= rate <= RATES[1] or not 1 <= width <= 4 or channels < 1:
        raise SoundFileError(
            f'sound has {channels} channels of {8 * width} bits at {rate} Hz; the rate must be '
            f'from {RATES[0]} to {RATES[1]} Hz'
        )
    count = len(frames) // (width * channels)
    longest = MOST_BYTES / (2 * RATE)
    if not 0 < count <= longest * rate:
        raise SoundFileError(
            f'sound takes {count / rate:.1f} s; it must be above 0 and at most {longest:g} s'
        )
    samples = _samples(frames[: count * width * channels], width).reshape(-1, channels)
    return Sound(_at_rate(samples.mean(axis=1), rate))


def _samples(frames: bytes, width: int) -> Array:
    """Return samples from -1 to 1; WAV has bytes without sign and all else with one."""
    if width == 1:
        return (np.frombuffer(frames, np.uint8).astype(np.float64) - 128.0) / 128.0
    # Each sample becomes the upper bytes of 32 bits.
    wide = np.zeros((len(frames) // width, 4), np.uint8)
    wide[:, 4 - width :] = np.frombuffer(frames, np.uint8).reshape(-1, width)
    samples: Array = wide.view('<i4').ravel().astype(np.float64) / 2.0**31
    return samples


def _at_rate(samples: Array, rate: int) -> bytes:
    """Return samples of 16 bits at the rate of agents."""
    common = math.gcd(rate, RATE)
    resampled = resample_poly(samples, RATE // common, rate // common)
    clipped = np.clip(resampled, -1.0, 1.0)[: MOST_BYTES // 2]
    return bytes(np.rint(FULL * clipped).astype('<i2'))
