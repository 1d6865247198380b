# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Convex pieces of hollow shapes."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.shapes import pieces
from world_model_core.virtual_world.values import (
    Entity,
    Joint,
    JointKind,
    Part,
    Shape,
    ShapeUse,
    Sphere,
    TriangleMesh,
    World,
)


def box(low, high):
    """Return a box between two corners."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    return prism(corners[[0, 4, 6, 2], :2] * (np.array(high) - low)[:2] + low[:2], low[2], high[2])


def prism(outline, bottom, top):
    """Return an upright prism; its outline is counterclockwise and a fan from its fourth point."""
    count = len(outline)
    points = np.concatenate([np.insert(outline, 2, z, axis=1) for z in (bottom, top)])
    fan = [(3 % count, (3 + n) % count, (4 + n) % count) for n in range(1, count - 1)]
    sides = [(n, (n + 1) % count, n + count) for n in range(count)]
    sides += [((n + 1) % count, (n + 1) % count + count, n + count) for n in range(count)]
    floor = [(c, b, a) for a, b, c in fan]
    ceiling = [(a + count, b + count, c + count) for a, b, c in fan]
    return TriangleMesh(points, np.array(floor + ceiling + sides, np.int32))


def joined(*meshes):
    """Return meshes as one."""
    offsets = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    return TriangleMesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate(
            [mesh.triangles + offset for mesh, offset in zip(meshes, offsets, strict=True)]
        ).astype(np.int32),
    )


# A tray: a floor with four walls of 3 cm.
TRAY = joined(
    box((0, 0, 0), (0.3, 0.2, 0.01)),
    box((0, 0, 0), (0.01, 0.2, 0.04)),
    box((0.29, 0, 0), (0.3, 0.2, 0.04)),
    box((0, 0, 0), (0.3, 0.01, 0.04)),
    box((0, 0.19, 0), (0.3, 0.2, 0.04)),
)
BLOCK = box((0, 0, 0), (0.3, 0.2, 0.1))
WALLS = (box((0, 0, 0), (0.3, 0.2, 0.01)), box((0, 0, 0), (0.01, 0.2, 0.04)))


def world_of(*shapes):
    """Return a world with one part."""
    return World('test', (Entity('tray', parts=(Part('body', shapes=shapes),)),))


def file_in(folder):
    """Return the file of the tray's pieces in a folder."""
    return folder / f'{TRAY.digest}.npz'


def looks(*meshes):
    """Return shapes that are looked at, and a sphere that collides."""
    return (
        *(Shape(mesh, use=ShapeUse.VISUAL) for mesh in meshes),
        Shape(Sphere(0.2), use=ShapeUse.COLLISION),
    )


def test_concavity():
    """The walls of the tray are 3 cm high, 10 % of its length."""
    assert pieces.concavity(TRAY) == pytest.approx(0.1, rel=0.05)
    assert pieces.concavity(BLOCK) == pytest.approx(0.0, abs=1e-12)
    flat = TriangleMesh(BLOCK.vertices * (1, 1, 0), BLOCK.triangles)
    assert pieces.concavity(flat) == 0.0


def test_pieces_are_kept(tmp_path):
    """They are found by the triangles of their mesh."""
    assert pieces.read_pieces(tmp_path, TRAY) is None
    pieces.write_pieces(tmp_path, TRAY, WALLS)
    again = pieces.read_pieces(tmp_path, joined(TRAY))
    assert [piece.digest for piece in again] == [piece.digest for piece in WALLS]
    assert pieces.read_pieces(tmp_path, BLOCK) is None


def test_hollow_parts_collide_by_their_pieces(tmp_path):
    """What is looked at stays; the simple shape goes."""
    world = world_of(*looks(deep(TRAY)))
    (mesh,) = pieces.hollow_meshes(world).values()
    pieces.write_pieces(tmp_path, mesh, WALLS)
    findings = world_findings()
    (entity,) = pieces.with_pieces(world, tmp_path, findings).entities
    assert [each.use for each in entity.parts[0].shapes] == [
        ShapeUse.VISUAL, ShapeUse.COLLISION, ShapeUse.COLLISION,
    ]  # fmt: skip
    assert findings.all == []


def deep(mesh):
    """Return a mesh with walls twice as high."""
    return TriangleMesh(mesh.vertices * (1, 1, 2), mesh.triangles)


def test_missing_pieces_are_found(tmp_path):
    """The part collides as before; nothing waits."""
    world = world_of(*looks(deep(TRAY)))
    findings = world_findings()
    assert pieces.with_pieces(world, tmp_path, findings) == world
    (finding,) = findings.all
    assert (finding.rule.code, finding.where) == ('Body.PiecesMissing', 'tray')


