# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parameters of viewer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from world_model_core.errors import ConfigurationError
from world_model_nodes.runtime.params import parameter

# [s].
LONGEST_KEEP = 3600.0


class Quality(Enum):
    """How the page is drawn; FINE has shadows and an environment map."""

    FAST = 'fast'
    FINE = 'fine'


class Language(Enum):
    """Language of the page."""

    ENGLISH = 'en'
    JAPANESE = 'ja'


@dataclass(frozen=True, slots=True)
class ViewerConfig:
    """Parameters of viewer."""

    port: int = parameter(8080, 'TCP port of the page; 0: any free one', low=0, high=65535)
    address: str = parameter('127.0.0.1', 'address of this machine at which the page is served')
    quality: Quality = parameter(Quality.FAST, 'fine: with shadows and an environment map')
    language: Language = parameter(Language.ENGLISH, 'language of the page')
    scenes: str = parameter(
        '', 'scenes to show, separated by commas; empty: those of all scenarios that run'
    )
    keep: float = parameter(
        120.0, 'how long states are kept, to look back', low=0.0, high=LONGEST_KEEP, unit='s'
    )
    most_splats: int = parameter(
        0, 'most splats that are shown; 0: as many as the page can draw', low=0, high=1_000_000
    )
    autostart: bool = parameter(True, 'configure and activate on start')

    def chosen(self, known: tuple[str, ...]) -> tuple[str, ...]:
        """
        Return the names of the scenes to show.

        Raises
        ------
        ConfigurationError
            A name is not one of the known ones.

        """
        names = tuple(name.strip() for name in self.scenes.split(',') if name.strip())
        for name in names:
            if name not in known:
                raise ConfigurationError(
                    f'scenes contains {name!r}; it can be {" | ".join(known)}'
                )
        return names or known
