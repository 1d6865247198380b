# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Strict JSON by RFC 8259, where Python's reader accepts more."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.files.file_findings import FileFindings
from world_model_core.files.json_reader import (
    LARGEST_JSON,
    JsonError,
    parse_json,
    read_json,
    strict_json,
)
from world_model_core.files.parsed_document import UNUSABLE, pointer


def parse(text):
    """Parse a text; return its document, and code and place of each finding."""
    findings = bundle_findings()
    document = parse_json(text, FileFindings('x.json', findings))
    return document, [(each.rule.code, each.where) for each in findings.all]


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda below: (
        st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=8), below, max_size=4)
    ),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_valid_json_is_read(value):
    """The values are those of json.loads, without findings."""
    document, found = parse(json.dumps(value))
    assert document.value == value
    assert not found


@given(st.text(alphabet='{}[]",:0123456789eE+-.truefalsnNaIity\\ud8 \n', max_size=40) | st.text())
def test_any_text_gives_a_document_or_a_finding(text):
    """The reader raises nothing for any content of a file."""
    document, found = parse(text)
    assert document is not None or found


@given(st.binary(max_size=60))
def test_any_bytes_give_a_document_or_a_finding(tmp_path_factory, data):
    """The same holds for bytes that are not text."""
    path = tmp_path_factory.mktemp('json') / 'x.json'
    path.write_bytes(data)
    findings = bundle_findings()
    assert read_json(path, 'x.json', findings) is not None or findings.errors


@pytest.mark.parametrize(
    ('text', 'found'),
    [
        ('{"a": NaN}', [('File.JsonConstant', '/a')]),
        ('{"a": [1, -Infinity]}', [('File.JsonConstant', '/a/1')]),
        ('NaN', [('File.JsonConstant', '')]),
        ('{"a": 1e999}', [('File.NumberTooLarge', '/a')]),
        ('{"a": ' + '9' * 5000 + '}', [('File.NumberTooLarge', '/a')]),
        ('{"a": 1, "a": 2}', [('File.DuplicateKey', '/a')]),
        ('{"a": {"b/c": 1, "b/c": 1, "b/c": 1}}', [('File.DuplicateKey', '/a/b~1c')]),
        ('{"a": "\\ud800"}', [('File.LoneSurrogate', '/a')]),
        ('{"\\ud800": 1}', [('File.LoneSurrogate', '')]),
        ('[' * 70 + ']' * 70, [('File.TooDeep', '/0' * 64)]),
        ('[' * 500_000, [('File.TooDeep', '')]),
        ('{"a": 1,}', [('File.NotJson', 'line 1')]),
        ('{"a":\n1 // no\n}', [('File.NotJson', 'line 2')]),
        ("{'a': 1}", [('File.NotJson', 'line 1')]),
        ('{"a": 1} {', [('File.NotJson', 'line 1')]),
        ('{"a": 1,\n"b": [1, 2', [('File.CutOff', 'line 2')]),
        ('{"a": "bc', [('File.CutOff', 'line 1')]),
    ],
)
def test_each_fault_of_syntax_has_its_code_and_place(text, found):
    """One fault gives one finding, at a pointer or at a line."""
    assert parse(text)[1] == found


def test_all_faults_are_found_in_one_pass():
    """An invalid value is reported and left out; its neighbors are still read."""
    document, found = parse('{"a": NaN, "b": 1e999, "c": {"d": 1, "d": 2}, "e": 3}')
    assert document.value == {'a': UNUSABLE, 'b': UNUSABLE, 'c': {'d': 2}, 'e': 3}
    assert {code for code, _ in found} == {
        'File.JsonConstant',
        'File.NumberTooLarge',
        'File.DuplicateKey',
    }


def test_large_files_are_not_read(tmp_path):
    """The size is checked before anything is parsed."""
    path = tmp_path / 'x.json'
    path.write_bytes(b'[' + b' ' * LARGEST_JSON + b']')
    findings = bundle_findings()
    assert read_json(path, 'x.json', findings) is None
    assert [each.rule.code for each in findings.all] == ['File.TooLarge']


@given(st.lists(st.text() | st.integers(0, 99), max_size=5))
def test_pointers_can_be_followed(keys):
    """RFC 6901: the parts of a pointer, unescaped, are the keys again."""
    parts = pointer(*keys).split('/')[1:]
    assert [part.replace('~1', '/').replace('~0', '~') for part in parts] == list(map(str, keys))


@given(DOCUMENTS)
def test_strict_json_returns_the_value(value):
    """Every value that JSON can express must be read back."""
    assert strict_json(json.dumps(value), 'x') == value


@pytest.mark.parametrize(
    ('text', 'message'),
    [
        ('{"a": NaN}', 'x at /a: File.JsonConstant'),
        ('{"a": [1, 1e999]}', 'x at /a/1: File.NumberTooLarge'),
        ('{"a": 1, "a": 2}', 'x at /a: File.DuplicateKey'),
        ('{"a": ', 'x at line 1: File.CutOff'),
        ('{"a"; 1}', 'x at line 1: File.NotJson'),
        ('[' * 100 + ']' * 100, 'x at /0/0/.*: File.TooDeep'),
        ('[' * 100_000, 'x: File.TooDeep'),
        ('{"a": "\\ud800"}', 'x at /a: File.LoneSurrogate'),
        ('9' * 5000, 'x: File.NumberTooLarge'),
        ('', 'x at line 1: File.CutOff'),
    ],
)
def test_strict_json_names_the_place_of_the_first_error(text, message):
    """The error must name the document, the place and the code."""
    with pytest.raises(JsonError, match=message):
        strict_json(text, 'x')


def test_strict_json_limits_the_size():
    """A longer text must not be parsed."""
    assert strict_json('[1]', 'x', 3) == [1]
    with pytest.raises(JsonError, match=r'x: File.TooLarge'):
        strict_json('[10]', 'x', 3)
