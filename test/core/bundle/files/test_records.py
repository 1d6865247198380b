# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Fields of mappings: what may be there, what must, and what is made of them."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import world_model_core.bundle
from world_model_core.bundle.files.records import Named, Record, expected, optional, read_record
from world_model_core.bundle.files.shapes import Anything, Items, Number, Quaternion, Text, Whole
from world_model_core.bundle.files.syntax import UNUSABLE, Document, Notes
from world_model_core.bundle.findings import LANGUAGES, Findings, catalogue

FIELD = re.compile(r'{(\w+)}')
TABLES = ('files.yaml', 'sensors.yaml')


def read(value, record):
    """Read a value as a record: what is made of it, and codes and places of the findings."""
    findings = Findings()
    made = read_record(Document(value, Notes('x.json', findings)), record)
    return made, [(each.rule.code, each.where) for each in findings.all]


def test_defaults_are_taken_where_nothing_is_said():
    """What is expected is told of when it is missing; what is optional is not."""
    record = Record({'a': expected(Number(), 2.0), 'b': optional(Text(), 'c')})
    assert read({}, record) == (
        {'a': 2.0, 'b': 'c', 'extra': {}},
        [('File.FieldAbsent', '/a')],
    )
    assert read({'a': 1, 'b': None}, record) == ({'a': 1.0, 'b': 'c', 'extra': {}}, [])


def test_nothing_is_made_of_fields_with_errors():
    """Checks across fields may take each of them for sound."""

    def make(fields, _):
        return 1.0 / fields['a']

    record = Record({'a': Record({'b': Number(1.0)}, lambda fields, _: fields['b'])}, make)
    assert read({'a': {'b': 2.0}}, record)[0] == 0.5
    assert read({'a': {'b': 0.0}}, record) == (None, [('File.OutOfRange', '/a/b')])


def test_errors_beside_the_fields_count():
    """A document in which the parser found an error gives no value, whatever the fields say."""
    findings = Findings()
    notes = Notes('x.json', findings)
    notes.add('File.DuplicateKey', '/a', found='a', line='')
    assert read_record(Document({'a': 1}, notes), Record({'a': Number()})) is None
    assert len(findings.all) == 1


def _fail(fields, _):
    raise AssertionError(f'{fields} cannot be used')


def test_what_has_been_told_of_is_not_told_again():
    """No shape says a word about a value that the parser found unusable."""
    shapes = (Text(), Number(), Whole(0, 9), Items(Number()), Named(Text()), Record({}))
    for shape in (*shapes, Quaternion('Timebase')):
        assert read({'a': UNUSABLE}, Record({'a': shape}, _fail)) == (None, [])


@pytest.mark.parametrize(
    ('name', 'code'),
    [
        ('max_hight', 'File.MisspelledField'),
        ('MaxHeight', 'File.UnknownField'),
        ('colour', 'File.UnknownField'),
    ],
)
def test_misspelled_names_are_recognised(name, code):
    """Only a name that is missing can be meant by one that is not known."""
    record = Record({'max_height': optional(Number())})
    assert read({name: 1.0}, record)[1] == [(code, f'/{name}')]
    assert read({'max_height': 2.0, name: 1.0}, record)[1] == [('File.UnknownField', f'/{name}')]


@given(
    st.dictionaries(
        st.sampled_from(['a', 'b', 'c']) | st.text(max_size=3), st.none() | st.floats(), max_size=5
    )
)
def test_whatever_is_not_known_is_kept(members):
    """Every member is a field or extra, and none is both."""
    record = Record({'a': optional(Anything()), 'b': optional(Anything())})
    made, _ = read(members, record)
    assert made['extra'].keys() == members.keys() - {'a', 'b'}


def test_very_many_unknown_fields_are_survived():
    """A hostile file is read in the time that its size needs, and told of in few findings."""
    made, found = read({f'feld{index}': 0 for index in range(100_000)}, Record({'field': Text()}))
    assert made is None
    assert len(found) < 200


@pytest.mark.parametrize('table', TABLES)
def test_every_rule_is_used_and_tried(table):
    """No code is in a table for nothing: its reader knows it, and a test here breaks it."""
    folder = Path(world_model_core.bundle.__file__).parent
    tests = ''.join(each.read_text() for each in Path(__file__).parent.glob('*.py'))
    readers = ''.join(each.read_text() for each in folder.rglob('*.py'))
    for code in yaml.safe_load((folder / 'rules' / table).read_text(encoding='utf-8')):
        _, what = code.split('.')
        # Of frames and quaternions there is one shape for all files, which is told the area.
        known = f"}}.{what}'" if what.startswith(('FrameName', 'Quaternion')) else f"'{code}'"
        assert known in readers, code
        assert code in tests, code


@pytest.mark.parametrize('table', TABLES)
def test_texts_speak_of_the_same_values_in_each_language(table):
    """A translation that leaves out what was found would be no help."""
    folder = Path(world_model_core.bundle.__file__).parent
    for code in yaml.safe_load((folder / 'rules' / table).read_text(encoding='utf-8')):
        rule = catalogue()[code]
        for texts in (rule.message, rule.expected, rule.remedy):
            english, japanese = (set(FIELD.findall(texts[each])) for each in LANGUAGES)
            assert english == japanese, code
