# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Messages of clients: what pages send passes, anything else is a typed error."""

from __future__ import annotations

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip('viser', reason='the window is shown by viser')

import msgspec

from world_model_nodes.viewer.client_messages import LARGEST, BadMessageError, ClientMessages

CAMERA = {
    'type': 'ViewerCameraMessage', 'wxyz': (1, 0, 0, 0), 'position': (1.5, 0, 0), 'fov': 0.7,
    'near': 0.1, 'far': 100, 'image_height': 720, 'image_width': 1280, 'look_at': (0, 0, 0),
    'up_direction': (0, 0, 1),
}  # fmt: skip
UPDATE = {'type': 'GuiUpdateMessage', 'uuid': 'a', 'updates': {'value': True}}
CLICK = {
    'type': 'SceneNodeClickMessage', 'name': '/match/ball', 'instance_index': 3, 'owner': '',
    'ray_origin': (0, 0, 0), 'ray_direction': (0, 0, 1), 'screen_pos': (0.5, 0.5),
    'modifier': None,
}  # fmt: skip
START = {
    'type': 'FileTransferStartUpload', 'source_component_uuid': 'a', 'transfer_uuid': 'b',
    'filename': 'hello.wav', 'mime_type': 'audio/wav', 'part_count': 2, 'size_bytes': 8,
}  # fmt: skip
PART = {
    'type': 'FileTransferPart', 'source_component_uuid': 'a', 'transfer_uuid': 'b',
    'part_index': 0, 'content': bytes(4),
}  # fmt: skip
# Documents as msgpack can hold them, also with keys and types that JSON has not.
KEYS = st.none() | st.integers(-(2**63), 2**64 - 1) | st.text() | st.binary() | st.floats()
DOCUMENTS = st.recursive(
    KEYS | st.booleans() | st.builds(msgspec.msgpack.Ext, st.integers(-128, 127), st.binary()),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=8,
)


def ignored(*documents):
    """Check messages of one client; return why the last one is ignored."""
    client = ClientMessages()
    return [client.ignored(msgspec.msgpack.encode(document)) for document in documents][-1]


def code(*documents):
    """Return the close code with which messages end the connection."""
    with pytest.raises(BadMessageError) as caught:
        ignored(*documents)
    return caught.value.code


@pytest.mark.parametrize('message', [CAMERA, UPDATE, CLICK, START], ids=lambda each: each['type'])
def test_what_pages_send_is_handled(message):
    """Whole numbers are accepted in the place of others, as JavaScript has no difference."""
    assert ignored(message) == ''


@pytest.mark.parametrize('name', ['ShareUrlRequest', 'ShareUrlDisconnect'])
def test_requests_for_a_public_tunnel_are_ignored(name):
    """The page has a button for them, so the client is not disconnected."""
    assert ignored({'type': name}) == 'share'


@pytest.mark.parametrize('field', ['wxyz', 'position', 'look_at', 'up_direction', 'fov'])
@pytest.mark.parametrize('number', [math.nan, math.inf])
def test_cameras_that_are_not_finite_are_ignored(field, number):
    """A page may compute them where it has no size."""
    whole = CAMERA[field]
    assert (
        ignored(CAMERA | {field: [number, *whole[1:]] if field != 'fov' else number}) == 'camera'
    )


@pytest.mark.parametrize(
    ('message', 'expected'),
    [
        ({'type': 'RunJavascriptMessage', 'source': 'alert(1)'}, 1008),
        ({'type': 'RemoveSceneNodeMessage', 'name': '/match'}, 1008),
        ({'type': 'Message'}, 1008),
        ({'type': 7}, 1007),
        ({}, 1007),
        ([], 1007),
        (CAMERA | {'position': 'here'}, 1007),
        (CAMERA | {'position': (0, 0)}, 1007),
        (CAMERA | {'image_width': None}, 1007),
        (UPDATE | {'updates': {'update_cb': []}}, 1007),
        (UPDATE | {'updates': {'value': 1, 'removed': True}}, 1007),
        (UPDATE | {'updates': {}}, 1007),
    ],
)
def test_what_no_page_sends_ends_the_client(message, expected):
    """Also a value for an attribute of viser's own elements."""
    assert code(message) == expected


def test_texts_and_nested_documents_end_the_client():
    """Pages send binary messages; an array of arrays of arrays is none of them."""
    for raw, expected in (('{}', 1003), (b'', 1007), (b'\x91' * 100_000, 1007)):
        with pytest.raises(BadMessageError) as caught:
            ClientMessages().ignored(raw)
        assert caught.value.code == expected


def test_uploads_up_to_the_limit_are_handled():
    """One after the other, in parts, also an empty one."""
    size = LARGEST // 2
    start = START | {'size_bytes': LARGEST}
    part = PART | {'content': bytes(size)}
    empty = START | {'size_bytes': 0, 'part_count': 0}
    assert ignored(start, part, part, empty, start, part, part) == ''


@pytest.mark.parametrize(
    'messages',
    [
        [START | {'size_bytes': 10**9}],
        [START | {'size_bytes': LARGEST + 1}],
        [START | {'size_bytes': -1}],
        [START | {'part_count': 10**9}],
        [START | {'part_count': -1}],
        [START, PART | {'content': bytes(9)}],
        [START, PART, PART, PART],
        [PART],
        [START | {'size_bytes': LARGEST}, START | {'transfer_uuid': 'c'}],
    ],
)
def test_larger_uploads_end_the_client(messages):
    """Announced, sent without being announced, or in several files at once."""
    assert code(*messages) == 1009


@given(st.binary() | DOCUMENTS.map(msgspec.msgpack.encode))
def test_any_bytes_are_ignored_or_a_typed_error(raw):
    """Nothing else is raised, whatever a client sends."""
    with suppress(BadMessageError):
        assert ClientMessages().ignored(raw) in {'', 'share', 'camera'}


@given(
    st.sampled_from([CAMERA, UPDATE, CLICK, START, PART]),
    st.dictionaries(st.sampled_from(sorted({*CAMERA, *UPDATE, *CLICK, *START, *PART})), DOCUMENTS),
)
def test_any_fields_are_ignored_or_a_typed_error(message, changes):
    """Real messages with some fields replaced."""
    changes.pop('type', None)
    with suppress(BadMessageError):
        assert ignored(message | changes) in {'', 'camera'}
