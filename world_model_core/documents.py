# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Read, validate and write the JSON documents of String topics and of `--json`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema

from world_model_core.errors import WorldModelError
from world_model_core.files.json_reader import JsonError, strict_json

__all__ = ['DocumentError', 'parse', 'schema', 'write']

NAMES = (
    'agent_message',
    'answer',
    'attributes',
    'bundle_report',
    'conditions',
    'contacts',
    'evaluation',
    'field',
    'game',
    'kick',
    'live_evaluation',
    'live_objects_evaluation',
    'meshes',
    'object_map',
    'objects_evaluation',
    'scene',
    'segmentation_labels',
    'virtual_world',
    'world_model',
)


class DocumentError(WorldModelError):
    """A document is not valid JSON or does not follow its schema."""


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of one of the documents in `NAMES`."""
    text = (files('world_model_core') / 'schemas' / f'{name}.schema.json').read_text()
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema(name))


def parse(text: str, name: str) -> dict[str, Any]:
    """
    Parse a document and validate it against its schema.

    Raises
    ------
    DocumentError
        The text is not strict JSON or does not follow the schema. The message names the path, the
        value and the rule.

    """
    try:
        document = strict_json(text, name)
    except JsonError as error:
        raise DocumentError(f'not JSON: {error}') from error
    broken = jsonschema.exceptions.best_match(_validator(name).iter_errors(document))
    if broken is not None:
        raise DocumentError(f'{name}: {broken.json_path} violates the schema: {broken.message}')
    loaded: dict[str, Any] = document
    return loaded


def write(document: dict[str, Any]) -> str:
    """Return a document as JSON text; a number that is not finite raises ValueError."""
    return json.dumps(document, allow_nan=False, ensure_ascii=False)
