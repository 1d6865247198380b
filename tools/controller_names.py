# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Generates docs/reference/controllers.md: modes of what controllers write, and SIGVerse's names.

Run it with `python tools/controller_names.py > docs/reference/controllers.md`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from world_model_core.virtual_world.agents.original_attributes import FILE_ATTRIBUTES
from world_model_core.virtual_world.agents.original_events import EVENT_NAMES, HANDLER_NAMES
from world_model_core.virtual_world.agents.original_names import CONTROLLER_NAMES
from world_model_core.virtual_world.agents.original_objects import OBJECT_NAMES, PART_NAMES
from world_model_core.virtual_world.agents.writes import WRITABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.virtual_world.agents.original_table import OriginalTable

HEAD = """\
# Names of controllers

`tools/controller_names.py` generates this page from the tables in
`world_model_core/virtual_world/agents`; do not edit it.

A controller is a subclass of `Controller`, which has `world` (an `AgentWorld`); `world.get_object`
returns a `SimObject`. The [API](api.md) describes all three. Lengths are in meters, angles in
radians, quaternions are xyzw, z points upward. A subclass of `OriginalController` has the names of
SIGVerse's library of controllers as well, in the units and axes of its files.

## What a controller sees

An object shows its state at the beginning of the handler, and what the handler has assigned since.
The world gets what was assigned when the handler has ended, in that order. What the world answers
in the middle of a handler (`joint_position`, `joint_force`, `contacts`, `distance`,
`pointed_objects`, whether a hand can `grasp`) is of its present state, without what the handler
has assigned. Parts follow joints in the next handler.

Values of several numbers are arrays that cannot be changed in place, as the object would not
change: `cup.position += (0.0, 0.1, 0.0)` works, `cup.position[1] = 0.1` is an error that says so.

All attributes of a world file are fields: `tv.switch = 'on'`. An unknown one is an AttributeError
that names those there are. `x`, `qw`, `vx`, `avx` and so on are the elements of `position`,
`orientation`, `linear_velocity` and `angular_velocity`, in SI units and with z upward;
`collision`, `graspRadius` and `class` are `collides`, `grasp_radius` and `category`. Attributes
that say how the world begins (cameras, forces, scale) can be read only; the error says what to
call instead.

## Modes

As in SIGVerse, an object is placed without dynamics and pushed with them. What its mode does not
allow raises WrongModeError at once; with the parameter `original_modes` of the node it is ignored,
as SIGVerse does, and counted in the log of the controller. The world checks the same table again
when it applies what was written: what has become invalid is refused, counted and reported to the
controller.
"""
ORIGINAL = """\
## Names of SIGVerse

```python
from world_model_core import OriginalController


class Waiter(OriginalController):
    def onAction(self, event):
        cup = self.getObj('cup_0')
        cup.setDynamicsMode(False)
        cup.setPosition(cup.x(), cup.y() + 10.0, cup.z())
        return 0.1
```

Vectors are tuples x, y, z with x to the left, y up and z forward, rotations w, x, y, z. What C++
returns by an argument is returned. Lengths are in the unit of the file (1 cm unless the node's
`length_unit` says otherwise), forces in kg times that unit per s^2, torques in kg times its square
per s^2, fields of view in degrees. Setters may get three numbers or one vector.
"""
# How a controller writes each attribute that the world knows.
BY = {
    'position': 'position = ...',
    'orientation': 'orientation = ..., heading = ..., rotate(...)',
    'linear_velocity': 'linear_velocity = ...',
    'angular_velocity': 'angular_velocity = ...',
    'dynamics': 'dynamics = ...',
    'gravity': 'gravity = ...',
    'collides': 'collides = ...',
    'mass': 'mass = ...',
    'graspable': 'graspable = ...',
    'grasp_radius': 'grasp_radius = ...',
    'attribute': 'NAME = ... of an attribute of the world file',
    'state': 'NAME = ... of a visible state',
    'wrench': 'add_force(...), add_torque(...)',
    'joint_angle': 'set_joint_angle(...)',
    'joint_quaternion': 'set_joint_quaternion(...)',
    'joint_target': 'set_joint_target(...)',
    'joint_velocity': 'set_joint_velocity(...)',
    'joint_torque': 'add_joint_torque(...)',
    'connection': 'connect(...)',
    'disconnection': 'disconnect(...)',
    'grasp': 'grasp(...)',
    'release': 'release(...)',
    'camera': 'set_camera(...)',
    'wheels': 'set_wheels(...)',
    'wheel_velocities': 'set_wheel_velocities(...)',
}
CLASSES = (
    ('Controller', CONTROLLER_NAMES),
    ('SimObj and RobotObj', OBJECT_NAMES),
    ('CParts', PART_NAMES),
    ('Events', EVENT_NAMES),
)
ATTRIBUTES = """\
Each attribute of the world file is a function of its object, too: `cup.mass()` returns it,
`cup.mass(0.3)` sets it. Of the physics are {names}; all others are kept as the file has them, in
its units.
"""


def write_page() -> str:
    """Return the page."""
    written = ((_code(BY[name]), each.mode.value) for name, each in WRITABLE.items())
    handlers = ((f'`{name}`', f'`{ours}`') for name, ours in HANDLER_NAMES.items())
    names = ', '.join(f'`{name}`' for name in FILE_ATTRIBUTES)
    sections = [
        HEAD,
        _table(('written by', 'allowed'), written),
        ORIGINAL,
        '### Handlers\n',
        _table(('SIGVerse', 'here'), handlers),
    ]
    for title, table in CLASSES:
        sections += [f'### {title}\n', _table(('SIGVerse', 'here'), _available(table))]
        if missing := list(_missing(table)):
            sections += ['Not available:\n', _table(('SIGVerse', 'reason'), missing)]
    return '\n'.join([*sections, ATTRIBUTES.format(names=names)])


def _available(table: OriginalTable) -> Iterable[tuple[str, str]]:
    for row in table.values():
        if row.call is not None:
            yield f'`{row.signature}`', _code(row.ours)


def _missing(table: OriginalTable) -> Iterable[tuple[str, str]]:
    for row in table.values():
        if row.call is None:
            yield f'`{row.signature}`', row.ours


def _code(text: str) -> str:
    """Return the part of a text before a comma or semicolon and a remark as code."""
    for mark in ('; ', ', or ', ', which', ', of ', ' of a', ': an'):
        head, found, tail = text.partition(mark)
        if found:
            return f'`{head}`{found}{tail}'
    return f'`{text}`'


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f'| {" | ".join(each)} |' for each in (titles, *rows)]
    return '\n'.join([lines[0], '|---' * len(titles) + '|', *lines[1:], ''])


if __name__ == '__main__':
    sys.stdout.write(write_page())
