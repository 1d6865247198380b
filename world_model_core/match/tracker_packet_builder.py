# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The league's tracker packets, built from vision alone."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING

from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.estimate import BallSource
from world_model_core.match.ball.kick_estimator import KickNumbering, attribute_kicker
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.phase_classifier import Phase
from world_model_core.match.ball.predictor import SAME_DIRECTION, BallPredictor
from world_model_core.match.ball.source_and_extrapolation import (
    BallSourceSelector,
    OcclusionContext,
)
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.match.robot_states import RobotStateMerger
from world_model_core.match.ssl.tracker_values import (
    KickedBall,
    TrackedBall,
    TrackedFrame,
    TrackedRobot,
    TrackerPacket,
)
from world_model_core.match.ssl.value_limits import HIGHEST, POSITION
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from world_model_core.gaussian import Array
    from world_model_core.match.ball.estimate import BallState, Kick
    from world_model_core.match.ball.tracker import BallTracker, BallUpdate
    from world_model_core.match.ball.trajectory import BallTrajectory
    from world_model_core.match.cameras.camera_pose import CameraPose
    from world_model_core.match.robots.robot_table import Robots, RobotTable
    from world_model_core.match.ssl.geometry_values import Geometry
    from world_model_core.match.ssl.vision_values import DetectionFrame
    from world_model_core.match.values import MatchParameters

# Capabilities of our ball tracker, of enum Capability in ssl_vision_wrapper_tracked.proto.
FLYING_BALLS, MULTIPLE_BALLS, KICKED_BALLS = 1, 2, 3
CAPABILITIES = frozenset({FLYING_BALLS, MULTIPLE_BALLS, KICKED_BALLS})
# Until this age of a kick, its rest position is predicted from the kick and not from the filtered
# ball, which needs time to follow the kick [ns]. For straight kicks of 1 to 3 m/s without noise
# the median errors are 7 to 78 mm from the kick, and 14 to 119 mm from the filter at first, but
# less than 20 mm after this time.
SETTLING_NS = 3 * NANOSECONDS_PER_SECOND // 10


class TrackerPacketBuilder:
    """
    Builds a tracker packet after every vision frame, in vision's clock.

    The published ball may come from another tracker or from a ball sensor. These packets never do,
    so that two instances that receive each other do not confirm their own estimates.

    Parameters
    ----------
    parameters : MatchParameters
        Without a `uuid` no packets are built.

    """

    def __init__(self, parameters: MatchParameters) -> None:
        self._parameters = parameters
        self._predictor = BallPredictor(parameters.constants)
        self._frame_number = 0  # kept through a reset: it is the same tracker

    def reset(self, table: RobotTable) -> None:
        """Reset, as after a jump in time, and use the robots of `table`."""
        source = self._parameters.ball_source
        self._ball_source = BallSourceSelector(source)
        self._robots = RobotStateMerger(self._parameters.robots, source.vision_timeout, table)
        self._predictor = BallPredictor(self._predictor.parameters, self._predictor.boundary)
        self._kick: Kick | None = None
        self._kick_log = KickNumbering()
        self._stamp_ns = 0

    @property
    def is_enabled(self) -> bool:
        """Whether packets are to be built."""
        return bool(self._parameters.uuid)

    def is_own(self, packet: TrackerPacket) -> bool:
        """Return whether a received packet is our own."""
        return self.is_enabled and packet.uuid == self._parameters.uuid

    def update_geometry(self, geometry: Geometry) -> None:
        """Use the field of a geometry, and its ball models unless they are implausible."""
        self._predictor.enclose(geometry.field)
        with suppress(ConfigurationError):
            self._predictor.replace_parameters(
                self._parameters.constants.with_models(geometry.straight, geometry.chip)
            )

    def build(
        self,
        frame: DetectionFrame,
        rows: Sequence[int],
        update: BallUpdate | None,
        tracker: BallTracker,
        cameras: tuple[CameraPose, ...],
    ) -> TrackerPacket | None:
        """
        Build the packet that follows a vision frame.

        Parameters
        ----------
        frame : DetectionFrame
            The frame, after all filters were updated with it.
        rows : sequence of int
            Rows of the robot table that the frame has corrected.
        update : BallUpdate or None
            The update of the primary ball, if the frame contained it.
        tracker : BallTracker
            The source of the other balls.
        cameras : tuple of CameraPose
            Poses of the cameras, for occlusion.

        Returns
        -------
        TrackerPacket or None
            The packet, stamped with the newest capture time: the filters predict the states of a
            late frame to this time. None if no packets are built.

        """
        if not self.is_enabled:
            return None
        stamp_ns = self._stamp_ns = max(self._stamp_ns, frame.capture_ns)
        self._frame_number += 1
        self._robots.update_from_vision(rows, 0, stamp_ns)
        if update is not None:
            self._ball_source.observe(BallSource.VISION, update.state, stamp_ns)
        robots = self._robots.at(stamp_ns, stamp_ns)
        context = OcclusionContext(robots.ids, robots.poses, robots.velocities, cameras, None)
        source, ball = self._ball_source.at(stamp_ns, stamp_ns, context)
        if ball is not None and not _in_range(ball):
            ball = None
        primary = [] if ball is None else [(ball, float(source is BallSource.VISION))]
        others = [each for each in tracker.balls()[1:] if _in_range(each[0])]
        balls = primary + others if primary else []
        kick = update.kick if update else None
        tracked_frame = TrackedFrame(
            frame_number=self._frame_number,
            stamp_ns=stamp_ns,
            balls=tuple([_tracked_ball(*each) for each in balls]),
            robots=_tracked_robots(robots),
            kicked_ball=self._kicked_ball(
                kick and attribute_kicker(kick, robots.ids, robots.distances_to(kick.position)),
                ball,
            ),
            capabilities=CAPABILITIES,
        )
        return TrackerPacket(self._parameters.uuid, self._parameters.source_name, tracked_frame)

    def _kicked_ball(self, new_kick: Kick | None, ball: BallState | None) -> KickedBall | None:
        """Return the last kick while the ball still moves in its direction."""
        new_kick = new_kick and self._kick_log.numbered(new_kick)
        if new_kick is not None:
            self._kick = new_kick
            self._predictor.observe_kick(new_kick)
        if self._kick is None or ball is None:
            self._kick = None
            return None
        prediction = self._predictor.predict(ball)
        if prediction.phase is Phase.STOPPED or not _same_direction(
            ball.velocity, self._kick.velocity
        ):
            self._kick = None
            return None
        recent = ball.stamp_ns - self._kick.stamp_ns < SETTLING_NS
        # The number of bounces of a flying ball is known only from its kick.
        if recent or prediction.phase is Phase.FLYING:
            start = _start_of(self._kick)
            trajectory = predict_ball(start, self._predictor.parameters, self._predictor.boundary)
            return _kicked_ball_of(self._kick, self._kick.stamp_ns, trajectory)
        return _kicked_ball_of(self._kick, prediction.stamp_ns, prediction.trajectory)


