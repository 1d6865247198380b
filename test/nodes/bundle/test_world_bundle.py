# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node world_bundle publishes and replaces a scene as a whole, on the scene's clock."""

from __future__ import annotations

import json
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from nav_msgs.msg import OccupancyGrid, Odometry
from nav_msgs.srv import LoadMap
from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CameraInfo, PointCloud2
from sensor_msgs_py import point_cloud2
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from world_model_core.bundle.bundle import PARTS, BundleContents, WorldBundle
from world_model_core.bundle.loading import load
from world_model_core.bundle.values import CameraConvention
from world_model_core.bundle.writing import write
from world_model_core.documents import parse
from world_model_core.frames import Transform, compose
from world_model_nodes.bundle.world_bundle import WorldBundleNode
from world_model_nodes.objects.convert_sensing import pose_of, transform_of
from world_model_nodes.runtime.convert import from_time
from world_model_nodes.runtime.qos import CLOCK, STATE

TOPICS = {
    '/tf_static': TFMessage,
    'scene': String,
    'initial_pose': Odometry,
    'mesh': Marker,
    'drivable': OccupancyGrid,
    'drivable/markers': MarkerArray,
    'heightmap': PointCloud2,
    'splats': PointCloud2,
}
RESULT = LoadMap.Response


@pytest.fixture(scope='module')
def village_folder(village, tmp_path_factory):
    """Write the example once for all tests, which only read it."""
    folder = tmp_path_factory.mktemp('bundles') / 'village'
    write(village, folder)
    return folder


@pytest.fixture(scope='module')
def hamlet(village, tmp_path_factory):
    """Write a second scene: one camera in OpenGL's axes, no mesh, a later time."""
    manifest, calibration = village.manifest, village.calibration
    camera = next(iter(calibration.cameras.values()))
    half_turn = Transform(np.diag((1.0, -1.0, -1.0)), np.zeros(3))
    camera = replace(
        camera,
        frame_id='eye',
        convention=CameraConvention.OPENGL,
        pose=compose(half_turn, camera.pose),
    )
    paths = {key: path for key, path in manifest.paths.items() if key != 'geometry/static_mesh'}
    changed = {
        'metadata': replace(village.metadata, scene_id='hamlet', cameras=('single-eye',)),
        'calibration': replace(calibration, cameras={'single-eye': camera}, lidars={}),
        'tf_static': (),
        'timebase': replace(village.timebase, start_time=100.0),
        'static_mesh': None,
    }
    folder = tmp_path_factory.mktemp('bundles') / 'a hamlet'
    manifest = replace(manifest, scene_id='hamlet', paths=paths)
    contents = BundleContents(**{name: getattr(village, name) for name in PARTS} | changed)
    write(WorldBundle(manifest, contents), folder)
    return folder


class BundleStage:
    """The node, and its topics."""

    def __init__(self, graph, **given):
        self.graph = graph
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        self.node = graph.add(WorldBundleNode(parameter_overrides=overrides))
        self.received = {name: graph.listen(kind, name, STATE) for name, kind in TOPICS.items()}
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self._clock = graph.listen(Clock, '/clock', CLOCK)

    def start(self):
        """Configure and activate, and wait for the whole scene."""
        assert self.node.autostart()
        self.graph.wait_until(lambda: all(self.received.values()))
        return self

    def load(self, address):
        """Request another scene."""
        return self.graph.call(LoadMap, 'world_bundle/load', LoadMap.Request(map_url=str(address)))

    @property
    def scene(self):
        """Return the newest document, validated."""
        return parse(self.received['scene'][-1].data, 'scene')

    @property
    def mesh(self):
        """Return the file of the newest mesh."""
        return Path(unquote(urlsplit(self.received['mesh'][-1].mesh_resource).path))

    @property
    def frames(self):
        """Return the frames of the newest message, by child."""
        return {each.child_frame_id: each for each in self.received['/tf_static'][-1].transforms}

    @property
    def stamps(self):
        """Return all published times [ns]."""
        return [from_time(message.clock) for message in self._clock]

    def wait_for(self, scene_id):
        """Wait until a scene is on all topics."""
        self.graph.wait_until(lambda: self.scene['scene_id'] == scene_id)
        counts = {len(received) for received in self.received.values()}
        self.graph.wait_until(
            lambda: len({len(received) for received in self.received.values()}) == 1
        )
        return counts

    def status(self):
        """Return the newest status of the node."""
        found = [s for r in self.reports for s in r.status if s.name == '/world_bundle']
        return found[-1] if found else None


