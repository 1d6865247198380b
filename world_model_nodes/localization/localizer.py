# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Base class of the localizer nodes: messages in, a pose estimate out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import MalformedPacketError, WorldModelError
from world_model_core.localization.measurement_queue import MeasurementQueue
from world_model_nodes.localization.convert import estimate_of, planar_of
from world_model_nodes.localization.localizer_diagnostics import LocalizerReport
from world_model_nodes.localization.localizer_topics import LocalizerCallbacks, LocalizerTopics
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.diagnostics import Diagnostics, Report
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.runtime.input_ages import InputAges
from world_model_nodes.runtime.lifecycle import AcquiringNode
from world_model_nodes.uncertainty.convert import count_left_out, readings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geometry_msgs.msg import PoseWithCovarianceStamped
    from nav_msgs.msg import Odometry
    from vision_msgs.msg import Detection3DArray

    from world_model_core.localization.measurement_queue import PoseFix
    from world_model_core.localization.pose_estimators import PoseEstimator


class Localizer(AcquiringNode):
    """
    Localizes the robot of the namespace of the node.

    A subclass creates the filter and may publish more of its state. The frames of the robot are
    those of the first odometry message.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._record, self._inputs = LocalizerReport(), self._new_ages()
        self._drops = DropCounters(self, self._inputs.refuse)
        self._queue: MeasurementQueue | None = None
        self._frames: tuple[str, str] | None = None
        self._diagnostics = Diagnostics(self, self._report)

    def make_estimator(self) -> PoseEstimator:
        """Create the filter configured by `self.config`."""
        raise NotImplementedError

    def begin(self) -> None:
        """Initialize the filter at `initial_pose`."""
        self._estimator.begin(self._initial)

    def publish_more(self, stamp_ns: int) -> None:
        """Publish further topics of the filter for a time [ns]."""

    def acquire(self) -> None:
        """Create the filter and its topics."""
        config = self.config
        self._initial = config.initial_estimate()
        self._estimator = self.make_estimator()
        callbacks = LocalizerCallbacks(
            self._on_odometry, self._on_landmarks, self._on_initial_pose
        )
        self._topics = LocalizerTopics(
            self, callbacks, config.global_frame_id, config.tf_tolerance_ns()
        )

    def start(self) -> None:
        """Start with the next odometry message."""
        self._frames, self._record, self._inputs = None, LocalizerReport(), self._new_ages()
        self._drops.refuse = self._inputs.refuse
        self._queue = MeasurementQueue(
            self._estimator, self.begin, self.config.limits(), self._drops.add
        )

    def stop(self) -> None:
        """Stop processing messages."""
        self._queue = None

    def release(self) -> None:
        """Destroy all publishers and subscriptions."""
        self._topics.close()

    def _on_odometry(self, message: Odometry) -> None:
        if self._queue is None:
            return
        try:
            stamp_ns, pose = from_time(message.header.stamp), planar_of(message.pose.pose)
            self._check_frames(message.header.frame_id, message.child_frame_id)
        except WorldModelError as error:
            self._drops.add('odom.malformed', error)
            return
        frames = message.header.frame_id, message.child_frame_id
        if self._frames != frames:
            self._drops.add('odom.other frame', ' -> '.join(frames))
            return
        self._publish(self._queue.add_odometry(stamp_ns, pose))

    def _check_frames(self, odometry: str, robot: str) -> None:
        """Take the frames of the robot from its first odometry message."""
        if not odometry or not robot or self.config.global_frame_id in {odometry, robot}:
            raise MalformedPacketError(
                f'frames are {odometry!r} and {robot!r}; they must not be empty '
                f'or {self.config.global_frame_id!r}'
            )
        if self._frames is None:
            self._frames = (odometry, robot)

    def _on_landmarks(self, message: Detection3DArray) -> None:
        if self._queue is None:
            return
        if self._frames is not None and message.header.frame_id != self._frames[1]:
            self._drops.add('landmarks.other frame', message.header.frame_id)
            return
        count = len(self.config.landmarks) // 2
        try:
            stamp_ns, readings = from_time(message.header.stamp), readings_of(message, count)
        except WorldModelError as error:
            self._drops.add('landmarks.malformed', error)
            return
        left_out = count_left_out(message, count)
        for cause, number in left_out.items():
            self._drops.add(f'landmarks.{cause}', count=number)
        if left_out and np.isnan(readings).all():
            return
        self._publish(self._queue.add_readings(stamp_ns, readings))

    def _on_initial_pose(self, message: PoseWithCovarianceStamped) -> None:
        if self._queue is None:
            return
        if message.header.frame_id != self.config.global_frame_id:
            self._drops.add('initialpose.other frame', message.header.frame_id)
            return
        try:
            estimate = estimate_of(message, self._initial.covariance)
        except WorldModelError as error:
            self._drops.add('initialpose.malformed', error)
            return
        self._record = LocalizerReport()
        self._inputs.use('initialpose')
        self._queue.begin(estimate)

    def _publish(self, fixes: Sequence[PoseFix]) -> None:
        """Publish estimates in the order of time."""
        for fix in fixes:
            self._inputs.use('odom')
            if fix.correction is not None:
                self._inputs.use('landmarks')
            self._record.add(fix)
            if self._frames is not None:
                self._topics.publish(fix, self._frames[0])
        if fixes:
            self.publish_more(fixes[-1].stamp_ns)

    def _new_ages(self) -> InputAges:
        """Forget when the inputs were used."""
        limit = self.config.max_odometry_gap
        return InputAges(self, ('odom', 'landmarks'), ('initialpose',), limit)

    def _report(self) -> Report:
        states = {
            'not configured': not self._configured,
            'not active': self._configured and not self._started,
        }
        warnings = tuple(text for text, holds in states.items() if holds)
        values = {**self._record.values, **self._drops.counts}
        if warnings:
            return Report(warnings=warnings, values=values)
        return Report(warnings=self._record.warnings, values=values).joined(self._inputs.report())
