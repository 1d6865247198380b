# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The files for GitHub and containers follow their schemas and call targets that exist."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
GITHUB = PROJECT / '.github'
WORKFLOWS = sorted((GITHUB / 'workflows').glob('*.yml'))
SCHEMAS = {
    **dict.fromkeys(WORKFLOWS, 'github-workflows'),
    GITHUB / 'ISSUE_TEMPLATE/bug.yml': 'github-issue-forms',
    GITHUB / 'ISSUE_TEMPLATE/feature.yml': 'github-issue-forms',
    GITHUB / 'ISSUE_TEMPLATE/config.yml': 'github-issue-config',
}
# Commands of steps, in addition to variables of the shell and `source`.
ALLOWED = {'apt-get', 'colcon', 'make', 'python3', 'rosdep', 'source'}


class Loader(yaml.SafeLoader):
    """A YAML loader for which `on` is a word and not true, as for GitHub."""


Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in pairs if tag != 'tag:yaml.org,2002:bool']
    for letter, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver('tag:yaml.org,2002:bool', re.compile('^(true|false)$'), list('tf'))


def load(path):
    """Read a YAML file as GitHub does."""
    return yaml.load(path.read_text(), Loader)  # noqa: S506 (derived from SafeLoader)


@pytest.mark.parametrize('path', SCHEMAS, ids=lambda path: path.name)
def test_github_files_follow_their_schemas(path):
    """Each file is valid against the schema that check-jsonschema carries."""
    package = 'check_jsonschema.builtin_schemas.vendor'
    pytest.importorskip(package)
    text = resources.files(package).joinpath(f'{SCHEMAS[path]}.json').read_text()
    schema = json.loads(text)
    kind = jsonschema.validators.validator_for(schema)
    kind(schema).validate(load(path))


def test_every_github_file_has_a_schema():
    """A new workflow or issue form must be checked as well."""
    assert set(SCHEMAS) == set(GITHUB.rglob('*.yml'))


@pytest.mark.parametrize('path', WORKFLOWS, ids=lambda path: path.name)
def test_workflows_call_make_and_colcon(path):
    """CI runs only targets of the Makefile, rosdep, pip and colcon, which run locally as well."""
    targets = re.findall(r'^([a-z0-9.-]+):', (PROJECT / 'Makefile').read_text(), re.MULTILINE)
    for job in load(path)['jobs'].values():
        for step in job['steps']:
            for line in step.get('run', '').splitlines():
                words = line.split()
                assert words[0] in ALLOWED, line
                assert words[0] != 'make' or words[1] in targets, line


def test_the_containers_start_a_scenario():
    """Dockerfile and devcontainer build with rosdep and colcon, and start a scenario and watch."""
    docker = (PROJECT / 'Dockerfile').read_text()
    container = json.loads((PROJECT / '.devcontainer/devcontainer.json').read_text())
    known = {'name', 'build', 'workspaceMount', 'workspaceFolder', 'postCreateCommand',
             'postAttachCommand'}  # fmt: skip
    assert set(container) <= known
    assert (PROJECT / '.devcontainer' / container['build']['dockerfile']).exists()
    assert 'rosdep install' in docker
    assert 'colcon build' in docker
    for command in (docker, container['postAttachCommand']):
        (scenario,) = re.findall(r'ros2 launch world_model (\w+)\.launch\.xml', command)
        assert list((PROJECT / 'launch').rglob(f'{scenario}.launch.xml'))
        assert 'world_model watch' in command
