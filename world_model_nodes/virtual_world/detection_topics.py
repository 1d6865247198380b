# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of what the camera of an entity detects: with the errors of real detectors, and exact."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vision_msgs.msg import Detection3DArray

from world_model_core.errors import WorldModelError
from world_model_core.virtual_world.rendering.detector import EntityDetector, surface_points
from world_model_core.virtual_world.rendering.viewpoints import viewpoint_of
from world_model_core.virtual_world.senses.sense_frames import optical_frame
from world_model_nodes.objects.convert import detections_message
from world_model_nodes.objects.convert_sensing import BODY_IN_CAMERA
from world_model_nodes.runtime.qos import STREAM

if TYPE_CHECKING:
    from concurrent.futures import Future

    from world_model_core.gaussian import Array
    from world_model_core.objects.values import Detections
    from world_model_core.simulation.object_detector import DetectorParameters
    from world_model_core.virtual_world.rendering.true_objects import TrueObjects
    from world_model_core.virtual_world.rendering.visible import VisibilityRule
    from world_model_core.virtual_world.values import Pose
    from world_model_nodes.virtual_world.images import Images
    from world_model_nodes.virtual_world.sensing_agent import SensingAgent


class Look(NamedTuple):
    """
    A frame of which the image is not made yet.

    Attributes
    ----------
    visible : Future
        Names of the entities that the camera sees.
    stamp_ns : int
    objects : TrueObjects
    camera : Pose
    surfaces : array, shape (n, 3)
        See `EntityDetector.detect`.

    """

    visible: Future[tuple[str, ...]]
    stamp_ns: int
    objects: TrueObjects
    camera: Pose
    surfaces: Array


class DetectionTopics:
    """
    Detections of the first camera of an entity.

    An image takes a while: `measure` asks for it, `publish` publishes what is finished.

    Parameters
    ----------
    agent : SensingAgent
        With a camera.
    images : Images
    parameters : DetectorParameters
    rule : VisibilityRule

    Attributes
    ----------
    failure : str
        Why there are no detections; empty: nothing is known to be wrong.

    """

    def __init__(
        self,
        agent: SensingAgent,
        images: Images,
        parameters: DetectorParameters,
        rule: VisibilityRule,
    ) -> None:
        self._agent, self._images, self._rule = agent, images, rule
        self._camera = agent.entity.cameras[0]
        self._frame = optical_frame(agent.entity, self._camera)
        self._detector = EntityDetector('camera', parameters, agent.draws)
        node, entity = agent.node, agent.prefix
        self._seen = node.create_publisher(Detection3DArray, f'{entity}/detections', STREAM)
        self._true = node.create_publisher(Detection3DArray, f'{entity}/truth/detections', STREAM)
        self._looks: list[Look] = []
        self.failure = ''

    @property
    def images(self) -> tuple[Future[tuple[str, ...]], ...]:
        """The images that are not used yet."""
        return tuple(look.visible for look in self._looks)

    def begin(self) -> None:
        """Forget what is not finished."""
        self._looks.clear()

    def measure(self, step: int, stamp_ns: int) -> None:
        """Begin a frame, if anybody listens; errors depend on the time."""
        del step
        # A frame that takes longer than the time between two delays the next one.
        if self._looks or not self._has_listeners():
            return
        try:
            self._looks.append(self._look(stamp_ns))
        except WorldModelError as error:
            self.failure = f'{self._agent.entity.name}: no detections: {error}'

    def publish(self) -> None:
        """Publish the frames of which the images are finished."""
        for look in [each for each in self._looks if each.visible.done()]:
            self._looks.remove(look)
            # Diagnostics say why there are no images.
            if look.visible.exception() is None:
                self._publish(look)

    def close(self) -> None:
        """Destroy the publishers."""
        for publisher in (self._seen, self._true):
            self._agent.node.destroy_publisher(publisher)

    def _has_listeners(self) -> bool:
        return any(each.get_subscription_count() for each in (self._seen, self._true))

    def _look(self, stamp_ns: int) -> Look:
        """Begin a frame of this instant."""
        engine, name = self._agent.engine, self._agent.entity.name
        view = viewpoint_of(engine, name, self._camera)
        visible = self._images.request(engine, self._rule.finder(engine, view, name))
        surfaces = surface_points(engine, view, name)
        return Look(visible, stamp_ns, self._agent.world.objects, view.pose, surfaces)

    def _publish(self, look: Look) -> None:
        visible = look.visible.result()
        found = self._detector.detect(look.objects, visible, look.camera, look.surfaces)
        # A message takes 2 ms.
        for publisher, detections in ((self._seen, found.detections), (self._true, found.truth)):
            if publisher.get_subscription_count():
                publisher.publish(self._message(detections, look.stamp_ns))

    def _message(self, detections: Detections, stamp_ns: int) -> Detection3DArray:
        stamped = replace(detections, stamp_ns=stamp_ns)
        return detections_message(stamped, self._frame, BODY_IN_CAMERA)
