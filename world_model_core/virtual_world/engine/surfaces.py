# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""How shapes look: meshes, materials and pictures of a model, each added once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from world_model_core.virtual_world.engine.masses import thickened
from world_model_core.virtual_world.pictures import picture_pixels
from world_model_core.virtual_world.values import TriangleMesh

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from world_model_core.virtual_world.values import Material, Shape

__all__ = ['SUN_NAME', 'Surfaces', 'add_light']

# MuJoCo needs this many vertices.
FEWEST_VERTICES = 4
# Larger pictures are made smaller: images show no more of them [pixels].
LONGEST_SIDE = 1024
# Light from everywhere, from the camera, and from the sun, which stands high on one side; together
# about 1 on a surface that faces the camera.
AMBIENT, HEADLIGHT, SUN = 0.45, 0.3, 0.35
SUN_NAME, SUN_DIRECTION = 'sun', (0.35, 0.45, -0.82)
SKY, HORIZON = (0.55, 0.7, 0.9), (0.9, 0.93, 0.96)
SKY_SIZE = 64  # [pixels]
# Between colors of triangles, of 255.
COLOR_STEP = 16
_RGB = int(mujoco.mjtTextureRole.mjTEXROLE_RGB)
_OTHER_SIDE = [0, 2, 1]  # corners of a triangle as seen from behind


class Surfaces:
    """
    Meshes, materials and pictures of a specification.

    Parameters
    ----------
    spec : mujoco.MjSpec
    looks : bool
        Whether shapes look as they should: False for a model that nobody sees.

    """

    def __init__(self, spec: Any, *, looks: bool) -> None:
        self._spec, self._looks = spec, looks
        self._materials: dict[Hashable, str] = {}
        self._pictures: dict[bytes, str] = {}
        self._added = 0

    def mesh(self, mesh: TriangleMesh, *, collides: bool, seen: bool) -> str:
        """Add a mesh, unless an equal one is there, and return its name."""
        seen = seen and self._looks
        vertices = mesh.vertices
        name = f'mesh {mesh.look_digest if seen else mesh.digest}'
        if collides and (thick := thickened(vertices)) is not vertices:
            vertices, name = thick, f'{name} thick'
        if self._spec.mesh(name) is None:
            padding = max(0, FEWEST_VERTICES - len(vertices))
            vertices = np.concatenate([vertices, np.repeat(vertices[-1:], padding, axis=0)])
            arrays = _looks_of(mesh) if seen else {'userface': mesh.triangles}
            self._spec.add_mesh(
                name=name,
                uservert=vertices.ravel().tolist(),
                # Masses are computed here; by volume MuJoCo refuses flat meshes.
                inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
                **{key: array.ravel().tolist() for key, array in arrays.items()},
            )
        return name

    def material(self, shape: Shape) -> str:
        """Add the material of a shape, unless an equal one is there, and return its name."""
        material, palette = shape.material, _palette_of(shape)
        key = (material, None if palette is None else palette.tobytes())
        if key not in self._materials:
            self._materials[key] = self._add_material(material, palette)
        return self._materials[key]

    def prune(self) -> None:
        """Delete the meshes, materials and pictures that no shape has."""
        spec = self._spec
        geoms = [*spec.geoms]
        _delete_others(spec, spec.meshes, {geom.meshname for geom in geoms})
        unused = {*self._materials.values()} - {geom.material for geom in geoms}
        for key in [key for key, name in self._materials.items() if name in unused]:
            spec.delete(spec.material(self._materials.pop(key)))
        used = {material.textures[_RGB] for material in spec.materials}
        for data in [data for data, name in self._pictures.items() if name not in used]:
            spec.delete(spec.texture(self._pictures.pop(data)))

    def _add_material(self, material: Material, palette: NDArray[np.uint8] | None) -> str:
        self._added += 1
        name = f'material {self._added}'
        color, emission = _emission(material)
        added = self._spec.add_material(
            name=name,
            rgba=color if palette is None else (1.0, 1.0, 1.0, color[3]),
            emission=emission,
            specular=float(np.mean(material.specular)),
            shininess=material.shininess,
        )
        if self._looks and (picture := self._picture(material, palette)):
            added.textures[_RGB] = picture
        return name

    def _picture(self, material: Material, palette: NDArray[np.uint8] | None) -> str:
        """Add the picture of a material and return its name; empty if it has none."""
        texture = material.texture
        if texture is not None:
            data, pixels = texture.data, None
        elif palette is not None:
            data, pixels = palette.tobytes(), palette
        else:
            return ''
        if data not in self._pictures:
            pixels = picture_pixels(data, LONGEST_SIDE) if pixels is None else pixels
            if pixels is None:
                return ''
            self._pictures[data] = self._add_picture(pixels)
        return self._pictures[data]

    def _add_picture(self, pixels: NDArray[np.uint8]) -> str:
        self._added += 1
        name = f'picture {self._added}'
        picture = self._spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D)
        picture.height, picture.width, picture.nchannel = pixels.shape
        # The lowest row first, where texture coordinates begin.
        picture.data = pixels[::-1].tobytes()
        return name


