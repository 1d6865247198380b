# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What is written of SIGVerse's worlds and classes reads back as equal documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.files.file_findings import FileFindings
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.worlds.sigverse_class_files import read_class_document
from world_model_core.virtual_world.worlds.sigverse_documents import (
    AttributeDeclaration,
    CameraDocument,
    ClassDocument,
    EntityDocument,
    Setting,
    ShapeReference,
    SimpleShape,
    WorldDocument,
)
from world_model_core.virtual_world.worlds.sigverse_world_files import read_world_document
from world_model_core.virtual_world.worlds.sigverse_writer import (
    UnwritableTextError,
    write_class_document,
    write_world_document,
)

# Texts that XML can hold; line ends and the spaces at the ends of elements are normalized by XML.
TEXTS = st.text(
    st.characters(blacklist_categories=('Cs', 'Cc', 'Cn'), min_codepoint=32), max_size=8
)
NAMES = TEXTS.map(str.strip).filter(bool)
WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=6)
SETTINGS = st.builds(Setting, TEXTS)
ATTRIBUTES = st.dictionaries(st.from_regex('[a-z]{1,6}', fullmatch=True), TEXTS, max_size=3)
CAMERAS = st.lists(st.builds(CameraDocument, ATTRIBUTES), max_size=2).map(tuple)
INSTANCES = st.builds(
    EntityDocument,
    NAMES,
    st.booleans(),
    st.dictionaries(TEXTS, SETTINGS, max_size=3),
    CAMERAS,
)
ENTITIES = st.builds(
    EntityDocument,
    st.just(''),
    st.booleans(),
    st.dictionaries(
        st.sampled_from(
            ('x', 'y', 'z', 'agent', 'mass', 'collision', 'qw', 'qx', 'qy', 'qz', 'fx')
        ),
        st.builds(Setting, WORDS | TEXTS),
    ).map(lambda settings: {'name': Setting('it'), **settings}),
    CAMERAS,
    NAMES,
)
PARAMETERS = ATTRIBUTES.map(lambda texts: {name: Setting(text) for name, text in texts.items()})
GRAVITY = st.none() | st.tuples(TEXTS, TEXTS, TEXTS)
WORLDS = st.builds(
    WorldDocument,
    TEXTS,
    TEXTS,
    TEXTS,
    GRAVITY.map(lambda each: dict(zip('xyz', map(Setting, each or ()), strict=False))),
    PARAMETERS,
    PARAMETERS,
    st.lists(INSTANCES | ENTITIES, max_size=3).map(tuple),
)
SHAPES = st.builds(ShapeReference, NAMES, TEXTS, TEXTS, TEXTS)
SIMPLE = st.builds(SimpleShape, st.sampled_from(('box', 'sphere')), ATTRIBUTES, ATTRIBUTES)
CLASSES = st.builds(
    ClassDocument,
    TEXTS,
    TEXTS,
    st.dictionaries(
        TEXTS,
        st.builds(
            AttributeDeclaration,
            st.sampled_from(('double', 'string', 'bool')),
            TEXTS,
            st.booleans(),
            st.none() | SETTINGS,
        ),
        max_size=3,
    ),
    st.dictionaries(TEXTS, SETTINGS, max_size=3),
    NAMES | st.just(''),
    st.lists(SHAPES, max_size=3).map(tuple),
    st.dictionaries(st.just('body'), SIMPLE),
    NAMES | st.just(''),
)


def read_back(reader, data, path):
    """Read a document from bytes."""
    path.write_bytes(data)
    return reader(path, FileFindings('it.xml', world_findings()))


@given(document=WORLDS)
def test_worlds_read_back_equal(document, tmp_path_factory):
    """All fields, in both forms of entities."""
    path = tmp_path_factory.getbasetemp() / 'world.xml'
    assert read_back(read_world_document, write_world_document(document), path) == document


@given(document=CLASSES)
def test_classes_read_back_equal(document, tmp_path_factory):
    """All fields."""
    path = tmp_path_factory.getbasetemp() / 'class.xml'
    assert read_back(read_class_document, write_class_document(document), path) == document


@pytest.mark.parametrize('text', ['\x00', 'a\x0b', '\ufffe', '\ud800'])
def test_what_xml_cannot_hold_is_refused(text):
    """The error names the character."""
    with pytest.raises(UnwritableTextError, match='XML cannot hold'):
        write_world_document(WorldDocument(text))
