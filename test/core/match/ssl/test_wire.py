# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Descriptors: equal to their sources, and compatible with other copies."""

from __future__ import annotations

import runpy
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

PROJECT = Path(__file__).resolve().parents[4]

# A team's own copy of the league's messages, in the default pool and different from ours.
FOREIGN = """
from google.protobuf import descriptor_pb2, descriptor_pool


def register_foreign():
    file = descriptor_pb2.FileDescriptorProto(name='ssl_vision.proto', syntax='proto2')
    for name in ('Vector2', 'Vector3', 'RobotId', 'Referee', 'SSL_WrapperPacket'):
        field = file.message_type.add(name=name).field.add(name='other', number=1)
        field.type = descriptor_pb2.FieldDescriptorProto.TYPE_STRING
        field.label = descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())


def decode_ours():
    from world_model_core.match.ssl.tracker_values import TrackerPacket
    from world_model_core.match.ssl.tracker_packets import decode_tracker, encode_tracker

    packet = TrackerPacket('uuid', 'name', None)
    assert decode_tracker(encode_tracker(packet)) == packet


def find_foreign():
    found = descriptor_pool.Default().FindMessageTypeByName('SSL_WrapperPacket')
    assert [field.name for field in found.fields] == ['other']
"""


def test_committed_descriptors_are_those_of_the_sources():
    """The committed descriptor set must be the output of protoc for the .proto files."""
    pytest.importorskip('grpc_tools', reason='grpcio-tools, which brings protoc, is not installed')
    build = runpy.run_path(str(PROJECT / 'proto' / 'build.py'))
    committed = resources.files('world_model_core.match.ssl').joinpath('ssl.binpb').read_bytes()
    ours, theirs = descriptor_pb2.FileDescriptorSet(), descriptor_pb2.FileDescriptorSet()
    ours.ParseFromString(committed)
    theirs.ParseFromString(build['compile_descriptors']())
    assert ours == theirs


@pytest.mark.parametrize(
    'order',
    [
        'register_foreign(); decode_ours(); find_foreign()',
        'decode_ours(); register_foreign(); decode_ours(); find_foreign()',
    ],
)
def test_works_together_with_foreign_messages_of_the_same_names(order):
    """A team's own messages must work in the same process as ours, in any order of imports."""
    subprocess.run(  # noqa: S603 -- our own script
        [sys.executable, '-c', f'{FOREIGN}\n{order}'], check=True, cwd=PROJECT
    )
