# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A scene as a node: published whole, replaced whole or not at all, in its own time."""

from __future__ import annotations

import json
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray
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
    """Write another scene: one camera, with OpenGL's axes, no mesh, a later time."""
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


class Stage:
    """The node, and everything that it publishes."""

    def __init__(self, graph, **given):
        self.graph = graph
        overrides = [Parameter(name, value=value) for name, value in given.items()]
        self.node = graph.add(WorldBundleNode(parameter_overrides=overrides))
        self.heard = {name: graph.listen(kind, name, STATE) for name, kind in TOPICS.items()}
        self.reports = graph.listen(DiagnosticArray, '/diagnostics')
        self._clock = graph.listen(Clock, '/clock', CLOCK)

    def start(self):
        """Configure and activate, and wait for the whole scene."""
        assert self.node.autostart()
        self.graph.wait_until(lambda: all(self.heard.values()))
        return self

    def load(self, address):
        """Ask for another scene."""
        return self.graph.call(LoadMap, 'world_bundle/load', LoadMap.Request(map_url=str(address)))

    @property
    def scene(self):
        """The newest document, checked."""
        return parse(self.heard['scene'][-1].data, 'scene')

    @property
    def mesh(self):
        """The file of the newest mesh."""
        return Path(unquote(urlsplit(self.heard['mesh'][-1].mesh_resource).path))

    @property
    def frames(self):
        """The frames of the newest message, by child."""
        return {each.child_frame_id: each for each in self.heard['/tf_static'][-1].transforms}

    @property
    def stamps(self):
        """All times that were published [ns]."""
        return [from_time(message.clock) for message in self._clock]

    def wait_for(self, scene_id):
        """Wait until a scene is on all topics."""
        self.graph.wait_until(lambda: self.scene['scene_id'] == scene_id)
        counts = {len(heard) for heard in self.heard.values()}
        self.graph.wait_until(lambda: len({len(heard) for heard in self.heard.values()}) == 1)
        return counts

    def status(self):
        """Return the newest report of the node."""
        found = [s for r in self.reports for s in r.status if s.name == '/world_bundle']
        return found[-1] if found else None


@pytest.fixture
def stage(graph, often, village_folder):  # noqa: ARG001 (before the node is made)
    """Make a node for the village, or another folder."""
    return lambda bundle=village_folder, **given: Stage(graph, bundle=str(bundle), **given)


def test_a_scene_is_published_whole(stage, village, village_folder):
    """Each topic has what is in the bundle, in the map's frame, for any time."""
    place, bundle = stage().start(), village
    scene = place.scene
    assert scene['scene_id'] == bundle.manifest.scene_id
    assert scene['folder'] == str(village_folder)
    assert scene['splats']['count'] == bundle.splats.count
    assert set(scene['cameras']) == set(bundle.calibration.cameras)
    for name in ('mesh', 'drivable', 'heightmap', 'splats', 'initial_pose'):
        assert place.heard[name][-1].header.frame_id == scene['frames']['map']
        assert from_time(place.heard[name][-1].header.stamp) == 0
    ground = place.heard['heightmap'][-1]
    assert (ground.height, ground.width) == bundle.heightmap.heights.shape
    np.testing.assert_array_equal(
        point_cloud2.read_points(ground)['z'].reshape(ground.height, ground.width),
        bundle.heightmap.heights,
    )
    cells = place.heard['drivable'][-1]
    assert cells.data.tolist().count(0) * cells.info.resolution**2 == pytest.approx(
        bundle.drivable.area, rel=0.05
    )
    np.testing.assert_allclose(
        pose_of(place.heard['initial_pose'][-1]).translation,
        bundle.timebase.initial.pose.translation,
    )
    assert place.heard['splats'][-1].width > 1000
    address = urlsplit(place.heard['mesh'][-1].mesh_resource)
    assert (
        Path(unquote(address.path))
        == village_folder / bundle.manifest.paths['geometry/static_mesh']
    )


