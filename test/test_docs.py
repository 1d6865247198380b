# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The documentation agrees with the code."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import importlib.util
import json
import re
import shlex
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import shapely
import yaml
from rclpy.serialization import deserialize_message
from visualization_msgs.msg import MarkerArray

from world_model_core.bundle.geometry.drivable_area import DrivableArea, DrivablePolygon
from world_model_core.bundle.geometry.heightmap import Heightmap
from world_model_core.documents import parse
from world_model_core.errors import ConfigurationError
from world_model_core.match.ball.estimate import BallState, Kick
from world_model_core.match.datagram_queues import CHANNEL_LENGTH, DatagramQueues
from world_model_core.match.datagrams import Datagram, SenderAddress
from world_model_core.match.match import Match
from world_model_core.match.output_age import AgeSummary
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel, MatchParameters
from world_model_core.objects.values import MapObject
from world_model_core.parameters import leaves as parameters_of
from world_model_core.parameters import read_parameters
from world_model_core.simulation.house.parameters import HouseParameters
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters, SslSettings
from world_model_core.simulation.robots.robot_fleet import RobotFleet
from world_model_core.uncertainty.motion_parameters import LNPR as LNPR_MOTION
from world_model_core.uncertainty.motion_parameters import read_motion
from world_model_core.uncertainty.observation_parameters import LNPR as LNPR_SENSOR
from world_model_core.uncertainty.observation_parameters import (
    ObservationParameters,
    read_observation,
)
from world_model_nodes.bundle.markers import drivable_markers, mesh_marker
from world_model_nodes.commands.main import make_parser, run_command
from world_model_nodes.match.markers import ball_markers, kick_markers
from world_model_nodes.match.match_diagnostics import Reception, report_match
from world_model_nodes.nodes import NODES
from world_model_nodes.objects.markers import object_markers
from world_model_nodes.runtime.udp import ChannelStatus, Endpoint
from world_model_nodes.scenarios.launch_arguments import declared_arguments, parse_arguments
from world_model_nodes.uncertainty.markers import fleet_markers
from world_model_nodes.virtual_world.simulation_services import (
    ENTITY_SERVICES,
    WORLD_SERVICES,
    type_name,
)

PROJECT = Path(__file__).resolve().parents[1]
PAGES = [PROJECT / 'README.md', *sorted((PROJECT / 'docs').rglob('*.md'))]
MODULES = sorted((PROJECT / 'world_model_nodes').rglob('*.py'))
NODE_PAGES = {
    path.stem: path.read_text() for path in (PROJECT / 'docs/reference/nodes').glob('*.md')
}
DOCUMENTS = (PROJECT / 'docs/reference/documents.md').read_text()
UNCERTAINTY = (PROJECT / 'docs/explanation/uncertainty.md').read_text()
LOCALIZATION = (PROJECT / 'docs/explanation/localization.md').read_text()
NEW_SOURCE = (PROJECT / 'docs/how-to/add-a-noise-source.md').read_text()
NOISE = (PROJECT / 'docs/how-to/describe-your-robots-noise.md').read_text()
ARCHITECTURE = (PROJECT / 'docs/architecture.md').read_text()
BUILT = {'build', 'install', 'log', 'dist', '__pycache__'}
# Resources that RViz's displays use.
SHOWN_BY = {
    'Image': 'sensor_msgs/Image',
    'LaserScan': 'sensor_msgs/LaserScan',
    'Map': 'nav_msgs/OccupancyGrid',
    'Marker': 'visualization_msgs/Marker',
    'MarkerArray': 'visualization_msgs/MarkerArray',
    'Odometry': 'nav_msgs/Odometry',
    'Path': 'nav_msgs/Path',
    'PointCloud2': 'sensor_msgs/PointCloud2',
    'PointStamped': 'geometry_msgs/PointStamped',
    'Pose': 'geometry_msgs/PoseStamped',
    'PoseArray': 'geometry_msgs/PoseArray',
    'PoseWithCovariance': 'geometry_msgs/PoseWithCovarianceStamped',
}

