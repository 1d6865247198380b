# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The public API: a robot's model of the world, without ROS.

Data and times are passed in, values are returned. Import every name from here, for example
`from world_model_core import Match, MatchParameters`. A module is loaded when one of its names is
first used. A name that is not listed in `__all__` is private and may change without notice.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from world_model_core.bundle.bundle import WorldBundle
    from world_model_core.bundle.checking.bundle_report import BundleReport
    from world_model_core.bundle.finding_catalog import BundleError
    from world_model_core.bundle.loading import load as load_bundle
    from world_model_core.bundle.splats.splat_conventions import SplatConventions
    from world_model_core.bundle.validate import validate as validate_bundle
    from world_model_core.bundle.writing import write as write_bundle
    from world_model_core.documents import DocumentError
    from world_model_core.errors import (
        ConfigurationError,
        ImplausibleValueError,
        LegacyPacketError,
        MalformedPacketError,
        PacketError,
        RecordingError,
        WorldModelError,
    )
    from world_model_core.findings import Finding, Severity
    from world_model_core.frames import FrameError, Transform
    from world_model_core.localization.extended_kalman_filter import ExtendedKalmanFilter
    from world_model_core.localization.kalman_state import KalmanState
    from world_model_core.localization.particle_filter import ParticleFilter, ParticleFilterState
    from world_model_core.localization.particle_motion_noise import VelocityNoiseParameters
    from world_model_core.match.ball.ball_constants import BallParameters
    from world_model_core.match.ball.estimate import BallSource, BallState, Kick
    from world_model_core.match.ball.motion_segment import BallMotionState
    from world_model_core.match.ball.tracker import BallTracker, BallTrackerParameters, BallUpdate
    from world_model_core.match.ball.trajectory import BallTrajectory
    from world_model_core.match.ball.trajectory import predict_ball as predict
    from world_model_core.match.cameras.bias import CameraBiases
    from world_model_core.match.datagrams import Datagram, SenderAddress
    from world_model_core.match.match import Match
    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.match.ssl.recording_playback import RecordingPlayback
    from world_model_core.match.ssl.robot_id import RobotId, Team
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.values import Channel, MatchChanges, MatchParameters, SourceMode
    from world_model_core.objects.answer import (
        Answer,
        InstructionAnswer,
        NoAnswer,
        NumericalAnswer,
        ReferenceAnswer,
        Scene,
    )
    from world_model_core.objects.answering.answerer import Answerer
    from world_model_core.objects.language.translations import Translations
    from world_model_core.objects.mapping.object_map import ObjectMap
    from world_model_core.objects.mapping.parameters import ObjectMapParameters
    from world_model_core.objects.values import CameraView, Detections, MapObject
    from world_model_core.parameters import check_parameters, group, quantity
    from world_model_core.simulation.house.floor_grid import FloorGrid
    from world_model_core.simulation.robots.robot_fleet import FleetStep, RobotFleet
    from world_model_core.uncertainty.error_causes import ErrorCause, ErrorKind, causes_of
    from world_model_core.uncertainty.input_checks import InputError
    from world_model_core.uncertainty.kidnapping import KidnapParameters
    from world_model_core.uncertainty.landmark_detections import SensorErrorSource
    from world_model_core.uncertainty.motion_density import HeadingDistribution
    from world_model_core.uncertainty.motion_model import Motion, MotionState
    from world_model_core.uncertainty.motion_parameters import MotionParameters, read_motion
    from world_model_core.uncertainty.observation_density import ObservationDensity
    from world_model_core.uncertainty.observation_model import Observation, ObservationState
    from world_model_core.uncertainty.observation_parameters import (
        ObservationParameters,
        read_observation,
    )
    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.virtual_world.agents.controller import AgentWorld, Controller
    from world_model_core.virtual_world.agents.events import Sound
    from world_model_core.virtual_world.agents.free_floor import free_floor
    from world_model_core.virtual_world.agents.objects import SimObject
    from world_model_core.virtual_world.agents.original_names import OriginalController
    from world_model_core.virtual_world.engine.engine import Engine, StepReport
    from world_model_core.virtual_world.values import Entity, EntityState, World
    from world_model_core.virtual_world.worlds.loading import WorldSources, load_entity, load_world

