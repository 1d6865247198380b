# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ball calibrate`: its tables, JSON, parameter file and plot."""

from __future__ import annotations

import json

import numpy as np
import pytest
import yaml

from world_model_core.match.ball.ball_constants import BallParameters
from world_model_core.match.ball.calibration.values import CHIP, STRAIGHT
from world_model_core.match.ball.motion_segment import BallMotionState
from world_model_core.match.ball.trajectory import predict_ball
from world_model_core.match.ssl.recording import Message, MessageKind, RecordingWriter
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.ssl.vision_values import BallDetection, DetectionFrame, VisionPacket
from world_model_nodes.commands.ball_calibrate_plot import MOST_KICKS, ROW, WIDTH
from world_model_nodes.commands.main import run_command
from world_model_nodes.commands.plot_file import DPI
from world_model_nodes.match.ball_predictor import BallPredictorNode

START_NS = 1_700_000_000 * 10**9
STEP_NS = 14_000_000
TRUE = BallParameters(slide_acceleration=-3.2, roll_acceleration=-0.4, switch_ratio=0.66)


def places(speed):
    """Return the positions of a ball that rests, and then is kicked along x for two seconds."""
    rest = np.zeros((40, 2))
    state = BallMotionState((0.0, 0.0, 0.0), (speed, 0.0, 0.0), speed)
    way, _ = predict_ball(state, TRUE).at(np.arange(0.007, 2.0, STEP_NS / 1e9))
    return np.concatenate((rest, way[:, :2]))


def write_recording(path, speed):
    """Record a ball as seen by one camera, with an invalid packet in between."""
    random = np.random.default_rng(5)
    with RecordingWriter(path) as writer:
        writer.write(Message(START_NS, MessageKind.VISION_2014, b'\xff'))
        for number, place in enumerate(places(speed)):
            stamp_ns = START_NS + number * STEP_NS
            x, y = (place + random.normal(0.0, 0.0003, 2)).tolist()
            ball = BallDetection(x, y, None, 1.0, (0.0, 0.0))
            frame = DetectionFrame(number, 0, stamp_ns, stamp_ns, (ball,), ())
            data = encode_vision(VisionPacket(frame, None))
            writer.write(Message(stamp_ns, MessageKind.VISION_2014, data))
    return path


@pytest.fixture(scope='module')
def kick(tmp_path_factory):
    """Record a kick from which three constants can be estimated."""
    return write_recording(tmp_path_factory.mktemp('recordings') / 'kick.log.gz', 5.0)


@pytest.fixture(scope='module')
def lying(tmp_path_factory):
    """Record a ball at rest."""
    return write_recording(tmp_path_factory.mktemp('recordings') / 'lying.log', 0.0)


@pytest.mark.parametrize('words', [['ball'], ['ball', 'calibrate']], ids=' '.join)
def test_there_is_help_with_an_example(words, capsys):
    """--help exits with 0 and shows an example."""
    with pytest.raises(SystemExit) as end:
        run_command([*words, '--help'])
    assert end.value.code == 0
    _, _, examples = capsys.readouterr().out.partition('example')
    assert f'  world_model {" ".join(words)} ' in examples


def test_tables_have_estimates_and_reasons(kick, capsys):
    """The tables have each kick, each constant with its interval, and the reasons."""
    assert run_command(['ball', 'calibrate', str(kick)]) == 0
    shown = ' '.join(capsys.readouterr().out.split())
    for part in ('kick.log.gz', 'straight', 'switch_ratio', 'with 95 %', 'no chip was observed'):
        assert part in shown


