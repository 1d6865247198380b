# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Schemas of mappings in YAML and JSON files: named fields, and the value made from them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from world_model_core.files.file_findings import MOST_PER_CODE
from world_model_core.files.parsed_document import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from world_model_core.files.parsed_document import ParsedDocument, ValueLocation
    from world_model_core.files.value_schemas import ValueSchema
    from world_model_core.findings import Findings

__all__ = [
    'DocumentReader',
    'Field',
    'FieldPresence',
    'MappingOf',
    'MappingSchema',
    'OpenMappingSchema',
    'expected',
    'is_mapping',
    'optional',
    'read_mapping',
]

# Similarity of two names, from 0 to 1, above which one may be the other misspelled: max_hight is
# taken for max_height, offset_x is not taken for origin_x.
ALIKE = 0.75
Value = TypeVar('Value')


class FieldPresence(Enum):
    """Consequence of the absence of a field."""

    REQUIRED = 'required'  # an error
    EXPECTED = 'expected'  # a warning; the default is used
    OPTIONAL = 'optional'  # none; the contract allows its absence


@dataclass(frozen=True, slots=True)
class Field:
    """Schema of a field, and its default if it is absent or null."""

    schema: ValueSchema
    presence: FieldPresence = FieldPresence.REQUIRED
    default: Any = None


def expected(schema: ValueSchema, default: Any = None) -> Field:
    """Create a field whose absence is a warning."""
    return Field(schema, FieldPresence.EXPECTED, default)


def optional(schema: ValueSchema, default: Any = None) -> Field:
    """Create a field that may be absent."""
    return Field(schema, FieldPresence.OPTIONAL, default)


@dataclass(frozen=True, slots=True)
class MappingSchema:
    """
    Schema of a mapping with named fields.

    Attributes
    ----------
    fields : mapping of str to Field or ValueSchema
        A schema alone is a required field.
    make : callable, optional
        Converts the fields to a value when none of them has an error, and reports contradictions
        between them. Without it the value is the dict of the fields.
    extra : mapping of str to str
        Codes of findings for other names; the code of all remaining names is 'File.UnknownField'.
        The values of such fields are passed to `make` as 'extra'.

    """

    fields: Mapping[str, Field | ValueSchema]
    make: Callable[[dict[str, Any], ValueLocation], Any] | None = None
    extra: Mapping[str, str] = field(default_factory=dict)

    def read(self, value: Any, location: ValueLocation) -> Any:
        """Return the value that `make` creates, or None after an error."""
        if not is_mapping(value, location):
            return None
        notes = location.document.notes
        before = notes.errors
        fields = {
            name: _read_field(name, each, value, location) for name, each in self._all().items()
        }
        fields['extra'] = self._extra(value, location)
        if notes.errors > before:
            return None
        return fields if self.make is None else self.make(fields, location)

    def _all(self) -> dict[str, Field]:
        """Return the fields by name."""
        given = self.fields.items()
        return {name: each if isinstance(each, Field) else Field(each) for name, each in given}

    def _extra(self, value: dict[str, Any], location: ValueLocation) -> dict[str, Any]:
        """Return the members that are not fields, and report each."""
        absent = [name for name in self.fields if name not in value]
        extra = {name: each for name, each in value.items() if name not in self.fields}
        for index, name in enumerate(extra):
            where = location.member(name)
            # Comparing names is slow, and hostile files have many.
            candidates = absent if index < MOST_PER_CODE else []
            near = get_close_matches(name[:100], candidates, 1, ALIKE)
            if name in self.extra:
                where.report(self.extra[name], found=name)
            elif near:
                where.report('File.MisspelledField', found=name, similar=near[0])
            else:
                where.report('File.UnknownField', found=name)
        return extra


@dataclass(frozen=True, slots=True)
class OpenMappingSchema:
    """
    Schema of a mapping that may have any other members, as in GeoJSON and glTF.

    Attributes
    ----------
    fields : mapping of str to Field or ValueSchema
        See MappingSchema.

    """

    fields: Mapping[str, Field | ValueSchema]

    def read(self, value: Any, location: ValueLocation) -> dict[str, Any] | None:
        """Return the fields, and the other members as 'extra'; None after an error."""
        if not is_mapping(value, location):
            return None
        known = {name: each for name, each in value.items() if name in self.fields}
        fields: dict[str, Any] | None = MappingSchema(self.fields).read(known, location)
        others = {name: each for name, each in value.items() if name not in self.fields}
        return None if fields is None else {**fields, 'extra': others}


@dataclass(frozen=True, slots=True)
class MappingOf:
    """Schema of a mapping from any names to values of one schema."""

    schema: ValueSchema

    def read(self, value: Any, location: ValueLocation) -> dict[str, Any] | None:
        """Return the values by name, or None after an error."""
        if not is_mapping(value, location):
            return None
        for key in value:
            if not key.strip():
                location.member(key).report('File.EmptyText')
        found = {key: self.schema.read(each, location.member(key)) for key, each in value.items()}
        return None if any(each is None for each in found.values()) else found


def is_mapping(value: Any, location: ValueLocation) -> bool:
    """Return whether a value is a mapping; report it if it is not."""
    if location.is_usable(value) and not isinstance(value, dict):
        location.report('File.NotMapping', found=shown(value, location.mark))
    return isinstance(value, dict)


def read_mapping(document: ParsedDocument | None, schema: MappingSchema) -> Any:
    """Read a whole document; return None if it has an error, inside or outside of fields."""
    if document is None:
        return None
    value = schema.read(document.value, document.root)
    return None if document.notes.errors else value


@dataclass(frozen=True, slots=True)
class DocumentReader(Generic[Value]):
    """
    Reads files that hold one mapping.

    Attributes
    ----------
    read_file : callable
        `read_json` or `read_yaml`.
    schema : MappingSchema
        Its `make` creates the value.

    """

    read_file: Callable[[Path, str, Findings], ParsedDocument | None]
    schema: MappingSchema

    def __call__(self, path: Path, file: str, findings: Findings) -> Value | None:
        """
        Read a file.

        Parameters
        ----------
        path : Path
        file : str
            Name of the file in findings.
        findings : Findings
            Receives the findings.

        Returns
        -------
        value or None
            None after an error.

        """
        value: Value | None = read_mapping(self.read_file(path, file, findings), self.schema)
        return value


def _read_field(name: str, each: Field, members: dict[str, Any], location: ValueLocation) -> Any:
    value = members.get(name)
    here = location.member(name)
    if value is not None or (name in members and each.presence is FieldPresence.REQUIRED):
        return each.schema.read(value, here)
    if each.presence is FieldPresence.REQUIRED:
        here.report('File.MissingField', found=name)
    elif each.presence is FieldPresence.EXPECTED:
        here.report('File.FieldAbsent', found=name, default=json.dumps(each.default))
    return each.default
