# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Parts held together while the world runs, and how a model is made ready for them.

A model has a pool of weld constraints between two bodies that never move, all switched off. A weld
takes a slot of the pool: its constraint is given other bodies and switched on, so that nothing is
compiled. A second pool excludes contacts of a hand with the thing that it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.poses import wxyz

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from world_model_core.virtual_world.values import Pose

__all__ = ['PartName', 'Weld', 'WeldPool']

# Names of an entity and of its part.
PartName: TypeAlias = tuple[str, str]

# Names of the constraints, and of the body that idle ones connect with the world. Entities have
# no empty names, so that no element of theirs begins with "/".
WELD, IDLE = '/weld', '/idle'
# Stiffness: a thing of any mass sags by 0.05 mm in its hand, and by 0.1 mm when the hand starts
# at 0.3 m/s within a step. With MuJoCo's default impedance it sags by 0.44 mm.
SOLREF = (0.02, 1.0)
SOLIMP = (0.99, 0.999, 0.001, 0.5, 2.0)
# Constraints, and excluded pairs of bodies, of a new pool.
FIRST_SLOTS, FIRST_PAIRS = 8, 64
# Beyond the signature of any pair: MuJoCo reads them in ascending order and stops there.
NO_PAIR = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Weld:
    """
    Two parts that keep their relative pose.

    Attributes
    ----------
    first, second : tuple of str
        Names of the entity and of its part; of a grasp: the hand, and the root of the thing.
    pose : Pose
        Of the second part's body in the frame of the first part's body.
    connection : str
        Name of the connection; empty for a grasp.

    """

    first: PartName
    second: PartName
    pose: Pose
    connection: str = ''

    def joins(self, entity: str) -> bool:
        """Return whether one of the parts belongs to an entity."""
        return entity in {self.first[0], self.second[0]}


class WeldPool:
    """
    Constraints that are given other bodies while the world runs.

    Parameters
    ----------
    slots : int
        Number of constraints.

    """

    def __init__(self, slots: int = FIRST_SLOTS) -> None:
        self._slots: list[Weld | None] = [None] * slots
        # Number of pairs of bodies whose contacts can be excluded.
        self._pairs = FIRST_PAIRS
        # Of the model: pairs that others exclude.
        self._other_pairs: NDArray[np.int32] = np.empty(0, dtype=np.int32)

    @property
    def slots(self) -> tuple[Weld | None, ...]:
        """The weld of each constraint; None: idle."""
        return tuple(self._slots)

    def __iter__(self) -> Iterator[Weld]:
        """Iterate over the welds."""
        return (weld for weld in self._slots if weld is not None)

    def replace(self, slots: Iterable[Weld | None]) -> None:
        """Replace the welds of all slots, of which there must be as many."""
        self._slots[:] = slots

    def add(self, weld: Weld) -> None:
        """Put a weld into the first idle slot; without one, double the number of slots."""
        if None not in self._slots:
            self._slots.extend([None] * len(self._slots))
        self._slots[self._slots.index(None)] = weld

    def remove(self, weld: Weld) -> None:
        """Make the slot of a weld idle."""
        self._slots[self._slots.index(weld)] = None

    def declare(self, spec: Any) -> None:
        """Add the pools to a specification without entities, so that they come first."""
        spec.worldbody.add_body(name=IDLE)
        for number in range(len(self._slots)):
            spec.add_equality(
                name=f'{WELD}/{number}',
                type=mujoco.mjtEq.mjEQ_WELD,
                objtype=mujoco.mjtObj.mjOBJ_BODY,
                name1='world',
                name2=IDLE,
                active=False,
                solref=SOLREF,
                solimp=SOLIMP,
            )
        for number in range(self._pairs):
            spec.add_exclude(name=f'{WELD}/{number}', bodyname1='world', bodyname2=IDLE)

    def adopt(self, model: Any) -> None:
        """Keep what others exclude in a model that was just compiled."""
        signatures = model.exclude_signature
        self._other_pairs = signatures[signatures != model.body(IDLE).id].copy()

    def outgrows(self, model: Any) -> bool:
        """Return whether the pools of a model are too small for the welds."""
        needed = len(_excluded(model, self))
        while self._pairs < needed:
            self._pairs *= 2
        last = f'{WELD}/{len(self._slots) - 1}'
        found: int = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_EQUALITY, last)
        pairs: int = model.nexclude - len(self._other_pairs)
        return found < 0 or pairs < self._pairs

    def write(self, model: Any, data: Any) -> None:
        """Give the constraints their bodies, and switch them on or off."""
        for number, weld in enumerate(self._slots):
            constraint = model.equality(f'{WELD}/{number}').id
            model.eq_active0[constraint] = data.eq_active[constraint] = weld is not None
            if weld is not None:
                bodies = _body(model, weld.first), _body(model, weld.second)
                model.eq_obj1id[constraint], model.eq_obj2id[constraint] = bodies
                model.eq_data[constraint, :11] = _relative_pose(weld.pose)
        pairs = _excluded(model, self)
        idle = [NO_PAIR] * (model.nexclude - len(self._other_pairs) - len(pairs))
        model.exclude_signature[:] = sorted((*self._other_pairs.tolist(), *pairs, *idle))


def _body(model: Any, part: PartName) -> int:
    found: int = model.body('/'.join(part)).id
    return found


def _relative_pose(pose: Pose) -> tuple[float, ...]:
    """Return the data of a weld: the anchor, the pose, and the weight of its torque."""
    return (0.0, 0.0, 0.0, *pose.position, *wxyz(pose.orientation), 1.0)


def _excluded(model: Any, welds: Iterable[Weld]) -> set[int]:
    """Return the pairs of bodies that do not collide, as MuJoCo's signatures."""
    return {
        (min(pair) << 16) + max(pair)
        for weld in welds
        for pair in product(_apart(model, weld, weld.first), _apart(model, weld, weld.second))
    }


def _apart(model: Any, weld: Weld, part: PartName) -> Iterator[int]:
    """Return the bodies of one side that do not collide: of a grasp, all that it carries."""
    first = _body(model, part)
    yield first
    carried = {first}
    if not weld.connection:
        for body in range(first + 1, model.nbody):
            if model.body_parentid[body] in carried:
                carried.add(body)
                yield body
