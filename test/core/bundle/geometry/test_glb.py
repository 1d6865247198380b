# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""static_mesh.glb: reading and writing."""

import base64
import json
import struct
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from world_model_core.bundle.equality import is_equal
from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.geometry.glb_reader import read_mesh
from world_model_core.bundle.geometry.glb_writer import write_mesh
from world_model_core.bundle.geometry.mesh import Mesh, join

FILE = 'static_mesh.glb'
ANY_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
TURN_TO_Y_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
PRIMITIVE = '/meshes/0/primitives/0'


def slope(colors=None):
    """Make a hillside of two triangles, whose front faces point up."""
    vertices = np.float32(((0, 0, 0), (4, 0, 1), (4, 4, 2), (0, 4, 1)))
    return Mesh(vertices, np.int32(((0, 1, 2), (0, 2, 3))), colors)


def box():
    """Make a closed box around zero."""
    vertices = np.float32(list(product((-2, 2), (-3, 3), (-2.5, 2.5))))
    squares = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [(square[0], *square[i : i + 2]) for square in squares for i in (1, 2)]
    return Mesh(vertices, np.int32(faces))


def read(path):
    """Read a file; return the mesh, and code and place of each finding."""
    findings = bundle_findings()
    found = read_mesh(path, FILE, findings)
    assert (found is None) == bool(findings.errors)
    return found, [(each.rule.code, each.where) for each in findings.all]


def split(data):
    """Split a GLB file into its document and its binary chunk, header included."""
    (length,) = struct.unpack_from('<I', data, 12)
    return json.loads(data[20 : 20 + length]), data[20 + length :]


def assemble(document, binary):
    """Make a GLB file of a document and a binary chunk with its header."""
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    size = 20 + len(text) + len(binary)
    return struct.pack('<4sIII4s', b'glTF', 2, size, len(text), b'JSON') + text + binary


def change(path, edit):
    """Write the hillside with another document."""
    write_mesh(path, slope())
    document, binary = split(path.read_bytes())
    edit(document)
    path.write_bytes(assemble(document, binary))


@ANY_FOLDER
@given(
    vertices=arrays(np.float32, (6, 3), elements=st.floats(-1e4, 1e4, width=32)),
    faces=arrays(np.int32, (4, 3), elements=st.integers(0, 5)),
    colors=st.none() | arrays(np.uint8, (6, 3)),
)
def test_written_meshes_are_read_back(tmp_path, vertices, faces, colors):
    """Vertices, triangles and colors are read back exactly."""
    mesh = Mesh(vertices, faces, colors)
    write_mesh(tmp_path / FILE, mesh)
    found, codes = read(tmp_path / FILE)
    if np.abs(mesh.area_vectors()).sum() > 0.0:
        assert is_equal(found, mesh)
    else:
        assert codes == [('Mesh.NoSurface', '')]


def test_nodes_place_their_meshes(tmp_path):
    """A mesh appears once per node that refers to it, with the node's transform."""

    def edit(document):
        document['nodes'] = [
            {'children': [1, 2], 'translation': [100, 0, 0]},
            {'mesh': 0, 'scale': [2, 2, 2]},
            {'mesh': 0, 'matrix': [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1]},
        ]
        document['scenes'][0]['nodes'] = [0]

    change(tmp_path / FILE, edit)
    found, codes = read(tmp_path / FILE)
    assert codes == []
    assert len(found.faces) == 4
    assert found.lowest.tolist() == [100.0, 0.0, 0.0]
    assert found.highest.tolist() == [108.0, 8.0, 7.0]


def test_mirrored_meshes_still_face_outwards(tmp_path):
    """A mirroring node also reverses the order of corners."""

    def edit(document):
        document['nodes'][0]['scale'] = [-1, 1, 1]

    change(tmp_path / FILE, edit)
    found, _ = read(tmp_path / FILE)
    assert found.lowest[0] == -4.0
    assert (found.area_vectors()[:, 2] > 0.0).all()


