# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Splats as values: conventions, limits, and real files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchmarks.bundle.splat_orders import wavy_surface
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.splats.quaternion_order import QuaternionOrder
from world_model_core.bundle.splats.splat_arrays import SAMPLE
from world_model_core.bundle.splats.splat_conventions import (
    ConventionSource,
    OpacityEncoding,
    ResolvedConventions,
    ScaleEncoding,
    SplatConventions,
)
from world_model_core.bundle.splats.splat_scan import scan_splats
from world_model_core.bundle.splats.splat_source import SplatFormat
from world_model_core.bundle.splats.splat_writer import write_npz, write_ply
from world_model_core.bundle.splats.splats import SH_BAND_0, Splats, read_splats
from world_model_core.bundle.values import Extent

LOG, LINEAR = ScaleEncoding
LOGIT, ALPHA = OpacityEncoding
XYZW, WXYZ = QuaternionOrder
TRAINED = ResolvedConventions(XYZW, LOG, LOGIT)
PLAIN = ResolvedConventions(XYZW, LINEAR, ALPHA)
FINITE = {'width': 32, 'allow_nan': False, 'allow_infinity': False}


def make(count=8, conventions=TRAINED, degree=1, **changed):
    """Make legal splats, the same each time."""
    chance = np.random.default_rng(4)
    arrays = {
        'positions': chance.normal(size=(count, 3)),
        'scales': chance.normal(-4.0, 1.0, (count, 3)),
        'rotations': chance.normal(size=(count, 4)) * 0.2 + [0, 0, 0, 1],
        'opacities': chance.normal(0.0, 4.0, (count, 1)),
        'sh_dc': chance.normal(size=(count, 3)),
        'sh_rest': chance.normal(size=(count, (degree + 1) ** 2 - 1, 3)),
    }
    if conventions.scales is LINEAR:
        arrays['scales'] = np.exp(arrays['scales'])
    if conventions.opacities is ALPHA:
        arrays['opacities'] = chance.uniform(size=(count, 1))
    arrays |= changed
    return Splats(
        **{name: np.ascontiguousarray(each, np.float32) for name, each in arrays.items()},
        conventions=conventions,
    )


def read(path, **given_conventions):
    """Read splats and scan them; both must find the same."""
    findings, scanned = bundle_findings(), bundle_findings()
    splats = read_splats(path, path.name, findings, **given_conventions)
    statistics = scan_splats(path, path.name, scanned, **given_conventions)
    assert findings.all == scanned.all
    assert (splats is None) == (statistics is None) == bool(findings.errors)
    return splats, findings


def written(folder, splats, *, declared=True, order=(0, 1, 2, 3)):
    """Write splats, optionally without a declaration, or with another quaternion order."""
    turned = make(splats.count, splats.conventions, splats.sh_degree)
    for name in ('positions', 'scales', 'opacities', 'sh_dc', 'sh_rest'):
        getattr(turned, name)[...] = getattr(splats, name)
    turned.rotations[...] = splats.rotations[:, order]
    path = folder / 'made.ply'
    write_ply(path, turned)
    if not declared:
        path.write_bytes(path.read_bytes().replace(b'comment splats', b'comment nobody'))
    return path


def codes(findings):
    """Return the codes of the findings."""
    return [each.rule.code for each in findings.all]


@given(st.data())
@pytest.mark.parametrize('write', [write_ply, write_npz])
def test_written_splats_are_read_back_exactly(tmp_path_factory, write, data):
    """Any legal splats must be read back exactly, with their conventions."""
    count, degree = data.draw(st.integers(1, 5)), data.draw(st.integers(0, 4))
    shapes = {
        'positions': (count, 3), 'sh_dc': (count, 3), 'sh_rest': (count, (degree + 1) ** 2 - 1, 3),
        'scales': (count, 3),
    }  # fmt: skip
    arrays = {
        name: data.draw(hnp.arrays(np.float32, shape, elements=st.floats(**FINITE)))
        for name, shape in shapes.items()
    }
    conventions = data.draw(st.sampled_from([TRAINED, PLAIN]))
    if conventions.scales is LINEAR:
        arrays['scales'] = np.abs(arrays['scales'])
    splats = make(count, conventions, degree, **arrays)
    path = tmp_path_factory.mktemp('written') / 'splats'
    write(path, splats)
    again, findings = read(path)
    assert again == splats
    assert again.conventions.scales_known is ConventionSource.DECLARED
    large = {'Splats.NotUnitQuaternion', 'Splats.TooLarge', 'Splats.OnePoint'}
    assert set(codes(findings)) <= large
    assert not any('inf' in each.message().split() for each in findings.all)


