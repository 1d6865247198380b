# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Draws the pictures of docs/explanation/match.md from simulated balls.

Run it with `python tools/ssl_pictures.py`; it writes docs/images/ssl_*.png.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse
from scipy.stats import chi2

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.ground_filter import GroundParameters, Mode
from world_model_core.match.ball.measurement import BallMeasurement
from world_model_core.match.ball.predictor import BallPredictor
from world_model_core.match.ball.track import BallTrack
from world_model_core.match.ssl.robot_id import Team
from world_model_core.match.ssl.vision_values import RobotDetection
from world_model_core.match.values import MatchParameters
from world_model_core.match.vision_tracking import VisionTracking
from world_model_core.simulation.match.ball_course import follow_kicks
from world_model_core.simulation.match.simulated_kicks import (
    KICK_PARAMETERS,
    KickPlan,
    SimulatedKicks,
    random_kicks,
)
from world_model_core.time import NANOSECONDS_PER_SECOND, to_nanoseconds, to_seconds
from world_model_core.uncertainty.sensor_bias import PlaceBias

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from world_model_core.match.ball.estimate import BallState, Kick

IMAGES = Path(__file__).resolve().parents[1] / 'docs/images'
INK, PUBLISHED, INTERVAL = '#26322a', '#2f6fd0', '#a9c4ee'
CAMERAS = ('#d9480f', '#e8a33d')
MODES = {
    Mode.RESTING: '#8a8f8c', Mode.ROLLING: '#7a9e4e', Mode.SLIDING: '#e8a33d',
    Mode.PUSHED: '#7b4fb0',
}  # fmt: skip
FLAT = np.ix_((0, 1, 3, 4), (0, 1, 3, 4))
KICKED = 0.5  # [s]


class FrameSample(NamedTuple):
    """
    A frame with the ball, and the published state.

    `time` [s] of the state, or else of the frame; `camera` that detected the ball at `place`
    while it was at `shown` (x, y) [m]; the `truth` at that time, (6,) [m, m/s].
    """

    time: float
    camera: int
    place: np.ndarray
    shown: np.ndarray
    truth: np.ndarray
    state: BallState | None
    kick: Kick | None


def main() -> None:
    """Draw all pictures."""
    for draw in (draw_modes, draw_cameras, draw_flight, draw_consistency):
        figure = draw()
        name = draw.__name__.removeprefix('draw_')
        figure.savefig(IMAGES / f'ssl_{name}.png', format='png', dpi=110)


def watch(simulated: SimulatedKicks, robots: tuple[RobotDetection, ...] = ()) -> list[FrameSample]:
    """Track a simulated ball near resting robots."""
    filters, samples = VisionTracking(MatchParameters()), []
    for sent in simulated.packets():
        if sent.packet.geometry is not None:
            filters.update_geometry(sent.packet.geometry)
        frame = sent.packet.detection
        if frame is None:
            continue
        _, ball = filters.update(replace(frame, robots=robots))
        published = (ball.state, ball.kick) if ball else (None, None)
        stamp_ns = ball.state.stamp_ns if ball else frame.capture_ns
        truth = simulated.truth_at(stamp_ns)
        for each in frame.balls[:1]:
            shown = np.array(simulated.truth_at(frame.capture_ns).position[:2])
            true = np.array((*truth.position, *truth.velocity))
            place = np.array((each.x, each.y))
            time = to_seconds(truth.stamp_ns)
            samples.append(FrameSample(time, frame.camera_id, place, shown, true, *published))
    return samples


def panels(*shape: int, size: tuple[float, float]) -> tuple[Figure, np.ndarray]:
    """Return a figure with some axes."""
    figure = Figure(figsize=size, layout='constrained')
    FigureCanvasAgg(figure)
    axes = figure.subplots(*shape, squeeze=False)
    for each in axes.flat:
        each.grid(alpha=0.3)
    return figure, axes


