# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Cameras of SIGVerse's entities.

World files place them by `camera` elements. Agents without any see with one camera, from the
attributes of the view (vpx ... aspectRatio); elnk1 and elnk2 attach others to parts. Directions
are in the axes of the part: 0 0 1 is forward.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world_model_core.frames import FrameError
from world_model_core.virtual_world.shapes.body_xml import ROOT
from world_model_core.virtual_world.shapes.file_axes import (
    orientation_along,
    orientation_from_wxyz,
    point_from_file,
)
from world_model_core.virtual_world.values import Camera, Pose
from world_model_core.virtual_world.worlds.sigverse_attributes import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from world_model_core.virtual_world.values import Attribute, Part, Quaternion
    from world_model_core.virtual_world.worlds.sigverse_classes import WorldFiles
    from world_model_core.virtual_world.worlds.sigverse_documents import (
        CameraDocument,
        WrittenAt,
    )

__all__ = ['CameraReader']

NO_CAMERA = 'NoCam'
IDS = range(1, 10)
FOV, ASPECT_RATIO = 45.0, 1.5  # [deg], width per height
ASPECT_RATIOS = (0.01, 100.0)
FORWARD = (0.0, 0.0, 1.0)
HALF_TURN = 180.0  # [deg]
# Larger numbers, in units of the file, are rejected.
LARGEST = 1e7


@dataclass(frozen=True, slots=True)
class CameraReader:
    """
    Reads the cameras of an entity.

    Attributes
    ----------
    files : WorldFiles
        Receives findings.
    unit : float
        Length of the files' unit [m].
    parts : sequence of Part
        Parts of the entity.

    """

    files: WorldFiles
    unit: float
    parts: Sequence[Part]

    def read(
        self,
        documents: Sequence[CameraDocument],
        attributes: Mapping[str, Attribute],
        at: WrittenAt,
    ) -> tuple[Camera, ...]:
        """
        Return the cameras by ascending numbers.

        Parameters
        ----------
        documents : sequence of CameraDocument
        attributes : mapping of str to Attribute
            Of the entity.
        at : WrittenAt
            Place of the entity.

        """
        cameras = {each.id: each for each in self._attached(attributes, at)}
        if attributes['agent'].value is True and not documents and 1 not in cameras:
            cameras[1] = self._view(attributes, at)
        cameras |= {each.id: each for each in self._placed(documents)}
        return tuple(cameras[number] for number in sorted(cameras))

    def _placed(self, documents: Sequence[CameraDocument]) -> Iterator[Camera]:
        """Read the cameras that the world file places."""
        for document in documents:
            number = number_of(document.values.get('id', ''))
            if number not in IDS:
                self._report('Sigverse.BadCameraId', document.at, found=document.values.get('id'))
                continue
            yield self._camera(
                int(number or 0),
                document.values.get('link', ROOT),
                Pose(
                    point_from_file(self._list(document, 'position', (0.0, 0.0, 0.0)), self.unit),
                    self._orientation(document),
                ),
                (
                    self._list(document, 'fov', (FOV,))[0],
                    self._list(document, 'aspectRatio', (ASPECT_RATIO,))[0],
                ),
                document.at,
            )

    def _orientation(self, document: CameraDocument) -> Quaternion:
        direction = self._list(document, 'direction', FORWARD)
        if 'quaternion' not in document.values:
            return self._looking_along(direction, document.at)
        if 'direction' in document.values:
            self._report('Sigverse.CameraTwice', document.at)
        try:
            return orientation_from_wxyz(self._list(document, 'quaternion', (1.0, 0.0, 0.0, 0.0)))
        except FrameError:
            self._report('Sigverse.ZeroQuaternion', document.at)
            return (0.0, 0.0, 0.0, 1.0)

    def _list(
        self, document: CameraDocument, name: str, default: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Read numbers, as many as there are in the default."""
        text = document.values.get(name)
        if text is None:
            return default
        numbers = [number_of(word) for word in text.split()]
        known = tuple(each for each in numbers if each is not None and abs(each) <= LARGEST)
        if len(known) == len(numbers) == len(default):
            return known
        self._report('Sigverse.WrongCount', document.at, found=text, name=name, count=len(default))
        return default

    def _attached(self, attributes: Mapping[str, Attribute], at: WrittenAt) -> Iterator[Camera]:
        """Read the two cameras that attributes attach to parts."""
        for number in (1, 2):
            link = attributes.get(f'elnk{number}')
            if link is not None and isinstance(link.value, str) and link.value != NO_CAMERA:
                names = [f'{stem}{axis}{number}' for stem in ('ep', 'ev') for axis in 'xyz']
                yield self._from_attributes(number, link.value, names, attributes, at)

    def _view(self, attributes: Mapping[str, Attribute], at: WrittenAt) -> Camera:
        """Read the view of an agent."""
        names = [f'{stem}{axis}' for stem in ('vp', 'vv') for axis in 'xyz']
        return self._from_attributes(1, ROOT, names, attributes, at)

    def _from_attributes(
        self,
        number: int,
        link: str,
        names: Sequence[str],
        attributes: Mapping[str, Attribute],
        at: WrittenAt,
    ) -> Camera:
        """Make a camera of the attributes of its point and direction."""
        x, y, z, *direction = (_number(attributes, name, 0.0) for name in names)
        pose = Pose(point_from_file((x, y, z), self.unit), self._looking_along(direction, at))
        fov = _number(attributes, 'FOV', FOV)
        ratio = _number(attributes, 'aspectRatio', ASPECT_RATIO)
        return self._camera(number, link, pose, (fov, ratio), at)

    def _camera(
        self, number: int, link: str, pose: Pose, optics: tuple[float, float], at: WrittenAt
    ) -> Camera:
        """Return a camera with checked field of view [deg], aspect ratio and part."""
        fov, aspect_ratio = optics
        names = [part.name for part in self.parts]
        if link not in {ROOT, '', *names}:
            self._report('Sigverse.UnknownPart', at, found=link)
            link = ROOT
        if not 0.0 < fov < HALF_TURN:
            self._report('Sigverse.OutOfRange', at, found=fov, name='FOV', limits='0 to 180')
            fov = FOV
        low, high = ASPECT_RATIOS
        if not low <= aspect_ratio <= high:
            limits = f'{low} to {high}'
            self._report(
                'Sigverse.OutOfRange', at, found=aspect_ratio, name='aspectRatio', limits=limits
            )
            aspect_ratio = ASPECT_RATIO
        is_root = link == '' or link == names[0] if names else True
        return Camera(number, '' if is_root else link, pose, math.radians(fov), aspect_ratio)

    def _looking_along(self, direction: Sequence[float], at: WrittenAt) -> Quaternion:
        """Return the orientation of a camera that looks along a direction, without roll."""
        try:
            return orientation_along(direction)
        except FrameError:
            self._report('Sigverse.BadDirection', at, found=list(direction))
            return (0.0, 0.0, 0.0, 1.0)

    def _report(self, code: str, at: WrittenAt, **values: object) -> None:
        self.files.notes(at.file).add(code, at.where, **values)


def _number(attributes: Mapping[str, Attribute], name: str, default: float) -> float:
    """Return the number of an attribute, or the default if it is none or too large."""
    found = attributes.get(name)
    value = default if found is None else found.value
    is_usable = isinstance(value, float) and abs(value) <= LARGEST
    return float(value) if is_usable else default
