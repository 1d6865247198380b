# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Directions of imports, and file headers."""

import ast
import subprocess
import sys
import xml.etree.ElementTree as ET
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
CORE = sorted((PROJECT / 'world_model_core').rglob('*.py'))
NODES = sorted((PROJECT / 'world_model_nodes').rglob('*.py'))
# Core must not import ROS, the network, threads, clocks or the nodes.
FOREIGN = {
    'asyncio', 'launch', 'multiprocessing', 'rclpy', 'selectors', 'socket', 'subprocess',
    'threading', 'time', 'world_model_nodes', 'builtin_interfaces', 'diagnostic_msgs',
    'geometry_msgs', 'nav_msgs', 'sensor_msgs', 'simulation_interfaces', 'std_msgs', 'vision_msgs',
    'visualization_msgs',
}  # fmt: skip
# Rooms that all rooms may import.
SERVE_ALL = {'angles', 'errors', 'files', 'findings', 'gaussian', 'parameters', 'time'}
# Each room of core, and the other rooms that it may import.
MAY_IMPORT = {
    'errors': set(),
    'angles': set(),
    'time': set(),
    'findings': set(),
    'files': set(),
    'gaussian': set(),
    'parameters': set(),
    'frames': set(),
    'match': set(),
    'objects': {'frames'},
    'uncertainty': set(),
    'localization': {'uncertainty'},
    'bundle': {'frames'},
    'simulation': {'match', 'frames', 'objects', 'uncertainty'},
    'virtual_world': {'frames', 'uncertainty', 'objects', 'simulation'},
    'documents': {'match', 'objects', 'bundle'},
    'evaluation': {'match', 'objects', 'simulation'},
    'examples': {'bundle', 'frames', 'virtual_world'},
    'sigverse': set(),
    'view': {
        'bundle', 'documents', 'frames', 'localization', 'match', 'objects', 'uncertainty',
        'virtual_world',
    },
}  # fmt: skip
# The same for the parts of match; a module that is not named is of the whole and may use all.
MATCH_MAY_IMPORT = {
    'ssl': set(),
    'cameras': {'ssl'},
    'ball': {'ssl', 'cameras'},
    'robots': {'ssl', 'cameras'},
    'game': {'ssl'},
    'play': {'ssl', 'ball', 'robots'},
}
# The modules of ssl that the other parts may import.
SSL_VALUES = {
    'world_model_core.match.ssl.robot_id',
    'world_model_core.match.ssl.vision_values',
    'world_model_core.match.ssl.geometry_values',
    'world_model_core.match.ssl.tracker_values',
    'world_model_core.match.ssl.referee_values',
}
# The same for the parts of objects, in addition to the values that they share.
OBJECTS_SHARE = {'values', 'query', 'answer', 'labels'}
OBJECTS_MAY_IMPORT = {
    'mapping': set(),
    'documents': set(),
    'language': set(),
    'relations': set(),
    'navigation': {'relations'},
    'answering': {'language', 'relations', 'navigation'},
    'journal': {'mapping', 'documents'},
    'persistent_map': {'mapping', 'documents', 'journal', 'answering'},
}
# Packages of extras, and the only places that may import them.
VIRTUAL_WORLD = PROJECT / 'world_model_core/virtual_world'
EXTRAS = {
    'mujoco': (f'{VIRTUAL_WORLD}/engine/', f'{VIRTUAL_WORLD}/rendering/'),
    'coacd': (f'{VIRTUAL_WORLD}/shapes/pieces.py',),
    'viser': (f'{PROJECT}/world_model_nodes/viewer/',),
    'websockets': (f'{PROJECT}/world_model_nodes/viewer/guard.py',),
    'msgspec': (f'{PROJECT}/world_model_nodes/viewer/client_messages.py',),
}
# The only module of core that may import the package of the wire of controllers.
WIRE = VIRTUAL_WORLD / 'agents/wire.py'


def imports(path):
    """Return every module that a file imports, also those for type checking only."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ''


def declared():
    """Return the modules that the dependencies of package.xml provide."""
    package = ET.parse(PROJECT / 'package.xml').getroot()  # noqa: S314 (our own file)
    named = [*package.findall('depend'), *package.findall('exec_depend')]
    keys = {element.text.removeprefix('python3-').removesuffix('-pip') for element in named}
    names = {'protobuf': 'google', 'lark-parser': 'lark', 'pil': 'PIL', 'tf2_ros_py': 'tf2_ros'}
    return {names.get(key, key) for key in keys}


def part(path):
    """Return the part of core that a file belongs to."""
    return path.relative_to(PROJECT / 'world_model_core').parts[0].removesuffix('.py')


@pytest.mark.parametrize('path', CORE, ids=lambda path: str(path.relative_to(PROJECT)))
def test_core_imports_neither_ros_nor_io(path):
    """Data and time are passed in, values are returned: nothing else may be imported."""
    roots = {name.split('.')[0] for name in imports(path)}
    assert roots.isdisjoint(FOREIGN)


@pytest.mark.parametrize('path', CORE, ids=lambda path: str(path.relative_to(PROJECT)))
def test_parts_of_core_import_in_one_direction(path):
    """A part may import only parts below it in the architecture."""
    own = part(path)
    if own == '__init__':
        return
    used = {name.split('.')[1] for name in imports(path) if name.startswith('world_model_core.')}
    assert used <= MAY_IMPORT[own] | {own} | SERVE_ALL


# For commands, benchmarks and tests, but not for robots.
APART = ('world_model_core.evaluation', 'world_model_core.examples')


def module_of(path):
    """Return the dotted name of a module."""
    return '.'.join(path.relative_to(PROJECT).with_suffix('').parts).removesuffix('.__init__')


def imports_of(path):
    """Return the modules that a file imports, imported modules of a package included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ''
            yield from (f'{node.module}.{alias.name}' for alias in node.names)


