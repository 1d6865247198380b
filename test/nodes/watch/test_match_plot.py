# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The history of a match, the errors of its predictions, and its plot."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.estimate import BallSource, BallState, Kick
from world_model_core.match.documents import field_document
from world_model_core.match.robots.robot_table import Robots
from world_model_core.match.ssl.robot_id import RobotId, Team
from world_model_core.simulation.match.field import make_geometry
from world_model_core.time import NANOSECONDS_PER_SECOND as SECOND
from world_model_nodes.commands.plot_file import DPI, save_plot
from world_model_nodes.watch.match_history import HORIZONS, LONGEST_GAP, MatchHistory
from world_model_nodes.watch.match_plot import SIZE, draw_match

START_NS = 1_700_000_000 * SECOND
SPEED, STEP, STEPS = 2.0, 0.01, 200  # m/s, s: two seconds and four meters along x
FAR_OFF = 0.03  # m, error of the predictions of `roll`


def ball(time, place=None, speed=SPEED):
    """Return a ball that rolls along x."""
    position = (speed * time, 0.0) if place is None else place
    stamp_ns = START_NS + round(time * SECOND)
    return BallState(
        stamp_ns, np.array((*position, 0.0)), np.array((speed, 0.0, 0.0)), 1e-4 * np.eye(6)
    )


def robots(*places):
    """Return blue robots, numbered from 0, that face along y."""
    count = len(places)
    return Robots(
        START_NS,
        tuple(RobotId(Team.BLUE, number) for number in range(count)),
        np.array([(x, y, math.pi / 2) for x, y in places]).reshape(-1, 3),
        np.zeros((count, 3)),
        np.zeros((count, 3, 2, 2)),
        np.ones(count),
    )


def kick(time, number=1):
    """Return a kick at the ball."""
    velocity = np.array((SPEED, 0.0, 0.0))
    place = np.array((SPEED * time, 0.0))
    return Kick(START_NS + round(time * SECOND), place, velocity, None, 0.0, None, number)


def roll(history, times, source=BallSource.TRACKER):
    """Let the ball roll, with each position predicted `FAR_OFF` to the left."""
    for time in times:
        history.add_ball(ball(time), source)
        ahead = (0.0, 0.3, 0.6)
        places = [(SPEED * (time + later), FAR_OFF) for later in ahead]
        history.add_prediction(START_NS + round(time * SECOND), ahead, places)


TIMES = [STEP * number for number in range(STEPS)]


@pytest.fixture
def history():
    """Make an empty history."""
    return MatchHistory()


@pytest.mark.parametrize('horizon', HORIZONS)
def test_errors_are_distances_from_later_estimates(history, horizon):
    """Every prediction for a time within the match has the error that it was made with."""
    roll(history, TIMES)
    errors = history.errors(horizon)
    assert len(errors.distances) == STEPS - round(horizon / STEP)
    assert errors.distances == pytest.approx(FAR_OFF)
    assert errors.median == pytest.approx(FAR_OFF)
    assert not errors.disturbed.any()


def test_a_short_path_ends_at_rest(history):
    """A predicted path shorter than the horizon stays at its end."""
    for time in TIMES:
        history.add_ball(ball(time, (min(time, 0.1), 0.0), 0.2), BallSource.TRACKER)
    history.add_prediction(START_NS, (0.0, 0.1), [(0.0, 0.0), (0.1, 0.0)])
    assert history.errors(0.5).distances == pytest.approx(0.0)


def test_predictions_across_a_kick_are_separate(history):
    """Predictions before a kick for times after it do not count in the median."""
    roll(history, TIMES)
    history.add_kick(kick(1.0))
    errors = history.errors(0.25)
    made = (errors.stamps_ns - START_NS) / SECOND
    assert errors.disturbed.tolist() == [0.75 - 1e-6 <= time < 1.0 - 1e-6 for time in made]


def test_predictions_across_a_robot_are_separate(history):
    """Predictions of a ball that then passes close to a robot do not count in the median."""
    history.add_robots(robots((2.0, 0.1)))
    roll(history, TIMES)
    errors = history.errors(0.25)
    made = (errors.stamps_ns - START_NS) / SECOND
    assert errors.disturbed[(made > 0.75) & (made < 1.0)].all()
    assert not errors.disturbed[(made < 0.6) | (made > 1.2)].any()


def test_only_observed_balls_are_references(history):
    """Neither gaps in time nor estimates without a detection are references."""
    roll(history, [time for time in TIMES if not 1.0 < time < 1.0 + 2 * LONGEST_GAP])
    for time in (2.0, 2.01, 2.02):
        history.add_ball(ball(time), BallSource.LAST_KNOWN)
    errors = history.errors(0.25)
    then = (errors.stamps_ns - START_NS) / SECOND + 0.25
    assert not ((then > 1.0 + 1e-6) & (then < 1.0 + 2 * LONGEST_GAP - STEP)).any()
    assert then.max() < 2.0


