# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of a virtual world and of its entities; messages are built only for subscribers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rclpy.clock import Clock, ClockType
from rclpy.event_handler import PublisherEventCallbacks
from sensor_msgs.msg import MultiDOFJointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from vision_msgs.msg import Detection3DArray
from visualization_msgs.msg import MarkerArray

from world_model_core.documents import write
from world_model_core.virtual_world.map_objects import true_map
from world_model_core.virtual_world.topic_names import escape_name
from world_model_core.virtual_world.world_document import contacts_document
from world_model_nodes.objects.convert import objects_message
from world_model_nodes.objects.markers import object_markers
from world_model_nodes.runtime.cdr import TransformsTemplate, spatial_joint_states, texts
from world_model_nodes.runtime.qos import STATE, STREAM
from world_model_nodes.virtual_world.convert_world import pose_rows, twist_rows
from world_model_nodes.virtual_world.entity_topics import EntityTopics
from world_model_nodes.virtual_world.question_topics import QuestionTopics
from world_model_nodes.virtual_world.world_documents import WorldDocuments

if TYPE_CHECKING:
    from collections.abc import Callable

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_nodes.runtime.drop_counters import DropCounters

WORLD = 'world'
# Further entities have no topics of their own: each topic delays all callbacks and discovery.
MOST_WITH_TOPICS = 100
# Between two messages with the boxes of all objects, which are large [s].
TRUTH_PERIOD = 1.0
NO_TWISTS = np.zeros((0, 6))