def test_a_grid_map_is_published_where_there_is_such_a_message(stage, village):
    """It has all nodes, however many points a cloud may have."""
    messages = pytest.importorskip('grid_map_msgs.msg')
    place = stage(max_points=500).start()
    heard = place.graph.listen(messages.GridMap, 'heightmap/grid_map', STATE)
    place.graph.wait_until(lambda: heard)
    assert len(heard[-1].data[0].data) == village.heightmap.heights.size


def test_all_sensors_have_their_frames(stage, village):
    """One message holds every static transform, and the calibration's are those of the file."""
    place, bundle = stage().start(), village
    (message,) = place.heard['/tf_static']
    sensors = {**bundle.calibration.cameras, **bundle.calibration.lidars}
    assert {sensor.frame_id for sensor in sensors.values()} <= set(place.frames)
    assert len(message.transforms) == len(place.frames)
    for sensor in sensors.values():
        told = place.frames[sensor.frame_id]
        assert told.header.frame_id == 'base_link'
        pose = transform_of(told.transform)
        np.testing.assert_allclose(pose.rotation, sensor.pose.rotation, atol=1e-9)


def test_the_calibration_rules_and_that_is_told(stage, village, village_folder, tmp_path, capfd):
    """The log names rule and frame, and what is published is what the calibration says."""
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
    told = transform_of(place.frames[lidar.frame_id].transform)
    np.testing.assert_allclose(told.translation, lidar.pose.translation)
    place.graph.wait_until(place.status)
    values = {pair.key: pair.value for pair in place.status().values}
    assert values['warnings of the bundle'] == '1'


def test_cameras_tell_of_themselves_in_their_optical_frames(stage, village):
    """Each has its topic, its own size, and a frame that tf knows."""
    place, bundle = stage().start(), village
    for name, camera in bundle.calibration.cameras.items():
        heard = place.graph.listen(CameraInfo, f'{name}/camera_info')
        place.graph.wait_until(lambda heard=heard: len(heard) > 1)
        assert (heard[-1].width, heard[-1].height) == (camera.width, camera.height)
        assert heard[-1].header.frame_id == place.scene['cameras'][name]['optical_frame_id']
        assert heard[-1].header.frame_id in place.frames


def test_who_comes_late_gets_all_of_it(stage):
    """Every topic of the scene has it for new subscribers, /tf_static in one message."""
    place = stage().start()
    late = {name: place.graph.listen(kind, name, STATE) for name, kind in TOPICS.items()}
    place.graph.wait_until(lambda: all(late.values()))
    assert late['/tf_static'][-1] == place.heard['/tf_static'][-1]
    assert {len(heard) for heard in late.values()} == {1}


def test_configured_alone_it_is_silent(stage):
    """Nothing is published before it is activated, and then the scene as it was read."""
    place = stage(autostart=False)
    place.node.trigger_configure()
    place.graph.wait_until(lambda: place.status() and place.status().message == 'not active')
    assert not any(place.heard.values())
    place.node.trigger_activate()
    place.graph.wait_until(lambda: all(place.heard.values()))


def test_after_cleanup_nothing_is_left(stage, hamlet):
    """Topics are gone, with the scene that they held for who comes late, and the files made."""
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
    """Deactivated and activated it publishes the scene anew, for who forgot it."""
    place = stage().start()
    place.node.trigger_deactivate()
    place.node.trigger_activate()
    place.graph.wait_until(lambda: all(len(heard) == 2 for heard in place.heard.values()))


def test_a_cloud_has_no_more_points_than_wanted(stage):
    """Both are thinned out; the drivable grid stays whole."""
    place = stage(max_points=500).start()
    assert place.heard['splats'][-1].width == 500
    ground = place.heard['heightmap'][-1]
    assert 100 < ground.width * ground.height <= 500
    assert len(place.heard['drivable'][-1].data) > 500


