# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Reader of timebase.yaml: time step, rates of sensors and start pose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.bundle_paths import Version
from world_model_core.bundle.values import InitialPose, Timebase
from world_model_core.files.mapping_schemas import (
    DocumentReader,
    MappingOf,
    MappingSchema,
    expected,
    optional,
)
from world_model_core.files.value_schemas import Number, Quaternion, Vector, shown_numbers
from world_model_core.files.yaml_reader import read_yaml
from world_model_core.frames import pose_transform

if TYPE_CHECKING:
    from world_model_core.files.parsed_document import ValueLocation

# builtin_interfaces/Time has 32 signed bits for seconds, which must not be negative; this leaves
# years for the simulation [s].
LATEST = 2e9
# One nanosecond, the smallest step of ROS time; an implausibly large step; and the largest [s].
SMALLEST_STEP, LARGE_STEP, LARGEST_STEP = 1e-9, 1.0, 3600.0
# Rates of sensors, including an IMU [Hz]; periods must fit into nanoseconds of 64 bits.
LOWEST_RATE, HIGHEST_RATE = 1e-3, 1e5
# No car is faster [m/s].
FASTEST = 150.0
AT_REST: dict[str, Any] = {
    'position': (0.0, 0.0, 0.0),
    'orientation': (0.0, 0.0, 0.0, 1.0),
    'velocity': (0.0, 0.0, 0.0),
}


def _make(fields: dict[str, Any], location: ValueLocation) -> Timebase:
    simulation = fields['simulation']
    if simulation['dt'] > LARGE_STEP:
        here = location.member('simulation').member('dt')
        here.report('Timebase.LargeStep', found=f'{simulation["dt"]:g}', limit=f'{LARGE_STEP:g}')
    return Timebase(
        version=fields['version'],
        dt=simulation['dt'],
        start_time=simulation['start_time'],
        sensor_rates=fields['sensor_rates'],
        initial=fields['initial_pose'] or _initial(AT_REST, location),
        extra=fields['extra'],
    )


def _initial(fields: dict[str, Any], location: ValueLocation) -> InitialPose:
    velocity = np.array(fields['velocity'])
    if float(np.abs(velocity).max()) > FASTEST:
        found = shown_numbers(velocity)
        location.member('velocity').report('Timebase.Fast', found=found, limit=f'{FASTEST:g}')
    pose = pose_transform(fields['position'], fields['orientation'])
    return InitialPose(pose, velocity)


_SIMULATION = MappingSchema(
    {
        'dt': Number(SMALLEST_STEP, LARGEST_STEP, code='Timebase.Step'),
        'start_time': Number(0.0, LATEST, code='Timebase.StartTime'),
    }
)
_INITIAL = MappingSchema(
    {
        'position': optional(Vector(), AT_REST['position']),
        'orientation': optional(Quaternion('Timebase'), AT_REST['orientation']),
        'velocity': optional(Vector(), AT_REST['velocity']),
    },
    _initial,
)
_RATE = Number(LOWEST_RATE, HIGHEST_RATE, code='Timebase.Rate')
_TIMEBASE = MappingSchema(
    {
        'version': Version(),
        'simulation': _SIMULATION,
        'sensor_rates': expected(MappingOf(_RATE), {}),
        'initial_pose': optional(_INITIAL),
    },
    _make,
)
read_timebase: DocumentReader[Timebase] = DocumentReader(read_yaml, _TIMEBASE)
