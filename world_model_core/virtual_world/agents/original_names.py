# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Controllers with SIGVerse's names, in the units and axes of its files: y up, usually cm.

`CONTROLLER_NAMES`, with `OBJECT_NAMES`, `PART_NAMES` and `EVENT_NAMES` of the other modules, lists
SIGVerse's library of controllers: what a name is here, or why it is not available.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.events import HANDLERS, MessageEvent
from world_model_core.virtual_world.agents.original_events import HANDLER_NAMES, OriginalEvent
from world_model_core.virtual_world.agents.original_objects import OriginalObject
from world_model_core.virtual_world.agents.original_table import bound, original, unavailable
from world_model_core.virtual_world.agents.original_wheels import WHEEL_NAMES, WheeledController
from world_model_core.virtual_world.engine.errors import UnknownEntityError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from world_model_core.virtual_world.agents.events import Event, Sound
    from world_model_core.virtual_world.agents.original_table import OriginalTable

__all__ = ['CONTROLLER_NAMES', 'OriginalController']

CONTROLLER_NAMES: OriginalTable = dict(WHEEL_NAMES)


class OriginalController(WheeledController):
    """
    Base class of controllers with SIGVerse's names: onInit, onAction and so on, getObj, sendText.

    Handlers by the names of this package are called where there is none by SIGVerse's.
    """

    @property
    def handlers(self) -> tuple[str, ...]:
        """Names of the handlers that the subclass has, by the names of this package."""
        own = {ours for name, ours in HANDLER_NAMES.items() if hasattr(type(self), name)}
        own.update(super().handlers)
        return tuple(name for name in HANDLERS.values() if name in own)

    def __getattr__(self, name: str) -> Any:
        """
        Return what a name of SIGVerse stands for.

        Raises
        ------
        AttributeError
            There is no such name, or it is not available.

        """
        if name.startswith('__') or name in HANDLER_NAMES:
            raise AttributeError(name)
        return bound(self, CONTROLLER_NAMES, name)

    def _call(self, event: Event) -> Any:
        called = self._original_handler(event)
        return super()._call(event) if called is None else called(OriginalEvent(event))

    def _original_handler(self, event: Event) -> Any:
        """Return the handler by SIGVerse's name; of a message of one string it is onRecvMsg."""
        ours = HANDLERS[type(event)]
        theirs = [name for name, each in HANDLER_NAMES.items() if each == ours]
        found = {name: getattr(self, name) for name in theirs if hasattr(type(self), name)}
        if 'onRecvMsg' in found and isinstance(event, MessageEvent) and event.size == 1:
            return found['onRecvMsg']
        return found.get(theirs[0]) if theirs else None


@original(CONTROLLER_NAMES, 'getObj(name)', 'world.get_object(name), which raises an error')
@original(CONTROLLER_NAMES, 'getRobotObj(name)', 'world.get_object(name), which raises an error')
def _object(own: OriginalController, name: str) -> OriginalObject | None:
    """Return an object, or None as SIGVerse does."""
    try:
        return OriginalObject(own.world, name)
    except UnknownEntityError:
        return None


@original(CONTROLLER_NAMES, 'getAllEntities()', 'world.names')
def _all_entities(own: OriginalController) -> list[str]:
    return list(own.world.names)


@original(CONTROLLER_NAMES, 'detectEntities(camera=1)', 'world.detect_entities(camera)')
def _detect_entities(own: OriginalController, camera: int = 1) -> list[str]:
    return list(own.world.detect_entities(camera))


@original(
    CONTROLLER_NAMES,
    'captureView(colors, size, camera=1)',
    'world.capture_view(camera): an array of 240 x 320 pixels',
)
def _capture_view(
    own: OriginalController, _colors: object = None, _size: object = None, camera: int = 1
) -> NDArray[np.uint8]:
    return own.world.capture_view(camera)


@original(
    CONTROLLER_NAMES,
    'distanceSensor(start=0, end=255, camera=1)',
    'world.distance_sensor(start, end, camera)',
)
def _distance_sensor(
    own: OriginalController, start: float = 0.0, end: float = 255.0, camera: int = 1
) -> int:
    return int(_distances(own, start, end, camera, 0)[0, 0])


