# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Generates the C, C++ and Python sources of a message package with rosidl's own generators."""

import contextlib
import io
import json
import logging
import os
import sys
from pathlib import Path

# The generators find their templates in the ament index of this environment.
os.environ['AMENT_PREFIX_PATH'] = sys.prefix

from errors import TypeHashError
from rosidl_cli.command.hash.api import generate_type_hashes
from rosidl_cli.command.translate.api import translate
from rosidl_generator_c.cli import GenerateC
from rosidl_generator_py.cli import GeneratePython
from rosidl_typesupport_c.cli import GenerateCTypesupport
from rosidl_typesupport_fastrtps_c.cli import GenerateFastRTPSCTypesupport
from rosidl_typesupport_introspection_c.cli import GenerateIntrospectionCTypesupport

# A folder for each, since two of them write files of the same name.
GENERATORS = {
    'rosidl_generator_c': GenerateC,
    'rosidl_generator_py': GeneratePython,
    'rosidl_typesupport_c': GenerateCTypesupport,
    'rosidl_typesupport_fastrtps_c': GenerateFastRTPSCTypesupport,
    'rosidl_typesupport_introspection_c': GenerateIntrospectionCTypesupport,
}

# It warns about every generator twice: the wheels register each under two distributions.
logging.getLogger('rosidl_cli').setLevel(logging.ERROR)


def generate(package: Path, hashes: dict[str, str], out: Path) -> None:
    """
    Generate all sources of a message package, once its type hashes are those expected.

    Parameters
    ----------
    package
        Folder named as the package, with its definitions under msg/.
    hashes
        Type hash (RIHS01, REP-2011) by type, "tf2_msgs/msg/TFMessage" for example.
    out
        Folder for the results: share/ with the definitions, and one folder a generator.

    Raises
    ------
    TypeHashError
        If a type's hash is not the one expected, or none is expected.

    """
    definitions = sorted(str(path.relative_to(package)) for path in package.glob('msg/*.msg'))
    include_paths = [str(Path(sys.prefix) / 'share')]
    share = out / 'share'
    with contextlib.redirect_stdout(io.StringIO()):
        idl = translate(
            package_name=package.name,
            interface_files=[f'{package}:{definition}' for definition in definitions],
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
    _check_hashes(share, hashes)
    for name, generator in GENERATORS.items():
        keywords = {'type_description_files': descriptions} if generator is GenerateC else {}
        generator(name).generate(
            package.name, idl, include_paths, out / name / package.name, **keywords
        )


def _check_hashes(share: Path, expected: dict[str, str]) -> None:
    for description in sorted(share.glob('msg/*.json')):
        own = json.loads(description.read_text())['type_hashes'][0]
        name, found = own['type_name'], own['hash_string']
        if found != expected.get(name):
            raise TypeHashError(
                f'{name}: type hash is {found}, expected {expected.get(name)}: '
                'this build could not talk to the released package'
            )
