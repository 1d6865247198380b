# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Converts and merges the geometry of vision packets: SSL_GeometryData <-> `Geometry`."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from world_model_core.errors import LegacyPacketError
from world_model_core.match.ssl import value_limits as limits
from world_model_core.match.ssl import wire
from world_model_core.match.ssl.geometry_values import (
    CameraCalibration,
    ChipModel,
    FieldArc,
    FieldLine,
    FieldSize,
    Geometry,
    StraightModel,
)
from world_model_core.match.ssl.value_limits import MessageLimits, Range
from world_model_core.match.ssl.wire import MM

_SPAN = limits.POSITION * MM
# Fields of the message and of FieldSize; all are lengths.
_REQUIRED_LENGTHS = {
    'field_length': 'length',
    'field_width': 'width',
    'goal_width': 'goal_width',
    'goal_depth': 'goal_depth',
    'boundary_width': 'boundary_width',
}
_OPTIONAL_LENGTHS = (
    'penalty_area_depth',
    'penalty_area_width',
    'center_circle_radius',
    'line_thickness',
    'goal_center_to_penalty_mark',
    'goal_height',
    'ball_radius',
    'max_robot_radius',
    'boundary_width_goal_line',
    'goal_substitution_area_width',
)
_FRACTIONAL_LENGTHS = frozenset({'ball_radius', 'max_robot_radius'})
_TRANSLATION = ('tx', 'ty', 'tz')
_POSITION = tuple(f'derived_camera_world_{name}' for name in _TRANSLATION)
_IMAGE_SIZE = ('pixel_image_width', 'pixel_image_height')
_ROTATION = ('q0', 'q1', 'q2', 'q3')

FIELD = MessageLimits(
    # No ball could roll on less than 0.1 m.
    Range('field_length', 100, 2 * _SPAN, 'mm'),
    Range('field_width', 100, 2 * _SPAN, 'mm'),
    *(Range(name, 0, _SPAN, 'mm') for name in (*_REQUIRED_LENGTHS, *_OPTIONAL_LENGTHS)[2:]),
)
LINE = MessageLimits(
    *(Range(name, -_SPAN, _SPAN, 'mm') for name in ('p1.x', 'p1.y', 'p2.x', 'p2.y')),
    Range('thickness', 0, _SPAN, 'mm'),
)
ARC = MessageLimits(
    *(Range(name, -_SPAN, _SPAN, 'mm') for name in ('center.x', 'center.y')),
    *(Range(name, 0, _SPAN, 'mm') for name in ('radius', 'thickness')),
    *(Range(name, -limits.ANGLE, limits.ANGLE, 'rad') for name in ('a1', 'a2')),
)
CAMERA = MessageLimits(
    Range('camera_id', 0, limits.CAMERA_ID),
    Range('focal_length', 0, limits.PIXEL, 'px'),
    Range('principal_point_x', -limits.PIXEL, limits.PIXEL, 'px'),
    Range('principal_point_y', -limits.PIXEL, limits.PIXEL, 'px'),
    *(Range(name, 0, limits.PIXEL, 'px') for name in _IMAGE_SIZE),
    # About 0.1 in ssl-vision's lens model.
    Range('distortion', -100, 100),
    # A unit quaternion, with rounding errors.
    *(Range(name, -1.01, 1.01) for name in _ROTATION),
    *(Range(name, -2 * _SPAN, 2 * _SPAN, 'mm') for name in (*_TRANSLATION, *_POSITION)),
)
STRAIGHT = MessageLimits(
    # Measured on carpets: slide -2.4 to -4.1, roll -0.26 to -0.35 m/s^2, switch at 0.64 to 0.7.
    Range('acc_slide', -100, -1e-3, 'm/s^2'),
    Range('acc_roll', -100, -1e-3, 'm/s^2'),
    Range('k_switch', 0, 1),
)
CHIP = MessageLimits(
    *(Range(name, 0, 1) for name in ('damping_xy_first_hop', 'damping_xy_other_hops', 'damping_z'))
)


