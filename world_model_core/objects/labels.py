# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Names of classes, however a detector, a file or a question spells them."""

from __future__ import annotations

import unicodedata


def normalize_label(label: str) -> str:
    """
    Treat `_`, spaces and case alike: 'Potted_Plant ' is 'potted plant'.

    Wide and composed characters are taken for the plain ones (Unicode's NFKC), as Japanese names
    are typed either way.
    """
    folded = unicodedata.normalize('NFKC', label).casefold().replace('_', ' ')
    return ' '.join(folded.split())