def _same_direction(velocity: Array, kicked: Array) -> bool:
    """Return whether a ball moves roughly in the direction of its kick, on the ground plane."""
    (vx, vy, _), (kx, ky, _) = velocity.tolist(), kicked.tolist()
    return bool(vx * kx + vy * ky >= SAME_DIRECTION * math.hypot(vx, vy) * math.hypot(kx, ky))


def _in_range(ball: BallState) -> bool:
    """Return whether the position of a ball is within the range that receivers accept."""
    x, y, z = ball.position.tolist()
    return bool(max(abs(x), abs(y)) <= POSITION and z <= HIGHEST)


def _tracked_ball(ball: BallState, visibility: float) -> TrackedBall:
    x, y, z = ball.position.tolist()
    vx, vy, vz = ball.velocity.tolist()
    return TrackedBall((x, y, z), (vx, vy, vz), visibility)


def _tracked_robots(robots: Robots) -> tuple[TrackedRobot, ...]:
    columns = zip(
        robots.ids,
        robots.poses.tolist(),
        robots.velocities.tolist(),
        robots.visibilities.tolist(),
        strict=True,
    )
    return tuple(
        [
            TrackedRobot(name, (x, y), heading, (vx, vy), turning, visibility)
            for name, (x, y, heading), (vx, vy, turning), visibility in columns
            if max(abs(x), abs(y)) <= POSITION
        ]
    )


def _sent_velocity(kick: Kick) -> tuple[float, float, float]:
    """Return the velocity, with vz = 0 for straight kicks: receivers detect chips by it."""
    vx, vy, vz = kick.velocity.tolist()
    return vx, vy, vz if kick.chip_probability >= 0.5 else 0.0


def _start_of(kick: Kick) -> BallMotionState:
    """Return the state of the ball right after its kick."""
    velocity = _sent_velocity(kick)
    return BallMotionState((*kick.position, 0.0), velocity, math.hypot(*velocity[:2]))


def _kicked_ball_of(kick: Kick, stamp_ns: int, trajectory: BallTrajectory) -> KickedBall:
    """Return the kick, with the end of a trajectory from a time [ns] if that is in range."""
    x, y = kick.position.tolist()
    stop_x, stop_y, _ = trajectory.rest_position.tolist()
    in_range = max(abs(stop_x), abs(stop_y)) <= POSITION
    return KickedBall(
        position=(x, y),
        velocity=_sent_velocity(kick),
        start_ns=kick.stamp_ns,
        stop_ns=stamp_ns + to_nanoseconds(trajectory.rest_time) if in_range else None,
        stop_position=(stop_x, stop_y) if in_range else None,
        kicker=kick.kicker,
    )
