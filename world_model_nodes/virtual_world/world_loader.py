# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Loading of worlds and of models of entities, by parameters and for services."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from world_model_core.errors import ConfigurationError
from world_model_core.files.file_findings import FileFindings
from world_model_core.findings import FindingsError
from world_model_core.virtual_world.asset_folders import AssetFolders
from world_model_core.virtual_world.finding_catalog import world_findings
from world_model_core.virtual_world.resource_errors import (
    NoResourceError,
    UnknownResourceError,
    check_findings,
    resource_error,
)
from world_model_core.virtual_world.worlds.loading import WorldSources, load_entity, load_world
from world_model_core.virtual_world.worlds.model_limits import ModelLimits
from world_model_nodes.virtual_world import standard_messages as standard
from world_model_nodes.virtual_world.convert_simulation import set_spawnable_uri
from world_model_nodes.virtual_world.finding_log import log_findings
from world_model_nodes.virtual_world.installed_packages import installed_packages
from world_model_nodes.virtual_world.model_check import ModelChecker
from world_model_nodes.virtual_world.our_worlds import (
    HOUSE,
    KITCHEN,
    kitchen_folder,
    load_ours,
)
from world_model_nodes.virtual_world.world_catalog import find_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rclpy.node import Node

    from world_model_core.virtual_world.values import Entity, World
    from world_model_nodes.virtual_world.virtual_world_config import VirtualWorldConfig


@dataclass(frozen=True, slots=True)
class LoadedWorld:
    """
    A world, and where it came from.

    Attributes
    ----------
    world : World
    uri : str
        Empty: a text.
    tags : tuple of str
    folder : Path, optional
        In which its files lie, also its controllers; None: it came as a text.

    """

    world: World
    uri: str
    tags: tuple[str, ...] = ()
    folder: Path | None = None

    def message(self) -> Any:
        """Return name and source."""
        return _world_message(self.world.name, self.uri, self.tags)


class WorldLoader:
    """
    Loads worlds and entities; what services name must lie in the folders of the parameters.

    Parameters
    ----------
    node : Node
    config : VirtualWorldConfig

    Attributes
    ----------
    current : LoadedWorld, optional
        The world that is used.

    Raises
    ------
    ConfigurationError
        A folder of `assets` does not exist.

    """

    def __init__(self, node: Node, config: VirtualWorldConfig) -> None:
        self._node, self._config = node, config
        self._folders = _asset_folders(config)
        self._checker = ModelChecker()
        self.current: LoadedWorld | None = None

    def load_configured(self) -> LoadedWorld:
        """
        Load the world of the parameters.

        Raises
        ------
        ConfigurationError
            Its file does not exist.
        WorldFileError
            It cannot be used.

        """
        name = self._config.world or KITCHEN
        if name in {HOUSE, KITCHEN}:
            return self._load_ours(name)
        path = Path(name).expanduser().absolute()
        if not path.is_file():
            raise ConfigurationError(f'world is {name!r}; it must be a file, {HOUSE} or {KITCHEN}')
        # Services may name what lies next to the world of the parameters.
        self._folders = tuple(dict.fromkeys((path.parent, *self._folders)))
        world, findings = load_world(path, self._sources)
        log_findings(self._node, findings)
        return LoadedWorld(world, path.as_uri(), folder=path.parent)

    def load_resource(
        self, uri: str, text: str, *, is_strict: bool, ignores_assets: bool
    ) -> LoadedWorld:
        """
        Load a world that a service names, or whose text it has.

        Parameters
        ----------
        uri : str
            A file in the folders of worlds and assets, `house` or `kitchen`.
        text : str
            Used if the URI is empty.
        is_strict : bool
            Whether elements that are not supported are an error.
        ignores_assets : bool
            Whether files that are missing or not supported are none.

        Raises
        ------
        ResourceError
            The world cannot be used.

        """
        if uri in {HOUSE, KITCHEN}:
            return self._load_ours(uri)
        source = self._source(uri, text)
        try:
            world, findings = load_world(source, self._sources)
        except FindingsError as error:
            raise resource_error(error) from error
        check_findings(findings, is_strict=is_strict, ignores_assets=ignores_assets)
        self._try(world.entities)
        log_findings(self._node, findings)
        if isinstance(source, str):
            return LoadedWorld(world, '')
        return LoadedWorld(world, source.as_uri(), folder=source.parent)

    def load_entity(self, uri: str, text: str, name: str) -> Entity:
        """
        Load an entity that a service names, or whose text it has.

        Parameters
        ----------
        uri : str
            A file in the folders of worlds and assets.
        text : str
            Used if the URI is empty.
        name : str
            Of the entity; empty: that of the file.

        Raises
        ------
        ResourceError
            It cannot be used.

        """
        try:
            entity, findings = load_entity(self._source(uri, text), name, self._sources)
        except FindingsError as error:
            raise resource_error(error) from error
        check_findings(findings, is_strict=False, ignores_assets=False)
        self._try((entity,))
        log_findings(self._node, findings)
        return entity

    def spawnables(self) -> list[Any]:
        """Return the models in the folders of worlds and assets."""
        found = []
        for file in find_files(self._folders):
            if file.is_model:
                spawnable = standard.msg.Spawnable(
                    description=f'{file.path.stem} ({file.format.value})'
                )
                set_spawnable_uri(spawnable, file.uri)
                found.append(spawnable)
        return found

    def worlds(self) -> list[Any]:
        """Return the worlds in the folders of worlds and assets, and our own."""
        ours = [_world_message(name, name, (name,)) for name in (HOUSE, KITCHEN)]
        files = [each for each in find_files(self._folders) if each.is_world]
        return ours + [
            _world_message(each.path.stem, each.uri, (each.format.value,)) for each in files
        ]

    def close(self) -> None:
        """End the process in which models are tried."""
        self._checker.close()

    def _try(self, entities: Iterable[Entity]) -> None:
        """Try models in another process: some end the process that compiles them."""
        try:
            self._checker.check(entities)
        except FindingsError as error:
            raise resource_error(error) from error

    def _load_ours(self, name: str) -> LoadedWorld:
        world = load_ours(name, self._config.seed, self._sources)
        return LoadedWorld(world, name, (name,), kitchen_folder())

    @property
    def _sources(self) -> WorldSources:
        config = self._config
        limits = ModelLimits(config.max_bodies, config.max_triangles, config.max_shape_triangles)
        return WorldSources(
            self._folders,
            installed_packages(),
            limits,
            config.length_unit,
            config.gravity.value,
            config.seed,
        )

    def _source(self, uri: str, text: str) -> Path | str:
        """Return the file of a URI inside of our folders, or the text."""
        if not uri:
            if not text:
                raise NoResourceError('uri and resource_string are empty; one must be given')
            return text
        findings = world_findings()
        path = AssetFolders(None, self._folders, self._sources.packages).find(
            uri, FileFindings('uri', findings)
        )
        if path is None:
            raise UnknownResourceError(str(FindingsError(tuple(findings.all))))
        return path


def _asset_folders(config: VirtualWorldConfig) -> tuple[Path, ...]:
    folders = tuple(Path(each).expanduser() for each in config.assets.split(':') if each)
    for folder in folders:
        if not folder.is_dir():
            raise ConfigurationError(
                f'assets has {str(folder)!r}; each must be a folder, with ":" between them'
            )
    return tuple(folder.resolve() for folder in folders)


def _world_message(name: str, uri: str, tags: Sequence[str]) -> Any:
    messages = standard.msg
    return messages.WorldResource(
        name=name, world_resource=messages.Resource(uri=uri), tags=list(tags)
    )