def test_base_link_stands_where_the_scene_starts_if_wanted(stage, village):
    """Else nobody is told where it is: two who say so would fight."""
    bundle = village
    assert 'base_link' not in stage().start().frames
    told = stage(place_base_link=True).start().frames['base_link']
    assert told.header.frame_id == bundle.metadata.coordinate_system.map_frame
    pose = transform_of(told.transform)
    np.testing.assert_allclose(pose.translation, bundle.timebase.initial.pose.translation)


def test_an_empty_name_is_the_example(stage, village):
    """Who has no bundle yet sees one at once."""
    place = stage('').start()
    assert place.scene['scene_id'] == village.manifest.scene_id
    assert Path(place.scene['folder']).is_dir()


@pytest.mark.parametrize('form', ['{}', 'file://{}'])
def test_another_scene_takes_the_place_of_the_first(stage, hamlet, form):
    """All topics have it, the frames in one new message, and cameras that are gone are silent."""
    place = stage().start()
    before = place.scene['number']
    place.graph.wait_until(lambda: place.graph.probe.count_publishers('front/camera_info'))
    address = form.format(str(hamlet).replace(' ', '%20') if 'file' in form else hamlet)
    answer = place.load(address)
    assert answer.result == RESULT.RESULT_SUCCESS
    place.wait_for('hamlet')
    assert answer.map == place.heard['drivable'][-1]
    assert place.scene['number'] == before + 1
    assert {len(heard) for heard in place.heard.values()} == {2}
    assert set(place.frames) == {'eye', 'eye_optical'}
    heard = place.graph.listen(CameraInfo, 'single_eye/camera_info')
    place.graph.wait_until(lambda: heard)
    assert heard[-1].header.frame_id == 'eye_optical'
    place.graph.wait_until(lambda: not place.graph.probe.count_publishers('front/camera_info'))


def test_the_ground_stands_in_for_a_mesh(stage, hamlet):
    """Its file is there as long as the scene is, and is that of this scene."""
    place = stage(hamlet).start()
    assert place.scene['mesh'] is None
    first = place.mesh
    assert first.read_bytes()[:4] == b'glTF'
    place.load(hamlet)
    place.graph.wait_until(lambda: len(place.heard['mesh']) == 2)
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
    """Each fault has its code, nothing is published, and the next good scene is taken."""
    place = stage().start()
    for name, result in BROKEN.items():
        folder = tmp_path / name.replace('/', '_')
        shutil.copytree(village_folder, folder)
        (folder / name).write_bytes(b'no such thing')
        assert place.load(folder).result == result, name
    nowhere = (tmp_path / 'nowhere', village_folder / 'world.yaml', '', 'http://example.org')
    for address in nowhere:
        assert place.load(address).result == RESULT.RESULT_MAP_DOES_NOT_EXIST
    (tmp_path / 'empty').mkdir()
    assert place.load(tmp_path / 'empty').result == RESULT.RESULT_INVALID_MAP_METADATA
    assert place.load(village_folder).result == RESULT.RESULT_SUCCESS
    place.graph.wait_until(lambda: all(len(heard) > 1 for heard in place.heard.values()))
    assert {len(heard) for heard in place.heard.values()} == {2}


def test_only_an_active_node_loads(stage, village_folder):
    """As nav2's map server: otherwise who configures it would not know what it has."""
    place = stage(autostart=False)
    assert place.load(village_folder).result == RESULT.RESULT_UNDEFINED_FAILURE
    place.node.trigger_configure()
    assert place.load(village_folder).result == RESULT.RESULT_UNDEFINED_FAILURE
    assert not any(place.heard.values())


def test_time_is_told_only_if_wanted(stage):
    """Two who tell the time would fight: by default there is no /clock and no service for it."""
    place = stage().start()
    assert not place.graph.probe.count_publishers('/clock')
    names = {name for name, _ in place.graph.probe.get_service_names_and_types()}
    assert '/world_bundle/load' in names
    assert '/world_bundle/pause' not in names


