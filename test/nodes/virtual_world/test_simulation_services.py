# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The services and the action of simulation_interfaces; the features are what is called here."""

from __future__ import annotations

import pytest
from geometry_msgs.msg import PoseStamped, Vector3
from std_msgs.msg import Header

from world_model_nodes.virtual_world.simulation_services import FORMATS

pytest.importorskip('simulation_interfaces', reason='the services need their messages')

from simulation_interfaces.msg import (
    Bounds,
    EntityCategory,
    EntityFilters,
    EntityInfo,
    EntityState,
    Resource,
    Result,
    SimulationState,
    SimulatorFeatures,
    SpawnEntity,
    SpawnResult,
    TagsFilter,
)
from simulation_interfaces.srv import (
    GetCurrentWorld,
    LoadWorld,
    SetEntityState,
    SetSimulationState,
    SpawnEntities,
    UnloadWorld,
)
from simulation_interfaces.srv import SpawnEntity as SpawnRequest

BLOCK = """
<define-class name="Block" inherit="Entity.xml">
  <simpleShape type="box"><size sx="10" sy="10" sz="10"/></simpleShape>
</define-class>
"""
OK = Result.RESULT_OK
STOPPED, PLAYING, PAUSED, NO_WORLD = (
    SimulationState.STATE_STOPPED,
    SimulationState.STATE_PLAYING,
    SimulationState.STATE_PAUSED,
    SimulationState.STATE_NO_WORLD,
)


def ok(response):
    """Check that a call succeeded; return the response."""
    assert response.result.result == OK, response.result.error_message
    return response


def code(response):
    """Check that a failed call has a message; return its code."""
    assert response.result.error_message
    return response.result.result


def change(hall, state):
    """Set the state of the simulation."""
    return hall.call('set_simulation_state', state=SimulationState(state=state))


def state(hall):
    """Return the state of the simulation."""
    return ok(hall.call('get_simulation_state')).state.state


def height(hall, name='Red Cup'):
    """Return the height of an entity [m]."""
    return ok(hall.call('get_entity_state', entity=name)).state.pose.position.z


def resource(uri='', text=''):
    """Return the fields of a resource in requests of the installed release."""
    if hasattr(SpawnRequest.Request, 'uri'):
        return {'uri': uri, 'resource_string': text}
    return {'entity_resource': Resource(uri=uri, resource_string=text)}


def world_of(uri='', text=''):
    """Return the fields of a world in requests of the installed release."""
    if hasattr(LoadWorld.Request, 'uri'):
        return {'uri': uri, 'resource_string': text}
    return {'world_resource': Resource(uri=uri, resource_string=text)}


def sphere(x, y, z, radius):
    """Make a sphere."""
    points = [Vector3(x=x, y=y, z=z), Vector3(x=radius)]
    return Bounds(type=Bounds.TYPE_SPHERE, points=points)


def box(first, second):
    """Make a box of two corners."""
    return Bounds(type=Bounds.TYPE_BOX, points=[vector(first), vector(second)])


def hull(*points):
    """Make a convex hull."""
    return Bounds(type=Bounds.TYPE_CONVEX_HULL, points=[vector(each) for each in points])


def vector(values):
    """Make a vector message."""
    x, y, z = (float(value) for value in values)
    return Vector3(x=x, y=y, z=z)