def test_y_up_is_reported_and_nothing_is_rotated(tmp_path):
    """The ground of a scene shows which axis is up, also in a real file."""

    def edit(document):
        document['nodes'][0]['rotation'] = TURN_TO_Y_UP

    change(tmp_path / FILE, edit)
    found, codes = read(tmp_path / FILE)
    assert codes == [('Mesh.LooksYUp', '')]
    assert found.highest == pytest.approx((4.0, 2.0, 0.0), abs=1e-6)


def test_a_street_between_walls_is_not_suspected(tmp_path):
    """Walls along x have more surface than the street, but face each other."""
    street = np.float32(((0, 0, 0), (100, 0, 0), (100, 8, 0), (0, 8, 0)))
    wall = np.float32(((0, 0, 0), (0, 0, 30), (100, 0, 30), (100, 0, 0)))
    faces = np.int32(((0, 1, 2), (0, 2, 3)))
    other = wall + np.float32((0, 8, 0))
    write_mesh(
        tmp_path / FILE,
        join([Mesh(street, faces), Mesh(wall, faces), Mesh(other, faces[:, ::-1])]),
    )
    assert read(tmp_path / FILE)[1] == []


@pytest.mark.parametrize(('up', 'codes'), [(1, [('Mesh.LooksYUp', '')]), (2, [])])
def test_a_box_on_the_plane_shows_which_axis_is_up(tmp_path, up, codes):
    """A closed box faces all directions equally, but only its bottom is at zero."""
    mesh = box()
    mesh.vertices[:, up] -= mesh.vertices[:, up].min()
    write_mesh(tmp_path / FILE, mesh)
    assert read(tmp_path / FILE)[1] == codes


def test_a_real_house_is_read_and_found_to_be_y_up(shared_data):
    """Textures are ignored; two meshes become one."""
    found, codes = read(shared_data('bundle/house.glb'))
    assert codes == [('Mesh.LooksYUp', '')]
    assert (len(found.vertices), len(found.faces)) == (13141, 10497)
    assert found.highest == pytest.approx((0.2513, 0.1852, 0.2522), abs=1e-4)


@pytest.mark.parametrize(
    ('edit', 'code', 'where'),
    [
        (lambda data: data[:-1], 'Mesh.CutOff', None),
        (lambda data: data[:30], 'Mesh.CutOff', 'byte 30'),
        (lambda data: data[:8], 'Mesh.CutOff', 'byte 8'),
        (lambda data: data + b'\0', 'Mesh.TrailingBytes', None),
        (lambda data: b'', 'Mesh.NotGlb', 'byte 0'),  # noqa: ARG005
        (lambda data: b'ply\n' + data[4:], 'Mesh.NotGlb', 'byte 0'),
        (lambda data: data[:4] + b'\1' + data[5:], 'Mesh.WrongVersion', 'byte 4'),
        (lambda data: data[:16] + b'TEXT' + data[20:], 'Mesh.NoJson', 'byte 12'),
        (lambda data: data[:12] + b'\xff' * 4 + data[16:], 'Mesh.ChunkCutOff', 'byte 20'),
        (lambda data: data[:25] + b'\xff' + data[26:], 'File.NotUtf8', 'byte 25'),
        (
            lambda data: b'version https://git-lfs.github.com/spec/v1\n' + data,
            'File.LfsPointer',
            'byte 0',
        ),
    ],
)
def test_faults_of_the_container_are_found(tmp_path, edit, code, where):
    """Truncated and foreign files are reported with the byte."""
    write_mesh(tmp_path / FILE, slope())
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(edit(data))
    codes = read(tmp_path / FILE)[1]
    assert [code for code, _ in codes] == [code]
    assert where is None or codes[0][1] == where


