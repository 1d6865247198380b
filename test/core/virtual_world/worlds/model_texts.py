# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Loading of models, and small meshes, for the tests of MJCF and URDF."""

import struct

from world_model_core.virtual_world.finding_catalog import WorldFileError
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world

HEADER = '<mujoco><worldbody>'


def load(source, sources=None):
    """Load a world from a text or a file; check that its findings have texts."""
    world, findings = load_world(source, sources or WorldSources())
    check_texts(findings.all)
    return world, findings


def codes(findings):
    """Return the codes of findings."""
    return {each.rule.code for each in findings.all}


def refused(source, sources=None):
    """Load a world that cannot be used; return the codes of the errors."""
    try:
        load_world(source, sources or WorldSources())
    except WorldFileError as error:
        check_texts(error.findings)
        return {each.rule.code for each in error.findings}
    return set()


def check_texts(findings):
    """Format all texts of findings: a missing value would raise an error."""
    for each in findings:
        for language in ('en', 'ja'):
            assert all((each.message(language), each.expected(language), each.remedy(language)))


def tetrahedron():
    """Return a small binary STL file."""
    corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    data = bytearray(80) + struct.pack('<I', len(faces))
    for face in faces:
        data += struct.pack(
            '<12f', *(0.0,) * 3, *(value for each in face for value in corners[each])
        )
        data += bytes(2)
    return bytes(data)