def read_geometry(geometry: Any, data: bytes) -> Geometry:
    """
    Convert an SSL_GeometryData message.

    Parameters
    ----------
    geometry : Message
        The parsed geometry.
    data : bytes
        Its datagram, which is checked for the legacy layout.

    Returns
    -------
    Geometry
        In meters, field frame.

    Raises
    ------
    LegacyPacketError
        The field has the layout from before 2014.
    ImplausibleValueError
        A field is not finite or out of its range.

    """
    if wire.parse(wire.LegacyWrapperPacket, data).geometry.field.HasField('goal_width'):
        raise LegacyPacketError(
            'geometry.field.6: a number instead of lines is the layout before 2014'
        )
    models = geometry.models
    has = models.HasField
    return Geometry(
        field=_read_field(geometry.field),
        cameras=tuple([_read_camera(each, index) for index, each in enumerate(geometry.calib)]),
        straight=_read_straight(models.straight_two_phase) if has('straight_two_phase') else None,
        chip=_read_chip(models.chip_fixed_loss) if has('chip_fixed_loss') else None,
    )


def _read_field(field: Any) -> FieldSize:
    """Convert an SSL_GeometryFieldSize."""
    FIELD.check(field, 'geometry.field')
    optional = [name for name in _OPTIONAL_LENGTHS if field.HasField(name)]
    return FieldSize(
        **{ours: getattr(field, theirs) / MM for theirs, ours in _REQUIRED_LENGTHS.items()},
        **{name: getattr(field, name) / MM for name in optional},
        lines=tuple([_read_line(line, index) for index, line in enumerate(field.field_lines)]),
        arcs=tuple([_read_arc(arc, index) for index, arc in enumerate(field.field_arcs)]),
    )


def _read_line(line: Any, index: int) -> FieldLine:
    """Convert an SSL_FieldLineSegment."""
    LINE.check(line, 'geometry.field.field_lines', index)
    return FieldLine(
        name=wire.text(line.name),
        start=(line.p1.x / MM, line.p1.y / MM),
        end=(line.p2.x / MM, line.p2.y / MM),
        thickness=line.thickness / MM,
    )


def _read_arc(arc: Any, index: int) -> FieldArc:
    """Convert an SSL_FieldCircularArc."""
    ARC.check(arc, 'geometry.field.field_arcs', index)
    return FieldArc(
        name=wire.text(arc.name),
        center=(arc.center.x / MM, arc.center.y / MM),
        radius=arc.radius / MM,
        start=arc.a1,
        end=arc.a2,
        thickness=arc.thickness / MM,
    )


def _read_camera(camera: Any, index: int) -> CameraCalibration:
    """Convert an SSL_GeometryCameraCalibration; an incomplete position or image size is None."""
    CAMERA.check(camera, 'geometry.calib', index)
    has = camera.HasField
    return CameraCalibration(
        camera_id=camera.camera_id,
        focal_length=camera.focal_length,
        principal_point=(camera.principal_point_x, camera.principal_point_y),
        distortion=camera.distortion,
        rotation=(camera.q0, camera.q1, camera.q2, camera.q3),
        translation=(camera.tx / MM, camera.ty / MM, camera.tz / MM),
        position=(
            camera.derived_camera_world_tx / MM,
            camera.derived_camera_world_ty / MM,
            camera.derived_camera_world_tz / MM,
        )
        if all(map(has, _POSITION))
        else None,
        image_size=(camera.pixel_image_width, camera.pixel_image_height)
        if all(map(has, _IMAGE_SIZE))
        else None,
    )


def _read_straight(model: Any) -> StraightModel:
    """Convert an SSL_BallModelStraightTwoPhase."""
    STRAIGHT.check(model, 'geometry.models.straight_two_phase')
    return StraightModel(model.acc_slide, model.acc_roll, model.k_switch)


def _read_chip(model: Any) -> ChipModel:
    """Convert an SSL_BallModelChipFixedLoss."""
    CHIP.check(model, 'geometry.models.chip_fixed_loss')
    return ChipModel(model.damping_xy_first_hop, model.damping_xy_other_hops, model.damping_z)