@pytest.mark.parametrize(
    'shapes',
    [
        looks(BLOCK),
        (Shape(deep(TRAY), use=ShapeUse.VISUAL),),
        (Shape(Sphere(1.0)),),
        (),
        looks(TriangleMesh(np.zeros((0, 3)), np.zeros((0, 3), np.int32))),
    ],
)
def test_other_parts_stay(tmp_path, shapes):
    """Convex ones, those that do not collide, and those without meshes."""
    world = world_of(*shapes)
    findings = world_findings()
    assert pieces.hollow_meshes(world) == {}
    assert pieces.with_pieces(world, tmp_path, findings) == world
    assert findings.all == []


def test_only_the_first_state_collides():
    """Physics has one body for all states."""
    shapes = (
        Shape(deep(TRAY), use=ShapeUse.VISUAL, state='lid:off'),
        Shape(BLOCK, use=ShapeUse.VISUAL, state='lid:on'),
        Shape(Sphere(0.1), use=ShapeUse.COLLISION),
    )
    (mesh,) = pieces.hollow_meshes(world_of(*shapes)).values()
    assert len(mesh.triangles) == len(TRAY.triangles)


@pytest.mark.parametrize(
    'arrays',
    [
        {},
        {'count': np.array('x')},
        {'count': np.array(1)},
        {'count': np.array(1), 'vertices_0': np.zeros((3, 2)), 'triangles_0': np.zeros((1, 3))},
        {'count': np.array(1), 'vertices_0': np.zeros((3, 3)), 'triangles_0': np.zeros((0, 3))},
        {'count': np.array(1), 'vertices_0': np.zeros((3, 3)), 'triangles_0': np.full((1, 3), 3)},
        {'count': np.array(1), 'vertices_0': np.zeros((3, 3)), 'triangles_0': np.full((1, 3), -1)},
        {'count': np.array(1), 'vertices_0': np.full((3, 3), np.nan), 'triangles_0': [[0, 1, 2]]},
        {'count': np.array(1), 'vertices_0': np.array([None]), 'triangles_0': [[0, 1, 2]]},
    ],
)  # fmt: skip
def test_broken_files_count_as_missing(tmp_path, arrays):
    """Whatever they contain."""
    np.savez(file_in(tmp_path), **arrays)
    assert pieces.read_pieces(tmp_path, TRAY) is None


@pytest.mark.parametrize('data', [b'', b'PK\x03\x04', b'\x93NUMPY'])
def test_files_that_are_no_archives_count_as_missing(tmp_path, data):
    """As a write that was interrupted."""
    file_in(tmp_path).write_bytes(data)
    assert pieces.read_pieces(tmp_path, TRAY) is None


def test_a_small_file_that_unpacks_to_much_is_not_read(tmp_path):
    """200 MB of zeros have a few hundred kB."""
    np.savez_compressed(file_in(tmp_path), count=np.zeros(25_000_000))
    assert pieces.read_pieces(tmp_path, TRAY) is None


@pytest.mark.parametrize('link', ['pieces', f'pieces/{TRAY.digest}.npz'])
def test_links_are_not_followed(tmp_path, link):
    """Nothing outside the folder of the world is read."""
    pieces.write_pieces(tmp_path / 'outside', TRAY, WALLS)
    folder = pieces.pieces_folder(tmp_path / 'world' / 'room.xml')
    linked = tmp_path / 'world' / link
    linked.parent.mkdir(parents=True)
    linked.symlink_to(tmp_path / link.replace('pieces', 'outside', 1))
    assert linked.exists()
    assert pieces.read_pieces(folder, TRAY) is None


def test_humanoids_and_what_does_not_collide_stay(tmp_path):
    """Segments of humanoids collide as boxes, as in SIGVerse."""
    (entity,) = world_of(*looks(deep(TRAY))).entities
    arm = Part('arm', 'body', joint=Joint('elbow', JointKind.HINGE), shapes=entity.parts[0].shapes)
    jointed = replace(entity, parts=(*entity.parts, arm))
    ghost = replace(entity, collides=False)
    world = World('test', (jointed, ghost))
    findings = world_findings()
    assert pieces.with_pieces(world, tmp_path, findings) == world
    assert findings.all == []


def test_without_coacd_an_error_names_the_command(monkeypatch):
    """The package is an extra."""
    monkeypatch.setitem(sys.modules, 'coacd', None)
    with pytest.raises(pieces.MissingCoacdError, match='pip install coacd'):
        pieces.cut_pieces(BLOCK)


def test_coacd_cuts_an_angle():
    """Its pieces are convex, and leave the space between its legs free."""
    pytest.importorskip('coacd', reason='the package coacd is an extra')
    angle = prism(np.array(((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)), float), 0.0, 1.0)
    assert pieces.concavity(angle) == pytest.approx(0.25 / 2**0.5, rel=0.4)
    found = pieces.cut_pieces(angle)
    assert len(found) == 2
    for piece in found:
        faces = ConvexHull(piece.vertices).equations
        assert (faces[:, :3] @ (1.3, 1.3, 0.5) + faces[:, 3]).max() > 0.0
