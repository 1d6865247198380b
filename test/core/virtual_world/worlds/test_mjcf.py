# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""MJCF files: each body becomes an entity, and what could harm is refused by name."""

import numpy as np
import pytest
from model_texts import HEADER, codes, load, refused, tetrahedron

from world_model_core.virtual_world.values import ModelFormat
from world_model_core.virtual_world.worlds.loading import WorldSources
from world_model_core.virtual_world.worlds.model_limits import ModelLimits

mujoco = pytest.importorskip('mujoco', reason="needs 'mujoco-core': pip install mujoco-core")

KITCHEN = """
<mujoco model="kitchen">
  <compiler angle="radian"/>
  <option timestep="0.005" gravity="0 0 -9.5"/>
  <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
  <asset>
    <texture name="wood" type="2d" builtin="flat" width="4" height="4"/>
    <material name="board" texture="wood"/><material name="unused"/>
    <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/><light pos="0 0 3"/>
    <body name="cup" pos="0 0 1"><freejoint/><geom class="red" size=".05"/></body>
    <frame pos="1 0 0" euler="0 0 1" childclass="red">
      <body name="table" pos="0 0 .5"><freejoint/><geom type="mesh" mesh="wedge"/></body>
      <geom size=".1" material="board"/>
    </frame>
    <body name="door" pos="2 0 1">
      <joint name="hinge" axis="0 0 1" range="-1 1"/>
      <geom type="box" size=".4 .02 1" pos=".4 0 0"/>
    </body>
    <body name="cursor" mocap="true" pos="3 0 1"><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="opener" joint="hinge"/></actuator>
  <equality><weld body1="cup" body2="table"/></equality>
</mujoco>
"""


def entities(text, sources=None):
    """Load a world; return its entities by their names."""
    world, _ = load(text, sources)
    return {each.name: each for each in world.entities}


def test_each_body_of_the_world_becomes_an_entity():
    """Bodies, also those in frames, must be listed, and fixed geoms must be one entity more."""
    world, findings = load(KITCHEN)
    assert [each.name for each in world.entities] == ['cup', 'table', 'door', 'cursor', 'fixtures']
    assert (world.name, world.gravity, world.step) == ('kitchen', (0.0, 0.0, -9.5), 0.005)
    assert not world.ground
    assert codes(findings) == {'Mjcf.SectionNotUsed', 'Mjcf.BetweenEntities'}


def test_free_bodies_and_mocap_bodies_can_be_moved():
    """A body without a free joint is fixed, and one with mocap moves by commands alone."""
    found = entities(KITCHEN)
    assert {name for name, each in found.items() if each.movable} == {'cup', 'table', 'cursor'}
    assert {name for name, each in found.items() if not each.dynamics} == {'cursor'}


def test_each_model_has_what_its_body_uses():
    """Models keep defaults and actuators, and no assets of others."""
    found = entities(KITCHEN)
    assert all(each.model.format is ModelFormat.MJCF for each in found.values())
    assert 'wedge' in found['table'].model.text
    assert 'wedge' not in found['cup'].model.text
    assert 'opener' in found['door'].model.text
    assert {'board', 'wood'} <= set(found['fixtures'].model.text.split('"'))
    assert 'unused' not in ''.join(each.model.text for each in found.values())


def test_the_poses_are_those_of_mujoco():
    """Entities must be where MuJoCo puts the bodies of the whole file."""
    model = mujoco.MjModel.from_xml_string(KITCHEN)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    found = entities(KITCHEN)
    for name in ('cup', 'table', 'door'):
        pose = found[name].pose
        assert pose.position == pytest.approx(data.body(name).xpos)
        x, y, z, w = pose.orientation
        assert abs(np.dot((w, x, y, z), data.body(name).xquat)) == pytest.approx(1.0)


def test_every_model_compiles_alone_with_one_root():
    """A model has one body in its world, which has a free joint or none."""
    for name, entity in entities(KITCHEN).items():
        spec = mujoco.MjSpec.from_string(entity.model.text, assets=dict(entity.model.assets))
        model = spec.compile()
        assert sum(model.body_parentid[1:] == 0) == 1, name
        root = spec.worldbody.first_body()
        assert all(each.type == mujoco.mjtJoint.mjJNT_FREE for each in root.joints), name


