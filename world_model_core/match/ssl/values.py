# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The content of the league's packets as frozen values in SI units.

All positions are in the field frame of ssl-vision: origin at the center of the field, +x towards
one goal, +y to the left of +x, +z up; headings counter-clockwise from +x [rad]. Times are integer
nanoseconds of the sender's clock and not comparable between senders.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

__all__ = [
    'BallDetection',
    'CameraCalibration',
    'ChipModel',
    'Command',
    'DetectionFrame',
    'FieldArc',
    'FieldLine',
    'FieldSize',
    'Geometry',
    'KickedBall',
    'Referee',
    'RobotDetection',
    'RobotId',
    'Stage',
    'StraightModel',
    'Team',
    'TeamInfo',
    'TrackedBall',
    'TrackedFrame',
    'TrackedRobot',
    'TrackerPacket',
    'VisionPacket',
]


class Team(Enum):
    """The team colors."""

    YELLOW = 'yellow'
    BLUE = 'blue'

    @property
    def opponent(self) -> Team:
        """The other color."""
        return Team.BLUE if self is Team.YELLOW else Team.YELLOW


@dataclass(frozen=True, slots=True)
class RobotId:
    """
    A robot by the color and the number of its pattern; `str()` gives 'blue/3'.

    Parameters
    ----------
    team : Team
    number : int
        From 0 to 15.

    """

    team: Team
    number: int

    @property
    def slot(self) -> int:
        """The row of the robot in a table of both teams, 0 to 31, blue first."""
        return self.number if self.team is Team.BLUE else self.number + 16

    def __hash__(self) -> int:
        """Hash by row, several times faster than by the enumeration."""
        return self.slot

    def __str__(self) -> str:
        """Return the name that topics use."""
        return f'{self.team.value}/{self.number}'


@dataclass(frozen=True, slots=True)
class BallDetection:
    """
    The detection of a ball by one camera.

    `x`, `y`, `z` [m]; `z` only from simulators, else None: a flying ball is then reported where
    the ray from the camera through it meets the ground. `confidence` 0 to 1, `pixel` (x, y),
    `area` [px].
    """

    x: float
    y: float
    z: float | None
    confidence: float
    pixel: tuple[float, float]
    area: int | None = None


@dataclass(frozen=True, slots=True)
class RobotDetection:
    """
    The detection of a robot by one camera.

    `x`, `y` [m], `heading` [rad] or None if not measured, `height` of the pattern [m] or None,
    `confidence` 0 to 1. `number` is None if the pattern was not recognized.
    """

    team: Team
    number: int | None
    x: float
    y: float
    heading: float | None
    confidence: float
    pixel: tuple[float, float]
    height: float | None = None


