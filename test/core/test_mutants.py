# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The tool that inserts faults and counts those that tests catch."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
TOOL = PROJECT / 'tools/mutants.py'
SOURCE = '''"""Three functions, of which one has no test."""


def difference(one: float, other: float) -> float:
    """Subtract."""
    return one - other


def empty(items: list[int]) -> int:
    """Remove everything, and count it."""
    removed = len(items)
    while items:
        items.pop()
    return removed


def greet(name: str, polite: bool) -> str:
    """Greet."""
    return f'dear {name}' if polite else name
'''
TESTS = """from world_model_core.toys.counting import difference, empty


def test_difference():
    assert difference(3.0, 1.0) == 2.0


def test_empty():
    items = [1, 2]
    assert empty(items) == 2
    assert not items
"""


def write_project(folder):
    """Write a project with one room, `toys`, and its tests."""
    for name, text in {
        'world_model_core/__init__.py': '',
        'world_model_core/toys/__init__.py': '',
        'world_model_core/toys/counting.py': SOURCE,
        'test/core/toys/test_counting.py': TESTS,
        'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run_tool(folder, *arguments):
    """Run the tool on a project."""
    command = [sys.executable, TOOL, 'toys', '--project', folder, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603


def contents(folder):
    """Read all files of a folder."""
    return {path: path.read_bytes() for path in folder.rglob('*') if path.is_file()}


def test_faults_are_caught_where_there_are_tests(tmp_path):
    """Tested faults and an endless loop must be caught, others listed; no file may change."""
    write_project(tmp_path)
    before = contents(tmp_path)
    done = run_tool(tmp_path)
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path) == before
    lines = done.stdout.splitlines()
    results = [line for line in lines if 'counting.py:' in line]
    assert [line for line in results if line.endswith('counting.py:13: caught by the time limit')]
    survivors = [line for line in results if line.endswith(': passed')]
    assert [line.split(':')[1] for line in survivors] == ['19']
    shown = lines.index(survivors[0]) + 1
    assert 'if polite else' in lines[shown]
    assert 'not polite' in lines[shown + 1]
    assert lines[-1] == f'{len(results) - 1} of {len(results)} mutants caught'


def test_options_of_an_outer_run_are_ignored(tmp_path, monkeypatch):
    """Colcon gives its options to pytest by an environment variable, which a mutant inherits."""
    write_project(tmp_path)
    monkeypatch.setenv('PYTEST_ADDOPTS', '--collect-only')
    assert 'counting.py:6: caught by test/core/toys/test_counting.py' in run_tool(tmp_path).stdout


def test_tests_that_fail_anyway_are_left_out(tmp_path):
    """A test module that fails without a fault must be named, and catch nothing."""
    write_project(tmp_path)
    (tmp_path / 'world_model_core/toys/counting.py').write_text(SOURCE.replace('one - ', 'one + '))
    done = run_tool(tmp_path, '--count', '3')
    assert done.stderr == (
        'test/core/toys/test_counting.py fails without a fault and is left out\n'
    )
    assert done.stdout.splitlines()[-1] == '0 of 3 mutants caught'


def test_each_fault_changes_the_module_and_can_be_compiled(monkeypatch):
    """All faults of a real module must be valid, different from it, and named by statement."""
    monkeypatch.syspath_prepend(str(TOOL.parent))
    from faults import list_faults  # noqa: PLC0415 (a script, not a package)

    path = PROJECT / 'world_model_core/match/cameras/camera_pose.py'
    tree = ast.parse(path.read_text(encoding='utf-8'))
    correct = ast.unparse(tree)
    faults = list_faults(tree)
    assert len(faults) > 30
    for fault in faults:
        before, after, text = fault.texts(tree)
        assert before != after
        assert text != correct
        compile(text, str(path), 'exec')
    assert ast.unparse(tree) == correct
