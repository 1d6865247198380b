# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Values of attributes: texts of world and class files -> numbers, flags and texts.

A number with something after it is read as the number, as SIGVerse (`atof`) does. "[a,b]" is a
number between a and b, drawn by the names of the entity and of the attribute: other
entities and attributes do not change it. (SIGVerse returns a number from 0 to b - a.)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.virtual_world.values import Attribute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from world_model_core.uncertainty.random_draws import Draws
    from world_model_core.virtual_world.worlds.sigverse_classes import EntityClass, WorldFiles
    from world_model_core.virtual_world.worlds.sigverse_documents import (
        AttributeDeclaration,
        Setting,
    )

__all__ = ['AttributeReader', 'number_of']

_NUMBER = r'[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?'
_NUMBER_ALONE = re.compile(_NUMBER, re.ASCII)
_RANGE = re.compile(rf'\[\s*({_NUMBER})[\s,]+({_NUMBER})\s*\]', re.ASCII)
# Larger numbers in files have no meaning, and squares of them overflow.
LARGEST = 1e100
FLAGS = {'true': True, '1': True, 'false': False, '0': False}
EMPTY: Mapping[str, float | bool | str] = {'double': 0.0, 'bool': False, 'string': ''}


def number_of(text: str) -> float | None:
    """Return the decimal number that a text is, or None; NaN and infinity are none."""
    found = text.strip()
    if _NUMBER_ALONE.fullmatch(found) is None:
        return None
    number = float(found)
    return number if abs(number) <= LARGEST else None


@dataclass(frozen=True, slots=True)
class AttributeReader:
    """
    Reads the attributes of entities.

    Attributes
    ----------
    files : WorldFiles
        Receives findings.
    draws : Draws

    """

    files: WorldFiles
    draws: Draws

    def read(
        self, entity: str, kind: EntityClass, settings: Mapping[str, Setting]
    ) -> dict[str, Attribute]:
        """
        Return the values of all attributes of an entity.

        Parameters
        ----------
        entity : str
            Its name, by which ranges are drawn.
        kind : EntityClass
        settings : mapping of str to Setting
            Values in the world file.

        """
        declarations = kind.declarations
        for name in settings.keys() - declarations.keys():
            at = settings[name].at
            self.files.notes(at.file).add('Sigverse.UndeclaredAttribute', at.where, found=name)
        values = {**kind.settings, **settings}
        return {
            name: self._attribute(entity, name, declarations.get(name), values.get(name))
            for name in sorted(declarations.keys() | values.keys())
        }

    def _attribute(
        self,
        entity: str,
        name: str,
        declared: AttributeDeclaration | None,
        setting: Setting | None,
    ) -> Attribute:
        if declared is None:
            return Attribute(setting.text if setting else '')
        value = (
            EMPTY[declared.kind]
            if setting is None
            else self._value(f'{entity}.{name}', declared, setting)
        )
        return Attribute(value, declared.group, declared.hidden)

    def _value(
        self, source: str, declared: AttributeDeclaration, setting: Setting
    ) -> float | bool | str:
        if declared.kind == 'double':
            return self._number(source, declared, setting)
        if declared.kind == 'bool':
            return self._flag(setting)
        return setting.text

    def _number(self, source: str, declared: AttributeDeclaration, setting: Setting) -> float:
        """Read a number or draw one from a range; of other texts, the number at the start."""
        written = _RANGE.fullmatch(setting.text.strip())
        low, high = (number_of(each) for each in written.groups()) if written else (None, None)
        if low is not None and high is not None:
            return self._drawn(source, low, high, setting)
        number = number_of(setting.text)
        if number is not None:
            return number
        start = _NUMBER_ALONE.match(setting.text.strip())
        texts = (
            '' if start is None else start.group(),
            declared.value.text if declared.value else '',
        )
        value = next((each for text in texts if (each := number_of(text)) is not None), 0.0)
        self.files.report('Sigverse.NotNumber', setting, value=value)
        return value

    def _drawn(self, source: str, low: float, high: float, setting: Setting) -> float:
        if low > high:
            self.files.report('Sigverse.RangeReversed', setting)
            low, high = high, low
        part = float(self.draws.uniform(f'sigverse.{source}', 0, 0, 1)[0])
        return low + part * (high - low)

    def _flag(self, setting: Setting) -> bool:
        """Read a flag; all but "0" and "false" is true in SIGVerse."""
        flag = FLAGS.get(setting.text.strip().lower())
        if flag is None:
            self.files.report('Sigverse.NotFlag', setting)
        return flag is not False