def test_only_commands_import_examples_and_evaluation():
    """No other module may import them, directly or through modules that it imports."""
    modules = {module_of(path): path for path in CORE + NODES}
    graph = {name: set(imports_of(path)) & set(modules) for name, path in modules.items()}
    # The public API names all modules, and imports one when it is used.
    graph['world_model_core'] = set()
    using = {name for name in modules if name.startswith(APART)}
    waiting = set(using)
    while waiting:
        waiting = {name for name in graph if graph[name] & waiting} - using
        using |= waiting
    commands = {name for name in using if name.startswith('world_model_nodes.commands')}
    apart = {name for name in using if name.startswith(APART)}
    assert using - commands - apart == set()


def test_parts_of_objects_import_in_one_direction():
    """The map and the answers may share only values and stored objects."""
    root = PROJECT / 'world_model_core' / 'objects'
    prefix = 'world_model_core.objects.'
    for path in sorted(root.rglob('*.py')):
        own = path.relative_to(root).parts[0].removesuffix('.py')
        named = {name for name in imports(path) if name.startswith(prefix)}
        used = {name.removeprefix(prefix).split('.')[0] for name in named}
        assert used <= OBJECTS_MAY_IMPORT.get(own, set()) | OBJECTS_SHARE | {own}, path


def test_the_allowed_imports_contain_no_circle():
    """Each table of allowed imports must have an order in which its parts can be built."""
    for table in (MAY_IMPORT, MATCH_MAY_IMPORT, OBJECTS_MAY_IMPORT):
        tuple(TopologicalSorter(table).static_order())


def test_no_modules_import_each_other_in_a_circle():
    """Imports at module level must be acyclic, those for type checking included."""
    modules = {module_name(path): path for path in CORE + NODES}
    graph = {name: module_imports(name, path, modules) for name, path in modules.items()}
    tuple(TopologicalSorter(graph).static_order())


def test_the_folders_of_bundles_do_not_import_each_other_in_a_circle():
    """Checks may import readers and geometry, but these must not import checks."""
    root, prefix = PROJECT / 'world_model_core/bundle', 'world_model_core.bundle.'
    folders = {path.name for path in root.iterdir() if path.is_dir()}
    graph = {}
    for path in root.glob('*/*.py'):
        named = {name.removeprefix(prefix).split('.')[0] for name in imports(path)}
        graph.setdefault(path.parent.name, set()).update((named & folders) - {path.parent.name})
    tuple(TopologicalSorter(graph).static_order())


def module_name(path):
    """Return the dotted name of a module or package."""
    words = path.relative_to(PROJECT).with_suffix('').parts
    return '.'.join(words[:-1] if words[-1] == '__init__' else words)


def module_imports(name, path, modules):
    """Return the modules of the package that a module imports outside of functions."""
    found = set()
    pending = list(ast.parse(path.read_text()).body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            full = {f'{node.module}.{alias.name}' for alias in node.names}
            found |= (full & modules.keys()) or {node.module}
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)
    return (found & modules.keys()) - {name}


def test_parts_of_match_import_in_one_direction():
    """The parts meet only in modules directly in match/."""
    prefix = 'world_model_core.match.'
    for path in CORE:
        words = path.relative_to(PROJECT / 'world_model_core').parts
        if words[0] != 'match' or words[1] not in MATCH_MAY_IMPORT:
            continue
        used = {name.split('.')[2] for name in imports(path) if name.startswith(prefix)}
        assert used <= MATCH_MAY_IMPORT[words[1]] | {words[1]}, path


def test_parts_of_match_import_only_the_values_of_ssl():
    """Protobuf and encoded packets must stay inside of ssl."""
    for path in (PROJECT / 'world_model_core' / 'match').rglob('*.py'):
        if path.parent.name in {'cameras', 'ball', 'robots', 'game'}:
            used = {n for n in imports(path) if n.startswith('world_model_core.match.ssl')}
            assert used <= SSL_VALUES, path


@pytest.mark.parametrize('path', CORE + NODES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_every_import_is_declared(path):
    """Packages that package.xml does not name must not be imported: rosdep omits them."""
    roots = {name.split('.')[0] for name in imports(path)}
    own = {'world_model_core', 'world_model_nodes'}
    extras = {name for name, places in EXTRAS.items() if str(path).startswith(places)}
    assert roots - set(sys.stdlib_module_names) - own - extras <= declared()


def test_one_module_imports_messagepack():
    """All other modules must use the frames of wire.py."""
    named = [path for path in CORE + NODES if 'msgpack' in path.read_text()]
    assert [path for path in named if 'msgpack' in imports(path)] == [WIRE]


def test_parameters_are_declared_in_one_place():
    """Only params.py may call declare_parameter."""
    callers = {path.name for path in NODES if 'declare_parameter(' in path.read_text()}
    assert callers == {'params.py'}


def test_every_file_states_its_license():
    """The two header lines must come first, after at most a #! line."""
    listed = subprocess.run(
        ['/usr/bin/env', 'git', 'ls-files', '*.py', '*.sh', 'Makefile', 'bin/*', '*.proto'],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip('not a git checkout: the list of files is unknown')
    for name in listed.stdout.split():
        lines = [line for line in (PROJECT / name).read_text().splitlines() if line[:2] != '#!']
        assert 'Copyright 2026 the world_model authors' in lines[0], name
        assert 'SPDX-License-Identifier: Apache-2.0' in lines[1], name
