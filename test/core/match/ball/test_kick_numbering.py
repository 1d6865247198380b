# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of kicks."""

import numpy as np

from world_model_core.match.ball.estimate import Kick
from world_model_core.match.ball.kick_estimator import KickNumbering
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND


def kick(stamp_ns, speed=5.0, kicker=None):
    """Make a straight kick along x."""
    return Kick(stamp_ns, np.zeros(2), np.array((speed, 0.0, 0.0)), None, 0.0, kicker)


def test_a_better_estimate_keeps_the_number():
    """Kicks a moment apart are one; a repeated estimate is not published."""
    log = KickNumbering()
    assert log.numbered(kick(SECOND)).number == 1
    assert log.numbered(kick(SECOND + 1000)) is None
    assert log.numbered(kick(SECOND, speed=5.5)).number == 1
    assert log.numbered(kick(SECOND, 5.5, RobotId(Team.BLUE, 2))).number == 1
    assert log.numbered(kick(2 * SECOND)).number == 2
