# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Files that MJCF names: includes, meshes, pictures, heights; nothing outside is opened."""

import io
import struct

import numpy as np
import pytest
from model_texts import codes, load, refused, tetrahedron
from PIL import Image

from world_model_core.virtual_world.finding_catalog import WorldFileError
from world_model_core.virtual_world.worlds.loading import WorldSources, load_entity

BODY = '<body name="a"><geom size="1"/></body>'
OBJ = b'mtllib cup.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'


@pytest.fixture
def folder(tmp_path):
    """Make the folder of a world, with a secret next to it."""
    (tmp_path / 'world').mkdir()
    (tmp_path / 'secret.xml').write_text(f'<mujoco><worldbody>{BODY}</worldbody></mujoco>')
    (tmp_path / 'secret.stl').write_bytes(tetrahedron())
    return tmp_path / 'world'


def write(folder, **files):
    """Write files, "__" for "." in their names; return the path of the main one."""
    for name, content in files.items():
        path = folder / name.replace('__', '.')
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / 'main.xml'


def world_of(asset='', body=BODY, compiler=''):
    """Return an MJCF file."""
    return (
        f'<mujoco><compiler {compiler}/><asset>{asset}</asset><worldbody>{body}</worldbody>'
        '</mujoco>'
    )


def picture(kind):
    """Return a small picture."""
    stream = io.BytesIO()
    Image.fromarray(np.full((4, 4, 3), 100, np.uint8)).save(stream, kind)
    return stream.getvalue()


def test_includes_in_includes_are_expanded(folder):
    """Includes are relative to the main file, or else to the file that has them."""
    (folder / 'parts').mkdir()
    main = write(
        folder,
        main__xml='<mujoco><include file="parts/things.xml"/></mujoco>',
        defaults__xml='<mujocoinclude><geom rgba="1 0 0 1"/></mujocoinclude>',
    )
    write(
        folder / 'parts',
        things__xml='<mujoco><default><Include file="defaults.xml"/></default>'
        '<worldbody><include file="cup.xml"/></worldbody></mujoco>',
        cup__xml=f'<mujoco>{BODY}</mujoco>',
    )
    world, findings = load(main)
    assert [each.name for each in world.entities] == ['a']
    assert 'rgba="1 0 0 1"' in world.entities[0].model.text
    assert not findings.all


@pytest.mark.parametrize(
    ('file', 'code'),
    [
        ('main.xml', 'Mjcf.IncludedTwice'),
        ('../secret.xml', 'WorldFile.PathOutside'),
        ('parts/../../secret.xml', 'WorldFile.PathOutside'),
        ('{folder}/../secret.xml', 'WorldFile.PathOutside'),
        ('/etc/passwd', 'WorldFile.PathOutside'),
        ('file:///etc/passwd', 'WorldFile.PathOutside'),
        ('link.xml', 'WorldFile.PathOutside'),
        ('\\\\host\\share\\secret.xml', 'WorldFile.PathOutside'),
        ('http://example.org/world.xml', 'WorldFile.PathOutside'),
        ('', 'WorldFile.FileUnusable'),
        ('missing.xml', 'WorldFile.FileMissing'),
        ('broken.xml', 'Xml.NotXml'),
        ('entities.xml', 'Xml.Entities'),
    ],
)
def test_includes_never_lead_out(folder, file, code):
    """MuJoCo would include any file of the machine, also in an include."""
    include = f'<mujoco><include file="{file.format(folder=folder)}"/></mujoco>'
    main = write(
        folder,
        main__xml='<mujoco><include file="inner.xml"/></mujoco>',
        inner__xml=include,
        broken__xml='<mujoco><worldbody>',
        entities__xml='<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]><mujoco>&x;</mujoco>',
    )
    (folder / 'link.xml').symlink_to(folder.parent / 'secret.xml')
    assert code in refused(main)


def test_a_file_is_included_once(folder):
    """Files that include others twice would grow without bounds."""
    twice = '<mujoco><include file="inner.xml"/><include file="inner.xml"/></mujoco>'
    inner = f'<mujoco><worldbody>{BODY}</worldbody></mujoco>'
    assert refused(write(folder, main__xml=twice, inner__xml=inner)) == {'Mjcf.IncludedTwice'}


