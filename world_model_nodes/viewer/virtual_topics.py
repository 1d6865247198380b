# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of a virtual world: what is in it, what moves, and what its agents say."""

from __future__ import annotations

import math
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from sensor_msgs.msg import Image, JointState, MultiDOFJointState
from std_msgs.msg import String, UInt8MultiArray

from world_model_core.documents import parse
from world_model_core.errors import MalformedPacketError
from world_model_core.view.virtual import NAME
from world_model_core.view.virtual_shapes import BodyPoses
from world_model_core.view.virtual_state import VirtualWorldState
from world_model_core.virtual_world.document_reader import read_contacts
from world_model_nodes.runtime.cdr_reader import BodyStatesReader
from world_model_nodes.runtime.qos import EVENTS, LISTEN, STATE
from world_model_nodes.viewer.camera_images import pixels_of
from world_model_nodes.viewer.subscriptions import SceneInputs
from world_model_nodes.virtual_world.convert_speech import sound_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray
    from rclpy.node import Node

    from world_model_core.view.virtual import VirtualScene

DOCUMENTS = ('world', 'world/meshes', 'objects/conditions', 'objects/attributes')
# Between two messages of contacts that are used [s].
CONTACTS_PERIOD = 0.1
POSES = 'sensor_msgs/msg/MultiDOFJointState'


