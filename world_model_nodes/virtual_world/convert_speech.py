# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Conversion of what agents say and hear to standard messages and back.

No package of ROS 2's distributions has a message of audio. A sound is a UInt8MultiArray of bytes,
whose layout has the dimensions `samples`, `channels` and `width`, the bytes of a sample, and under
the label `rate` the samples in a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from std_msgs.msg import MultiArrayDimension, String, UInt8MultiArray

from world_model_core.documents import parse, write
from world_model_core.errors import MalformedPacketError
from world_model_core.virtual_world.agents.events import Sound
from world_model_core.virtual_world.agents.messages import OutgoingMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

# Bytes of a sample of 16 bits.
WIDTH = 2


def text_message(text: str) -> String:
    """Convert a text; what UTF-8 cannot have becomes a question mark."""
    return String(data=text.encode(errors='replace').decode())


def message_document(sender: str, to: str, strings: Sequence[str]) -> String:
    """Convert a message."""
    return text_message(write({'sender': sender, 'to': to, 'strings': list(strings)}))


def message_of(message: String, sender: str, to: str = '') -> OutgoingMessage:
    """
    Convert a document to a message of a sender.

    Parameters
    ----------
    message : String
    sender : str
        Name of the entity; empty: somebody outside of the world.
    to : str
        Name of the entity that gets it; empty: whom the document names.

    Raises
    ------
    DocumentError
        It is not JSON, or does not follow its schema.

    """
    document = parse(message.data, 'agent_message')
    return OutgoingMessage(sender, to or document.get('to', ''), tuple(document['strings']))


def sound_message(sound: Sound) -> UInt8MultiArray:
    """Convert a sound."""
    message = UInt8MultiArray(data=sound.samples)
    count = len(sound.samples) // (WIDTH * sound.channels)
    message.layout.dim = [
        MultiArrayDimension(label='samples', size=count, stride=len(sound.samples)),
        MultiArrayDimension(label='channels', size=sound.channels, stride=WIDTH * sound.channels),
        MultiArrayDimension(label='width', size=WIDTH, stride=WIDTH),
        MultiArrayDimension(label='rate', size=sound.rate),
    ]
    return message


def sound_of(message: UInt8MultiArray) -> Sound:
    """
    Convert a sound; without a layout it has one channel and 16,000 samples of 16 bits a second.

    Raises
    ------
    MalformedPacketError
        The samples have another width.

    """
    sizes = {each.label: int(each.size) for each in message.layout.dim}
    width = sizes.get('width', WIDTH)
    if width != WIDTH:
        raise MalformedPacketError(f'width of samples is {width} bytes; it must be {WIDTH}')
    samples = bytes(message.data[message.layout.data_offset :])
    given = {name: sizes[name] for name in ('rate', 'channels') if name in sizes}
    return Sound(samples, **given)
