# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Result codes of simulation_interfaces for the errors of requests."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from world_model_core.frames import FrameError
from world_model_core.virtual_world import resource_errors as resources
from world_model_core.virtual_world import simulation_state as states
from world_model_core.virtual_world.engine.errors import (
    InvalidStateError,
    NameTakenError,
    UnknownEntityError,
)
from world_model_core.virtual_world.requests import (
    InvalidNameError,
    InvalidNamespaceError,
    InvalidPoseError,
    UnknownPoseError,
    UnsupportedRequestError,
)
from world_model_nodes.virtual_world import standard_messages as standard

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def _general_codes() -> Mapping[type[Exception], int]:
    """Return the codes of all services; other errors are RESULT_OPERATION_FAILED."""
    result = standard.msg.Result
    return {
        UnsupportedRequestError: result.RESULT_FEATURE_UNSUPPORTED,
        UnknownEntityError: result.RESULT_NOT_FOUND,
        UnknownPoseError: result.RESULT_NOT_FOUND,
        resources.UnknownResourceError: result.RESULT_NOT_FOUND,
        states.NoWorldError: result.RESULT_INCORRECT_STATE,
    }


@cache
def _spawn_codes() -> Mapping[type[Exception], int]:
    result = standard.msg.SpawnResult
    return {
        NameTakenError: result.NAME_NOT_UNIQUE,
        InvalidNameError: result.NAME_INVALID,
        resources.UnsupportedFormatError: result.UNSUPPORTED_FORMAT,
        resources.NoResourceError: result.NO_RESOURCE,
        InvalidNamespaceError: result.NAMESPACE_INVALID,
        resources.ResourceParseError: result.RESOURCE_PARSE_ERROR,
        resources.MissingAssetsError: result.MISSING_ASSETS,
        resources.UnsupportedAssetsError: result.UNSUPPORTED_ASSETS,
        FrameError: result.INVALID_POSE,
        InvalidPoseError: result.INVALID_POSE,
    }


@cache
def _special_codes() -> Mapping[Any, Mapping[type[Exception], int]]:
    """Return the codes of single services; these come first."""
    services = standard.srv
    load, move = services.LoadWorld.Response, services.SetEntityState.Response
    change = services.SetSimulationState.Response
    return {
        services.GetCurrentWorld: {
            states.NoWorldError: services.GetCurrentWorld.Response.NO_WORLD_LOADED
        },
        services.UnloadWorld: {states.NoWorldError: services.UnloadWorld.Response.NO_WORLD_LOADED},
        services.LoadWorld: {
            resources.UnsupportedFormatError: load.UNSUPPORTED_FORMAT,
            resources.NoResourceError: load.NO_RESOURCE,
            resources.ResourceParseError: load.RESOURCE_PARSE_ERROR,
            resources.MissingAssetsError: load.MISSING_ASSETS,
            resources.UnsupportedAssetsError: load.UNSUPPORTED_ASSETS,
            resources.UnsupportedElementsError: load.UNSUPPORTED_ELEMENTS,
        },
        services.SetEntityState: {
            FrameError: move.INVALID_POSE,
            InvalidPoseError: move.INVALID_POSE,
            InvalidStateError: move.INVALID_POSE,
        },
        services.SetSimulationState: {
            states.AlreadyInStateError: change.ALREADY_IN_TARGET_STATE,
            states.IncorrectTransitionError: change.INCORRECT_TRANSITION,
        },
        services.SpawnEntity: _spawn_codes(),
        services.SpawnEntities: _spawn_codes(),
    }


def code_of(service: Any, error: Exception) -> int:
    """Return the result code of an error of a service."""
    for table in (_special_codes().get(service, {}), _general_codes()):
        for kind in type(error).__mro__:
            if kind in table:
                return table[kind]
    return int(standard.msg.Result.RESULT_OPERATION_FAILED)