every_page = pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)


def blocks(text, language):
    """Return the fenced blocks of a language."""
    return re.findall(rf'^ *```{language}\n(.*?)^ *```$', text, re.DOTALL | re.MULTILINE)


def rows(text, heading):
    """Return the table below a heading, as lists of cells."""
    section = re.split(r'^#+ ', text.split(f' {heading}\n', 1)[1], maxsplit=1, flags=re.MULTILINE)
    lines = [line for line in section[0].splitlines() if line.startswith('| `')]
    return [[cell.strip() for cell in line.strip('|').split(' | ')] for line in lines]


def topic_rows(heading):
    """Yield name, type and quality of service of each topic that a node page lists."""
    for page in NODE_PAGES.values():
        if f' {heading}\n' in page:
            for name, kind, qos, *_ in rows(page, heading):
                yield name.strip('`'), kind.split(',')[0], qos


def documented():
    """Return the published topics of the node pages with type and quality of service."""
    return {name: (kind, qos) for name, kind, qos in topic_rows('Published topics')}


def row_of(topic):
    """Return the documented name of a topic: /robot_0/pose is pose, /robot/odom <robot>/odom."""
    name = topic.removeprefix('/')
    inner = re.sub(r'^robot(_[0-9]+)?/', '', name)
    seen = re.sub(r'^camera_[0-9]/', '<camera>/', inner)
    names = (name, inner, f'<robot>/{inner}', f'<entity>/{seen}')
    return next((each for each in names if each in documented()), inner)


def calls(path, function):
    """Yield the arguments of each call of a method, with names before `as`."""
    tree = ast.parse(path.read_text())
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {alias.asname: alias.name for node in imported for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, 'attr', '') == function:
            words = [named(word) for word in node.args]
            yield [names.get(word, word) for word in words]


def named(word):
    """Read an argument: a name, a constant, or f'{camera}/info' as <camera>/info."""
    if isinstance(word, ast.JoinedStr):
        return ''.join(
            f'<{part.value.id}>' if isinstance(part, ast.FormattedValue) else part.value
            for part in word.values
        )
    return getattr(word, 'id', getattr(word, 'value', ''))


def anchors(page):
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r'^#+ (.*)$', page.read_text(), re.MULTILINE)
    return {re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-') for heading in headings}


@every_page
def test_links_have_targets(page):
    """Every relative link of a page leads to an existing file and heading."""
    for target in re.findall(r'\]\(([^)\s]+)\)', page.read_text()):
        if '://' in target:
            continue
        name, _, anchor = target.partition('#')
        path = page.parent / name if name else page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), target


def pictured():
    """Return the paths in the picture of the architecture."""
    paths, parents = set(), []
    for line in ARCHITECTURE.split('```')[1].strip('\n').splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        names = re.split(r' {2,}', line.strip())[0].split()
        paths |= {Path(*parents[:depth], name) for name in names}
        parents[depth:] = [names[0]]
    return paths


def test_the_picture_of_the_architecture_is_right():
    """All paths in the picture exist, and all our folders are in the picture."""
    shown = pictured()
    assert all((PROJECT / path).exists() for path in shown), shown
    tops = [path for path in PROJECT.iterdir() if path.is_dir() and path.name[0] != '.']
    packages = [path.parent for path in (PROJECT / 'world_model_core').glob('*/__init__.py')]
    ours = {path for path in tops + packages if path.name not in BUILT}
    there = {path.relative_to(PROJECT) for path in ours if not path.name.endswith('.egg-info')}
    assert there <= shown


def launch_file(scenario):
    """Find the launch file of a scenario."""
    (found,) = (PROJECT / 'launch').rglob(f'{scenario}.launch.xml')
    return found


def commands(page):
    """Yield the commands of a page: in shell blocks, and in the text if they are whole."""
    text = page.read_text()
    for block in blocks(text, 'bash'):
        whole = block.replace('\\\n', ' ')
        yield from (shlex.split(line, comments=True) for line in whole.splitlines())
    for span in re.findall(r'`(world_model [^`]+)`', text):
        if 'NAME' not in span:
            yield shlex.split(span)