@pytest.fixture
def stage(graph, often, village_folder):  # noqa: ARG001 (before the node is made)
    """Return a function that makes a node for the village, or another folder."""
    return lambda bundle=village_folder, **given: BundleStage(graph, bundle=str(bundle), **given)


def test_a_scene_is_published_whole(stage, village, village_folder):
    """Each topic has the data of the bundle, in the map frame, at time 0."""
    place, bundle = stage().start(), village
    scene = place.scene
    assert scene['scene_id'] == bundle.manifest.scene_id
    assert scene['folder'] == str(village_folder)
    assert scene['splats']['count'] == bundle.splats.count
    assert set(scene['cameras']) == set(bundle.calibration.cameras)
    for name in ('mesh', 'drivable', 'heightmap', 'splats', 'initial_pose'):
        assert place.received[name][-1].header.frame_id == scene['frames']['map']
        assert from_time(place.received[name][-1].header.stamp) == 0
    ground = place.received['heightmap'][-1]
    assert (ground.height, ground.width) == bundle.heightmap.heights.shape
    np.testing.assert_array_equal(
        point_cloud2.read_points(ground)['z'].reshape(ground.height, ground.width),
        bundle.heightmap.heights,
    )
    cells = place.received['drivable'][-1]
    assert cells.data.tolist().count(0) * cells.info.resolution**2 == pytest.approx(
        bundle.drivable.area, rel=0.05
    )
    np.testing.assert_allclose(
        pose_of(place.received['initial_pose'][-1]).translation,
        bundle.timebase.initial.pose.translation,
    )
    assert place.received['splats'][-1].width > 1000
    address = urlsplit(place.received['mesh'][-1].mesh_resource)
    assert (
        Path(unquote(address.path))
        == village_folder / bundle.manifest.paths['geometry/static_mesh']
    )


def test_a_grid_map_is_published_if_grid_map_msgs_is_installed(stage, village):
    """It has all nodes, whatever the maximum number of points of clouds."""
    messages = pytest.importorskip('grid_map_msgs.msg')
    place = stage(max_points=500).start()
    received = place.graph.listen(messages.GridMap, 'heightmap/grid_map', STATE)
    place.graph.wait_until(lambda: received)
    assert len(received[-1].data[0].data) == village.heightmap.heights.size


def test_all_sensors_have_their_frames(stage, village):
    """One message has every static transform, and the calibration's are those of the file."""
    place, bundle = stage().start(), village
    (message,) = place.received['/tf_static']
    sensors = {**bundle.calibration.cameras, **bundle.calibration.lidars}
    assert {sensor.frame_id for sensor in sensors.values()} <= set(place.frames)
    assert len(message.transforms) == len(place.frames)
    for sensor in sensors.values():
        published = place.frames[sensor.frame_id]
        assert published.header.frame_id == 'base_link'
        pose = transform_of(published.transform)
        np.testing.assert_allclose(pose.rotation, sensor.pose.rotation, atol=1e-9)


def test_the_calibration_takes_precedence_and_is_logged(
    stage, village, village_folder, tmp_path, capfd
):
    """The log has rule and frame, and the published transform is that of the calibration."""
    folder = tmp_path / 'contradicting'
    shutil.copytree(village_folder, folder)
    file = folder / village.manifest.paths['sensors/tf_static']
    document = json.loads(file.read_text())
    lidar = village.calibration.lidars['top']
    (link,) = (t for t in document['transforms'] if t['child_frame_id'] == lidar.frame_id)
    link['transform']['translation']['x'] += 0.5
    file.write_text(json.dumps(document))
    place = stage(folder).start()
    assert 'Calibration.TfMismatch' in capfd.readouterr().err
    published = transform_of(place.frames[lidar.frame_id].transform)
    np.testing.assert_allclose(published.translation, lidar.pose.translation)
    place.graph.wait_until(place.status)
    values = {pair.key: pair.value for pair in place.status().values}
    assert values['warnings of the bundle'] == '1'
    assert place.status().level == DiagnosticStatus.WARN
    assert place.status().message.startswith('the bundle: ')


