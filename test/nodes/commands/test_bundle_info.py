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
from world_model_nodes.commands.color_blocks import color_blocks
from world_model_nodes.commands.main import run_command


@pytest.fixture(scope='module')
def example(tmp_path_factory):
    """Make the example with the command."""
    folder = tmp_path_factory.mktemp('worlds') / 'example_village'
    assert run_command(['bundle', 'example', str(folder)]) == 0
    return folder


@pytest.fixture
def folder(example, tmp_path):
    """Copy the example."""
    return shutil.copytree(example, tmp_path / 'example_village')


def test_the_command_makes_the_example(example):
    """The command writes the example and nothing else."""
    assert load(example) == example_bundle()


def test_the_command_replaces_nothing(example, capsys):
    """A second run with the same folder exits with 1 and states the reason."""
    assert run_command(['bundle', 'example', str(example)]) == 1
    assert 'exists' in capsys.readouterr().err


def test_info_describes_every_part(example, capsys):
    """Each part is described, and no finding is reported."""
    assert run_command(['bundle', 'info', str(example)]) == 0
    output = ' '.join(capsys.readouterr().out.split())
    assert 'example_village (version 1.0.0)' in output
    for words in (
        f'{load(example).splats.count} gaussians of degree 1', 'xyzw (declared)',
        '201 x 137 nodes every 0.5 m', '30, 50 km/h', 'triangles', 'fisheye, equidistant',
        '-25 to 15 deg', 'steps of 0.01 s', 'no findings',
    ):  # fmt: skip
        assert words in output


def test_info_as_json_is_one_document(example, capsys):
    """The document has the statistics, the metadata and the counts of findings."""
    assert run_command(['bundle', 'info', '--json', str(example)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document['splats']['count'] == load(example).splats.count
    assert document['metadata']['origin']['altitude'] == 496.0
    assert document['counts'] == {'error': 0, 'warning': 0, 'info': 0}


def test_info_describes_the_readable_parts_of_a_broken_bundle(folder, capsys):
    """Invalid parts are left out and counted, and all others are described."""
    (folder / 'geometry/heightmap.bin').write_bytes(b'short')
    (folder / 'metadata.json').write_text('{')
    assert run_command(['bundle', 'info', str(folder)]) == 0
    output = capsys.readouterr().out
    assert 'gaussians' in output
    assert 'nodes' not in output
    assert 'of severity error' in output


def test_info_of_no_bundle_is_an_error(tmp_path, capsys):
    """A folder without world.yaml exits with 1, and is named."""
    assert run_command(['bundle', 'info', str(tmp_path)]) == 1
    assert 'Bundle.WorldMissing' in capsys.readouterr().err


def test_a_picture_is_shown_by_its_colors():
    """Each character has the colors of the pixel above and the pixel below."""
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
    """The overview is as wide as the terminal and keeps its aspect ratio."""
    lines = color_blocks(load(example).overview, 40).plain.split('\n')
    assert {len(line) for line in lines} == {40}
    assert len(lines) == round(40 * 600 / 960 / 2)


@pytest.mark.parametrize(
    'content', [b'', b'\x89PNG', png(np.zeros((2, 2, 3), np.uint8))[:-30], b'GIF89a' + bytes(40)]
)
def test_an_invalid_picture_is_not_shown(content):
    """A damaged preview is ignored."""
    assert color_blocks(content, 80) is None


def test_a_huge_picture_is_not_decompressed():
    """A few bytes must not allocate all memory."""
    picture = bytearray(png(np.zeros((2, 2, 3), np.uint8)))
    picture[16:24] = b'\x00\x01\x00\x00\x00\x01\x00\x00'
    assert color_blocks(bytes(picture), 80) is None