def write_own_launch_file(page, scenario, folder):
    """Write the launch file that a page shows, under the name by which its commands run it."""
    (shown,) = blocks(page.read_text(), 'xml')
    path = folder / scenario
    path.write_text(shown)
    return path


@every_page
def test_commands_are_valid(page, tmp_path):
    """Each command line of `world_model` and `make` is valid."""
    targets = re.findall(r'^([a-z-]+):', (PROJECT / 'Makefile').read_text(), re.MULTILINE)
    for words in commands(page):
        if words[:1] == ['world_model']:
            asked = make_parser().parse_args(words[1:])
            if getattr(asked, 'scenario', None):
                is_own = asked.scenario.endswith('.launch.xml')
                path = (
                    write_own_launch_file(page, asked.scenario, tmp_path)
                    if is_own
                    else launch_file(asked.scenario)
                )
                known = {argument.name for argument in declared_arguments(path)}
                assert set(parse_arguments(asked.arguments)) <= known
        elif words[:1] == ['make']:
            assert words[1] in targets


def test_every_scenario_is_in_the_readme():
    """The README lists each launch file."""
    readme = PAGES[0].read_text()
    for path in (PROJECT / 'launch').rglob('*.launch.xml'):
        assert f'world_model run {path.name.removesuffix(".launch.xml")} ' in readme


def test_every_node_has_a_page():
    """docs/reference/nodes has one page for each node, which starts with the node's name."""
    pages = {name for name in NODE_PAGES if name != 'index'}
    assert pages == set(NODES)
    assert all(NODE_PAGES[name].startswith(f'# {name}\n') for name in pages)


@pytest.mark.parametrize('node', NODES)
def test_parameters_are_those_of_the_node(node):
    """The parameter table of each node page is what tools/parameter_tables.py writes."""
    path = PROJECT / 'tools/parameter_tables.py'
    spec = importlib.util.spec_from_file_location('parameter_tables', path)
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    assert NODE_PAGES[node] == tables.write_page(node)


@pytest.mark.parametrize('path', MODULES, ids=lambda path: path.name)
def test_published_topics_are_documented(path):
    """Each topic that a node publishes has its type and quality of service on a node page."""
    for kind, topic, qos in calls(path, 'create_publisher'):
        package_and_kind, documented_qos = documented()[topic]
        assert package_and_kind.endswith(f'/{kind}'), topic
        assert documented_qos == qos.lower(), topic


def test_documented_topics_are_published():
    """The node pages list no topic that no node publishes."""
    published = {words[1] for path in MODULES for words in calls(path, 'create_publisher')}
    assert set(documented()) == published


def test_pages_agree_about_topics():
    """A topic on several node pages has the same type and quality of service on each."""
    published = set(topic_rows('Published topics'))
    assert len(published) == len(documented())
    types = {(name, kind) for name, kind, _ in {*published, *topic_rows('Subscribed topics')}}
    assert len(types) == len({name for name, _ in types})


@pytest.mark.parametrize('path', MODULES, ids=lambda path: path.name)
def test_subscribed_topics_are_documented(path):
    """Each topic that a node subscribes to is on a node page, with its type."""
    known = {(name, kind.split('/')[1]) for name, kind, _ in topic_rows('Subscribed topics')}
    known |= {(name, kind.split('/')[1]) for name, (kind, _) in documented().items()}
    # The fleet's view subscribes to topics that it finds at run time, by a variable.
    found = {(words[1], words[0]) for words in calls(path, 'create_subscription')}
    assert {pair for pair in found if pair[0] != 'topic'} <= known


def test_documented_subscriptions_exist():
    """The node pages list no subscription that no node has, with its quality of service."""
    subscribed = {
        (words[1], words[-1].lower().replace('listen', 'sensor data'))
        for path in MODULES
        for words in calls(path, 'create_subscription')
    }
    assert {(name, qos) for name, _, qos in topic_rows('Subscribed topics')} <= subscribed


