# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of the contents of a World Bundle for a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich.table import Table

from world_model_core.findings import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

KMH = 3.6  # [km/h] per [m/s]


def overview(document: dict[str, Any]) -> Table:
    """
    Make a table with a line for each part except the sensors.

    Parameters
    ----------
    document : dict
        Statistics of a validation, and values of world.yaml and metadata.json, without the parts
        that cannot be read.

    """
    title = f'{document.get("scene_id", "?")} (version {document["version"]})'
    table = Table(title=printable(title), title_justify='left', box=None, show_header=False)
    for name, express in LINES.items():
        if document.get(name) is not None:
            table.add_row(name.replace('_', ' '), printable(express(document[name])))
    return table


def sensors(document: dict[str, Any]) -> Iterator[Table]:
    """Make tables of the cameras and the LiDARs."""
    if document.get('cameras'):
        table = Table('camera', 'image', 'lens', 'rate', title_justify='left')
        for name, each in document['cameras'].items():
            size, lens = (
                f'{each["width"]} x {each["height"]}',
                f'{each["model"]}, {each["distortion"]}',
            )
            table.add_row(printable(name), size, lens, f'{each["rate"]:g} Hz')
        yield table
    if document.get('lidars'):
        table = Table('LiDAR', 'channels', 'vertical view', 'range', 'rate', title_justify='left')
        for name, each in document['lidars'].items():
            low, high = (f'{math.degrees(angle):.4g}' for angle in each['vertical_view'])
            reach = f'{each["largest_range"]:g} m'
            view = f'{low} to {high} deg'
            rate = f'{each["rate"]:g} Hz'
            table.add_row(printable(name), str(each['channels']), view, reach, rate)
        yield table


def _metadata(part: dict[str, Any]) -> str:
    made = [part['created_at'], part['builder_version']]
    source = part['source'] or {}
    text = f'{" by ".join(filter(None, made)) or "-"}, source: {source.get("type") or "-"}'
    origin = part['origin']
    if origin is None:
        return text
    place = f'{origin["latitude"]:.6f}, {origin["longitude"]:.6f}, {origin["altitude"]:g} m'
    return f'{text}, at {place}'


def _splats(part: dict[str, Any]) -> str:
    how = (
        f'{name} {each["value"]} ({each["known"]})' for name, each in part['conventions'].items()
    )
    count = f'{part["count"]} gaussians of degree {part["sh_degree"]}'
    return f'{count}, {part["format"]}; {", ".join(how)}'


def _heightmap(part: dict[str, Any]) -> str:
    nodes = f'{part["width"]} x {part["height"]} nodes every {part["resolution"]:g} m'
    low, high = (corner[2] for corner in (part['lowest'], part['highest']))
    reach = '' if low is None or high is None else f', {low:.2f} to {high:.2f} m high'
    return f'{nodes}{reach}, {100 * part["known"]:.3g} % known'


def _drivable(part: dict[str, Any]) -> str:
    limits = ', '.join(f'{KMH * limit:.3g}' for limit in part['speed_limits'])
    text = f'{part["area"]:.0f} m2 in {part["polygons"]} polygons'
    return f'{text}, {limits} km/h' if limits else text


def _mesh(part: dict[str, Any]) -> str:
    return f'{part["triangles"]} triangles, {part["vertices"]} vertices'


def _timebase(part: dict[str, Any]) -> str:
    rates = (f'{name} {rate:g} Hz' for name, rate in part['sensor_rates'].items())
    steps = f'steps of {part["dt"]:g} s from {part["start_time"]:g} s'
    return ', '.join((steps, *rates))


def _extent(part: dict[str, Any]) -> str:
    sides = (high - low for low, high in zip(part['lowest'], part['highest'], strict=True))
    return f'{" x ".join(f"{side:g}" for side in sides)} m'


def _files(part: dict[str, int]) -> str:
    return f'{len(part)}, {sum(part.values()) / 1e6:.3g} MB'


LINES = {
    'metadata': _metadata,
    'spatial_extent': _extent,
    'splats': _splats,
    'heightmap': _heightmap,
    'drivable': _drivable,
    'mesh': _mesh,
    'timebase': _timebase,
    'files': _files,
}