def put(where, value):
    """Return an edit that replaces a value, or removes it if the value is `...`."""

    def edit(document):
        *path, last = [int(key) if key.isdigit() else key for key in where.split('/')[1:]]
        here = document
        for key in path:
            here = here[key]
        if value is ...:
            del here[last]
        else:
            here[last] = value

    return edit


@pytest.mark.parametrize(
    ('where', 'value', 'code', 'expected'),
    [
        ('/extensionsRequired', ['KHR_draco_mesh_compression'], 'Mesh.Extension', 0),
        ('/extensionsRequired', ['EXT_meshopt_compression'], 'Mesh.Extension', 0),
        ('/extensionsRequired', ['KHR_mesh_quantization'], 'Mesh.Extension', 0),
        ('/asset/version', '3.0', 'Mesh.WrongVersion', ''),
        ('/asset', ..., 'File.MissingField', ''),
        ('/buffers/0/uri', '../../secret.bin', 'Mesh.ExternalFile', ''),
        ('/buffers/0/uri', '/etc/passwd', 'Mesh.ExternalFile', ''),
        ('/images', [{'uri': 'https://example.org/a.png'}], 'Mesh.ExternalFile', '0/uri'),
        ('/buffers/0/byteLength', 10**9, 'Mesh.OutOfBounds', None),
        ('/bufferViews/0/byteLength', 10**9, 'Mesh.OutOfBounds', None),
        ('/bufferViews/0/byteOffset', -4, 'File.OutOfRange', ''),
        ('/bufferViews/0/buffer', 5, 'Mesh.NoSuchItem', ''),
        ('/accessors/0/count', 4 * 10**9, 'Mesh.OutOfBounds', None),
        ('/accessors/0/bufferView', 7, 'Mesh.NoSuchItem', ''),
        ('/accessors/0/componentType', 5130, 'Mesh.WrongType', ''),
        ('/accessors/1/bufferView', ..., 'Mesh.NoData', f'{PRIMITIVE}/attributes/POSITION'),
        ('/accessors/1/type', 'VEC2', 'Mesh.WrongType', f'{PRIMITIVE}/attributes/POSITION'),
        (f'{PRIMITIVE}/attributes/POSITION', 9, 'Mesh.NoSuchItem', ''),
        (f'{PRIMITIVE}/indices', ..., 'Mesh.OpenTriangle', PRIMITIVE),
        ('/nodes/0/mesh', 3, 'Mesh.NoSuchItem', ''),
        ('/nodes/0/children', [0], 'Mesh.NodeTwice', '0'),
        ('/nodes/0/scale', [0, 0, 0], 'Mesh.NoSurface', 'whole'),
        ('/nodes/0/scale', [1e38, 1e38, 1e38], 'Mesh.NotFinite', 'whole'),
        ('/nodes/0/translation', [0, 0], 'File.WrongLength', ''),
        ('/scenes', ..., 'Mesh.NoScene', ''),
        ('/scenes/0/nodes', [0, 0], 'Mesh.NodeTwice', '1'),
        ('/scenes/0/nodes', [], 'Mesh.Empty', 'whole'),
        ('/scene', 2, 'Mesh.NoSuchItem', ''),
    ],
)
def test_inconsistent_documents_are_found(tmp_path, where, value, code, expected):
    """Each fault must be reported by its code, at its pointer or its parent's, before any use."""
    change(tmp_path / FILE, put(where, value))
    codes = read(tmp_path / FILE)[1]
    place = {
        None: where.rpartition('/')[0],
        '': where,
        'whole': '',
    }.get(expected, expected if str(expected).startswith('/') else f'{where}/{expected}')
    assert codes == [(code, place)]


@pytest.mark.parametrize('mode', [0, 1, 2, 3])
def test_points_and_lines_are_skipped(tmp_path, mode):
    """They have no surface; without triangles there is no mesh."""
    change(tmp_path / FILE, put(f'{PRIMITIVE}/mode', mode))
    assert read(tmp_path / FILE)[1] == [
        ('Mesh.NotTriangles', f'{PRIMITIVE}/mode'),
        ('Mesh.Empty', ''),
    ]


