# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model world say` sends a text to the topic by which an agent hears."""

from __future__ import annotations

from std_msgs.msg import String

COMMAND = (
    'import sys; from world_model_nodes.commands.main import run_command; '
    'sys.exit(run_command({}))'
)


def test_a_text_arrives_or_nobody_listens(graph, running_code):
    """It waits until somebody listens; the text may have any characters."""
    heard = graph.listen(String, 'Red_x20_Cup/text_in')
    text = 'コップを "here"'
    with (
        running_code(COMMAND.format(['world', 'say', 'Red Cup', text])) as process,
        running_code(COMMAND.format(['world', 'say', 'cup', 'hi', '--wait', '0.1'])) as deaf,
    ):
        graph.wait_until(lambda: process.poll() is not None and deaf.poll() is not None)
        errors = deaf.stderr.read()
    assert process.returncode == 0
    assert [each.data for each in heard] == [text]
    assert deaf.returncode == 1
    assert "no controller acts for 'cup'" in errors
