# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Contents of packets that connect programs with the server, and of its name service."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    'AttachController',
    'AttachControllerResult',
    'AttachView',
    'AttachViewResult',
    'ConnectDataPort',
    'ConnectDataPortResult',
    'ControlSimulation',
    'GetShapeFiles',
    'GetShapeFilesResult',
    'LogMessage',
    'PingService',
    'PingServiceResult',
    'ProvideService',
    'ProvideServiceResult',
    'QueryService',
    'QueryServiceResult',
    'ServiceAddress',
    'ShapeFile',
]


@dataclass(frozen=True, slots=True)
class AttachController:
    """A controller that connects its command port: the name of its agent."""

    name: str


@dataclass(frozen=True, slots=True)
class ConnectDataPort:
    """A controller that connects its data port: the name of its agent."""

    name: str


@dataclass(frozen=True, slots=True)
class AttachView:
    """A viewer that connects: its name, and 1 if it asks for the world itself."""

    name: str
    polling: int


@dataclass(frozen=True, slots=True)
class ProvideService:
    """A service provider that connects: its name, services (ServiceFlag), host and port."""

    name: str
    services: int
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class AttachControllerResult:
    """Whether a controller was attached: a RequestResult, and why not."""

    result: int
    message: str


@dataclass(frozen=True, slots=True)
class ConnectDataPortResult:
    """Whether a data port was connected: a RequestResult, and why not."""

    result: int
    message: str


@dataclass(frozen=True, slots=True)
class ProvideServiceResult:
    """Whether a provider was accepted: a RequestResult, and why not."""

    result: int
    message: str


@dataclass(frozen=True, slots=True)
class ShapeFile:
    """A shape file of the world: its key "Class:Parts:state:value", and its name."""

    key: str
    file: str


@dataclass(frozen=True, slots=True)
class AttachViewResult:
    """Whether a viewer was attached: a RequestResult, why not, and if so the shape files."""

    result: int
    message: str
    files: tuple[ShapeFile, ...] | None = None


@dataclass(frozen=True, slots=True)
class GetShapeFiles:
    """A request for the shape files."""


@dataclass(frozen=True, slots=True)
class GetShapeFilesResult:
    """The shape files."""

    files: tuple[ShapeFile, ...]


@dataclass(frozen=True, slots=True)
class QueryService:
    """A request for a provider of services (ServiceFlag)."""

    services: int


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """Where a provider listens."""

    name: str
    services: int
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class QueryServiceResult:
    """Where a provider listens; None: there is none."""

    address: ServiceAddress | None


@dataclass(frozen=True, slots=True)
class PingService:
    """A question to a provider whether it is there, with its services (ServiceFlag)."""

    services: int


@dataclass(frozen=True, slots=True)
class PingServiceResult:
    """Whether a provider is there: 0 or 1."""

    active: int


@dataclass(frozen=True, slots=True)
class ControlSimulation:
    """What the simulation is to do (SimulationCommand)."""

    command: int


@dataclass(frozen=True, slots=True)
class LogMessage:
    """A message for the log: 0 an error, 1 of the system, 2 of a program, 3 to 5 for debugging."""

    level: int
    text: str
