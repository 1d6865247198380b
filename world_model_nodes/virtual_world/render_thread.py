# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The thread that makes images; it owns the contexts of the graphics driver."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from world_model_core.virtual_world.rendering.contexts import RenderingError
from world_model_core.virtual_world.rendering.renderer import Renderer
from world_model_nodes.virtual_world.graphics_driver import find_driver

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

# Each search for a driver starts processes [s].
RETRY_PERIOD = 60.0
Result = TypeVar('Result')


class RenderThread:
    """
    Makes images one after the other; the graphics driver is chosen when it starts.

    Attributes
    ----------
    failure : str
        Why there are no images; empty: nothing is known to be wrong.

    """

    def __init__(self) -> None:
        self.failure = ''
        self._renderer: Renderer | None = None
        self._tried = -RETRY_PERIOD
        self._executor = ThreadPoolExecutor(1, thread_name_prefix='images')

    @property
    def reopened(self) -> int:
        """How often the context of the driver was lost and opened again."""
        return 0 if self._renderer is None else self._renderer.reopened

    def submit(self, make: Callable[[Renderer], Result]) -> Future[Result]:
        """
        Make something in the thread.

        Its future has a RenderingError if there is no driver, or if the driver fails.
        """
        return self._executor.submit(self._make, make)

    def start(self) -> None:
        """Choose the driver, so that the first image does not wait for that."""
        self.submit(lambda _: None)

    def finish(self) -> None:
        """Wait for all that was submitted."""
        self._executor.submit(lambda: None).result()

    def close(self) -> None:
        """Finish, and free what the driver holds."""
        self._executor.submit(self._close_renderer)
        self._executor.shutdown()

    def _make(self, make: Callable[[Renderer], Result]) -> Result:
        try:
            made = make(self._ready_renderer())
        # Whoever waits for it receives the error; nobody waits for images on topics.
        except Exception as error:
            self.failure = str(error) or type(error).__name__
            raise
        self.failure = ''
        return made

    def _ready_renderer(self) -> Renderer:
        if self._renderer is None:
            if monotonic() < self._tried + RETRY_PERIOD:
                raise RenderingError(self.failure)
            self._tried = monotonic()
            self._renderer = Renderer(find_driver())
        return self._renderer

    def _close_renderer(self) -> None:
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None
