# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Messages of any type with plausible and with invalid values, from a seed."""

from __future__ import annotations

import json
import math
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Quaternion
from rosidl_parser.definition import (
    AbstractSequence,
    AbstractString,
    AbstractWString,
    Array,
    BasicType,
    BoundedSequence,
    NamespacedType,
)
from samples import FIELD

from world_model_core.documents import write
from world_model_core.match.documents import field_document
from world_model_core.match.ssl.geometry_values import ChipModel, Geometry, StraightModel

KICK = {
    'number': 1,
    'stamp_ns': 100 * 10**9,
    'position': [1.0, 2.0],
    'velocity': [3.0, 1.0, 2.0],
    'covariance': np.eye(6).tolist(),
    'chip_probability': 0.7,
    'kicker': 'blue/3',
}
MAP = {
    'map_id': 'house',
    'next_id': 5,
    'objects': {
        '3': {
            'class': 'chair',
            'position': [1.5, 2.3, 0.4],
            'position_uncertainty': [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]],
            'attributes': {'color': 'green'},
            'size': [1, 1, 1],
            'heading': 0.5,
            'state': 'missing',
            'last_seen_ns': 9,
        }
    },
}
DOCUMENTS = (
    KICK,
    field_document(Geometry(FIELD, (), StraightModel(-3.0, -0.3, 0.6), ChipModel(0.6, 0.9, 0.7))),
    MAP,
)
# Strings by the last part of the name of their field.
WORDS = {
    'frame_id': ('map',),
    'child_frame_id': ('base_link',),
    'joint_names': ('blue/3', 'yellow/0', 'yellow/15'),
    'name': ('blue/3', 'x', 'y', 'z'),
    'key': ('ball_sensor',),
    'value': ('true', '0'),
    'class_id': ('chair', 'potted plant', 'color:red', 'landmark'),
    'id': ('0', '1', '2'),
    'ns': ('chair', 'table'),
    'data': ('NONE', 'VISION', 'how many chairs are there?', 'find the red chair', 'chair, table'),
}
BAD_TEXTS = (
    '',
    ' ',
    'blue/16',
    '\x00',
    '\ufffd',
    '{"a": "\\ud800"}',
    '{' * 100_000,
    '[' * 30_000 + ']' * 30_000,
    '9' * 5000,
    '[1e400, NaN, -Infinity]',
    '{"number": 1' + '0' * 400 + '}',
    '{}',
    'null',
    '"\U0010ffff"',
    '\uff11\uff12',
    'a' * 1_000_000,
    'how many ' * 20_000,
    '機' * 1000,
    '/',
    '../../etc/passwd',
)
BAD_FLOATS = (
    *(math.nan, math.inf, -math.inf, 1e308, -1e308, 1e154, -1e154, 1e30),
    *(5e-324, -0.0, 0.0, 1e-300, -1.0, 1e6, 1e9, 1e19),
)
BAD_SECONDS = (-(2**31), -1, 0, 2**31 - 1, 2**31 - 2)
BAD_NANOSECONDS = (10**9, 2**32 - 1)
# Bits of the integers of ROS.
BITS = {'int8': 8, 'uint8': 8, 'int16': 16, 'uint16': 16, 'int32': 32, 'uint32': 32}
BITS |= {'int64': 64, 'uint64': 64}
# Lengths of lists.
LENGTHS = (0, 1, 1, 2, 3, 7)
LARGEST_FLOAT32 = 3.4e38
FLOATS = ('float', 'double')