def test_json_has_the_same_as_the_tables(kick, capsys):
    """The JSON has constants with intervals, reasons, and each kick with R2 and RMSE."""
    assert run_command(['ball', 'calibrate', '--json', str(kick), str(kick)]) == 0
    found = json.loads(capsys.readouterr().out)
    for name in STRAIGHT:
        constant = found['constants'][name]
        assert constant['low'] < getattr(TRUE, name) < constant['high']
        assert constant['kicks'] == 2
    assert found['constants']['slide_acceleration']['unit'] == 'm/s^2'
    assert set(found['not_estimated']) == set(CHIP)
    first, second = found['recordings']
    assert (first['path'], first['models_set_aside']) == (str(kick), False)
    assert first == second
    (fit,) = first['kicks']
    assert fit['kind'] == 'straight'
    assert fit['speed'] == pytest.approx(5.0, rel=0.02)
    assert 0.0 < fit['rmse'] < 0.001
    assert 0.99 < fit['r_squared'] <= 1.0
    assert fit['reason'] == ''


def test_the_predictor_reads_the_parameter_file(kick, tmp_path, graph):
    """With --params-file a node of any name has the estimated constants, and other defaults."""
    path = tmp_path / 'ball.yaml'
    assert run_command(['ball', 'calibrate', '--out', str(path), str(kick)]) == 0
    words = ['--ros-args', '-r', '__ns:=/robot', '-r', '__node:=own', '--params-file', str(path)]
    node = graph.add(BallPredictorNode(cli_args=words))
    assert node.get_fully_qualified_name() == '/robot/own'
    written = yaml.safe_load(path.read_text())['/**']['ros__parameters']
    assert set(written) == set(STRAIGHT)
    for name in STRAIGHT:
        assert node.get_parameter(name).value == written[name]
        assert written[name] == pytest.approx(getattr(TRUE, name), rel=0.05)
    for name in CHIP:
        assert node.get_parameter(name).value == getattr(BallParameters(), name)
        assert f'# {name}: not estimated: ' in path.read_text()


def test_without_a_kick_no_file_is_written(lying, tmp_path, capsys):
    """The exit code is 1, and the output has a reason for each constant."""
    path = tmp_path / 'ball.yaml'
    assert run_command(['ball', 'calibrate', '--json', '--out', str(path), str(lying)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found['constants'] == {}
    assert set(found['not_estimated']) == {*STRAIGHT, *CHIP}
    assert not path.exists()


@pytest.mark.parametrize('option', ['--out', '--plot'])
def test_a_file_that_cannot_be_written_is_named(option, kick, tmp_path, capsys):
    """A missing folder is reported before the computation, and a folder as the file after it."""
    for path in (tmp_path / 'no' / 'file', tmp_path):
        assert run_command(['ball', 'calibrate', option, str(path), str(kick)]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert str(path) in line


def test_a_recording_that_cannot_be_read_is_named(capsys):
    """An invalid file gives exit code 1 and one line."""
    assert run_command(['ball', 'calibrate', '/no/such.log']) == 1
    assert '/no/such.log' in capsys.readouterr().err


@pytest.mark.parametrize(('speed', 'rows'), [(5.0, 1), (0.0, 1)])
def test_the_picture_is_a_png_of_its_size(speed, rows, tmp_path):
    """There is a row for each kick, or a text if there are no kicks."""
    log, picture = write_recording(tmp_path / 'a.log', speed), tmp_path / 'kicks'
    run_command(['ball', 'calibrate', '--plot', str(picture), str(log)])
    data = picture.read_bytes()
    assert data.startswith(b'\x89PNG')
    width, height = (int.from_bytes(data[at : at + 4], 'big') for at in (16, 20))
    assert (width, height) == (round(DPI * WIDTH), round(DPI * ROW * rows))


def test_a_picture_shows_a_limited_number_of_kicks(kick, tmp_path):
    """Any number of kicks gives a readable picture."""
    picture = tmp_path / 'kicks.png'
    logs = [str(kick)] * (MOST_KICKS + 2)
    assert run_command(['ball', 'calibrate', '--plot', str(picture), *logs]) == 0
    height = int.from_bytes(picture.read_bytes()[20:24], 'big')
    assert height == round(DPI * ROW * MOST_KICKS)
