# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Quality of simulated kicks: calibration of the chip probability, and accuracy of chips.

The probability is that of the last published estimate of each kick, some time after the kick. The
landing is that of the predicted ball after 0.25 s. Its Cramer-Rao bound is the standard deviation
that the same frames permit with all errors drawn as the simulation draws them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.match.kicked_balls import NOISE_FREE, REALISTIC, simulate_kick, track_kick
from benchmarks.match.spread import spread
from world_model_core.gaussian import chi_square_gate
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.chip_kick import BounceArcResiduals, after_bounce
from world_model_core.match.ball.kick_fit import CHIP_ODDS
from world_model_core.match.ball.measurement_table import MeasurementArrays
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.time import to_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from benchmarks.match.kicked_balls import KickSample
    from world_model_core.simulation.match.parameters import SslMatchParameters
    from world_model_core.simulation.match.simulated_kicks import SimulatedKicks

KICKS, CHIPS = 2000, 300
# Times after the kick [s] at which the probability is evaluated; time of the predicted landing.
TIMES, LANDING_TIME = (0.10, 0.15, 0.25), 0.25
CHIP_SHARE, RISES, LONG_RISES, LOW = 0.5, (0.8, 4.0), (1.8, 4.0), 2.0
BINS = 10
# Share of chips by the prior of the models.
PRIOR_SHARE = 1.0 / (1.0 + math.exp(-CHIP_ODDS))
ELLIPSE = chi_square_gate(2, 0.95)
# Prior standard deviations of the bound: kick time [s], and place and speed that nothing limits.
KICK_TIME_STD, ANY_PLACE, ANY_SPEED = 0.004, 1.0, 5.0
# Frames of a lying ball that each camera has seen.
LYING_FRAMES = 60
# Time after a bounce in which its effect is judged [s].
JUST = 0.1


class JudgedProbability(NamedTuple):
    """A published chip probability, `time` [s] after a kick that rose at `rise` [m/s]."""

    time: float
    rise: float
    probability: float


class JudgedLanding(NamedTuple):
    """Error of a landing [m], whether it is in the 95 % ellipse, and the error's bound [m]."""

    error: float
    inside: bool
    bound: float