@pytest.mark.parametrize('index', [77, 2**31 + 5, 2**32 - 2])
def test_a_corner_without_a_vertex_is_found(tmp_path, index):
    """Indices are checked against the number of vertices."""
    write_mesh(tmp_path / FILE, slope())
    document, binary = split((tmp_path / FILE).read_bytes())
    (first,) = struct.unpack_from('<I', binary, 8)
    assert first == 0
    broken = binary[:8] + struct.pack('<I', index) + binary[12:]
    (tmp_path / FILE).write_bytes(assemble(document, broken))
    assert read(tmp_path / FILE)[1] == [('Mesh.NoSuchVertex', '')]


def scene(positions, corners, mode, colors=None, node=None):
    """Write a document with one primitive: positions, indices, and colors with their type."""
    arrays = [np.asarray(corners, '<u2').reshape(-1, 1), np.asarray(positions, '<f4')]
    attributes = {'POSITION': 1}
    if colors is not None:
        arrays.append(colors)
        attributes['COLOR_0'] = 2
    kinds = {'u1': 5121, 'u2': 5123, 'f4': 5126}
    shapes = {1: 'SCALAR', 3: 'VEC3', 4: 'VEC4'}
    views, accessors, binary = [], [], b''
    for array in arrays:
        # One byte between elements, as in interleaved arrays.
        rows = np.concatenate((np.ascontiguousarray(array).view(np.uint8).reshape(len(array), -1),
                               np.full((len(array), 4), 170, np.uint8)), axis=1)  # fmt: skip
        views.append({'buffer': 0, 'byteOffset': len(binary), 'byteLength': rows.size,
                      'byteStride': rows.shape[1]})  # fmt: skip
        accessors.append({'bufferView': len(accessors), 'count': len(array),
                          'componentType': kinds[array.dtype.str[1:]],
                          'type': shapes[array.shape[1]]})  # fmt: skip
        binary += rows.tobytes()
    binary += bytes(-len(binary) % 4)
    document = {
        'asset': {'version': '2.0'},
        'scene': 0,
        'scenes': [{'nodes': [0]}],
        'nodes': [{'mesh': 0, **(node or {})}],
        'meshes': [{'primitives': [{'attributes': attributes, 'indices': 0, 'mode': mode}]}],
        'accessors': accessors,
        'bufferViews': views,
        'buffers': [{'byteLength': len(binary)}],
    }
    return document, binary


def assembled(document, binary):
    """Make a GLB file of a document and binary data."""
    return assemble(document, struct.pack('<I4s', len(binary), b'BIN\0') + binary)


ROUND = [(np.cos(angle), np.sin(angle), 0.1 * angle) for angle in np.linspace(0, 5, 6)]


@pytest.mark.parametrize(
    ('mode', 'corners', 'faces'),
    [
        (4, [0, 1, 2, 2, 3, 4], [[0, 1, 2], [2, 3, 4]]),
        (5, [0, 1, 2, 3, 4], [[0, 1, 2], [3, 2, 1], [2, 3, 4]]),
        (6, [0, 1, 2, 3, 4], [[0, 1, 2], [0, 2, 3], [0, 3, 4]]),
    ],
)
def test_lists_strips_and_fans_are_read(tmp_path, mode, corners, faces):
    """All triangles of a primitive must have the orientation of the first."""
    (tmp_path / FILE).write_bytes(assembled(*scene(ROUND, corners, mode)))
    assert read(tmp_path / FILE)[0].faces.tolist() == faces


@pytest.mark.parametrize('mode', [5, 6])
def test_a_strip_of_two_corners_has_no_triangle(tmp_path, mode):
    """The reader must not report an error."""
    (tmp_path / FILE).write_bytes(assembled(*scene(ROUND, [0, 1], mode)))
    assert read(tmp_path / FILE)[1] == [('Mesh.Empty', '')]


