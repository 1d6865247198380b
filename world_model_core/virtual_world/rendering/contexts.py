# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
OpenGL without a display: EGL, or OSMesa.

A driver that is broken may end the process. Who cannot afford that tries `open_context` in another
process first. A process can use one driver only, as PyOpenGL is bound to the first one.
"""

from __future__ import annotations

import importlib
from enum import Enum
from typing import Any, Protocol

import mujoco

from world_model_core.errors import WorldModelError

__all__ = [
    'INSTALL',
    'Context',
    'Driver',
    'LostContextError',
    'RenderingError',
    'abandon',
    'open_context',
    'try_driver',
]

INSTALL = (
    'install libegl1 and libgl1-mesa-dri, or libosmesa6, and python3-opengl (with pip: PyOpenGL): '
    'packages of Debian and Ubuntu'
)
# MuJoCo draws into buffers of its own; this is that of OSMesa, which stays unused [pixels].
UNUSED_SIZE = 16

_SMALLEST_FONT = mujoco.mjtFontScale.mjFONTSCALE_50.value


class RenderingError(WorldModelError):
    """An image cannot be made; the message says what is missing or wrong."""


class LostContextError(RenderingError):
    """The driver has dropped a context of OpenGL, as after a reset of the graphics card."""


class Driver(Enum):
    """Library that gives OpenGL without a display, in the order of preference."""

    EGL = 'egl'
    OSMESA = 'osmesa'


class Context(Protocol):
    """A context of OpenGL."""

    def make_current(self) -> None:
        """Use the context in this thread."""

    def free(self) -> None:
        """Destroy the context."""


def open_context(driver: Driver) -> Context:
    """
    Open a context of OpenGL and use it in this thread.

    Raises
    ------
    RenderingError
        The driver, or PyOpenGL, is not installed or does not work.

    """
    # MuJoCo and PyOpenGL raise many kinds of errors if a library is missing, and document none.
    try:
        context: Context = _library(driver).GLContext(UNUSED_SIZE, UNUSED_SIZE)
        context.make_current()
    except Exception as error:
        raise RenderingError(f'{driver.value}: {error}; {INSTALL}') from error
    return context


def abandon(driver: Driver, context: Context) -> None:
    """Give up a context that was lost, and with it the display, which the next one opens again."""
    # What is lost cannot be destroyed: MuJoCo would raise an error then.
    vars(context)['_context'] = None
    if driver is Driver.EGL:
        _library(driver).EGL_DISPLAY = None


def try_driver(driver: Driver) -> None:
    """
    Open a context, and let MuJoCo use it.

    Raises
    ------
    RenderingError
        It does not work; or the process ends.

    """
    context = open_context(driver)
    try:
        mujoco.MjrContext(mujoco.MjSpec().compile(), _SMALLEST_FONT).free()
    except mujoco.FatalError as error:
        raise RenderingError(f'MuJoCo cannot use {driver.value}: {error}') from error
    context.free()


def _library(driver: Driver) -> Any:
    return importlib.import_module(f'mujoco.{driver.value}')
