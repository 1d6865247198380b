# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""The definitions of an interface package: its messages, services and actions."""

from pathlib import Path

# The folders of a package, which are also the endings of the files in them.
KINDS = ('msg', 'srv', 'action')


def definitions_of(package: Path, kind: str = '*') -> list[Path]:
    """
    List the definitions of a package.

    Parameters
    ----------
    package
        Folder named as the package, with its definitions under msg/, srv/ and action/.
    kind
        Only those of this kind.

    """
    files = package.glob(f'{kind}/*')
    return sorted(path for path in files if path.suffix[1:] == path.parent.name)