def test_predictions_of_a_ball_at_rest_are_left_out(history):
    """Predictions of a resting ball have no errors."""
    for time in TIMES:
        history.add_ball(ball(time, (0.0, 0.0), 0.0), BallSource.TRACKER)
        history.add_prediction(START_NS + round(time * SECOND), (0.0,), [(0.0, 0.0)])
    errors = history.errors(0.25)
    assert len(errors.distances) == 0
    assert math.isnan(errors.median)


def test_a_jump_back_starts_over_and_a_late_ball_is_dropped(history):
    """A restarted replay clears the history; a reordered message changes nothing."""
    roll(history, TIMES)
    history.add_kick(kick(1.0))
    history.add_robots(robots((0.0, 0.0)))
    history.add_ball(ball(1.5), BallSource.TRACKER)
    assert len(history.path()) == STEPS
    history.add_ball(ball(0.0), BallSource.TRACKER)
    assert len(history.path()) == 1
    assert not history.kicks
    assert not history.tracks
    assert len(history.errors(0.25).distances) == 0


def test_a_better_estimate_of_a_kick_replaces_it(history):
    """Kicks are stored by number."""
    history.add_kick(kick(1.0))
    history.add_kick(kick(1.1))
    history.add_kick(kick(2.0, number=2))
    assert [(number, found.stamp_ns) for number, found in history.kicks.items()] == [
        (1, kick(1.1).stamp_ns),
        (2, kick(2.0).stamp_ns),
    ]


def test_tracks_keep_steps_not_noise(history):
    """A robot that trembles gives one position, and one that drives gives a track."""
    for number in range(100):
        history.add_robots(robots((0.001 * (number % 2), 0.0), (0.01 * number, 1.0)))
    still, moving = history.tracks.values()
    assert len(still) == 1
    assert 40 <= len(moving) <= 51


@given(st.lists(st.integers(1, int(0.05 * SECOND)), min_size=2, max_size=50))
def test_the_path_goes_through_every_estimate(gaps):
    """At the time of an estimate the path is at its position."""
    history, times = MatchHistory(), np.cumsum(gaps) / SECOND
    for time in times:
        history.add_ball(ball(time), BallSource.VISION)
    path = history.path()
    assert path.positions_at(path.stamps_ns) == pytest.approx(path.positions[:, :2])


@pytest.fixture
def match(history):
    """Make a match with everything that a plot shows."""
    history.field = field_document(make_geometry(BallParameters()))
    history.game = {
        'command': 'NORMAL_START',
        'yellow': {'name': 'Bears', 'score': 2},
        'blue': {'name': '', 'score': 1},
    }
    history.add_robots(robots((-1.0, 1.0), (-1.0, 2.0)))
    history.add_kick(kick(1.0, number=7))
    roll(history, TIMES)
    return history


def test_the_plot_describes_the_match(match):
    """The plot has teams, score, length, kicks, robots and the medians of the errors."""
    figure = draw_match(match)
    field, errors = figure.axes
    title = figure._suptitle.get_text()  # the getter is newer than Ubuntu 24.04
    assert 'Bears (yellow) 2 : 1 blue (blue)' in title
    assert 'NORMAL_START' in title
    assert '2.0 s, 200 balls' in title
    assert {text.get_text() for text in field.texts} == {'0', '1', '7'}
    assert [text.get_text() for text in errors.get_legend().get_texts()] == [
        '0.25 s ahead: median 30 mm',
        '0.5 s ahead: median 30 mm',
    ]
    left, right = field.get_xlim()
    assert right == -left > match.field['length'] / 2


def test_the_plot_is_a_png_of_its_size(match, tmp_path):
    """The file is a PNG of the documented size, whatever its name."""
    save_plot(draw_match(match), tmp_path / 'match')
    data = (tmp_path / 'match').read_bytes()
    assert data.startswith(b'\x89PNG')
    size = tuple(int.from_bytes(data[at : at + 4], 'big') for at in (16, 20))
    assert size == tuple(DPI * inches for inches in SIZE)


@pytest.mark.parametrize('balls', [0, 1, 2])
@pytest.mark.filterwarnings('error')
def test_an_almost_empty_match_is_drawn(history, tmp_path, balls):
    """Without field, game, robots and predictions there is a plot, and no warning."""
    for number in range(balls):
        history.add_ball(ball(number), BallSource.TRACKER)
    save_plot(draw_match(history), tmp_path / 'match.png')
    assert 'no field received' in draw_match(history).axes[0].get_title()


def test_a_file_that_cannot_be_written_is_named(match, tmp_path):
    """The error has the path and the cause."""
    with pytest.raises(ConfigurationError, match=r'plot .*no/x.png: .*No such file'):
        save_plot(draw_match(match), tmp_path / 'no' / 'x.png')
