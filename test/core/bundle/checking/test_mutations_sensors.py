# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""tf_static.json compared with calibration.yaml: signs, order, and deviations of a thousandth."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
import yaml

from world_model_core.frames import rotation_of

CALIBRATION, TF = 'sensors/calibration.yaml', 'sensors/tf_static.json'
SENSORS = ('cameras/front', 'cameras/left', 'cameras/right', 'cameras/rear', 'lidars/top')
MISMATCH, ROUNDED = 'Calibration.TfMismatch', 'TfStatic.QuaternionRounded'
SMALLEST = 1e-3
UNTURNED = (0.0, 0.0, 0.0, 1.0)

every_sensor = pytest.mark.parametrize('index', range(len(SENSORS)), ids=lambda i: SENSORS[i])


def transform(mutant, index):
    """Return a transform of tf_static.json: translation and quaternion x, y, z, w."""
    document = yaml.safe_load((mutant / TF).read_text())
    pose = document['transforms'][index]['transform']
    return [[pose[name][axis] for axis in axes] for name, axes in PARTS.items()]


def change(mutant, index, name, numbers):
    """Replace a part of a transform of tf_static.json."""
    value = dict(zip(PARTS[name], numbers, strict=True))
    mutant.put(TF, f'/transforms/{index}/transform/{name}', value)


PARTS = {'translation': 'xyz', 'rotation': 'xyzw'}


def turns(before, after):
    """Return whether two quaternions are different rotations."""
    return not np.allclose(rotation_of(before), rotation_of(after), atol=1e-9)


def try_rotations(mutant, index, quaternions):
    """Put each of these rotations once into a transform: all but its own are found."""
    _, own = transform(mutant, index)
    for other in {str(rotation_of(each).round(9)): each for each in quaternions}.values():
        change(mutant, index, 'rotation', other)
        if turns(own, other):
            mutant.must_show(MISMATCH, file=TF, where=f'/transforms/{index}/')
        else:
            assert mutant.findings() == ()


@every_sensor
@pytest.mark.parametrize('axis', range(3), ids='xyz'.__getitem__)
def test_a_translation_of_another_sign_is_found(mutant, index, axis):
    """Each component that is not 0, negated."""
    translation, _ = transform(mutant, index)
    if translation[axis] == 0.0:
        translation[axis] = 1.0
    translation[axis] *= -1.0
    change(mutant, index, 'translation', translation)
    mutant.must_show(MISMATCH, file=TF, where=f'/transforms/{index}/')


@every_sensor
@pytest.mark.parametrize('axis', range(3), ids='xyz'.__getitem__)
@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_translation_that_is_a_millimeter_off_is_found(mutant, index, axis, sign):
    """In every component and both directions."""
    translation, _ = transform(mutant, index)
    translation[axis] += sign * SMALLEST
    change(mutant, index, 'translation', translation)
    mutant.must_show(MISMATCH, file=TF, where=f'/transforms/{index}/')


@every_sensor
@pytest.mark.parametrize('order', list(permutations(range(3)))[1:], ids=str)
def test_a_translation_in_another_order_is_found(mutant, index, order):
    """Every order of x, y and z that gives another position must be found."""
    translation, _ = transform(mutant, index)
    other = [translation[axis] for axis in order]
    change(mutant, index, 'translation', other)
    if other == translation:
        assert mutant.findings() == ()
    else:
        mutant.must_show(MISMATCH, file=TF, where=f'/transforms/{index}/')


@every_sensor
def test_a_rotation_with_signs_changed_is_found(mutant, index):
    """Any components negated; all four are the same rotation."""
    _, rotation = transform(mutant, index)
    signs = product((1.0, -1.0), repeat=4)
    try_rotations(mutant, index, (np.multiply(rotation, each).tolist() for each in signs))


@every_sensor
def test_a_rotation_in_another_order_is_found(mutant, index):
    """Every order of x, y, z and w that gives another rotation must be found."""
    _, rotation = transform(mutant, index)
    try_rotations(mutant, index, permutations(rotation))


@every_sensor
@pytest.mark.parametrize('axis', range(4), ids='xyzw'.__getitem__)
@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_rotation_that_is_a_thousandth_off_is_found(mutant, index, axis, sign):
    """In every component; where only the length changes, as a length."""
    _, rotation = transform(mutant, index)
    other = list(rotation)
    other[axis] += sign * SMALLEST
    change(mutant, index, 'rotation', other)
    code = MISMATCH if turns(rotation, other) else ROUNDED
    mutant.must_show(code, ROUNDED, file=TF, where=f'/transforms/{index}/')


@every_sensor
def test_a_calibration_that_is_a_thousandth_off_is_found(mutant, index):
    """Either file may be wrong."""
    place = f'/{SENSORS[index]}/extrinsics/translation/1'
    translation, _ = transform(mutant, index)
    mutant.put(CALIBRATION, place, translation[1] + SMALLEST)
    mutant.must_show(MISMATCH, file=TF, where=f'/transforms/{index}/')


@every_sensor
def test_a_difference_of_rounding_is_ignored(mutant, index):
    """Six decimals of a quaternion and of a translation must pass."""
    translation, rotation = transform(mutant, index)
    change(mutant, index, 'translation', [each + 4e-7 for each in translation])
    change(mutant, index, 'rotation', [round(each, 6) for each in rotation])
    assert mutant.findings() == ()