def geometry_fields(geometry: Geometry) -> dict[str, Any]:
    """Return the fields of an SSL_GeometryData; the inverse of `read_geometry`."""
    straight, chip = geometry.straight, geometry.chip
    models = {
        'straight_two_phase': straight and _straight_fields(straight),
        'chip_fixed_loss': chip and asdict(chip),
    }
    return {
        'field': _field_fields(geometry.field),
        'calib': [_camera_fields(camera) for camera in geometry.cameras],
        'models': models if straight or chip else None,
    }


def _field_fields(field: FieldSize) -> dict[str, Any]:
    """Return the fields of an SSL_GeometryFieldSize."""
    lengths = {theirs: getattr(field, ours) for theirs, ours in _REQUIRED_LENGTHS.items()}
    lengths |= {name: getattr(field, name) for name in _OPTIONAL_LENGTHS}
    return {
        **{name: _millimeters(name, value) for name, value in lengths.items()},
        'field_lines': [_line_fields(line) for line in field.lines],
        'field_arcs': [_arc_fields(arc) for arc in field.arcs],
    }


def _millimeters(name: str, length: float | None) -> float | None:
    """Convert a length [m] to millimeters; all but two are integers in the message."""
    if length is None:
        return None
    return length * MM if name in _FRACTIONAL_LENGTHS else round(length * MM)


def _line_fields(line: FieldLine) -> dict[str, Any]:
    """Return the fields of an SSL_FieldLineSegment."""
    return {
        'name': line.name.encode(),
        'p1': _vector_fields(line.start),
        'p2': _vector_fields(line.end),
        'thickness': line.thickness * MM,
    }


def _arc_fields(arc: FieldArc) -> dict[str, Any]:
    """Return the fields of an SSL_FieldCircularArc."""
    return {
        'name': arc.name.encode(),
        'center': _vector_fields(arc.center),
        'radius': arc.radius * MM,
        'a1': arc.start,
        'a2': arc.end,
        'thickness': arc.thickness * MM,
    }


def _vector_fields(point: tuple[float, float]) -> dict[str, float]:
    """Return the fields of a Vector2f."""
    return {'x': point[0] * MM, 'y': point[1] * MM}


def _camera_fields(camera: CameraCalibration) -> dict[str, Any]:
    """Return the fields of an SSL_GeometryCameraCalibration."""
    position, image = camera.position, camera.image_size
    return {
        'camera_id': camera.camera_id,
        'focal_length': camera.focal_length,
        'principal_point_x': camera.principal_point[0],
        'principal_point_y': camera.principal_point[1],
        'distortion': camera.distortion,
        **dict(zip(_ROTATION, camera.rotation, strict=True)),
        **{name: value * MM for name, value in zip(_TRANSLATION, camera.translation, strict=True)},
        **{name: value * MM for name, value in zip(_POSITION, position or (), strict=False)},
        **dict(zip(_IMAGE_SIZE, image or (), strict=False)),
    }


def _straight_fields(model: StraightModel) -> dict[str, float]:
    """Return the fields of an SSL_BallModelStraightTwoPhase."""
    return {
        'acc_slide': model.slide_acceleration,
        'acc_roll': model.roll_acceleration,
        'k_switch': model.switch_ratio,
    }


def merge_geometry(known: Geometry | None, news: Geometry) -> Geometry:
    """
    Merge the geometry of one host into that of all hosts.

    Each host of ssl-vision sends only its own cameras, and not every host sends the ball models.
    Without merging, their packets would change the field every second.

    Parameters
    ----------
    known : Geometry or None
        The merged geometry so far.
    news : Geometry
        New packet; its field, cameras and ball models take precedence.

    """
    if known is None:
        return news
    cameras = {camera.camera_id: camera for camera in (*known.cameras, *news.cameras)}
    return replace(
        news,
        cameras=tuple(cameras.values()),
        straight=news.straight or known.straight,
        chip=news.chip or known.chip,
    )