@pytest.mark.parametrize('axes', [3, 4])
@pytest.mark.parametrize(
    ('kind', 'full', 'half'), [('u1', 255, 128), ('u2', 65535, 32896), ('<f4', 1.0, 0.5019608)]
)
def test_colors_of_all_formats_are_read(tmp_path, axes, kind, full, half):
    """Colors of 8 and 16 bits and floats must be the same."""
    colors = np.zeros((6, axes), np.dtype(kind).newbyteorder('<'))
    colors[:, 0], colors[:, 1] = full, half
    (tmp_path / FILE).write_bytes(assembled(*scene(ROUND, range(6), 4, colors)))
    assert read(tmp_path / FILE)[0].colors.tolist() == [[255, 128, 0]] * 6


@pytest.mark.parametrize('change', [('type', 'VEC2'), ('count', 5), ('componentType', 5125)])
def test_unusable_colors_are_ignored(tmp_path, change):
    """Geometry must be read without them."""
    document, binary = scene(ROUND, range(6), 4, np.zeros((6, 4), '<u1'))
    document['accessors'][2][change[0]] = change[1]
    if change[0] == 'componentType':
        document['accessors'][2]['count'] = 1
    (tmp_path / FILE).write_bytes(assembled(document, binary))
    found, codes = read(tmp_path / FILE)
    assert (found.colors, codes) == (None, [])


def test_data_in_the_document_is_read(tmp_path):
    """A buffer may be a data URI; one that is shorter than declared must be an error."""
    document, binary = scene(ROUND, range(6), 4)
    uri = 'data:application/octet-stream;base64,' + base64.b64encode(binary).decode()
    document['buffers'][0]['uri'] = uri
    (tmp_path / FILE).write_bytes(assembled(document, b'\0' * 4))
    assert read(tmp_path / FILE)[0].faces.tolist() == [[0, 1, 2], [3, 4, 5]]
    for broken in (uri[:-40], 'data:,', uri[:-3]):
        document['buffers'][0]['uri'] = broken
        (tmp_path / FILE).write_bytes(assembled(document, b'\0' * 4))
        assert read(tmp_path / FILE)[1] == [('Mesh.Unreadable', '')]


MATRIX = [0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 0.0, -3.0, 0.0, 7.0, 8.0, 9.0, 1.0]
NODES = [
    {},
    {'translation': [1.0, -2.0, 3.0], 'rotation': [0.1, -0.7, 0.3, 0.6], 'scale': [1, -2, 0.5]},
    {'matrix': MATRIX},
    {'rotation': [0.0, 0.0, 0.0, 0.0]},
    {'scale': [-1.0, -1.0, 1.0]},
]


@pytest.mark.parametrize('node', NODES)
@pytest.mark.parametrize('mode', [4, 5])
def test_trimesh_reads_the_same(tmp_path, node, mode):
    """The library trimesh must find the same triangles, colors and transforms."""
    trimesh = pytest.importorskip('trimesh', reason='trimesh is a peer of the tests only')
    colors = np.arange(24, dtype=np.uint8).reshape(6, 4)
    document, binary = scene(ROUND, range(6), mode, colors, {'children': [1, 2]} | node)
    document['nodes'] += [{'mesh': 0, 'translation': [9.0, 0.0, 0.0]}, {'mesh': 0, **NODES[1]}]
    (tmp_path / FILE).write_bytes(assembled(document, binary))
    found, _ = read(tmp_path / FILE)
    peer = trimesh.load_scene(tmp_path / FILE, process=False, skip_materials=True)
    parts = []
    for name in peer.graph.nodes_geometry:
        matrix, geometry = peer.graph[name]
        mesh = peer.geometry[geometry]
        order = -1 if np.linalg.det(matrix[:3, :3]) < 0.0 else 1
        vertices = mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        parts.append(Mesh(vertices, mesh.faces[:, ::order], mesh.visual.vertex_colors[:, :3]))
    expected = join(parts)
    assert found.faces.tolist() == expected.faces.tolist()
    assert found.colors.tolist() == expected.colors.tolist()
    assert found.vertices == pytest.approx(expected.vertices, abs=1e-6)


