# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Incumbents as JSON text, through which a process that starts again learns them."""

from __future__ import annotations

import json
from ipaddress import AddressValueError, IPv4Address
from typing import Any

from world_model_core.errors import WorldModelError
from world_model_core.files.json_reader import strict_json
from world_model_core.match.datagrams import SenderAddress
from world_model_core.match.senders.incumbents import (
    ANY_PORT,
    MOST_OFFICES,
    Identity,
    Incumbents,
    Office,
    Role,
)

__all__ = ['LARGEST', 'IncumbentRecordError', 'incumbents_text', 'read_incumbents']

# Of a text [characters]: 128 offices, whose senders name themselves in at most 200 each.
LARGEST = 65_536
LONGEST_NAME = 200


class IncumbentRecordError(WorldModelError):
    """A text does not record incumbents; the message names the field and the value."""


def incumbents_text(incumbents: Incumbents) -> str:
    """Return incumbents as text, without ports: a program that restarts has another one."""
    records = [
        {
            'role': office.role.value,
            'camera_id': office.camera_id,
            'address': identity.sender.address,
            'name': identity.name,
        }
        for office, identity in incumbents
        if len(identity.name) <= LONGEST_NAME
    ]
    return json.dumps({'incumbents': records}, indent=1)


def read_incumbents(text: str, name: str) -> Incumbents:
    """
    Return the incumbents of a text.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for messages.

    Raises
    ------
    IncumbentRecordError, JsonError
        The text does not record incumbents.

    """
    document = strict_json(text, name, LARGEST)
    records = document.get('incumbents') if isinstance(document, dict) else None
    if not isinstance(records, list) or len(records) > MOST_OFFICES:
        raise IncumbentRecordError(
            f'{name}: incumbents must be a list of at most {MOST_OFFICES} records'
        )
    return Incumbents(dict(_record(each, f'{name}, record {i}') for i, each in enumerate(records)))


def _record(record: Any, where: str) -> tuple[Office, Identity]:
    if not isinstance(record, dict):
        raise IncumbentRecordError(f'{where}: {str(record)[:80]!r} must be an object')
    role, camera = record.get('role'), record.get('camera_id')
    address, name = record.get('address'), record.get('name')
    if role not in [each.value for each in Role]:
        raise IncumbentRecordError(f'{where}: role {str(role)[:80]!r} is unknown')
    if camera is not None and (isinstance(camera, bool) or not isinstance(camera, int)):
        raise IncumbentRecordError(f'{where}: camera_id {str(camera)[:80]!r} must be an integer')
    if not (isinstance(name, str) and len(name) <= LONGEST_NAME):
        raise IncumbentRecordError(
            f'{where}: name must be a text of at most {LONGEST_NAME} characters'
        )
    try:
        sender = SenderAddress(str(IPv4Address(str(address))), ANY_PORT)
    except AddressValueError:
        raise IncumbentRecordError(
            f'{where}: address {str(address)[:80]!r} must be an IPv4 address'
        ) from None
    return Office(Role(role), camera), Identity(sender, name)
