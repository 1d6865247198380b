# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A virtual world that is loaded, played, changed and published."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from rclpy.clock import Clock, ClockType

from world_model_core.errors import WorldModelError
from world_model_core.simulation.simulated_time import Timeline
from world_model_core.time import NANOSECONDS_PER_SECOND, to_seconds
from world_model_core.virtual_world.simulation_state import (
    NoWorldError,
    ResetScope,
    SimulationState,
    check_transition,
    check_world,
    state_of,
)
from world_model_nodes.runtime.diagnostics import Report
from world_model_nodes.runtime.drop_counters import DropCounters
from world_model_nodes.runtime.simulated_clock import SimulatedClock
from world_model_nodes.runtime.step_budget import StepBudget
from world_model_nodes.virtual_world.entity_records import EntityRecords
from world_model_nodes.virtual_world.finding_log import log_findings
from world_model_nodes.virtual_world.step_listeners import StepListeners
from world_model_nodes.virtual_world.world_diagnostics import PaceMeter, describe_step
from world_model_nodes.virtual_world.world_topics import WorldTopics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rclpy.node import Node

    from world_model_core.virtual_world.engine.engine import Engine, StepReport
    from world_model_core.virtual_world.entity_info import EntityInfo
    from world_model_core.virtual_world.values import Entity, EntityState, World
    from world_model_nodes.virtual_world.step_listeners import StepListener
    from world_model_nodes.virtual_world.virtual_world_config import VirtualWorldConfig

# Late ticks that are caught up; services must not wait for several messages of a large world.
BURST = 2


