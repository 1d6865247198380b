# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Strategies for all messages between a world and a controller."""

from hypothesis import strategies as st

from world_model_core.virtual_world.agents.events import (
    ActionEvent,
    Collision,
    CollisionEvent,
    EndEvent,
    InitEvent,
    MessageEvent,
    Sound,
    SoundEvent,
    TextEvent,
)
from world_model_core.virtual_world.agents.messages import (
    OutgoingMessage,
    OutgoingSound,
    OutgoingText,
)
from world_model_core.virtual_world.agents.state_changes import ObjectProperties, StateChanges
from world_model_core.virtual_world.agents.wire_values import (
    Goodbye,
    Hello,
    Late,
    Query,
    Refused,
    Reply,
    Result,
    Turn,
    Welcome,
)
from world_model_core.virtual_world.agents.writes import Write
from world_model_core.virtual_world.values import Camera, JointKind, Pose, Wheels

_times = st.integers(0, 2**62)
_texts = st.text(max_size=5)
_floats = st.floats(allow_nan=False)
_flags = st.booleans()
_sounds = st.builds(Sound, st.binary(max_size=6), st.integers(1, 48_000), st.integers(1, 2))


def _many(values):
    return st.lists(values, max_size=3).map(tuple)


def _table(values):
    return st.dictionaries(_texts, values, max_size=3)


def plain_values():
    """Return values of all plain types, nested."""
    scalars = st.none() | _flags | st.integers(-(2**63), 2**64 - 1) | _floats | _texts
    return st.recursive(
        scalars | st.binary(max_size=5), lambda inner: _many(inner) | _table(inner), max_leaves=8
    )


_poses = st.builds(Pose, st.tuples(*[_floats] * 3), st.tuples(*[_floats] * 4))
_properties = st.builds(
    ObjectProperties,
    _texts,
    *[_flags] * 5,
    _floats,
    _floats,
    _many(_texts),
    _table(st.sampled_from(JointKind)),
    _table(_texts | _floats | _flags),
    _table(_texts),
    _many(st.builds(Camera, st.integers(1, 9), _texts, _poses, _floats, _floats)),
    st.none() | st.builds(Wheels, _floats, _floats, st.none() | st.tuples(_texts, _texts)),
    _table(_texts),
)
_changes = st.builds(
    StateChanges, _table(_properties), _many(_texts), st.binary(max_size=9), _many(_texts)
)
_events = st.one_of(
    st.builds(InitEvent, _times),
    st.builds(ActionEvent, _times),
    st.builds(EndEvent, _times),
    st.builds(TextEvent, _times, _texts, _texts, _texts),
    st.builds(SoundEvent, _times, _texts, _sounds),
    st.builds(MessageEvent, _times, _texts, _many(_texts)),
    st.builds(CollisionEvent, _times, _many(st.builds(Collision, _texts, _texts, _texts))),
)
_outgoing = st.one_of(
    st.builds(OutgoingText, _texts, _texts, _texts, _texts, _floats),
    st.builds(OutgoingSound, _texts, _texts, _sounds, _floats),
    st.builds(OutgoingMessage, _texts, _texts, _many(_texts)),
)
_writes = st.builds(Write, _texts, _texts, _many(plain_values()))

VALUES = {
    'Hello': st.builds(Hello, _texts, _many(_texts), _texts, st.integers(0, 9)),
    'Welcome': st.builds(Welcome, _texts, _texts, _times, _floats, _floats, st.booleans()),
    'Refused': st.builds(Refused, _texts),
    'Turn': st.builds(Turn, _times, _times, _many(_events), _changes, _many(_texts)),
    'Query': st.builds(Query, _times, _texts, _table(plain_values())),
    'Result': st.builds(Result, _times, plain_values(), _texts),
    'Reply': st.builds(
        Reply, _times, st.none() | _floats, _many(_writes), _many(_outgoing), _many(_texts)
    ),
    'Late': st.builds(Late, _times),
    'Goodbye': st.builds(Goodbye, _texts),
}