def served(path):
    """Yield name and type of each service that a module creates under a literal name."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        arguments = node.args if isinstance(node, ast.Call) else []
        words = [getattr(word, 'id', getattr(word, 'value', '')) for word in arguments]
        kinds = [word for word in words if word in {'SetBool', 'Trigger', 'LoadMap'}]
        names = [word for word in words if re.fullmatch(r'(~/)?[a-z_]+', str(word))]
        yield from ((name.removeprefix('~/'), kind) for kind in kinds for name in names)


def test_the_security_policy_allows_the_documented_topics():
    """Each node of ssl_live may publish and subscribe to the topics of its page, and no others."""
    policy = ET.parse(PROJECT / 'config/match/ssl_live.policy.xml')  # noqa: S314 (our own file)
    launched = ET.parse(PROJECT / 'launch/match/ssl_live.launch.xml')  # noqa: S314 (likewise)
    profiles = {each.get('node'): each for each in policy.iter('profile')}
    assert set(profiles) == {node.get('exec') for node in launched.iter('node')}
    for name, profile in profiles.items():
        for heading, right in (
            ('Published topics', 'publish'),
            ('Subscribed topics', 'subscribe'),
        ):
            allowed = {topic.text for topic in profile.iterfind(f'topics[@{right}]/topic')}
            documented = {row[0].strip('`') for row in rows(NODE_PAGES[name], heading)}
            assert documented <= allowed
            assert {topic for topic in allowed - documented if topic[0] not in '/~'} == set()


def test_services_are_documented():
    """Each service is on the page of a node with its type; the pages list no other service."""
    created = {pair for path in MODULES for pair in served(path)}
    listed = {
        (name.strip('`').partition('/')[2], kind.partition('/')[2])
        for page in NODE_PAGES.values()
        if ' Services\n' in page
        for name, kind, *_ in rows(page, 'Services')
    }
    # object_map creates its services in a loop over their names.
    looped = {(name, 'Trigger') for name in ('save', 'load', 'clear')}
    # So does virtual_world, with the services of the standard.
    standard = (*WORLD_SERVICES, *ENTITY_SERVICES, 'get_simulator_features')
    looped |= {(name, type_name(name)) for name in standard}
    assert created | looped == listed


def test_schemas_are_documented():
    """Each JSON Schema is named on the page of the documents."""
    for path in (PROJECT / 'config/schemas').glob('*.json'):
        assert f'config/schemas/{path.name})' in DOCUMENTS, path.name


@pytest.mark.parametrize(
    'name', ['ball/kick', 'game', 'field', 'object_map', 'scene', 'world_model']
)
def test_examples_follow_their_schemas(name):
    """Each JSON example on the page of the documents is a valid document."""
    section = re.split(rf'^#+ {name}$', DOCUMENTS, flags=re.MULTILINE)[1]
    assert parse(blocks(section, 'json')[0], name.removeprefix('ball/'))


def assumed(path):
    """Find the default of `match.ball.tracker.BallTrackerParameters.life` or a constant."""
    room, package, module, *names = path.split('.')
    found = importlib.import_module(f'world_model_core.{room}.{package}.{module}')
    for name in names:
        if dataclasses.is_dataclass(found):
            found = {item.name: item.default for item in dataclasses.fields(found)}[name]
        else:
            found = getattr(found, name)
    return found


def test_constants_of_the_tracker_are_as_documented():
    """Each constant on the page of constants has the value in the code."""
    table = rows((PROJECT / 'docs/reference/match-constants.md').read_text(), 'What is assumed')
    assert len(table) > 20
    for path, value, _ in table:
        assert float(value.split()[0]) == assumed(path.strip('`')), path


def test_rviz_lists_the_markers_of_ball_and_kicks():
    """The view for RViz lists the namespaces of the markers of ball and kicks, and no others."""
    view = yaml.safe_load((PROJECT / 'config/match/match.rviz').read_text())
    displays = {each['Name']: each for each in view['Visualization Manager']['Displays']}
    zero = np.zeros(3)
    ball = ball_markers(BallState(0, zero, zero, np.eye(6)), 'field')
    kick = kick_markers(Kick(0, zero[:2], zero, None, 0.0, None), 'field')
    drawn = {marker.ns for marker in ball.markers + kick.markers}
    assert set(displays['Ball']['Namespaces']) == drawn


def test_rviz_lists_the_markers_of_objects():
    """The view for RViz lists the namespaces of the markers of objects, and no others."""
    view = yaml.safe_load((PROJECT / 'config/objects/objects.rviz').read_text())
    displays = {each['Name']: each for each in view['Visualization Manager']['Displays']}
    chair = MapObject('1', 'chair', np.zeros(3), np.eye(3), size=np.ones(3))
    drawn = {marker.ns for marker in object_markers((chair,), 0, 'map').markers} - {''}
    assert set(displays['Objects']['Namespaces']) == drawn


def test_rviz_lists_the_markers_of_scenes():
    """The view for RViz lists the namespaces of the markers of a drivable area, and no others."""
    view = yaml.safe_load((PROJECT / 'config/bundle/bundle.rviz').read_text())
    displays = {each['Topic']['Value']: each for each in view['Visualization Manager']['Displays']
                if 'Topic' in each}  # fmt: skip
    ground = Heightmap('1.0.0', np.zeros((2, 2), np.float32), 1.0, (0.0, 0.0), (0.0, 0.0))
    road = DrivableArea((DrivablePolygon(shapely.box(0, 0, 1, 1), speed_limit=10.0),))
    drawn = {marker.ns for marker in drivable_markers(road, ground, 'map').markers} - {''}
    assert set(displays['/drivable/markers']['Namespaces']) == drawn
    assert set(displays['/mesh']['Namespaces']) == {mesh_marker(Path('x.glb'), 'map').ns}


def test_rviz_lists_the_markers_of_robots():
    """The view for RViz lists the namespaces of the markers of simulated robots, and no others."""
    view = yaml.safe_load((PROJECT / 'config/uncertainty/uncertainty.rviz').read_text())
    displays = {each['Name']: each for each in view['Visualization Manager']['Displays']}
    fleet = RobotFleet(LNPR_MOTION, LNPR_SENSOR, [(1.0, 0.0)], (0.0, 0.0), count=1, seed=1)
    message = deserialize_message(fleet_markers(fleet, 0, 'map'), MarkerArray)
    drawn = {marker.ns for marker in message.markers}
    assert set(displays['Fleet']['Namespaces']) == drawn


def test_the_example_of_noise_is_valid():
    """The YAML example on the page of robot_simulator is a valid noise file."""
    document = yaml.safe_load(blocks(NODE_PAGES['robot_simulator'], 'yaml')[0])
    assert read_motion(document['motion']).kidnap is None
    assert read_observation(document['observation']).clutter.probability == 0.1


def test_the_example_of_kidnapping_is_valid():
    """The noise file of the example of localization is valid: robots are kidnapped, range 10 m."""
    document = yaml.safe_load(blocks(LOCALIZATION, 'yaml')[0])
    assert read_motion(document['motion']).kidnap.mean_interval == 20.0
    assert read_observation(document['observation']).field_of_view.far == 10.0


def test_the_table_of_sources_is_that_of_the_simulators():
    """It must have each source that a simulator has, with all of its fields, and no others."""
    columns = zip(*rows(NOISE, 'Sources of the simulators')[:8], strict=True)
    kinds = (ObservationParameters, HouseParameters, SslSettings)
    for kind, cells in zip(kinds, list(columns)[1:], strict=True):
        listed = [
            f'{source}.{field}'
            for source, fields in re.findall(r'`(\w+)`: ((?:`\w+`(?:, )?)+)', ' '.join(cells))
            for field in re.findall(r'\w+', fields)
        ]
        assert sorted(listed) == sorted(
            leaf.name for leaf in parameters_of(kind) if '.' in leaf.name
        )


def test_the_examples_of_noise_are_valid_in_all_simulators():
    """The YAML examples of noise are valid parameters of each simulator."""
    nodes, robots = (yaml.safe_load(block) for block in blocks(NOISE, 'yaml')[:2])
    house = read_parameters(HouseParameters, nodes['house_simulator']['ros__parameters'])
    match = read_parameters(SslSettings, nodes['ssl_simulator']['ros__parameters'])
    observation = read_observation(robots['observation'])
    assert observation.noise == house.noise
    assert observation.missed_detection == house.missed_detection == match.missed_detection
    for rejected in (
        {'missed_detection': {'probability': 1.5}},
        {'noise': {'range_fraction': 0.05}},
    ):
        with pytest.raises(ConfigurationError) as caught:
            read_parameters(SslSettings, rejected)
        assert str(caught.value) in NOISE


def test_the_example_of_an_answer_follows_its_schema():
    """The JSON example of an answer is a valid document."""
    section = re.split(r'^## answer$', DOCUMENTS, flags=re.MULTILINE)[1]
    assert parse(blocks(section, 'json')[0], 'reply')


def test_diagnostics_are_documented():
    """Each key of a match with good, bad and repeated packets is on the page of ssl_receiver."""
    match = Match(MatchParameters())
    packets = SslMatch(SslMatchParameters(), 10**18).packets()
    for sent in (next(packets) for _ in range(100)):
        referee = isinstance(sent.packet, Referee)
        channel = Channel.REFEREE if referee else Channel.VISION
        data = encode_referee(sent.packet) if referee else encode_vision(sent.packet)
        for _ in range(2):
            match.receive(Datagram(channel, data, sent.sent_ns))
        match.receive(Datagram(Channel.TRACKER, data, sent.sent_ns))
    others = (sent.packet for sent in packets if not isinstance(sent.packet, Referee))
    queues, data = DatagramQueues(1), encode_vision(next(others))
    for channel in Channel:
        for number in range(CHANNEL_LENGTH + 1):
            sender = SenderAddress('10.0.0.1', number)
            queues.add(Datagram(channel, data, 10**18, sender))
    while queues.take(10**18 + 2):
        pass
    status = {channel: ChannelStatus(Endpoint('224.5.23.2', 10006)) for channel in Channel}
    reception = Reception(status, queues.counters, AgeSummary(0.001, 0.002, 0.003))
    assert {'vision.too old', 'vision.queue full'} <= queues.counters.keys()
    keys = set(report_match(match, reception, 10**18 + 10**9).values)
    known = {row[0].strip('`') for row in rows(NODE_PAGES['ssl_receiver'], 'Diagnostics')}
    own = keys - known
    assert {re.sub('^(tracker|referee)[.]', 'vision.', key) for key in own} <= known


@pytest.mark.parametrize(
    ('name', 'frame_id'),
    [
        ('match', 'field'),
        ('objects', 'map'),
        ('bundle', 'map'),
        ('uncertainty', 'map'),
        ('localization', 'map'),
        ('virtual_world', 'world'),
        ('virtual_world/household_explore', 'world'),
    ],
)
def test_rviz_shows_our_topics(name, frame_id):
    """The view for RViz has a display for each topic, of the class that shows its type."""
    view = yaml.safe_load(view_file(name, 'rviz').read_text())
    displays = [item for item in view['Visualization Manager']['Displays'] if 'Topic' in item]
    for display in displays:
        kind, qos = documented()[row_of(display['Topic']['Value'])]
        assert kind == SHOWN_BY[display['Class'].removeprefix('rviz_default_plugins/')]
        late = display['Topic']['Durability Policy'] == 'Transient Local'
        assert late == (qos == 'state'), display['Name']
    assert len(displays) == len({display['Topic']['Value'] for display in displays})
    assert view['Visualization Manager']['Global Options']['Fixed Frame'] == frame_id


def view_file(name, ending):
    """Return the file of a view: that of the same name as its folder, or another in it."""
    folder, _, file = name.partition('/')
    return PROJECT / f'config/{folder}/{file or folder}.{ending}'


def leaves(layout):
    """Yield the panels of a Foxglove layout."""
    if isinstance(layout, str):
        yield layout
    else:
        yield from (leaf for side in ('first', 'second') for leaf in leaves(layout[side]))


@pytest.mark.parametrize(
    'name',
    [
        'match',
        'objects',
        'bundle',
        'uncertainty',
        'localization',
        'virtual_world',
        'virtual_world/household_explore',
    ],
)
def test_foxglove_shows_our_topics(name):
    """The layout for Foxglove places each panel once, and names topics that there are."""
    layout = json.loads(view_file(name, 'foxglove.json').read_text())
    assert sorted(leaves(layout['layout'])) == sorted(layout['configById'])
    panels = layout['configById'].values()
    shown = [path['value'].split('.')[0] for panel in panels for path in panel.get('paths', ())]
    shown += [topic for panel in panels for topic in panel.get('topics', ())]
    shown += [panel[key] for panel in panels for key in ('topicPath', 'topicToRender')
              if key in panel]  # fmt: skip
    shown += [each[key] for panel in panels if (each := panel.get('imageMode'))
              for key in ('imageTopic', 'calibrationTopic')]  # fmt: skip
    known = {topic.removeprefix('/') for topic in documented()}
    assert {row_of(topic) for topic in shown} <= known | set(documented())


def test_each_dependency_has_a_reason():
    """The change log says why each package that package.xml asks for is there."""
    log = (PROJECT / 'CHANGELOG.rst').read_text().lower()
    package = ET.parse(PROJECT / 'package.xml').getroot()  # noqa: S314 (our own file)
    for element in [*package.findall('depend'), *package.findall('exec_depend')]:
        name = element.text.removeprefix('python3-').removesuffix('-pip').replace('yaml', 'pyyaml')
        assert f'* {name}: ' in log


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)
def test_examples_import_from_the_public_api(page):
    """Examples use the public names of world_model_core, and of the nodes the client alone."""
    for block in blocks(page.read_text(), 'python'):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith('world_model'):
                assert node.module in {'world_model_core', 'world_model_nodes.client'}
                public = importlib.import_module(node.module)
                if node.module == 'world_model_core':
                    assert {alias.name for alias in node.names} <= set(public.__all__)


def test_the_example_of_a_map_runs():
    """The tutorial's chair is confirmed and counted, its lamp is not."""
    (block,) = blocks((PROJECT / 'docs/tutorials/map-your-house.md').read_text(), 'python')
    names = {}
    exec(block, names)  # noqa: S102 - our own page
    assert [each.label for each in names['confirmed']] == ['chair']
    assert names['answer'].count == 1


