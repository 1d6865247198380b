# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""A sentence as its grammar read it: what is asked for, each noun phrase a chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from world_model_core.objects.language.phrase_chain import PhraseChain
    from world_model_core.objects.query import Action


@dataclass(frozen=True, slots=True)
class CountSentence:
    """How many there are of what a chain describes."""

    chain: PhraseChain


@dataclass(frozen=True, slots=True)
class FindSentence:
    """Which it is; of several sentences the later say more of what the first named."""

    chains: tuple[PhraseChain, ...]


@dataclass(frozen=True, slots=True)
class InstructionPart:
    """
    One part of a way.

    Attributes
    ----------
    action : Action
    chain : Chain
    aside : bool
        Said after the goal that it comes before: "to the door, passing the sofa".

    """

    action: Action
    chain: PhraseChain
    after_goal: bool = False


@dataclass(frozen=True, slots=True)
class InstructionSentence:
    """Where to go; the legs in the order in which they are to be gone."""

    parts: tuple[InstructionPart, ...]


Sentence: TypeAlias = CountSentence | FindSentence | InstructionSentence
