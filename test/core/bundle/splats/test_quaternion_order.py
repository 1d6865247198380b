# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Order of quaternions: geometry, declarations, and the programs that write files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.bundle.splat_orders import (
    TURNS,
    grass,
    guess,
    noisy,
    turned,
    wavy_surface,
    write_undeclared,
)
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.splats.neighbor_directions import log_odds_of_wxyz
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_conventions import ConventionSource, SplatConventions
from world_model_core.bundle.splats.splat_scan import scan_splats
from world_model_core.bundle.splats.splat_writer import write_npz
from world_model_core.bundle.splats.splats import read_splats

XYZW, WXYZ = QuaternionOrder
ORDER_CODES = {
    'Splats.QuaternionOrder',
    'Splats.QuaternionOrderUnclear',
    'Splats.QuaternionOrderContradicted',
    'Splats.OtherQuaternionOrder',
    'Splats.DeclarationIgnored',
}


def read(path):
    """Read splats and scan them; return conventions and codes about declarations and order."""
    findings, scanned = bundle_findings(), bundle_findings()
    splats = read_splats(path, path.name, findings)
    scan_splats(path, path.name, scanned)
    assert findings.all == scanned.all
    codes = {each.rule.code for each in findings.all}
    return splats.conventions, codes & ORDER_CODES


def declared(folder, splats, order, line):
    """Write splats in an order, with a comment."""
    path = folder / 'made.ply'
    write_undeclared(path, splats, order)
    header, rest = path.read_bytes().split(b'element vertex', 1)
    start = header.split(b'comment', 1)[0]
    path.write_bytes(start + f'comment {line}\n'.encode() + b'element vertex' + rest)
    return path


@pytest.mark.parametrize('order', QuaternionOrder)
@pytest.mark.parametrize('scene', [wavy_surface, grass, lambda count: noisy(wavy_surface(count))])
def test_the_order_is_found_in_any_orientation(tmp_path, scene, order):
    """Turning a scene changes all quaternions, and must not change their order."""
    splats = scene(3000)
    for turn in TURNS[::3]:
        right, warned, probability = guess(tmp_path / 'made.ply', turned(splats, turn), order)
        assert right
        assert not warned
        assert probability > 0.99


@pytest.mark.parametrize('order', QuaternionOrder)
@pytest.mark.parametrize('name', ['inria_iter7000.ply', 'guitar.compressed.ply'])
def test_the_order_of_real_files_is_found_in_any_orientation(tmp_path, shared_data, name, order):
    """A wrong order without a warning would turn every gaussian, and nobody would know."""
    path = shared_data(f'bundle/{name}')
    splats = read_splats(path, path.name, bundle_findings())
    for turn in TURNS[::5]:
        right, warned, _ = guess(tmp_path / 'made.ply', turned(splats, turn), order)
        assert right
        assert not warned or name.startswith('inria')


def test_round_gaussians_decide_nothing(tmp_path):
    """They look the same in both orders, except for rounding."""
    splats = replace(wavy_surface(2000), scales=np.full((2000, 3), -3.0, np.float32))
    for turn in TURNS:
        _, warned, probability = guess(tmp_path / 'made.ply', turned(splats, turn), WXYZ)
        assert warned
        assert probability < 0.6


@pytest.mark.parametrize(
    ('name', 'number'),
    [
        ('positions', 0.0), ('positions', np.inf), ('positions', np.nan), ('positions', 3e38),
        ('sizes', 0.0), ('sizes', np.nan), ('rotations', 0.0), ('rotations', np.inf),
    ],
)  # fmt: skip
def test_unusable_numbers_decide_nothing(name, number):
    """Numbers of broken files must not prevent the other findings."""
    splats = wavy_surface(100)
    arrays = {
        'positions': splats.positions,
        'sizes': splats.sizes,
        'rotations': splats.rotations,
    }
    arrays[name] = np.full_like(arrays[name], number)
    assert abs(log_odds_of_wxyz(**arrays)) < 1.0


@pytest.mark.parametrize('count', [1, 16, 17, 40])
def test_few_gaussians_are_not_certain(count):
    """Their order cannot be known."""
    splats = wavy_surface(count)
    assert abs(log_odds_of_wxyz(splats.positions, splats.sizes, splats.rotations)) < 5.0


