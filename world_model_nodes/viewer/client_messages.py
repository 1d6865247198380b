# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Checks of the messages that a page sends."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from viser import _messages as messages

# Largest message and largest upload [bytes].
LARGEST = 10_000_000
# Pages send files in parts of 512 KiB.
MOST_PARTS = 64

# All that viser's pages send, but for forms, which the window does not use.
_ACCEPTED: dict[str, type[messages.Message]] = {
    each.__name__: each
    for each in (
        messages.CommandTriggerMessage,
        messages.FileTransferPart,
        messages.FileTransferStartUpload,
        messages.GetRenderResponseMessage,
        messages.GuiButtonHoldMessage,
        messages.GuiUpdateMessage,
        messages.LocalStorageGetItemResponseMessage,
        messages.SceneNodeClickMessage,
        messages.SceneNodeDragMessage,
        messages.ScenePointerMessage,
        messages.TransformControlsDragEndMessage,
        messages.TransformControlsDragStartMessage,
        messages.TransformControlsUpdateMessage,
        messages.ViewerCameraMessage,
    )
}
# Sent by a button of viser's page; they are for a public tunnel, which is never opened.
_IGNORED = frozenset(('ShareUrlRequest', 'ShareUrlDisconnect'))


class BadMessageError(Exception):
    """
    A client sent what no page sends: it is disconnected.

    Attributes
    ----------
    cause : str
        Counted.
    code : int
        Close code of the WebSocket, https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1

    """

    def __init__(self, cause: str, code: int) -> None:
        super().__init__(cause)
        self.cause, self.code = cause, code


class ClientMessages:
    """Checks the messages of one client: their types, and the sizes of its uploads."""

    def __init__(self) -> None:
        self._missing: dict[str, int] = {}

    def ignored(self, raw: object) -> str:
        """
        Check a message.

        Returns
        -------
        str
            Why the message is to be ignored; empty if it is to be handled.

        Raises
        ------
        BadMessageError
            It cannot be decoded, is not one that pages send, or uploads too much.

        """
        fields = _decode(raw)
        name = fields.get('type')
        if name in _IGNORED:
            return 'share'
        if name not in _ACCEPTED:
            raise BadMessageError('message type', 1008)
        try:
            message = msgspec.convert(fields, _ACCEPTED[name])
        except (msgspec.ValidationError, RecursionError) as error:
            raise BadMessageError('message fields', 1007) from error
        return self._ignored(message)

    def _ignored(self, message: messages.Message) -> str:
        match message:
            case messages.GuiUpdateMessage(updates=updates):
                # viser would set any attribute of the element.
                if set(updates) != {'value'}:
                    raise BadMessageError('message fields', 1007)
            case messages.FileTransferStartUpload():
                self._start_upload(message)
            case messages.FileTransferPart():
                self._add_part(message)
            case messages.ViewerCameraMessage() if not _is_finite(message):
                return 'camera'
        return ''

    def _start_upload(self, start: messages.FileTransferStartUpload) -> None:
        others = sum(self._missing.values())
        if (
            not 0 <= start.size_bytes <= LARGEST - others
            or not 0 <= start.part_count <= MOST_PARTS
        ):
            raise BadMessageError('upload size', 1009)
        if start.size_bytes:
            self._missing[start.transfer_uuid] = start.size_bytes

    def _add_part(self, part: messages.FileTransferPart) -> None:
        missing = self._missing.pop(part.transfer_uuid, 0) - len(part.content)
        if missing < 0:
            raise BadMessageError('upload size', 1009)
        if missing:
            self._missing[part.transfer_uuid] = missing


def _decode(raw: object) -> dict[str, Any]:
    if not isinstance(raw, bytes):
        raise BadMessageError('message encoding', 1003)
    try:
        fields = msgspec.msgpack.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadMessageError('message encoding', 1007) from error
    if not isinstance(fields, dict) or not isinstance(fields.get('type'), str):
        raise BadMessageError('message encoding', 1007)
    return fields


def _is_finite(camera: messages.ViewerCameraMessage) -> bool:
    numbers = (
        *camera.wxyz, *camera.position, *camera.look_at, *camera.up_direction,
        camera.fov, camera.near, camera.far,
    )  # fmt: skip
    return all(map(math.isfinite, numbers))
