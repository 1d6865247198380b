# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
A second counter of triangles, for tests only.

It is written from VRML97 (ISO/IEC 14772-1:1997, annex A) and from X3D's XML encoding (ISO/IEC
19776-1) and shares nothing with the reader: it takes token by token, and recurs over a tree of
dicts. Faces of n corners count n - 2; faces with fewer than three corners, or with a corner that
is no point, count 0. Boxes, cones, cylinders and spheres are counted by their kind.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter

WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s,{}\[\]"#]+|#[^\n]*')
SOLIDS = {'Box', 'Cone', 'Cylinder', 'Sphere'}
ACCESS = {'field', 'exposedField', 'eventIn', 'eventOut'}


def count_vrml(data):
    """Return the number of triangles that are shown, and of solids by kind."""
    text = data.decode('utf-8', 'replace')
    words = [word for word in WORDS.findall(text) if not word.startswith('#')]
    return totals(VrmlTree(words).scene())


class VrmlTree:
    """Builds nodes as dicts: 'type', and the fields as lists of words and dicts."""

    def __init__(self, words):
        self.words, self.at = words, 0
        self.named, self.prototypes = {}, {}

    def take(self):
        """Return the next word."""
        self.at += 1
        return self.words[self.at - 1]

    def peek(self, ahead=0):
        """Return a word that comes."""
        place = self.at + ahead
        return self.words[place] if place < len(self.words) else ''

    def scene(self, end=''):
        """Read statements up to an end."""
        nodes = []
        while self.peek() != end:
            word = self.peek()
            if word == 'PROFILE':
                self.at += 2
            elif word == 'ROUTE':
                self.at += 4
            elif word == 'PROTO':
                self.prototype()
            else:
                nodes.append(self.node())
        return nodes

    def node(self):
        """Read DEF, USE, or a node."""
        word = self.take()
        if word == 'USE':
            return self.named[self.take()]
        if word == 'DEF':
            name = self.take()
            self.named[name] = made = self.node()
            return made
        assert self.take() == '{', (word, self.words[self.at - 4 : self.at])
        node = {'type': word}
        while self.peek() != '}':
            if self.peek() == 'ROUTE':
                self.at += 4
            else:
                field = self.take()
                node[field] = self.value()
        self.take()
        return node

    def value(self):
        """Read the value of a field: up to what must be the next field."""
        if self.peek() == '[':
            self.take()
            values = []
            while self.peek() != ']':
                values += self.one()
            self.take()
            return values
        if self.peek() == 'IS':
            self.at += 2
            return []
        values = self.one()
        while re.fullmatch(r'[-+.\d].*', self.peek()):
            values.append(self.take())
        return values

    def one(self):
        """Read a node, or a word."""
        if self.peek() in {'DEF', 'USE'} or self.peek(1) == '{':
            return [self.node()]
        return [self.take()]

    def prototype(self):
        """Read past a prototype: OpenHRP's, whose nodes are known by name."""
        _, name, _ = self.take(), self.take(), self.take()
        while self.peek() != ']':
            assert self.take() in ACCESS
            self.at += 2
            if self.peek() not in {*ACCESS, ']'}:
                self.value()
        assert (self.take(), self.take()) == (']', '{')
        outer, self.named = self.named, {}
        self.scene('}')
        self.named = outer
        self.take()
        self.prototypes[name] = True


def count_x3d(data):
    """Return the number of triangles that are shown, and of solids by kind."""
    # ElementTree rejects entities, which no file of the archive has.
    scene = ET.fromstring(data).find('Scene')  # noqa: S314 (our own test data)
    named = {}
    return totals([made for element in scene if (made := x3d_node(element, named))])


def x3d_node(element, named):
    """Return an element as the same dicts."""
    if element.tag in {'ProtoDeclare', 'IS', 'fieldValue'}:
        return None
    if 'USE' in element.attrib:
        return named[element.get('USE')]
    type_ = element.get('name') if element.tag == 'ProtoInstance' else element.tag
    node = {'type': type_}
    for name in ('coordIndex', 'point', 'whichChoice'):
        if name in element.attrib:
            node[name] = element.get(name).replace(',', ' ').split()
    for child in element:
        made = x3d_node(child, named)
        field = {'Coordinate': 'coord'}.get(child.tag, 'children')
        if child.tag in {*SOLIDS, 'IndexedFaceSet'}:
            field = 'geometry'
        field = child.get('containerField', field)
        if made is not None:
            node.setdefault(field, []).append(made)
    if 'DEF' in element.attrib:
        named[element.get('DEF')] = node
    return node


def totals(nodes):
    """Return the triangles and solids of nodes."""
    count = Counter()
    for node in nodes:
        if node['type'] == 'Switch':
            choices = node.get('choice', []) + node.get('children', [])
            which = int(node.get('whichChoice', ['-1'])[0])
            count += totals(choices[which : which + 1] if which >= 0 else [])
        elif node['type'] == 'Shape':
            for geometry in node.get('geometry', []):
                count += of_geometry(geometry)
        else:
            for field in ('children', 'humanoidBody'):
                count += totals([each for each in node.get(field, []) if isinstance(each, dict)])
    return count


def of_geometry(node):
    """Return the triangles or the solid of a geometry."""
    if node == 'NULL' or node['type'] not in {*SOLIDS, 'IndexedFaceSet'}:
        return Counter()
    if node['type'] in SOLIDS:
        return Counter({node['type']: 1})
    points = len(node['coord'][0].get('point', [])) // 3 if node.get('coord') else 0
    triangles, face = 0, []
    for word in [*node.get('coordIndex', []), '-1']:
        if word != '-1':
            face.append(int(word))
        else:
            if len(face) > 2 and all(0 <= index < points for index in face):
                triangles += len(face) - 2
            face = []
    return Counter({'triangles': triangles})
