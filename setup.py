# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Installs world_model for colcon and for pip alike."""

from glob import glob
from runpy import run_path

from setuptools import find_packages, setup

SHARED = [*glob('launch/*'), *glob('config/*'), *glob('worlds/*'), *glob('worlds/*/*/')]
NODES = run_path('world_model_nodes/nodes.py')['NODES']

setup(
    name='world_model',
    version='0.1.0',
    description="A robot's model of the world, on ROS 2 topics",
    license='Apache-2.0',
    maintainer='world_model authors',
    maintainer_email='world_model@users.noreply.github.com',
    python_requires='>=3.10',
    packages=find_packages(include=['world_model_core*', 'world_model_nodes*']),
    package_data={
        'world_model_core': ['py.typed', 'schemas/*.json'],
        'world_model_core.bundle': ['finding_texts/*.yaml'],
        'world_model_core.files': ['finding_texts/*.yaml'],
        'world_model_core.objects.language': ['*.lark', '*.yaml'],
        'world_model_core.match.ssl': ['ssl.binpb'],
        'world_model_core.view': ['*.yaml'],
        'world_model_core.virtual_world': ['finding_texts/*.yaml'],
        'world_model_nodes': ['py.typed'],
    },
    data_files=[
        ('share/ament_index/resource_index/packages', ['resource/world_model']),
        ('share/world_model', ['package.xml']),
        *((f'share/world_model/{folder}', glob(f'{folder}/*.*')) for folder in SHARED),
        # colcon puts entry points under lib/world_model; this one belongs on the PATH as well.
        ('bin', ['bin/world_model']),
    ],
    install_requires=[
        'inflection>=0.3',
        'jsonschema>=4.10',
        'lark-parser>=0.12',
        'lxml>=5.2',
        'matplotlib>=3.6',
        'msgpack>=1.0.3',
        'numpy>=1.26',
        'pillow>=10.2',
        'protobuf>=4.21',
        'PyYAML>=6.0',
        # viser does not accept 15.
        'rich>=13.7,<15',
        'scipy>=1.11',
        'shapely>=2.0',
    ],
    extras_require={
        # The physics of the virtual world. mujoco-core has no wheels for Python 3.10, and the
        # sparse Newton solver of 4.0.0 is wrong.
        'virtual': [
            'mujoco-core>=4.0.1; python_version >= "3.11"',
            'mujoco>=3.17,<4; python_version < "3.11"',
            # Images of it.
            'PyOpenGL>=3.1.7',
        ],
        # The window in the browser. It is closed to strangers by means that other versions may
        # lack (world_model_nodes/viewer/guard.py).
        'view': ['viser>=1.1.1,<1.2'],
        # Cuts hollow shapes into convex pieces.
        'pieces': ['coacd>=1.0.5'],
        # `colcon test` looks for pytest here: `tests_require` makes it run no test at all.
        'test': ['hypothesis', 'playwright', 'pytest', 'pytest-xdist', 'trimesh<6'],
        'dev': [
            'check-jsonschema',
            'colcon-core>=0.21',
            'colcon-package-information',
            'colcon-ros',
            'colcon-test-result',
            'grpcio-tools',
            'lxml-stubs',
            'mypy',
            'ruff',
            'types-protobuf',
            'types-PyYAML',
            'types-jsonschema',
            'types-shapely',
        ],
        'docs': ['furo', 'myst-parser', 'numpydoc', 'sphinx>=7.2'],
    },
    zip_safe=True,
    entry_points={
        'console_scripts': [
            'world_model = world_model_nodes.commands.main:main',
            *(f'{node} = world_model_nodes.runtime.executables:{node}' for node in NODES),
        ],
    },
)
