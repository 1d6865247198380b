# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks across files of sensors; calibration.yaml has precedence over the others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from world_model_core.bundle.sensors.sensor_poses import (
    BASE_LINK,
    base_frame,
    distance_between,
    poses_in,
    same_pose,
    sensors,
)
from world_model_core.files.file_findings import FileFindings
from world_model_core.files.parsed_document import pointer
from world_model_core.frames import quaternion_of

if TYPE_CHECKING:
    from world_model_core.bundle.values import (
        Manifest,
        Metadata,
        SensorCalibration,
        StaticTransform,
        Timebase,
    )
    from world_model_core.findings import Findings
    from world_model_core.frames import Transform

# Relative tolerance of rates, for rounding.
RATE_TOLERANCE = 1e-6
# Groups of calibration.yaml, by the keys of sensor_rates in timebase.yaml.
KINDS = {'camera': 'cameras', 'lidar': 'lidars'}


def sensor_transforms(
    manifest: Manifest,
    calibration: SensorCalibration,
    tf_static: tuple[StaticTransform, ...],
    findings: Findings,
    metadata: Metadata | None = None,
) -> None:
    """Compare tf_static.json with calibration.yaml, from which it is generated."""
    file_findings = FileFindings(manifest.paths['sensors/tf_static'], findings)
    base = base_frame(metadata)
    poses = poses_in(base, tf_static)
    indices = {each.child_frame_id: index for index, each in enumerate(tf_static)}
    for group, name, sensor in sensors(calibration):
        values = {'sensor': name, 'frame': sensor.frame_id, 'base': base}
        if sensor.frame_id not in indices:
            file_findings.add('TfStatic.SensorMissing', '/transforms', **values)
            continue
        where = pointer('transforms', indices[sensor.frame_id])
        pose = poses.get(sensor.frame_id)
        if pose is None:
            file_findings.add('TfStatic.NotConnected', where, **values)
        elif not same_pose(pose, sensor.pose):
            values['calibrated'] = pointer(group, name, 'extrinsics')
            values |= _difference(pose, sensor.pose)
            file_findings.add('Calibration.TfMismatch', f'{where}/transform', **values)


def pose_text(pose: Transform) -> str:
    """Format a pose: x, y, z [m] and x, y, z, w."""
    numbers = (pose.translation, quaternion_of(pose.rotation))
    return ' '.join(f'[{", ".join(f"{each + 0.0:.6g}" for each in part)}]' for part in numbers)


def _difference(pose: Transform, calibrated: Transform) -> dict[str, str]:
    """Return the difference between a pose and the calibrated one as texts."""
    meters, radians = distance_between(pose, calibrated)
    return {
        'found': pose_text(pose),
        'limit': pose_text(calibrated),
        'distance': f'{meters:.6g}',
        'angle': f'{radians:.6g}',
    }


def sensor_frames(
    manifest: Manifest,
    calibration: SensorCalibration,
    findings: Findings,
    metadata: Metadata | None = None,
) -> None:
    """Report sensors that share a frame with each other or with map, odom or base."""
    file_findings = FileFindings(manifest.paths['sensors/calibration'], findings)
    system = None if metadata is None else metadata.coordinate_system
    taken = {BASE_LINK: BASE_LINK} if system is None else {
        frame: frame for frame in (system.map_frame, system.odom_frame, system.base_link_frame)
    }  # fmt: skip
    for group, name, sensor in sensors(calibration):
        other = taken.setdefault(sensor.frame_id, name)
        if other is not name:
            where = pointer(group, name, 'frame_id')
            values = {'sensor': name, 'found': sensor.frame_id, 'other': other}
            file_findings.add('Calibration.FrameTaken', where, **values)


def base_is_free(
    manifest: Manifest,
    tf_static: tuple[StaticTransform, ...],
    findings: Findings,
    metadata: Metadata | None = None,
) -> None:
    """Report static transforms that fix the base of the robot."""
    file_findings = FileFindings(manifest.paths['sensors/tf_static'], findings)
    base = base_frame(metadata)
    for index, each in enumerate(tf_static):
        if each.child_frame_id == base:
            where = pointer('transforms', index, 'child_frame_id')
            file_findings.add('TfStatic.BaseHeld', where, found=base, parent=each.frame_id)


def sensor_lists(
    manifest: Manifest, metadata: Metadata, calibration: SensorCalibration, findings: Findings
) -> None:
    """Compare the lists of sensors in metadata.json with calibration.yaml."""
    file_findings = FileFindings(manifest.paths['metadata'], findings)
    for group in ('cameras', 'lidars'):
        listed, calibrated = getattr(metadata, group), getattr(calibration, group)
        values = {
            'listed': ', '.join(listed) or 'none',
            'calibrated': ', '.join(calibrated) or 'none',
        }
        for index, name in enumerate(listed):
            if name not in calibrated:
                where = pointer('sensors', group, index)
                file_findings.add('Metadata.SensorNotCalibrated', where, found=name, **values)
        for name in sorted(calibrated.keys() - set(listed)):
            file_findings.add(
                'Metadata.SensorNotListed', pointer('sensors', group), found=name, **values
            )


def sensor_rates(
    manifest: Manifest, calibration: SensorCalibration, timebase: Timebase, findings: Findings
) -> None:
    """Compare sensor_rates of timebase.yaml with rate_hz of the sensors."""
    file = manifest.paths['sim/timebase']
    for kind, group in KINDS.items():
        where = pointer('sensor_rates', kind)
        rate = timebase.sensor_rates.get(kind)
        rates = {name: each.rate for its, name, each in sensors(calibration) if its == group}
        if rate is None:
            if rates:
                findings.add('Timebase.RateMissing', file, '/sensor_rates', kind=kind)
            continue
        if not rates:
            findings.add('Timebase.RateOfNothing', file, where, kind=kind, found=rate)
        others = {name: each for name, each in rates.items() if not _same_rate(each, rate)}
        if others:
            # One rate for each kind cannot describe cameras with different rates.
            code = 'Timebase.RateMismatch' if len(others) == len(rates) else 'Timebase.RatesDiffer'
            text = ', '.join(f'{name} {each:g}' for name, each in others.items())
            findings.add(code, file, where, kind=kind, found=f'{rate:g}', calibrated=text)


def rates_and_step(
    manifest: Manifest, calibration: SensorCalibration, timebase: Timebase, findings: Findings
) -> None:
    """Report sensors with a higher rate than the steps of the simulation."""
    file_findings = FileFindings(manifest.paths['sensors/calibration'], findings)
    highest = 1.0 / timebase.dt
    for group, name, sensor in sensors(calibration):
        if sensor.rate > highest * (1.0 + RATE_TOLERANCE):
            where = pointer(group, name, 'rate_hz')
            values = {'sensor': name, 'found': f'{sensor.rate:g}', 'limit': f'{highest:g}'}
            file_findings.add('Calibration.RateAboveStep', where, **values)


def _same_rate(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=RATE_TOLERANCE)
