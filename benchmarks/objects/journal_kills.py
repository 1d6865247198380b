# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
What is lost when object_map is killed under load, 1,000 times.

The real node runs in a process of its own, which is forked from a server that has imported it.
Each round lets it continue the journal, sends frames with new and known objects, and kills it with
SIGKILL at a random moment.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import String
from vision_msgs.msg import Detection3DArray

from world_model_core.documents import parse
from world_model_core.objects.journal.replay import Replay, replay
from world_model_core.objects.persistent_map import PersistentObjectMap
from world_model_core.objects.values import Detections
from world_model_nodes.objects import object_map
from world_model_nodes.objects.convert import detections_message
from world_model_nodes.runtime.qos import STATE
from world_model_nodes.runtime.shared_memory import FOLDER

if TYPE_CHECKING:
    from collections.abc import Mapping
    from multiprocessing.context import ForkServerContext, ForkServerProcess

    from world_model_core.objects.mapping.object_map import MapUpdate
    from world_model_core.objects.values import CameraView

ROUNDS, SEED = 1000, 1
# Objects in a frame, and frames after which the camera has moved on by one object.
VISIBLE, FRAMES_PER_OBJECT = 40, 2
FRAME_RATE = 30.0  # [Hz]
# A journaled round goes on for a random time up to this, longer than the period of the journal.
MOST_TIME = 0.8  # [s]
TARGET_LOST = 1.0  # [s]
LIMIT = 120.0  # until a condition holds on a busy machine [s]
TRANSPORTS = 'FASTDDS_BUILTIN_TRANSPORTS'
FILES = '*.journal/*.log'


