# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Controllers of the benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from world_model_core.virtual_world.agents.controller import Controller

if TYPE_CHECKING:
    from world_model_core.virtual_world.agents.events import ActionEvent, InitEvent, TextEvent

PERIOD = 0.1  # [s]
# Distance of things that a robot turns away from [m], and velocities of its wheels [rad/s].
NEAR, FORWARD, TURN = 1.0, 6.0, 3.0
# Probability that a robot speaks when it acts, and how far its voice reaches [m].
TALKATIVE, VOICE = 0.05, 8.0


class Null(Controller):
    """Does nothing, as often as it can."""

    def on_action(self, event: ActionEvent) -> float:
        """Ask to be called at the next step."""
        del event
        return -1.0


class Patrol(Controller):
    """Wanders between things, says which one is near, and counts what it hears."""

    def on_init(self, event: InitEvent) -> None:
        """Begin to count."""
        del event
        self.heard = 0

    def on_action(self, event: ActionEvent) -> float:
        """Turn away from the nearest thing ahead, else wander."""
        del event
        me = self.world.me
        names = [name for name in self.world.names if name.startswith('thing')]
        places = np.array([self.world.get_object(name).position for name in names])
        distances = np.hypot(*(places - me.position)[:, :2].T)
        nearest = int(np.argmin(distances))
        if distances[nearest] < NEAR:
            me.set_wheel_velocities(-TURN, TURN)
        else:
            me.set_wheel_velocities(FORWARD, FORWARD + TURN * (self.world.random() - 0.5))
        if self.world.random() < TALKATIVE:
            self.world.send_text(f'{names[nearest]} is near; heard {self.heard}', radius=VOICE)
        return PERIOD

    def on_recv_text(self, event: TextEvent) -> None:
        """Count."""
        del event
        self.heard += 1