class InvalidMessages:
    """
    Makes messages of which some fields are invalid.

    Parameters
    ----------
    seed : int
    words : mapping, optional
        Plausible strings by the name of their field; they replace those of `WORDS`.
    longest : int
        Length of the longest lists, of which a message has at most one.

    Attributes
    ----------
    now_ns : int
        Time of plausible stamps [ns]; each message takes 20 ms.

    """

    def __init__(
        self, seed: int, words: dict[str, tuple[str, ...]] | None = None, longest: int = 1_000_000
    ) -> None:
        self._random = Random(seed)  # noqa: S311 (nothing is kept secret)
        self._words, self._longest = WORDS | (words or {}), longest
        self._share, self._has_long = 0.0, False
        self.now_ns = 100 * 10**9

    def make(self, kind: Any) -> Any:
        """Make a message; from none to all of its values are invalid."""
        self.now_ns += 20_000_000
        self._has_long = False
        self._share = self._random.choice((0.0, 0.01, 0.05, 0.3, 1.0))
        return self._message(kind)

    def value(self, like: Any) -> Any:
        """Make an invalid value of the type of another one."""
        choices: dict[type, tuple[Any, ...]] = {
            bool: (False, True),
            int: (-(2**63), -1, 0, 1, 10**6, 2**63 - 1),
            float: BAD_FLOATS,
            str: BAD_TEXTS,
            list: ([], [math.nan], [1e308] * 4, [0.0] * 100_000, ['a']),
        }
        return self._random.choice(choices[type(like)])

    def _message(self, kind: Any) -> Any:
        if kind is Time:
            return self._time()
        message = kind()
        if kind is Quaternion and not self._is_bad():
            message.w = 1.0
            return message
        # Small messages keep most of their fields, so that some reach the end of a callback.
        for name, slot in zip(message.get_fields_and_field_types(), kind.SLOT_TYPES, strict=True):
            setattr(message, name, self._slot(slot, name))
        return message

    def _slot(self, slot: Any, name: str) -> Any:
        if isinstance(slot, NamespacedType):
            module = import_module('.'.join(slot.namespaces))
            return self._message(getattr(module, slot.name))
        if isinstance(slot, Array):
            return self._array(slot, name)
        if isinstance(slot, AbstractSequence):
            return self._sequence(slot, name)
        if isinstance(slot, (AbstractString, AbstractWString)):
            return self._text(name)
        return self._number(slot, name)

    def _array(self, slot: Array, name: str) -> Any:
        """Make an array of fixed size; plausible ones are covariances."""
        if self._is_bad() or slot.value_type.typename not in FLOATS:
            return [self._slot(slot.value_type, name) for _ in range(slot.size)]
        side = round(slot.size**0.5)
        spread = self._random.choice((0.0, 0.01)) * np.eye(side)
        if self._is_bad():
            spread[self._random.randrange(side), 0] = self._random.choice(BAD_FLOATS)
        return spread.ravel()

    def _sequence(self, slot: Any, name: str) -> Any:
        length = self._random.choice(LENGTHS)
        if not self._has_long and self._is_bad() and self._random.random() < 0.1:
            length, self._has_long = self._longest, True
        if isinstance(slot, BoundedSequence):
            length = min(length, slot.maximum_size)
        few = [self._slot(slot.value_type, name) for _ in range(min(length, 7))]
        return few * (length // max(len(few), 1))

    def _text(self, name: str) -> str:
        if self._is_bad():
            return self._random.choice(BAD_TEXTS)
        if name == 'data' and self._random.random() < 0.7:
            return self._document()
        return self._random.choice(self._words.get(name, ('',)))

    def _document(self) -> str:
        """Write a document, perhaps with an invalid value somewhere."""
        document = json.loads(write(self._random.choice(DOCUMENTS)))
        document = document | ({'stamp_ns': self.now_ns} if 'stamp_ns' in document else {})
        for _ in range(self._random.choice((0, 0, 1, 1, 3))):
            self._spoil(document)
        return json.dumps(document)

    def _spoil(self, document: Any) -> None:
        """Replace one value somewhere in a document."""
        keys = list(document) if isinstance(document, dict) else list(range(len(document)))
        if not keys:
            return
        key = self._random.choice(keys)
        if isinstance(document[key], (dict, list)) and self._random.random() < 0.8:
            self._spoil(document[key])
            return
        kinds = (0.0, 0, '', [])
        others = (10**400, None, {}, '\ud800')
        document[key] = self._random.choice((*map(self.value, kinds), *others))

    def _number(self, slot: BasicType, name: str) -> Any:
        kind = slot.typename
        if kind == 'boolean':
            return self._random.random() < 0.5
        if kind == 'octet':
            return bytes([self._random.randrange(256)])
        if kind in FLOATS:
            return self._float(kind)
        if self._is_bad():
            unsigned, bits = kind.startswith('u'), BITS[kind]
            low, high = (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            return self._random.choice((low, high, high // 2, 0, 1))
        # 12 bytes are three floats, as of a point.
        return {'point_step': 12, 'datatype': 7, 'count': 1}.get(name, self._random.randrange(8))

    def _float(self, kind: str) -> float:
        if not self._is_bad():
            return self._random.gauss(0.0, 2.0)
        number = self._random.choice(BAD_FLOATS)
        # A message does not accept a finite number that its field cannot hold.
        return math.inf if kind == 'float' and abs(number) > LARGEST_FLOAT32 else number

    def _time(self) -> Time:
        if not self._is_bad():
            return Time(sec=self.now_ns // 10**9, nanosec=self.now_ns % 10**9)
        if self._random.random() < 0.5:
            return Time(sec=self._random.choice(BAD_SECONDS), nanosec=0)
        return Time(sec=100, nanosec=self._random.choice(BAD_NANOSECONDS))

    def _is_bad(self) -> bool:
        return self._random.random() < self._share
