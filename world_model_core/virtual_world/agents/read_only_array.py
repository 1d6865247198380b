# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Arrays that refuse to be changed in place, where the change would be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = ['ReadOnlyArray', 'read_only']


class ReadOnlyArray(np.ndarray[Any, np.dtype[np.float64]]):
    """
    A value of an object: `cup.position += (0.0, 0.1, 0.0)` changes it, `cup.position[1] = 0` not.

    A copy, and the result of a calculation, can be changed, but is no longer that of the object.

    Attributes
    ----------
    origin : str
        How the value is read, such as "cup.position".

    """

    origin: str

    def __array_finalize__(self, source: Any) -> None:
        """Keep the origin in views and copies."""
        self.origin = getattr(source, 'origin', '')

    def __setitem__(self, index: Any, value: Any) -> None:
        """
        Change an element of a copy.

        Raises
        ------
        TypeError
            This is the value of an object.

        """
        if not self.flags.writeable:
            raise TypeError(
                f'elements of {self.origin} cannot be assigned, as the object would not change; '
                f'assign the whole: {self.origin} = ..., or {self.origin} += ...'
            )
        super().__setitem__(index, value)

    # They return a new array, which the object gets when it is assigned.
    __iadd__ = np.ndarray.__add__  # type: ignore[assignment]
    __isub__ = np.ndarray.__sub__  # type: ignore[assignment]
    __imul__ = np.ndarray.__mul__  # type: ignore[assignment]
    __itruediv__ = np.ndarray.__truediv__  # type: ignore[assignment]


def read_only(values: Sequence[float], origin: str) -> ReadOnlyArray:
    """Copy values into an array that cannot be changed in place."""
    array = np.array(values, dtype=np.float64).view(ReadOnlyArray)
    array.origin = origin
    array.flags.writeable = False
    return array