def test_cameras_follow_the_scenes_time(stage, hamlet):
    """Time begins at the scene's start; stamps are multiples of the camera's period from there."""
    place = stage(hamlet, publish_clock=True)
    heard = place.graph.listen(CameraInfo, 'single_eye/camera_info')
    place.start()
    place.graph.wait_until(lambda: len(heard) > 3 and place.stamps)
    start_ns = 100_000_000_000
    assert min(place.stamps) >= start_ns
    rate = load(hamlet).calibration.cameras['single-eye'].rate
    beats = [(from_time(each.header.stamp) - start_ns) * rate / 1e9 for each in heard]
    assert beats == pytest.approx([round(beat) for beat in beats], abs=1e-5)
    assert beats == sorted(beats)


def test_a_reset_tells_the_frames_again(stage):
    """Listeners forget transforms when time goes back; the start is told, and cameras go on."""
    place = stage(publish_clock=True).start()
    place.graph.wait_until(lambda: place.stamps and place.stamps[-1] > 0)
    count = len(place.heard['/tf_static'])
    answer = place.graph.call(Trigger, 'world_bundle/reset', Trigger.Request())
    assert answer.success
    assert 'time went back from' in answer.message
    place.graph.wait_until(lambda: len(place.heard['/tf_static']) == count + 1)
    assert place.heard['/tf_static'][-1] == place.heard['/tf_static'][-2]
    assert len(place.heard['scene']) == 1


def test_another_scene_brings_its_own_time(stage, hamlet):
    """Loaded while time runs or stands, it goes to the start of the new one."""
    place = stage(publish_clock=True).start()
    place.graph.call(SetBool, 'world_bundle/pause', SetBool.Request(data=True))
    place.graph.wait_until(lambda: place.status() and place.status().message == 'paused')
    assert place.load(hamlet).result == RESULT.RESULT_SUCCESS
    place.graph.wait_until(lambda: place.stamps[-1] == 100_000_000_000)
    place.wait_for('hamlet')
    assert {len(heard) for heard in place.heard.values()} == {2}


def test_who_tells_the_time_cannot_be_told_it(stage, capfd):
    """With both parameters the node refuses to start, and names them."""
    place = stage(publish_clock=True, use_sim_time=True)
    assert not place.node.autostart()
    assert 'publish_clock and use_sim_time are both true' in capfd.readouterr().err


def test_the_speed_alone_can_change(stage):
    """Any other parameter of a configured node is refused."""
    place = stage(publish_clock=True).start()
    (result,) = place.node.set_parameters([Parameter('speed', value=100.0)])
    assert result.successful
    place.graph.wait_until(lambda: place.stamps and place.stamps[-1] > 20_000_000_000)
    (result,) = place.node.set_parameters([Parameter('max_points', value=5)])
    assert not result.successful


def test_conventions_can_be_told(stage):
    """What the operator knows of the file counts, and the document says who said so."""
    place = stage(opacities='logit', scales='log').start()
    splats = place.scene['splats']
    assert (splats['opacities'], splats['opacities_known']) == ('logit', 'told')
    assert (splats['scales'], splats['scales_known']) == ('log', 'told')


def test_a_bad_bundle_does_not_start(running, village_folder, tmp_path):
    """The process says which rule is broken where, and exits with 1."""
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


def test_no_bundle_does_not_start(running, tmp_path):
    """A folder that is not there is named."""
    with running('world_bundle', '-p', f'bundle:={tmp_path}/nowhere') as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert f'{tmp_path}/nowhere' in errors
    assert 'Traceback' not in errors


def test_interrupt_ends_quietly(running, graph, village_folder):
    """Ctrl-C is a good end: exit code 0, no traceback."""
    heard = graph.listen(String, 'scene', STATE)
    with running('world_bundle', '-p', f'bundle:={village_folder}') as process:
        graph.wait_until(lambda: heard)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 0, errors
    assert 'Traceback' not in errors
    assert json.loads(heard[-1].data)['folder'] == str(village_folder)