@pytest.mark.parametrize('text', ['<body name="a"/>', '', '<light/>'])
def test_a_world_needs_something_in_it(text):
    """An empty worldbody is an error, a body without geoms is none."""
    whole = f'<mujoco><worldbody>{text}</worldbody></mujoco>'
    if 'body' in text:
        assert list(entities(whole)) == ['a']
    else:
        assert refused(whole) == {'Mjcf.Empty'}


ORIENTATIONS = [
    'quat="0.5 0.1 -0.7 0.3"',
    'axisangle="1 2 -1 40"',
    'euler="10 -20 130"',
    'xyaxes="1 0.2 0 0.1 1 0.5"',
    'zaxis="0.3 -0.2 0.5"',
    'zaxis="0 0 -1"',
    'zaxis="0 0 1"',
]


@pytest.mark.parametrize('orientation', ORIENTATIONS)
@pytest.mark.parametrize('compiler', ['', 'angle="radian"', 'eulerseq="ZyX"', 'eulerseq="XYZ"'])
def test_orientations_are_those_of_mujoco(orientation, compiler):
    """All forms of orientations, in degrees and radians, must give MuJoCo's rotation."""
    text = (
        f'<mujoco><compiler {compiler}/><worldbody><frame pos="1 2 3" {orientation}>'
        f'<body name="a" pos="1 0 0" {orientation}><geom size="1"/></body></frame></worldbody>'
        '</mujoco>'
    )
    data = mujoco.MjData(model := mujoco.MjModel.from_xml_string(text))
    mujoco.mj_forward(model, data)
    pose = entities(text)['a'].pose
    x, y, z, w = pose.orientation
    assert pose.position == pytest.approx(data.body('a').xpos, abs=1e-9)
    assert abs(np.dot((w, x, y, z), data.body('a').xquat)) == pytest.approx(1.0)


BOX = '<body name="a"><geom size="1"/></body>'


@pytest.mark.parametrize(
    ('text', 'code'),
    [
        ('<extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>', 'ElementRefused'),
        ('<worldbody><body><plugin plugin="x"/></body></worldbody>', 'ElementRefused'),
        ('<deformable><skin/></deformable>', 'ElementRefused'),
        (
            '<worldbody><flexcomp name="f" type="grid" count="9 9 9"/></worldbody>',
            'ElementRefused',
        ),
        ('<asset><model name="m" file="/etc/passwd"/></asset>', 'ElementRefused'),
        ('<nonsense/>', 'ElementRefused'),
        ('<worldbody><geom file="/etc/passwd"/></worldbody>', 'ElementRefused'),
        ('<size memory="2G"/>', 'MemoryTooLarge'),
        ('<size memory="1100M"/>', 'MemoryTooLarge'),
        ('<size memory="9999999999999999999999999"/>', 'MemoryTooLarge'),
        ('<size memory="much"/>', 'NumberInvalid'),
        ('<option timestep="0"/>', 'NumberInvalid'),
        ('<option timestep="nan"/>', 'NumberInvalid'),
        ('<option gravity="0 0"/>', 'NumberInvalid'),
        ('<asset><mesh name="m" builtin="sphere" params="nan"/></asset>', 'NumberInvalid'),
        ('<worldbody><body pos="0 0 inf"/></worldbody>', 'NumberInvalid'),
        ('<worldbody><geom size="1 inf 1"/></worldbody>', 'NumberInvalid'),
        ('<default><geom size="1e11"/></default>', 'NumberInvalid'),
        ('<equality><connect body1="a" anchor="0 nan 0"/></equality>', 'NumberInvalid'),
        ('<worldbody><body quat="0 0 0 0"/></worldbody>', 'NumberInvalid'),
        (
            '<worldbody><replicate count="2"><body><freejoint/></body></replicate></worldbody>',
            'ReplicatedEntity',
        ),
    ],
)
def test_what_could_harm_is_refused_by_name(text, code):
    """Plugins, deformable bodies, memory and numbers without meaning must give an error."""
    prefix = 'Model' if code == 'NumberInvalid' else 'Mjcf'
    assert refused(f'<mujoco>{text}<worldbody>{BOX}</worldbody></mujoco>') == {f'{prefix}.{code}'}


def test_large_numbers_are_allowed_where_they_are_usual():
    """Stiff contacts, joints without limits, and names that look like numbers must be read."""
    text = (
        '<mujoco><default><geom solref="-3e6 -100"/></default><worldbody><body name="nan">'
        '<joint name="j" range="-1e20 1e20"/><geom size="1"/></body></worldbody></mujoco>'
    )
    assert list(entities(text)) == ['nan']


