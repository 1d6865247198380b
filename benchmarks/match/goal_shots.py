# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Shots into and beside goals: their bounces off walls, posts and keepers must stay flat."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import Progress

from benchmarks.match.recording import EPOCH_NS, as_datagram
from benchmarks.match.spread import spread
from world_model_core.match.ball.walls import goal_walls
from world_model_core.match.match import Match
from world_model_core.match.values import Channel, MatchParameters, SourceMode
from world_model_core.simulation.match.field import make_geometry
from world_model_core.simulation.match.goal_shots import GoalShot
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_core.time import NANOSECONDS_PER_SECOND
from world_model_core.uncertainty.missed_detection import MissedDetection
from world_model_core.uncertainty.sensor_bias import PlaceBias

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOTS = 100
# The kicker must not hide the ball, or the start of the shot is not seen. Cameras are as those of
# the realistic recordings, but miss the ball more often.
PARAMETERS = SslMatchParameters(
    robots_hide_balls=False,
    missed_detection=MissedDetection(probability=0.3),
    bias=PlaceBias(position_std=0.02, position_fraction=0.002),
    camera_position_error=0.05,
)
# Fraction of its speed that the ball keeps at a wall.
RESTITUTION = (0.3, 0.5, 0.7)
WALLS = goal_walls(make_geometry(None).field)
# A ball this close to a wall has touched it [m], for steps of 5 ms.
TOUCHED = 0.02
# A published ball above this is in the air [m].
AIRBORNE = 0.01
# Stamps are sent as floating-point numbers of this precision, or better [ns].
ROUNDING_NS = 1000
# After a contact the error is measured from here on [ns].
SETTLED_NS = NANOSECONDS_PER_SECOND // 10


class TrackedShot(NamedTuple):
    """
    What was published for a shot.

    The number of kicks; estimates of chips and frames with a ball in the air, before the ball came
    to a wall and afterwards; whether it did; and its errors [m] from 0.1 s after each contact on.
    """

    kicks: int
    airborne: tuple[int, int]
    touched: bool
    errors: list[float]


def measure(shots: int = SHOTS) -> dict[str, Any]:
    """Simulate and track shots."""
    with Progress(console=Console(stderr=True)) as progress:
        tracked = [
            track_shot(seed) for seed in progress.track(range(1, shots + 1), description='shots')
        ]
    return _summary(tracked)


def _summary(tracked: Sequence[TrackedShot]) -> dict[str, Any]:
    return {
        'shots': len(tracked),
        'at walls': sum(each.touched for each in tracked),
        'called chips before a wall': sum(each.airborne[0] > 0 for each in tracked),
        'called chips at a wall': sum(each.airborne[1] > 0 for each in tracked),
        'missed': sum(each.kicks == 0 for each in tracked),
        'further kicks': sum(max(each.kicks - 1, 0) for each in tracked),
        'error of place [mm]': spread([1e3 * error for each in tracked for error in each.errors]),
    }


def track_shot(seed: int) -> TrackedShot:
    """Simulate and track one shot."""
    match = Match(MatchParameters(mode=SourceMode.VISION))
    kicks: set[int] = set()
    airborne, touched, errors = [0, 0], False, []
    parameters = replace(PARAMETERS, seed=seed, restitution=RESTITUTION[seed % len(RESTITUTION)])
    for sent in GoalShot(parameters).packets(EPOCH_NS):
        changes, truth = match.receive(as_datagram(sent)), sent.truth
        if truth is None:
            continue
        touched |= any(wall.gap(truth.position[:2]) < TOUCHED for wall in WALLS)
        if changes.kick is not None:
            kicks.add(changes.kick.number)
            airborne[touched] += changes.kick.chip_probability > 0.5
        if changes.ball is None:
            continue
        airborne[touched] += bool(changes.ball.position[2] > AIRBORNE)
        stamp_ns = match.clocks[Channel.VISION].to_sender(changes.ball.stamp_ns) - EPOCH_NS
        at_exposure = abs(stamp_ns - truth.stamp_ns) < ROUNDING_NS
        if at_exposure and stamp_ns - truth.touched_ns > SETTLED_NS:
            errors.append(float(np.linalg.norm(changes.ball.position - truth.position)))
    return TrackedShot(len(kicks), (airborne[0], airborne[1]), touched, errors)


def main() -> None:
    """Run the benchmark for some shots and print its results as JSON."""
    parser = argparse.ArgumentParser(
        prog='python -m benchmarks.match.goal_shots', description=__doc__
    )
    parser.add_argument('--shots', type=int, default=SHOTS, help='number of simulated shots')
    print(json.dumps(measure(parser.parse_args().shots), indent=2))


if __name__ == '__main__':
    main()