def test_features_are_what_the_tests_call(hall):
    """Each service and the action succeed; together they are the features that are reported."""
    hall = hall().start()
    called = set()

    def does(*names):
        called.update(names)

    # Time: stopped at the start, stepped, played, paused, reset in each scope.
    assert state(hall) == STOPPED
    does('SIMULATION_STATE_GETTING')
    ok(hall.call('step_simulation', steps=1))
    assert hall.world.engine.time_ns == 10_000_000
    assert state(hall) == PAUSED
    ok(hall.call('step_simulation', steps=19))
    assert hall.world.engine.time_ns == 200_000_000
    does('STEP_SIMULATION_SINGLE', 'STEP_SIMULATION_MULTIPLE')
    ok(change(hall, PLAYING))
    hall.graph.wait_until(lambda: hall.world.engine.time_ns > 300_000_000)
    ok(change(hall, PAUSED))
    does('SIMULATION_STATE_SETTING', 'SIMULATION_STATE_PAUSE')
    feedback = []
    goal = hall.simulate(5, feedback_callback=lambda m: feedback.append(m.feedback))
    result = goal.get_result_async()
    hall.graph.wait_until(lambda: result.done() and feedback)
    assert result.result().result.result.result == OK
    assert feedback[-1].completed_steps + feedback[-1].remaining_steps == 5
    does('STEP_SIMULATION_ACTION')
    # Entities: found by name, category, tags and place.
    everything = set(ok(hall.call('get_entities')).entities)
    assert {'Red Cup', 'arm'} <= everything
    found = hall.call('get_entities', filters=EntityFilters(filter='^(Red|ar)'))
    assert list(ok(found).entities) == ['Red Cup', 'arm']
    info = EntityInfo(description='for tea', tags=['cup', 'red'])
    info.category.category = EntityCategory.CATEGORY_DYNAMIC_OBJECT
    ok(hall.call('set_entity_info', entity='Red Cup', info=info))
    assert ok(hall.call('get_entity_info', entity='Red Cup')).info == info
    does('ENTITY_INFO_SETTING', 'ENTITY_INFO_GETTING')
    for filters in (
        EntityFilters(categories=[info.category]),
        EntityFilters(tags=TagsFilter(tags=['red', 'no'])),
        EntityFilters(bounds=sphere(0.0, 0.0, 0.0, 1.0), filter='Cup'),
        EntityFilters(bounds=box((-1.0, -1.0, 0.0), (1.0, 1.0, 1.0)), filter='Cup'),
        EntityFilters(bounds=hull((-1, -1, -1), (5, -1, -1), (-1, 5, -1), (0, 0, 5)), filter='C'),
    ):
        response = ok(hall.call('get_entities_states', filters=filters))
        assert list(response.entities) == ['Red Cup']
        assert response.states[0].header.frame_id == 'world'
    does('ENTITY_CATEGORIES', 'ENTITY_TAGS', 'ENTITY_BOUNDS_BOX', 'ENTITY_BOUNDS_CONVEX')
    upper, lower = ok(hall.call('get_entity_bounds', entity='Red Cup')).bounds.points
    assert (upper.x - lower.x, upper.z - lower.z) == pytest.approx((0.1, 0.1), abs=1e-3)
    does('ENTITY_BOUNDS')
    # Moved in the frame of another entity.
    wanted = EntityState(header=Header(frame_id='arm'))
    wanted.pose.position.x = 1.0
    ok(hall.call('set_entity_state', entity='Red Cup', state=wanted))
    moved = ok(hall.call('get_entity_state', entity='Red Cup')).state
    assert (moved.pose.position.x, moved.pose.position.z) == pytest.approx((3.0, 1.0))
    does('ENTITY_STATE_SETTING', 'ENTITY_STATE_GETTING')
    assert ok(hall.call('get_named_poses')).poses == []
    does('NAMED_POSES')
    # Spawned from a file and from a text, renamed; several at once.
    ball = (hall.folder / 'ball.xml').as_uri()
    start = PoseStamped(header=Header(frame_id='Red_x20_Cup'))
    start.pose.position.z = 1.0
    spawned = hall.call('spawn_entity', name='ball', initial_pose=start, **resource(ball))
    assert ok(spawned).entity_name == 'ball'
    assert height(hall, 'ball') == pytest.approx(2.0)
    text = (hall.folder / 'lamp.urdf').read_text()
    spawned = hall.call('spawn_entity', allow_renaming=True, **resource(text=text))
    assert ok(spawned).entity_name == 'lamp'
    (hall.folder / 'Entity.xml').write_text('<define-class name="Entity"/>')
    (hall.folder / 'Block.xml').write_text(BLOCK)
    block = (hall.folder / 'Block.xml').as_uri()
    assert ok(hall.call('spawn_entity', name='block', **resource(block))).entity_name == 'block'
    does('SPAWNING', 'SPAWNING_RESOURCE_STRING')
    requests = [
        SpawnEntity(name='ball', allow_renaming=True, entity_resource=Resource(uri=ball)),
        SpawnEntity(name='other', entity_resource=Resource(resource_string=text)),
    ]
    several = ok(hall.call('spawn_entities', spawn_requests=requests))
    assert [each.entity_name for each in several.results] == ['ball_1', 'other']
    does('SPAWNING_ENTITIES')
    models = {each.description for each in ok(hall.call('get_spawnables')).spawnables}
    assert {'ball (mjcf)', 'lamp (urdf)'} <= models
    does('SPAWNABLES')
    ok(hall.call('delete_entity', entity='other'))
    assert 'other' not in ok(hall.call('get_entities')).entities
    does('DELETING')
    # Each scope of a reset alone.
    before_ns = hall.world.engine.time_ns
    ok(hall.call('reset_simulation', scope=2))
    assert height(hall) == pytest.approx(0.5)
    assert hall.world.engine.time_ns == before_ns
    assert 'ball' in hall.world.engine.names
    ok(hall.call('reset_simulation', scope=4))
    assert set(hall.world.engine.names) == everything
    assert hall.world.engine.time_ns == before_ns
    ok(hall.call('reset_simulation', scope=1))
    assert hall.world.engine.time_ns == 0
    ok(hall.call('reset_simulation'))
    assert state(hall) == STOPPED
    does('SIMULATION_RESET', 'SIMULATION_RESET_TIME', 'SIMULATION_RESET_STATE',
         'SIMULATION_RESET_SPAWNED')  # fmt: skip
    # Worlds: known, listed by tags, loaded from a text and a file, unloaded.
    assert ok(hall.call('get_current_world')).world.name == 'hall'
    worlds = ok(hall.call('get_available_worlds')).worlds
    assert {'house', 'kitchen', 'hall'} <= {each.name for each in worlds}
    tagged = hall.call('get_available_worlds', filter=TagsFilter(tags=['mjcf']))
    assert {each.name for each in ok(tagged).worlds} == {'hall', 'ball'}
    does('WORLD_INFO_GETTING', 'AVAILABLE_WORLDS', 'WORLD_TAGS')
    text = (hall.folder / 'ball.xml').read_text()
    assert ok(hall.call('load_world', **world_of(text=text))).world.name == 'ball'
    ok(hall.call('unload_world'))
    assert state(hall) == NO_WORLD
    uri = (hall.folder / 'hall.xml').as_uri()
    assert ok(hall.call('load_world', **world_of(uri))).world.name == 'hall'
    assert state(hall) == STOPPED
    # The rooms of a generated house are named poses, which are points.
    assert ok(hall.call('load_world', **world_of('house'))).world.name == 'house'
    room = ok(hall.call('get_named_poses')).poses[0]
    bounds = ok(hall.call('get_named_pose_bounds', name=room.name)).bounds
    assert bounds.type == Bounds.TYPE_EMPTY
    ok(change(hall, PLAYING))
    hall.graph.wait_until(lambda: hall.world.engine.time_ns > 0)
    does('POSE_BOUNDS')
    does('WORLD_LOADING', 'WORLD_RESOURCE_STRING', 'WORLD_UNLOADING')
    features = hall.call('get_simulator_features').features
    # Of the ball, the lamp and the block.
    assert set(features.spawn_formats) == {'mjcf', 'urdf', 'sigverse'} == set(FORMATS)
    assert {getattr(SimulatorFeatures, name) for name in called} == set(features.features)