def test_infinite_logits_and_flat_gaussians_are_legal(tmp_path):
    """Real files have opacities of +inf (opaque) and scales of -inf (flat)."""
    splats = make()
    splats.opacities[0], splats.opacities[1], splats.scales[2, 1] = np.inf, -np.inf, -np.inf
    again, findings = read(written(tmp_path, splats))
    assert not findings.errors
    assert (again.alphas[:2] == [1.0, 0.0]).all()
    assert again.sizes[2, 1] == 0.0


@pytest.mark.parametrize(
    'wrong_number',
    [
        ('positions', (5, 1), np.nan, 'Splats.NotANumber'),
        ('positions', (5, 1), -np.inf, 'Splats.Infinite'),
        ('scales', (5, 0), np.nan, 'Splats.NotANumber'),
        ('scales', (5, 0), np.inf, 'Splats.Infinite'),
        ('rotations', (5, 3), np.nan, 'Splats.NotANumber'),
        ('rotations', (5, 3), np.inf, 'Splats.Infinite'),
        ('rotations', (5,), 0.0, 'Splats.ZeroQuaternion'),
        ('opacities', (5, 0), np.nan, 'Splats.NotANumber'),
        ('sh_dc', (5, 2), np.inf, 'Splats.Infinite'),
        ('sh_rest', (5, 2, 1), np.nan, 'Splats.NotANumber'),
    ],
)
@pytest.mark.parametrize('write', [write_ply, write_npz])
def test_a_wrong_number_is_found_in_its_row(tmp_path, write, wrong_number):
    """One bad number must be an error with its row, and the only one."""
    name, row, wrong, code = wrong_number
    splats = make()
    getattr(splats, name)[row] = wrong
    write(tmp_path / 'splats', splats)
    again, findings = read(tmp_path / 'splats')
    assert again is None
    assert [each.rule.code for each in findings.errors] == [code]
    assert findings.errors[0].values['found'] == 'row 5'
    assert findings.errors[0].values['count'] == '1'


def test_a_wrong_number_is_found_at_its_byte(tmp_path):
    """The offset in the finding must be that of the number in the file."""
    splats = make()
    splats.opacities[6] = np.nan
    path = written(tmp_path, splats)
    _, findings = read(path)
    place = int(findings.errors[0].where.removeprefix('byte '))
    assert np.isnan(np.frombuffer(path.read_bytes()[place : place + 4], '<f4')[0])
    assert findings.errors[0].values['name'] == 'opacity'


@pytest.mark.parametrize(
    ('name', 'wrong', 'code'),
    [
        ('scales', -0.1, 'Splats.NegativeScale'),
        ('scales', -np.inf, 'Splats.NegativeScale'),
        ('opacities', 1.01, 'Splats.OpacityRange'),
        ('opacities', -0.01, 'Splats.OpacityRange'),
        ('opacities', np.inf, 'Splats.OpacityRange'),
    ],
)
def test_linear_numbers_have_their_ranges(tmp_path, name, wrong, code):
    """Values that are not logarithms or logits must be lengths or opacities."""
    splats = make(conventions=PLAIN)
    getattr(splats, name)[3, 0] = wrong
    _, findings = read(written(tmp_path, splats))
    assert [each.rule.code for each in findings.errors] == [code]


@pytest.mark.parametrize('order', [(0, 1, 2, 3), (3, 0, 1, 2)])
@pytest.mark.parametrize('conventions', [TRAINED, PLAIN])
def test_undeclared_conventions_are_guessed_and_reported(tmp_path, conventions, order):
    """A file of another writer must have the same meaning, with a finding per guess."""
    made = wavy_surface(1000)
    scales = np.exp(made.scales) if conventions.scales is LINEAR else made.scales
    splats = make(
        1000, conventions, positions=made.positions, scales=scales, rotations=made.rotations
    )
    again, findings = read(written(tmp_path, splats, declared=False, order=order))
    assert np.array_equal(again.rotations, splats.rotations)
    assert (again.conventions.scales, again.conventions.opacities) == (
        conventions.scales, conventions.opacities,
    )  # fmt: skip
    found = set(codes(findings))
    assert found >= {'Splats.QuaternionOrder', 'Splats.ScalesGuessed', 'Splats.OpacitiesGuessed'}
    assert 'Splats.QuaternionOrderUnclear' not in found
    assert again.conventions.quaternions_known is ConventionSource.GUESSED
    assert 0.99 <= again.conventions.quaternions_probability < 1.0


