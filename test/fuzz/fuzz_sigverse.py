# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Reads damaged worlds, classes, bodies and humanoids of SIGVerse, and counts what comes of them.

    python test/fuzz/fuzz_sigverse.py --mutations 1000000

An exception other than WorldFileError ends the run, as does a mutation that takes longer than a
second of CPU time.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.progress import track

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from world_model_core.virtual_world.finding_catalog import WorldFileError  # noqa: E402
from world_model_core.virtual_world.worlds.sigverse import read_sigverse_world  # noqa: E402

# The longest that a damaged world of a few kB may take [s of CPU time].
LONGEST = 1.0
FILES = {
    'world.xml': b"""<?xml version="1.0" encoding="utf8"?>
<world name="w" inherit="base.xml" namespace="n">
<gravity x="0" y="-9.8" z="0"/>
<worldparam erp="0.2" cfm="1e-4" stepsize="0.01" autostep="false" quickstep="true"/>
<collisionparam mu="0.5" mu2="1" slip1="0.1" soft_erp="0.3" bounce="0.1" bounce_vel="2"/>
<instanciate class="Cup.xml" type="Robot"><set-attr-value name="name" value="cup"/>
<set-attr-value name="x" value="[1,2]"/><set-attr-value name="qw" value="0.7"/>
<set-attr-value name="scalex" value="2"/><set-attr-value name="switch" value="on"/>
<camera id="1" link="HEAD" fov="45" aspectRatio="1.5" position="0 1 2" direction="0 0 1"
quaternion="1 0 0 0"/></instanciate>
<instanciate class="Man.xml"><set-attr-value name="name" value="man"/></instanciate>
<instanciate class="Arm.xml"><set-attr-value name="name" value="arm"/></instanciate>
<entity name="e" agent="true" robot="true"><x3d filename="cup.wrl" scale="1 1 2"/>
<attribute position="1 2 3" mass="1" collision="true" direction="1 0 0"/></entity>
</world>""",
    'base.xml': b'<world name="base"><instanciate class="Cup.xml"/></world>',
    'Cup.xml': b"""<define-class name="Cup" inherit="Agent.xml">
<attr name="switch" type="string" group="visState" value="off" hidden="true"/>
<set-attr-value name="elnk1" value="body"/>
<simpleShape type="cylinder"><position x="0" y="1" z="0"/><size r="3" h="5"/></simpleShape>
<x3d><filename>cup.wrl</filename><state name="switch" value="on"/></x3d>
<x3d parts="body"><filename>mesh.wrl</filename></x3d></define-class>""",
    'Man.xml': b"""<define-class name="Man" inherit="Agent.xml">
<simpleShapeFile>simple.xml</simpleShapeFile><x3d><filename>man.wrl</filename></x3d>
</define-class>""",
    'Arm.xml': b'<define-class name="Arm"><body filename="arm.xml"/></define-class>',
    'simple.xml': b"""<simpleShapeDesc><parts name="HEAD" type="box"><position x="0" y="0" z="0"/>
<size sx="1" sy="2" sz="3"/></parts></simpleShapeDesc>""",
    'arm.xml': b"""<body><define-param name="a" value="2*(3+1)"/>
<joint name="BODY"><type>free</type><translation>0 a 0</translation><children>
<segment name="body"><children><transform><translation>0 1 0</translation>
<rotation>0 0 1 0.5</rotation><shape><geometry type="box"><size>1 2 a/2</size></geometry></shape>
</transform></children></segment>
<joint name="ELBOW"><type>hinge</type><axis>0 0 1</axis><children><segment name="ARM"><children>
<transform><shape><geometry type="cylinder"><radius>1</radius><length>2</length></geometry></shape>
</transform></children></segment></children></joint></children></joint></body>""",
    'cup.wrl': b'#VRML V2.0 utf8\nShape { geometry Cylinder { radius 3 height 9 } }\n',
    'mesh.wrl': b"""#VRML V2.0 utf8
Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] }
coordIndex [ 0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 -1 ] } }""",
    'man.wrl': b"""#VRML V2.0 utf8
Humanoid { name "m" translation 0 1 0 humanoidBody [ Joint { name "W" jointType "free" children [
Joint { name "NECK" jointType "rotate" jointAxis 0 1 0 jointId 1 llimit -1 ulimit 1 center 0 1 0
translation 0 50 0 rotation 0 0 1 0.1 children [ Segment { name "HEAD" mass 2 centerOfMass 0 1 0
momentsOfInertia [ 1 0 0 0 1 0 0 0 1 ] children [ Shape { geometry Sphere { radius 10 } } ] }
Joint { name "EYE" jointType "sphere" } ] } ] } ] }""",
}
# Words on which readers of numbers, names, paths and trees have failed, here or elsewhere.
PIECES = [
    *(b'', b'0', b'-1', b'1e308', b'1e999', b'nan', b'NaN', b'inf', b'-inf', b'0x10', b'1_0'),
    *(b'9' * 400, b'[2,1]', b'[nan,1]', b'[,]', b'1 2 3', b'()', b'((', b'1/0', b'*', b'--'),
    *(b'..', b'/', b'//a/b', b'C:/a', b'a\\b', b'%2e%2e', b'world.xml', b'Cup.xml', b'arm.xml'),
    *(b'<', b'>', b'"', b"'", b'&', b'&lt;', b'&#0;', b'&#x110000;', b'<!--', b'-->'),
    *(b'<![CDATA[', b'<!DOCTYPE a [<!ENTITY b "c">]>', b'&b;', b'<?x?>', b'</', b'/>'),
    *(b'body', b'HEAD', b'name', b'instanciate', b'entity', b'x3d', b'define-class', b'joint'),
    *(b'\x00', b'\xff', b'\xef', b'\xed\xa0\x80', '\u3042'.encode(), b'\r\n', b'{', b'}'),
    *(b'[', b']', b'#', b'DEF A', b'USE A'),
]  # fmt: skip
_WORD = re.compile(rb'[-\w.]+')


