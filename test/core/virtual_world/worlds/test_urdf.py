# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""URDF files: what MuJoCo leaves out in silence is a finding, and files come from our folders."""

from dataclasses import replace

import pytest
from model_texts import codes, load, refused, tetrahedron

from world_model_core.virtual_world.values import ModelFormat, Pose, World
from world_model_core.virtual_world.worlds.loading import WorldSources, load_entity
from world_model_core.virtual_world.worlds.model_limits import ModelLimits

engine = pytest.importorskip(
    'world_model_core.virtual_world.engine.engine',
    reason="needs 'mujoco-core': pip install mujoco-core",
)

INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'
    '</inertial>'
)
BALL = '<geometry><sphere radius="0.1"/></geometry>'


def link(name, content=f'<collision>{BALL}</collision>', inertial=INERTIAL):
    """Return a link."""
    return f'<link name="{name}">{inertial}{content}</link>'


def joint(name, parent, child, kind='revolute', more='<limit lower="-1" upper="1"/>'):
    """Return a joint."""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0 0 0.5"/>{more}</joint>'
    )


def robot(*content, name='robot'):
    """Return a URDF file."""
    return f'<robot name="{name}">{"".join(content)}</robot>'


def mesh(kind, file):
    """Return a visual or collision with a mesh."""
    return f'<{kind}><geometry><mesh filename="{file}"/></geometry></{kind}>'


XACRO = f"""<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="m"/>
{link('a')}</robot>"""
ARM = robot(link('base'), link('arm'), joint('elbow', 'base', 'arm'))


def test_a_robot_is_a_movable_entity_on_a_ground():
    """A URDF file is a world with one entity of the robot's name."""
    world, findings = load(ARM)
    (entity,) = world.entities
    assert (world.name, entity.name, entity.movable) == ('robot', 'robot', True)
    assert world.ground
    assert entity.model.format is ModelFormat.URDF
    assert codes(findings) == set()


def test_its_links_and_joints_are_parts_and_joints():
    """The engine must know links and joints by their names, and let the robot fall."""
    entity, _ = load_entity(ARM, 'r2', WorldSources())
    physics = engine.Engine(World('w', (replace(entity, pose=Pose((0.0, 0.0, 1.0))),)))
    assert physics.part_names('r2') == ('base', 'arm')
    for _ in range(100):
        physics.step(0.01)
    state = physics.state_of('r2')
    assert set(state.joints) == {'elbow'}
    assert state.pose.position[2] < 0.9


def test_a_robot_with_a_root_named_world_is_fixed():
    """By convention, such a robot stands; its root must be a part of it all the same."""
    text = robot(link('world', '', ''), link('base'), joint('j', 'world', 'base', 'fixed', ''))
    entity, _ = load_entity(text, 'r2', WorldSources())
    assert not entity.movable
    physics = engine.Engine(World('w', (entity,)))
    assert physics.part_names('r2') == ('world_link', 'base')


def test_links_without_mass_are_allowed():
    """base_footprint has no mass in most robots."""
    text = robot(link('foot', '', ''), link('base'), joint('j', 'foot', 'base', 'fixed', ''))
    entity, _ = load_entity(text, '', WorldSources())
    physics = engine.Engine(World('w', (replace(entity, pose=Pose((0.0, 0.0, 1.0))),)))
    physics.step(0.01)
    assert physics.part_names('robot') == ('foot', 'base')


def test_mimic_joints_follow():
    """A mimic joint must have its multiple of the other joint's angle, and its offset."""
    more = '<limit lower="-1" upper="1"/><mimic joint="elbow" multiplier="2" offset="0.1"/>'
    text = robot(
        link('base'), link('arm'), link('hand'), joint('elbow', 'base', 'arm'),
        joint('wrist', 'arm', 'hand', more=more),
    )  # fmt: skip
    entity, _ = load_entity(text, 'r2', WorldSources())
    physics = engine.Engine(World('w', (entity,), ground=False))
    physics.set_joint_target('r2', 'elbow', position=0.4)
    for _ in range(100):
        physics.step(0.01)
    joints = physics.state_of('r2').joints
    assert joints['elbow'].position[0] == pytest.approx(0.4, abs=1e-3)
    assert joints['wrist'].position[0] == pytest.approx(0.9, abs=1e-3)


@pytest.fixture
def places(tmp_path):
    """Make a robot's package and a folder of assets, with a mesh each."""
    for name in ('share/arm_description/meshes/hand.stl', 'assets/finger.stl'):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_bytes(tetrahedron())
    (tmp_path / 'secret.stl').write_bytes(tetrahedron())
    return tmp_path