@pytest.mark.parametrize(('one', 'other'), list(combinations(range(5), 2)), ids=str)
def test_exchanged_transforms_are_found_and_explained(mutant, one, other):
    """The poses of two sensors under each other's names must be recognized."""
    first, second = transform(mutant, one), transform(mutant, other)
    for index, pose in ((one, second), (other, first)):
        for name, numbers in zip(PARTS, pose, strict=True):
            change(mutant, index, name, numbers)
    mutant.must_show(MISMATCH, file=TF)
    codes = {each.rule.code for each in mutant.findings()}
    assert 'TfStatic.LooksSwapped' in codes


def test_a_frame_of_two_sensors_is_not_an_exchange(mutant):
    """There is one transform for both, which cannot be exchanged."""
    mutant.put(CALIBRATION, '/lidars/top/frame_id', 'camera_front')
    codes = {each.rule.code for each in mutant.findings()}
    assert 'Calibration.FrameTaken' in codes
    assert 'TfStatic.LooksSwapped' not in codes


def test_changed_transforms_are_explained(mutant):
    """The order w first, the inverse, the transpose and other axes must be recognized."""
    translation, rotation = transform(mutant, 1)
    x, y, z, w = rotation
    inverse = (-rotation_of(rotation).T @ translation).tolist()
    cases = {
        'TfStatic.LooksReordered': (translation, [w, x, y, z]),
        'TfStatic.LooksTransposed': (translation, [-x, -y, -z, w]),
        'TfStatic.LooksInverted': (inverse, [-x, -y, -z, w]),
        'TfStatic.LooksLikeOtherAxes': (translation, [w, z, -y, -x]),
    }
    for code, (place, turn) in cases.items():
        change(mutant, 1, 'translation', place)
        change(mutant, 1, 'rotation', turn)
        assert code in {each.rule.code for each in mutant.findings()}, code


def test_a_chain_of_transforms_is_followed(mutant):
    """A sensor below another frame must be compared with the calibration as a whole."""

    def insert(document):
        first = document['transforms'][0]
        place = first['transform']['translation']
        mount = {
            'header': {'frame_id': 'base_link'},
            'child_frame_id': 'mount',
            'transform': {
                'translation': dict(place),
                'rotation': dict(zip('xyzw', UNTURNED, strict=True)),
            },
        }
        first['header']['frame_id'] = 'mount'
        first['transform']['translation'] = dict.fromkeys('xyz', 0.0)
        document['transforms'].append(mount)

    mutant.edit(TF, insert)
    assert mutant.findings() == ()
    mutant.put(TF, '/transforms/5/transform/translation/z', 1.0)
    mutant.must_show(MISMATCH, file=TF, where='/transforms/0/')


def test_a_static_transform_may_not_hold_the_base(mutant):
    """A transform odom -> base_link in tf_static.json conflicts with localization."""

    def hold(document):
        document['transforms'].append(
            {
                'header': {'frame_id': 'odom'},
                'child_frame_id': 'base_link',
                'transform': document['transforms'][4]['transform'],
            }
        )

    mutant.edit(TF, hold)
    mutant.must_show('TfStatic.BaseHeld', file=TF)


def put_rotations(mutant, change_one):
    """Change all cameras' rotations equally in both files, so that they do not contradict."""

    def calibration(document):
        for camera in document['cameras'].values():
            rotation = camera['extrinsics']['rotation_quat']
            camera['extrinsics']['rotation_quat'] = change_one(*rotation)

    def tf(document):
        for each in document['transforms']:
            if each['child_frame_id'].startswith('camera'):
                rotation = each['transform']['rotation']
                each['transform']['rotation'] = dict(
                    zip('xyzw', change_one(*rotation.values()), strict=True)
                )

    mutant.edit(CALIBRATION, calibration)
    mutant.edit(TF, tf)


@pytest.mark.parametrize(
    ('code', 'change_one'),
    [
        ('Calibration.LooksReordered', lambda x, y, z, w: [w, x, y, z]),
        ('Calibration.LooksInverted', lambda x, y, z, w: [-x, -y, -z, w]),
        ('Calibration.LooksLikeOtherAxes', lambda x, y, z, w: [w, z, -y, -x]),
    ],
)
def test_a_rig_in_another_convention_is_found(mutant, code, change_one):
    """Both files agree, but no rig has such cameras."""
    put_rotations(mutant, change_one)
    mutant.must_show(code, 'Calibration.CameraLooksVertically', file=CALIBRATION)


def test_the_example_camera_of_the_contract_points_up(mutant):
    """The contract's example, opencv with an identity quaternion, points at the sky."""
    put_rotations(mutant, lambda *_: list(UNTURNED))
    mutant.must_show('Calibration.CameraLooksVertically', file=CALIBRATION, where='/cameras/front')
    found = [each for each in mutant.findings() if 'Vertically' in each.rule.code]
    assert len(found) == 4


def test_a_camera_that_points_down_is_allowed(mutant):
    """A parking camera points down, and the others are unchanged."""
    down = [0.7071067811865476, -0.7071067811865476, 0.0, 0.0]
    mutant.put(CALIBRATION, '/cameras/front/extrinsics/rotation_quat', down)
    change(mutant, 0, 'rotation', down)
    assert mutant.findings() == ()
