# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Incumbents as text, for a process that starts again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.errors import WorldModelError
from world_model_core.match.datagrams import SenderAddress
from world_model_core.match.senders.incumbent_records import (
    LARGEST,
    incumbents_text,
    read_incumbents,
)
from world_model_core.match.senders.incumbents import (
    MOST_OFFICES,
    REFEREE,
    Identity,
    Incumbents,
    Office,
    Role,
)

OFFICES = st.builds(Office, st.sampled_from(Role), st.none() | st.integers(0, 2**32 - 1))
ADDRESSES = st.ip_addresses(v=4).map(str)
IDENTITIES = st.builds(
    Identity,
    st.builds(SenderAddress, ADDRESSES, st.integers(1, 65535)),
    st.text(st.characters(exclude_categories=['Cs']), max_size=40),
)


@given(st.dictionaries(OFFICES, IDENTITIES, max_size=20))
def test_what_is_written_is_read_but_for_the_port(known):
    """The same sender must come first from any port; another one only after the silence."""
    written = Incumbents()
    for office, identity in known.items():
        written.accepts(office, identity, 0)
    kept = read_incumbents(incumbents_text(written), 'file')
    assert dict(kept) == {
        office: each._replace(sender=each.sender._replace(port=0))
        for office, each in known.items()
    }
    for office, identity in known.items():
        stranger = identity._replace(name=f'{identity.name}!')
        assert not kept.accepts(office, stranger, 10**18)
        assert kept.accepts(office, identity, 10**18)


def test_a_name_that_is_too_long_is_not_kept():
    """A sender may name itself at any length; the file stays small."""
    known = Incumbents()
    known.accepts(REFEREE, Identity(SenderAddress('10.0.0.5', 4000), 'x' * 201), 0)
    assert json.loads(incumbents_text(known)) == {'incumbents': []}


RECORD = {'role': 'camera', 'camera_id': 1, 'address': '10.0.0.5', 'name': ''}


@pytest.mark.parametrize(
    ('document', 'reason'),
    [
        ('', 'JSON'),
        ('[]', 'a list of at most 128'),
        ({'incumbents': {}}, 'a list of at most 128'),
        ({'incumbents': [RECORD] * (MOST_OFFICES + 1)}, 'a list of at most 128'),
        ({'incumbents': [3]}, "record 0: '3' must be an object"),
        ({'incumbents': [RECORD, RECORD | {'role': 'king'}]}, "record 1: role 'king'"),
        ({'incumbents': [RECORD | {'role': ['camera']}]}, 'role'),
        ({'incumbents': [RECORD | {'camera_id': True}]}, "camera_id 'True' must be an integer"),
        ({'incumbents': [RECORD | {'address': '10.0.0'}]}, "address '10.0.0' must be an IPv4"),
        ({'incumbents': [RECORD | {'address': 167772165}]}, 'address'),
        ({'incumbents': [RECORD | {'name': 'x' * 201}]}, 'name must be a text of at most 200'),
        (' ' * (LARGEST + 1), str(LARGEST)),
    ],
)
def test_an_invalid_text_is_refused_with_its_field(document, reason):
    """The error must name the record and the value."""
    text = document if isinstance(document, str) else json.dumps(document)
    with pytest.raises(WorldModelError, match=reason):
        read_incumbents(text, 'file')
