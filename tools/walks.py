# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Counts the files, functions and call depth of six walks through the code, from input to output.

Each walk runs real nodes in this process: the callbacks from the input message to the first output
message are traced. Run it with `python tools/walks.py`; with `--files` it lists the files. The
table is in docs/architecture.md.
"""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.parameter import Parameter
from rclpy.publisher import Publisher
from std_msgs.msg import String
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose

from world_model_core.bundle.loading import load
from world_model_core.bundle.splats.splats import colored_points
from world_model_core.bundle.writing import write
from world_model_core.examples.village.example import example_bundle
from world_model_core.match.datagrams import Datagram
from world_model_core.match.ssl.referee_packets import encode_referee
from world_model_core.match.ssl.referee_values import Referee
from world_model_core.match.ssl.vision_packets import encode_vision
from world_model_core.match.values import Channel
from world_model_core.simulation.match.match import SslMatch
from world_model_core.simulation.match.parameters import SslMatchParameters
from world_model_nodes.bundle.convert_scene import splat_cloud
from world_model_nodes.match import ssl_receiver
from world_model_nodes.objects.object_map import ObjectMapNode
from world_model_nodes.objects.question_answerer import QuestionAnswerer
from world_model_nodes.uncertainty.robot_simulator import RobotSimulator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROJECT = Path(__file__).resolve().parents[1]
PACKAGES = (f'{PROJECT}/world_model_core/', f'{PROJECT}/world_model_nodes/')
START_NS = 1_700_000_000 * 10**9
QUESTION = 'How many chairs are there?'


class Walk:
    """
    Records the functions of the project that run, until a message is published on a topic.

    Parameters
    ----------
    topic : str
        The end of the name of the output topic; empty: record until `finish`.
    start : str
        The function at which recording starts in a callback; empty: with the callback.

    """

    def __init__(self, topic: str = '', start: str = '') -> None:
        self._topic, self._start = topic, start
        self._depth, self._current, self._records = 0, set(), False
        self._deepest, self.depth, self.functions = 0, 0, set()
        self.done = False

    @property
    def files(self) -> list[str]:
        """The files of the functions, relative to the project."""
        return sorted({name for name, *_ in self.functions})

    @contextmanager
    def callback(self) -> Iterator[None]:
        """Record one callback."""
        self._depth, self._deepest, self._current = 0, 0, set()
        self._records = not self._start
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(None)

    def forget(self) -> None:
        """Drop the callbacks recorded so far: they did not lead to the output."""
        self.functions, self.depth = set(), 0

    def finish(self) -> None:
        """End the walk with the callbacks recorded so far and the present one."""
        self.keep()
        self.done = True

    def keep(self) -> None:
        """Add the present callback to the walk."""
        self.functions |= self._current
        self.depth = max(self.depth, self._deepest)

    def note_output(self, topic: str) -> None:
        """End the walk if the message is the output."""
        if topic.endswith(self._topic) and self._topic and not self.done:
            self.finish()

    def _profile(self, frame: Any, event: str, _argument: object) -> None:
        path = frame.f_code.co_filename
        if not path.startswith(PACKAGES):
            return
        if not self._records:
            if event != 'call' or frame.f_code.co_qualname != self._start:
                return
            self._records = True
        if event == 'call':
            self._depth += 1
            self._deepest = max(self._deepest, self._depth)
            code = frame.f_code
            name = path.removeprefix(f'{PROJECT}/')
            self._current.add((name, code.co_qualname, code.co_firstlineno))
        elif event == 'return':
            self._depth -= 1


def callback_of(node: Any, topic: str) -> Callable[[Any], None]:
    """Return the callback of a subscription."""
    return next(each.callback for each in node.subscriptions if each.topic_name.endswith(topic))


def parameters(**values: Any) -> dict[str, Any]:
    """Make the argument of a node's constructor that sets parameters."""
    return {
        'parameter_overrides': [Parameter(name, value=value) for name, value in values.items()]
    }


class DatagramQueue:
    """Replaces the sockets: returns the datagrams of the walk."""

    read_until_ns = 0
    is_empty = False  # so that no tick is made

    def __init__(self, *_: Any) -> None:
        self.datagrams: list[Datagram] = []

    def take(self) -> list[Datagram]:
        """Return the datagrams, once."""
        taken, self.datagrams = self.datagrams, []
        return taken

    def close(self) -> None:
        """Do nothing: there is no socket."""


