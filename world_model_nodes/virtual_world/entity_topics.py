# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of one entity: the state of its joints, what touches it, and commands that move it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from geometry_msgs.msg import Twist, Wrench
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.commands import CommandError
from world_model_core.virtual_world.world_document import contacts_document, contacts_of
from world_model_nodes.runtime.qos import LISTEN, STREAM
from world_model_nodes.virtual_world.convert_world import (
    commands_of,
    drive_of,
    joint_message,
    scalar_joints,
    wrench_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.values import Entity, PartContact
    from world_model_nodes.runtime.drop_counters import DropCounters

# Part of an entity to the engine: its first one.
ROOT = ''


class EntityTopics:
    """
    The topics of one entity, for what it has: joints, wheels, and a body that forces move.

    Who has joints may have hands, and feels what touches them.

    Parameters
    ----------
    node : Node
    engine : Engine
    thing : Entity
    entity : str
        Start of the names of its topics; the frame of its joint states.
    drops : DropCounters
        Counts invalid commands.

    """

    def __init__(
        self, node: Node, engine: Engine, thing: Entity, entity: str, drops: DropCounters
    ) -> None:
        self._node, self._engine, self._drops = node, engine, drops
        self._name, self._frame = thing.name, entity
        self._joints = scalar_joints(engine.state_of(thing.name).joints)
        self._states: Any = None
        self._contact: Any = None
        self._subscriptions: list[Any] = []
        if self._joints:
            self._states = node.create_publisher(JointState, f'{entity}/joint_states', STREAM)
            self._contact = node.create_publisher(String, f'{entity}/contact', STREAM)
            self._subscriptions.append(
                node.create_subscription(
                    JointState, f'{entity}/joint_command', self._receive_commands, LISTEN
                )
            )
        if thing.wheels is not None:
            self._subscriptions.append(
                node.create_subscription(Twist, f'{entity}/cmd_vel', self._receive_drive, LISTEN)
            )
        if thing.movable and thing.dynamics:
            self._subscriptions.append(
                node.create_subscription(Wrench, f'{entity}/wrench', self._receive_wrench, LISTEN)
            )

    def publish(self, stamp_ns: int) -> None:
        """Publish the state of the joints at a time [ns], if anybody listens."""
        if self._states is not None and self._states.get_subscription_count():
            joints = self._engine.state_of(self._name).joints
            self._states.publish(joint_message(self._joints, joints, stamp_ns, self._frame))

    @property
    def is_felt(self) -> bool:
        """Whether anybody listens to what touches the entity."""
        return self._contact is not None and bool(self._contact.get_subscription_count())

    def publish_contact(self, contacts: Iterable[PartContact], stamp_ns: int) -> None:
        """Publish what touches the entity, of the contacts of the last physics step."""
        own = contacts_of(contacts, self._name)
        self._contact.publish(String(data=write(contacts_document(stamp_ns, own))))

    def close(self) -> None:
        """Destroy the publishers and the subscriptions."""
        for publisher in (self._states, self._contact):
            if publisher is not None:
                self._node.destroy_publisher(publisher)
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def _receive_drive(self, message: Twist) -> None:
        self._apply('cmd_vel', lambda: self._engine.drive(self._name, *drive_of(message)))

    def _receive_commands(self, message: JointState) -> None:
        self._apply('joint_command', lambda: self._move_joints(message))

    def _move_joints(self, message: JointState) -> None:
        for command in commands_of(message, self._joints):
            self._engine.set_joint_target(
                self._name,
                command.joint,
                position=command.position,
                velocity=command.velocity,
                torque=command.torque,
            )

    def _receive_wrench(self, message: Wrench) -> None:
        self._apply('wrench', lambda: self._push(message))

    def _push(self, message: Wrench) -> None:
        self._engine.apply_wrench(self._name, ROOT, *wrench_of(message))

    def _apply(self, topic: str, command: Callable[[], None]) -> None:
        """Execute a command; drop and count an invalid one."""
        try:
            command()
        except CommandError as error:
            self._drops.add(f'{topic}.{error.cause}', f'{self._name}: {error}')
        except WorldModelError as error:
            self._drops.add(f'{topic}.refused', f'{self._name}: {error}')