def measure(kicks: int = KICKS, chips: int = CHIPS) -> dict[str, Any]:
    """Simulate kicks, and return calibration, landing errors and consistency."""
    judged = [each for seed in range(kicks) for each in judge_probabilities(seed)]
    return {
        'probability': {f'{time:.2f} s': summarize(judged, time) for time in TIMES},
        'landing': {
            name: _summarize_landings([_judge_landing(seed, both) for seed in range(chips)])
            for name, both in (('two cameras', True), ('one camera', False))
        },
        'NEES for each degree of freedom': {
            'realistic': judge_consistency(REALISTIC, range(chips // 3)),
            'without noise': judge_consistency(NOISE_FREE, range(chips // 3)),
        },
    }


def judge_probabilities(seed: int) -> list[JudgedProbability]:
    """Track one kick and return the published probabilities at all times."""
    random = np.random.default_rng((seed, 7))
    rise = float(random.uniform(*RISES)) if random.random() < CHIP_SHARE else 0.0
    run = simulate_kick(seed, rise, REALISTIC, both=bool(random.random() < 0.5))
    due, judged = [*TIMES], []
    for sample in track_kick(run, TIMES[-1] + 0.03):
        while due and sample.age >= due[0]:
            time = due.pop(0)
            if sample.kick is not None:
                judged.append(JudgedProbability(time, rise, sample.kick.chip_probability))
    return judged


def summarize(judged: Iterable[JudgedProbability], time: float) -> dict[str, Any]:
    """Return the calibration at a time [s]: of all kicks, and without the high chips."""
    own = [each for each in judged if each.time == time]
    return {
        'all': calibration(own),
        f'rise below {LOW} m/s': calibration([each for each in own if each.rise < LOW]),
        'straight called chip': sum(each.probability > 0.5 and not each.rise for each in own),
    }


def calibration(judged: Sequence[JudgedProbability]) -> dict[str, Any]:
    """Return expected calibration error, log loss and the reliability diagram."""
    stated = np.array([each.probability for each in judged])
    chips = np.array([each.rise > 0.0 for each in judged])
    sure = np.clip(stated, 1e-6, 1.0 - 1e-6)
    bins = np.minimum((BINS * stated).astype(int), BINS - 1)
    diagram = [
        {
            'stated': float(stated[bins == number].mean()),
            'found': float(chips[bins == number].mean()),
            'kicks': int((bins == number).sum()),
        }
        for number in range(BINS)
        if (bins == number).any()
    ]
    error = sum(each['kicks'] * abs(each['stated'] - each['found']) for each in diagram)
    return {
        'ECE': round(error / len(stated), 4),
        'ECE, weighted to the prior share of chips': round(
            _weighted_error(stated, chips, bins), 4
        ),
        'log loss': round(float(-np.log(np.where(chips, sure, 1.0 - sure)).mean()), 4),
        'reliability': [{name: round(x, 3) for name, x in each.items()} for each in diagram],
    }


def _weighted_error(
    stated: NDArray[np.float64], chips: NDArray[np.bool_], bins: NDArray[np.int_]
) -> float:
    """Return the ECE if as many kicks were chips as the prior of the models says."""
    share = chips.mean()
    weights = np.where(chips, PRIOR_SHARE / share, (1.0 - PRIOR_SHARE) / (1.0 - share))
    gaps = np.bincount(bins, weights * (stated - chips), minlength=BINS)
    return float(np.abs(gaps).sum() / len(stated))


def _judge_landing(seed: int, both: bool) -> JudgedLanding | None:
    """Return the error of a chip's predicted landing; None if no flight was predicted."""
    rise = float(np.random.default_rng((seed, 8)).uniform(*LONG_RISES))
    run = simulate_kick(10_000 + seed, rise, REALISTIC, both=both)
    samples = list(track_kick(run, LANDING_TIME))
    landing = run.course.legs[-1].trajectory.touchdowns[0].position[:2]
    predictor = BallPredictor(BallParameters())
    for sample in samples:
        if sample.kick is not None:
            predictor.observe_kick(sample.kick)
    ball = samples[-1].ball
    trajectory = predictor.predict(ball).trajectory
    if not trajectory.touchdowns:
        return None
    off = trajectory.touchdowns[0].position[:2] - landing
    covariance = trajectory.touchdown_covariances(ball.covariance)[0]
    inside = float(off @ np.linalg.solve(covariance, off)) < ELLIPSE
    again = simulate_kick(10_000 + seed, rise, REALISTIC, both=both)
    return JudgedLanding(float(np.hypot(*off)), inside, landing_bound(again))


def _summarize_landings(judged: Sequence[JudgedLanding | None]) -> dict[str, Any]:
    """Return errors, bound, efficiency and the share within the ellipse."""
    found = [each for each in judged if each is not None]
    errors, bounds = (np.array([each[index] for each in found]) for index in (0, 2))
    return {
        'chips': len(judged),
        'predicted': len(found),
        'error [mm]': spread(1e3 * errors),
        'bound, rms [mm]': spread(1e3 * bounds),
        # The median of a distance whose two axes have the bound's variance.
        'bound, median / median error': round(
            float(np.median(bounds) * math.sqrt(math.log(2.0)) / np.median(errors)), 3
        ),
        'inside the 95 % ellipse': round(float(np.mean([each.inside for each in found])), 3),
    }


def judge_consistency(parameters: SslMatchParameters, seeds: Iterable[int]) -> dict[str, Any]:
    """Return the NEES of recognized chips, for each degree of freedom, by their motion."""
    nees: dict[str, list[float]] = {'in the air': [], 'after a bounce': []}
    for seed in seeds:
        rise = float(np.random.default_rng((seed, 8)).uniform(*LONG_RISES))
        run = simulate_kick(10_000 + seed, rise, parameters, both=seed % 2 == 0)
        first, *later = run.course.legs[-1].trajectory.touchdowns
        bounces = np.array([first.time, *(each.time for each in later)])
        for sample in track_kick(run, bounces[-1] + JUST):
            if sample.kick is None or sample.kick.chip_probability <= 0.5:
                continue
            since = sample.age - bounces[bounces <= sample.age]
            if not len(since):
                nees['in the air'].append(_nees(sample))
            elif since.min() < JUST:
                nees['after a bounce'].append(_nees(sample))
    return {name: _summarize_nees(values) for name, values in nees.items()}


def _nees(sample: KickSample) -> float:
    """Return the NEES of position and velocity, divided by 6."""
    ball, truth = sample.ball, sample.truth
    off = np.concatenate((ball.position - truth.position, ball.velocity - truth.velocity))
    return float(off @ np.linalg.solve(ball.covariance, off)) / 6.0


def _summarize_nees(values: Sequence[float]) -> dict[str, Any]:
    """Return the mean, and the distribution."""
    return {'mean': round(float(np.mean(values)), 3), **spread(values)}


def landing_bound(run: SimulatedKicks) -> float:
    """Return the bound of the root mean square error of the landing after 0.25 s [m]."""
    (kick,) = run.course.kicks
    arrays, cameras = _frames_of(run), len(run.vision.cameras)
    numbers = np.array((*kick.position[:2], *kick.velocity, 0.0))
    mean = np.concatenate((numbers, np.zeros(4 * cameras)))
    wanted = run.parameters
    spread_ = np.concatenate((
        (ANY_PLACE, ANY_PLACE, ANY_SPEED, ANY_SPEED, ANY_SPEED, KICK_TIME_STD),
        np.full(2 * cameras, wanted.bias.position_std),
        np.full(2 * cameras, wanted.camera_position_error),
    ))  # fmt: skip
    _, slopes = BounceArcResiduals(arrays, wanted.ball.gravity).linearized(mean)
    information = np.diag(spread_**-2.0) + slopes.T @ slopes
    for camera in run.vision.cameras:
        if camera.covers(kick.position):
            for axis in (0, 1):
                row = np.zeros(len(mean))
                row[axis] = row[6 + axis * cameras + camera.camera_id] = 1.0
                information += LYING_FRAMES * np.outer(row, row) / wanted.noise.position_std**2
    _, covariance = after_bounce(mean, np.linalg.inv(information), 0, wanted.ball)
    return math.sqrt(float(np.trace(covariance[:2, :2])))


def _frames_of(run: SimulatedKicks) -> MeasurementArrays:
    """Return the noise-free detections in the first 0.25 s of a flight, by true cameras."""
    (kick,) = run.course.kicks
    rows, cameras = [], []
    for sent in run.packets():
        frame, truth = sent.packet.detection, sent.truth
        if frame is None or truth is None:
            continue
        age = to_seconds(truth.stamp_ns - kick.stamp_ns)
        camera = run.vision.cameras[frame.camera_id]
        if 0.0 < age <= LANDING_TIME and frame.balls:
            x, y = camera.project_to_ground(truth.position)
            cx, cy, height = camera.position
            rows.append((age, x, y, (x - cx) / height, (y - cy) / height, 1.0 / height))
            cameras.append(np.eye(len(run.vision.cameras))[frame.camera_id])
    columns, count = np.array(rows).T, len(rows)
    return MeasurementArrays(
        columns[0], columns[1:3], columns[3:5], columns[5],
        np.full(count, 1.0 / run.parameters.noise.position_std),
        np.zeros(count), np.zeros(count), np.ones(count, dtype=bool), np.array(cameras).T,
    )  # fmt: skip
