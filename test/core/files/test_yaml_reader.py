# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Strict YAML: the values of PyYAML, and findings that other readers miss."""

import math
import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.files import yaml_reader
from world_model_core.files.file_findings import FileFindings
from world_model_core.files.parsed_document import UNUSABLE
from world_model_core.files.yaml_reader import YamlError, parse_yaml, read_yaml, strict_yaml


def parse(text):
    """Parse a text; return its document, and code and place of each finding."""
    findings = bundle_findings()
    document = parse_yaml(text, FileFindings('x.yaml', findings))
    return document, [(each.rule.code, each.where) for each in findings.all]


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda below: (
        st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=8), below, max_size=4)
    ),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_output_of_pyyaml_is_read(value):
    """The values are those of safe_load, without findings."""
    document, found = parse(yaml.safe_dump(value))
    assert document.value == value
    assert not found


@given(st.text(alphabet='ab:- \n\t[]{}"\'#&*!|>?,%@`1.0e<~', max_size=40) | st.text(max_size=40))
def test_any_text_gives_a_document_or_a_finding(text):
    """The reader raises nothing for any content of a file."""
    document, found = parse(text)
    assert document is not None or found


@given(st.binary(max_size=60))
def test_any_bytes_give_a_document_or_a_finding(tmp_path_factory, data):
    """The same holds for bytes that are not text."""
    path = tmp_path_factory.mktemp('yaml') / 'x.yaml'
    path.write_bytes(data)
    findings = bundle_findings()
    assert read_yaml(path, 'x.yaml', findings) is not None or findings.errors


@pytest.mark.parametrize(
    ('text', 'value', 'kind'),
    [
        ('1e-5', '1e-5', 'str'),
        ('1.0e-5', 1e-5, 'float'),
        ('no', False, 'bool'),
        ('2026_02_14', 20260214, 'int'),
        ('12:30', 750, 'int'),
        ('010', 8, 'int'),
        ('1.0', 1.0, 'float'),
        ('2026-02-14', '2026-02-14', 'timestamp'),
        ('"no"', 'no', 'str'),
        ('!!float "1"', 1.0, 'float'),
        ('~', None, 'null'),
    ],
)
def test_the_text_of_a_scalar_is_kept(text, value, kind):
    """The value is PyYAML's, kept together with its text and type."""
    document, found = parse(f'a:\n  b: {text}')
    mark = document.marks['/a/b']
    assert (document.value['a']['b'], mark.kind, mark.line, found) == (value, kind, 2, [])
    assert mark.written == text.removeprefix('!!float ').strip('"')


@pytest.mark.parametrize(
    ('text', 'found'),
    [
        ('a: 1\na: 2', [('File.DuplicateKey', '/a')]),
        ('a: {b: 1, b: 1}', [('File.DuplicateKey', '/a/b')]),
        ('a/b: {c~d: 1, c~d: 1}', [('File.DuplicateKey', '/a~1b/c~0d')]),
        ('no: 1', [('File.KeyNotText', '/no')]),
        ('1: 1', [('File.KeyNotText', '/1')]),
        ('? [a]\n: 1', [('File.KeyNotScalar', '')]),
        ('a: !!python/object:os.system {}', [('File.UnknownTag', '/a')]),
        ('a: !mine 1', [('File.UnknownTag', '/a')]),
        ('a: &a {b: 1}\nc: {<<: *a, <<: *a}', [('File.DuplicateKey', '/c')]),
        ('a: !!int zz', [('File.BadScalar', '/a')]),
        ('a: =', [('File.BadScalar', '/a')]),
        ('a: <<', [('File.BadScalar', '/a')]),
        ('a: ' + '9' * 400, [('File.NumberTooLarge', '/a')]),
        ('a: *b', [('File.UnknownAlias', 'line 1')]),
        ('a: &a [*a]', [('File.UnknownAlias', 'line 1')]),
        ('a: 1\n---\nb: 1', [('File.SeveralDocuments', 'line 2')]),
        ('a: 1\nb: [1', [('File.NotYaml', 'line 2')]),
        ('a:\n\t- b', [('File.NotYaml', 'line 2')]),
        ('a: 1\nb: \x01', [('File.NotYaml', 'line 2')]),
        ('a: "\\U99999999"', [('File.NotYaml', 'line 1')]),
        ('<<: 3', [('File.NotYaml', 'line 1')]),
        ('[' * 70 + ']' * 70, [('File.TooDeep', 'line 1')]),
    ],
)
def test_each_fault_of_syntax_has_its_code_and_place(text, found):
    """One fault gives one finding, at a pointer or at a line."""
    assert parse(text)[1] == found