def test_camera_infos_are_in_optical_frames(stage, village):
    """Each camera has its topic, its size, and a frame that is in tf."""
    place, bundle = stage().start(), village
    for name, camera in bundle.calibration.cameras.items():
        received = place.graph.listen(CameraInfo, f'{name}/camera_info')
        place.graph.wait_until(lambda received=received: len(received) > 1)
        assert (received[-1].width, received[-1].height) == (camera.width, camera.height)
        assert received[-1].header.frame_id == place.scene['cameras'][name]['optical_frame_id']
        assert received[-1].header.frame_id in place.frames


def test_late_subscribers_receive_the_scene(stage):
    """Every topic of the scene is latched, and /tf_static is one message."""
    place = stage().start()
    late = {name: place.graph.listen(kind, name, STATE) for name, kind in TOPICS.items()}
    place.graph.wait_until(lambda: all(late.values()))
    assert late['/tf_static'][-1] == place.received['/tf_static'][-1]
    assert {len(received) for received in late.values()} == {1}


def test_an_inactive_node_publishes_nothing(stage):
    """Nothing is published until activation, and then the scene as read."""
    place = stage(autostart=False)
    place.node.trigger_configure()
    place.graph.wait_until(lambda: place.status() and place.status().message == 'not active')
    assert not any(place.received.values())
    place.node.trigger_activate()
    place.graph.wait_until(lambda: all(place.received.values()))


def test_after_cleanup_nothing_is_left(stage, hamlet):
    """The topics, their latched messages and the temporary files are gone."""
    place = stage(hamlet, publish_clock=True).start()
    ground = place.mesh
    assert ground.is_file()
    place.node.trigger_deactivate()
    place.node.trigger_cleanup()
    topics = (*TOPICS, '/clock', 'single_eye/camera_info')
    place.graph.wait_until(lambda: not any(map(place.graph.probe.count_publishers, topics)))
    assert not ground.parent.exists()
    assert place.node.autostart()


def test_it_can_be_activated_again(stage):
    """Activated again, the node publishes the scene again."""
    place = stage().start()
    place.node.trigger_deactivate()
    place.node.trigger_activate()
    place.graph.wait_until(lambda: all(len(received) == 2 for received in place.received.values()))


def test_clouds_have_a_maximum_number_of_points(stage):
    """Splats and heightmap are thinned out; the drivable grid is complete."""
    place = stage(max_points=500).start()
    assert place.received['splats'][-1].width == 500
    ground = place.received['heightmap'][-1]
    assert 100 < ground.width * ground.height <= 500
    assert len(place.received['drivable'][-1].data) > 500


def test_base_link_is_placed_at_the_start_on_request(stage, village):
    """By default the transform is not published: two publishers would conflict."""
    bundle = village
    assert 'base_link' not in stage().start().frames
    published = stage(place_base_link=True).start().frames['base_link']
    assert published.header.frame_id == bundle.metadata.coordinate_system.map_frame
    pose = transform_of(published.transform)
    np.testing.assert_allclose(pose.translation, bundle.timebase.initial.pose.translation)


def test_an_empty_name_is_the_example(stage, village):
    """Without a folder the node publishes the example."""
    place = stage('').start()
    assert place.scene['scene_id'] == village.manifest.scene_id
    assert Path(place.scene['folder']).is_dir()


