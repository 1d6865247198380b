# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Checks that Python imports the packages of Ubuntu 24.04 in the versions of versions.in.

Without this check, a wrong search path would make `make test-ubuntu-24.04` test other versions.
"""

import sys
from importlib.metadata import version
from pathlib import Path


def main() -> int:
    """
    Compare the installed versions with the list.

    Returns
    -------
    int
        Exit code: 0 if all versions agree, otherwise 1.

    """
    lines = Path(__file__).with_name('versions.in').read_text().splitlines()
    wanted = dict(line.split('==') for line in lines if not line.startswith('#'))
    wrong = {name for name, number in wanted.items() if version(name) != number}
    for name in sorted(wrong):
        print(f'{name}: version {version(name)} is installed, not {wanted[name]}', file=sys.stderr)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
