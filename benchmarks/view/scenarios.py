# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks show: a match, a kitchen with 10 agents, a house of 12 rooms."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rclpy.serialization import deserialize_message
from std_msgs.msg import String

from benchmarks.view.recorded import Recorded, record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WORLDS = Path(__file__).resolve().parents[2] / 'worlds'
# Length of a recording [s].
DURATION = 5.0
# One camera takes 75 pictures a second.
MATCH = ('cameras:=1', 'vision_port:=28040', 'referee_port:=28043')
SIMULATOR = 'ssl_simulator: {ros__parameters: {robots_per_team: 8}}\n'
HOUSE = ('rooms:=12', 'speed:=8', 'question:=')
# Objects of the house that are mapped before the recording begins.
OBJECTS = 70
# Agents of each kind, and where they stand [cm], in the axes of the world file.
EACH = 5
PLACES = {'robot.xml': (-200.0, 130.0), 'person.xml': (-200.0, -160.0)}
STEP = 75.0


def record_match() -> Recorded:
    """Record the match at 75 Hz, with 16 robots."""
    with TemporaryDirectory() as name:
        config = Path(name) / 'match.yaml'
        config.write_text(SIMULATOR, encoding='utf-8')
        arguments = (*MATCH, f'simulator_config:={config}')
        return record('ssl_sim', arguments, DURATION, lambda latched: '/field' in latched)


def record_kitchen() -> Recorded:
    """Record the kitchen with 10 agents."""
    with TemporaryDirectory() as name:
        world = kitchen_of_agents(Path(name))
        arguments = (f'world:={world}', f'assets:={world.parent}')
        return record('household', arguments, DURATION, lambda latched: '/world' in latched)


def record_house() -> Recorded:
    """Record the house of 12 rooms, most of whose objects are mapped."""
    return record('vla_sim', HOUSE, DURATION, lambda latched: _mapped(latched) >= OBJECTS)


SCENARIOS: Mapping[str, Callable[[], Recorded]] = {
    'match': record_match,
    'kitchen with 10 agents': record_kitchen,
    'house of 12 rooms': record_house,
}


def kitchen_of_agents(folder: Path) -> Path:
    """Write the kitchen with 5 robots and 5 people into a folder; return its file."""
    shutil.copytree(WORLDS / 'kitchen', folder, dirs_exist_ok=True)
    file = folder / 'kitchen.xml'
    tree = ET.parse(file)  # noqa: S314 (our own file)
    root = tree.getroot()
    for kind, place in PLACES.items():
        agent = next(each for each in root.iter('instanciate') if each.get('class') == kind)
        root.remove(agent)
        for number in range(EACH):
            root.append(_placed(agent, number, place))
    tree.write(file)
    return file


def _placed(agent: ET.Element, number: int, place: tuple[float, float]) -> ET.Element:
    """Return a copy of an agent with another name and place."""
    copied = ET.fromstring(ET.tostring(agent))  # noqa: S314 (our own file)
    values = {each.get('name'): each for each in copied.iter('set-attr-value')}
    values['name'].set('value', f'{values["name"].get("value")} {number}')
    values['x'].set('value', str(place[0] + STEP * number))
    values['z'].set('value', str(place[1]))
    return copied


def _mapped(latched: Mapping[str, bytes]) -> int:
    if '/object_map' not in latched:
        return 0
    return len(json.loads(deserialize_message(latched['/object_map'], String).data)['objects'])