class WorldTopics:
    """
    Publishes a world; it is created when a world is loaded, and closed when it is unloaded.

    Parameters
    ----------
    node : Node
    engine : Engine
    drops : DropCounters
        Counts invalid commands.
    is_paused : callable
        Returns whether time is paused; new subscribers then receive the present state at once.
    question : str
        Published with its true answer; empty: none.

    """

    def __init__(
        self,
        node: Node,
        engine: Engine,
        drops: DropCounters,
        is_paused: Callable[[], bool],
        question: str,
    ) -> None:
        self._node, self._engine, self._drops = node, engine, drops
        self._is_paused = is_paused
        found = PublisherEventCallbacks(matched=self._welcome)
        self._tf = node.create_publisher(TFMessage, '/tf', STREAM, event_callbacks=found)
        # One message with the current transforms only: see ScenePublishers.
        self._tf_static = node.create_publisher(TFMessage, '/tf_static', STATE)
        self._states = node.create_publisher(
            MultiDOFJointState, 'objects/state', STREAM, event_callbacks=found
        )
        self._parts = node.create_publisher(
            MultiDOFJointState, 'objects/parts', STREAM, event_callbacks=found
        )
        self._contacts = node.create_publisher(String, 'contacts', STREAM)
        self._truth = node.create_publisher(Detection3DArray, 'truth/objects', STATE)
        self._markers = node.create_publisher(MarkerArray, 'truth/markers', STATE)
        self._documents = WorldDocuments(node, engine)
        # By real time: late subscribers of a paused world receive it, too.
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._question = QuestionTopics(node, engine, question, WORLD) if question else None
        self._timer = node.create_timer(TRUTH_PERIOD, self._publish_slowly, clock=steady)
        self._stamp_ns = 0
        self._entities: dict[str, EntityTopics] = {}
        self._prefixes: dict[str, str] = {}

    def publish_world(self, stamp_ns: int, prefix_of: Callable[[str], str]) -> None:
        """
        Publish what is in the world, and create the topics of new entities.

        Parameters
        ----------
        stamp_ns : int
        prefix_of : callable
            Returns the start of the names of the topics of an entity, by its name.

        """
        world = self._engine.world
        moving = [each.name for each in world.entities if each.movable]
        fixed = [each.name for each in world.entities if not each.movable]
        self._moving, self._names = moving, tuple(self._engine.names)
        self._joint_names = texts(self._names)
        self._jointed_parts = self._engine.jointed_parts
        self._part_names = texts(['/'.join(part) for part in self._jointed_parts])
        self._transforms = TransformsTemplate(WORLD, [escape_name(name) for name in moving])
        self._replace_entities(prefix_of)
        self._fixed = fixed
        self.publish_frames(stamp_ns)
        self._documents.publish(prefix_of)
        self._stamp_ns = stamp_ns
        self._publish_truth()

    def publish_frames(self, stamp_ns: int) -> None:
        """Publish the frames of all entities that are fixed to the world."""
        static = TransformsTemplate(WORLD, [escape_name(name) for name in self._fixed])
        poses = pose_rows(self._engine.root_state_of(name).pose for name in self._fixed)
        self._tf_static.publish(static.fill(poses, stamp_ns))

    def publish(self, stamp_ns: int) -> None:
        """Publish the state at a time [ns], transforms first."""
        self._stamp_ns = stamp_ns
        has_tf = bool(self._tf.get_subscription_count())
        has_states = bool(self._states.get_subscription_count())
        if has_tf or has_states:
            entities = self._engine.truth.entities
            if has_tf:
                poses = pose_rows(entities[name].pose for name in self._moving)
                self._tf.publish(self._transforms.fill(poses, stamp_ns))
            if has_states:
                states = [entities[name] for name in self._names]
                poses, twists = pose_rows(each.pose for each in states), twist_rows(states)
                self._states.publish(
                    spatial_joint_states(self._joint_names, poses, twists, stamp_ns, WORLD)
                )
        if self._jointed_parts and self._parts.get_subscription_count():
            poses = self._engine.state_arrays.part_poses(self._jointed_parts)
            self._parts.publish(
                spatial_joint_states(self._part_names, poses, NO_TWISTS, stamp_ns, WORLD)
            )
        for topics in self._entities.values():
            topics.publish(stamp_ns)
        self._publish_contacts(stamp_ns)
        self._documents.publish_conditions()

    def _publish_contacts(self, stamp_ns: int) -> None:
        """Publish all contacts, and those of each entity, if anybody listens."""
        felt = [each for each in self._entities.values() if each.is_felt]
        has_listeners = bool(self._contacts.get_subscription_count())
        if not (has_listeners or felt):
            return
        contacts = self._engine.contacts
        if has_listeners:
            document = contacts_document(stamp_ns, contacts)
            self._contacts.publish(String(data=write(document)))
        for topics in felt:
            topics.publish_contact(contacts, stamp_ns)

    def _welcome(self, change: Any) -> None:
        """Publish the state again for a new subscriber, if nothing else will for now."""
        if change.current_count_change > 0 and self._is_paused():
            self.publish(self._stamp_ns)

    def _publish_slowly(self) -> None:
        """Publish what is large and may change often."""
        self._documents.publish_attributes()
        self._publish_truth()

    def _publish_truth(self) -> None:
        """Publish where the objects are, if anybody listens."""
        listeners = self._truth.get_subscription_count(), self._markers.get_subscription_count()
        if not any(listeners):
            return
        objects = true_map(self._engine)
        self._truth.publish(objects_message(objects, self._stamp_ns, WORLD))
        if listeners[1]:
            self._markers.publish(object_markers(objects, self._stamp_ns, WORLD))

    def close(self) -> None:
        """Destroy the timer, all publishers and subscriptions."""
        self._node.destroy_timer(self._timer)
        self._documents.close()
        if self._question is not None:
            self._question.close()
        for topics in self._entities.values():
            topics.close()
        publishers: tuple[Any, ...] = (
            self._tf,
            self._tf_static,
            self._states,
            self._parts,
            self._contacts,
            self._truth,
            self._markers,
        )
        for publisher in publishers:
            self._node.destroy_publisher(publisher)

    def _replace_entities(self, prefix_of: Callable[[str], str]) -> None:
        """Create the topics of new entities, and destroy those of deleted ones."""
        things = {each.name: each for each in self._engine.world.entities}
        wanted = {name: prefix_of(name) for name in list(things)[:MOST_WITH_TOPICS]}
        for name, prefix in self._prefixes.items():
            if wanted.get(name) != prefix:
                self._entities.pop(name).close()
        for name, prefix in wanted.items():
            if name not in self._entities:
                self._entities[name] = EntityTopics(
                    self._node, self._engine, things[name], prefix, self._drops
                )
        self._prefixes = wanted