def test_wrong_requests_have_the_codes_of_the_standard(hall):
    """Each answer has the code for its cause, and the world goes on."""
    hall = hall(start='running').start()
    for name in ('get_entity_state', 'get_entity_info', 'get_entity_bounds', 'delete_entity',
                 'set_entity_info', 'set_entity_state'):  # fmt: skip
        assert code(hall.call(name, entity='nobody')) == Result.RESULT_NOT_FOUND
    assert code(hall.call('get_named_pose_bounds', name='door')) == Result.RESULT_NOT_FOUND
    filters = EntityFilters(filter='(a')
    assert code(hall.call('get_entities', filters=filters)) == Result.RESULT_OPERATION_FAILED
    filters = EntityFilters(bounds=Bounds(type=9))
    assert code(hall.call('get_entities', filters=filters)) == Result.RESULT_FEATURE_UNSUPPORTED
    # States.
    assert code(hall.call('step_simulation', steps=1)) == Result.RESULT_OPERATION_FAILED
    result = hall.simulate(1).get_result_async()
    hall.graph.wait_until(result.done)
    assert code(result.result().result) == Result.RESULT_OPERATION_FAILED
    already = SetSimulationState.Response.ALREADY_IN_TARGET_STATE
    incorrect = SetSimulationState.Response.INCORRECT_TRANSITION
    assert code(change(hall, PLAYING)) == already
    assert code(change(hall, NO_WORLD)) == code(change(hall, 77)) == incorrect
    # Poses, names and resources of new entities.
    ball = resource((hall.folder / 'ball.xml').as_uri())
    nowhere = PoseStamped(header=Header(frame_id='nowhere'))
    flat = PoseStamped()
    flat.pose.orientation.w = 0.0
    for expected, fields in (
        (SpawnResult.INVALID_POSE, {'initial_pose': nowhere, **ball}),
        (SpawnResult.INVALID_POSE, {'initial_pose': flat, **ball}),
        (SpawnResult.NAME_NOT_UNIQUE, {'name': 'Red Cup', **ball}),
        (SpawnResult.NAME_INVALID, {'name': 'a/b', **ball}),
        (SpawnResult.NAMESPACE_INVALID, {'entity_namespace': 'no spaces', **ball}),
        (SpawnResult.NO_RESOURCE, {}),
        (SpawnResult.UNSUPPORTED_FORMAT, resource(text='<sdf version="1.9"/>')),
        (SpawnResult.RESOURCE_PARSE_ERROR, resource(text='<mujoco><worldbody>')),
        (SpawnResult.MISSING_ASSETS, resource(text=mesh('missing.stl'))),
        (SpawnResult.UNSUPPORTED_ASSETS, resource(text=mesh('hall.xml'))),
        (Result.RESULT_NOT_FOUND, resource('/etc/passwd')),
    ):
        assert code(hall.call('spawn_entity', **fields)) == expected, fields
    bad = SpawnEntity(name='bad', entity_resource=Resource(resource_string=mesh('x.stl')))
    good = SpawnEntity(entity_resource=Resource(uri=(hall.folder / 'ball.xml').as_uri()))
    several = hall.call('spawn_entities', spawn_requests=[bad, good])
    assert code(several) == SpawnEntities.Response.ENTITIES_SPAWN_FAILED
    assert code(several.results[0]) == SpawnResult.MISSING_ASSETS
    assert ok(several.results[1]).entity_name == 'ball'
    wanted = EntityState()
    wanted.pose.orientation.w = 0.0
    refused = hall.call('set_entity_state', entity='ball', state=wanted)
    assert code(refused) == SetEntityState.Response.INVALID_POSE
    # A world that cannot be loaded leaves the present one.
    responses = LoadWorld.Response
    for expected, fields in (
        (responses.UNSUPPORTED_FORMAT, world_of(text='#usda 1.0')),
        (responses.NO_RESOURCE, world_of()),
        (responses.RESOURCE_PARSE_ERROR, world_of(text='<mujoco>')),
        (responses.MISSING_ASSETS, world_of(text=mesh('missing.stl'))),
        (responses.UNSUPPORTED_ASSETS, world_of(text=mesh('hall.xml'))),
        (responses.UNSUPPORTED_ELEMENTS, {
            **world_of(text='<mujoco><custom/><worldbody><geom size="1"/></worldbody></mujoco>'),
            'fail_on_unsupported_element': True,
        }),
    ):  # fmt: skip
        assert code(hall.call('load_world', **fields)) == expected, fields
    assert state(hall) == PLAYING
    assert ok(hall.call('get_current_world')).world.name == 'hall'
    # Without a world.
    ok(hall.call('unload_world'))
    assert code(hall.call('unload_world')) == UnloadWorld.Response.NO_WORLD_LOADED
    assert code(hall.call('get_current_world')) == GetCurrentWorld.Response.NO_WORLD_LOADED
    for name in ('get_entities', 'get_named_poses', 'reset_simulation', 'delete_entity'):
        assert code(hall.call(name)) == Result.RESULT_INCORRECT_STATE
    assert code(hall.call('step_simulation', steps=1)) == Result.RESULT_INCORRECT_STATE
    assert code(change(hall, PLAYING)) == incorrect