class RunningWorld:
    """
    Plays a world, and changes and publishes it; stopped until `start`.

    Parameters
    ----------
    node : Node
    config : VirtualWorldConfig
    engine_type : type of Engine
    listeners : iterable of StepListener
        What senses or acts between the steps, in the order of their calls; closed with the world.

    """

    def __init__(
        self,
        node: Node,
        config: VirtualWorldConfig,
        engine_type: type[Engine],
        listeners: Iterable[StepListener] = (),
    ) -> None:
        self._node, self._config, self._engine_type = node, config, engine_type
        self._listeners = StepListeners(listeners)
        self._speed = config.speed
        self._engine: Engine | None = None
        self._topics: WorldTopics | None = None
        self._drops = DropCounters(node)
        self._active, self._at_start, self._failure = False, True, ''
        # Names of the entities that were published last; None: none of this world.
        self._shown: tuple[str, ...] | None = None
        self._epoch_ns = self._stamp_ns = 0
        self._last_step: StepReport | None = None
        self._pace = PaceMeter()
        self.records = EntityRecords()
        self.budget = StepBudget()
        self.clock = SimulatedClock(
            node,
            self._advance,
            lambda _: self._return_to_start(ResetScope.ALL),
            config.speed,
            config.clock_rate,
            burst=BURST,
            budget=self.budget,
            on_substep=self._step_to,
        )

    @property
    def state(self) -> SimulationState:
        """State of the simulation."""
        return state_of(
            loaded=self._engine is not None, paused=self.clock.paused, at_start=self._at_start
        )

    @property
    def engine(self) -> Engine:
        """
        The engine of the world.

        Raises
        ------
        NoWorldError
            No world is loaded.

        """
        if self._engine is None:
            raise NoWorldError('no world is loaded')
        return self._engine

    @property
    def infos(self) -> dict[str, EntityInfo]:
        """Category, description and tags of all entities, by their names."""
        return self.records.infos(self.engine.world.entities)

    def load(self, world: World) -> None:
        """
        Replace the world by another one, at its start; if active, the time starts again, paused.

        The present world stays if the other one cannot be used.

        Raises
        ------
        EngineError
            The engine cannot simulate the world.

        """
        config = self._config
        engine = self._engine_type(
            world, seed=config.seed, sleep=config.sleep, original_limits=config.original_limits
        )
        self.unload()
        log_findings(self._node, engine.findings)
        self._engine = engine
        self._topics = WorldTopics(
            self._node,
            engine,
            self._drops,
            lambda: self._active and self.clock.paused,
            config.question,
        )
        self._at_start = True
        if self._active:
            self.clock.pause(paused=True)
            self._begin()

    def unload(self) -> None:
        """Remove the world, and all topics that show it."""
        self.clock.halt()
        if self._topics is not None:
            self._topics.close()
            self._listeners.replace(None)
        self._engine = self._topics = None
        self.records.keep(())
        self._failure, self._shown = '', None

    def start(self, *, paused: bool) -> None:
        """Start the run from the start of the world, at the present time of day."""
        self._active = True
        self._epoch_ns = Clock(clock_type=ClockType.SYSTEM_TIME).now().nanoseconds
        self.clock.pause(paused)
        if self._engine is not None:
            self._engine.reset()
            self._begin()

    def stop(self) -> None:
        """Halt the time."""
        self._active = False
        self.clock.halt()

    def change_speed(self, speed: float) -> None:
        """Continue at another speed."""
        self._speed = speed
        self.clock.change_speed(speed)

    def close(self) -> None:
        """Destroy the world, its topics, its listeners and its clock."""
        self.unload()
        self._listeners.close()
        self.clock.close()

    def change_state(self, target: SimulationState) -> None:
        """
        Play, pause or stop.

        Raises
        ------
        AlreadyInStateError, IncorrectTransitionError
            The present state does not allow it.

        """
        check_transition(self.state, target)
        self.clock.pause(target is not SimulationState.PLAYING)
        if target is SimulationState.STOPPED:
            self.reset(ResetScope.ALL)
        else:
            self._at_start = False

    def reset(self, scope: ResetScope) -> None:
        """
        Return the world, or parts of it, to the start.

        Raises
        ------
        NoWorldError
            No world is loaded.

        """
        check_world(self.state)
        self._return_to_start(scope)
        if ResetScope.TIME in scope:
            self.clock.restart()
        else:
            self._publish()

    def spawn(self, entities: Sequence[Entity], namespaces: Sequence[str]) -> tuple[str, ...]:
        """
        Add entities, and return their names.

        Parameters
        ----------
        entities : sequence of Entity
            Their names are unique.
        namespaces : sequence of str
            Of the topics of each; empty: that of the node.

        Raises
        ------
        EngineError
            The engine cannot simulate one of them; none is added.

        """
        names = self.engine.spawn(entities)
        self.records.set_namespaces(dict(zip(names, namespaces, strict=True)))
        self._show_changes()
        return names

    def delete(self, name: str) -> None:
        """
        Remove an entity.

        Raises
        ------
        EngineError
            There is none with this name.

        """
        self.engine.delete((name,))
        self._show_changes()

    def set_entity_state(self, name: str, state: EntityState) -> None:
        """
        Move an entity, and publish it.

        Raises
        ------
        EngineError
            There is none with this name, or the state is not valid.

        """
        self.engine.set_state(name, state)
        self._at_start = False
        self._publish()

    def report(self) -> Report:
        """Report state and speed of the simulation, and what is wrong."""
        listeners = self._listeners.report()
        if self._engine is None:
            return Report((), ('no world is loaded',), self._drops.counts).joined(listeners)
        pace = self._pace.report(self.clock, self._speed)
        clock = self.clock.report() if self._active else Report(warnings=('not active',))
        values = {
            'world': self._engine.world.name,
            'state': self.state.name.lower(),
            'entities': len(self._engine.names),
            'time [s]': round(to_seconds(self.clock.now_ns - self._epoch_ns), 3),
            **describe_step(self._last_step),
            **self._drops.counts,
        }
        errors = (self._failure,) if self._failure else ()
        return Report(errors, values=values).joined(pace).joined(clock).joined(listeners)

    def _begin(self) -> None:
        """Start the time of a world, and publish what is in it."""
        timeline = Timeline(to_seconds(self._epoch_ns), self.engine.world.step)
        # As the clock will publish it.
        self._epoch_ns = self._stamp_ns = timeline.at(0)
        self._shown = None
        self._show_changes()
        self._listeners.reset()
        self._at_start = True
        self.clock.load(timeline)
        self.clock.run()

    def _show_changes(self) -> None:
        """Publish the world after entities were added or removed, and forget those removed."""
        self._at_start = False
        names = self.engine.names
        if names == self._shown:
            return
        self._shown = names
        self._listeners.replace(self.engine)
        self.records.keep(names)
        if self._topics is not None and self._active:
            self._topics.publish_world(self._stamp_ns, self.records.topic_prefix)

    def _return_to_start(self, scope: ResetScope) -> None:
        """Reset the engine only."""
        self.engine.reset(
            time=ResetScope.TIME in scope,
            state=ResetScope.STATE in scope,
            spawned=ResetScope.SPAWNED in scope,
        )
        self._failure = ''
        self._show_changes()
        self._listeners.reset()
        if self._topics is not None and self._active:
            # Subscribers may drop static transforms when time goes back.
            self._topics.publish_frames(self._epoch_ns)
        self._at_start = scope is ResetScope.ALL

    def _advance(self, stamp_ns: int) -> str:
        """Step to a time [ns] and publish; return the error, or an empty string."""
        self._step_to(stamp_ns)
        self._publish()
        return self._failure

    def _step_to(self, stamp_ns: int) -> None:
        """Take all steps up to a time [ns], unless the physics diverged."""
        if self._engine is None:
            return
        dt = self._engine.world.step
        steps = max(0, round((stamp_ns - self._stamp_ns) / (dt * NANOSECONDS_PER_SECOND)))
        self._stamp_ns = stamp_ns
        if steps:
            self._at_start, self._failure = False, ''
        begun = monotonic()
        try:
            report = self._listeners.step(self._engine, steps, stamp_ns)
        except WorldModelError as error:
            self._fail(str(error))
            return
        if report is not None:
            self.budget.measure(steps, monotonic() - begun)
            self._last_step = report

    def _fail(self, reason: str) -> None:
        """Pause, log the error and report it until the run continues or is reset."""
        self._failure = f'{reason}; the world is paused'
        self._node.get_logger().error(self._failure)
        self.clock.pause(paused=True)

    def _publish(self) -> None:
        if self._topics is not None and self._active and self._node.context.ok():
            self._topics.publish(self._stamp_ns)