@dataclass(frozen=True, slots=True)
class DetectionFrame:
    """
    The detections of one camera frame.

    Parameters
    ----------
    frame_number : int
    camera_id : int
    capture_ns : int
        Time of the exposure [ns, clock of vision].
    sent_ns : int
        Time of sending [ns, clock of vision].
    balls : tuple of BallDetection
    robots : tuple of RobotDetection

    """

    frame_number: int
    camera_id: int
    capture_ns: int
    sent_ns: int
    balls: tuple[BallDetection, ...]
    robots: tuple[RobotDetection, ...]


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A straight line on the carpet: `start`, `end` (x, y) and `thickness` [m]."""

    name: str
    start: tuple[float, float]
    end: tuple[float, float]
    thickness: float


@dataclass(frozen=True, slots=True)
class FieldArc:
    """A circular line: `center` (x, y), `radius`, `thickness` [m], from `start` to `end` [rad]."""

    name: str
    center: tuple[float, float]
    radius: float
    start: float
    end: float
    thickness: float


@dataclass(frozen=True, slots=True)
class FieldSize:
    """Dimensions of the field [m]; None for optional ones that are absent."""

    length: float
    width: float
    goal_width: float
    goal_depth: float
    boundary_width: float
    lines: tuple[FieldLine, ...] = ()
    arcs: tuple[FieldArc, ...] = ()
    penalty_area_depth: float | None = None
    penalty_area_width: float | None = None
    center_circle_radius: float | None = None
    line_thickness: float | None = None
    goal_center_to_penalty_mark: float | None = None
    goal_height: float | None = None
    ball_radius: float | None = None
    max_robot_radius: float | None = None
    boundary_width_goal_line: float | None = None
    goal_substitution_area_width: float | None = None


@dataclass(frozen=True, slots=True)
class CameraCalibration:
    """
    The calibration of a camera as ssl-vision publishes it.

    `focal_length` and `principal_point` [px], `distortion` of ssl-vision's radial model,
    `rotation` quaternion xyzw field -> camera, `translation` [m] field -> camera, `position` of
    the camera in the field frame (x, y, z) [m] or None if absent, `image_size` (width,
    height) [px] or None.
    """

    camera_id: int
    focal_length: float
    principal_point: tuple[float, float]
    distortion: float
    rotation: tuple[float, float, float, float]
    translation: tuple[float, float, float]
    position: tuple[float, float, float] | None = None
    image_size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class StraightModel:
    """
    SSL_BallModelStraightTwoPhase: sliding, then rolling.

    `slide_acceleration`, `roll_acceleration` [m/s^2], both negative; the ball rolls once its
    speed has fallen to `switch_ratio` times the kick speed.
    """

    slide_acceleration: float
    roll_acceleration: float
    switch_ratio: float


@dataclass(frozen=True, slots=True)
class ChipModel:
    """SSL_BallModelChipFixedLoss: the fraction of the velocity kept at a bounce, 0 to 1."""

    damping_xy_first_hop: float
    damping_xy_other_hops: float
    damping_z: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """The field, its cameras, and the ball models if vision sends them."""

    field: FieldSize
    cameras: tuple[CameraCalibration, ...]
    straight: StraightModel | None = None
    chip: ChipModel | None = None


@dataclass(frozen=True, slots=True)
class VisionPacket:
    """One SSL_WrapperPacket: a detection, a geometry, both or neither."""

    detection: DetectionFrame | None
    geometry: Geometry | None


@dataclass(frozen=True, slots=True)
class TrackedBall:
    """A ball of a tracker: `position`, `velocity` (x, y, z) [m, m/s]; visibility 0 to 1."""

    position: tuple[float, float, float]
    velocity: tuple[float, float, float] | None
    visibility: float | None


@dataclass(frozen=True, slots=True)
class TrackedRobot:
    """A robot of a tracker [m, rad, m/s, rad/s]; None for what is absent."""

    id: RobotId
    position: tuple[float, float]
    heading: float
    velocity: tuple[float, float] | None
    angular_velocity: float | None
    visibility: float | None


@dataclass(frozen=True, slots=True)
class KickedBall:
    """The current kick: position, velocity (x, y, z) [m/s], time, and predicted rest."""

    position: tuple[float, float]
    velocity: tuple[float, float, float]
    start_ns: int
    stop_ns: int | None
    stop_position: tuple[float, float] | None
    kicker: RobotId | None


@dataclass(frozen=True, slots=True)
class TrackedFrame:
    """A tracker's state at `stamp_ns` [ns, the tracker's clock]; ball 0 is primary."""

    frame_number: int
    stamp_ns: int
    balls: tuple[TrackedBall, ...]
    robots: tuple[TrackedRobot, ...]
    kicked_ball: KickedBall | None
    capabilities: frozenset[int]


@dataclass(frozen=True, slots=True)
class TrackerPacket:
    """One TrackerWrapperPacket: identity of the tracker and its `frame`, or None."""

    uuid: str
    source_name: str
    frame: TrackedFrame | None


class Stage(IntEnum):
    """Referee.Stage, by its wire number."""

    NORMAL_FIRST_HALF_PRE = 0
    NORMAL_FIRST_HALF = 1
    NORMAL_HALF_TIME = 2
    NORMAL_SECOND_HALF_PRE = 3
    NORMAL_SECOND_HALF = 4
    EXTRA_TIME_BREAK = 5
    EXTRA_FIRST_HALF_PRE = 6
    EXTRA_FIRST_HALF = 7
    EXTRA_HALF_TIME = 8
    EXTRA_SECOND_HALF_PRE = 9
    EXTRA_SECOND_HALF = 10
    PENALTY_SHOOTOUT_BREAK = 11
    PENALTY_SHOOTOUT = 12
    POST_GAME = 13


class Command(IntEnum):
    """Referee.Command, by its wire number."""

    HALT = 0
    STOP = 1
    NORMAL_START = 2
    FORCE_START = 3
    PREPARE_KICKOFF_YELLOW = 4
    PREPARE_KICKOFF_BLUE = 5
    PREPARE_PENALTY_YELLOW = 6
    PREPARE_PENALTY_BLUE = 7
    DIRECT_FREE_YELLOW = 8
    DIRECT_FREE_BLUE = 9
    INDIRECT_FREE_YELLOW = 10
    INDIRECT_FREE_BLUE = 11
    TIMEOUT_YELLOW = 12
    TIMEOUT_BLUE = 13
    GOAL_YELLOW = 14
    GOAL_BLUE = 15
    BALL_PLACEMENT_YELLOW = 16
    BALL_PLACEMENT_BLUE = 17


@dataclass(frozen=True, slots=True)
class TeamInfo:
    """The referee's data on one team; durations in seconds; no goalkeeper is None."""

    name: str
    score: int
    goalkeeper: int | None
    red_cards: int
    yellow_cards: int
    yellow_card_times: tuple[float, ...]
    timeouts: int
    timeout_time: float
    max_allowed_bots: int | None = None
    foul_counter: int | None = None
    ball_placement_failures: int | None = None
    can_place_ball: bool | None = None
    bot_substitution_intent: bool | None = None


@dataclass(frozen=True, slots=True)
class Referee:
    """
    One referee packet.

    `sent_ns` and `command_ns` [ns, the game controller's clock]; `stage_time_left` and
    `action_time_left` [s], negative once exceeded; `designated_position` (x, y) [m].
    `stage`, `command` and `next_command` are plain ints if the number is unknown, so that a value
    of a newer game controller is not read as HALT.
    """

    sent_ns: int
    stage: Stage | int
    command: Command | int
    command_counter: int
    command_ns: int
    yellow: TeamInfo
    blue: TeamInfo
    stage_time_left: float | None = None
    designated_position: tuple[float, float] | None = None
    blue_team_on_positive_half: bool | None = None
    next_command: Command | int | None = None
    action_time_left: float | None = None
    source_identifier: str = ''
    match_type: int = 0
    status_message: str = ''
