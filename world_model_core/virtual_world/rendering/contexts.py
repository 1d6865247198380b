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
from typing import Protocol

import mujoco

from world_model_core.errors import WorldModelError

__all__ = ['PACKAGES', 'Context', 'Driver', 'RenderingError', 'open_context', 'try_driver']

# What each driver needs, on Debian and Ubuntu; both need PyOpenGL.
PACKAGES = 'libegl1 (or libosmesa6) and python3-opengl (or, with pip, PyOpenGL)'
# MuJoCo draws into buffers of its own; this is that of OSMesa, which stays unused [pixels].
UNUSED_SIZE = 16

_SMALLEST_FONT = mujoco.mjtFontScale.mjFONTSCALE_50.value


class RenderingError(WorldModelError):
    """An image cannot be made; the message says what is missing or wrong."""


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
        library = importlib.import_module(f'mujoco.{driver.value}')
        if driver is Driver.EGL:
            # Of a context that was lost; MuJoCo would use it again.
            library.EGL_DISPLAY = None
        context: Context = library.GLContext(UNUSED_SIZE, UNUSED_SIZE)
        context.make_current()
    except Exception as error:
        raise RenderingError(f'{driver.value}: {error}; install {PACKAGES}') from error
    return context


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
