# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model bundle example` and `world_model bundle info`."""

import json
import shutil

import numpy as np
import pytest
from rich.console import Console

from world_model_core.bundle.loading import load
from world_model_core.bundle.rendering.png import png
from world_model_core.examples.village.example import example_bundle
from world_model_nodes.commands.bundle_tables import printable
from world_model_nodes.commands.color_blocks import color_blocks
from world_model_nodes.commands.main import run_command


@pytest.fixture(scope='module')
def example(tmp_path_factory):
    """Make the example by the command."""
    folder = tmp_path_factory.mktemp('worlds') / 'example_village'
    assert run_command(['bundle', 'example', str(folder)]) == 0
    return folder


@pytest.fixture
def folder(example, tmp_path):
    """Copy it."""
    return shutil.copytree(example, tmp_path / 'example_village')


def test_the_command_makes_the_example(example):
    """What it makes must be the example and nothing else."""
    assert load(example) == example_bundle()


def test_the_command_replaces_nothing(example, capsys):
    """A second run at the same place must end with 1 and say why."""
    assert run_command(['bundle', 'example', str(example)]) == 1
    assert 'exists' in capsys.readouterr().err


def test_info_tells_of_every_part(example, capsys):
    """Each part must be told of, and that nothing is wrong."""
    assert run_command(['bundle', 'info', str(example)]) == 0
    told = ' '.join(capsys.readouterr().out.split())
    assert 'example_village (version 1.0.0)' in told
    for words in (
        f'{load(example).splats.count} gaussians of degree 1', 'xyzw (declared)',
        '201 x 137 nodes every 0.5 m', '30, 50 km/h', 'triangles', 'fisheye, equidistant',
        '-25 to 15 deg', 'steps of 0.01 s', 'no findings',
    ):  # fmt: skip
        assert words in told


def test_info_as_json_is_one_document(example, capsys):
    """A program must find the statistics, the metadata and the counts of findings."""
    assert run_command(['bundle', 'info', '--json', str(example)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document['splats']['count'] == load(example).splats.count
    assert document['metadata']['origin']['altitude'] == 496.0
    assert document['counts'] == {'error': 0, 'warning': 0, 'info': 0}


def test_info_tells_of_a_broken_bundle_what_can_be_read(folder, capsys):
    """A part that is broken must be left out and counted, and all others told of."""
    (folder / 'geometry/heightmap.bin').write_bytes(b'short')
    (folder / 'metadata.json').write_text('{')
    assert run_command(['bundle', 'info', str(folder)]) == 0
    told = capsys.readouterr().out
    assert 'gaussians' in told
    assert 'nodes' not in told
    assert 'of severity error' in told


def test_info_of_no_bundle_is_an_error(tmp_path, capsys):
    """A folder without world.yaml must end with 1, and be named."""
    assert run_command(['bundle', 'info', str(tmp_path)]) == 1
    assert 'Bundle.WorldMissing' in capsys.readouterr().err


def test_a_picture_is_shown_by_its_colours():
    """Each character must have the colour of the pixel above and of the one below."""
    picture = np.zeros((4, 2, 3), dtype=np.uint8)
    picture[:, 0] = np.array(((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)))
    text = color_blocks(png(picture), 80)
    console = Console(color_system='truecolor', force_terminal=True, width=80)
    with console.capture() as capture:
        console.print(text)
    first, second = capture.get().splitlines()[:2]
    assert '38;2;255;0;0;48;2;0;255;0m▀' in first
    assert '38;2;0;0;255;48;2;255;255;255m▀' in second


def test_a_large_picture_fits_the_terminal(example):
    """The overview must be shown as wide as the terminal and in its own proportions."""
    lines = color_blocks(load(example).overview, 40).plain.split('\n')
    assert {len(line) for line in lines} == {40}
    assert len(lines) == round(40 * 600 / 960 / 2)


@pytest.mark.parametrize(
    'content', [b'', b'\x89PNG', png(np.zeros((2, 2, 3), np.uint8))[:-30], b'GIF89a' + bytes(40)]
)
def test_what_is_no_picture_is_not_shown(content):
    """A damaged preview must do no harm."""
    assert color_blocks(content, 80) is None


def test_a_picture_that_claims_to_be_huge_is_not_unpacked():
    """A few bytes must not take all memory."""
    picture = bytearray(png(np.zeros((2, 2, 3), np.uint8)))
    picture[16:24] = b'\x00\x01\x00\x00\x00\x01\x00\x00'
    assert color_blocks(bytes(picture), 80) is None


def test_names_cannot_steer_the_terminal():
    """Control characters of a file must be shown as what they are."""
    assert printable('a\x1b[2Jb\nc') == 'a�[2Jb�c'
