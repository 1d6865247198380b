# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Links lib/world_model/* to the console scripts of the installed package.

ROS looks for the executables of a package in lib/<package>; colcon puts them there, pip does not.
"""

import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path


def main() -> None:
    """Replace the links, one for each entry point."""
    package = 'world_model'
    folder = Path(sys.prefix) / 'lib' / package
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for script in distribution(package).entry_points.select(group='console_scripts'):
        (folder / script.name).symlink_to(Path('../../bin') / script.name)


if __name__ == '__main__':
    main()
