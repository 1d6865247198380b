# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the generated sources of an interface package into the libraries that rclpy loads."""

import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from errors import CompilationError

# The packages that the generated ones depend on.
DEPENDENCIES = (
    'action_msgs',
    'builtin_interfaces',
    'geometry_msgs',
    'service_msgs',
    'std_msgs',
    'unique_identifier_msgs',
)
TYPESUPPORTS = ('c', 'fastrtps_c', 'introspection_c')


@dataclass(frozen=True)
class Library:
    """A shared library: its path, its sources, and the libraries that it is linked with."""

    target: Path
    sources: list[Path]
    links: list[str]


def compile_package(package: str, sources: Path, lib: Path, python: Path) -> None:
    """
    Compile every library of an interface package.

    Parameters
    ----------
    package
        Its name.
    sources
        The folder that `generation.generate` filled.
    lib
        Folder for the libraries.
    python
        Folder of the Python package, for its extension modules.

    Raises
    ------
    CompilationError
        If the compiler is missing or fails.

    """
    # Each stage links with the one before.
    stages = (
        [_generator_c(package, sources, lib)],
        [*_typesupports(package, sources, lib), _generator_py(package, sources, lib)],
        _extension_modules(package, sources, python),
    )
    flags = _flags(sources, lib)
    units = sources / 'units'
    units.mkdir()
    with ThreadPoolExecutor() as pool:
        for stage in stages:
            list(pool.map(lambda library: _compile(library, flags, units), stage))


def _generator_c(package: str, sources: Path, lib: Path) -> Library:
    return Library(
        lib / f'lib{package}__rosidl_generator_c.so',
        sorted((sources / 'rosidl_generator_c').rglob('*.c')),
        ['rosidl_runtime_c', 'rcutils', *_of_dependencies('rosidl_generator_c')],
    )


def _typesupports(package: str, sources: Path, lib: Path) -> list[Library]:
    runtime = {
        'c': [],
        'fastrtps_c': ['rosidl_typesupport_fastrtps_cpp', 'fastcdr', 'rmw'],
        'introspection_c': [],
    }
    return [
        Library(
            lib / f'lib{package}__rosidl_typesupport_{kind}.so',
            sorted((sources / f'rosidl_typesupport_{kind}').rglob('*.c*')),
            [
                f'{package}__rosidl_generator_c',
                f'rosidl_typesupport_{kind}',
                'rosidl_runtime_c',
                *runtime[kind],
                *_of_dependencies('rosidl_generator_c'),
                *_of_dependencies(f'rosidl_typesupport_{kind}'),
            ],
        )
        for kind in TYPESUPPORTS
    ]


def _generator_py(package: str, sources: Path, lib: Path) -> Library:
    return Library(
        lib / f'lib{package}__rosidl_generator_py.so',
        sorted((sources / 'rosidl_generator_py').rglob('*_s.c')),
        [
            f'{package}__rosidl_generator_c',
            *_of_dependencies('rosidl_generator_c'),
            *_of_dependencies('rosidl_generator_py'),
        ],
    )


def _extension_modules(package: str, sources: Path, python: Path) -> list[Library]:
    return [
        Library(
            python / f'{package}_s__rosidl_typesupport_{kind}.so',
            sorted((sources / 'rosidl_generator_py').rglob(f'*.ep.rosidl_typesupport_{kind}.c')),
            [
                f'{package}__rosidl_generator_py',
                f'{package}__rosidl_generator_c',
                f'{package}__rosidl_typesupport_c',
                f'{package}__rosidl_typesupport_{kind}',
                'rosidl_typesupport_c',
                *_of_dependencies('rosidl_typesupport_c'),
            ],
        )
        for kind in TYPESUPPORTS
    ]


def _of_dependencies(kind: str) -> list[str]:
    return [f'{dependency}__{kind}' for dependency in DEPENDENCIES]


def _flags(sources: Path, lib: Path) -> list[str]:
    prefix = Path(sys.prefix)
    # Each package's headers are in a separate folder: include/std_msgs/std_msgs/msg/header.h.
    headers = [
        *(folder for folder in sources.iterdir() if folder.name.startswith('rosidl_')),
        *(folder for folder in (prefix / 'include').iterdir() if folder.is_dir()),
        prefix / 'include',
        sysconfig.get_path('include'),
        np.get_include(),
    ]
    return [
        *('-O1', '-fPIC', '-shared', '-w', '-Wl,--as-needed'),
        *(f'-I{folder}' for folder in headers),
        *(f'-L{lib}', f'-L{prefix / "lib"}'),
    ]


def _compile(library: Library, flags: list[str], units: Path) -> None:
    is_cpp = library.sources[0].suffix == '.cpp'
    command = [
        *(['g++', '-std=c++17'] if is_cpp else ['gcc']),
        *flags,
        *map(str, _units(library, units)),
        *(f'-l{name}' for name in library.links),
        *('-o', str(library.target)),
    ]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except OSError as error:
        raise CompilationError(f'{command[0]} does not start: {error}') from error
    except subprocess.CalledProcessError as error:
        raise CompilationError(f'{library.target.name}:\n{error.stderr[-3000:]}') from error


def _units(library: Library, folder: Path) -> list[Path]:
    """
    Include the sources of a library in one file, which compiles several times as fast.

    The descriptions of types stay apart: each defines the same names for itself.
    """
    apart = [path for path in library.sources if path.name.endswith('__description.c')]
    together = [path for path in library.sources if path not in apart]
    unit = folder / f'{library.target.stem}{together[0].suffix}'
    unit.write_text(''.join(f'#include "{path}"\n' for path in together))
    return [unit, *apart]
