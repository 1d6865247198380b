# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Topics of the images of one camera."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sensor_msgs.msg import CameraInfo, Image

from world_model_core.virtual_world.rendering.image_kinds import ImageKind
from world_model_core.virtual_world.senses.sense_frames import optical_frame
from world_model_nodes.runtime.convert import header
from world_model_nodes.runtime.qos import STREAM
from world_model_nodes.virtual_world.convert_images import image_message, pinhole_message

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from numpy.typing import NDArray
    from rclpy.node import Node

    from world_model_core.virtual_world.rendering.viewpoints import Viewpoint
    from world_model_core.virtual_world.values import Camera, Entity


class ImageTopic(NamedTuple):
    """Publisher of one kind of images, and that of their camera info, if it has its own."""

    image: Any
    info: Any

    @property
    def has_listeners(self) -> bool:
        """Whether anybody listens."""
        return any(
            each is not None and each.get_subscription_count() for each in (self.image, self.info)
        )


class CameraTopics:
    """
    Publishes the images of a camera of an entity.

    Parameters
    ----------
    node : Node
    thing : Entity
    seen_by : Camera
    entity : str
        Start of the names of the topics of the entity.

    Attributes
    ----------
    prefix : str
        The same.
    pending : dict of ImageKind to Future
        The last image of each kind, which may not yet be finished.

    """

    def __init__(self, node: Node, thing: Entity, seen_by: Camera, entity: str) -> None:
        self._node, self.prefix = node, entity
        self.pending: dict[ImageKind, Future[None]] = {}
        self._frame = optical_frame(thing, seen_by)
        camera = f'camera_{seen_by.id}'
        image = node.create_publisher(Image, f'{entity}/{camera}/image', STREAM)
        info = node.create_publisher(CameraInfo, f'{entity}/{camera}/camera_info', STREAM)
        depth = node.create_publisher(Image, f'{entity}/{camera}/depth', STREAM)
        depth_info = node.create_publisher(
            CameraInfo, f'{entity}/{camera}/depth/camera_info', STREAM
        )
        segmentation = node.create_publisher(Image, f'{entity}/{camera}/segmentation', STREAM)
        self._topics: Mapping[ImageKind, ImageTopic] = {
            ImageKind.COLOR: ImageTopic(image, info),
            ImageKind.DEPTH: ImageTopic(depth, depth_info),
            ImageKind.SEGMENTATION: ImageTopic(segmentation, None),
        }

    def wants(self, kind: ImageKind) -> bool:
        """Return whether anybody listens to images of a kind."""
        return self._topics[kind].has_listeners

    def publish(
        self, kind: ImageKind, pixels: NDArray[Any], viewpoint: Viewpoint, stamp_ns: int
    ) -> None:
        """Publish an image and its camera info."""
        topic, head = self._topics[kind], header(stamp_ns, self._frame)
        height, width = pixels.shape[:2]
        if topic.info is not None:
            topic.info.publish(pinhole_message(viewpoint, width, height, head))
        topic.image.publish(image_message(pixels, head))

    def close(self) -> None:
        """Destroy the publishers; no image may be pending."""
        for publisher in (each for topic in self._topics.values() for each in topic):
            if publisher is not None:
                self._node.destroy_publisher(publisher)
