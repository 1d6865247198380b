# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What mappings of small files may be: fields by name, and what is made of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, Any

from world_model_core.bundle.files.syntax import MOST_OF_A_CODE, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from world_model_core.bundle.files.shapes import Shape
    from world_model_core.bundle.files.syntax import Document, Spot

# How alike two names are, from 0 to 1, when one may be the other misspelled: offset_x is origin_x
# to nobody, max_hight is max_height to all.
ALIKE = 0.75


class Need(Enum):
    """What it means that a field is not there."""

    REQUIRED = 'required'  # an error
    EXPECTED = 'expected'  # a warning, and its default is taken
    OPTIONAL = 'optional'  # nothing, as the contract says that it may be left out


@dataclass(frozen=True, slots=True)
class Field:
    """A field: what it may be, and what it is when it is not there, or null."""

    shape: Shape
    need: Need = Need.REQUIRED
    default: Any = None


def expected(shape: Shape, default: Any = None) -> Field:
    """Make a field that should be there, but that a bundle can be used without."""
    return Field(shape, Need.EXPECTED, default)


def optional(shape: Shape, default: Any = None) -> Field:
    """Make a field that the contract calls optional."""
    return Field(shape, Need.OPTIONAL, default)


@dataclass(frozen=True, slots=True)
class Record:
    """
    A mapping with fields that are known.

    Attributes
    ----------
    fields : mapping of str to Field or Shape
        A shape alone is a required field.
    make : callable, optional
        Makes a value of the fields, once each of them is sound, and notes what is wrong with them
        together. Without it the fields are the value, as a dict.
    extra : mapping of str to str
        Codes of findings for names of other fields; all others are 'File.UnknownField'. What such
        fields hold is handed to `make` as 'extra'.

    """

    fields: Mapping[str, Field | Shape]
    make: Callable[[dict[str, Any], Spot], Any] | None = None
    extra: Mapping[str, str] = field(default_factory=dict)

    def read(self, value: Any, spot: Spot) -> Any:
        """Return what `make` makes of the fields."""
        if not is_mapping(value, spot):
            return None
        notes = spot.document.notes
        before = notes.errors
        fields = {name: _read_field(name, each, value, spot) for name, each in self._all().items()}
        fields['extra'] = self._extra(value, spot)
        if notes.errors > before:
            return None
        return fields if self.make is None else self.make(fields, spot)

    def _all(self) -> dict[str, Field]:
        """Go through the fields."""
        given = self.fields.items()
        return {name: each if isinstance(each, Field) else Field(each) for name, each in given}

    def _extra(self, value: dict[str, Any], spot: Spot) -> dict[str, Any]:
        """Take the members that are no fields, and say so of each."""
        absent = [name for name in self.fields if name not in value]
        extra = {name: each for name, each in value.items() if name not in self.fields}
        for index, name in enumerate(extra):
            where = spot.member(name)
            # Comparing names takes long, and hostile files have many.
            candidates = absent if index < MOST_OF_A_CODE else []
            near = get_close_matches(name[:100], candidates, 1, ALIKE)
            if name in self.extra:
                where.note(self.extra[name], found=name)
            elif near:
                where.note('File.MisspelledField', found=name, similar=near[0])
            else:
                where.note('File.UnknownField', found=name)
        return extra


@dataclass(frozen=True, slots=True)
class Named:
    """A mapping from names to values of one shape."""

    shape: Shape

    def read(self, value: Any, spot: Spot) -> dict[str, Any] | None:
        """Return the values by their names."""
        if not is_mapping(value, spot):
            return None
        for key in value:
            if not key.strip():
                spot.member(key).note('File.EmptyText')
        found = {key: self.shape.read(each, spot.member(key)) for key, each in value.items()}
        return None if any(each is None for each in found.values()) else found


def is_mapping(value: Any, spot: Spot) -> bool:
    """Tell if a value is a mapping, and note it if it is not."""
    if spot.is_usable(value) and not isinstance(value, dict):
        spot.note('File.NotMapping', found=shown(value, spot.mark))
    return isinstance(value, dict)


def read_record(document: Document | None, record: Record) -> Any:
    """Read a whole document: None if there is an error in it, also where no field is."""
    if document is None:
        return None
    value = record.read(document.value, document.root)
    return None if document.notes.errors else value


def _read_field(name: str, each: Field, members: dict[str, Any], spot: Spot) -> Any:
    value = members.get(name)
    here = spot.member(name)
    if value is not None or (name in members and each.need is Need.REQUIRED):
        return each.shape.read(value, here)
    if each.need is Need.REQUIRED:
        here.note('File.MissingField', found=name)
    elif each.need is Need.EXPECTED:
        here.note('File.FieldAbsent', found=name, default=json.dumps(each.default))
    return each.default