@pytest.mark.parametrize(
    ('compiler', 'file'),
    [
        ('', 'meshes/cup.stl'),
        ('meshdir="meshes"', 'cup.stl'),
        ('assetdir="meshes/"', 'cup.stl'),
        ('meshdir="meshes" strippath="true"', '/home/somebody/cup.stl'),
        ('', '{folder}/meshes/cup.stl'),
        ('meshdir="../world/meshes"', 'cup.stl'),
    ],
)
def test_folders_of_the_compiler_are_used(folder, compiler, file):
    """Meshes are found as MuJoCo finds them, with all settings of folders."""
    (folder / 'meshes').mkdir()
    (folder / 'meshes/cup.stl').write_bytes(tetrahedron())
    body = '<body name="a"><geom type="mesh" mesh="cup"/></body>'
    text = world_of(f'<mesh file="{file.format(folder=folder)}"/>', body, compiler)
    (entity,) = load(write(folder, main__xml=text))[0].entities
    (key,) = entity.model.assets
    assert f'file="{key}"' in entity.model.text
    assert 'name="cup"' in entity.model.text
    assert 'dir=' not in entity.model.text


def used(element):
    """Return a body that uses an asset of any kind."""
    geom = {
        'mesh': '<geom type="mesh" mesh="x"/>',
        'hfield': '<geom type="hfield" hfield="x"/>',
        'texture': '<geom size="1" material="m"/>',
    }
    return f'<body name="a">{geom[element]}</body>'


@pytest.mark.parametrize(
    ('element', 'name', 'content'),
    [
        ('mesh', 'x.stl', tetrahedron()),
        ('mesh', 'x.obj', OBJ),
        ('hfield', 'x.png', picture('PNG')),
        ('hfield', 'x.bin', struct.pack('<2i4f', 2, 2, 0, 1, 0, 1)),
        ('texture', 'x.png', picture('PNG')),
        ('texture', 'x.jpg', picture('JPEG')),
    ],
)
def test_files_of_each_kind_compile(folder, element, name, content):
    """MuJoCo must find all that it needs in the assets of the model, JPEG as PNG."""
    mujoco = pytest.importorskip('mujoco', reason="needs 'mujoco-core'")
    (folder / name).write_bytes(content)
    more = {'hfield': 'size="1 1 1 1"', 'texture': 'type="2d"'}.get(element, '')
    material = '<material name="m" texture="x"/>' if element == 'texture' else ''
    asset = f'<{element} name="x" file="{name}" content_type="x/y" {more}/>{material}'
    (entity,) = load(write(folder, main__xml=world_of(asset, used(element))))[0].entities
    spec = mujoco.MjSpec.from_string(entity.model.text, assets=dict(entity.model.assets))
    model = spec.compile()
    assert (model.nmesh, model.nhfield, model.ntex).count(1) == 1


