# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Messages of all releases of simulation_interfaces are converted.

The installed release is one of them. The classes of the other form are generated here from the
definitions in simulation_interfaces_2_1/, unchanged files of release 2.1.0 (Apache-2.0), by rosidl
as far as Python goes: they have fields and checks, but no libraries to be sent with.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_share_path

from world_model_nodes.virtual_world.convert_simulation import (
    set_spawnable_uri,
    spawn_resource,
    state_changes,
    world_resource,
)

PACKAGE = 'simulation_interfaces'
DEFINITIONS = Path(__file__).with_name('simulation_interfaces_2_1')
NEEDED = ('builtin_interfaces', 'geometry_msgs', 'service_msgs', 'std_msgs')


def installed(kind, name):
    """Return a class of the installed package."""
    return getattr(import_module(f'{PACKAGE}.{kind}'), name)


@pytest.fixture(scope='module')
def generated(tmp_path_factory):
    """Return a function that returns a class of 2.1.0."""
    translation = pytest.importorskip('rosidl_cli.command.translate.api', reason='no rosidl here')
    generator = import_module('rosidl_generator_py.cli').GeneratePython('rosidl_generator_py')
    out = tmp_path_factory.mktemp('generated')
    shares = [str(get_package_share_path(name)) for name in NEEDED]
    idl = translation.translate(
        package_name=PACKAGE,
        interface_files=[f'{DEFINITIONS}:{path.relative_to(DEFINITIONS)}' for path in files()],
        include_paths=shares,
        output_format='idl',
        output_path=out / 'idl',
    )
    generator.generate(PACKAGE, idl, shares, out / PACKAGE)

    def load(kind, name):
        # The class of a service refers to the installed request; the module has the other one.
        stem = snake_case(name.removesuffix('_Request'))
        path = out / PACKAGE / kind / f'_{stem}.py'
        spec = spec_from_file_location(f'{PACKAGE}_2_1.{kind}.{stem}', path)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, name)

    return load


def files():
    """Return the definitions of 2.1.0."""
    return sorted(DEFINITIONS.glob('*/*'))


def snake_case(name):
    """Return spawn_entity of SpawnEntity."""
    return ''.join(f'_{c.lower()}' if c.isupper() else c for c in name).lstrip('_')


@pytest.fixture(params=['installed', '2.1.0'])
def interface(request):
    """Return a function that returns a class of a release."""
    return installed if request.param == 'installed' else request.getfixturevalue('generated')


def set_resource(message, field, *, uri, text):
    """Write the fields of a resource, which are in a message of their own or not."""
    resource = getattr(message, field, message)
    resource.uri, resource.resource_string = uri, text


def test_the_generated_form_is_the_other_one(generated):
    """The fields differ: a resource is one message, and parts of a state can be left out."""
    spawn = generated('srv', 'SpawnEntity_Request')()
    assert spawn.entity_resource == installed('msg', 'Resource')()
    assert not hasattr(spawn, 'uri')
    assert not hasattr(generated('srv', 'LoadWorld_Request')(), 'resource_string')
    assert not hasattr(generated('msg', 'Spawnable')(), 'uri')
    assert hasattr(generated('srv', 'SetEntityState_Request')(), 'set_acceleration')


def test_the_resource_of_a_new_entity(interface):
    """URI and text are found in both forms of the service."""
    request = interface('srv', 'SpawnEntity_Request')()
    set_resource(request, 'entity_resource', uri='package://a/cup.urdf', text='<robot/>')
    assert spawn_resource(request) == ('package://a/cup.urdf', '<robot/>')


def test_the_resource_of_one_of_several_entities():
    """The message of SpawnEntities has the newer form in all releases."""
    request = installed('msg', 'SpawnEntity')()
    request.entity_resource.uri = 'cup.urdf'
    assert spawn_resource(request) == ('cup.urdf', '')


def test_the_resource_of_a_world(interface):
    """URI and text are found in both forms."""
    request = interface('srv', 'LoadWorld_Request')()
    set_resource(request, 'world_resource', uri='', text='<mujoco/>')
    assert world_resource(request) == ('', '<mujoco/>')


def test_a_spawnable(interface):
    """The URI is written into both forms."""
    message = interface('msg', 'Spawnable')()
    set_spawnable_uri(message, 'cup.urdf')
    assert getattr(message, 'entity_resource', message).uri == 'cup.urdf'


@pytest.mark.parametrize('pose', [False, True])
@pytest.mark.parametrize('twist', [False, True])
def test_parts_of_a_state(generated, pose, twist):
    """2.1.0 sets what its flags say."""
    request = generated('srv', 'SetEntityState_Request')(set_pose=pose, set_twist=twist)
    assert state_changes(request) == (pose, twist)


def test_a_whole_state():
    """Releases without flags set pose and velocities."""
    request = installed('srv', 'SetEntityState_Request')()
    if hasattr(request, 'set_pose'):
        pytest.skip('the installed release has flags')
    assert state_changes(request) == (True, True)
