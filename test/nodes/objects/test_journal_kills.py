# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The node object_map is killed under load, and continues its map."""

from benchmarks.objects.journal_kills import kill_often


def test_a_killed_node_continues_its_map(ros_environment, tmp_path):  # noqa: ARG001 (inherited)
    """
    In 20 rounds no file is damaged, no id is used twice, and no journaled object is lost.

    The benchmark of this name measures the lost time, which a busy machine would prolong.
    """
    found = kill_often(20, 7, tmp_path)
    assert found.faults == []
    assert len(found.lost) == 20
    assert found.objects > 20