class VirtualTopics:
    """
    The topics of a virtual world: a SceneTopics.

    Attributes
    ----------
    state : VirtualWorldState
        What is known of the world.
    image : array of uint8, shape (height, width, 3), optional
        The newest of the camera that is shown.

    """

    name = NAME

    def __init__(self) -> None:
        self.inputs: SceneInputs | None = None
        self.state = VirtualWorldState()
        self._bodies, self._parts = BodyStatesReader(), BodyStatesReader()
        self._contacts: Any = None
        self._contacts_used = -math.inf
        # What agents say, by their names, and the start of the names of their topics.
        self._speech: dict[str, tuple[str, tuple[Any, ...]]] = {}
        self._described, self._joints = '', None
        # Name of an entity, and number of its camera.
        self._seen_by = '', 0
        self._images: Any = None
        self.image: NDArray[np.uint8] | None = None

    def runs(self, topics: Mapping[str, Sequence[str]]) -> bool:
        """Return whether a virtual world is published."""
        return bool(topics.get('world')) and POSES in topics.get('objects/state', ())

    def subscribe(self, node: Node) -> None:
        """Subscribe to the world, its meshes, and what moves and changes in it."""
        state, inputs = self.state, SceneInputs(node, (), DOCUMENTS)
        self.inputs = inputs
        world = partial(_use_document, 'virtual_world', self._use_world)
        meshes = partial(_use_document, 'meshes', state.use_meshes)
        conditions = partial(_use_document, 'conditions', state.use_conditions)
        attributes = partial(_use_document, 'attributes', state.use_attributes)
        inputs.create_subscription(String, 'world', world, STATE)
        inputs.create_subscription(String, 'world/meshes', meshes, STATE)
        inputs.create_subscription(String, 'objects/conditions', conditions, STATE)
        inputs.create_subscription(String, 'objects/attributes', attributes, STATE)
        bodies, parts = self._use_bodies, self._use_parts
        inputs.create_subscription(MultiDOFJointState, 'objects/state', bodies, LISTEN, raw=True)
        inputs.create_subscription(MultiDOFJointState, 'objects/parts', parts, LISTEN, raw=True)
        self.show_contacts(shown=True)

    def unsubscribe(self) -> None:
        """Destroy the subscriptions and forget the world."""
        if self.inputs is not None:
            self.inputs.close()
        self.inputs, self.state = None, VirtualWorldState()
        self._contacts, self._joints, self._described = None, None, ''
        self._seen_by, self._images, self.image = ('', 0), None, None
        self._speech = {}

    def scene(self) -> VirtualScene | None:
        """Return the newest state, or None before there is any."""
        return self.state.scene()

    def show_contacts(self, *, shown: bool) -> None:
        """Subscribe to the contacts, or not any more."""
        if self.inputs is None or shown is (self._contacts is not None):
            return
        if shown:
            use = self._use_contacts
            self._contacts = self.inputs.create_subscription(String, 'contacts', use, LISTEN)
        else:
            self.inputs.destroy_subscription(self._contacts)
            self._contacts = None
            self.state.use_contacts(())

    def describe(self, entity: str) -> None:
        """Subscribe to the joints of the entity that is picked; empty: of none."""
        if self.inputs is None or entity == self._described:
            return
        self._described = entity
        if self._joints is not None:
            self.inputs.destroy_subscription(self._joints)
            self._joints = None
        if entity in self.state.topics:
            use = partial(self._use_joints, entity)
            entity = self.state.topics[entity]
            self._joints = self.inputs.create_subscription(
                JointState, f'{entity}/joint_states', use, LISTEN
            )

    def show_camera(self, name: str, number: int) -> None:
        """Subscribe to the images of the camera of an entity, by its number; 0: to none."""
        if self.inputs is None or (name, number) == self._seen_by:
            return
        if self._images is not None:
            self.inputs.destroy_subscription(self._images)
        self._seen_by, self._images, self.image = (name, number), None, None
        if number and name in self.state.topics:
            entity, camera = self.state.topics[name], f'camera_{number}'
            self._images = self.inputs.create_subscription(
                Image, f'{entity}/{camera}/image', self._use_image, LISTEN
            )

    def _use_image(self, message: Image) -> None:
        self.image = pixels_of(message)

    def _use_world(self, document: Mapping[str, Any]) -> None:
        self.state.use_world(document)
        wanted = {name: self.state.topics[name] for name in self.state.agents}
        for name, (prefix, subscriptions) in [*self._speech.items()]:
            if wanted.get(name) != prefix:
                del self._speech[name]
                for each in subscriptions:
                    self._inputs.destroy_subscription(each)
        for name, prefix in wanted.items():
            if name not in self._speech:
                self._speech[name] = prefix, self._listen(name, prefix)

    def _listen(self, name: str, agent: str) -> tuple[Any, ...]:
        """Subscribe to what an agent says; `agent` is the start of the names of its topics."""
        inputs = self._inputs
        text, sound, message = (
            partial(self._hear, name, convert)
            for convert in (_text_of, _sound_text, _message_text)
        )
        return (
            inputs.create_subscription(String, f'{agent}/text_out', text, EVENTS),
            inputs.create_subscription(UInt8MultiArray, f'{agent}/sound_out', sound, EVENTS),
            inputs.create_subscription(String, f'{agent}/message_out', message, EVENTS),
        )

    @property
    def _inputs(self) -> SceneInputs:
        assert self.inputs is not None  # noqa: S101 (for the type checker)
        return self.inputs

    def _hear(self, name: str, convert: Callable[[Any], str], message: Any) -> None:
        self.state.hear(name, convert(message))

    def _use_bodies(self, data: bytes) -> None:
        read = self._bodies.read(data)
        bodies = BodyPoses(read.names, _single(read.poses))
        self.state.use_bodies(read.stamp_ns, bodies, _single(read.twists))

    def _use_parts(self, data: bytes) -> None:
        read = self._parts.read(data)
        self.state.use_parts(BodyPoses(read.names, _single(read.poses)))

    def _use_contacts(self, message: String) -> None:
        """Use the contacts of ten messages a second: more than 100 of them take 1 ms to read."""
        now = monotonic()
        if now - self._contacts_used >= CONTACTS_PERIOD:
            self._contacts_used = now
            self.state.use_contacts(read_contacts(message.data))

    def _use_joints(self, entity: str, message: JointState) -> None:
        self.state.use_joints(entity, message.name, message.position)


def _use_document(schema: str, use: Callable[[Any], None], message: String) -> None:
    use(parse(message.data, schema))


def _text_of(message: String) -> str:
    return str(message.data)


def _sound_text(message: UInt8MultiArray) -> str:
    sound = sound_of(message)
    if sound.rate < 1 or sound.channels < 1:
        raise MalformedPacketError(f'sound has {sound.channels} channels at {sound.rate} Hz')
    return f'♪ {sound.duration:.1f} s'


def _message_text(message: String) -> str:
    document = parse(message.data, 'agent_message')
    return f'→ {document.get("to", "")}: {", ".join(document["strings"])}'


def _single(values: NDArray[Any]) -> NDArray[Any]:
    """Return values in the precision that the page has; what is too large becomes infinite."""
    with np.errstate(over='ignore'):
        return values.astype(np.float32)
