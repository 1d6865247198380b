# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The package simulation_interfaces, built here or installed with ROS, is the released one."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_share_path
from geometry_msgs.msg import Vector3
from rclpy.action import ActionClient, ActionServer

PROJECT = Path(__file__).resolve().parents[2]
INTERFACES = PROJECT / 'tools/pip_ros/interfaces'
PACKAGE = 'simulation_interfaces'
# Of the releases for Jazzy and Kilted, 1.5.1 and 1.6.1, which differ in the version alone.
HASHES = dict(
    line.split()
    for line in (INTERFACES / 'type_hashes.txt').read_text().splitlines()
    if line.startswith(PACKAGE)
)
# Where the release for Lyrical and Rolling, 2.1.0, has others: by rosidl from its definitions.
HASHES_2_1 = {
    'msg/Spawnable': '8675aa686f0df1ed7874a6ec210fdce1ac1c07f4e49fc26ec7fb6fe729f6772e',
    'srv/GetSpawnables': '3e25fd827d8bcbd9db5e36ccb190efa22d6f6313897861268ab923bf091a992a',
    'srv/LoadWorld': '87d0ded1bfddb40a74d0bedb963fdd592fbedb14d0057d597850404b73c338af',
    'srv/SetEntityState': 'fba636c91d38832dbd4f6896ffce54ff98fd9929962b0533546b56ce00f988ac',
    'srv/SpawnEntity': '66860313e11009faddbfc8568e5d410d1a11607fe75eeb1308671dc0406fe3a7',
}
NAMES = sorted(name.removeprefix(f'{PACKAGE}/') for name in HASHES)


def interface(name):
    """Return the class of an interface, such as msg/Bounds."""
    kind, name = name.split('/')
    return getattr(import_module(f'{PACKAGE}.{kind}'), name)


def released(name):
    """Return the type hashes that a type has in the releases."""
    new = HASHES_2_1.get(name)
    return {HASHES[f'{PACKAGE}/{name}'], f'RIHS01_{new}' if new else ''}


def test_every_definition_has_a_hash():
    """The list names the messages, services and actions of the definitions, and no others."""
    found = (INTERFACES / PACKAGE).glob('*/*.*')
    assert sorted(f'{path.parent.name}/{path.stem}' for path in found) == NAMES


@pytest.mark.parametrize('name', NAMES)
def test_the_description_of_a_type_has_the_released_hash(name):
    """The hash in the installed description is that of a release."""
    text = (get_package_share_path(PACKAGE) / f'{name}.json').read_text()
    (found,) = (
        entry['hash_string']
        for entry in json.loads(text)['type_hashes']
        if entry['type_name'] == f'{PACKAGE}/{name}'
    )
    assert found in released(name)


def test_messages_have_the_released_hashes_on_the_wire(node, spin_until):
    """Libraries publish each message with the type hash of a release."""
    names = [name for name in NAMES if name.startswith('msg/')]
    for name in names:
        node.create_publisher(interface(name), name, 1)

    def infos(name):
        return node.get_publishers_info_by_topic(name)

    spin_until(lambda: all(infos(name) for name in names))
    for name in names:
        assert str(infos(name)[0].topic_type_hash) in released(name)


def test_a_service_receives_and_answers(node, spin_until):
    """Nested messages, sequences and constants arrive on both sides."""
    service, bounds = interface('srv/GetEntities'), interface('msg/Bounds')
    filters = interface('msg/EntityFilters')(filter='cup.*')
    filters.categories = [interface('msg/EntityCategory')(category=2)]
    filters.bounds = bounds(type=bounds.TYPE_SPHERE, points=[Vector3(x=1.0), Vector3(x=0.5)])
    received = []

    def answer(request, response):
        received.append(request.filters)
        response.result.result = 1
        response.entities = ['cup_0', '机']
        return response

    node.create_service(service, 'get_entities', answer)
    client = node.create_client(service, 'get_entities')
    spin_until(client.service_is_ready)
    future = client.call_async(service.Request(filters=filters))
    spin_until(future.done)
    assert received == [filters]
    assert future.result().result.result == interface('msg/Result').RESULT_OK
    assert future.result().entities == ['cup_0', '机']


def test_an_action_gives_feedback_and_a_result(node, spin_until):
    """Goal, feedback and result arrive."""
    action, feedback = interface('action/SimulateSteps'), []

    def simulate(goal):
        steps = goal.request.steps
        goal.publish_feedback(action.Feedback(completed_steps=1, remaining_steps=steps - 1))
        goal.succeed()
        return action.Result(result=interface('msg/Result')(result=1))

    server = ActionServer(node, action, 'simulate_steps', simulate)
    client = ActionClient(node, action, 'simulate_steps')
    spin_until(client.server_is_ready)
    sent = client.send_goal_async(action.Goal(steps=3), feedback.append)
    spin_until(sent.done)
    done = sent.result().get_result_async()
    spin_until(lambda: done.done() and feedback)
    assert done.result().result.result.result == interface('msg/Result').RESULT_OK
    assert feedback[0].feedback.remaining_steps == 2
    client.destroy()
    server.destroy()