def test_defaults_are_not_copied_without_bounds():
    """Each model has all defaults: a few megabytes in a file must not become many gigabytes."""
    classes = ''.join(f'<default class="{number:0100}"/>' for number in range(20_000))
    bodies = '<body><geom size="1"/></body>' * 2000
    text = f'<mujoco><default>{classes}</default><worldbody>{bodies}</worldbody></mujoco>'
    assert refused(text) == {'Mjcf.TooLarge'}


def test_bodies_are_counted_with_their_replicates():
    """A replicate in a replicate makes many bodies of a few bytes."""
    inner = '<replicate count="200"><replicate count="200"><body><geom size="1"/></body>'
    text = f'<mujoco><worldbody><body>{inner}</replicate></replicate></body></worldbody></mujoco>'
    assert refused(text) == {'Model.TooManyBodies'}
    few = WorldSources(limits=ModelLimits(bodies=2))
    assert refused(f'{HEADER}{BOX}{BOX}{BOX}</worldbody></mujoco>', few)


def test_triangles_are_limited():
    """Shapes and worlds with too many triangles must be refused, also those that MuJoCo makes."""
    text = f'<mujoco><asset><mesh name="m" {{}}/></asset><worldbody>{BOX}</worldbody></mujoco>'
    assert refused(text.format('builtin="supersphere" params="5000 1 1"')) == {
        'Model.ShapeTooLarge'
    }
    few = WorldSources(limits=ModelLimits(triangles=3))
    assert refused(text.format('vertex="0 0 0 1 0 0 0 1 0 0 0 1"'), few) == {
        'Model.TooManyTriangles'
    }
    heights = '<mujoco><asset><hfield name="h" nrow="90000" ncol="90000" size="1 1 1 1"/></asset>'
    assert refused(f'{heights}<worldbody>{BOX}</worldbody></mujoco>') == {'Model.ShapeTooLarge'}
    texture = '<mujoco><asset><texture name="t" builtin="flat" width="90000" height="90000"/>'
    assert refused(f'{texture}</asset><worldbody>{BOX}</worldbody></mujoco>') == {
        'WorldFile.PictureTooLarge'
    }


def test_bodies_with_the_same_name_or_none_get_names_of_their_own():
    """Names of entities are unique and contain no slash."""
    text = ''.join(f'<body {name}><geom size="1"/></body>' for name in ('', '', 'name="a/b"'))
    assert list(entities(f'{HEADER}{text}</worldbody></mujoco>')) == ['body', 'body 2', 'a_b']


def test_a_camera_that_follows_another_entity_stands_still():
    """References between entities are left out with a finding."""
    text = (
        f'{HEADER}{BOX}<body name="b"><geom size="1"/>'
        '<camera name="c" mode="targetbody" target="a"/></body></worldbody></mujoco>'
    )
    world, findings = load(text)
    assert codes(findings) == {'Mjcf.BetweenEntities'}
    assert 'target' not in world.entities[1].model.text


def test_files_are_read_into_the_model(tmp_path):
    """Meshes and folders of the compiler: the model must name no file, and compile."""
    (tmp_path / 'shapes').mkdir()
    (tmp_path / 'shapes/wedge.STL').write_bytes(tetrahedron())
    text = """<mujoco><compiler meshdir="shapes"/><asset><mesh file="wedge.STL"/></asset>
    <worldbody><body name="a"><geom type="mesh" mesh="wedge"/></body></worldbody></mujoco>"""
    (tmp_path / 'world.xml').write_text(text)
    (entity,) = entities(tmp_path / 'world.xml').values()
    assert list(entity.model.assets.values()) == [tetrahedron()]
    assert 'wedge.STL' not in entity.model.text
    mujoco.MjSpec.from_string(entity.model.text, assets=dict(entity.model.assets)).compile()


MUSCLE = """<mujoco><worldbody><body name="a"><geom size=".1"/><body pos="0 0 .3">
<joint name="j" axis="0 1 0" range="-1 1"/><geom type="capsule" size=".02 .2"/></body></body>
</worldbody><actuator><muscle joint="j"/></actuator></mujoco>"""


def test_muscles_are_measured_once():
    """MuJoCo would measure all muscles again with each entity that is added."""
    engine = pytest.importorskip('world_model_core.virtual_world.engine.engine')
    physics = engine.Engine(load(MUSCLE)[0])
    (actuator,) = physics._composition._builder.spec.actuators
    low, high = actuator.lengthrange
    assert low < high
