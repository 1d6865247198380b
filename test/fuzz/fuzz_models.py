# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Damages MJCF and URDF files, reads them, and tries what is left in another process.

    python test/fuzz/fuzz_models.py --models 100000

The end of this process, or an error that is no finding, is a fault. Models that end the other
process are written to a folder, and counted.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

PROJECT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(PROJECT)]

from world_model_core.virtual_world.finding_catalog import WorldFileError  # noqa: E402 (path above)
from world_model_core.virtual_world.worlds.loading import (  # noqa: E402
    WorldSources,
    load_world,
)
from world_model_nodes.virtual_world.model_check import ModelChecker  # noqa: E402

MODELS = (
    """<mujoco model="all"><compiler angle="radian" eulerseq="xyz" boundmass="1e-3"/>
<option timestep="0.01" gravity="0 0 -9.8"/><size memory="10M"/>
<default><geom friction="0.8 0.01 0.001" solref="0.02 1"/><joint damping="0.1"/>
<default class="c"><geom rgba="1 0 0 1" margin="0.01"/></default></default>
<asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
<mesh name="round" builtin="sphere" params="2"/>
<hfield name="hills" nrow="3" ncol="3" size="1 1 1 0.1" elevation="0 1 0 1 2 1 0 1 0"/>
<texture name="t" type="2d" builtin="checker" width="8" height="8" rgb1="0 0 0" rgb2="1 1 1"/>
<material name="m" texture="t" texrepeat="2 2"/></asset>
<worldbody><geom type="plane" size="5 5 0.1" material="m"/><light pos="0 0 3"/>
<geom type="hfield" hfield="hills" pos="4 0 -2"/><camera name="eye" pos="0 -3 1" fovy="60"/>
<body name="a" pos="0 0 1" quat="1 0 0 0"><freejoint/><geom class="c" size="0.1"/>
<body name="a2" pos="0.3 0 0" euler="0 0.5 0"><joint name="j1" type="hinge" axis="0 1 0"
range="-1 1" limited="true" stiffness="1"/><geom name="g1" type="capsule" fromto="0 0 0 0.3 0 0"
size="0.05" condim="6"/><site name="s1" pos="0.3 0 0"/></body><site name="s3"/></body>
<body name="b" pos="1 0 1"><joint name="j2" type="slide" axis="0 0 1" ref="0.1"/>
<joint name="j3" type="ball" range="0 1"/><geom type="mesh" mesh="wedge" mass="1"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1.5"/></body>
<frame pos="2 0 0" axisangle="0 0 1 0.3"><body name="c" mocap="true"><geom type="box"
size="0.1 0.2 0.3"/></body></frame>
<body name="d" pos="3 0 1"><geom type="ellipsoid" size="0.1 0.2 0.3"/><geom type="mesh"
mesh="round"/><replicate count="3" offset="0.2 0 0"><geom type="cylinder" size="0.1 0.1"/>
</replicate><body><joint name="j4"/><geom size="0.1"/><site name="s2"/></body></body></worldbody>
<contact><exclude body1="a" body2="a2"/><pair geom1="g1" geom2="g1"/></contact>
<tendon><spatial name="t1" range="0 1"><site site="s1"/><site site="s3"/></spatial>
<fixed name="t2"><joint joint="j2" coef="1"/></fixed></tendon>
<equality><weld body1="a" body2="a2" active="false"/><joint joint1="j2" polycoef="0 1 0 0 0"/>
<connect body1="a2" anchor="0 0 0"/></equality>
<actuator><motor joint="j1" gear="2" ctrllimited="true" ctrlrange="-1 1"/><position joint="j2"
kp="10"/><velocity tendon="t2" kv="1"/><general joint="j4" dyntype="integrator" biastype="affine"
gainprm="1" biasprm="0 1 0"/><muscle joint="j1" range="0.5 1"/></actuator></mujoco>""",
    """<robot name="r"><link name="base"><inertial><origin xyz="0 0 0" rpy="0 0 0"/>
<mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry><material name="red"><color rgba="1 0 0 1"/>
</material></visual><collision><geometry><cylinder radius="0.2" length="1"/></geometry>
</collision></link><link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><sphere radius="0.1"/></geometry>
</collision></link><link name="hand"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="base"/>
<child link="arm"/><origin xyz="0 0 1" rpy="0 0.1 0"/><axis xyz="0 1 0"/><limit lower="-1"
upper="1" effort="3" velocity="2"/><dynamics damping="0.1" friction="0.1"/></joint>
<joint name="k" type="prismatic"><parent link="arm"/><child link="hand"/><limit lower="0"
upper="1" effort="3" velocity="2"/><mimic joint="j" multiplier="2"/></joint></robot>""",
)
NUMBERS = (
    '0', '-0', '1', '-1', '1e-320', '1e-15', '1e15', '1e308', '-1e308', '1e999', 'nan', 'inf', '',
    '2147483647', '-2147483648', '4294967296', '100000', '1 2', 'x', '9' * 400, '0 0 0',
)  # fmt: skip
TOKEN = re.compile(r'-?\d+(?:\.\d+)?(?:e-?\d+)?')
VALUE = re.compile(r'"([^"]*)"')
ELEMENT = re.compile(r'<(\w+)[^<>]*/>')
NAME = re.compile(r'\b[a-z]\w+\b')