@pytest.mark.parametrize(
    ('element', 'name', 'content', 'code'),
    [
        ('mesh', 'x.dae', b'<COLLADA/>', 'Model.MeshUnsupported'),
        ('mesh', 'x.glb', b'glTF', 'Model.MeshUnsupported'),
        ('mesh', 'x.usd', b'#usda', 'Model.MeshUnsupported'),
        ('mesh', 'x.stl', b'solid x\nendsolid' + bytes(100), 'Model.MeshUnreadable'),
        ('mesh', 'x.stl', tetrahedron()[:-10], 'Model.MeshUnreadable'),
        ('mesh', 'x.stl', bytes(80) + b'\xff\xff\xff\xff', 'Model.MeshUnreadable'),
        ('mesh', 'x.stl', bytes(80) + struct.pack('<I', 200_001) + bytes(50 * 200_001),
         'Model.ShapeTooLarge'),
        ('mesh', 'x.msh', bytes(3), 'Model.MeshUnreadable'),
        ('mesh', 'x.msh', struct.pack('<4i', 2**30, 0, 0, -1), 'Model.MeshUnreadable'),
        ('mesh', 'missing.stl', b'', 'WorldFile.FileUnusable'),
        ('mesh', '../secret.stl', None, 'WorldFile.PathOutside'),
        ('texture', 'x.png', b'no picture', 'WorldFile.PictureUnreadable'),
        ('texture', 'x.gif', picture('GIF'), 'WorldFile.PictureUnreadable'),
        ('hfield', 'x.bin', struct.pack('<2i', 2**30, 2**30), 'Model.MeshUnreadable'),
        ('hfield', 'x.bin', b'1', 'Model.MeshUnreadable'),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used_are_refused_by_name(folder, element, name, content, code):
    """Each file is checked before MuJoCo sees it."""
    if content is not None:
        (folder / name).write_bytes(content)
    main = write(folder, main__xml=world_of(f'<{element} name="x" file="{name}" size="1 1 1 1"/>'))
    assert refused(main) == {code}


def test_the_files_of_a_text_come_from_assets(folder):
    """A world that is given as a text has no folder of its own."""
    (folder / 'cup.stl').write_bytes(tetrahedron())
    text = world_of('<mesh name="x" file="cup.stl"/>', used('mesh'))
    assert refused(text) == {'WorldFile.FileMissing'}
    world, _ = load(text, WorldSources((folder,)))
    assert list(world.entities[0].model.assets.values()) == [tetrahedron()]


@pytest.mark.parametrize(
    ('text', 'code'),
    [
        ('<sdf version="1.9"><world name="w"/></sdf>', 'Model.FormatUnsupported'),
        ('<?xml version="1.0"?><!-- a <mujoco> --><sdf/>', 'Model.FormatUnsupported'),
        ('<COLLADA/>', 'Model.FormatUnsupported'),
        ('#usda 1.0', 'Model.FormatUnsupported'),
        ('PXR-USDC\x00', 'Model.FormatUnsupported'),
        ('PK\x03\x04', 'Model.FormatUnsupported'),
        ('glTF', 'Model.FormatUnsupported'),
        ('#VRML V2.0 utf8', 'Model.FormatUnsupported'),
        ('<html/>', 'Model.FormatUnknown'),
        ('nothing', 'Model.FormatUnknown'),
        ('', 'Model.FormatUnknown'),
        ('<' * 100_000, 'Model.FormatUnknown'),
        ('<!--' * 100_000, 'Model.FormatUnknown'),
        ('<mujoco>' + '<body>' * 100_000, 'Xml.NotXml'),
        ('<mujoco>\ud800</mujoco>', 'Mjcf.Empty'),
        ('<mujoco', 'Xml.NotXml'),
    ],
)
def test_other_formats_are_refused_by_name(folder, text, code):
    """SDF and USD are not supported; neither is what is no world at all."""
    assert refused(text) == {code}
    if text:
        assert refused(write(folder, main__xml=text.encode(errors='replace'))) == {code}


@pytest.mark.parametrize(
    ('content', 'found'),
    [
        (b'nothing of the kind, as one can see', 'nothing of the kind,'),
        ('\N{HIRAGANA LETTER A}\nb'.encode(), '\N{HIRAGANA LETTER A} b'),
        (b'\x7fELF\x00\xff', '\ufffdELF\ufffd\ufffd'),
    ],
)
def test_an_unknown_format_is_reported_as_readable_text(folder, content, found):
    """The finding shows how the file begins, without b'' and control characters."""
    with pytest.raises(WorldFileError) as refusal:
        load(write(folder, main__xml=content))
    assert refusal.value.findings[0].values['found'] == found


def test_a_world_of_sigverse_needs_its_folder():
    """Its classes are files: a text is refused."""
    assert refused('<world name="w"/>') == {'Model.TextUnsupported'}


def test_one_entity_can_be_loaded_from_a_world():
    """To be added to a world, a file must have one thing; its floor is left out."""
    floor = '<geom type="plane" size="1 1 1"/>'
    entity, findings = load_entity(world_of(body=BODY + floor), 'cup', WorldSources())
    assert (entity.name, codes(findings)) == ('cup', {'Model.FixturesLeftOut'})
    entity, findings = load_entity(world_of(body=floor), '', WorldSources())
    assert (entity.name, findings.all) == ('fixtures', [])
    with pytest.raises(Exception, match=r'Model\.SeveralEntities'):
        load_entity(world_of(body=BODY + '<body/>'), '', WorldSources())