def test_a_declared_order_that_is_not_the_contracts_is_reported(tmp_path):
    """Other readers would rotate every Gaussian; this one follows the declaration."""
    splats = make()
    path = written(tmp_path, splats, order=(3, 0, 1, 2))
    path.write_bytes(path.read_bytes().replace(b'quaternions=xyzw', b'quaternions=wxyz'))
    again, findings = read(path)
    assert again == splats
    assert again.conventions.quaternions_known is ConventionSource.DECLARED
    assert 'Splats.OtherQuaternionOrder' in codes(findings)


def test_a_zero_quaternion_is_found_together_with_a_nan(tmp_path):
    """All faults of a file must be found in one pass."""
    splats = make()
    splats.rotations[1], splats.rotations[2, 0] = 0.0, np.nan
    _, findings = read(written(tmp_path, splats))
    found = {each.rule.code for each in findings.errors}
    assert found == {'Splats.ZeroQuaternion', 'Splats.NotANumber'}


@pytest.mark.parametrize('order', QuaternionOrder)
@pytest.mark.parametrize('scales', ScaleEncoding)
@pytest.mark.parametrize('opacities', OpacityEncoding)
def test_given_conventions_take_precedence(tmp_path, order, scales, opacities):
    """Given conventions override declarations and guesses, without a finding."""
    splats = make(conventions=PLAIN)
    given_conventions = SplatConventions(order, scales, opacities)
    for declared in (True, False):
        again, findings = read(
            written(tmp_path, splats, declared=declared), conventions=given_conventions
        )
        assert set(codes(findings)) <= {'Splats.NotUnitQuaternion'}
        found = again.conventions
        assert (found.quaternions, found.scales, found.opacities) == (order, scales, opacities)
        turned = [0, 1, 2, 3] if order is XYZW else [1, 2, 3, 0]
        assert np.array_equal(again.rotations, splats.rotations[:, turned])


def test_an_undetermined_order_is_a_warning(tmp_path):
    """Spheres look the same in both orders: that of the contract is used, with a warning."""
    splats = make(400, scales=np.full((400, 3), -3.0))
    again, findings = read(written(tmp_path, splats, declared=False))
    assert again.conventions.quaternions is XYZW
    assert again.conventions.quaternions_probability == pytest.approx(0.5)
    assert 'Splats.QuaternionOrderUnclear' in codes(findings)


@pytest.mark.parametrize(('part', 'guess'), [(0.88, LOGIT), (0.93, LOGIT), (0.96, ALPHA)])
def test_opacities_are_classified_by_their_range(tmp_path, part, guess):
    """If 90 % to 95 % are within 0 to 1 the guess is a warning."""
    opacities = np.where(np.arange(1000)[:, None] < 1000 * part, 0.5, 2.0)
    _, findings = read(written(tmp_path, make(1000, opacities=opacities), declared=False))
    guesses = {e.rule.code: e.values['guess'] for e in findings.all if 'guess' in e.values}
    unclear = part == 0.93
    code = 'Splats.OpacitiesUnclear' if unclear else 'Splats.OpacitiesGuessed'
    assert guesses[code] == guess.value


@pytest.mark.parametrize(
    ('negative', 'extreme', 'guess'),
    [
        (0.09, 1.0, LINEAR), (0.11, 1.0, LOG), (0.0, 12.0, LINEAR), (0.01, 12.0, LOG),
        (0.01, -12.0, LOG),
    ],
)  # fmt: skip
def test_scales_are_classified_by_their_signs(tmp_path, negative, extreme, guess):
    """Logarithms are often negative, or once and very large; lengths never."""
    scales = np.where(np.arange(3000) < 3000 * negative, -0.5, 0.5)
    scales[-1] = extreme
    splats = make(1000, scales=scales.reshape(1000, 3))
    _, findings = read(written(tmp_path, splats, declared=False))
    finding = next(each for each in findings.all if each.rule.code == 'Splats.ScalesGuessed')
    assert finding.values['guess'] == guess.value


