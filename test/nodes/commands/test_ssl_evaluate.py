# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ssl evaluate`: tables, JSON, plot, and invalid input."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from world_model_core.documents import parse
from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.match.ssl.recording import Message, MessageKind, RecordingWriter
from world_model_core.match.ssl.tracker_packets import encode_tracker
from world_model_core.match.ssl.tracker_values import TrackedBall, TrackedFrame, TrackerPacket
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame, VisionPacket
from world_model_nodes.commands.main import run_command

START_NS = 1_700_000_000 * 10**9
KICK = {'x': 0.5, 'y': 0.0, 'z': 0.0, 'vx': 3.0, 'vy': 1.0, 'vz': 0.0}
PNG = b'\x89PNG'


def frames():
    """Return frames of a ball that rests, and 1 s after the start is kicked elsewhere."""
    velocity = np.array((KICK['vx'], KICK['vy'], 0.0))
    state = BallMotionState((KICK['x'], KICK['y'], 0.0), velocity, float(np.hypot(*velocity[:2])))
    way = predict_ball(state, BallParameters())
    random = np.random.default_rng(5)
    for number, time in enumerate(np.arange(0.0, 3.0, 1.0 / 70.0)):
        place = np.array((-2.0, 0.0)) if time < 1.0 else way.at([time - 1.0])[0][0, :2]
        x, y = place + random.normal(0.0, 0.001, 2)
        stamp_ns = START_NS + round(time * 1e9)
        ball = BallDetection(x, y, None, 1.0, (0.0, 0.0))
        yield DetectionFrame(number, 0, stamp_ns, stamp_ns + 10**7, (ball,), ())


@pytest.fixture(scope='module')
def recording(tmp_path_factory):
    """Record a kicked ball, and the commanded kick."""
    path = tmp_path_factory.mktemp('recordings') / 'kick.log.gz'
    with RecordingWriter(path) as writer:
        for frame in frames():
            data = encode_vision(VisionPacket(frame, None))
            writer.write(Message(frame.sent_ns + 10**6, MessageKind.VISION_2014, data))
    sent = START_NS / 1e9 + 0.97
    path.with_name('kicks.json').write_text(json.dumps([{'sent_unix': sent, **KICK}]))
    return path


def evaluate(capsys, *words):
    """Run the command and return its JSON, validated by its schema."""
    assert run_command(['ssl', 'evaluate', '--json', *map(str, words)]) == 0
    return parse(capsys.readouterr().out, 'evaluation')


def test_help_has_an_example(capsys):
    """--help exits with 0 and shows an example."""
    with pytest.raises(SystemExit) as end:
        run_command(['ssl', 'evaluate', '--help'])
    assert end.value.code == 0
    assert '  world_model ssl evaluate match.log.gz' in capsys.readouterr().out


def test_tables_have_all_results(recording, capsys):
    """The tables have every predictor, the track and the kicks."""
    assert run_command(['ssl', 'evaluate', str(recording)]) == 0
    shown = capsys.readouterr().out
    for part in ('ours', 'constant velocity', 'deceleration 0.7', 'frames with a published ball'):
        assert part in shown
    assert 'kicks: ' in shown
    assert 'error when settled' not in shown


def test_json_without_ground_truth(recording, capsys):
    """Without ground truth the reference is vision, and there is no error of the state."""
    found = evaluate(capsys, recording)
    assert found['path'] == str(recording)
    assert found['trackers'] == []
    assert found['truth'] is found['state'] is None
    assert [errors['horizon'] for errors in found['predictions']] == [0.25] * 3 + [0.5] * 3 + [
        1
    ] * 3
    assert found['predictions'][0]['all']['n'] > 50
    assert [part['kicked'] for part in found['stretches']] == [False, True]


def test_ground_truth_is_the_reference(recording, capsys):
    """The kick 30 ms after the command is recovered to a millisecond, with errors of the state."""
    kicks = recording.with_name('kicks.json')
    found = evaluate(capsys, '--truth', kicks, '--horizons', '0.1', recording)
    (truth,) = found['truth']
    assert truth['delay'] == pytest.approx(0.03, abs=0.001)
    assert truth['rms'] < 0.0012
    state = found['state']
    assert state['first_overlap'] is None
    assert state['settled']['n'] == 0
    assert state['before_overlap']['median'] < 0.02
    assert {errors['horizon'] for errors in found['predictions']} == {0.1}