@pytest.mark.parametrize('form', ['{}', 'file://{}'])
def test_another_scene_takes_the_place_of_the_first(stage, hamlet, form):
    """All topics have it, the frames in one new message, and removed cameras are silent."""
    place = stage().start()
    before = place.scene['number']
    place.graph.wait_until(lambda: place.graph.probe.count_publishers('front/camera_info'))
    address = form.format(str(hamlet).replace(' ', '%20') if 'file' in form else hamlet)
    answer = place.load(address)
    assert answer.result == RESULT.RESULT_SUCCESS
    place.wait_for('hamlet')
    assert answer.map == place.received['drivable'][-1]
    assert place.scene['number'] == before + 1
    assert {len(received) for received in place.received.values()} == {2}
    assert set(place.frames) == {'eye', 'eye_optical'}
    received = place.graph.listen(CameraInfo, 'single_eye/camera_info')
    place.graph.wait_until(lambda: received)
    assert received[-1].header.frame_id == 'eye_optical'
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('front/camera_info'))


def test_the_ground_replaces_a_missing_mesh(stage, hamlet):
    """Its file exists as long as its scene is loaded."""
    place = stage(hamlet).start()
    assert place.scene['mesh'] is None
    first = place.mesh
    assert first.read_bytes()[:4] == b'glTF'
    place.load(hamlet)
    place.graph.wait_until(lambda: len(place.received['mesh']) == 2)
    second = place.mesh
    assert second.is_file()
    assert not first.exists()


BROKEN = {
    'geometry/heightmap.bin': RESULT.RESULT_INVALID_MAP_DATA,
    'geometry/drivable.geojson': RESULT.RESULT_INVALID_MAP_DATA,
    'geometry/static_mesh.glb': RESULT.RESULT_INVALID_MAP_DATA,
    'gaussians/background.splat.ply': RESULT.RESULT_INVALID_MAP_DATA,
    'world.yaml': RESULT.RESULT_INVALID_MAP_METADATA,
    'metadata.json': RESULT.RESULT_INVALID_MAP_METADATA,
    'sensors/calibration.yaml': RESULT.RESULT_INVALID_MAP_METADATA,
    'sim/timebase.yaml': RESULT.RESULT_INVALID_MAP_METADATA,
}


def test_a_reload_that_fails_keeps_the_scene(stage, village_folder, tmp_path):
    """Each error has its code, nothing is published, and the next valid scene is loaded."""
    place = stage().start()
    for name, result in BROKEN.items():
        folder = tmp_path / name.replace('/', '_')
        shutil.copytree(village_folder, folder)
        (folder / name).write_bytes(b'no such thing')
        assert place.load(folder).result == result, name
    nowhere = (tmp_path / 'nowhere', village_folder / 'world.yaml', '', 'http://example.org')
    not_paths = ('/' + 300 * 'x', '~no such user/', 'file://[', '/etc/hosts/scene')
    for address in (*nowhere, *not_paths):
        assert place.load(address).result == RESULT.RESULT_MAP_DOES_NOT_EXIST
    (tmp_path / 'empty').mkdir()
    assert place.load(tmp_path / 'empty').result == RESULT.RESULT_INVALID_MAP_METADATA
    assert place.load(village_folder).result == RESULT.RESULT_SUCCESS
    place.graph.wait_until(lambda: all(len(received) > 1 for received in place.received.values()))
    assert {len(received) for received in place.received.values()} == {2}


def test_only_an_active_node_loads(stage, village_folder):
    """As in nav2's map server, an inactive node rejects a scene."""
    place = stage(autostart=False)
    assert place.load(village_folder).result == RESULT.RESULT_UNDEFINED_FAILURE
    place.node.trigger_configure()
    assert place.load(village_folder).result == RESULT.RESULT_UNDEFINED_FAILURE
    assert not any(place.received.values())


def test_time_is_published_only_on_request(stage):
    """By default there is no /clock and no service for it: two publishers would conflict."""
    place = stage().start()
    assert not place.graph.probe.count_publishers('/clock')
    names = {name for name, _ in place.graph.probe.get_service_names_and_types()}
    assert '/world_bundle/load' in names
    assert '/world_bundle/pause' not in names


