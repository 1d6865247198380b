# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
The classes that all others inherit, as SIGVerse's Entity.xml and Agent.xml declare them.

They stand for those files where these are missing, and for the form of version 2.1, which has no
class files. (The reference calls for all attributes: x to scalez and so on are 0 unless a default
is given.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from world_model_core.virtual_world.worlds.sigverse_documents import (
    AttributeDeclaration,
    ClassDocument,
    Setting,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ['AGENT', 'BUILTIN', 'ENTITY']

# Type, group, and names with their defaults after "=".
_ENTITY = """
    string general: name class superclass
    bool general: agent=false
    bool simulation: dynamics=true
    double simulation: mass=1.0
    double pos: x y z
    double force: fx fy fz
    double vel: vx vy vz
    double avel: avx avy avz
    double rot: qw=1.0 qx=0.0 qy=0.0 qz=0.0
    double torque: tqx=0.0 tqy=0.0 tqz=0.0
    double scale: scalex=1.0 scaley=1.0 scalez=1.0
    bool x3d: x3dCenterOfMass=false
    string visState: visStateAttrName=visual
    bool collision: collision=false
    bool graspable: graspable=true
    double graspRadius: graspRadius=40.0
"""
_AGENT = """
    string model: language implementation
    double viewpoint: vpx=0.0 vpy=0.0 vpz=0.0
    double viewvector: vvx=0.0 vvy=0.0 vvz=1.0
    double lefteyepoint: lepx=1.0 lepy=2.0 lepz=0.0
    double lefteyevector: levx=0.0 levy=0.0 levz=-1.0
    double righteyepoint: repx=-1.0 repy=2.0 repz=0.0
    double righteyevector: revx=0.0 revy=0.0 revz=-1.0
    string camera: elnk1=NoCam
    double camera1point: epx1=0.0 epy1=0.0 epz1=10.0
    double camera1vector: evx1=0.0 evy1=0.0 evz1=1.0
    string camera: elnk2=NoCam
    double camera2point: epx2=0.0 epy2=0.0 epz2=0.0
    double camera2vector: evx2=0.0 evy2=0.0 evz2=1.0
    double fieldofview: FOV=45.0 aspectRatio=1.5
    double voice: voiceReachRadius=5.0
    bool voice: voiceReachRadiusEnable=true
"""


def _declared(table: str) -> Iterator[tuple[str, AttributeDeclaration]]:
    """Read the lines of a table."""
    for line in table.strip().splitlines():
        head, _, names = line.partition(':')
        kind, group = head.split()
        for word in names.split():
            name, sign, text = word.partition('=')
            yield name, AttributeDeclaration(kind, group, value=Setting(text) if sign else None)


ENTITY = ClassDocument('Entity', declarations=dict(_declared(_ENTITY)))
AGENT = ClassDocument(
    'Agent',
    'Entity.xml',
    declarations=dict(_declared(_AGENT)),
    settings={'agent': Setting('true')},
)
# By the names of their files.
BUILTIN = {'Entity.xml': ENTITY, 'Agent.xml': AGENT}
