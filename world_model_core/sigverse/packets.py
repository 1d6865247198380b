# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The layouts of all packets: a line for each type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.sigverse import connection_packets as connection
from world_model_core.sigverse import entity_packets as entity
from world_model_core.sigverse import sense_packets as sense
from world_model_core.sigverse.layouts import Batches, Parts, Single
from world_model_core.sigverse.objects import OBJECT
from world_model_core.sigverse.packet_types import PacketType
from world_model_core.sigverse.primitives import (
    FLAG,
    I16,
    I32,
    REAL,
    TEXT,
    U16,
    U32,
    IfMore,
    Listed,
    Record,
    Repeated,
    Unless,
)

if TYPE_CHECKING:
    from world_model_core.sigverse.layouts import PacketLayout

__all__ = ['LAYOUTS', 'TYPES']

# Most names in a packet.
MOST_NAMES = 50


_XYZ, _WXYZ = Repeated(REAL, 3), Repeated(REAL, 4)
_ADDRESS = Record(connection.ServiceAddress, TEXT, U16, TEXT, I32)
_FILES = Listed(I16, Record(connection.ShapeFile, TEXT, TEXT))
_FORCE = Record(entity.PartForce, TEXT, _XYZ, _XYZ)
_ENTITIES = Repeated(Record(entity.TimedEntity, REAL, OBJECT), 1)
_NAMES = Listed(U16, TEXT)