def test_cameras_follow_the_scenes_time(stage, hamlet):
    """Time begins at the scene's start; stamps are multiples of the camera's period from there."""
    place = stage(hamlet, publish_clock=True)
    received = place.graph.listen(CameraInfo, 'single_eye/camera_info')
    place.start()
    place.graph.wait_until(lambda: len(received) > 3 and place.stamps)
    start_ns = 100_000_000_000
    assert min(place.stamps) >= start_ns
    rate = load(hamlet).calibration.cameras['single-eye'].rate
    beats = [(from_time(each.header.stamp) - start_ns) * rate / 1e9 for each in received]
    assert beats == pytest.approx([round(beat) for beat in beats], abs=1e-5)
    assert beats == sorted(beats)


def test_a_reset_publishes_the_frames_again(stage):
    """Subscribers clear tf when time jumps back; start and cameras are published again, too."""
    place = stage(publish_clock=True).start()
    place.graph.wait_until(lambda: place.stamps and place.stamps[-1] > 0)
    count = len(place.received['/tf_static'])
    answer = place.graph.call(Trigger, 'world_bundle/reset', Trigger.Request())
    assert answer.success
    assert 'time went back from' in answer.message
    place.graph.wait_until(lambda: len(place.received['/tf_static']) == count + 1)
    assert place.received['/tf_static'][-1] == place.received['/tf_static'][-2]
    assert len(place.received['scene']) == 1


def test_another_scene_brings_its_own_time(stage, hamlet):
    """A scene loaded while time runs or is paused starts at its own time."""
    place = stage(publish_clock=True).start()
    place.graph.call(SetBool, 'world_bundle/pause', SetBool.Request(data=True))
    place.graph.wait_until(lambda: place.status() and place.status().message == 'paused')
    assert place.load(hamlet).result == RESULT.RESULT_SUCCESS
    place.graph.wait_until(lambda: place.stamps[-1] == 100_000_000_000)
    place.wait_for('hamlet')
    assert {len(received) for received in place.received.values()} == {2}


def test_publishing_and_using_simulated_time_is_rejected(stage, capfd):
    """With both parameters the node does not start, and names them."""
    place = stage(publish_clock=True, use_sim_time=True)
    assert not place.node.autostart()
    assert 'publish_clock and use_sim_time are both true' in capfd.readouterr().err


def test_the_speed_alone_can_change(stage):
    """Any other parameter of a configured node is rejected."""
    place = stage(publish_clock=True).start()
    (result,) = place.node.set_parameters([Parameter('speed', value=100.0)])
    assert result.successful
    place.graph.wait_until(lambda: place.stamps and place.stamps[-1] > 20_000_000_000)
    (result,) = place.node.set_parameters([Parameter('max_points', value=5)])
    assert not result.successful


def test_conventions_can_be_overridden(stage):
    """Conventions given by parameters are used, and the document states their source."""
    place = stage(opacities='logit', scales='log').start()
    splats = place.scene['splats']
    assert (splats['opacities'], splats['opacities_known']) == ('logit', 'told')
    assert (splats['scales'], splats['scales_known']) == ('log', 'told')


def test_an_invalid_bundle_does_not_start(running, village_folder, tmp_path):
    """The process logs the rule and the file, and exits with 1."""
    folder = tmp_path / 'broken'
    shutil.copytree(village_folder, folder)
    timebase = folder / 'sim/timebase.yaml'
    timebase.write_text(timebase.read_text().replace('dt: ', 'dt: -'))
    with running('world_bundle', '-p', f'bundle:={folder}') as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert 'FATAL' in errors
    assert 'sim/timebase.yaml at /simulation/dt' in errors
    assert 'Traceback' not in errors


def test_a_missing_folder_does_not_start(running, tmp_path):
    """A folder that does not exist is named."""
    with running('world_bundle', '-p', f'bundle:={tmp_path}/nowhere') as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert f'{tmp_path}/nowhere' in errors
    assert 'Traceback' not in errors


def test_interrupt_ends_quietly(running, graph, village_folder):
    """Ctrl-C ends the node quietly: exit code 0, no traceback."""
    received = graph.listen(String, 'scene', STATE)
    with running('world_bundle', '-p', f'bundle:={village_folder}') as process:
        graph.wait_until(lambda: received)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
    assert json.loads(received[-1].data)['folder'] == str(village_folder)