def test_the_example_of_a_scene_runs(tmp_path, monkeypatch):
    """The tutorial's Python example reports what its commands report: one error."""
    page = (PROJECT / 'docs/tutorials/check-your-scene.md').read_text()
    monkeypatch.chdir(tmp_path)
    assert run_command(['bundle', 'example', 'village']) == 0
    timebase = Path('village/sim/timebase.yaml')
    timebase.write_text(timebase.read_text().replace('dt: 0.01', 'dt: -0.01'))
    names = {}
    (block,) = blocks(page, 'python')
    exec(block, names)  # noqa: S102 - our own page
    found = [f for f in names['report'].findings if f.rule.severity.value == 'error']
    assert [finding.rule.code for finding in found] == ['Timebase.Step']
    assert found[0].message() in page


def test_examples_of_uncertainty_run_as_they_are_written():
    """Each does what the page says: so many readings, the atom's logarithm, ranges rounded."""
    scope = {}
    for block in blocks(UNCERTAINTY, 'python') + blocks(NEW_SOURCE, 'python'):
        exec(block, scope)  # noqa: S102 - our own page
    assert scope['readings'].shape == (1000, 3, 2)
    assert scope['gross'].shape == (1000, 3)
    np.testing.assert_allclose(scope['atom'], [-0.1])
    assert np.isfinite(scope['likelihood']).all()
    ranges = scope['rounded'][..., 0]
    steps = ranges[~np.isnan(ranges)] / 0.05
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)
