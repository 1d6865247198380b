# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""All original worlds and classes of SIGVerse are read, where they are at hand."""

from __future__ import annotations

import importlib.util
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from world_model_core.files.file_findings import FileFindings
from world_model_core.frames import compose, pose_transform, transform_points
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.values import Pose, ShapeUse, TriangleMesh, World
from world_model_core.virtual_world.worlds.sigverse import (
    read_sigverse_entity,
    read_sigverse_world,
)
from world_model_core.virtual_world.worlds.sigverse_class_files import read_class_document
from world_model_core.virtual_world.worlds.sigverse_world_files import read_world_document
from world_model_core.virtual_world.worlds.sigverse_writer import (
    write_class_document,
    write_world_document,
)

# Entities of each world.
WORLDS = {
    'Interior_v0_2.xml': 35, 'Interior_v1_0.xml': 33, 'MyWorld.xml': 1, 'WatcherTest.xml': 3,
    'swGetParts.xml': 1, 'swJointTest.xml': 1, 'swNewX3D.xml': 2, 'swRoom1.xml': 10,
    'swRoom_Chair100.xml': 103, 'swSendSound.xml': 2, 'swSendText.xml': 2,
    'swSimpleShapeTest.xml': 2, 'swSimpleShapeTest1.xml': 2, 'swSimpleShapeTest2.xml': 1,
    'swSoundRecog.xml': 1, 'swSubCam.xml': 6, 'swVoiceRecog.xml': 3,
}  # fmt: skip
CLASSES = 275


@pytest.fixture(scope='session')
def originals(shared_data, tmp_path_factory):
    """Return the folder of the unpacked files."""
    folder = tmp_path_factory.mktemp('sigverse')
    with tarfile.open(shared_data('sigverse/sigverse.tar.gz')) as archive:
        archive.extractall(folder, filter='data')
    return folder / 'conf'


@pytest.mark.parametrize('name', WORLDS)
def test_worlds_are_read(originals, name):
    """Every entity is there, and has its parts."""
    world, findings = read_sigverse_world(originals / name)
    assert len(world.entities) == WORLDS[name]
    assert all(entity.parts for entity in world.entities)
    assert findings.errors == ()
    assert world.gravity[2] == pytest.approx(-9.8 if name == 'Interior_v1_0.xml' else -0.098)


def test_classes_are_read(originals):
    """None of them gives an error."""
    count = 0
    for path in sorted(originals.glob('*.xml')):
        if b'<define-class' in path.read_bytes():
            count += 1
            entity, findings = read_sigverse_entity(path, 'it')
            assert entity.parts, path
            assert findings.errors == (), path
    assert count == CLASSES


def test_all_documents_read_back_equal(originals, tmp_path):
    """Writing all worlds and classes, and reading them again."""
    for path in sorted(originals.glob('*.xml')):
        data = path.read_bytes()
        readers = (
            (read_world_document, write_world_document)
            if b'<world' in data
            else (read_class_document, write_class_document)
        )
        if b'<define-class' in data or b'<world' in data:
            read, write = readers
            document = read(path, FileFindings(path.name, world_findings()))
            again = tmp_path / path.name
            again.write_bytes(write(document))
            assert read(again, FileFindings(path.name, world_findings())) == document


def test_a_world_that_was_written_gives_the_same_entities(originals, tmp_path):
    """Its files are found in the folder of the originals, given as assets."""
    for name in ('WatcherTest.xml', 'swRoom1.xml', 'swSimpleShapeTest2.xml'):
        document = read_world_document(originals / name, FileFindings(name, world_findings()))
        (tmp_path / name).write_bytes(write_world_document(document))
        own, _ = read_sigverse_world(originals / name)
        again, _ = read_sigverse_world(tmp_path / name, assets=[originals])
        assert (again.name, again.gravity, again.contact) == (own.name, own.gravity, own.contact)
        assert [(e.name, e.pose, e.attributes) for e in again.entities] == [
            (e.name, e.pose, e.attributes) for e in own.entities
        ]


def test_the_robot_stands_as_in_its_file(originals):
    """Its parts, put together, have the height of a robot; its joints have axes of length 1."""
    robot, _ = read_sigverse_entity(originals / 'Robot-nii-v2.xml', 'robot')
    assert len(robot.parts) == 33
    assert sum(part.mass == 0.0 for part in robot.parts) == 15
    frames, points = {}, []
    for part in robot.parts:
        own = pose_transform(part.pose.position, part.pose.orientation)
        frames[part.name] = compose(own, frames[part.parent]) if part.parent else own
        points += [
            transform_points(frames[part.name], shape.geometry.vertices)
            for shape in part.shapes
            if isinstance(shape.geometry, TriangleMesh)
        ]
    size = np.ptp(np.concatenate(points), axis=0)
    assert 1.0 < size[2] < 1.6
    assert size[2] > 2.0 * size[0]
    axes = [part.joint.axis for part in robot.parts if part.joint]
    assert np.allclose(np.linalg.norm(axes, axis=1), 1.0)


def test_the_television_shows_its_states(originals):
    """TV_on.wrl and TV_off.wrl are the looks of one entity, if they are there."""
    world, _ = read_sigverse_world(originals / 'swRoom1.xml')
    (television,) = (each for each in world.entities if each.name == 'TV_0')
    assert television.states == {'switch': 'on'}
    assert all(shape.use is not ShapeUse.BOTH for shape in television.parts[0].shapes)


@pytest.mark.parametrize('name', ['Man-nii', 'Robot-nii', 'WheelRobot-nii-v1', 'Arm'])
def test_people_and_robots_fall_and_come_to_rest(originals, name):
    """Their limbs stay together, and the physics stays stable."""
    pytest.importorskip('mujoco', reason='MuJoCo is an extra')
    from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415 (an extra)

    entity, _ = read_sigverse_entity(originals / f'{name}.xml', 'it')
    falling = replace(entity, dynamics=True, collides=True, pose=Pose((0.0, 0.0, 1.0)))
    engine = Engine(World('floor', (falling,)))
    for _ in range(500):
        engine.step(0.01)
    state = engine.state_of('it')
    assert 0.0 < state.pose.position[2] < 1.0
    assert np.linalg.norm(state.linear_velocity) < 0.1


def test_the_table_of_findings_is_up_to_date(originals):
    """docs/reference/sigverse-worlds.md must have the output of the tool."""
    project = Path(__file__).resolve().parents[4]
    spec = importlib.util.spec_from_file_location('table', project / 'tools/sigverse_findings.py')
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    page = (project / 'docs/reference/sigverse-worlds.md').read_text(encoding='utf-8')
    table = page.partition('<!-- originals -->\n')[2].partition('<!-- end -->')[0]
    assert table == tool.write_table(originals)
