# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What localisers of one robot have in common: messages in, a filter asked, its pose out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.errors import MalformedPacketError, WorldModelError
from world_model_core.localization.measurement_queue import Follower
from world_model_nodes.localization.convert import estimate_of, planar_of
from world_model_nodes.localization.report import LocalizerReport
from world_model_nodes.localization.topics import LocalizerCallbacks, LocalizerTopics
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.runtime.lifecycle import AcquiringNode
from world_model_nodes.uncertainty.convert import count_left_out, readings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geometry_msgs.msg import PoseWithCovarianceStamped
    from nav_msgs.msg import Odometry
    from vision_msgs.msg import Detection3DArray

    from world_model_core.localization.estimator import Estimator
    from world_model_core.localization.measurement_queue import Fix


class Localizer(AcquiringNode):
    """
    Follows the robot in whose namespace it is.

    A subclass makes the filter, and may publish more of it. The first odometry says what the
    robot's frames are.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._drops = DropCounters(self)
        self._record = LocalizerReport()
        self._follower: Follower | None = None
        self._frames: tuple[str, str] | None = None
        self._diagnostics = Diagnostics(self, self._report)

    def make_estimator(self) -> Estimator:
        """Make the filter that `self.config` asks for."""
        raise NotImplementedError

    def begin(self) -> None:
        """Let the filter begin where the parameters say."""
        self._estimator.begin(self._beginning)

    def show(self, stamp_ns: int) -> None:
        """Publish what else the filter has to show, at an instant [ns]."""

    def acquire(self) -> None:
        """Make the filter and its topics."""
        config = self.config
        self._beginning = config.beginning()
        self._estimator = self.make_estimator()
        callbacks = LocalizerCallbacks(
            self._hear_odometry, self._hear_landmarks, self._hear_initial_pose
        )
        self._topics = LocalizerTopics(
            self, callbacks, config.frame_id, publish_tf=config.publish_tf
        )

    def start(self) -> None:
        """Follow the robot from its next odometry on."""
        self._frames, self._record = None, LocalizerReport()
        self._follower = Follower(
            self._estimator, self.begin, self.config.limits(), self._drops.add
        )

    def stop(self) -> None:
        """Hear nothing any more."""
        self._follower = None

    def release(self) -> None:
        """Take all topics back."""
        self._topics.close()

    def _hear_odometry(self, message: Odometry) -> None:
        if self._follower is None:
            return
        try:
            pose = planar_of(message.pose.pose)
            self._know_frames(message.header.frame_id, message.child_frame_id)
        except WorldModelError as error:
            self._drops.add('odom.malformed', error)
            return
        frames = message.header.frame_id, message.child_frame_id
        if self._frames != frames:
            self._drops.add('odom.other frame', ' -> '.join(frames))
            return
        self._publish(self._follower.drive(from_time(message.header.stamp), pose))

    def _know_frames(self, odometry: str, robot: str) -> None:
        """Take the robot's frames from its first odometry."""
        if not odometry or not robot or self.config.frame_id in {odometry, robot}:
            raise MalformedPacketError(
                f'the frames are {odometry!r} and {robot!r}; they must be named, and none of them '
                f'{self.config.frame_id!r}'
            )
        if self._frames is None:
            self._frames = (odometry, robot)

    def _hear_landmarks(self, message: Detection3DArray) -> None:
        if self._follower is None:
            return
        if self._frames is not None and message.header.frame_id != self._frames[1]:
            self._drops.add('landmarks.other frame', message.header.frame_id)
            return
        count = len(self.config.landmarks) // 2
        for cause, number in count_left_out(message, count).items():
            self._drops.add(f'landmarks.{cause}', count=number)
        try:
            readings = readings_of(message, count)
        except WorldModelError as error:
            self._drops.add('landmarks.malformed', error)
            return
        self._publish(self._follower.look(from_time(message.header.stamp), readings))

    def _hear_initial_pose(self, message: PoseWithCovarianceStamped) -> None:
        if self._follower is None:
            return
        if message.header.frame_id != self.config.frame_id:
            self._drops.add('initialpose.other frame', message.header.frame_id)
            return
        try:
            estimate = estimate_of(message, self._beginning.covariance)
        except WorldModelError as error:
            self._drops.add('initialpose.malformed', error)
            return
        self._record = LocalizerReport()
        self._follower.begin(estimate)

    def _publish(self, fixes: Sequence[Fix]) -> None:
        """Publish what was found, in the order of time."""
        for fix in fixes:
            self._record.add(fix)
            if self._frames is not None:
                self._topics.publish(fix, self._frames[0])
        if fixes:
            self.show(fixes[-1].stamp_ns)

    def _report(self) -> Report:
        states = {
            'not configured': not self._configured,
            'not active': self._configured and not self._started,
        }
        warnings = tuple(text for text, holds in states.items() if holds)
        values = {**self._record.values, **self._drops.counts}
        return Report(warnings=warnings or self._record.warnings, values=values)
