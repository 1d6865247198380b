# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fields of mappings: required, expected, optional and unknown ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.files.file_findings import FileFindings
from world_model_core.files.mapping_schemas import (
    MappingOf,
    MappingSchema,
    expected,
    optional,
    read_mapping,
)
from world_model_core.files.parsed_document import UNUSABLE, ParsedDocument
from world_model_core.files.value_schemas import (
    AnyValue,
    Integer,
    ListOf,
    Number,
    Quaternion,
    Text,
)


def read(value, record):
    """Read a value as a record; return it, and code and place of each finding."""
    findings = bundle_findings()
    made = read_mapping(ParsedDocument(value, FileFindings('x.json', findings)), record)
    return made, [(each.rule.code, each.where) for each in findings.all]


def test_defaults_replace_missing_fields():
    """A missing expected field is reported, a missing optional one is not."""
    record = MappingSchema({'a': expected(Number(), 2.0), 'b': optional(Text(), 'c')})
    assert read({}, record) == (
        {'a': 2.0, 'b': 'c', 'extra': {}},
        [('File.FieldAbsent', '/a')],
    )
    assert read({'a': 1, 'b': None}, record) == ({'a': 1.0, 'b': 'c', 'extra': {}}, [])


def test_fields_with_errors_give_no_record():
    """Checks across fields may rely on valid fields."""

    def make(fields, _):
        return 1.0 / fields['a']

    record = MappingSchema(
        {'a': MappingSchema({'b': Number(1.0)}, lambda fields, _: fields['b'])}, make
    )
    assert read({'a': {'b': 2.0}}, record)[0] == 0.5
    assert read({'a': {'b': 0.0}}, record) == (None, [('File.OutOfRange', '/a/b')])


def test_errors_outside_of_the_fields_count():
    """A document with a finding of the parser gives no value, whatever its fields."""
    findings = bundle_findings()
    notes = FileFindings('x.json', findings)
    notes.add('File.DuplicateKey', '/a', found='a', line='')
    assert read_mapping(ParsedDocument({'a': 1}, notes), MappingSchema({'a': Number()})) is None
    assert len(findings.all) == 1


def _fail(fields, _):
    raise AssertionError(f'{fields} cannot be used')


def test_findings_are_not_repeated():
    """No schema reports a value again that the parser found unusable."""
    shapes = (
        Text(),
        Number(),
        Integer(0, 9),
        ListOf(Number()),
        MappingOf(Text()),
        MappingSchema({}),
    )
    for shape in (*shapes, Quaternion('Timebase')):
        assert read({'a': UNUSABLE}, MappingSchema({'a': shape}, _fail)) == (None, [])


@pytest.mark.parametrize(
    ('name', 'code'),
    [
        ('max_hight', 'File.MisspelledField'),
        ('MaxHeight', 'File.UnknownField'),
        ('colour', 'File.UnknownField'),
    ],
)
def test_misspelled_names_are_recognized(name, code):
    """Only a missing name can be misspelled as an unknown one."""
    record = MappingSchema({'max_height': optional(Number())})
    assert read({name: 1.0}, record)[1] == [(code, f'/{name}')]
    assert read({'max_height': 2.0, name: 1.0}, record)[1] == [('File.UnknownField', f'/{name}')]


@given(
    st.dictionaries(
        st.sampled_from(['a', 'b', 'c']) | st.text(max_size=3), st.none() | st.floats(), max_size=5
    )
)
def test_unknown_fields_are_kept(members):
    """Every member is either a field or extra."""
    record = MappingSchema({'a': optional(AnyValue()), 'b': optional(AnyValue())})
    made, _ = read(members, record)
    assert made['extra'].keys() == members.keys() - {'a', 'b'}


def test_very_many_unknown_fields_are_read():
    """A hostile file is read in linear time, with few findings."""
    made, found = read(
        {f'feld{index}': 0 for index in range(100_000)}, MappingSchema({'field': Text()})
    )
    assert made is None
    assert len(found) < 200
