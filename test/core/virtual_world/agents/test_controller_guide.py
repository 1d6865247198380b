# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The controllers of the guide do what it says, in the world that it names."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

pytest.importorskip('mujoco', reason='the physics of the virtual world needs MuJoCo')

from world_model_core.examples.kitchen.kitchen import example_kitchen
from world_model_core.virtual_world.agents.commands import apply
from world_model_core.virtual_world.agents.controller import AgentWorld
from world_model_core.virtual_world.agents.controller_run import ControllerRun
from world_model_core.virtual_world.agents.messages import OutgoingText
from world_model_core.virtual_world.agents.turns import AgentTurns
from world_model_core.virtual_world.engine.engine import Engine

ROOT = Path(__file__).resolve().parents[4]
PAGE = ROOT / 'docs/how-to/write-a-controller.md'


class Link:
    """A link whose camera sees a cup."""

    def __init__(self):
        self.lines = []

    def query(self, method, arguments):
        """Return what the camera sees."""
        assert (method, arguments) == ('detect_entities', {'camera': 1})
        return ('cup 1',)

    def log(self, text):
        """Keep a line."""
        self.lines.append(text)


class Guide:
    """One controller of the page in the example kitchen."""

    def __init__(self, name):
        found, text = {}, PAGE.read_text(encoding='utf-8')
        for block in re.findall(r'```python\n(.*?)```', text, re.DOTALL):
            exec(block, found)  # noqa: S102 (our own page)
        self.engine, self.turns, self.said = Engine(example_kitchen()), AgentTurns(apply), []
        controller = found[name]()
        self.turns.attach('robot', controller.handlers)
        self.link = Link()
        self.controller_run = ControllerRun(controller, AgentWorld('robot', self.link))

    def run(self, duration):
        """Run for some time [s]."""
        for _ in range(round(duration / self.engine.world.step)):
            for name, turn in self.turns.begin(self.engine).items():
                self.turns.accept(name, self.controller_run.take(turn))
            self.turns.finish(self.engine)
            self.said += [each.text for each in self.turns.said]
            self.engine.step(self.engine.world.step)
        assert self.turns.counts.total() == 0

    def place(self, name):
        """Return the position of an entity."""
        return self.engine.state_of(name).pose.position


def test_the_waiter_drives_until_somebody_calls():
    """It stops, and answers."""
    guide = Guide('Waiter')
    start = guide.place('robot')
    guide.run(2.0)
    assert math.dist(start, guide.place('robot')) > 0.1
    guide.turns.say(OutgoingText('', 'robot', 'a cup of tea, please'))
    guide.run(2.0)
    stopped = guide.place('robot')
    guide.run(0.5)
    assert math.dist(stopped, guide.place('robot')) < 0.01
    assert guide.said == ['I am coming']
    assert guide.link.lines[-1] == 'somebody says: a cup of tea, please'


def test_the_lifter_lifts_the_apple():
    """A centimeter in a second."""
    guide = Guide('Lifter')
    before = guide.place('apple')[2]
    guide.run(4.5)
    assert guide.place('apple')[2] == pytest.approx(before + 0.05, abs=0.011)


def test_the_guard_looks():
    """It logs what it sees."""
    guide = Guide('Guard')
    guide.run(0.1)
    assert guide.link.lines == ['I see cup 1']
