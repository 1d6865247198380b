# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Robots of simulated matches, as published from vision alone, compared with the ground truth.

Cameras miss 5 % of the robots and misread 1 % of the numbers, and their biases are 40 mm apart.
The mean of the biases is zero, because no tracker can observe the bias that all cameras share.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.match.recording import EPOCH_NS, as_datagram
from benchmarks.match.spread import spread
from world_model_core.angles import wrap_angles
from world_model_core.gaussian import chi_square_gate
from world_model_core.match.match import Match
from world_model_core.match.ssl.vision_values import VisionPacket
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_core.uncertainty.label_confusion import NumberConfusion
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_bias import PlaceBias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from world_model_core.match.robots.robot_table import Robots
    from world_model_core.simulation.match.ground_truth import MatchTruth
    from world_model_core.simulation.match.vision_broadcast import SentPacket

# Simulated minutes in all, and in each match.
MINUTES, MATCH_MINUTES = 100.0, 1.0
# Bias of each camera [m]; the cameras' biases point in evenly distributed directions.
BIAS = 0.02
# A robot this far from its true position, and nearer to another robot, is exchanged [m].
EXCHANGED = 0.09
# Robots change little between frames: errors are taken of one frame in so many.
THINNING = 10
# Largest difference between the time of the published robots and of the truth [ns].
SAME_NS = 1_000
ELLIPSE = chi_square_gate(2, 0.95)

REALISTIC = SslMatchParameters(
    cameras=2,
    robots_per_team=11,
    missed_detection=MissedDetection(probability=0.05),
    label_confusion=NumberConfusion(number_probability=0.01),
)


class Condition(NamedTuple):
    """Parameters of the matches, and the bias of each camera beyond these [m]."""

    parameters: SslMatchParameters
    bias: float


CONDITIONS = {
    '2 cameras, 40 mm apart': Condition(REALISTIC, BIAS),
    '4 cameras': Condition(replace(REALISTIC, cameras=4), BIAS),
    'random biases': Condition(
        replace(REALISTIC, bias=PlaceBias(position_std=BIAS, position_fraction=0.002)), 0.0
    ),
}


class Scores:
    """
    Errors and identities of the published robots.

    Attributes
    ----------
    errors, variances : list of array
        Errors of x, y, heading and of their rates, and their variances, shape (6, n) each.
    robots, missing, false, exchanged : int
        Numbers of true robots, and of those not published, of published robots that do not exist,
        and of robots at the position of another one.
    exchanges : int
        How often a robot became exchanged.

    """

    def __init__(self) -> None:
        self.errors: list[np.ndarray] = []
        self.variances: list[np.ndarray] = []
        self.robots = self.missing = self.false = self.exchanged = self.exchanges = 0
        self._swapped: set[object] = set()

    def add(self, robots: Robots, truth: MatchTruth, *, thinned: bool) -> None:
        """Compare the robots of a frame with the truth."""
        rows = {name: row for row, name in enumerate(robots.ids)}
        own = [each for each in truth.robots if each.id in rows]
        found = [rows[each.id] for each in own]
        self.robots += len(truth.robots)
        self.missing += len(truth.robots) - len(own)
        self.false += len(rows) - len(own)
        places = np.array([each.position for each in truth.robots])
        poses = robots.poses[found]
        off = np.hypot(*(poses[:, None, :2] - places).transpose(2, 0, 1))
        true = np.array([each.position for each in own]).reshape(-1, 2)
        mine = np.hypot(*(poses[:, :2] - true).T)
        wrong = (mine > EXCHANGED) & (off.min(axis=1) < mine)
        swapped = {each.id for each, is_wrong in zip(own, wrong, strict=True) if is_wrong}
        self.exchanged += len(swapped)
        self.exchanges += len(swapped - self._swapped)
        self._swapped = swapped
        if own and not thinned:
            moving = np.array([(*e.position, e.heading, *e.velocity, e.turn_rate) for e in own])
            error = np.hstack((poses, robots.velocities[found])) - moving
            error[:, 2] = wrap_angles(error[:, 2])
            covariances = robots.covariances[found]
            variance = np.hstack((covariances[:, :, 0, 0], covariances[:, :, 1, 1]))
            self.errors.append(error.T)
            self.variances.append(variance.T)

    def summary(self) -> dict[str, Any]:
        """Return all figures."""
        errors, variances = np.hstack(self.errors), np.hstack(self.variances)
        squares = errors**2 / variances
        nees = [('position', squares[:2]), ('heading', squares[2]), ('velocity', squares[3:5])]
        return {
            'position [mm]': spread(1e3 * np.hypot(*errors[:2])),
            'heading [deg]': spread(np.degrees(abs(errors[2]))),
            'velocity [m/s]': spread(np.hypot(*errors[3:5])),
            'NEES per degree of freedom': {
                name: round(float(values.mean()), 3)
                for name, values in [*nees, ('turn rate', squares[5])]
            },
            'inside the 95 % ellipse': round(float((squares[:2].sum(axis=0) < ELLIPSE).mean()), 4),
            'not published': _share(self.missing, self.robots),
            'false': _share(self.false, self.robots),
            'exchanged': _share(self.exchanged, self.robots),
            'exchanges': self.exchanges,
        }


