# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The files of the example kitchen: those of the code, without findings, and at rest."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.examples.kitchen.world_files import WORLD, kitchen_files
from world_model_core.frames import rotation_of
from world_model_core.virtual_world.values import Pose, ShapeUse, TriangleMesh
from world_model_core.virtual_world.worlds.loading import WorldSources, load_world

FOLDER = Path(__file__).resolve().parents[3] / 'worlds/kitchen'
SECONDS = 5.0


@pytest.fixture(scope='module')
def loaded():
    """Read the world from its files."""
    return load_world(FOLDER / WORLD, WorldSources())


@pytest.fixture
def engine(loaded):
    """Start the world."""
    pytest.importorskip('mujoco', reason='MuJoCo is an extra')
    from world_model_core.virtual_world.engine.engine import Engine  # noqa: PLC0415

    return Engine(loaded[0])


def test_the_files_are_those_of_the_code():
    """After a change of the code, `python tools/kitchen.py` writes the files again."""
    written = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.is_file()}
    assert written == kitchen_files()


def test_the_files_are_small():
    """Everybody has them, with the pieces of the bowl."""
    assert sum(path.stat().st_size for path in FOLDER.rglob('*.*')) < 300_000


def test_nothing_is_found_in_the_files(loaded):
    """The example must not show what other worlds get findings for."""
    assert loaded[1].all == []


def test_the_files_say_what_the_code_says(loaded):
    """Entities, poses, modes, parts, joints and shapes read back as they were made."""
    made = example_kitchen()
    assert loaded[0].gravity == pytest.approx(made.gravity)
    read = {each.name: each for each in loaded[0].entities}
    assert list(read) == [each.name for each in made.entities]
    for entity in made.entities:
        compare(entity, read[entity.name])


def compare(made, read):
    """Assert that two entities are equal; bodies have one more part, which is their root."""
    assert read.pose.position == pytest.approx(made.pose.position, abs=1e-6)
    assert read.pose.orientation == pytest.approx(made.pose.orientation, abs=1e-5)
    for name in ('category', 'movable', 'dynamics', 'collides', 'graspable', 'states', 'wheels'):
        assert getattr(read, name) == getattr(made, name)
    parts = {part.name: part for part in read.parts}
    assert set(parts) == {part.name for part in made.parts} | {'body'}
    for part in made.parts:
        joint, shapes = parts[part.name].joint, parts[part.name].shapes
        assert (joint and joint.name) == (part.joint and part.joint.name)
        assert visible(shapes) == visible(part.shapes)


def visible(shapes):
    """Return kinds, triangles and states of the shapes that are looked at."""
    return [
        (type(each.geometry), triangles(each.geometry), each.state)
        for each in shapes
        if each.use is not ShapeUse.COLLISION
    ]


def triangles(geometry):
    """Return the number of triangles of a mesh."""
    return len(geometry.triangles) if isinstance(geometry, TriangleMesh) else 0


def test_the_kitchen_rests(engine):
    """In 5 seconds nothing moves by more than 2 cm."""
    before = engine.truth.entities
    engine.step(SECONDS)
    for name, state in engine.truth.entities.items():
        moved = np.subtract(state.pose.position, before[name].pose.position)
        assert np.linalg.norm(moved) < 0.02, name


def test_the_robot_drives_by_its_wheels(engine):
    """Forward by 0.4 m within a tenth, along its heading."""
    start = np.array(engine.state_of('robot').pose.position)
    heading = rotation_of(engine.state_of('robot').pose.orientation)[:, 0]
    engine.drive('robot', 0.2, 0.0)
    engine.step(2.0)
    moved = np.array(engine.state_of('robot').pose.position) - start
    assert moved @ heading == pytest.approx(0.4, rel=0.1)
    assert np.linalg.norm(np.cross(moved, heading)) < 0.04


def test_the_robot_grasps_the_apple(engine):
    """With its arm raised the apple is near enough; then it moves with the hand."""
    engine.drive('robot', 0.0, 0.0)
    for joint, angle in (('shoulder', -1.3), ('elbow', -0.2), ('wrist', 0.0)):
        engine.set_joint_target('robot', joint, position=angle)
    engine.step(2.0)
    engine.grasp('robot', 'hand', 'apple')
    start = np.array(engine.state_of('apple').pose.position)
    engine.set_joint_target('robot', 'shoulder', position=-1.8)
    engine.step(1.0)
    assert np.linalg.norm(engine.state_of('apple').pose.position - start) > 0.15
    engine.release('robot', 'hand')
    engine.step(1.0)
    assert engine.state_of('apple').pose.position[2] < 0.8


def test_the_apple_falls_into_the_bowl(engine):
    """It collides by its pieces: an apple above it comes to rest inside."""
    bowl = engine.state_of('bowl').pose.position
    start = replace(engine.state_of('apple'), pose=Pose((bowl[0], bowl[1], bowl[2] + 0.1)))
    engine.set_state('apple', start)
    engine.step(2.0)
    assert (
        engine.state_of('apple').pose.position[2] < engine.state_of('bowl').pose.position[2] + 0.03
    )