def walk_match(walk: Walk) -> None:
    """Feed the packets of a simulated match to ssl_receiver, one callback each."""
    ssl_receiver.MulticastReceiver = DatagramQueue  # type: ignore[assignment,misc]
    node = ssl_receiver.SslReceiver(**parameters(autostart=False))
    node.trigger_configure()
    node.trigger_activate()
    (arrival,) = node.guards
    for sent in islice(SslMatch(SslMatchParameters(), START_NS).packets(), 20_000):
        referee = isinstance(sent.packet, Referee)
        data = encode_referee(sent.packet) if referee else encode_vision(sent.packet)
        channel = Channel.REFEREE if referee else Channel.VISION
        node._receiver.datagrams.append(Datagram(channel, data, START_NS + sent.sent_ns))  # noqa: SLF001
        walk.forget()
        with walk.callback():
            arrival.callback()
        if walk.done:
            break
    node.destroy_node()


def walk_detection(walk: Walk) -> None:
    """Feed detections to object_map, and run its timers."""
    # A journal would continue the map of the last walk.
    folder = TemporaryDirectory()
    node = ObjectMapNode(parameter_overrides=[Parameter('map_folder', value=folder.name)])
    detect = callback_of(node, '/detections')
    for number in range(8):
        message = Detection3DArray()
        message.header.frame_id = 'map'
        message.header.stamp.sec, message.header.stamp.nanosec = 1_700_000_000, number * 10**8
        result = ObjectHypothesisWithPose()
        result.hypothesis.class_id, result.hypothesis.score = 'chair', 0.9
        result.pose.pose.position.x = 1.0
        detection = Detection3D(header=message.header, results=[result])
        detection.bbox.size.x = detection.bbox.size.y = detection.bbox.size.z = 0.5
        message.detections = [detection]
        walk.forget()
        with walk.callback():
            detect(message)
        walk.keep()
    run_timers(node, walk)
    node.destroy_node()
    folder.cleanup()


def walk_question(walk: Walk) -> None:
    """Publish a map and a question to question_answerer."""
    node = QuestionAnswerer()
    document = json.loads((PROJECT / 'docs/examples/house.json').read_text())
    callback_of(node, '/object_map')(String(data=json.dumps(document)))
    with walk.callback():
        callback_of(node, '/challenge_question')(String(data=QUESTION))
    walk.keep()
    run_timers(node, walk)
    node.destroy_node()


def walk_splats(walk: Walk) -> None:
    """Load a bundle and convert its splats to a point cloud."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / 'village'
        write(example_bundle(), path)
        with walk.callback():
            splat_cloud(colored_points(load(path).splats, 500_000), 'map')
        walk.finish()


def walk_command(walk: Walk) -> None:
    """Command a robot of robot_simulator, and run its timers until it publishes odometry."""
    node = RobotSimulator(**parameters(autostart=False, robots=2))
    received: list[Odometry] = []
    listener = rclpy.create_node('listener')
    listener.create_subscription(Odometry, 'robot_0/odom', received.append, 5)
    node.trigger_configure()
    node.trigger_activate()
    while not node.count_subscribers('robot_0/odom'):
        rclpy.spin_once(listener, timeout_sec=0.05)
    with walk.callback():
        callback_of(node, 'robot_0/cmd_vel')(Twist())
    walk.keep()
    run_timers(node, walk)
    node.destroy_node()


def run_timers(node: Any, walk: Walk) -> None:
    """Run the timers of a node until the output is published; keep only the one that does."""
    for _ in range(200):
        for timer in list(node.timers):
            with walk.callback():
                timer.callback()
            if walk.done:
                return


WALKS = {
    'datagram to `ball`': (walk_match, '/ball', ''),
    'datagram to `ball/kick`': (walk_match, '/ball/kick', ''),
    'kick to `ball/kick`': (walk_match, '/ball/kick', 'BallTracker.update'),
    'detection to `object_map`': (walk_detection, '/object_map', ''),
    'question to `answer`': (walk_question, '/answer', ''),
    'splats to PointCloud2': (walk_splats, '', ''),
    'command to `odom`': (walk_command, '/robot_0/odom', ''),
}


def main() -> None:
    """Print the table."""
    rclpy.init()
    publish = Publisher.publish
    present: list[Walk] = []

    def note(publisher: Publisher, message: Any) -> None:
        present[-1].note_output(publisher.topic_name)
        publish(publisher, message)

    Publisher.publish = note
    print('| walk | files | functions | depth |\n|---|---|---|---|')
    for name, (run, topic, start) in WALKS.items():
        present.append(Walk(topic, start))
        run(present[-1])
        walk = present[-1]
        print(f'| {name} | {len(walk.files)} | {len(walk.functions)} | {walk.depth} |', flush=True)
        if '--files' in sys.argv:
            print(*(f'  {path}' for path in walk.files), sep='\n')
        if not walk.done:
            print(f'  no message on {topic}')
    rclpy.try_shutdown()


if __name__ == '__main__':
    main()
