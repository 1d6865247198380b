# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Parsed sentences; the attachment of the phrases in their chains is still open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from world_model_core.objects.language.phrase_chain import PhraseChain
    from world_model_core.objects.query import Action

__all__ = ['CountSentence', 'FindSentence', 'InstructionPart', 'InstructionSentence', 'Sentence']


@dataclass(frozen=True, slots=True)
class CountSentence:
    """A sentence that asks for the number of objects."""

    chain: PhraseChain


@dataclass(frozen=True, slots=True)
class FindSentence:
    """One or several sentences that describe one object; later ones add to the first."""

    chains: tuple[PhraseChain, ...]


@dataclass(frozen=True, slots=True)
class InstructionPart:
    """
    One part of an instruction.

    Attributes
    ----------
    action : Action
    chain : PhraseChain
    after_goal : bool
        Mentioned after the goal that it precedes: "to the door, passing the sofa".

    """

    action: Action
    chain: PhraseChain
    after_goal: bool = False


@dataclass(frozen=True, slots=True)
class InstructionSentence:
    """An instruction; its parts in the order in which they are to be performed."""

    parts: tuple[InstructionPart, ...]


Sentence: TypeAlias = CountSentence | FindSentence | InstructionSentence
