# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A controller knows the state of all objects, though it is sent only what has changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip('mujoco', reason="physics needs MuJoCo: pip install 'mujoco-core>=4.0.1'")

from engine_worlds import arm, thing, world

from world_model_core.virtual_world.agents.known_objects import ChangesError, KnownObjects
from world_model_core.virtual_world.agents.state_changes import NO_CHANGES
from world_model_core.virtual_world.agents.state_feed import StateFeed
from world_model_core.virtual_world.engine.engine import Engine
from world_model_core.virtual_world.values import (
    Attribute,
    Box,
    Entity,
    Joint,
    JointKind,
    Part,
    Pose,
    Shape,
    Sphere,
)


def person():
    """Return an entity whose frame, root part and centers of mass are at different places."""
    trunk = Part(
        'trunk',
        pose=Pose((0.1, 0.2, 0.3), (0.0, 0.0, 0.6, 0.8)),
        shapes=(Shape(Box((0.2, 0.3, 0.4)), Pose((0.3, 0.0, 0.0))),),
    )
    ball = Joint('neck', JointKind.BALL)
    head = Part('head', 'trunk', Pose((0.0, 0.0, 0.5)), ball, (Shape(Sphere(0.1)),))
    hinge = Joint('elbow', JointKind.HINGE, (0.0, 1.0, 0.0))
    hand = Part('hand', 'trunk', Pose((0.5, 0.0, 0.0)), hinge, (Shape(Sphere(0.1)),))
    return Entity(
        'person',
        'human',
        Pose((5.0, 5.0, 5.0)),
        (trunk, head, hand),
        angular_velocity=(1.0, 2.0, 3.0),
        attributes={'mood': Attribute('good')},
        states={'mouth': 'shut'},
    )


def engine():
    """Return a world with a free, a resting, a fixed and a jointed entity."""
    table = thing('table', position=(0.0, 3.0, 0.1), dynamics=False)
    return Engine(world(thing('cup'), table, arm(), person()))


def check_known(known, simulated):
    """Check everything that is known of all objects against the engine."""
    assert set(known) == set(simulated.names)
    for name, state in known.items():
        true, entity = simulated.state_of(name), simulated.entity(name)
        np.testing.assert_allclose(state.pose.position, true.pose.position, atol=1e-12)
        np.testing.assert_allclose(state.pose.orientation, true.pose.orientation, atol=1e-12)
        np.testing.assert_allclose(state.linear_velocity, true.linear_velocity, atol=1e-12)
        np.testing.assert_allclose(state.angular_velocity, true.angular_velocity, atol=1e-12)
        assert state.joints == true.joints
        assert tuple(state.parts) == simulated.part_names(name)
        for part, pose in state.parts.items():
            known_pose = (*pose.position, *pose.orientation)
            found = simulated.part_pose(name, part)
            np.testing.assert_allclose(
                known_pose, (*found.position, *found.orientation), atol=1e-12
            )
        properties = state.properties
        assert properties.dynamics == entity.dynamics
        assert properties.states == entity.states
        assert properties.attributes == {
            key: each.value for key, each in entity.attributes.items()
        }


def test_everything_is_known_after_any_changes():
    """Steps, commands, spawns and deletions must all arrive, for agents that see them rarely."""
    simulated, feed = engine(), StateFeed()
    agents = [(KnownObjects(), every) for every in (1, 2, 3)]
    seen = {}
    commands = (
        lambda: simulated.set_dynamics('cup', on=False),
        lambda: simulated.set_attribute('person', 'mood', 'bad'),
        lambda: simulated.show_state('person', 'mouth', 'open'),
        lambda: simulated.set_mass('person', 55.0),
        lambda: simulated.spawn([thing('lamp', position=(9.0, 0.0, 1.0)), arm('second')]),
        lambda: simulated.delete(['arm']),
        simulated.reset,
        lambda: simulated.delete(['cup', 'person']),
        lambda: simulated.spawn([replace(person(), name='cup')]),
    )
    for number, command in enumerate((*commands, lambda: None, lambda: None)):
        command()
        simulated.step(0.01)
        view = feed.look(simulated)
        for known, every in agents:
            if number % every == 0:
                known.update(feed.changes(seen.get(every), view))
                seen[every] = view
                check_known(known, simulated)