def damaged(count, seed):
    """Yield models with one to three faults each."""
    draws = random.Random(seed)  # noqa: S311 (no secret)
    for _ in range(count):
        text = draws.choice(MODELS)
        for _ in range(draws.randint(1, 3)):
            text = draws.choice(FAULTS)(text, draws)
        yield text


def _replace(pattern, text, draws, new):
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = draws.choice(found)
    return text[: one.start()] + new(one) + text[one.end() :]


def _number(text, draws):
    return _replace(TOKEN, text, draws, lambda _: draws.choice(NUMBERS))


def _value(text, draws):
    values = VALUE.findall(text)
    return _replace(VALUE, text, draws, lambda _: f'"{draws.choice(values)}"')


def _name(text, draws):
    names = NAME.findall(text)
    return _replace(NAME, text, draws, lambda _: draws.choice(names))


def _element(text, draws):
    return _replace(ELEMENT, text, draws, lambda _: draws.choice(ELEMENT.findall(text)) and '')


def _twice(text, draws):
    return _replace(ELEMENT, text, draws, lambda one: one[0] * draws.choice((2, 3, 50)))


def _moved(text, draws):
    elements = [each[0] for each in ELEMENT.finditer(text)]
    return _replace(ELEMENT, text, draws, lambda one: one[0] + draws.choice(elements))


def _long(text, draws):
    return _replace(VALUE, text, draws, lambda one: f'"{(one[1] + " ") * 5000}"')


def _byte(text, draws):
    place = draws.randrange(len(text))
    return text[:place] + chr(draws.randrange(1, 256)) + text[place + 1 :]


def _cut(text, draws):
    start = draws.randrange(len(text))
    return text[:start] + text[start + draws.randrange(1, 60) :]


FAULTS = (
    _number, _number, _number, _number, _value, _value, _name, _element, _twice, _moved, _moved,
    _long, _byte, _cut,
)  # fmt: skip


def outcome(text, checker):
    """Read a model and try it; return 'used', or the code of the first error."""
    try:
        world, _ = load_world(text, WorldSources())
        checker.check(world.entities)
    except WorldFileError as error:
        return error.findings[0].rule.code
    return 'used'


def main():
    """Fuzz, and print how many models ended in which way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--models', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix='world_model_fuzz_'))
    checker, counts, longest = ModelChecker(timeout=5.0), Counter(), 0.0
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task('models', total=arguments.models)
        for number, text in enumerate(damaged(arguments.models, arguments.seed)):
            start = time.monotonic()
            code = outcome(text, checker)
            longest = max(longest, time.monotonic() - start)
            counts[code] += 1
            if code == 'Model.TrialDied':
                (folder / f'{number}.xml').write_text(text)
            progress.update(task, advance=1)
    checker.close()
    for code, count in counts.most_common():
        print(f'{count:>8} {code}')
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f'longest {longest:.1f} s, memory {memory:.0f} MB; what ended the trial: {folder}')


if __name__ == '__main__':
    main()
