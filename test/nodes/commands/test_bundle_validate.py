# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model bundle validate` and `python -m world_model_core.bundle.validate`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import world_model_core
from benchmarks.bundle import bundle_validation
from world_model_core.bundle.validate import main
from world_model_core.bundle.writing import write
from world_model_core.documents import parse
from world_model_nodes.commands.main import run_command

SOURCE = Path(world_model_core.__file__).resolve().parents[1]
INFO, WARNING, ERROR = 'Bundle.Unlisted', 'Timebase.StartTilted', 'Timebase.Step'


@pytest.fixture
def folder(village, tmp_path):
    """Write the example, which the test may change."""
    path = tmp_path / 'example_village'
    write(village, path)
    return path


def spoil(folder, before, after):
    """Change a word of timebase.yaml."""
    path = folder / 'sim/timebase.yaml'
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


@pytest.fixture(params=['world_model bundle validate', 'python -m'])
def validate(request):
    """Return each of the two commands as a function of its arguments."""
    if request.param == 'python -m':
        return main
    return lambda words: run_command(['bundle', 'validate', *words])


def test_a_valid_bundle_ends_with_0(validate, folder, capsys):
    """A valid bundle exits with 0 and prints one line."""
    capsys.readouterr()
    assert validate([str(folder)]) == 0
    assert capsys.readouterr().out == f'{folder}: valid (errors: 0, warnings: 0, notes: 0)\n'


def test_an_error_exits_with_1_and_is_explained(validate, folder, capsys):
    """A finding has code, file, pointer, found value, expected value and remedy."""
    spoil(folder, 'dt: 0.01', 'dt: -0.01')
    assert validate([str(folder)]) == 1
    out = capsys.readouterr().out
    for text in (ERROR, 'sim/timebase.yaml /simulation/dt', '-0.01', 'expected:', 'remedy:'):
        assert text in out
    assert 'not valid (errors: 1' in out


def test_a_warning_counts_with_strict(validate, folder):
    """Without --strict a warning does not change the exit code."""
    spoil(folder, 'dt: 0.01', 'dt: 1.5')
    assert validate([str(folder)]) == 0
    assert validate(['--strict', str(folder)]) == 1


def test_ignored_codes_do_not_count(validate, folder, capsys):
    """Several codes can be ignored; the report has the number of ignored findings."""
    spoil(folder, 'dt: 0.01', 'dt: 1.5')
    codes = ['--ignore', 'Timebase.LargeStep', '--ignore', 'Calibration.RateAboveStep']
    assert validate(['--strict', *codes, str(folder)]) == 0
    assert 'ignored: 6' in capsys.readouterr().out


@pytest.mark.parametrize('language', ['en', 'ja'])
def test_json_follows_its_schema(validate, folder, capsys, language):
    """Findings, checks and statistics follow the schema in both languages."""
    spoil(folder, 'dt: 0.01', 'dt: -0.01')
    capsys.readouterr()
    assert validate(['--json', '--lang', language, str(folder)]) == 1
    document = parse(capsys.readouterr().out, 'bundle_report')
    assert [each['code'] for each in document['findings']] == [ERROR, 'Check.Skipped']
    assert document['findings'][0]['where'] == '/simulation/dt'
    assert document['checks']['read_timebase'] == 'ran'
    assert document['checks']['start_on_road'] == 'skipped'
    assert document['statistics']['splats']['count'] > 10_000
    assert set(document['statistics']['cameras']) == {'front', 'left', 'right', 'rear'}
    assert 'timebase' not in document['statistics']


def test_findings_are_in_the_requested_language(validate, folder, capsys):
    """Findings in Japanese contain kana."""
    spoil(folder, 'dt: 0.01', 'dt: -0.01')
    validate(['--lang', 'ja', str(folder)])
    out = capsys.readouterr().out
    assert '期待' in out
    assert '対処' in out


@pytest.mark.parametrize('words', [[], ['--ignore', 'No.Code', '.'], ['--lang', 'fr', '.']])
def test_wrong_use_exits_with_2(validate, words):
    """A missing folder argument, an unknown code and an unknown language are rejected."""
    with pytest.raises(SystemExit) as end:
        validate(words)
    assert end.value.code == 2


def test_a_missing_folder_exits_with_1(validate, tmp_path, capsys):
    """A folder that does not exist is invalid input."""
    assert validate([str(tmp_path / 'nothing')]) == 1
    assert 'Bundle.NotAFolder' in capsys.readouterr().out


def test_it_runs_as_a_module(folder):
    """As in the contract, the output is JSON and nothing else."""
    words = (sys.executable, '-m', 'world_model_core.bundle.validate', '--json', str(folder))
    done = subprocess.run(  # noqa: S603
        words, cwd=SOURCE, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)['valid']
    assert not done.stderr


def test_the_benchmark_measures_time_and_memory():
    """The ratios are those of values measured in the same run."""
    measured = bundle_validation.measure(rounds=1, gaussians=1000)
    assert measured['times np.fromfile'] > 0.0
    assert measured['VmHWM [MB]'] > 10.0