@pytest.fixture(scope='module')
def other_tracker(recording):
    """Record the packets of a tracker whose name is a formula to matplotlib."""
    path = recording.with_name('other.log')
    with RecordingWriter(path) as writer:
        for frame in frames():
            place = frame.balls[0].x, frame.balls[0].y, 0.0
            ball = TrackedBall(place, (0.0, 0.0, 0.0), 1.0)
            tracked = TrackedFrame(1, frame.capture_ns, (ball,), (), None, frozenset())
            data = encode_tracker(TrackerPacket('u-1', 'Better $x_', tracked))
            kind = MessageKind.VISION_TRACKER_2020
            writer.write(Message(frame.sent_ns + 10**6, kind, data))
    return path


def test_other_trackers_are_compared(recording, other_tracker, tmp_path, capsys):
    """--compare adds a tracker to tables, JSON and plot, and changes no other predictor."""
    alone = evaluate(capsys, recording)
    picture = tmp_path / 'both.png'
    found = evaluate(capsys, '--compare', other_tracker, '--plot', picture, recording)
    assert picture.read_bytes().startswith(PNG)
    (listed,) = found['trackers']
    assert (listed['name'], listed['uuid']) == ('Better $x_', 'u-1')
    assert listed['file'] == str(other_tracker)
    added = [each for each in found['predictions'] if each['predictor'] == 'Better $x_']
    assert [each for each in found['predictions'] if each not in added] == alone['predictions']
    assert added[0]['coverage'] == 1.0
    assert run_command(['ssl', 'evaluate', '--compare', str(other_tracker), str(recording)]) == 0
    shown = capsys.readouterr().out
    assert shown.count('Better $x_') == 4
    assert 'other.log' in shown


def test_a_file_without_a_tracker_exits_with_1(recording, capsys):
    """The file is named."""
    assert run_command(['ssl', 'evaluate', '--compare', str(recording), str(recording)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f'{recording}: it contains no tracker packet' in line


def test_a_picture_is_drawn(recording, tmp_path, capsys):
    """--plot writes a PNG."""
    picture = tmp_path / 'kick.png'
    assert run_command(['ssl', 'evaluate', '--plot', str(picture), str(recording)]) == 0
    assert picture.read_bytes().startswith(PNG)
    assert capsys.readouterr().err == ''


def test_progress_goes_to_the_error_stream(recording, capsys, monkeypatch):
    """On a terminal the bar goes to the error stream, and JSON to the output."""
    monkeypatch.setattr(sys.stderr, 'isatty', lambda: True)
    assert evaluate(capsys, recording)['track']['frames'] > 100


@pytest.mark.parametrize('horizons', ['', '0', '0.5,', '0.5;1', 'inf'])
def test_invalid_horizons_exit_with_2(horizons, capsys):
    """The parser rejects text that is not a list of times."""
    with pytest.raises(SystemExit) as end:
        run_command(['ssl', 'evaluate', '--horizons', horizons, 'match.log'])
    assert end.value.code == 2
    assert 'is not a number of seconds above 0' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('kicks', 'reason'),
    [
        ('', 'not a list of kicks'),
        ('{"a": 1}', 'not a list of kicks'),
        ('[{"x": 1.0}]', "'sent_unix' is missing"),
        ('[{"sent_unix": NaN, "x": 0, "y": 0, "z": 0, "vx": 0, "vy": 0, "vz": 0}]', 'nan'),
    ],
)
def test_invalid_kicks_exit_with_1(kicks, reason, recording, tmp_path, capsys):
    """An invalid file of commanded kicks gives one line."""
    path = tmp_path / 'kicks.json'
    path.write_text(kicks)
    assert run_command(['ssl', 'evaluate', '--truth', str(path), str(recording)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        (['/no/such.log'], '/no/such.log: '),
        (['--compare', '/no/other.log', '/no/such.log'], '/no/such.log: '),
        (['--truth', '/no/kicks.json', '/no/such.log'], '/no/kicks.json: '),
        (['--plot', '/no/such/plot.png', '/no/such.log'], 'its folder is not writable'),
    ],
)
def test_missing_input_exits_with_1(words, reason, capsys):
    """Missing files are named in one line."""
    assert run_command(['ssl', 'evaluate', *words]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert reason in line


def test_a_recording_without_vision_exits_with_1(tmp_path, capsys):
    """Nothing can be evaluated without vision."""
    path = tmp_path / 'silent.log'
    with RecordingWriter(path):
        pass
    assert run_command(['ssl', 'evaluate', str(path)]) == 1
    assert 'no vision frame' in capsys.readouterr().err
