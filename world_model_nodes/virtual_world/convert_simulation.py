# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Differences between the releases of simulation_interfaces.

Jazzy and Kilted have the versions 1.5.1 and 1.6.1, whose definitions are equal; Lyrical and
Rolling have 2.1.0, in which SpawnEntity, LoadWorld, SetEntityState and Spawnable have other
fields. A message is recognized by its fields. This module does not import the package, so that
messages of both forms can be passed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulation_interfaces.msg import Spawnable, SpawnEntity
    from simulation_interfaces.srv import LoadWorld, SetEntityState
    from simulation_interfaces.srv import SpawnEntity as SpawnEntityService

__all__ = ['set_spawnable_uri', 'spawn_resource', 'state_changes', 'world_resource']


def spawn_resource(request: SpawnEntityService.Request | SpawnEntity) -> tuple[str, str]:
    """
    Return URI and text of the model of a new entity; the text counts only if the URI is empty.

    Parameters
    ----------
    request : SpawnEntity.Request or SpawnEntity
        The request of the service, or one of those of SpawnEntities.

    """
    resource = getattr(request, 'entity_resource', request)
    return resource.uri, resource.resource_string


def world_resource(request: LoadWorld.Request) -> tuple[str, str]:
    """Return URI and text of a world; the text counts only if the URI is empty."""
    resource = getattr(request, 'world_resource', request)
    return resource.uri, resource.resource_string


def state_changes(request: SetEntityState.Request) -> tuple[bool, bool]:
    """
    Return whether the pose, and whether the velocities are to be set.

    Versions 1.5.1 and 1.6.1 always set both. Accelerations follow from forces and are not set.
    """
    return getattr(request, 'set_pose', True), getattr(request, 'set_twist', True)


def set_spawnable_uri(message: Spawnable, uri: str) -> None:
    """Write the URI of a model into a Spawnable."""
    getattr(message, 'entity_resource', message).uri = uri
