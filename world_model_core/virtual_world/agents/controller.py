# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers of agents: classes with handlers, and the world as their handlers see it."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.time import to_seconds
from world_model_core.virtual_world.agents.events import HANDLERS, AgentError, InitEvent, Sound
from world_model_core.virtual_world.agents.messages import (
    EVERYWHERE,
    OutgoingMessage,
    OutgoingSound,
    OutgoingText,
)
from world_model_core.virtual_world.agents.objects import SimObject
from world_model_core.virtual_world.agents.world_access import WorldAccess

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from world_model_core.gaussian import Array
    from world_model_core.virtual_world.agents.events import (
        ActionEvent,
        CollisionEvent,
        EndEvent,
        Event,
        MessageEvent,
        SoundEvent,
        TextEvent,
    )
    from world_model_core.virtual_world.agents.messages import Outgoing
    from world_model_core.virtual_world.agents.state_changes import ObjectState
    from world_model_core.virtual_world.agents.world_access import Link
    from world_model_core.virtual_world.agents.writes import Write

__all__ = ['AgentWorld', 'Controller']


class AgentWorld:
    """
    The world as the handlers of one agent see it.

    Parameters
    ----------
    name : str
        Of the agent.
    link : Link
    seed : int
        Of the world, for random numbers.
    length_unit : float
        Length of the unit of the world file, for original names [m].
    original_modes : bool
        Whether what the mode of an object does not allow is ignored, as in SIGVerse, instead of a
        WrongModeError.

    """

    def __init__(
        self,
        name: str,
        link: Link,
        *,
        seed: int = 0,
        length_unit: float = 0.01,
        original_modes: bool = False,
    ) -> None:
        self.name = name
        self.length_unit = length_unit
        self._link = link
        self._access = WorldAccess(link, seed=seed, original_modes=original_modes)
        self._outgoing: list[Outgoing] = []

    def begin(self, time_ns: int, states: Mapping[str, ObjectState]) -> None:
        """
        Begin a turn, for the process of the controller.

        Parameters
        ----------
        time_ns : int
            Simulated time since the start [ns].
        states : mapping of str to ObjectState
            Of all entities.

        """
        self._access.begin(time_ns, states)
        self._outgoing.clear()

    def restart_draws(self) -> None:
        """Begin the random numbers of this time again: the agent begins."""
        self._access.restart_draws()

    @property
    def writes(self) -> tuple[Write, ...]:
        """What the handlers of this turn have written."""
        return self._access.writes

    @property
    def outgoing(self) -> tuple[Outgoing, ...]:
        """What the handlers of this turn have sent."""
        return tuple(self._outgoing)

    @property
    def ignored(self) -> Mapping[str, int]:
        """How often each attribute was ignored in the wrong mode, with `original_modes`."""
        return self._access.ignored

    @property
    def time(self) -> float:
        """Simulated time since the start [s]."""
        return to_seconds(self._access.time_ns)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all objects."""
        return self._access.names

    @property
    def me(self) -> SimObject:
        """The object that this controller controls."""
        return self.get_object(self.name)

    def get_object(self, name: str) -> SimObject:
        """
        Return an object; it stays up to date in later handlers.

        Raises
        ------
        UnknownEntityError
            It names those there are.

        """
        self._access.state_of(name)
        return SimObject(self._access, name)

    def boxes(self) -> dict[str, Array]:
        """
        Return the boxes around the shapes of all objects, by their names.

        Returns
        -------
        dict of str to array, shape (n, 2, 3)
            Lower and upper corner of each box, whose axes are those of `world` [m].

        """
        found = self._link.query('boxes', {})
        return {
            name: np.frombuffer(corners, dtype='<f8').reshape(-1, 2, 3) for name, corners in found
        }

    def detect_entities(self, camera: int = 1) -> tuple[str, ...]:
        """Return the names of the objects that a camera sees."""
        return tuple(self._link.query('detect_entities', {'camera': index(camera)}))

    def capture_view(
        self, camera: int = 1, width: int = 320, height: int = 240
    ) -> NDArray[np.uint8]:
        """
        Return what a camera sees.

        Returns
        -------
        array of uint8, shape (height, width, 3)
            Red, green, blue.

        """
        pixels = self._image('capture_view', camera, width, height)
        return np.frombuffer(pixels, dtype=np.uint8).reshape(height, width, 3)

    def capture_depth(
        self, camera: int = 1, width: int = 320, height: int = 240
    ) -> NDArray[np.float32]:
        """
        Return the depth of what a camera sees.

        Returns
        -------
        array of float32, shape (height, width)
            Along the axis of the camera [m]; infinite: nothing is there.

        """
        pixels = self._image('capture_depth', camera, width, height)
        return np.frombuffer(pixels, dtype='<f4').reshape(height, width)

    def distance(self, camera: int = 1, farthest: float = 100.0) -> float:
        """Return the distance to what is in the middle of a camera [m]; infinite: nothing."""
        return float(
            self._link.query('distance', {'camera': index(camera), 'farthest': float(farthest)})
        )

    def distance_sensor(
        self, start: float, end: float, camera: int = 1, dimensions: int = 0
    ) -> NDArray[np.uint8]:
        """
        Return distances along the rays of a camera as SIGVerse's sensor does.

        Parameters
        ----------
        start, end : float
            Distances that give 0 and 255 [m].
        camera : int
        dimensions : int
            0: one ray; 1: a row of 320; 2: 240 rows of 320.

        Returns
        -------
        array of uint8, shape (1, 1), (1, 320) or (240, 320)

        """
        arguments = {
            'camera': index(camera),
            'start': float(start),
            'end': float(end),
            'dimensions': index(dimensions),
        }
        levels = np.frombuffer(self._link.query('distance_sensor', arguments), dtype=np.uint8)
        return levels.reshape(-1, 320 if dimensions else 1)

    def send_text(self, text: str, to: str = '', radius: float = EVERYWHERE) -> None:
        """
        Say a text; it is heard in the next step.

        Parameters
        ----------
        text : str
        to : str
            Name of who hears it; empty: all others.
        radius : float
            How far it reaches [m]; -1: everywhere.

        Raises
        ------
        TypeError
            Text or name is no text.

        """
        _check_texts(text, to)
        self._outgoing.append(OutgoingText(self.name, to, text, radius=float(radius)))

    def send_sound(self, sound: Sound, to: str = '', radius: float = EVERYWHERE) -> None:
        """
        Make a sound; see `send_text`.

        Raises
        ------
        TypeError
            It is no Sound.

        """
        if not isinstance(sound, Sound):
            raise TypeError(f'a {type(sound).__name__} is no Sound')
        _check_texts(to)
        self._outgoing.append(OutgoingSound(self.name, to, sound, float(radius)))

    def send_message(self, strings: Sequence[str], to: str) -> None:
        """Send strings to another agent, at any distance; see `send_text`."""
        # A text is a sequence of texts, too: of its letters.
        parts = (strings,) if isinstance(strings, str) else tuple(strings)
        _check_texts(to, *parts)
        self._outgoing.append(OutgoingMessage(self.name, to, parts))

    def broadcast_message(self, strings: Sequence[str]) -> None:
        """Send strings to all other agents, at any distance."""
        self.send_message(strings, '')

    def random(self) -> float:
        """Return a random number from 0 to 1, the same in each run with the same seed."""
        return self._access.draw(f'agent.{self.name}')

    def log(self, text: str) -> None:
        """Write a line to the log of the controller."""
        self._link.log(text)

    def _image(self, method: str, camera: int, width: int, height: int) -> bytes:
        found: bytes = self._link.query(
            method, {'camera': index(camera), 'width': index(width), 'height': index(height)}
        )
        return found


def _check_texts(*texts: object) -> None:
    """Raise an error here if something is no text: the world would refuse the whole reply."""
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f'{text!r} is no text')


class Controller:
    """
    Base class of controllers: a subclass has the handlers that it needs.

    A handler that it does not have is not called. `world` is there from on_init on.
    """

    _world: AgentWorld | None = None

    @property
    def world(self) -> AgentWorld:
        """
        The world.

        Raises
        ------
        AgentError
            It is read before on_init.

        """
        if self._world is None:
            raise AgentError('a controller has its world from on_init on, not in __init__')
        return self._world

    @property
    def name(self) -> str:
        """Name of the object that it controls."""
        return self.world.name

    def on_init(self, event: InitEvent) -> None:
        """Begin: the simulation starts, or was reset."""

    def on_action(self, event: ActionEvent) -> float:
        """
        Act.

        Returns
        -------
        float
            Time until the next call [s], at most a day; below 0: at the next step.

        """
        del event
        return 1.0

    def on_recv_text(self, event: TextEvent) -> None:
        """Hear a text."""

    def on_recv_sound(self, event: SoundEvent) -> None:
        """Hear a sound."""

    def on_recv_message(self, event: MessageEvent) -> None:
        """Get a message."""

    def on_collision(self, event: CollisionEvent) -> None:
        """Touch other objects."""

    def on_end(self, event: EndEvent) -> None:
        """End: the world ends."""

    @property
    def handlers(self) -> tuple[str, ...]:
        """Names of the handlers that the subclass has."""
        return tuple(
            name for name in HANDLERS.values() if getattr(type(self), name) is not _BASE[name]
        )

    def attach(self, world: AgentWorld) -> None:
        """Give it its world, for the process of the controller."""
        self._world = world

    def handle(self, event: Event) -> float | None:
        """
        Call the handler of an event, for the process of the controller.

        Returns
        -------
        float or None
            What on_action returned [s]; None after other events.

        """
        if isinstance(event, InitEvent):
            self.world.restart_draws()
        returned: float | None = self._call(event)
        return returned

    def _call(self, event: Event) -> Any:
        return getattr(self, HANDLERS[type(event)])(event)


_BASE: dict[str, Any] = {name: vars(Controller)[name] for name in HANDLERS.values()}
