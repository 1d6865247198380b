# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""tf_static.json: a TFMessage whose frames form a tree."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from world_model_core.bundle.sensors.tf_static import read_tf_static


def stamped(parent, child, quaternion=(0.0, 0.0, 0.0, 1.0), translation=(2.0, 0.0, 1.5)):
    """Make a transform as JSON has it."""
    return {
        'header': {'frame_id': parent},
        'child_frame_id': child,
        'transform': {
            'translation': dict(zip('xyz', translation, strict=True)),
            'rotation': dict(zip('xyzw', quaternion, strict=True)),
        },
    }


VALID = {
    'transforms': [
        stamped('base_link', 'lidar_top'),
        stamped('base_link', 'camera_front', (-0.5, 0.5, -0.5, 0.5)),
    ]
}
FIRST = '/transforms/0'


@pytest.fixture
def tf_static(small_file):
    """Return tf_static.json as a small file."""
    return small_file(read_tf_static, 'tf_static.json', VALID)


def test_transforms_are_read_in_their_order(tf_static):
    """Each pose is that of the child in its parent; a valid file has no finding."""
    value, found = tf_static.read(VALID)
    assert not found
    lidar, camera = value
    assert (lidar.frame_id, lidar.child_frame_id) == ('base_link', 'lidar_top')
    np.testing.assert_array_equal(lidar.transform.translation, (2.0, 0.0, 1.5))
    # z of a camera that points ahead is x of the robot.
    np.testing.assert_allclose(camera.transform.rotation[:, 2], (1.0, 0.0, 0.0), atol=1e-12)


@pytest.mark.parametrize('extra', [{'stamp': {'sec': 0, 'nanosec': 0}}, {'seq': 3}])
def test_headers_of_messages_may_have_stamps(tf_static, extra):
    """Other header fields of dumped messages are not a fault: static transforms always hold."""
    _, found = tf_static.read_changed(f'{FIRST}/header', {'frame_id': 'base_link', **extra})
    assert not found


def test_a_version_is_not_needed_but_checked(tf_static):
    """A TFMessage has no version; a version in the file is checked."""
    assert not tf_static.read({'version': '1.0.0', **VALID})[1]
    assert tf_static.read({'version': '2.0.0', **VALID})[1] == [
        ('File.VersionUnsupported', '/version')
    ]


@pytest.mark.parametrize(
    ('pointer', 'item', 'code', 'where'),
    [
        ('', [], 'File.NotMapping', ''),
        ('/transforms', {}, 'File.NotList', '/transforms'),
        ('/transforms', [], 'TfStatic.Empty', '/transforms'),
        (FIRST, 3, 'File.NotMapping', FIRST),
        (f'{FIRST}/header/frame_id', '/base_link', 'TfStatic.FrameName', None),
        (f'{FIRST}/header/frame_id', 'lidar_top', 'TfStatic.OwnParent', FIRST),
        (f'{FIRST}/header/frame_id', 'map', 'TfStatic.SeveralRoots', '/transforms'),
        (f'{FIRST}/child_frame_id', 'lidar top', 'TfStatic.FrameName', None),
        (f'{FIRST}/child_frame_id', '', 'File.EmptyText', None),
        (f'{FIRST}/child_frame_id', 'camera_front', 'TfStatic.ChildTwice', '/transforms/1'),
        (f'{FIRST}/transform/translation/x', '2.0', 'File.NumberAsText', None),
        (f'{FIRST}/transform/translation/y', None, 'File.NotNumber', None),
        (f'{FIRST}/transform/translation', [2.0, 0.0, 1.5], 'File.NotMapping', None),
        (f'{FIRST}/transform/rotation/w', 0.0, 'TfStatic.QuaternionZero', -1),
        (f'{FIRST}/transform/rotation/w', 0.9, 'TfStatic.QuaternionNotUnit', -1),
        (f'{FIRST}/transform/rotation/w', 0.999, 'TfStatic.QuaternionRounded', -1),
        ('/transfroms', 3, 'File.UnknownField', '/transfroms'),
    ],
)
def test_each_fault_has_its_code_and_place(tf_static, pointer, item, code, where):
    """One fault gives one finding, at its place."""
    place = pointer if where is None else pointer.rsplit('/', 1)[0] if where == -1 else where
    assert tf_static.read_changed(pointer, item)[1] == [(code, place)]


@pytest.mark.parametrize(
    'pointer',
    [
        '/transforms',
        f'{FIRST}/header',
        f'{FIRST}/header/frame_id',
        f'{FIRST}/child_frame_id',
        f'{FIRST}/transform',
        f'{FIRST}/transform/translation',
        f'{FIRST}/transform/translation/z',
        f'{FIRST}/transform/rotation',
        f'{FIRST}/transform/rotation/w',
    ],
)
def test_every_field_is_required(tf_static, gone, pointer):
    """Nothing in a transform can be left out."""
    assert tf_static.read_changed(pointer, gone)[1] == [('File.MissingField', pointer)]


def test_a_misspelled_field_is_recognized(tf_static):
    """A name similar to that of a missing field is reported as its misspelling."""
    _, found = tf_static.read({'transform': VALID['transforms']})
    assert found == [
        ('File.MissingField', '/transforms'),
        ('File.MisspelledField', '/transform'),
    ]


@given(parents=st.lists(st.integers(0, 7), min_size=1, max_size=8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_circles_are_found(tf_static, parents):
    """Frames that are above themselves are an error; all others are read."""
    transforms = [stamped(f'f{parent}', f'f{child}') for child, parent in enumerate(parents)]
    links = dict(enumerate(parents))

    def is_above_itself(frame):
        above = links[frame]
        for _ in links:
            if above == frame:
                return True
            above = links.get(above, -1)
        return False

    value, found = tf_static.read({'transforms': transforms})
    assert (value is None) == any(map(is_above_itself, links))
    own = sum(child == parent for child, parent in links.items())
    circles = [code for code, _ in found if code == 'TfStatic.Cycle']
    assert (len(circles) + own > 0) == (value is None)


def test_long_chains_are_read(tf_static):
    """A chain of any length is not a circle until its ends meet."""
    count = 3000
    chain = [stamped(f'f{index + 1}', f'f{index}') for index in range(count)]
    value, found = tf_static.read({'transforms': chain})
    assert len(value) == count
    assert not found
    closed = [*chain[:1000], stamped('f0', 'f1000')]
    assert tf_static.read({'transforms': closed})[1] == [('TfStatic.Cycle', '/transforms/0')]