def test_trimesh_reads_what_is_written(tmp_path):
    """The library trimesh must find the same vertices, triangles and colors."""
    trimesh = pytest.importorskip('trimesh', reason='trimesh is a peer of the tests only')
    mesh = slope(np.arange(12, dtype=np.uint8).reshape(4, 3))
    write_mesh(tmp_path / FILE, mesh)
    peer = trimesh.load_scene(tmp_path / FILE, process=False).to_mesh()
    assert peer.vertices.tolist() == mesh.vertices.tolist()
    assert peer.faces.tolist() == mesh.faces.tolist()
    assert peer.visual.vertex_colors[:, :3].tolist() == mesh.colors.tolist()


def test_many_copies_of_a_mesh_do_not_fill_the_memory(tmp_path):
    """The total size of all nodes is checked before memory is allocated."""

    def edit(document):
        document['accessors'][0]['count'] = 3 * 10**6
        document['bufferViews'][0]['byteLength'] = 12 * 10**6
        document['buffers'][0]['byteLength'] = 12 * 10**6 + 100
        document['nodes'] = [{'mesh': 0} for _ in range(200)]
        document['scenes'][0]['nodes'] = list(range(200))

    write_mesh(tmp_path / FILE, slope())
    document, _ = split((tmp_path / FILE).read_bytes())
    edit(document)
    binary = struct.pack('<I4s', 12 * 10**6 + 100, b'BIN\0') + bytes(12 * 10**6 + 100)
    (tmp_path / FILE).write_bytes(assemble(document, binary))
    assert read(tmp_path / FILE)[1] == [('Mesh.TooManyTriangles', '')]


def test_a_chain_of_nodes_ends(tmp_path):
    """Chains of nodes that are too deep are rejected before they are traversed."""

    def edit(document):
        count = 5000
        document['nodes'] = [{'children': [index + 1]} for index in range(count)] + [{'mesh': 0}]
        document['scenes'][0]['nodes'] = [0]

    change(tmp_path / FILE, edit)
    assert [code for code, _ in read(tmp_path / FILE)[1]] == ['Mesh.NodesTooDeep']


@ANY_FOLDER
@given(st.data())
def test_any_bytes_give_a_mesh_or_an_error(tmp_path, data):
    """With any byte changed or missing, reading returns a mesh or an error."""
    write_mesh(tmp_path / FILE, slope(np.full((4, 3), 9, np.uint8)))
    content = bytearray((tmp_path / FILE).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.sampled_from((len(content), len(content), len(content) // 2)))
    (tmp_path / FILE).write_bytes(content[:end])
    found, _ = read(tmp_path / FILE)
    assert found is None or np.isfinite(found.vertices).all()


JSON = st.none() | st.integers(-2, 10**12) | st.floats(allow_nan=False) | st.text(max_size=3)


@ANY_FOLDER
@given(st.data())
def test_any_value_anywhere_gives_a_mesh_or_an_error(tmp_path, data):
    """For any value at any place, reading returns a mesh or an error."""
    write_mesh(tmp_path / FILE, slope())
    document, binary = split((tmp_path / FILE).read_bytes())
    here, key = {'': document}, ''
    while isinstance(here[key], dict | list) and here[key] and data.draw(st.integers(0, 5)):
        here = here[key]
        keys = sorted(here) if isinstance(here, dict) else range(len(here))
        key = data.draw(st.sampled_from(keys))
    here[key] = data.draw(JSON | st.lists(JSON, max_size=3) | st.just({}))
    (tmp_path / FILE).write_bytes(assemble(document, binary))
    found, _ = read(tmp_path / FILE)
    assert found is None or found.faces.max() < len(found.vertices)
