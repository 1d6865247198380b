# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Images of the cameras of entities: on topics at their rates, and on request."""

from __future__ import annotations

from concurrent.futures import wait
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from std_msgs.msg import String

from world_model_core.documents import write
from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.rendering.image_kinds import ImageKind
from world_model_core.virtual_world.rendering.scene_states import SceneStates
from world_model_core.virtual_world.rendering.segment_labels import SegmentLabels
from world_model_core.virtual_world.rendering.viewpoints import numbered_viewpoint
from world_model_core.virtual_world.senses.ticks import Ticks
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.virtual_world.camera_topics import CameraTopics
from world_model_nodes.virtual_world.render_thread import RenderThread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine
    from world_model_core.virtual_world.rendering.renderer import Renderer
    from world_model_core.virtual_world.rendering.scene_states import SceneState
    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
    from world_model_core.virtual_world.values import Entity
    from world_model_nodes.virtual_world.virtual_world_config import VirtualWorldConfig

# Further entities have no topics of images: each topic delays all callbacks and discovery.
MOST_ENTITIES = 30
Result = TypeVar('Result')


class Shot(NamedTuple):
    """An image for a topic, before it is made."""

    topics: CameraTopics
    kind: ImageKind
    view: Viewpoint


class Images:
    """
    Publishes images while somebody listens, each of exactly its instant: a StepListener.

    Parameters
    ----------
    node : Node
    config : VirtualWorldConfig
    prefix_of : callable
        Returns the start of the names of the topics of an entity, by its name.
    """

    def __init__(
        self,
        node: Node,
        config: VirtualWorldConfig,
        prefix_of: Callable[[str], str],
    ) -> None:
        self._node, self._config, self._prefix_of = node, config, prefix_of
        self._thread = RenderThread()
        self._states = SceneStates()
        self._labels = SegmentLabels()
        self._cameras: dict[tuple[str, int], CameraTopics] = {}
        self._made = self._late = 0
        self._failure = ''
        self._names = node.create_publisher(String, 'segmentation/labels', STATE)
        self._ticks = {
            ImageKind.COLOR: Ticks(config.image_rate),
            ImageKind.DEPTH: Ticks(config.depth_rate),
            ImageKind.SEGMENTATION: Ticks(config.segmentation_rate),
        }

    @property
    def next_due_ns(self) -> int | None:
        """Time of the next image of any camera [ns]."""
        return min(each.next_ns for each in self._ticks.values()) if self._cameras else None

    def on_instant(self, engine: Engine, stamp_ns: int) -> None:
        """Make the images that are due, of this instant."""
        ticks = self._ticks.items()
        due = [kind for kind, each in ticks if each.take(engine.time_ns) is not None]
        shots = [
            shot
            for (name, number), topics in self._cameras.items()
            for kind in due
            if topics.wants(kind) and (shot := self._shot(engine, name, number, kind))
        ]
        if not shots:
            return
        state = self._states.copy(engine)
        started = [self._start(shot, state, stamp_ns) for shot in shots]
        wait(started, self._config.longest_wait)

    def request(
        self, engine: Engine, make: Callable[[Renderer, SceneState], Result]
    ) -> Future[Result]:
        """
        Make something of the present state; it is finished later, in the thread of images.

        The future has the error of `make`, or a RenderingError if there is no driver.
        """
        state = self._states.copy(engine)
        return self._thread.submit(lambda renderer: make(renderer, state))

    def reset(self) -> None:
        """Make images of the present instant."""
        for ticks in self._ticks.values():
            ticks.reset()

    def replaced(self, engine: Engine | None) -> None:
        """Create the topics of new cameras, and destroy those of others."""
        entities = {} if engine is None else _seeing(engine)
        prefixes = {name: self._prefix_of(name) for name in entities}
        cameras = {
            (name, camera.id): camera for name, each in entities.items() for camera in each.cameras
        }
        present = self._cameras.items()
        self._close_cameras(
            [
                key
                for key, topics in present
                if key not in cameras or topics.prefix != prefixes[key[0]]
            ]
        )
        for key, camera in cameras.items():
            if key not in self._cameras:
                name, _ = key
                self._cameras[key] = CameraTopics(
                    self._node, entities[name], camera, prefixes[name]
                )
        if engine is None:
            self._states, self._labels = SceneStates(), SegmentLabels()
        elif cameras:
            self._thread.start()
            self._labels.update(engine.names)
            self._names.publish(String(data=write(self._labels.document(engine.names))))

    def close(self) -> None:
        """Finish all images, and destroy all topics."""
        self._close_cameras(tuple(self._cameras))
        self._thread.close()
        self._node.destroy_publisher(self._names)

    def report(self) -> Report:
        """Report what is wrong, and how many images were made, were late and lost their driver."""
        failures = [each for each in (self._failure, self._thread.failure) if each]
        return Report(
            warnings=tuple(f'no images: {each}' for each in failures),
            values={
                'images': self._made,
                'images.late': self._late,
                'images.driver_lost': self._thread.reopened,
            },
        )

    def _shot(self, engine: Engine, name: str, number: int, kind: ImageKind) -> Shot | None:
        """Return an image to make; None if the one before is not finished, or it has no view."""
        topics = self._cameras[name, number]
        pending = topics.pending.get(kind)
        if pending is not None and not pending.done():
            self._late += 1
            return None
        try:
            view = numbered_viewpoint(engine, name, number)
        except WorldModelError as error:
            self._failure = f'{name}: {error}'
            return None
        return Shot(topics, kind, view)

    def _start(self, shot: Shot, state: SceneState, stamp_ns: int) -> Future[None]:
        """Let the thread make and publish an image."""
        started = self._thread.submit(partial(self._publish, shot, state, stamp_ns))
        shot.topics.pending[shot.kind] = started
        return started

    def _publish(self, shot: Shot, state: SceneState, stamp_ns: int, renderer: Renderer) -> None:
        """Make and publish an image, in the thread."""
        config, kind = self._config, shot.kind
        size = config.image_width, config.image_height
        pixels = renderer.capture(state, kind, shot.view, *size, quality=config.image_quality)
        if kind is ImageKind.SEGMENTATION:
            pixels = self._labels.image(pixels, state.scene.names)
        shot.topics.publish(kind, pixels, shot.view, stamp_ns)
        self._made += 1

    def _close_cameras(self, keys: Sequence[tuple[str, int]]) -> None:
        if keys:
            self._thread.finish()
        for key in keys:
            self._cameras.pop(key).close()


def _seeing(engine: Engine) -> dict[str, Entity]:
    """Return the entities that have topics of images."""
    able = [each for each in engine.world.entities if each.cameras]
    return {each.name: each for each in able[:MOST_ENTITIES]}