def sources(places):
    """Return the folders of the fixture."""
    packages = {'arm_description': places / 'share/arm_description'}
    return WorldSources((places / 'assets',), packages)


@pytest.mark.parametrize(
    'file',
    ['package://arm_description/meshes/hand.stl', 'finger.stl', '{places}/assets/finger.stl'],
)
def test_meshes_come_from_packages_and_assets(places, file):
    """Meshes must be in the model, under keys, also where the file is a text."""
    content = mesh('visual', file.format(places=places)) + mesh('collision', 'finger.stl')
    world, findings = load(robot(link('base', content)), sources(places))
    assert codes(findings) == set()
    model = world.entities[0].model
    assert list(model.assets.values()) == [tetrahedron()]
    assert 'finger' not in model.text
    assert model.text.count(next(iter(model.assets))) == 2
    physics = engine.Engine(world)
    physics.step(0.01)


@pytest.mark.parametrize(
    ('file', 'code'),
    [
        ('package://other/meshes/hand.stl', 'WorldFile.PackageUnknown'),
        ('package://arm_description/../../secret.stl', 'WorldFile.PathOutside'),
        ('../secret.stl', 'WorldFile.PathOutside'),
        ('/etc/passwd.stl', 'WorldFile.PathOutside'),
        ('missing.stl', 'WorldFile.FileMissing'),
        ('hand.dae', 'Model.MeshUnsupported'),
        ('hand.glb', 'Model.MeshUnsupported'),
        ('', 'Model.MeshUnsupported'),
    ],
)
def test_collisions_need_their_mesh(places, file, code):
    """A robot without one of its collisions would fall through things: an error by name."""
    text = robot(link('base', mesh('collision', file)))
    assert refused(text, sources(places)) == {code}


@pytest.mark.parametrize(
    ('file', 'code'),
    [('missing.stl', 'Urdf.VisualMissing'), ('hand.dae', 'Urdf.VisualUnsupported')],
)
def test_visuals_that_are_not_shown_are_findings(places, file, code):
    """A robot can be used without a picture of itself, but not in silence."""
    text = robot(link('base', mesh('visual', file) + f'<collision>{BALL}</collision>'))
    world, findings = load(text, sources(places))
    assert codes(findings) == {code}
    assert 'visual' not in world.entities[0].model.text.replace('discardvisual', '')


def test_visuals_are_kept():
    """MuJoCo leaves out all visuals of a URDF unless it is told otherwise."""
    entity, _ = load_entity(
        robot(link('base', f'<visual>{BALL}</visual><collision>{BALL}</collision>')),
        'r2',
        WorldSources(),
    )
    mujoco = pytest.importorskip('mujoco')
    model = mujoco.MjSpec.from_string(entity.model.text).compile()
    assert model.ngeom == 2


@pytest.mark.parametrize(
    ('content', 'found'),
    [
        ('<transmission name="t"/><gazebo/><ros2_control/>', {'Urdf.ElementNotUsed'}),
        ('<mujoco><compiler meshdir="x" balanceinertia="true"/></mujoco>', set()),
        ('<material name="m"><texture filename="x.png"/></material>', {'Urdf.TextureNotShown'}),
    ],
)
def test_what_has_no_use_is_a_finding(content, found):
    """Elements for other programs are left out, and the robot is used."""
    assert codes(load(robot(link('base'), content))[1]) == found


@pytest.mark.parametrize(
    ('text', 'code'),
    [
        (robot(), 'Urdf.NotATree'),
        (robot(link('a'), link('b')), 'Urdf.NotATree'),
        (
            robot(link('a'), link('b'), joint('j', 'a', 'b'), joint('k', 'b', 'a')),
            'Urdf.NotATree',
        ),
        (
            XACRO,
            'Urdf.Xacro',
        ),
        (robot(link('a', '<collision><geometry><sphere radius="inf"/></geometry></collision>')),
         'Model.NumberInvalid'),
        ('<robot name="r"><link', 'Xml.NotXml'),
    ],
)  # fmt: skip
def test_what_is_no_robot_is_refused(text, code):
    """Each fault must be named before MuJoCo sees the file."""
    assert refused(text) == {code}


def test_links_are_limited():
    """A robot with too many links must be refused."""
    few = WorldSources(limits=ModelLimits(bodies=1))
    assert refused(ARM, few) == {'Model.TooManyBodies'}