class WorldFuzzer:
    """
    Damages one file of a world after another, and reads the world.

    Parameters
    ----------
    folder : Path
        Receives the files.
    seed : int

    """

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._random = random.Random(seed)  # noqa: S311 (no secret)
        for name, data in FILES.items():
            (folder / name).write_bytes(data)

    def run(self) -> str:
        """Damage a file, read the world, and return what came of it."""
        name = self._random.choice(sorted(FILES))
        path = self._folder / name
        path.write_bytes(self._damaged(FILES[name]))
        start = time.process_time()
        try:
            _, findings = read_sigverse_world(self._folder / 'world.xml')
            for finding in findings.all:
                for language in ('en', 'ja'):
                    _ = finding.message(language), finding.expected(language)
                    _ = finding.remedy(language)
            result = 'read with findings' if findings.all else 'read'
        except WorldFileError as error:
            result = error.findings[0].rule.code
        if time.process_time() - start > LONGEST:
            raise TimeoutError(f'{name} took longer than {LONGEST} s: {path.read_bytes()!r}')
        path.write_bytes(FILES[name])
        return result

    def _damaged(self, data: bytes) -> bytes:
        """Return a file with one to four faults."""
        for _ in range(self._random.randint(1, 4)):
            data = self._random.choice((self._replaced, self._replaced, self._cut, self._doubled))(
                data
            )
        return data

    def _replaced(self, data: bytes) -> bytes:
        """Replace a word, or insert before it."""
        words = list(_WORD.finditer(data))
        if not words:
            return self._random.choice(PIECES)
        start, end = self._random.choice(words).span()
        end = self._random.choice((start, end))
        return data[:start] + self._random.choice(PIECES) + data[end:]

    def _cut(self, data: bytes) -> bytes:
        """Leave a part out."""
        start, end = sorted(self._random.randint(0, len(data)) for _ in range(2))
        return data[:start] + data[min(end, start + 200) :]

    def _doubled(self, data: bytes) -> bytes:
        """Repeat a part."""
        start, end = sorted(self._random.randint(0, len(data)) for _ in range(2))
        return data[:end] + data[start:end] * self._random.randint(1, 3) + data[end:]


def main() -> None:
    """Fuzz, and print the counters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mutations', type=int, default=10_000)
    parser.add_argument('--seed', type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = WorldFuzzer(Path(folder), arguments.seed)
        counters = Counter(fuzzer.run() for _ in track(range(arguments.mutations)))
    for result, number in counters.most_common():
        print(f'{number:>10} {result}')


if __name__ == '__main__':
    main()
