# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Node that publishes a scene: frames, cameras, ground, splats, mesh, and optionally time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nav_msgs.srv import LoadMap

from world_model_core.errors import ConfigurationError, WorldModelError
from world_model_nodes.bundle.camera_infos import CameraInfos
from world_model_nodes.bundle.scene_loader import SceneError, SceneLoader
from world_model_nodes.bundle.scene_publishers import ScenePublishers
from world_model_nodes.bundle.world_bundle_config import WorldBundleConfig
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.lifecycle import AcquiringNode, run
from world_model_nodes.runtime.simulated_clock import SimulatedClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_nodes.bundle.scene_messages import SceneMessages

# Maximum number of findings that are logged; the validator reports all of them.
MOST_LINES = 20


class WorldBundleNode(AcquiringNode):
    """Loads a bundle when it is configured, and publishes it when it is activated."""

    config_type = WorldBundleConfig
    changeable = ('speed',)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__('world_bundle', **kwargs)
        self._messages: SceneMessages | None = None
        self._simulated: SimulatedClock | None = None
        self._active = False
        self.create_service(LoadMap, '~/load', self._serve_load)
        self._diagnostics = Diagnostics(self, self._report)

    def acquire(self) -> None:
        """Load the bundle, and create publishers."""
        config = self.config
        if config.publish_clock and self.get_parameter('use_sim_time').value:
            raise ConfigurationError(
                'publish_clock and use_sim_time are both true: a node that publishes /clock must '
                'not use it'
            )
        self._loader = SceneLoader(config)
        try:
            self._messages = self._loader.load(config.bundle or self._loader.example())
        except WorldModelError:
            self._loader.close()
            raise
        self._topics = ScenePublishers(self)
        self._cameras = CameraInfos(self, timed=config.publish_clock)
        if config.publish_clock:
            self._simulated = SimulatedClock(
                self, self._cameras.publish_due, self._reset, config.speed, config.clock_rate
            )
        self._show(self._messages)

    def start(self) -> None:
        """Publish the scene, and run the clock."""
        self._active = True
        if self._messages is not None:
            self._topics.publish(self._messages)
        self._cameras.start()
        if self._simulated is not None:
            self._simulated.run()

    def stop(self) -> None:
        """Halt the clock."""
        self._active = False
        self._cameras.stop()
        if self._simulated is not None:
            self._simulated.halt()

    def change(self) -> None:
        """Change the speed."""
        if self._simulated is not None:
            self._simulated.change_speed(self.config.speed)

    def release(self) -> None:
        """Destroy all publishers."""
        self._messages = None
        if self._simulated is not None:
            self._simulated.close()
            self._simulated = None
        self._cameras.close()
        self._topics.close()
        self._loader.close()

    def _show(self, messages: SceneMessages) -> None:
        """Publish a scene, and log its findings."""
        self._messages = messages
        self._cameras.replace(messages.cameras, messages.rates)
        if self._active:
            self._topics.publish(messages)
        if self._simulated is not None:
            self._cameras.restart(messages.timeline.at(0))
            self._simulated.load(messages.timeline)
        for line in messages.warnings[:MOST_LINES]:
            self.get_logger().warning(line)
        for line in messages.hints[:MOST_LINES]:
            self.get_logger().info(line)
        self.get_logger().info(f'scene {messages.scene_id} from {messages.folder}')

    def _reset(self, start_ns: int) -> None:
        """
        Restart the cameras at the start time.

        Static transforms are published again, as subscribers may drop them when time goes back.
        """
        self._cameras.restart(start_ns)
        if self._active and self._messages is not None:
            self._topics.publish_frames(self._messages)

    def _serve_load(
        self, request: LoadMap.Request, response: LoadMap.Response
    ) -> LoadMap.Response:
        """Load another scene; keep the current one if that fails."""
        if not self._active:
            self.get_logger().error('~/load: the node is not active')
            response.result = LoadMap.Response.RESULT_UNDEFINED_FAILURE
            return response
        try:
            messages = self._loader.load(request.map_url)
        except SceneError as error:
            self.get_logger().error(f'~/load: {error}; the current scene remains')
            response.result = error.result
            return response
        self._show(messages)
        response.map, response.result = messages.drivable, LoadMap.Response.RESULT_SUCCESS
        return response

    def _report(self) -> Report:
        messages, clock = self._messages, self._simulated
        if messages is None:
            return Report(warnings=('not configured',))
        idle = () if self._active else ('not active',)
        values = {
            'scene': messages.scene_id,
            'folder': messages.folder,
            'cameras': ', '.join(messages.cameras),
            'warnings of the bundle': len(messages.warnings),
        }
        if clock is not None:
            values['clock'] = clock.now_ns
        running = () if clock is None else clock.report().warnings
        return Report(warnings=(*idle, *running, *_summarize(messages.warnings)), values=values)


def _summarize(warnings: Sequence[str]) -> tuple[str, ...]:
    """Return the first warning of a bundle, and the number of the others."""
    more = f' (and {len(warnings) - 1} more)' if len(warnings) > 1 else ''
    return tuple(f'the bundle: {first}{more}' for first in warnings[:1])


def main() -> None:
    """Run the node."""
    run(WorldBundleNode)