__all__ = [
    'AgentWorld',
    'Answer',
    'Answerer',
    'BallMotionState',
    'BallParameters',
    'BallSource',
    'BallState',
    'BallTracker',
    'BallTrackerParameters',
    'BallTrajectory',
    'BallUpdate',
    'BundleError',
    'BundleReport',
    'CameraBiases',
    'CameraView',
    'Channel',
    'ConfigurationError',
    'Controller',
    'Datagram',
    'DetectionFrame',
    'Detections',
    'DocumentError',
    'Draws',
    'Engine',
    'Entity',
    'EntityState',
    'ErrorCause',
    'ErrorKind',
    'ExtendedKalmanFilter',
    'Finding',
    'FleetStep',
    'FloorGrid',
    'FrameError',
    'HeadingDistribution',
    'ImplausibleValueError',
    'InputError',
    'InstructionAnswer',
    'KalmanState',
    'Kick',
    'KidnapParameters',
    'LegacyPacketError',
    'MalformedPacketError',
    'MapObject',
    'Match',
    'MatchChanges',
    'MatchParameters',
    'Motion',
    'MotionParameters',
    'MotionState',
    'NoAnswer',
    'NumericalAnswer',
    'ObjectMap',
    'ObjectMapParameters',
    'Observation',
    'ObservationDensity',
    'ObservationParameters',
    'ObservationState',
    'OriginalController',
    'PacketError',
    'ParticleFilter',
    'ParticleFilterState',
    'RecordingError',
    'RecordingPlayback',
    'ReferenceAnswer',
    'RobotFleet',
    'RobotId',
    'Robots',
    'Scene',
    'SenderAddress',
    'SensorErrorSource',
    'Severity',
    'SimObject',
    'Sound',
    'SourceMode',
    'SplatConventions',
    'StepReport',
    'Team',
    'Transform',
    'Translations',
    'VelocityNoiseParameters',
    'World',
    'WorldBundle',
    'WorldModelError',
    'WorldSources',
    'causes_of',
    'check_parameters',
    'free_floor',
    'group',
    'load_bundle',
    'load_entity',
    'load_world',
    'predict',
    'quantity',
    'read_motion',
    'read_observation',
    'validate_bundle',
    'write_bundle',
]

