# Copyright 2026 the world_model authors
# SPDX-License-Identifier: Apache-2.0
"""
Conventions of splats: order of quaternions, and encoding of scales and opacities.

The contract defines only the order of quaternions, and many programs use another one. The
declaration of the file is used; otherwise the convention is detected from the numbers, with a
finding. A declared order of quaternions is compared with the geometry.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from world_model_core.bundle.splats.neighbor_directions import log_odds_of_wxyz
from world_model_core.bundle.splats.quaternion_order import (
    QuaternionOrder,
    WeighedOrder,
    check_order,
    guess_order,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from world_model_core.findings import Findings

__all__ = [
    'ConventionEvidence',
    'ConventionSource',
    'OpacityEncoding',
    'ResolvedConventions',
    'ScaleEncoding',
    'SplatConventions',
    'declaration',
    'read_declaration',
    'resolve_conventions',
]

FloatArray = NDArray[np.float32]

# Spherical harmonic of degree 0, 1 / (2 sqrt(pi)): factor from its coefficient to a color.
SH_BAND_0: Final = 0.28209479177387814
# Tag of the line that declares conventions.
DECLARATION: Final = 'splats'
# Scales are logarithms if more than this part is negative, or if some are negative and one is
# extreme: large positive scales alone may belong to the sky.
NEGATIVE_PART: Final = 0.1
EXTREME_SCALE: Final = 10.0
# Opacities are logits if less than the first part is in 0 to 1, and linear above the second.
LOGIT_PART: Final = 0.9
LINEAR_PART: Final = 0.95


class ScaleEncoding(Enum):
    """Standard deviations along the axes of a splat: [m], or their natural logarithms."""

    LOG = 'log'
    LINEAR = 'linear'


class OpacityEncoding(Enum):
    """Opacities: in 0 to 1, or as their logits ln(a / (1 - a))."""

    LOGIT = 'logit'
    LINEAR = 'linear'


class ConventionSource(Enum):
    """Source of a convention."""

    GIVEN = 'told'  # by the caller
    DECLARED = 'declared'  # by the file or its format
    GUESSED = 'guessed'  # from the numbers


@dataclass(frozen=True, slots=True)
class SplatConventions:
    """
    Conventions of a splat file that are stated by the user; None where unknown.

    Attributes
    ----------
    quaternions, scales, opacities
        The order of quaternions, and the encoding of scales and opacities.

    """

    quaternions: QuaternionOrder | None = None
    scales: ScaleEncoding | None = None
    opacities: OpacityEncoding | None = None

    def over(self, other: SplatConventions) -> SplatConventions:
        """Return these conventions, with unknown ones replaced by those of `other`."""
        return SplatConventions(
            self.quaternions or other.quaternions,
            self.scales or other.scales,
            self.opacities or other.opacities,
        )


@dataclass(frozen=True, slots=True)
class ResolvedConventions:
    """
    Conventions of a file, and their sources.

    `quaternions` is the order in the file; in memory it is always x, y, z, w. Its probability
    is 1 if it is given.
    """

    quaternions: QuaternionOrder
    scales: ScaleEncoding
    opacities: OpacityEncoding
    quaternions_known: ConventionSource = ConventionSource.GIVEN
    scales_known: ConventionSource = ConventionSource.GIVEN
    opacities_known: ConventionSource = ConventionSource.GIVEN
    quaternions_probability: float = 1.0


def declaration(scales: ScaleEncoding, opacities: OpacityEncoding) -> str:
    """Return the line that declares conventions."""
    return (
        f'{DECLARATION} quaternions={QuaternionOrder.XYZW.value} scales={scales.value} '
        f'opacities={opacities.value}'
    )


def read_declaration(comments: Iterable[str], findings: Findings, file: str) -> SplatConventions:
    """Return the conventions declared in the comments of a file; report what is ignored."""
    declared: dict[str, Any] = {}
    ignored = []
    kinds = {'quaternions': QuaternionOrder, 'scales': ScaleEncoding, 'opacities': OpacityEncoding}
    for comment in comments:
        words = comment.split()
        if words[:1] != [DECLARATION] or not any('=' in word for word in words):
            continue
        for word in words[1:]:
            name, _, value = word.partition('=')
            known = name in kinds and value in {each.value for each in kinds[name]}
            if not known or declared.setdefault(name, kinds[name](value)).value != value:
                ignored.append(word)
    if ignored:
        findings.add('Splats.DeclarationIgnored', file, found=', '.join(ignored))
    return SplatConventions(**declared)


@dataclass(slots=True)
class ConventionEvidence:
    """
    Statistics of a file for the detection of its conventions.

    Attributes
    ----------
    count : int
        Number of gaussians.
    negative : int
        Number of negative scales, of three for each gaussian.
    extreme : float
        Largest magnitude of a scale.
    beyond : int
        Number of opacities outside of 0 to 1.
    by_program : bool
        Whether the file is that of a program that writes quaternions w, x, y, z.
    sample : tuple of array
        Positions, scales, and rotations as in the file, of some gaussians: shape (n, 3), (n, 3)
        and (n, 4).

    """

    count: int = 0
    negative: int = 0
    extreme: float = 0.0
    beyond: int = 0
    by_program: bool = False
    sample: tuple[FloatArray, FloatArray, FloatArray] = (
        np.empty((0, 3), np.float32),
        np.empty((0, 3), np.float32),
        np.empty((0, 4), np.float32),
    )

    @property
    def negative_part(self) -> float:
        """Fraction of negative scales."""
        return self.negative / max(1, 3 * self.count)

    @property
    def unit_part(self) -> float:
        """Fraction of opacities in 0 to 1."""
        return 1.0 - self.beyond / max(1, self.count)

    def order_odds(self, encoding: ScaleEncoding) -> float:
        """Return the logarithm of the odds of quaternions w, x, y, z by geometry."""
        positions, scales, rotations = self.sample
        if encoding is ScaleEncoding.LINEAR:
            return log_odds_of_wxyz(positions, scales, rotations)
        # Shapes only, as sizes may exceed the range of a float.
        shapes = np.exp(scales - scales.max(axis=1, keepdims=True))
        return log_odds_of_wxyz(positions, shapes, rotations)


def resolve_conventions(
    evidence: ConventionEvidence,
    given: SplatConventions,
    declared: SplatConventions,
    findings: Findings,
    file: str,
) -> ResolvedConventions:
    """
    Choose the conventions of a file: given, else declared, else guessed with a finding.

    Parameters
    ----------
    evidence : ConventionEvidence
        Statistics of all rows.
    given, declared : SplatConventions
        Conventions from the caller; conventions from the file.

    """
    stated = given.over(declared)
    scales = stated.scales or _guess_scales(evidence, findings, file)
    opacities = stated.opacities or _guess_opacities(evidence, findings, file)
    order = WeighedOrder(given.quaternions, 1.0) if given.quaternions else None
    order = order or _weigh_order(evidence, scales, declared.quaternions, findings, file)
    known = {
        f'{name}_known': _source(getattr(given, name), getattr(declared, name))
        for name in ('quaternions', 'scales', 'opacities')
    }
    return ResolvedConventions(
        order.order, scales, opacities, **known, quaternions_probability=order.probability
    )


def _source(given: Enum | None, declared: Enum | None) -> ConventionSource:
    if given is not None:
        return ConventionSource.GIVEN
    return ConventionSource.GUESSED if declared is None else ConventionSource.DECLARED


def _weigh_order(
    evidence: ConventionEvidence,
    scales: ScaleEncoding,
    declared: QuaternionOrder | None,
    findings: Findings,
    file: str,
) -> WeighedOrder:
    odds = evidence.order_odds(scales)
    if declared is None:
        return guess_order(odds, evidence.by_program, findings, file)
    return check_order(declared, odds, findings, file)


def _guess_scales(evidence: ConventionEvidence, findings: Findings, file: str) -> ScaleEncoding:
    extreme = evidence.extreme > EXTREME_SCALE
    log = evidence.negative_part > (0.0 if extreme else NEGATIVE_PART)
    encoding = ScaleEncoding.LOG if log else ScaleEncoding.LINEAR
    found = f'{100 * evidence.negative_part:.3g} %'
    findings.add('Splats.ScalesGuessed', file, guess=encoding.value, found=found)
    return encoding


def _guess_opacities(
    evidence: ConventionEvidence, findings: Findings, file: str
) -> OpacityEncoding:
    linear = evidence.unit_part > LINEAR_PART
    encoding = OpacityEncoding.LINEAR if linear else OpacityEncoding.LOGIT
    unclear = LOGIT_PART <= evidence.unit_part <= LINEAR_PART
    code = 'Splats.OpacitiesUnclear' if unclear else 'Splats.OpacitiesGuessed'
    found = f'{100 * evidence.unit_part:.3g} %'
    findings.add(code, file, guess=encoding.value, found=found)
    return encoding
