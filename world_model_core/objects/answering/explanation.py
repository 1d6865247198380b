# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""Why nothing in the map fits a phrase."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from world_model_core.objects.answering.resolution import Resolver
    from world_model_core.objects.query import Description


def explain(description: Description, resolver: Resolver) -> str | None:
    """
    Say which part of a phrase fits nothing in any world; None where all of it fits something.

    An anchor that is not there says more than that nothing stands beside it.
    """
    found = resolver.resolve(description)
    if found.fits.any():
        return None
    for relation in description.relations:
        for anchor in relation.anchors:
            reason = explain(anchor, resolver)
            if reason is not None:
                return reason
    return _say_stage(description, resolver)


def _say_stage(description: Description, resolver: Resolver) -> str:
    trail = resolver.resolve(description).trail
    if not trail[0].share:
        return f'no "{description.noun}" in the map'
    empty = next(index for index, stage in enumerate(trail) if not stage.share)
    left = ' '.join(stage.words for stage in trail[1:empty])
    among = f'{trail[empty - 1].most} of "{description.noun}"' + (f' {left}' if left else '')
    return f'{among}, none {trail[empty].words}'