@original(
    CONTROLLER_NAMES,
    'distanceSensor1D(start=0, end=255, camera=1)',
    'world.distance_sensor(start, end, camera, dimensions=1)',
)
def _distance_row(
    own: OriginalController, start: float = 0.0, end: float = 255.0, camera: int = 1
) -> NDArray[np.uint8]:
    return _distances(own, start, end, camera, 1)


@original(
    CONTROLLER_NAMES,
    'distanceSensor2D(start=0, end=255, camera=1)',
    'world.distance_sensor(start, end, camera, dimensions=2)',
)
def _distance_rows(
    own: OriginalController, start: float = 0.0, end: float = 255.0, camera: int = 1
) -> NDArray[np.uint8]:
    return _distances(own, start, end, camera, 2)


def _distances(
    own: OriginalController, start: float, end: float, camera: int, dimensions: int
) -> NDArray[np.uint8]:
    unit = own.world.length_unit
    return own.world.distance_sensor(start * unit, end * unit, camera, dimensions)


@original(
    CONTROLLER_NAMES, 'sendText(t, to, text, radius=-1)', 'world.send_text(text, to, radius)'
)
def _send_text(
    own: OriginalController, _time: float, to: str | None, text: str, radius: float = -1.0
) -> None:
    unit = own.world.length_unit if radius >= 0.0 else 1.0
    own.world.send_text(text, to or '', radius * unit)


@original(CONTROLLER_NAMES, 'sendSound(t, to, sound)', 'world.send_sound(sound, to)')
def _send_sound(own: OriginalController, _time: float, to: str | None, sound: Sound) -> None:
    own.world.send_sound(sound, to or '')


@original(CONTROLLER_NAMES, 'sendMessage(to, argc, argv)', 'world.send_message(strings, to)')
def _send_message(own: OriginalController, to: str, argc: int, argv: Sequence[str]) -> None:
    own.world.send_message(argv[:argc], to)


@original(CONTROLLER_NAMES, 'broadcastMessage(argc, argv)', 'world.broadcast_message(strings)')
def _broadcast_message(own: OriginalController, argc: int, argv: Sequence[str]) -> None:
    own.world.broadcast_message(argv[:argc])


@original(CONTROLLER_NAMES, 'sendMsg(to, message)', 'world.send_message([message], to)')
def _send_msg(own: OriginalController, to: str | Iterable[str], message: str) -> None:
    for each in (to,) if isinstance(to, str) else to:
        own.world.send_message((message,), each)


@original(CONTROLLER_NAMES, 'broadcastMsg(message)', 'world.broadcast_message([message])')
def _broadcast_msg(own: OriginalController, message: str) -> None:
    own.world.broadcast_message((message,))


@original(CONTROLLER_NAMES, 'getSimulationTime()', 'world.time')
def _simulation_time(own: OriginalController) -> float:
    return own.world.time


@original(CONTROLLER_NAMES, 'getRand()', 'world.random()')
def _random(own: OriginalController) -> float:
    return own.world.random()


@original(CONTROLLER_NAMES, 'myname()', 'name')
def _my_name(own: OriginalController) -> str:
    return own.name


unavailable(
    CONTROLLER_NAMES,
    'the world advances when all controllers have ended their handlers; return the time until the '
    'next call instead',
    'worldStep(dt)',
    'worldQuickStep(dt)',
)
unavailable(
    CONTROLLER_NAMES,
    'services are nodes and topics of ROS here',
    'connectToService(name)',
    'checkService(name)',
    'disconnectToService(name)',
    'broadcastMsgToSrv(message)',
    'broadcastMsgToCtl(message)',
)
unavailable(CONTROLLER_NAMES, 'speech is not recognized', 'getText(sound)')
unavailable(
    CONTROLLER_NAMES,
    'there is no window that would display texts; log(text) writes to the log',
    'displayText(text, size, color)',
    'sendDisplayText(t, to, text, size, color)',
    'sendDisplayMessage(to, argc, argv, size, color)',
    'broadcastDisplayMessage(argc, argv, size, color)',
)
