# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""WAV files of all kinds become sounds of one channel with 16,000 samples a second."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest

from world_model_core.virtual_world.agents.wav_files import SoundFileError, sound_of_wav


def wav(samples, *, rate=16_000, width=2):
    """Write samples from -1 to 1, shape (n,) or (n, channels)."""
    samples = np.asarray(samples, dtype=np.float64)
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    whole = np.rint(samples.ravel() * (2.0 ** (8 * width - 1) - 1.0)).astype('<i8')
    if width == 1:
        whole += 128
    data = whole[:, None].view(np.uint8).reshape(-1, 8)[:, :width].tobytes()
    file = io.BytesIO()
    with wave.open(file, 'wb') as writer:
        writer.setparams((channels, width, rate, 0, 'NONE', ''))
        writer.writeframes(data)
    return file.getvalue()


def heard(data):
    """Return the samples that an agent hears, from -1 to 1."""
    sound = sound_of_wav(data)
    assert (sound.rate, sound.channels) == (16_000, 1)
    return np.frombuffer(sound.samples, '<i2') / 32_767.0


@pytest.mark.parametrize('width', [1, 2, 3, 4])
def test_samples_of_any_width_are_heard(width):
    """The loudest stay the loudest."""
    samples = np.linspace(-1.0, 1.0, 101)
    np.testing.assert_allclose(heard(wav(samples, width=width)), samples, atol=0.02)


def test_channels_are_mixed():
    """Agents have one ear."""
    samples = np.column_stack((np.full(50, 0.5), np.full(50, -0.1)))
    np.testing.assert_allclose(heard(wav(samples)), 0.2, atol=1e-3)


@pytest.mark.parametrize('rate', [8_000, 44_100, 48_000])
def test_other_rates_are_converted(rate):
    """A tone keeps its pitch and takes the same time."""
    times = np.arange(rate) / rate
    samples = heard(wav(0.5 * np.sin(2.0 * np.pi * 440.0 * times), rate=rate))
    assert len(samples) == 16_000
    assert np.abs(np.fft.rfft(samples)).argmax() == 440


@pytest.mark.parametrize(
    'data',
    [
        b'', b'RIFF', b'<script>' * 100, wav([0.0])[:30], wav([]),
        wav(np.zeros(32 * 16_000)), wav([0.0] * 2_000_000, rate=384_001), wav([0.0], rate=999),
    ],
    ids=['empty', 'cut', 'text', 'header', 'no samples', 'long', 'fast', 'slow'],
)  # fmt: skip
def test_other_files_are_refused(data):
    """With a reason."""
    with pytest.raises(SoundFileError, match=r'file is not a WAV|sound '):
        sound_of_wav(data)


def test_damaged_files_give_a_sound_or_an_error():
    """Whatever is changed."""
    data, draws = wav(np.zeros(100)), np.random.default_rng(1)
    for _ in range(300):
        damaged = bytearray(data)
        damaged[draws.integers(0, 48)] = draws.integers(256)
        try:
            assert sound_of_wav(bytes(damaged)).samples
        except SoundFileError:
            continue
