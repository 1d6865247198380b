# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""package.xml, setup.py, the lock files and the page of licenses agree."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree as ET

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[2]
UBUNTU = PROJECT / 'tools/ubuntu_24_04'
LOCKS = {name: (PROJECT / f'tools/pip_ros/{name}.txt').read_text() for name in ('kilted', 'jazzy')}
PYTHONS = ('3.10', '3.11', '3.12', '3.13')
KEYS = yaml.safe_load((UBUNTU / 'rosdep_keys.yaml').read_text())
LICENSES = (PROJECT / 'docs/licenses.md').read_text()


def keys():
    """Return every key of package.xml that rosdep resolves."""
    package = ET.parse(PROJECT / 'package.xml').getroot()  # noqa: S314 (our own file)
    return {element.text for element in package if element.tag.endswith('depend')}


def normalized(name):
    """Return a name of PyPI in its normal form: lower case, hyphens, no extras."""
    return re.sub(r'[-_.]+', '-', name.partition('[')[0]).lower()


def requirements(*extras):
    """Return the requirements of setup.py, with those of some extras."""
    with patch('setuptools.setup') as setup, pytest.MonkeyPatch.context() as context:
        context.chdir(PROJECT)
        runpy.run_path('setup.py')
    options = setup.call_args.kwargs
    groups = [options['install_requires'], *(options['extras_require'][name] for name in extras)]
    return [line for group in groups for line in group]


def pins(text):
    """Return the pinned requirements of a lock file, as blocks with their hashes."""
    blocks = re.split(r'\n(?=\S)', text.strip())
    return [block for block in blocks if not block.startswith('#')]


def pinned_names(text):
    """Return the names in a lock file, without those for Windows."""
    return {
        normalized(re.split(r'[= ]', block)[0]) for block in pins(text) if 'win32' not in block
    }


def table(heading):
    """Return the rows of a table of the page of licenses, as lists of cells."""
    section = re.split(r'^#+ ', LICENSES.split(f'## {heading}\n')[1], flags=re.MULTILINE)[0]
    rows = [line for line in section.splitlines() if line.startswith('| ')][1:]
    return [[cell.strip() for cell in row.strip('|').split(' | ')] for row in rows]


def test_rosdep_resolves_every_key_by_apt():
    """package.xml may use only keys of the committed list, none of which needs pip."""
    assert keys() == {*KEYS['python'], *KEYS['ros']}
    assert not any(key.endswith('-pip') for key in keys())


def test_the_versions_under_test_are_those_of_ubuntu():
    """`make test-ubuntu-24.04` must install the versions of the committed list."""
    lines = (UBUNTU / 'versions.in').read_text().splitlines()
    tested = dict(line.split('==') for line in lines if not line.startswith('#'))
    listed = {
        normalized(entry['apt'].removeprefix('python3-')): entry['version']
        for entry in KEYS['python'].values()
    }
    listed['pyyaml'] = listed.pop('yaml')
    listed['pillow'] = listed.pop('pil')
    assert {(normalized(name), number) for name, number in tested.items()} <= set(listed.items())
    needed = {normalized(re.split('[<>=]', line)[0]) for line in requirements()}
    assert needed - {'lark-parser'} <= {normalized(name) for name in tested}


@pytest.mark.parametrize('distro', LOCKS)
def test_lock_files_are_complete(distro):
    """Each pin has hashes; each requirement is pinned; no index, host or path is named."""
    text = LOCKS[distro]
    assert all(re.search(r'--hash=sha256:[0-9a-f]{64}', block) for block in pins(text))
    assert all(re.match(r'\S+==\S+', block) for block in pins(text))
    listed = (PROJECT / f'tools/pip_ros/{distro}.in').read_text().splitlines()
    wanted = requirements('virtual', 'pieces', 'view', 'test', 'dev', 'docs')
    wanted += [line for line in listed if not line.startswith('#')]
    names = {normalized(re.split('[<>=]', line)[0]) for line in wanted}
    assert names <= pinned_names(text)
    assert not re.search(r'://|--index|--find-links|/home|/tmp', text)


@pytest.mark.parametrize('distro', LOCKS)
def test_lock_files_have_the_versions_that_setup_requires(distro):
    """On each Python, the pinned version of each requirement must satisfy its limits."""
    packaging = pytest.importorskip('packaging.requirements')
    found = [packaging.Requirement(block.split(' \\')[0]) for block in pins(LOCKS[distro])]
    for python in PYTHONS:
        full = '3.11.9' if python == '3.11' else f'{python}.1'
        environment = {'python_version': python, 'python_full_version': full,
                       'sys_platform': 'linux', 'platform_system': 'Linux'}  # fmt: skip
        versions = {
            normalized(pin.name): str(pin.specifier).removeprefix('==')
            for pin in found
            if pin.marker is None or pin.marker.evaluate(environment)
        }
        for line in requirements('virtual', 'pieces', 'view', 'test', 'dev', 'docs'):
            wanted = packaging.Requirement(line)
            if wanted.marker is not None and not wanted.marker.evaluate(environment):
                continue
            assert wanted.specifier.contains(versions[normalized(wanted.name)]), (python, line)


@pytest.mark.parametrize('path', ['README.md', 'Dockerfile', '.github/workflows/ros.yml'])
def test_machines_with_ros_get_the_physics_and_the_window(path):
    """Ubuntu has neither: what installs them there names the requirements of setup.py."""
    (physics,) = (line for line in requirements('virtual') if line.startswith('mujoco-core'))
    (window,) = (line for line in requirements('view') if line.startswith('viser'))
    commands = re.findall(r'pip install .*--break-system-packages.*', (PROJECT / path).read_text())
    for line in (physics, window):
        assert any(f"'{line.partition(';')[0]}'" in command for command in commands), line


def test_every_package_has_a_license():
    """docs/licenses.md lists each package of the lock files once, and no other."""
    names = {name for text in LOCKS.values() for name in pinned_names(text)}
    python = {name for name in names if not name.startswith('ros-')} | {'ros-wheels-bootstrapper'}
    headings = (
        'Python packages that the package needs',
        'Python packages of extras',
        'Tools',
        'Packages that these need',
    )
    listed = [row[0] for heading in headings for row in table(heading)]
    assert sorted(listed) == sorted(python)
    for key in KEYS['ros']:
        assert re.search(rf'\b{key}\b', LICENSES), key


def test_the_needed_packages_have_a_reason():
    """docs/licenses.md says what each requirement of setup.py is for."""
    needed = {normalized(re.split('[<>=]', line)[0]) for line in requirements()}
    rows = table('Python packages that the package needs')
    assert {row[0] for row in rows} == needed
    assert all(row[3] for row in rows)