def _share(part: int, whole: int) -> float:
    return round(part / max(whole, 1), 7)


def measure(minutes: float = MINUTES, names: Sequence[str] = tuple(CONDITIONS)) -> dict[str, Any]:
    """Track the robots of simulated matches under some conditions."""
    return {
        'minutes': minutes,
        **{name: score_robots(CONDITIONS[name], minutes).summary() for name in names},
    }


def score_robots(condition: Condition, minutes: float) -> Scores:
    """Simulate and track matches of one condition, each with its own seed."""
    scores = Scores()
    count = math.ceil(minutes / MATCH_MINUTES)
    duration_ns = int(minutes / count * 60.0 * NANOSECONDS_PER_SECOND)
    for seed in range(1, count + 1):
        parameters = replace(condition.parameters, seed=seed)
        for index, (robots, truth) in enumerate(
            track_robots(Condition(parameters, condition.bias), duration_ns)
        ):
            scores.add(robots, truth, thinned=bool(index % THINNING))
    return scores


def track_robots(condition: Condition, duration_ns: int) -> Iterator[tuple[Robots, MatchTruth]]:
    """Simulate a match and yield the published robots with the truth of the same time."""
    parameters = condition.parameters
    match = Match(MatchParameters(mode=SourceMode.VISION))
    packets = SslMatch(parameters, EPOCH_NS).packets()
    for sent in takewhile(lambda each: each.sent_ns < duration_ns, packets):
        robots = match.receive(as_datagram(_displaced(sent, condition))).robots
        if sent.truth is None or robots is None:
            continue
        sender_ns = match.clocks[Channel.VISION].to_sender(robots.stamp_ns) - EPOCH_NS
        if abs(sender_ns - sent.truth.stamp_ns) < SAME_NS:  # not of an older frame
            yield robots, sent.truth


def _displaced(sent: SentPacket, condition: Condition) -> SentPacket:
    """Return a packet with the bias of its camera, and without balls, which are not judged."""
    packet = sent.packet
    if not isinstance(packet, VisionPacket) or packet.detection is None:
        return sent
    frame, parameters = packet.detection, condition.parameters
    angle = parameters.seed + 2.0 * math.pi * frame.camera_id / parameters.cameras
    dx, dy = condition.bias * math.cos(angle), condition.bias * math.sin(angle)
    robots = tuple(replace(each, x=each.x + dx, y=each.y + dy) for each in frame.robots)
    return replace(sent, packet=VisionPacket(replace(frame, balls=(), robots=robots), None))


def main() -> None:
    """Print the figures of some conditions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--minutes', type=float, default=MINUTES, help='simulated minutes')
    parser.add_argument('names', nargs='*', default=tuple(CONDITIONS), help='the conditions')
    wanted = parser.parse_args()
    print(json.dumps(measure(wanted.minutes, wanted.names), indent=2))


if __name__ == '__main__':
    main()
