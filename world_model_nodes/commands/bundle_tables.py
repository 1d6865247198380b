# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of the contents of a World Bundle for a terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich.table import Table

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


def printable(text: str) -> str:
    """Replace control characters of files, which would control the terminal."""
    return ''.join(each if each.isprintable() else '\N{REPLACEMENT CHARACTER}' for each in text)


def _metadata(told: dict[str, Any]) -> str:
    made = [told['created_at'], told['builder_version']]
    source = told['source'] or {}
    text = f'{" by ".join(filter(None, made)) or "-"}, source: {source.get("type") or "-"}'
    origin = told['origin']
    if origin is None:
        return text
    place = f'{origin["latitude"]:.6f}, {origin["longitude"]:.6f}, {origin["altitude"]:g} m'
    return f'{text}, at {place}'


def _splats(told: dict[str, Any]) -> str:
    how = (
        f'{name} {each["value"]} ({each["known"]})' for name, each in told['conventions'].items()
    )
    count = f'{told["count"]} gaussians of degree {told["sh_degree"]}'
    return f'{count}, {told["format"]}; {", ".join(how)}'


def _heightmap(told: dict[str, Any]) -> str:
    nodes = f'{told["width"]} x {told["height"]} nodes every {told["resolution"]:g} m'
    low, high = (corner[2] for corner in (told['lowest'], told['highest']))
    reach = '' if low is None or high is None else f', {low:.2f} to {high:.2f} m high'
    return f'{nodes}{reach}, {100 * told["known"]:.3g} % known'


def _drivable(told: dict[str, Any]) -> str:
    limits = ', '.join(f'{KMH * limit:.3g}' for limit in told['speed_limits'])
    text = f'{told["area"]:.0f} m2 in {told["polygons"]} polygons'
    return f'{text}, {limits} km/h' if limits else text


def _mesh(told: dict[str, Any]) -> str:
    return f'{told["triangles"]} triangles, {told["vertices"]} vertices'


def _timebase(told: dict[str, Any]) -> str:
    rates = (f'{name} {rate:g} Hz' for name, rate in told['sensor_rates'].items())
    steps = f'steps of {told["dt"]:g} s from {told["start_time"]:g} s'
    return ', '.join((steps, *rates))


def _extent(told: dict[str, Any]) -> str:
    sides = (high - low for low, high in zip(told['lowest'], told['highest'], strict=True))
    return f'{" x ".join(f"{side:g}" for side in sides)} m'


def _files(told: dict[str, int]) -> str:
    return f'{len(told)}, {sum(told.values()) / 1e6:.3g} MB'


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