@dataclass
class Losses:
    """
    What the rounds have shown.

    Attributes
    ----------
    lost : list of float
        For each round, time between the newest frame in the map and in the journal [s].
    objects : int
        Confirmed objects at the end.
    torn : int
        Rounds that ended within a record, which is dropped.
    faults : list of str
        Damaged files, published objects that the journal did not have, and ids used twice.

    """

    lost: list[float] = field(default_factory=list)
    objects: int = 0
    torn: int = 0
    faults: list[str] = field(default_factory=list)


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Kill the node, and report what was lost."""
    os.environ['ROS_DOMAIN_ID'] = str(os.getpid() % 100 + 1)
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    before = _shared_memory()
    with tempfile.TemporaryDirectory() as folder:
        found = kill_often(rounds, SEED, Path(folder))
    lost = np.array(found.lost)
    return {
        'rounds': rounds,
        'objects at the end': found.objects,
        'lost at most [s]': round(float(lost.max()), 3),
        'lost, median [s]': round(float(np.median(lost)), 3),
        'target [s]': TARGET_LOST,
        'rounds that lost more': int((lost > TARGET_LOST).sum()),
        'torn records': found.torn,
        'faults': found.faults,
        'shared memory before and after [kB]': (before // 1000, _shared_memory() // 1000),
    }


def kill_often(rounds: int, seed: int, folder: Path) -> Losses:
    """Kill the node at random moments, and compare the journal with what it published."""
    stage = _Stage(folder, np.random.default_rng(seed))
    try:
        for _ in range(rounds):
            stage.play_round()
    finally:
        stage.close()
    return stage.losses


class _Detector:
    """A publisher of detections, and what the node publishes."""

    def __init__(self) -> None:
        # A reader that is killed does not return the shared memory of its writer.
        os.environ[TRANSPORTS] = 'UDPv4'
        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        self._node = rclpy.create_node('detector', context=self._context)
        del os.environ[TRANSPORTS]
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        self.maps: list[String] = []
        self._node.create_subscription(String, 'object_map', self.maps.append, STATE)
        self.publisher = self._node.create_publisher(Detection3DArray, 'detections', 10)

    def is_connected(self) -> bool:
        """Return whether both directions work."""
        return bool(self.maps and self.publisher.get_subscription_count())

    def spin(self, duration: float) -> None:
        """Receive messages for a time [s]."""
        end = time.monotonic() + duration
        while (rest := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=rest)

    def close(self) -> None:
        """Destroy the node."""
        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.shutdown(context=self._context)


class _Stage:
    """A node that is killed, and a detector that looks along a row of objects."""

    def __init__(self, folder: Path, random: np.random.Generator) -> None:
        self._folder, self._random = folder, random
        self._server: ForkServerContext = multiprocessing.get_context('forkserver')
        self._server.set_forkserver_preload([object_map.__name__])
        self._detector = _Detector()
        self._frames = 0
        self._state: Any = None
        self._places: dict[str, tuple[int, ...]] = {}
        self.losses = Losses()

    def play_round(self) -> None:
        """Start the node, send frames, kill it, and check the journal."""
        # A new one each time: the middleware of a process may no longer deliver to a new peer
        # after the deaths of others.
        self._detector.close()
        self._detector = _Detector()
        observed = self._server.Value('q', 0, lock=False)
        # The server may have been started long ago, by others and with another environment.
        environment = {name: os.environ[name] for name in os.environ if name.startswith('ROS_')}
        process = self._server.Process(
            target=run_node, args=(str(self._folder), observed, environment)
        )
        process.start()
        try:
            self._wait(self._detector.is_connected)
            began_ns = time.time_ns()
            self._wait(lambda: self._is_journaled(began_ns), self._send)
            end = time.monotonic() + self._random.uniform(0.0, MOST_TIME)
            self._wait(lambda: time.monotonic() > end, self._send)
        finally:
            _kill(process)
        # What the node has published before its death is still on its way.
        self._detector.spin(0.05)
        self._check(int(observed.value))

    def close(self) -> None:
        """Destroy the detector."""
        self._detector.close()

    def _check(self, observed_ns: int) -> None:
        """Compare the journal with what the node has observed and published."""
        found, losses = self._replay(), self.losses
        losses.torn += found.torn
        losses.faults.extend(f'damaged file {index}' for index in found.damaged)
        record = found.record
        if record is None:
            losses.faults.append('no record is left')
            return
        maps = [parse(message.data, 'object_map') for message in self._detector.maps]
        kept, stamp_ns = set(record.change.ids), record.stamp_ns or 0
        for document in maps:
            self._check_ids(document, record.change.next_id)
            if document.get('stamp_ns', 0) <= stamp_ns and not kept >= document['objects'].keys():
                losses.faults.append('a published object is not in the journal')
        losses.objects = len(maps[-1]['objects'])
        losses.lost.append((observed_ns - stamp_ns) * 1e-9)

    def _check_ids(self, document: dict[str, Any], reserved: int) -> None:
        """Check that an id belongs to one place forever, and was reserved."""
        for name, thing in document['objects'].items():
            place = tuple(np.rint(thing['position']).astype(int).tolist())
            if self._places.setdefault(name, place) != place:
                self.losses.faults.append(f'id {name} is used twice')
            if int(name) >= reserved:
                self.losses.faults.append(f'id {name} was not reserved')

    def _replay(self) -> Replay:
        files = sorted(self._folder.glob(FILES), key=lambda path: int(path.stem))
        try:
            return replay([each.read_bytes() for each in files], 0)
        except FileNotFoundError:  # removed by a compaction
            return self._replay()

    def _is_journaled(self, began_ns: int) -> bool:
        """Return whether a frame after a time is in the journal, which has then grown."""
        newest = max(self._folder.glob(FILES), key=lambda path: int(path.stem))
        state = newest, newest.stat().st_size
        if state == self._state:
            return False
        self._state = state
        record = self._replay().record
        return record is not None and (record.stamp_ns or 0) > began_ns

    def _wait(self, condition: Any, act: Any = None) -> None:
        """Act at the frame rate until a condition holds."""
        deadline = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f'waited {LIMIT} s in vain')
            if act is not None:
                act()
            self._detector.spin(1.0 / FRAME_RATE)

    def _send(self) -> None:
        """Publish a frame."""
        first, self._frames = self._frames // FRAMES_PER_OBJECT, self._frames + 1
        numbers = np.arange(first, first + VISIBLE)
        places = np.column_stack((numbers % 100, numbers // 100, np.zeros(VISIBLE)))
        noise = self._random.normal(0.0, 0.01, places.shape)
        frame = Detections(
            stamp_ns=time.time_ns(),
            labels=tuple(f'class {number % 30}' for number in numbers),
            positions=places + noise,
            covariances=np.tile(1e-4 * np.eye(3), (VISIBLE, 1, 1)),
            scores=np.ones(VISIBLE),
            colors=('red',) * VISIBLE,
            sizes=np.full((VISIBLE, 3), 0.3),
            headings=np.zeros(VISIBLE),
        )
        self._detector.publisher.publish(detections_message(frame, 'map'))


def run_node(folder: str, observed: Any, environment: Mapping[str, str]) -> None:
    """Run the node in this process, and tell the other one the stamp of its newest frame."""
    os.environ.update(environment)
    observe = PersistentObjectMap.observe

    def observe_and_tell(
        kept: PersistentObjectMap, detections: Detections, view: CameraView | None
    ) -> MapUpdate:
        update = observe(kept, detections, view)
        observed.value = detections.stamp_ns
        return update

    PersistentObjectMap.observe = observe_and_tell  # type: ignore[method-assign]
    parameters = (f'map_folder:={folder}', 'rate:=50.0')
    sys.argv = [
        'object_map',
        '--ros-args',
        *(word for each in parameters for word in ('-p', each)),
    ]
    object_map.main()


def _kill(process: ForkServerProcess) -> None:
    if process.exitcode is not None:
        raise RuntimeError(f'the node ended by itself, with exit code {process.exitcode}')
    process.kill()
    process.join()


def _shared_memory() -> int:
    """Return the size of all segments of the middleware [bytes]."""
    return sum(path.stat().st_size for path in FOLDER.glob('fast*_????????????????'))