LAYOUTS: dict[PacketType, PacketLayout] = {
    PacketType.REQUEST_SIM_CTRL: Single(connection.ControlSimulation, I16),
    PacketType.REQUEST_GET_ALL_ENTITIES: Single(entity.GetAllEntities),
    PacketType.RESULT_GET_ALL_ENTITIES: Batches(entity.GetAllEntitiesResult, _ENTITIES, 1),
    PacketType.REQUEST_GET_ENTITY: Single(entity.GetEntity, TEXT),
    PacketType.RESULT_GET_ENTITY: Single(entity.GetEntityResult, U16, REAL, Unless(OBJECT, 0, 1)),
    PacketType.REQUEST_UPDATE_ENTITIES: Batches(entity.UpdateEntities, _ENTITIES, 1),
    PacketType.REQUEST_CAPTURE_VIEW_IMAGE: Single(
        sense.CaptureView, TEXT, U16, U16, U16, U16, IfMore(I16)
    ),
    PacketType.RESULT_CAPTURE_VIEW_IMAGE: Parts(sense.CaptureViewResult, U16, U16, U16, U16),
    PacketType.REQUEST_DETECT_ENTITIES: Single(sense.DetectEntities, TEXT, IfMore(I16)),
    PacketType.RESULT_DETECT_ENTITIES: Single(sense.DetectEntitiesResult, Listed(I16, TEXT)),
    PacketType.REQUEST_ATTACH_CONTROLLER: Single(connection.AttachController, TEXT),
    PacketType.RESULT_ATTACH_CONTROLLER: Single(connection.AttachControllerResult, U16, TEXT),
    PacketType.REQUEST_ATTACH_VIEW: Single(connection.AttachView, TEXT, U16),
    PacketType.RESULT_ATTACH_VIEW: Single(connection.AttachViewResult, U16, TEXT, IfMore(_FILES)),
    PacketType.REQUEST_CONNECT_DATA_PORT: Single(connection.ConnectDataPort, TEXT),
    PacketType.RESULT_CONNECT_DATA_PORT: Single(connection.ConnectDataPortResult, U16, TEXT),
    PacketType.REQUEST_PROVIDE_SERVICE: Single(connection.ProvideService, TEXT, U32, TEXT, I32),
    PacketType.RESULT_PROVIDE_SERVICE: Single(connection.ProvideServiceResult, U16, TEXT),
    PacketType.REQUEST_SET_JOINT_ANGLE: Single(entity.SetJointAngle, TEXT, TEXT, REAL),
    PacketType.REQUEST_SOUND_RECOG: Parts(sense.RecognizeSound, I16, U16, U16, U16),
    PacketType.RESULT_SOUND_RECOG: Single(sense.RecognizeSoundResult, U16, TEXT),
    PacketType.REQUEST_CONNECT_JOINT: Single(entity.ConnectJoint, TEXT, TEXT, TEXT, TEXT, TEXT),
    PacketType.REQUEST_RELEASE_JOINT: Single(entity.ReleaseJoint, TEXT, TEXT),
    PacketType.REQUEST_GET_JOINT_FORCE: Single(entity.GetJointForce, TEXT, TEXT),
    PacketType.RESULT_GET_JOINT_FORCE: Single(
        entity.GetJointForceResult, Unless(Repeated(_FORCE, 2), 0, 1)
    ),
    PacketType.INVOKE_CONTROLLER_ON_INIT: Single(sense.InvokeInit),
    PacketType.INVOKE_CONTROLLER_ON_ACTION: Single(sense.InvokeAction, REAL),
    PacketType.INVOKE_CONTROLLER_ON_RECV_TEXT: Single(
        sense.InvokeText, REAL, TEXT, TEXT, TEXT, I16
    ),
    PacketType.INVOKE_CONTROLLER_ON_RECV_SOUND: Parts(
        sense.InvokeSound, REAL, TEXT, I16, U16, U16, U16
    ),
    PacketType.INVOKE_CONTROLLER_ON_RECV_MESSAGE: Single(
        sense.InvokeMessage, TEXT, Listed(U32, TEXT)
    ),
    PacketType.LOG_MSG: Single(connection.LogMessage, I16, TEXT),
    PacketType.NS_QUERY_REQUEST: Single(connection.QueryService, U16),
    PacketType.NS_QUERY_RESULT: Single(connection.QueryServiceResult, Unless(_ADDRESS, 0, 1)),
    PacketType.NS_PINGER_REQUEST: Single(connection.PingService, U32),
    PacketType.NS_PINGER_RESULT: Single(connection.PingServiceResult, U16),
    PacketType.REQUEST_X3DDB: Single(connection.GetShapeFiles),
    PacketType.RESULT_X3DDB: Single(connection.GetShapeFilesResult, _FILES),
    PacketType.REQUEST_GET_OBJECT_NAMES: Single(entity.GetObjectNames, U16),
    PacketType.RESULT_GET_OBJECT_NAMES: Batches(
        entity.GetObjectNamesResult, _NAMES, MOST_NAMES, spare=True
    ),
    PacketType.INVOKE_CONTROLLER_ON_COLLISION: Single(sense.InvokeCollision, REAL, _NAMES),
    PacketType.REQUEST_SET_JOINT_QUATERNION: Single(
        entity.SetJointQuaternion, TEXT, TEXT, _WXYZ, FLAG
    ),
    PacketType.REQUEST_ADD_JOINT_TORQUE: Single(entity.AddJointTorque, TEXT, TEXT, REAL),
    PacketType.REQUEST_SET_ANGULAR_VELOCITY_JOINT: Single(
        entity.SetJointVelocity, TEXT, TEXT, REAL, REAL
    ),
    PacketType.REQUEST_SET_ANGULAR_VELOCITY_PARTS: Single(
        entity.SetPartVelocity, TEXT, TEXT, REAL, REAL
    ),
    PacketType.REQUEST_DISTANCE_SENSOR: Single(sense.MeasureDistance, TEXT, REAL, REAL, I16, I16),
    PacketType.RESULT_DISTANCE_SENSOR: Single(sense.MeasureDistanceResult, I16),
    PacketType.REQUEST_ADD_FORCE: Single(entity.AddForce, TEXT, _XYZ, FLAG),
    PacketType.REQUEST_ADD_FORCE_ATPOS: Single(
        entity.AddForceAtPosition, TEXT, _XYZ, _XYZ, FLAG, FLAG
    ),
    PacketType.REQUEST_SET_MASS: Single(entity.SetMass, TEXT, REAL),
    PacketType.REQUEST_SET_GRAVITY_MODE: Single(entity.SetGravityMode, TEXT, FLAG),
    PacketType.REQUEST_SET_DYNAMICS_MODE: Single(entity.SetDynamicsMode, TEXT, FLAG),
}
# The type of the packets of each content.
TYPES: dict[type, PacketType] = {layout.made: kind for kind, layout in LAYOUTS.items()}