def test_a_reported_value_is_not_used():
    """Readers of fields can skip a value that is already reported."""
    document, _ = parse('a: !mine 1\nb: 2')
    assert document.value == {'a': UNUSABLE, 'b': 2}


def test_aliases_and_merges_are_read_as_pyyaml_reads_them():
    """Calibrations use them for similar sensors."""
    text = 'a: &a {x: 1, y: 2}\nb: &b {x: 5, z: 3}\nc: {<<: [*a, *b], y: 7}\nd: *a'
    document, found = parse(text)
    assert document.value == yaml.safe_load(text)
    assert not found


@pytest.mark.parametrize('opening', ['[*a{0},*a{0},*a{0}]', '{{<<: [*a{0},*a{0},*a{0}]}}'])
def test_aliases_cannot_multiply_without_bound(opening):
    """Thirty lines that would give 3^30 values are rejected."""
    lines = ['a0: &a0 {k: 1}']
    lines += [f'a{n + 1}: &a{n + 1} {opening.format(n)}' for n in range(30)]
    if '<<' not in opening:
        lines[0] = 'a0: &a0 [1]'
    document, found = parse('\n'.join(lines))
    assert document is None
    assert found[0][0] == 'File.TooManyValues'


def test_findings_with_one_code_are_bounded():
    """A hostile file cannot fill the memory with findings."""
    _, found = parse('\n'.join(f'a{n}: 1\na{n}: 1' for n in range(200)))
    assert 0 < len(found) < 100


def test_without_libyaml_the_same_is_read(monkeypatch):
    """PyYAML may be built without it."""
    monkeypatch.setattr('world_model_core.files.yaml_nodes._LOADER', yaml.SafeLoader)
    document, found = parse('a: [1, .inf]\nb: "x"\na: 2')
    assert document.value == {'a': 2, 'b': 'x'}
    assert found == [('File.DuplicateKey', '/a')]
    assert parse('a: "\\U99999999"')[1] == [('File.NotYaml', 'line 1')]
    assert parse('a: [1, .inf]')[0].value['a'][1] == math.inf


@pytest.mark.parametrize(
    ('data', 'code', 'where'),
    [
        (b'', 'File.Empty', ''),
        (b' \n', 'File.Empty', ''),
        (b'a: \xff', 'File.NotUtf8', 'byte 3'),
        ('a: 1'.encode('utf-16'), 'File.NotUtf8', 'byte 0'),
        (b'\xef\xbb\xbfa: 1', 'File.ByteOrderMark', 'byte 0'),
        (b'version https://git-lfs.github.com/spec/v1\noid 1', 'File.LfsPointer', 'byte 0'),
        (b'#' * (yaml_reader.LARGEST_YAML + 1), 'File.TooLarge', ''),
    ],
)
def test_bytes_that_are_not_a_document_are_named(tmp_path, data, code, where):
    """A fault of a file as a whole is reported with the byte."""
    path = tmp_path / 'x.yaml'
    path.write_bytes(data)
    findings = bundle_findings()
    document = read_yaml(path, 'x.yaml', findings)
    assert [(each.rule.code, each.where) for each in findings.all] == [(code, where)]
    assert (document is None) == bool(findings.errors)


def test_a_file_that_cannot_be_read_is_reported(tmp_path, monkeypatch):
    """The finding contains the reason of the operating system."""

    def fail(*_):
        raise PermissionError(13, 'Permission denied')

    (tmp_path / 'x.yaml').write_text('a: 1')
    monkeypatch.setattr(Path, 'open', fail)
    findings = bundle_findings()
    assert read_yaml(tmp_path / 'x.yaml', 'x.yaml', findings) is None
    assert [each.rule.code for each in findings.all] == ['File.Unreadable']
    assert findings.all[0].values['found'] == 'Permission denied'


def test_only_regular_files_are_opened(tmp_path):
    """A pipe would block forever, a folder cannot be read, and a missing file is named."""
    os.mkfifo(tmp_path / 'pipe')
    for name in ('pipe', '.', 'missing'):
        findings = bundle_findings()
        assert read_yaml(tmp_path / name, 'x', findings) is None
        assert [each.rule.code for each in findings.all] == ['File.NotAFile']


def test_strict_yaml_returns_the_value_or_names_the_error(tmp_path):
    """The error must name the file, the place and the code."""
    path = tmp_path / 'x.yaml'
    path.write_text('a: [1, 2.5]\n')
    assert strict_yaml(path) == {'a': [1, 2.5]}
    path.write_text('a: 1\na: 2\n')
    with pytest.raises(YamlError, match=r'x\.yaml at /a: File.DuplicateKey'):
        strict_yaml(path)
    with pytest.raises(YamlError, match=r'File\.NotAFile'):
        strict_yaml(tmp_path / 'y.yaml')
