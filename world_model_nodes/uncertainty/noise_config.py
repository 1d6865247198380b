# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of noise models and landmarks, shared by the robot simulator and the localizers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from world_model_core.errors import ConfigurationError
from world_model_core.files.yaml_reader import YamlError, strict_yaml
from world_model_core.uncertainty import motion_parameters, observation_parameters
from world_model_core.uncertainty.input_checks import InputError, check_rows
from world_model_core.uncertainty.lecture_simulations import (
    IDEAL_MOTION,
    IDEAL_SENSOR,
    LANDMARKS,
    LECTURE_SIMULATIONS,
)
from world_model_core.uncertainty.motion_parameters import MotionParameters, read_motion
from world_model_core.uncertainty.observation_parameters import (
    ObservationParameters,
    read_observation,
)
from world_model_nodes.runtime.params import parameter

if TYPE_CHECKING:
    from world_model_core.gaussian import Array

# Motion and sensor models by name: the lecture's nine simulations, no noise, and all sources.
PRESETS: dict[str, tuple[MotionParameters, ObservationParameters]] = {
    **{name: (each.motion, each.observation) for name, each in LECTURE_SIMULATIONS.items()},
    'ideal': (IDEAL_MOTION, IDEAL_SENSOR),
    'lecture': (motion_parameters.LECTURE, observation_parameters.LECTURE),
    'lnpr': (motion_parameters.LNPR, observation_parameters.LNPR),
}
Preset = Enum('Preset', {name.upper(): name for name in PRESETS})  # type: ignore[misc]


@dataclass(frozen=True)
class NoiseConfig:
    """Parameters that the robot simulator and the localizers have in common."""

    preset: Preset = parameter(Preset['LNPR'], 'motion and sensor noise, by name')
    noise_file: str = parameter(
        '', 'YAML file with `motion` and `observation`; each replaces that part of the preset'
    )
    landmarks: tuple[float, ...] = parameter(
        tuple(value for place in LANDMARKS for value in place),
        'x and y of each landmark in the map frame, one after the other',
        unit='m',
    )

    def __post_init__(self) -> None:
        """Validate the landmarks."""
        self.places()

    def error_models(self) -> tuple[MotionParameters, ObservationParameters]:
        """
        Return the parameters of the motion and observation models.

        Raises
        ------
        ConfigurationError
            The noise file cannot be read, or has an unknown key or an invalid value.

        """
        motion, observation = PRESETS[self.preset.value]
        document = _read(self.noise_file) if self.noise_file else {}
        try:
            if 'motion' in document:
                motion = read_motion(document['motion'])
            if 'observation' in document:
                observation = read_observation(document['observation'])
        except ConfigurationError as error:
            raise ConfigurationError(f'noise_file {self.noise_file}: {error}') from error
        return motion, observation

    def places(self) -> Array:
        """
        Return the positions of the landmarks: array, shape (m, 2) [m], map frame.

        Raises
        ------
        ConfigurationError
            An x has no y, or a number is not finite or too large.

        """
        if len(self.landmarks) % 2:
            raise ConfigurationError(
                f'landmarks has {len(self.landmarks)} numbers; it must have an x and a y for each'
            )
        try:
            return check_rows('landmarks', np.reshape(self.landmarks, (-1, 2)), 2)
        except InputError as error:
            raise ConfigurationError(f'{error}') from error


def _read(path: str) -> dict[str, Any]:
    """Read the sections of a noise file: mappings of mappings without duplicate keys."""
    if not Path(path).exists():
        raise ConfigurationError(f'noise_file {path} does not exist')
    try:
        document = strict_yaml(Path(path))
    except YamlError as error:
        raise ConfigurationError(f'noise_file {error}') from error
    if not isinstance(document, dict) or set(document) - {'motion', 'observation'}:
        raise ConfigurationError(f'noise_file {path} must have `motion`, `observation` or both')
    for name, section in document.items():
        if not isinstance(section, dict):
            raise ConfigurationError(f'{name} in {path} must be a mapping of sources')
    return dict(document)