def test_activated_values_follow_their_formulas():
    """Sizes, opacities, colors and unit quaternions are those of the literature."""
    splats = make()
    assert splats.sizes == pytest.approx(np.exp(splats.scales))
    logits = splats.opacities[:, 0].astype(float)
    assert splats.alphas == pytest.approx(1.0 / (1.0 + np.exp(-logits)), rel=1e-5)
    assert splats.colors == pytest.approx(np.clip(0.5 + SH_BAND_0 * splats.sh_dc, 0, 1), abs=1e-6)
    assert np.linalg.norm(splats.quaternions, axis=1) == pytest.approx(1.0)
    assert (np.einsum('ij,ij->i', splats.quaternions, splats.rotations) > 0).all()
    plain = make(conventions=PLAIN)
    assert np.array_equal(plain.sizes, plain.scales)
    assert np.array_equal(plain.alphas, plain.opacities[:, 0])


@given(st.floats(-(2.0**126), 2.0**126, width=32), st.floats(2.0**-40, 2.0**40, width=32))
def test_quaternions_of_any_length_have_a_direction(part, length):
    """Neither large nor small ones may overflow or underflow when normalized."""
    rotations = np.array([[part, 0, 0, length]], np.float32)
    unit = make(1, rotations=rotations).quaternions
    assert np.linalg.norm(unit.astype(float)) == pytest.approx(1.0)


def test_splats_are_equal_by_their_numbers():
    """The source of conventions makes no difference; any number does."""
    splats = make()
    guessed = ResolvedConventions(
        WXYZ,
        LOG,
        LOGIT,
        ConventionSource.GUESSED,
        ConventionSource.GUESSED,
        ConventionSource.GUESSED,
    )
    assert make(conventions=guessed) == splats
    assert make(conventions=PLAIN) != splats
    changed = make()
    changed.sh_rest[-1, -1, -1] += 1.0
    assert changed != splats
    assert splats != 'splats'


def test_a_selection_of_splats(tmp_path):
    """A selection keeps order and degree; arrays that were read are read-only."""
    splats, _ = read(written(tmp_path, make()))
    part = splats.take([4, 1])
    assert part.count == 2
    assert part.sh_degree == 1
    assert np.array_equal(part.positions, splats.positions[[4, 1]])
    assert part.sh_rest.flags.c_contiguous
    with pytest.raises(ValueError, match='read-only'):
        splats.positions[0] = 0.0


@pytest.mark.parametrize('count', [1, 7, SAMPLE + 1, 2 * SAMPLE + 5])
def test_a_scan_gives_bounds_sample_and_number_outside(tmp_path, count):
    """Statistics of a scan must be those of the arrays, for any number of blocks."""
    splats = make(count, degree=0)
    path = written(tmp_path, splats)
    box = Extent(np.array([-1.0, -np.inf, -2.0]), np.array([1.0, 1.5, np.inf]))
    done = []
    statistics = scan_splats(path, 'made', bundle_findings(), extent=box, progress=done.append)
    lowest, highest = splats.bounds
    assert np.array_equal(statistics.lowest, lowest)
    assert np.array_equal(statistics.highest, highest)
    outside = (splats.positions < box.lowest) | (splats.positions > box.highest)
    assert statistics.outside == outside.any(axis=1).sum()
    assert (statistics.count, statistics.sh_degree) == (count, 0)
    assert statistics.format is SplatFormat.PLY
    step = -(-count // SAMPLE)
    assert statistics.sample == splats.take(slice(None, None, step))
    assert done == sorted(done)
    assert done[-1] == 1.0


def test_splats_of_the_reference_implementation_are_read(shared_data):
    """A real file of 9,080 Gaussians: w first, logarithms and logits, lengths far from 1."""
    splats, findings = read(shared_data('bundle/inria_iter7000.ply'), sh_degree=3)
    assert splats.count == 9080
    assert splats.sh_rest.shape == (9080, 15, 3)
    found = splats.conventions
    assert (found.quaternions, found.scales, found.opacities) == (WXYZ, LOG, LOGIT)
    lengths = np.linalg.norm(splats.rotations, axis=1)
    assert (lengths.min(), lengths.max()) == pytest.approx((0.62, 1.15), abs=0.01)
    assert set(codes(findings)) == {
        'Splats.QuaternionOrder', 'Splats.ScalesGuessed', 'Splats.OpacitiesGuessed',
        'Splats.NotUnitQuaternion',
    }  # fmt: skip
    data = shared_data('bundle/inria_iter7000.ply').read_bytes()
    raw = np.frombuffer(data[data.index(b'end_header\n') + 11 :], '<f4').reshape(9080, 62)
    assert np.array_equal(splats.rotations[:, 3], raw[:, 58])
    assert np.array_equal(splats.sh_rest[:, 4, 1], raw[:, 9 + 15 + 4])