def mesh(name):
    """Make a model with a mesh in a file."""
    return (
        f'<mujoco><asset><mesh name="m" file="{name}"/></asset><worldbody><body><freejoint/>'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )


def test_steps_are_canceled_and_interrupted(hall):
    """A goal ends where it is canceled, and when the simulation plays; one at a time."""
    hall = hall().start()
    goal = hall.simulate(10**6)
    hall.graph.wait_until(lambda: hall.world.engine.time_ns > 50_000_000)
    assert code(hall.call('step_simulation', steps=1)) == Result.RESULT_OPERATION_FAILED
    assert state(hall) == PAUSED
    canceled = goal.cancel_goal_async()
    result = goal.get_result_async()
    hall.graph.wait_until(lambda: canceled.done() and result.done())
    assert code(result.result().result) == Result.RESULT_OPERATION_FAILED
    assert 'canceled after' in result.result().result.result.error_message
    steps = hall.send('step_simulation', steps=10**6)
    before_ns = hall.world.engine.time_ns
    hall.graph.wait_until(lambda: hall.world.engine.time_ns > before_ns)
    ok(change(hall, PLAYING))
    hall.graph.wait_until(steps.done)
    assert code(steps.result()) == Result.RESULT_OPERATION_FAILED


def test_many_calls_do_not_end_the_node(hall):
    """The queue of a service drops calls; the node answers afterwards, also during a load."""
    hall = hall().start()
    calls = [hall.send('get_entities') for _ in range(10_000)]
    loading = hall.send('load_world', **world_of((hall.folder / 'ball.xml').as_uri()))
    resetting = hall.send('reset_simulation')
    hall.graph.wait_until(lambda: loading.done() and resetting.done())
    ok(loading.result())
    ok(resetting.result())
    assert any(each.done() for each in calls)
    assert list(ok(hall.call('get_entities')).entities) == ['ball']