def add_light(spec: Any) -> None:
    """Add light and sky."""
    headlight = spec.visual.headlight
    headlight.ambient, headlight.diffuse = [AMBIENT] * 3, [HEADLIGHT] * 3
    headlight.specular = [0.1] * 3
    spec.worldbody.add_light(
        name=SUN_NAME,
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        dir=SUN_DIRECTION,
        diffuse=[SUN] * 3,
        specular=[0.1] * 3,
        castshadow=True,
    )
    spec.add_texture(
        name='sky',
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=HORIZON,
        rgb2=SKY,
        width=SKY_SIZE,
        height=6 * SKY_SIZE,
    )


def _delete_others(spec: Any, elements: Any, used: set[str]) -> None:
    for element in elements:
        if element.name not in used:
            spec.delete(element)


def _emission(material: Material) -> tuple[tuple[float, float, float, float], float]:
    """Return color and emission for MuJoCo, whose surfaces emit their own color."""
    color, emission = np.array(material.color[:3]), np.array(material.emission)
    squared = float(color @ color)
    if squared:
        return material.color, float(np.clip(color @ emission / squared, 0.0, 1.0))
    red, green, blue = material.emission
    return (red, green, blue, material.color[3]), float(emission.any())


def _looks_of(mesh: TriangleMesh) -> dict[str, NDArray[Any]]:
    """Return triangles, normals and texture coordinates of a mesh for MuJoCo."""
    triangles, count = mesh.triangles, len(mesh.triangles)
    corners = np.arange(3 * count, dtype=np.int32).reshape(-1, 3)
    normals = mesh.normals
    if normals is None:
        edges = np.diff(mesh.vertices[triangles], axis=1)
        normals = np.repeat(np.cross(edges[:, 0], edges[:, 1])[:, None], 3, axis=1)
    places = mesh.texture_coordinates
    if places is None and mesh.colors is not None:
        palette, indices = _palette(mesh.colors)
        middles = (indices + 0.5) / palette.shape[1]
        places = np.repeat(np.stack((middles, np.full(count, 0.5)), axis=1)[:, None], 3, axis=1)
    looks: dict[str, NDArray[Any]] = {
        'userface': triangles,
        'usernormal': normals,
        'userfacenormal': corners,
    }
    if places is not None:
        looks |= {'usertexcoord': places, 'userfacetexcoord': corners}
    return _two_sided(looks) if mesh.two_sided else looks


def _two_sided(looks: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Add each triangle as seen from behind."""
    turned = {name: looks[name][:, _OTHER_SIDE] for name in looks if name.startswith('userface')}
    normals = looks['usernormal']
    turned['usernormal'] = -normals
    turned['userfacenormal'] += normals.size // 3
    return looks | {name: np.concatenate((looks[name], array)) for name, array in turned.items()}


def _palette_of(shape: Shape) -> NDArray[np.uint8] | None:
    """Return the colors of a mesh that has its own, unless a picture replaces them."""
    mesh = shape.geometry
    if not isinstance(mesh, TriangleMesh) or mesh.colors is None:
        return None
    return None if mesh.texture_coordinates is not None else _palette(mesh.colors)[0]


def _palette(colors: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """Return the mean colors of triangles as a picture of one row, and the place of each in it."""
    means = np.rint(255.0 * colors[:, :, :3].mean(axis=1)).astype(np.uint8)
    # At most 4,096 colors.
    means = means // COLOR_STEP * COLOR_STEP + COLOR_STEP // 2
    palette, indices = np.unique(means, axis=0, return_inverse=True)
    return palette[None], indices.ravel()
