# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""What all parts of the interface to an object have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from world_model_core.virtual_world.agents.read_only_array import read_only
from world_model_core.virtual_world.agents.world_access import nearest
from world_model_core.virtual_world.engine.errors import UnknownPartError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from world_model_core.virtual_world.agents.read_only_array import ReadOnlyArray
    from world_model_core.virtual_world.agents.state_changes import ObjectProperties, ObjectState
    from world_model_core.virtual_world.agents.world_access import WorldAccess

__all__ = ['ObjectAccess']


class ObjectAccess:
    """
    Reads and writes one object: a part of SimObject.

    Parameters
    ----------
    access : WorldAccess
    name : str

    """

    _access: WorldAccess
    _name: str

    @property
    def name(self) -> str:
        """Its name, which is unique in the world."""
        return self._name

    @property
    def _state(self) -> ObjectState:
        return self._access.state_of(self._name)

    @property
    def _properties(self) -> ObjectProperties:
        return self._state.properties

    def _write(self, attribute: str, *values: object) -> None:
        self._access.write(self._name, attribute, *values)

    def _query(self, method: str, **arguments: object) -> Any:
        return self._access.link.query(method, {'name': self._name, **arguments})

    def _array(self, attribute: str, values: Sequence[float]) -> ReadOnlyArray:
        return read_only(values, f'{self._name}.{attribute}')

    def _require(self, what: str, name: str, names: Iterable[str]) -> None:
        """
        Check that a part, joint or state exists.

        Raises
        ------
        UnknownPartError
            It names those there are.

        """
        known = tuple(names)
        if name not in known:
            raise UnknownPartError(
                f'{self._name!r} has no {what} {name!r}; there are {nearest(name, known)}'
            )
