# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Valid small files with parts inserted, removed and replaced give a value or a finding."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world_model_core.bundle.finding_catalog import bundle_findings
from world_model_core.bundle.scene.manifest import read_manifest
from world_model_core.bundle.scene.metadata import read_metadata
from world_model_core.bundle.scene.render_config import read_render_config
from world_model_core.bundle.scene.timebase import read_timebase
from world_model_core.bundle.sensors.calibration import read_calibration
from world_model_core.bundle.sensors.tf_static import read_tf_static

FILES = {
    'world.yaml': lambda path, _, findings: read_manifest(path.parent, findings),
    'metadata.json': read_metadata,
    'gaussians/render_config.json': read_render_config,
    'sensors/calibration.yaml': read_calibration,
    'sensors/tf_static.json': read_tf_static,
    'sim/timebase.yaml': read_timebase,
}
# Sequences on which parsers of YAML and JSON have failed, here or elsewhere.
PIECES = st.sampled_from(
    [
        *(b'null', b'true', b'no', b'NaN', b'.nan', b'.inf', b'1e999', b'1e-5', b'-1', b'0'),
        *(b'9' * 400, b'1_0', b'1:99', b'.e+1', b'._', b'0x', b'0b', b'=', b'2026-02-14'),
        *(b'', b'[]', b'{}', b'""', b"'", b'"', b'&a', b'*a', b'<<: *a\n', b'? ', b': ', b'- '),
        *(b'!!int ', b'!x ', b'!!set ', b'!!float x', b'---\n', b'...\n', b'|\n', b'>\n', b'%'),
        *(b'\xff', b'\x00', b'\xef\xbb\xbf', b'\xe2\x80\xa8', b'\xc2\x85', b'\t', b'\r', b'#'),
        *(b'\\ud800', b'../a', b'/'),
    ]
) | st.binary(max_size=4)
WORD = re.compile(rb'[-\w.]+')


def spliced(data, splices):
    """Replace words, or insert between them, one after another."""
    for place, piece, replaces in splices:
        words = list(WORD.finditer(data)) or [re.match(b'', data)]
        start, end = words[int(place * (len(words) - 1))].span()
        data = data[:start] + piece + data[end if replaces else start :]
    return data


@pytest.mark.parametrize('name', FILES)
@given(
    splices=st.lists(
        st.tuples(st.floats(0.0, 1.0), PIECES, st.booleans()), min_size=1, max_size=4
    ),
    end=st.floats(0.5, 1.5),
)
def test_any_damage_gives_a_value_or_an_error(
    example_folder, tmp_path_factory, name, splices, end
):
    """A reader gives findings only, and each can be rendered."""
    data = spliced((example_folder / name).read_bytes(), splices)
    path = tmp_path_factory.mktemp('damaged') / name.rsplit('/', 1)[-1]
    path.write_bytes(data[: int(end * len(data))])
    findings = bundle_findings()
    value = FILES[name](path, name, findings)
    assert (value is None) == bool(findings.errors)
    assert all(each.message('ja') and each.message('en') for each in findings.all)
