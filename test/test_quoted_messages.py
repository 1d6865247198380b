# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The messages that the page of troubleshooting quotes are those of the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PAGE = (PROJECT / 'docs/how-to/troubleshooting.md').read_text()
# First words of commands, and messages of ROS and Python.
COMMANDS = {'ip', 'ros2', 'rviz2', 'ss', 'sudo', 'sysctl', 'world_model'}
FOREIGN = re.compile(r'Trying to set parameter|Cannot have a value|No value at|\[Errno 2\]')
# A message has at least this number of words; shorter quotes are names.
WORDS = 3


def quoted_messages():
    """Return the quotes, headings and log lines that are messages, without node and severity."""
    quotes = re.findall(r'`([^`\n]+)`|^### ([a-z].*)|^(\[FATAL\].*)', PAGE, re.MULTILINE)
    messages = {re.sub(r'^\[FATAL\] (\[\w+\]: )?', '', ''.join(each)) for each in quotes}
    return [
        each
        for each in sorted(messages)
        if len(each.split()) >= WORDS
        and each.split()[0] not in COMMANDS
        and not FOREIGN.search(each)
    ]


def texts_of_code():
    """Return all texts in the code that have enough words, with ... for their values."""
    nodes = (
        node
        for path in PROJECT.glob('world_model_*/**/*.py')
        for node in ast.walk(ast.parse(path.read_text()))
    )
    texts = {text_of(node) for node in nodes if isinstance(node, ast.Constant | ast.JoinedStr)}
    return {text for text in texts if len(re.findall('[a-z_]+', text)) >= WORDS}


def text_of(node):
    """Return the value of a constant, or that of an f-string with ... for its values."""
    if isinstance(node, ast.JoinedStr):
        parts = (getattr(part, 'value', '') for part in node.values)
        return ''.join(part if isinstance(part, str) else '...' for part in parts)
    return str(node.value)


def has_parts(text, message):
    """Return whether a text contains all parts of a message, which are separated by gaps (...)."""
    return all(part in text for part in message.split('...'))


def test_quoted_messages_are_those_of_the_code():
    """Each quoted message must be in a text of the code, or have all parts of one."""
    texts, messages = texts_of_code(), quoted_messages()
    assert len(messages) > 30
    for message in messages:
        assert any(has_parts(text, message) or has_parts(message, text) for text in texts), message