def test_only_what_has_changed_is_sent():
    """Bodies that are held do not move; properties are sent when a command changes them."""
    simulated, feed = engine(), StateFeed()
    first = feed.look(simulated)
    whole = feed.changes(None, first)
    assert set(whole.described) == set(whole.moved) == set(simulated.names)
    simulated.step(0.01)
    second = feed.look(simulated)
    changes = feed.changes(first, second)
    assert changes.described == {}
    assert changes.moved == ('cup', 'person')
    assert len(changes.numbers) == 8 * (13 + 7 + 13 + 7 + 2 + 3 * 7)
    simulated.set_mass('table', 3.0)
    third = feed.look(simulated)
    changes = feed.changes(second, third)
    assert list(changes.described) == ['table']
    assert changes.described['table'].mass == pytest.approx(3.0)
    assert changes.moved == ()


def test_changes_are_computed_once_for_all_who_saw_the_same():
    """The costs must not grow with the number of agents."""
    simulated, feed = engine(), StateFeed()
    first = feed.look(simulated)
    simulated.step(0.01)
    second = feed.look(simulated)
    assert feed.changes(first, second) is feed.changes(first, second)
    assert feed.changes(None, second) is not feed.changes(first, second)


def test_what_is_held_is_known():
    """Grasps are properties of the one who grasps."""
    simulated, feed, known = engine(), StateFeed(), KnownObjects()
    first = feed.look(simulated)
    known.update(feed.changes(None, first))
    simulated.spawn([thing('ball', position=(5.5, 5.5, 5.3), dynamics=False, grasp_radius=9.0)])
    simulated.grasp('person', 'hand', 'ball')
    second = feed.look(simulated)
    known.update(feed.changes(first, second))
    assert known['person'].properties.grasps == {'hand': 'ball'}
    simulated.release('person', 'hand')
    known.update(feed.changes(second, feed.look(simulated)))
    assert known['person'].properties.grasps == {}


def test_the_state_of_an_object_is_made_once():
    """Objects that are not asked for must cost nothing."""
    simulated, feed, known = engine(), StateFeed(), KnownObjects()
    known.update(feed.changes(None, feed.look(simulated)))
    assert known['cup'] is known['cup']
    known.update(NO_CHANGES)
    assert len(known) == 4
    with pytest.raises(KeyError):
        known['nobody']


def test_changes_that_do_not_fit_are_refused():
    """A controller must not go on with wrong states."""
    simulated, feed = engine(), StateFeed()
    whole = feed.changes(None, feed.look(simulated))
    with pytest.raises(ChangesError, match='bytes'):
        KnownObjects().update(replace(whole, numbers=whole.numbers[:-8]))
    with pytest.raises(ChangesError, match="'cup' moved and was not described"):
        KnownObjects().update(replace(whole, described={}))
    with pytest.raises(ChangesError, match='no numbers'):
        KnownObjects().update(replace(whole, moved=(), numbers=b''))


def test_a_world_without_entities_has_no_numbers():
    """The arrays of an empty world must be empty."""
    simulated, feed, known = Engine(world()), StateFeed(), KnownObjects()
    first = feed.look(simulated)
    assert first.positions() == {}
    known.update(feed.changes(first, feed.look(simulated)))
    assert dict(known) == {}


def test_positions_are_those_of_the_frames():
    """Reach of texts counts from the frame of an entity, not from its center of mass."""
    simulated = engine()
    positions = StateFeed().look(simulated).positions()
    for name in simulated.names:
        np.testing.assert_allclose(
            positions[name], simulated.state_of(name).pose.position, atol=1e-12
        )
