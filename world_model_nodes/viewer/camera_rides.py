# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Cameras of pages that move with things or with viewpoints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from viser import ClientHandle, ViserServer

    from world_model_core.gaussian import Array

# Returns a position now [m], shape (3,); None if there is none.
Place: TypeAlias = 'Callable[[], Array | None]'
# Shorter ways are not ridden at once [m].
LEAST = 1e-3


@dataclass(slots=True)
class _Ride:
    name: str
    place: Place
    last: Array | None


class CameraRides:
    """
    Moves the camera of each page by as much as what it follows; users turn and zoom meanwhile.

    Parameters
    ----------
    server : viser.ViserServer

    """

    def __init__(self, server: ViserServer) -> None:
        self._server = server
        self._rides: dict[int, _Ride] = {}

    def start(self, client: ClientHandle, name: str, place: Place) -> None:
        """Let the camera of a page move with a place, which has a name."""
        self._rides[client.client_id] = _Ride(name, place, place())

    def stop(self, client: ClientHandle) -> str:
        """Let the camera of a page stay; return the name of what it followed, or ''."""
        ride = self._rides.pop(client.client_id, None)
        return '' if ride is None else ride.name

    def update(self) -> None:
        """Move all cameras that follow."""
        if not self._rides:
            return
        clients = self._server.get_clients()
        for number, ride in tuple(self._rides.items()):
            if number in clients:
                _move(clients[number], ride)
            else:
                del self._rides[number]


def look_at(client: ClientHandle, place: Array) -> None:
    """Move the camera of a page such that it looks at a place [m], from where it looked."""
    camera = client.camera
    camera.position = camera.position + place - camera.look_at


def _move(client: ClientHandle, ride: _Ride) -> None:
    place = ride.place()
    if place is None:
        return
    way = np.zeros(3) if ride.last is None else place - ride.last
    if np.linalg.norm(way) >= LEAST:
        client.camera.position = client.camera.position + way
        ride.last = place
    elif ride.last is None:
        ride.last = place
