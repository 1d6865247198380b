# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Command line of a node, as launch_ros writes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from world_model_nodes.scenarios.plan import NodePlan, Parameter


def command_line(node: NodePlan, folder: Path) -> tuple[str, ...]:
    """
    Return the command line of a node, in the order of launch_ros.

    Parameters
    ----------
    node : NodePlan
    folder : Path
        Folder for the parameters of the launch file, one YAML file each.

    Returns
    -------
    tuple of str

    """
    words = [str(node.executable), *node.arguments, '--ros-args']
    if node.name is not None:
        words += ['-r', f'__node:={node.name}']
    if node.namespace is not None:
        words += ['-r', f'__ns:={node.namespace}']
    for parameter in node.parameters:
        path = parameter if isinstance(parameter, Path) else _write(parameter, node, folder)
        words += ['--params-file', str(path)]
    for source, target in node.remappings:
        words += ['-r', f'{source}:={target}']
    return tuple(words)


class _Dumper(yaml.SafeDumper):
    """Quotes every string: PyYAML would write 1e3 unquoted, which rcl reads as a number."""


_Dumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar('tag:yaml.org,2002:str', text, style='"')
)


def _write(parameter: Parameter, node: NodePlan, folder: Path) -> Path:
    content = {node.parameter_key: {'ros__parameters': {parameter.name: parameter.value}}}
    path = folder / f'{len(list(folder.iterdir()))}.yaml'
    path.write_text(yaml.dump(content, Dumper=_Dumper, allow_unicode=True), encoding='utf-8')
    return path