@pytest.mark.parametrize('order', QuaternionOrder)
def test_a_wrong_declaration_is_reported(tmp_path, order):
    """It is followed, as a user can say it, but not in silence."""
    other = WXYZ if order is XYZW else XYZW
    splats = wavy_surface(3000)
    path = declared(tmp_path, splats, order, f'splats quaternions={other.value}')
    found, codes = read(path)
    assert found.quaternions is other
    assert found.quaternions_probability < 0.01
    assert 'Splats.QuaternionOrderContradicted' in codes
    right, codes = read(declared(tmp_path, splats, order, f'splats quaternions={order.value}'))
    assert right.quaternions is order
    assert right.quaternions_probability > 0.99
    assert 'Splats.QuaternionOrderContradicted' not in codes


def test_an_archive_with_w_first_is_reported(tmp_path):
    """The contract fixes the order of archives, and writers forget it."""
    splats = wavy_surface(3000)
    path = tmp_path / 'splats.npz'
    write_npz(path, replace(splats, rotations=np.roll(splats.rotations, 1, axis=1)))
    found, codes = read(path)
    assert found.quaternions is XYZW
    assert codes == {'Splats.QuaternionOrderContradicted'}


@pytest.mark.parametrize(
    ('line', 'ignored'),
    [
        ('splats quaternions=zyxw', 'quaternions=zyxw'),
        ('splats quaternions=', 'quaternions='),
        ('splats quaternion=wxyz', 'quaternion=wxyz'),
        ('splats quaternions=wxyz, scales=log', 'quaternions=wxyz,'),
        ('splats quaternions=WXYZ', 'quaternions=WXYZ'),
    ],
)
def test_a_declaration_that_is_not_understood_is_reported(tmp_path, line, ignored):
    """A typing error must not look like a declaration; the order is guessed."""
    findings = bundle_findings()
    path = declared(tmp_path, wavy_surface(2000), WXYZ, line)
    splats = read_splats(path, path.name, findings)
    assert splats.conventions.quaternions is WXYZ
    assert splats.conventions.quaternions_known is ConventionSource.GUESSED
    found = {each.rule.code: each.values for each in findings.all}
    assert found['Splats.DeclarationIgnored']['found'] == ignored


def test_declarations_that_contradict_each_other_are_reported(tmp_path):
    """The first one is used."""
    lines = 'splats quaternions=wxyz\ncomment splats quaternions=xyzw'
    found, codes = read(declared(tmp_path, wavy_surface(2000), WXYZ, lines))
    assert found.quaternions is WXYZ
    assert codes == {'Splats.DeclarationIgnored', 'Splats.OtherQuaternionOrder'}


def test_a_given_order_is_not_checked(tmp_path):
    """Who gives an order has looked at the scene."""
    path = tmp_path / 'made.ply'
    write_undeclared(path, wavy_surface(2000), WXYZ)
    findings = bundle_findings()
    splats = read_splats(path, path.name, findings, SplatConventions(XYZW))
    assert splats.conventions.quaternions_probability == 1.0
    assert not ORDER_CODES & {each.rule.code for each in findings.all}


def test_the_program_that_wrote_a_file_decides_if_geometry_does_not(tmp_path):
    """Known programs write w first; their comment alone is not certain, as other tools keep it."""
    splats = replace(wavy_surface(500), scales=np.full((500, 3), -3.0, np.float32))
    line = 'Generated by splat-transform 1.2.3'
    found, codes = read(declared(tmp_path, splats, XYZW, line))
    assert found.quaternions is WXYZ
    assert found.quaternions_probability == pytest.approx(0.8, abs=0.05)
    assert codes == {'Splats.QuaternionOrderUnclear'}


def test_geometry_outweighs_the_program_that_wrote_a_file(tmp_path):
    """A tool that reorders quaternions may keep the comment."""
    line = 'Generated by splat-transform 1.2.3'
    found, codes = read(declared(tmp_path, wavy_surface(2000), XYZW, line))
    assert found.quaternions is XYZW
    assert codes == {'Splats.QuaternionOrder'}
