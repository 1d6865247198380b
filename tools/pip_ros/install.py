# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Adds the packages that PyPI's ROS 2 wheels lack to this Python environment.

The interface packages in interfaces/ are generated and compiled; the Python packages in stand_ins/
are copied. Packages installed from elsewhere are not replaced, and packages that are up to date
are skipped: a second run does nothing.
"""

import hashlib
import importlib.util
import shutil
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

from definitions import definitions_of
from errors import BuildError

HERE = Path(__file__).resolve().parent
PREFIX = Path(sys.prefix)
SITE_PACKAGES = Path(sysconfig.get_path('purelib'))
# Work in progress: in the file system of the environment, so that moving files is atomic.
WORK = PREFIX / '.pip_ros'
STAGE = WORK / 'stage'


def main() -> int:
    """
    Install every package that is missing or out of date.

    Returns
    -------
    int
        Exit code: 0, or 1 if a package could not be built.

    """
    # As setup.bash does: register this environment as a prefix of ament.
    shutil.copy(HERE / 'ament_prefix.pth', SITE_PACKAGES)
    for package, stage in _packages():
        mark = PREFIX / 'share' / 'pip_ros' / package.name
        digest = _digest(package)
        if mark.exists() and mark.read_text() == digest:
            continue
        if not mark.exists() and importlib.util.find_spec(package.name):
            print(f'{package.name}: installed from elsewhere, not replaced')
            continue
        print(f'{package.name}: installing', flush=True)
        shutil.rmtree(WORK, ignore_errors=True)
        try:
            stage(package)
        except BuildError as error:
            print(f'error: {error}', file=sys.stderr)
            return 1
        _install(mark, digest)
    return 0


def _packages() -> Iterator[tuple[Path, Callable[[Path], None]]]:
    """Yield the folder of each package and the function that stages it."""
    for messages in sorted(HERE.glob('interfaces/*/msg')):
        yield messages.parent, _stage_interfaces
    for module in sorted(HERE.glob('stand_ins/*/__init__.py')):
        yield module.parent, _stage_stand_in


def _digest(package: Path) -> str:
    """Return a digest of all sources of the installed package."""
    sources = [*HERE.glob('*.py'), *HERE.glob('interfaces/*.txt')]
    sources += [*definitions_of(package), *package.rglob('*.py')]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _stage_stand_in(package: Path) -> None:
    shutil.copytree(
        package,
        _staged(SITE_PACKAGES / package.name),
        ignore=shutil.ignore_patterns('__pycache__'),
    )


def _stage_interfaces(package: Path) -> None:
    # Imported here: these imports are slow, and most runs do not need them.
    from compilation import compile_package  # noqa: PLC0415
    from generation import generate  # noqa: PLC0415

    sources = WORK / 'sources'
    generate(package, _read_hashes(), sources)
    python = _staged(SITE_PACKAGES / package.name)
    shutil.copytree(
        sources / 'rosidl_generator_py' / package.name,
        python,
        ignore=shutil.ignore_patterns('*.c'),
    )
    (python / '__init__.py').touch()
    compile_package(package.name, sources, _staged(PREFIX / 'lib'), python)
    share = _staged(PREFIX / 'share')
    shutil.copytree(package, share / package.name)
    shutil.copytree(sources / 'share', share / package.name, dirs_exist_ok=True)
    _register(package, share / 'ament_index' / 'resource_index')


def _read_hashes() -> dict[str, str]:
    lines = (HERE / 'interfaces' / 'type_hashes.txt').read_text().splitlines()
    return dict(line.split() for line in lines if not line.startswith('#'))


def _register(package: Path, index: Path) -> None:
    """Enter a package and its interfaces into the ament index."""
    for kind in ('packages', 'rosidl_interfaces'):
        (index / kind).mkdir(parents=True)
    (index / 'packages' / package.name).touch()
    names = [str(path.relative_to(package)) for path in definitions_of(package)]
    (index / 'rosidl_interfaces' / package.name).write_text('\n'.join(names))


def _staged(path: Path) -> Path:
    """Return the staging path of a path of the environment, and create its parent."""
    staged = STAGE / path.relative_to(PREFIX)
    staged.parent.mkdir(parents=True, exist_ok=True)
    return staged


def _install(mark: Path, digest: str) -> None:
    """Move the staged files into place; the mark says `unfinished` until all are moved."""
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text('unfinished')
    for staged in sorted(path for path in STAGE.rglob('*') if path.is_file()):
        target = PREFIX / staged.relative_to(STAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        staged.replace(target)
    shutil.rmtree(WORK)
    mark.write_text(digest)


if __name__ == '__main__':
    sys.exit(main())