# Where each public name is defined: the module and the name in it.
_SOURCES = {
    'AgentWorld': ('world_model_core.virtual_world.agents.controller', 'AgentWorld'),
    'Answer': ('world_model_core.objects.answer', 'Answer'),
    'Answerer': ('world_model_core.objects.answering.answerer', 'Answerer'),
    'BallMotionState': ('world_model_core.match.ball.motion_segment', 'BallMotionState'),
    'BallParameters': ('world_model_core.match.ball.ball_constants', 'BallParameters'),
    'BallSource': ('world_model_core.match.ball.estimate', 'BallSource'),
    'BallState': ('world_model_core.match.ball.estimate', 'BallState'),
    'BallTracker': ('world_model_core.match.ball.tracker', 'BallTracker'),
    'BallTrackerParameters': ('world_model_core.match.ball.tracker', 'BallTrackerParameters'),
    'BallTrajectory': ('world_model_core.match.ball.trajectory', 'BallTrajectory'),
    'BallUpdate': ('world_model_core.match.ball.tracker', 'BallUpdate'),
    'BundleError': ('world_model_core.bundle.finding_catalog', 'BundleError'),
    'BundleReport': ('world_model_core.bundle.checking.bundle_report', 'BundleReport'),
    'CameraBiases': ('world_model_core.match.cameras.bias', 'CameraBiases'),
    'CameraView': ('world_model_core.objects.values', 'CameraView'),
    'Channel': ('world_model_core.match.values', 'Channel'),
    'ConfigurationError': ('world_model_core.errors', 'ConfigurationError'),
    'Controller': ('world_model_core.virtual_world.agents.controller', 'Controller'),
    'Datagram': ('world_model_core.match.datagrams', 'Datagram'),
    'DetectionFrame': ('world_model_core.match.ssl.vision_values', 'DetectionFrame'),
    'Detections': ('world_model_core.objects.values', 'Detections'),
    'DocumentError': ('world_model_core.documents', 'DocumentError'),
    'Draws': ('world_model_core.uncertainty.random_draws', 'Draws'),
    'Engine': ('world_model_core.virtual_world.engine.engine', 'Engine'),
    'Entity': ('world_model_core.virtual_world.values', 'Entity'),
    'EntityState': ('world_model_core.virtual_world.values', 'EntityState'),
    'ErrorCause': ('world_model_core.uncertainty.error_causes', 'ErrorCause'),
    'ErrorKind': ('world_model_core.uncertainty.error_causes', 'ErrorKind'),
    'ExtendedKalmanFilter': (
        'world_model_core.localization.extended_kalman_filter',
        'ExtendedKalmanFilter',
    ),
    'Finding': ('world_model_core.findings', 'Finding'),
    'FleetStep': ('world_model_core.simulation.robots.robot_fleet', 'FleetStep'),
    'FloorGrid': ('world_model_core.simulation.house.floor_grid', 'FloorGrid'),
    'FrameError': ('world_model_core.frames', 'FrameError'),
    'HeadingDistribution': ('world_model_core.uncertainty.motion_density', 'HeadingDistribution'),
    'ImplausibleValueError': ('world_model_core.errors', 'ImplausibleValueError'),
    'InputError': ('world_model_core.uncertainty.input_checks', 'InputError'),
    'InstructionAnswer': ('world_model_core.objects.answer', 'InstructionAnswer'),
    'KalmanState': ('world_model_core.localization.kalman_state', 'KalmanState'),
    'Kick': ('world_model_core.match.ball.estimate', 'Kick'),
    'KidnapParameters': ('world_model_core.uncertainty.kidnapping', 'KidnapParameters'),
    'LegacyPacketError': ('world_model_core.errors', 'LegacyPacketError'),
    'MalformedPacketError': ('world_model_core.errors', 'MalformedPacketError'),
    'MapObject': ('world_model_core.objects.values', 'MapObject'),
    'Match': ('world_model_core.match.match', 'Match'),
    'MatchChanges': ('world_model_core.match.values', 'MatchChanges'),
    'MatchParameters': ('world_model_core.match.values', 'MatchParameters'),
    'Motion': ('world_model_core.uncertainty.motion_model', 'Motion'),
    'MotionParameters': ('world_model_core.uncertainty.motion_parameters', 'MotionParameters'),
    'MotionState': ('world_model_core.uncertainty.motion_model', 'MotionState'),
    'NoAnswer': ('world_model_core.objects.answer', 'NoAnswer'),
    'NumericalAnswer': ('world_model_core.objects.answer', 'NumericalAnswer'),
    'ObjectMap': ('world_model_core.objects.mapping.object_map', 'ObjectMap'),
    'ObjectMapParameters': ('world_model_core.objects.mapping.parameters', 'ObjectMapParameters'),
    'Observation': ('world_model_core.uncertainty.observation_model', 'Observation'),
    'ObservationDensity': (
        'world_model_core.uncertainty.observation_density',
        'ObservationDensity',
    ),
    'ObservationParameters': (
        'world_model_core.uncertainty.observation_parameters',
        'ObservationParameters',
    ),
    'ObservationState': ('world_model_core.uncertainty.observation_model', 'ObservationState'),
    'OriginalController': (
        'world_model_core.virtual_world.agents.original_names',
        'OriginalController',
    ),
    'PacketError': ('world_model_core.errors', 'PacketError'),
    'ParticleFilter': ('world_model_core.localization.particle_filter', 'ParticleFilter'),
    'ParticleFilterState': (
        'world_model_core.localization.particle_filter',
        'ParticleFilterState',
    ),
    'RecordingError': ('world_model_core.errors', 'RecordingError'),
    'RecordingPlayback': ('world_model_core.match.ssl.recording_playback', 'RecordingPlayback'),
    'ReferenceAnswer': ('world_model_core.objects.answer', 'ReferenceAnswer'),
    'RobotFleet': ('world_model_core.simulation.robots.robot_fleet', 'RobotFleet'),
    'RobotId': ('world_model_core.match.ssl.robot_id', 'RobotId'),
    'Robots': ('world_model_core.match.robots.robot_table', 'Robots'),
    'Scene': ('world_model_core.objects.answer', 'Scene'),
    'SenderAddress': ('world_model_core.match.datagrams', 'SenderAddress'),
    'SensorErrorSource': ('world_model_core.uncertainty.landmark_detections', 'SensorErrorSource'),
    'Severity': ('world_model_core.findings', 'Severity'),
    'SimObject': ('world_model_core.virtual_world.agents.objects', 'SimObject'),
    'Sound': ('world_model_core.virtual_world.agents.events', 'Sound'),
    'SourceMode': ('world_model_core.match.values', 'SourceMode'),
    'SplatConventions': ('world_model_core.bundle.splats.splat_conventions', 'SplatConventions'),
    'StepReport': ('world_model_core.virtual_world.engine.engine', 'StepReport'),
    'Team': ('world_model_core.match.ssl.robot_id', 'Team'),
    'Transform': ('world_model_core.frames', 'Transform'),
    'Translations': ('world_model_core.objects.language.translations', 'Translations'),
    'VelocityNoiseParameters': (
        'world_model_core.localization.particle_motion_noise',
        'VelocityNoiseParameters',
    ),
    'World': ('world_model_core.virtual_world.values', 'World'),
    'WorldBundle': ('world_model_core.bundle.bundle', 'WorldBundle'),
    'WorldModelError': ('world_model_core.errors', 'WorldModelError'),
    'WorldSources': ('world_model_core.virtual_world.worlds.loading', 'WorldSources'),
    'causes_of': ('world_model_core.uncertainty.error_causes', 'causes_of'),
    'check_parameters': ('world_model_core.parameters', 'check_parameters'),
    'free_floor': ('world_model_core.virtual_world.agents.free_floor', 'free_floor'),
    'group': ('world_model_core.parameters', 'group'),
    'load_bundle': ('world_model_core.bundle.loading', 'load'),
    'load_entity': ('world_model_core.virtual_world.worlds.loading', 'load_entity'),
    'load_world': ('world_model_core.virtual_world.worlds.loading', 'load_world'),
    'predict': ('world_model_core.match.ball.trajectory', 'predict_ball'),
    'quantity': ('world_model_core.parameters', 'quantity'),
    'read_motion': ('world_model_core.uncertainty.motion_parameters', 'read_motion'),
    'read_observation': (
        'world_model_core.uncertainty.observation_parameters',
        'read_observation',
    ),
    'validate_bundle': ('world_model_core.bundle.validate', 'validate'),
    'write_bundle': ('world_model_core.bundle.writing', 'write'),
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _SOURCES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    module, attribute = _SOURCES[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted({*globals(), *__all__})