def draw_modes() -> Figure:
    """Draw the speed of a kicked ball and the mode probabilities of the filter on the carpet."""
    velocity = (3.0, 0.6, 0.0)
    course = follow_kicks((-4.2, -1.0), [(to_nanoseconds(0.5), velocity)], BallParameters())
    simulated = SimulatedKicks(course,
                     replace(KICK_PARAMETERS, cameras=1, camera_height=6.0), 8.0)  # fmt: skip
    track, rows = None, []
    for sent in simulated.packets():
        frame = sent.packet.detection
        if frame is None or not frame.balls:
            continue
        ball, now = frame.balls[0], frame.capture_ns
        variance = KICK_PARAMETERS.noise.position_std**2
        measurement = BallMeasurement(now, frame.camera_id, ball.x, ball.y, None, variance, None)
        if track is None:
            track = BallTrack(measurement, GroundParameters())
        else:
            track.predict(now, BallParameters().gravity, touched=False)
            track.correct(measurement, 0.0)
        true = np.hypot(*sent.truth.velocity[:2])
        deviation = track.ground.vv**0.5
        rows.append(
            (
                sent.truth.stamp_ns / NANOSECONDS_PER_SECOND,
                true,
                track.speed,
                deviation,
                *track.probabilities,
            )
        )
    time, true, speed, deviation, *probabilities = np.array(rows).T
    figure, ((top,), (below,)) = panels(2, 1, size=(9.0, 5.4))
    top.fill_between(time, speed - 2 * deviation, speed + 2 * deviation, color=INTERVAL,
                     label='two standard deviations')  # fmt: skip
    top.plot(time, speed, color=PUBLISHED, label='filtered')
    top.plot(time, true, color=INK, linewidth=1.0, label='truth')
    top.set(ylabel='speed [m/s]', ylim=(0.0, 3.6), xlim=(0.2, time[-1]))
    below.stackplot(time, probabilities, colors=[MODES[mode] for mode in Mode],
                    labels=[mode.name.lower() for mode in Mode])  # fmt: skip
    below.set(ylabel='probability', xlabel='time [s]', ylim=(0.0, 1.0), xlim=(0.2, time[-1]))
    top.legend(loc='upper right', fontsize='small')
    below.legend(loc='center', fontsize='small')
    figure.suptitle('A kick at 0.5 s: noise of 1.4 mm, four models of motion', color=INK)
    return figure


def draw_cameras() -> Figure:
    """Draw the errors of two cameras for a ball that passes from one to the other."""
    kicks = [(to_nanoseconds(0.5), (3.2, 0.1, 0.0)), (to_nanoseconds(4.5), (-3.2, -0.1, 0.0))]
    course = follow_kicks((-4.0, 0.3), kicks, BallParameters())
    parameters = replace(KICK_PARAMETERS, seed=3, bias=PlaceBias(position_std=0.02))
    samples = watch(SimulatedKicks(course, parameters, 8.0))
    figure, axes = panels(2, 1, size=(9.0, 5.4))
    for number, (name, (panel,)) in enumerate(zip('xy', axes, strict=True)):
        for camera, color in enumerate(CAMERAS):
            own = [each for each in samples if each.camera == camera]
            off = [1e3 * (each.place - each.shown)[number] for each in own]
            panel.plot([each.time for each in own], off, '.', color=color, markersize=3,
                       label=f'camera {camera} alone')  # fmt: skip
        published = [each for each in samples if each.state is not None]
        time = [each.time for each in published]
        off = np.array([1e3 * (e.state.position - e.truth[:3])[number] for e in published])
        deviation = np.array([2e3 * e.state.covariance[number, number] ** 0.5 for e in published])
        panel.fill_between(time, off - deviation, off + deviation, color=INTERVAL, alpha=0.5)
        panel.plot(time, off, color=PUBLISHED, label='published, and two standard deviations')
        panel.set(ylabel=f'error in {name} [mm]', xlabel='time [s]', ylim=(-60.0, 60.0))
    axes[0, 0].legend(loc='upper right', fontsize='small', ncols=3)
    figure.suptitle('A ball that rolls from one camera to the other, and back', color=INK)
    return figure


def draw_flight() -> Figure:
    """Draw a chip: detections, published positions, and the predicted landing."""
    velocity, start = (2.6, 1.3, 3.2), (-1.6, -0.6)
    course = follow_kicks(start, [(to_nanoseconds(KICKED), velocity)], BallParameters())
    parameters = replace(KICK_PARAMETERS, seed=5, camera_height=5.0)
    chipper = RobotDetection(Team.BLUE, 1, start[0] - 0.1, start[1] - 0.05, 0.46, 1.0, (0.0, 0.0))
    samples = watch(SimulatedKicks(course, parameters, 2.2), (chipper,))
    figure, ((above, side),) = panels(1, 2, size=(12.0, 4.6))
    for camera, color in enumerate(CAMERAS):
        places = np.array([each.place for each in samples if each.camera == camera])
        above.plot(*places.T, '.', color=color, markersize=4, label=f'detected by camera {camera}')
    published = [each for each in samples if each.state is not None]
    places = np.array([each.state.position for each in published])
    time = np.array([each.time - KICKED for each in published])
    height, true = places[:, 2], np.array([each.truth[2] for each in published])
    deviation = 2.0 * np.array([each.state.covariance[2, 2] for each in published]) ** 0.5
    above.plot(*np.array([each.truth[:2] for each in samples]).T, color=INK, label='truth')
    above.plot(*places[:, :2].T, '.', color=PUBLISHED, markersize=4, label='published')
    _draw_landings(above, published)
    above.set(xlabel='x [m]', ylabel='y [m]', aspect='equal', ylim=(-0.8, 1.2))
    above.legend(fontsize='small', loc='upper left')
    side.fill_between(time, height - deviation, height + deviation, color=INTERVAL)
    side.plot(time, true, color=INK, label='truth')
    side.plot(time, height, '.', color=PUBLISHED, markersize=4, label='published')
    side.set(xlabel='time since the kick [s]', ylabel='height [m]', ylim=(-0.1, 0.9))
    side.legend(fontsize='small')
    figure.suptitle('A chip in view of both cameras', color=INK)
    return figure


