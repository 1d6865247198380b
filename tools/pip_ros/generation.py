# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Generates the C, C++ and Python sources of an interface package with rosidl's generators."""

import contextlib
import io
import json
import logging
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

# The generators find their templates in the ament index of this environment.
os.environ['AMENT_PREFIX_PATH'] = sys.prefix

from definitions import KINDS, definitions_of
from errors import TypeHashError
from rosidl_cli.command.hash.api import generate_type_hashes
from rosidl_cli.command.translate.api import translate
from rosidl_generator_c.cli import GenerateC
from rosidl_generator_py.cli import GeneratePython
from rosidl_typesupport_c.cli import GenerateCTypesupport
from rosidl_typesupport_fastrtps_c.cli import GenerateFastRTPSCTypesupport
from rosidl_typesupport_introspection_c.cli import GenerateIntrospectionCTypesupport

# A folder for each, since two of them write files of the same name. GenerateC has one as well.
GENERATORS = {
    'rosidl_generator_py': GeneratePython,
    'rosidl_typesupport_c': GenerateCTypesupport,
    'rosidl_typesupport_fastrtps_c': GenerateFastRTPSCTypesupport,
    'rosidl_typesupport_introspection_c': GenerateIntrospectionCTypesupport,
}

# It warns about every generator twice: the wheels register each under two distributions.
logging.getLogger('rosidl_cli').setLevel(logging.ERROR)


def generate(package: Path, hashes: dict[str, str], out: Path) -> None:
    """
    Generate all sources of an interface package, once its type hashes are those expected.

    Parameters
    ----------
    package
        Folder named as the package, with its definitions under msg/, srv/ and action/.
    hashes
        Type hash (RIHS01, REP-2011) by type, "tf2_msgs/msg/TFMessage" for example.
    out
        Folder for the results: share/ with the definitions, and one folder a generator.

    Raises
    ------
    TypeHashError
        If a type's hash is not the one expected, or none is expected.

    """
    include_paths = [str(Path(sys.prefix) / 'share')]
    share = out / 'share'
    with contextlib.redirect_stdout(io.StringIO()):
        idl = translate(
            package_name=package.name,
            interface_files=[
                f'{package}:{path.relative_to(package)}' for path in definitions_of(package)
            ],
            include_paths=include_paths,
            output_format='idl',
            output_path=share,
        )
    descriptions = generate_type_hashes(
        package_name=package.name,
        interface_files=idl,
        include_paths=include_paths,
        output_path=share,
    )
    _check_hashes(package, share, hashes)
    # Processes, since the generators are Python: copies of this one, which has imported them.
    with ProcessPoolExecutor(mp_context=get_context('fork')) as pool:
        tasks = [
            pool.submit(generator.generate, package.name, files, include_paths, **keywords)
            for generator, files, keywords in _tasks(package.name, idl, descriptions, out)
        ]
        for task in tasks:
            task.result()


def _tasks(
    package: str, idl: list[str], descriptions: list[str], out: Path
) -> Iterator[tuple[Any, list[str], dict[str, Any]]]:
    """Yield each generator, the files that it reads, and its other arguments."""
    for name, generator in GENERATORS.items():
        yield generator(name), idl, {'output_path': out / name / package}
    # GenerateC finds the description of a type by the name of its file, which a message and a
    # service may share: it is called for each kind.
    name = 'rosidl_generator_c'
    for kind in KINDS:
        files = [path for path in idl if f':{kind}/' in path]
        described = [path for path in descriptions if Path(path).parent.name == kind]
        if files:
            keywords = {'output_path': out / name / package, 'type_description_files': described}
            yield GenerateC(name), files, keywords


def _check_hashes(package: Path, share: Path, expected: dict[str, str]) -> None:
    # The hash of a service or action covers the types of which it consists.
    for definition in definitions_of(package):
        description = share / definition.relative_to(package).with_suffix('.json')
        own = json.loads(description.read_text())['type_hashes'][0]
        name, found = own['type_name'], own['hash_string']
        if found != expected.get(name):
            raise TypeHashError(
                f'{name}: type hash is {found}, expected {expected.get(name)}: '
                'this build could not talk to the released package'
            )
