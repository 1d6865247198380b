# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Part of the panels: sends the page that asks for it what it shows, as a PNG file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.bundle.rendering.png import png

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from world_model_core.view.words import Words
    from world_model_nodes.viewer.panels import Shown
    from world_model_nodes.viewer.window import Window

FILE_NAME = 'world_model.png'
# Time limit for the page to draw its picture [s], and limit of its sides [pixels].
LIMIT, LARGEST = 30.0, 4096


class PictureButton:
    """
    A button that sends a picture.

    Parameters
    ----------
    window : Window
    words : Words

    """

    def __init__(self, window: Window, words: Words) -> None:
        self._failure = words['no_picture']
        button = window.server.gui.add_button(words['save_picture'])
        button.on_click(lambda event: self._send(event.client))

    def update(self, _: Shown) -> None:
        """Do nothing: the button stays as it is."""

    def _send(self, client: Any) -> None:
        """Send a picture to a client; is called in a thread of viser, where it may wait."""
        camera = client.camera
        height, width = (min(side, LARGEST) for side in (camera.image_height, camera.image_width))
        try:
            picture = client.get_render(height, width, transport_format='png', timeout=LIMIT)
        except TimeoutError:
            client.add_notification(self._failure, '')
        except RuntimeError:
            pass  # the page was closed
        else:
            client.send_file_download(FILE_NAME, png(on_white(picture)), save_immediately=True)


def on_white(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """
    Lay a transparent picture on white.

    Parameters
    ----------
    picture : array of uint8, shape (height, width, 4)
        RGBA.

    Returns
    -------
    array of uint8, shape (height, width, 3)

    """
    opacity = picture[:, :, 3:].astype(np.uint16)
    color = picture[:, :, :3] * opacity + 255 * (255 - opacity)
    return ((color + 127) // 255).astype(np.uint8)
