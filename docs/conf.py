# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Configuration of Sphinx: `make docs` without ROS, rosdoc2 on a ROS 2 machine."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree as ET

DOCS = Path(__file__).resolve().parent
sys.path[:0] = [str(DOCS.parent), str(DOCS / 'extensions')]
# The help texts of the command reference are wrapped at this width.
os.environ['COLUMNS'] = '90'

project = 'world_model'
author = 'the world_model authors'
copyright = f'2026, {author}'  # noqa: A001 (the name that Sphinx reads)
release = ET.parse(DOCS.parent / 'package.xml').findtext('version')  # noqa: S314 (our own file)

extensions = [
    'myst_parser',
    'sphinx.ext.autodoc',
    'numpydoc' if find_spec('numpydoc') else 'sphinx.ext.napoleon',
    'generated_parts',
]
html_theme = 'furo' if find_spec('furo') else 'alabaster'
html_title = 'world_model'
exclude_patterns = ['_build', 'extensions']

myst_heading_anchors = 4
myst_enable_extensions = ['dollarmath', 'amsmath']

autodoc_member_order = 'bysource'
autodoc_typehints = 'none'
autodoc_default_options = {
    'members': True,
    'undoc-members': False,
    # Parts of classes are listed with the whole; members of these are Python's.
    'inherited-members': 'object,BaseException,Exception,tuple,int,str,Enum,Protocol',
}
numpydoc_show_class_members = False
# Sphinx builds without ROS: modules that are not installed are replaced by empty ones.
autodoc_mock_imports = [
    name
    for name in (
        'ament_index_python', 'builtin_interfaces', 'diagnostic_msgs', 'geometry_msgs',
        'grid_map_msgs', 'lifecycle_msgs', 'nav_msgs', 'rcl_interfaces', 'rclpy', 'rosgraph_msgs',
        'sensor_msgs', 'sensor_msgs_py', 'std_msgs', 'std_srvs', 'tf2_msgs', 'tf2_ros',
        'simulation_interfaces', 'vision_msgs', 'visualization_msgs',
    )
    if find_spec(name) is None
]  # fmt: skip
