# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contents of packets that controllers see, hear and feel by; times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    'CaptureView',
    'CaptureViewResult',
    'DetectEntities',
    'DetectEntitiesResult',
    'InvokeAction',
    'InvokeCollision',
    'InvokeInit',
    'InvokeMessage',
    'InvokeSound',
    'InvokeText',
    'MeasureDistance',
    'MeasureDistanceResult',
    'RecognizeSound',
    'RecognizeSoundResult',
]


@dataclass(frozen=True, slots=True)
class InvokeInit:
    """onInit is to be called."""


@dataclass(frozen=True, slots=True)
class InvokeAction:
    """onAction is to be called."""

    time: float


@dataclass(frozen=True, slots=True)
class InvokeText:
    """A text that an agent hears; `encoding`: 0 ASCII, 1 EUC-JP, 2 JIS, 3 Shift JIS, 4 UTF-8."""

    time: float
    caller: str
    target: str
    text: str
    encoding: int


@dataclass(frozen=True, slots=True)
class InvokeMessage:
    """A message that an agent receives."""

    sender: str
    strings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvokeCollision:
    """Contacts of an agent, each as "other:other part:own part:"."""

    time: float
    contacts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvokeSound:
    """A sound that an agent hears; `big_endian`: 0 or 1."""

    time: float
    caller: str
    channels: int
    rate: int
    bits: int
    big_endian: int
    samples: bytes


@dataclass(frozen=True, slots=True)
class RecognizeSound:
    """A sound whose words are asked for; `big_endian`: 0 or 1."""

    channels: int
    rate: int
    bits: int
    big_endian: int
    samples: bytes


@dataclass(frozen=True, slots=True)
class RecognizeSoundResult:
    """The words of a sound; `encoding`: 0 ASCII, 1 EUC-JP, 2 JIS, 3 Shift JIS, 4 UTF-8."""

    encoding: int
    text: str


@dataclass(frozen=True, slots=True)
class CaptureView:
    """A request for an image: agent, type, color bits, size, number of its camera from 1 on."""

    agent: str
    image_type: int
    color_bits: int
    width: int
    height: int
    camera: int | None = None


@dataclass(frozen=True, slots=True)
class CaptureViewResult:
    """An image: rows of BGR pixels from the lowest on, each padded to 4 bytes."""

    image_type: int
    color_bits: int
    width: int
    height: int
    pixels: bytes


@dataclass(frozen=True, slots=True)
class DetectEntities:
    """A request for the objects that a camera of an agent sees."""

    agent: str
    camera: int | None = None


@dataclass(frozen=True, slots=True)
class DetectEntitiesResult:
    """Names of the objects that are seen."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MeasureDistance:
    """A request for the distance between `start` and `end`, in units of the file."""

    agent: str
    start: float
    end: float
    camera: int
    dimension: int


@dataclass(frozen=True, slots=True)
class MeasureDistanceResult:
    """A distance, 0 to 255."""

    distance: int