def _draw_landings(axes: Axes, published: list[FrameSample]) -> None:
    """Draw 95 % ellipses of the first landing, predicted at several times."""
    predictor = BallPredictor(BallParameters())
    due = [0.1, 0.2, 0.3]
    for each in published:
        if each.kick is not None:
            predictor.observe_kick(each.kick)
        prediction = predictor.predict(each.state)
        touchdowns = prediction.trajectory.touchdowns
        if not due or each.time - KICKED < due[0] or not touchdowns:
            continue
        covariance = prediction.trajectory.touchdown_covariances(each.state.covariance)[0]
        variances, directions = np.linalg.eigh(covariance)
        size = 2.0 * np.sqrt(chi2.ppf(0.95, 2) * variances)
        turn = np.degrees(np.arctan2(directions[1, 1], directions[0, 1]))
        axes.add_patch(Ellipse(touchdowns[0].position[:2], size[1], size[0], angle=turn,
                               fill=False, color=PUBLISHED, linewidth=3.5 - len(due)))  # fmt: skip
        x, y = touchdowns[0].position[:2] - 0.5 * size[1] * directions[:, 1] * np.sign(
            directions[1, 1]
        )
        axes.annotate(f'{due.pop(0):.1f} s', (x, y), xytext=(6, -3), color=PUBLISHED,
                      textcoords='offset points', fontsize='small', va='top')  # fmt: skip


def draw_consistency() -> Figure:
    """Draw the mean error of many kicks, cameras, clocks and carpets, and the stated one."""
    instants, runs = np.arange(-0.5, 3.0, 0.1), 200
    plan = KickPlan(kicks=1, chip_share=0.0, speed=(1.5, 5.0))
    scores = np.full((runs, len(instants)), np.nan)
    errors, stated = scores.copy(), scores.copy()
    for row, seed in enumerate(range(1000, 1000 + runs)):
        for each in watch(random_kicks(seed, plan)):
            column = int(abs(instants + plan.lying - each.time).argmin())
            if each.state is None or abs(instants[column] + plan.lying - each.time) > 0.02:
                continue
            published = np.concatenate((each.state.position[:2], each.state.velocity[:2]))
            off = published - each.truth[[0, 1, 3, 4]]
            covariance = each.state.covariance[FLAT]
            scores[row, column] = off @ np.linalg.solve(covariance, off)
            errors[row, column] = off[:2] @ off[:2]
            stated[row, column] = np.trace(covariance[:2, :2])
    counts = np.isfinite(scores).sum(axis=0)
    # Within two frames after a kick the filter cannot detect it.
    keep = (counts > runs // 4) & (abs(instants) > 0.05)
    counts, time = counts[keep], instants[keep]
    figure, ((size, consistency),) = panels(1, 2, size=(12.0, 4.2))
    size.plot(time, 1e3 * np.nanmean(errors[:, keep], axis=0) ** 0.5, color=INK, label='error')
    size.plot(
        time, 1e3 * np.nanmean(stated[:, keep], axis=0) ** 0.5, color=PUBLISHED, label='stated'
    )
    size.set(ylabel='position, root mean square [mm]', xlabel='time since the kick [s]')
    size.set(ylim=(0.0, None))
    low, high = (chi2.ppf(tail, 4 * counts) / counts / 4.0 for tail in (0.025, 0.975))
    consistency.fill_between(time, low, high, color=INTERVAL, label='95 % of consistent filters')
    consistency.plot(time, np.nanmean(scores[:, keep], axis=0) / 4.0, 'o-', color=PUBLISHED,
                 markersize=4, label='mean')  # fmt: skip
    consistency.set(ylabel='NEES per degree of freedom', xlabel='time since the kick [s]')
    consistency.set(ylim=(0.0, 3.0))
    size.legend(loc='lower left', fontsize='small')
    consistency.legend(fontsize='small')
    figure.suptitle(f'{runs} straight kicks; cameras, clock and carpet unknown', color=INK)
    return figure


if __name__ == '__main__':
    main()
