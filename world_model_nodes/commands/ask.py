# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""`world_model ask`: answer a question about a map in a file."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console

from world_model_core.documents import write
from world_model_core.objects.answer import NoAnswer
from world_model_core.objects.answering.answerer import Answerer
from world_model_core.objects.documents.answer_json import answer_document
from world_model_core.objects.documents.scene_files import load_scene
from world_model_nodes.commands.ask_tables import answer_table

if TYPE_CHECKING:
    from pathlib import Path


def ask(
    path: Path, question: str, robot: tuple[float, float, float] | None, *, as_json: bool
) -> bool:
    """
    Answer a question and print the answer, as a table or as JSON.

    Parameters
    ----------
    path : Path
        The map, in any format that `load_scene` reads.
    question : str
    robot : tuple of 3 floats or None
        x, y [m] and heading [rad] of the robot in the map's frame.
    as_json : bool

    Returns
    -------
    bool
        Whether the question was answered; if not, the output names what is missing.

    Raises
    ------
    ObjectMapError
        If the map cannot be read.

    """
    scene = load_scene(path)
    if robot is not None:
        scene = replace(scene, robot=np.array(robot))
    # Arguments may contain invalid UTF-8, which JSON cannot represent.
    text = question.encode(errors='surrogateescape').decode(errors='replace')
    answer = Answerer().answer(text, scene)
    if as_json:
        sys.stdout.write(write(answer_document(answer)) + '\n')
    else:
        Console(soft_wrap=True, markup=False).print(answer_table(answer))
    return not isinstance(answer, NoAnswer)
