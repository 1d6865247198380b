# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Questions and instructions in English and Japanese, parsed into queries."""

from world_model_core.objects.language.lexicon import Lexicon
from world_model_core.objects.language.question_parser import parse_question

__all__ = ['Lexicon', 'parse_question']
